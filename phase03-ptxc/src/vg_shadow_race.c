/* One warp's access of shared memory against what the shadow remembers.
 *
 * Problem: find the accesses of other threads that touch the same bytes and are not in order with
 * this one, for 32 lanes, in well under a microsecond.
 * Model: the lanes' bytes are cut into granules; lanes at the same granule make one touch. A touch
 * is held against the cell's last store, its loads (when this is a store or an atomic) and its
 * atomics (when this is none); most records lie under the floor and drop out by one comparison. For
 * the rest the rule of vg_hazard.h decides, lane by lane. Then the access is remembered.
 * Invariants: all touches of a store are checked before any is remembered, so that a lane does not
 * meet its neighbour's store of the same instruction; those are compared by value afterwards.
 * Naturally aligned lanes overlap wholly or not at all.
 * Simplified: after a hazard on a byte the shadow goes on as if the access had been in order.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/err.h"
#include "vg_shadow_impl.h"

#define HALF 16

struct touch {
    uint32_t cell;
    uint32_t lanes;
};

/* What one call finds, per hazard: the first, and how many. */
struct found {
    uint64_t count;
    struct rec then;
    uint32_t then_lane, lane;
};

struct run {
    struct vg_shadow *s;
    const struct vg_access *a;
    const uint8_t *values;
    bool merge;    /* a load or atomic: lanes at one cell need not be told apart */
    bool uniform;  /* and all lanes are at one address, */
    bool twins;    /* or lane l + 16 is where lane l is */
    uint32_t site; /* of the present access */
    struct found found[VG_HAZARD_WAW + 1];
};

/* Copy the list `head` of the pool; its nodes are not shared between cells. */
static uint32_t copy_list(struct vg_shadow *s, uint32_t head)
{
    uint32_t first = 0, last = 0;
    for (; head != 0; head = s->pool[head].next) {
        struct rec rec = s->pool[head].rec;
        if (s->npool == s->pool_cap) {
            s->pool_cap *= 2;
            s->pool = lab_resize(s->pool, s->pool_cap, sizeof(s->pool[0]));
        }
        s->pool[s->npool] = (struct node){rec, 0};
        if (last == 0) {
            first = s->npool;
        } else {
            s->pool[last].next = s->npool;
        }
        last = s->npool++;
    }
    return first;
}

static struct set copy_set(struct vg_shadow *s, const struct set *set)
{
    struct set copy = *set;
    set_refresh(s, &copy);
    copy.more = copy_list(s, copy.more);
    return copy;
}

void vg_shadow_divide(struct vg_shadow *s, uint32_t shift)
{
    uint32_t parts = 1u << (s->shift - shift), n = s->ncells * parts;
    struct cell *cells = lab_alloc(n + 1, sizeof(cells[0]));
    struct set *atoms = s->atoms == NULL ? NULL : lab_alloc(n + 1, sizeof(atoms[0]));
    for (uint32_t i = 0; i < n; i++) {
        cells[i].store = s->cells[i / parts].store;
        cells[i].loads = copy_set(s, &s->cells[i / parts].loads);
        if (atoms != NULL) {
            atoms[i] = copy_set(s, &s->atoms[i / parts]);
        }
    }
    free(s->cells);
    free(s->atoms);
    s->cells = cells;
    s->atoms = atoms;
    s->ncells = n;
    s->shift = shift;
}

static uint32_t func_number(struct vg_shadow *s, const struct ptx_func *f)
{
    for (uint32_t i = s->nfuncs; i > 0; i--) {
        if (s->funcs[i - 1] == f) {
            return i - 1;
        }
    }
    if (s->nfuncs == FUNCS) {
        return FUNCS;
    }
    s->funcs[s->nfuncs] = f;
    return s->nfuncs++;
}

