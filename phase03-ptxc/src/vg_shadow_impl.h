/* Inside the shadow: records, sets of records, cells and the block's clock. */
#ifndef VG_SHADOW_IMPL_H
#define VG_SHADOW_IMPL_H

#include "vg_hazard.h"
#include "vg_shadow.h"

#define WARPS 32
#define FUNCS 127 /* functions told apart in findings; the rest share one number */

/* Some lanes of one warp made an access at one time. stamp 0: no record. `site` is who and where:
 * bits 0 … 19 the pc, 20 … 26 the function's number, 27 … 31 the warp. */
struct rec {
    uint32_t stamp;
    uint32_t lanes;
    uint32_t site;
};

static inline uint32_t site_of(uint32_t pc, uint32_t func, uint32_t warp)
{
    return (pc & 0xFFFFF) | (func & FUNCS) << 20 | warp << 27;
}

static inline uint32_t pc_of(const struct rec *r)
{
    return r->site & 0xFFFFF;
}

static inline uint32_t func_of(const struct rec *r)
{
    return r->site >> 20 & FUNCS;
}

static inline uint32_t warp_of(const struct rec *r)
{
    return r->site >> 27;
}

/* The accesses of one kind to a cell that a later access could still be unordered with. `newest`
 * has the highest stamp; when it is ordered before everything, so is the rest. `more` heads a list
 * in the pool; 0 ends a list. */
struct set {
    struct rec newest, second;
    uint32_t more;
};

struct node {
    struct rec rec;
    uint32_t next;
};

/* A cell is `granule` bytes of shared memory: the last store, and the loads since. */
struct cell {
    struct rec store;
    struct set loads;
};

struct pending { /* warps that only arrived at a barrier */
    bool any;
    uint32_t seen[WARPS];
};

struct vg_shadow {
    bool race, init;
    bool exact; /* barriers for some warps: keep every record, not only enough for full barriers */
    uint32_t bytes, threads, warps;

    /* The clock ticks at every synchronisation. What is stamped up to `floor` is ordered before
     * everything that still comes; up to warp_floor[w], before everything of warp w if made by w.
     * warp_seen[w][v]: up to when w has seen v's accesses; lane_seen[w][l][m]: the same of lanes,
     * NULL until the warp's lanes part. */
    uint32_t clock, floor;
    uint32_t warp_floor[WARPS];
    uint32_t warp_seen[WARPS][WARPS];
    uint32_t (*lane_seen[WARPS])[VG_LANES];
    struct pending pending[VG_BARRIERS];

    uint32_t shift;     /* granule = 1 << shift: 4, 2 or 1 bytes */
    uint32_t ncells;    /* of the granule */
    struct cell *cells; /* owned; NULL without race */
    struct set *atoms;  /* owned; by cell; NULL until the first atomic */
    struct node *pool;  /* owned; node 0 is not used */
    uint32_t npool, pool_cap;

    const struct ptx_func *funcs[FUNCS];
    uint32_t nfuncs;

    uint64_t *written; /* owned; a bit per byte; NULL without init */
};

/* Up to when thread (warp, lane) has seen the accesses of thread (by, by_lane). */
static inline uint32_t seen_of(const struct vg_shadow *s, uint32_t warp, uint32_t lane, uint32_t by,
                               uint32_t by_lane)
{
    uint32_t seen = s->floor, other = 0;
    if (by != warp) {
        other = s->warp_seen[warp][by];
    } else {
        other = s->warp_floor[warp];
        if (s->lane_seen[warp] != NULL && s->lane_seen[warp][lane][by_lane] > other) {
            other = s->lane_seen[warp][lane][by_lane];
        }
    }
    return other > seen ? other : seen;
}

/* Where the active lanes' accesses lie: the lowest and highest address, and the bits that are set
 * in any of them. */
struct span {
    uint32_t first, last;
    uint32_t low_bits;
    bool far; /* an address of 2^32 or more */
};

struct span vg_shadow_span(const struct vg_access *a);

/* Nothing in the set matters any more: forget it, and with it the list, whose nodes are free. */
static inline void set_refresh(const struct vg_shadow *s, struct set *set)
{
    if (set->newest.stamp <= s->floor) {
        *set = (struct set){0};
    }
}

/* Add a record with the present stamp to a set that has records; those that it makes superfluous
 * go. */
void vg_shadow_insert(struct vg_shadow *s, struct set *set, struct rec rec);

/* The same for any set. The common cases stay here: the first record since the floor rose, the same
 * instruction again, another warp. */
static inline void set_add(struct vg_shadow *s, struct set *set, struct rec rec)
{
    if (set->newest.stamp <= s->floor) {
        *set = (struct set){.newest = rec};
    } else if (set->newest.site == rec.site && set->newest.stamp == rec.stamp) {
        set->newest.lanes |= rec.lanes;
    } else if (!s->exact && set->newest.site >> 27 != rec.site >> 27) {
        set->second = set->newest;
        set->newest = rec;
        set->more = 0;
    } else {
        vg_shadow_insert(s, set, rec);
    }
}

/* Does the access continue in cells of `shift`? Else divide the cells. */
void vg_shadow_divide(struct vg_shadow *s, uint32_t shift);

/* The two checks of an access whose lanes lie in `span`. */
struct vg_shadow_call {
    struct vg_shadow *s;
    const struct vg_check_ctx *ctx;
    const struct vg_access *a;
    const uint8_t *values;
    struct span span;
};

void vg_shadow_race(const struct vg_shadow_call *call);
void vg_shadow_init(const struct vg_shadow_call *call);

#endif