/* Hold one lane of the present access against the lanes of a record; the first hazard is noted. */
static bool check_lane(struct run *r, enum vg_access_kind kind, const struct rec *rec,
                       uint32_t lane, enum vg_apart apart)
{
    const struct vg_shadow *s = r->s;
    uint32_t warp = r->a->warp, by = warp_of(rec);
    struct vg_touch now = {r->a->kind, VG_LANES * warp + lane, s->clock};
    for (uint32_t left = rec->lanes; left != 0; left &= left - 1) {
        uint32_t by_lane = (uint32_t)__builtin_ctz(left);
        struct vg_touch then = {kind, VG_LANES * by + by_lane, rec->stamp};
        enum vg_hazard h = vg_hazard_rule(&then, &now, seen_of(s, warp, lane, by, by_lane), apart);
        if (h != VG_NO_HAZARD) {
            struct found *f = &r->found[h];
            uint64_t count = f->count + 1;
            *f = count == 1 ? (struct found){1, *rec, by_lane, lane} : *f;
            f->count = count;
            return true;
        }
    }
    return false;
}

/* Hold the touch against one record. */
static void check_lanes(struct run *r, enum vg_access_kind kind, const struct rec *rec,
                        uint32_t lanes, enum vg_apart apart)
{
    bool found = false;
    for (; lanes != 0 && !found; lanes &= lanes - 1) {
        found = check_lane(r, kind, rec, (uint32_t)__builtin_ctz(lanes), apart);
    }
}

/* The same, for most records by a comparison or two. */
static inline void check_rec(struct run *r, enum vg_access_kind kind, const struct rec *rec,
                             uint32_t lanes, enum vg_apart apart)
{
    const struct vg_shadow *s = r->s;
    bool own = warp_of(rec) == r->a->warp;
    if (rec->stamp > s->floor && !(own && rec->stamp <= s->warp_floor[r->a->warp])) {
        check_lanes(r, kind, rec, lanes, apart);
    }
}

static void check_set(struct run *r, enum vg_access_kind kind, const struct set *set,
                      uint32_t lanes)
{
    if (set->newest.stamp <= r->s->floor) {
        return;
    }
    check_rec(r, kind, &set->newest, lanes, VG_TWO_INSTRUCTIONS);
    check_rec(r, kind, &set->second, lanes, VG_TWO_INSTRUCTIONS);
    for (uint32_t i = set->more; i != 0; i = r->s->pool[i].next) {
        check_rec(r, kind, &r->s->pool[i].rec, lanes, VG_TWO_INSTRUCTIONS);
    }
}

static void check_touch(struct run *r, const struct touch *t)
{
    const struct cell *cell = &r->s->cells[t->cell];
    check_rec(r, VG_STORE, &cell->store, t->lanes, VG_TWO_INSTRUCTIONS);
    if (r->a->kind != VG_LOAD) {
        check_set(r, VG_LOAD, &cell->loads, t->lanes);
    }
    if (r->a->kind != VG_ATOMIC && r->s->atoms != NULL) {
        check_set(r, VG_ATOMIC, &r->s->atoms[t->cell], t->lanes);
    }
}

/* The first lane of this instruction at the cell replaces what was there; the others must store the
 * same value. `offset` is where the touch's bytes lie in a lane's value. */
static void remember_store(struct run *r, const struct touch *t, uint32_t offset)
{
    struct vg_shadow *s = r->s;
    struct cell *cell = &s->cells[t->cell];
    uint32_t lane = (uint32_t)__builtin_ctz(t->lanes);
    if (cell->store.stamp == 0) {
        cell->store = (struct rec){s->clock, t->lanes, r->site};
        return;
    }
    uint32_t first = (uint32_t)__builtin_ctz(cell->store.lanes), bytes = r->a->bytes;
    bool same = r->values != NULL && memcmp(r->values + first * bytes + offset,
                                            r->values + lane * bytes + offset, 1u << s->shift) == 0;
    check_rec(r, VG_STORE, &cell->store, t->lanes,
              same ? VG_ONE_AND_SAME_VALUE : VG_ONE_INSTRUCTION);
    cell->store.lanes |= t->lanes;
}

static void remember_stores(struct run *r, const struct touch *touches, uint32_t n, uint32_t offset)
{
    struct vg_shadow *s = r->s;
    for (uint32_t i = 0; i < n; i++) {
        struct cell *cell = &s->cells[touches[i].cell];
        *cell = (struct cell){0};
        if (s->atoms != NULL) {
            s->atoms[touches[i].cell] = (struct set){0};
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        remember_store(r, &touches[i], offset);
    }
}

static void remember(struct run *r, const struct touch *touches, uint32_t n, uint32_t offset)
{
    struct vg_shadow *s = r->s;
    if (r->a->kind == VG_STORE || r->a->kind == VG_ASYNC_COPY) {
        remember_stores(r, touches, n, offset);
        return;
    }
    if (r->a->kind == VG_ATOMIC && s->atoms == NULL) {
        s->atoms = lab_alloc(s->ncells + 1, sizeof(s->atoms[0]));
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t cell = touches[i].cell;
        struct set *set = r->a->kind == VG_ATOMIC ? &s->atoms[cell] : &s->cells[cell].loads;
        set_add(s, set, (struct rec){s->clock, touches[i].lanes, r->site});
    }
}

static uint32_t one_touch(const struct run *r, uint32_t part, struct touch *touch)
{
    uint64_t cell = (r->a->addr[__builtin_ctz(r->a->mask)] >> r->s->shift) + part;
    *touch = (struct touch){(uint32_t)cell, r->a->mask};
    return cell < r->s->ncells ? 1 : 0;
}

/* The touches of granule number `part` of every lane. Lanes at one cell are one touch where that is
 * seen cheaply (neighbours, or the two half warps alike), except for a store, whose values must be
 * compared. */
static uint32_t touches_of(const struct run *r, uint32_t part, struct touch *touches)
{
    const struct vg_shadow *s = r->s;
    const uint32_t twin = r->twins ? 1u << HALF | 1 : 1;
    uint32_t n = 0, last = UINT32_MAX;
    for (uint32_t left = r->twins ? 0xFFFF : r->a->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t cell = (r->a->addr[lane] >> s->shift) + part;
        if (cell >= s->ncells) {
            continue;
        }
        if (r->merge && cell == last) {
            touches[n - 1].lanes |= twin << lane;
        } else {
            last = (uint32_t)cell;
            touches[n++] = (struct touch){last, twin << lane};
        }
    }
    return n;
}

static void report(const struct run *r, const struct vg_check_ctx *ctx)
{
    static const enum vg_reason reasons[] = {
        [VG_HAZARD_RAW] = VG_READ_AFTER_WRITE,
        [VG_HAZARD_WAR] = VG_WRITE_AFTER_READ,
        [VG_HAZARD_WAW] = VG_WRITE_AFTER_WRITE,
    };
    for (int h = VG_HAZARD_RAW; h <= VG_HAZARD_WAW; h++) {
        const struct found *f = &r->found[h];
        if (f->count > 0) {
            struct vg_other other = {
                .func = func_of(&f->then) < FUNCS ? r->s->funcs[func_of(&f->then)] : NULL,
                .pc = pc_of(&f->then),
                .thread = vg_thread_of(ctx, warp_of(&f->then), f->then_lane),
                .count = f->count,
            };
            struct vg_wrong wrong = {r->a, f->lane, reasons[h]};
            vg_find_hazard(ctx, &wrong, &other);
        }
    }
}

void vg_shadow_race(const struct vg_shadow_call *call)
{
    struct vg_shadow *s = call->s;
    const struct vg_access *a = call->a;
    uint32_t bits = call->span.low_bits | a->bytes;
    uint32_t shift = (bits & 1) != 0 ? 0 : (bits & 2) != 0 ? 1 : 2;
    if (shift < s->shift) {
        vg_shadow_divide(s, shift);
    }
    struct run r = {.s = s, .a = a, .values = call->values};
    r.merge = a->kind == VG_LOAD || a->kind == VG_ATOMIC;
    r.uniform = r.merge && call->span.first == call->span.last && !call->span.far;
    r.twins = r.merge && a->mask == UINT32_MAX &&
              memcmp(a->addr, a->addr + HALF, HALF * sizeof(a->addr[0])) == 0;
    r.site = site_of(a->pc, func_number(s, a->func), a->warp % WARPS);
    for (uint32_t part = 0; part < a->bytes >> s->shift; part++) {
        struct touch touches[VG_LANES];
        uint32_t n = r.uniform ? one_touch(&r, part, touches) : touches_of(&r, part, touches);
        for (uint32_t i = 0; i < n; i++) {
            check_touch(&r, &touches[i]);
        }
        remember(&r, touches, n, part << s->shift);
    }
    report(&r, call->ctx);
}
