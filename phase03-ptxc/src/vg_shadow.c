/* The shadow's clock: what barriers and __syncwarp order.
 *
 * Problem: racecheck must know, for any two accesses of a byte, whether something ordered them; a
 * full vector clock of 1,024 threads each knowing 1,024 others is too big and too slow.
 * Model: one clock a block ticks at every synchronisation, and an access is stamped with its time.
 * Barriers work on whole warps and __syncwarp on lanes of one warp, so what a thread has seen needs
 * only two small tables: warps by warps, and, where the lanes of a warp synchronised apart, lanes
 * by lanes. A barrier of the whole block needs neither: it raises a floor under everything.
 * Invariants: stamps never decrease; an access stamped t by a thread is ordered before the present
 * of another exactly when t ≤ seen_of(…). Blocks follow one another on one clock, so a reset only
 * raises the floor and the cells need not be cleared.
 * Simplified: fences with flags in shared memory, mbarriers and the order that atomics could give
 * are not modelled, as they are not in compute-sanitizer's racecheck; programs that rely on them
 * are reported. An asynchronous copy counts as made where it is issued.
 */
#include "vg_shadow_impl.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/clones.h"
#include "lab/err.h"

#define CLOCK_MAX (UINT32_MAX - 2)

struct vg_shadow *vg_shadow_new(uint32_t shared_bytes, uint32_t threads, unsigned checks)
{
    LAB_ASSERT(threads >= 1 && threads <= WARPS * VG_LANES);
    struct vg_shadow *s = lab_alloc(1, sizeof(*s));
    s->race = (checks & VGPU_CHECK_RACE) != 0;
    s->init = (checks & VGPU_CHECK_INIT) != 0;
    s->bytes = shared_bytes;
    s->threads = threads;
    s->warps = (threads + VG_LANES - 1) / VG_LANES;
    s->clock = 1;
    s->shift = 2;
    s->ncells = (shared_bytes + 3) / 4;
    if (s->race) {
        s->cells = lab_alloc(s->ncells + 1, sizeof(s->cells[0]));
    }
    if (s->init) {
        s->written = lab_alloc(shared_bytes / 64 + 1, sizeof(s->written[0]));
    }
    return s;
}

void vg_shadow_free(struct vg_shadow *s)
{
    if (s == NULL) {
        return;
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        free(s->lane_seen[w]);
    }
    free(s->cells);
    free(s->atoms);
    free(s->pool);
    free(s->written);
    free(s);
}

/* Start the clock again with nothing remembered: a block may synchronise 2^32 times. What went on
 * before is forgotten, so a hazard with it would be missed. */
static void forget(struct vg_shadow *s)
{
    if (s->cells != NULL) {
        memset(s->cells, 0, (s->ncells + 1) * sizeof(s->cells[0]));
    }
    if (s->atoms != NULL) {
        memset(s->atoms, 0, (s->ncells + 1) * sizeof(s->atoms[0]));
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        free(s->lane_seen[w]);
        s->lane_seen[w] = NULL;
    }
    memset(s->warp_seen, 0, sizeof(s->warp_seen));
    memset(s->warp_floor, 0, sizeof(s->warp_floor));
    memset(s->pending, 0, sizeof(s->pending));
    s->npool = 0;
    s->clock = 1;
    s->floor = 0;
}

static void tick(struct vg_shadow *s)
{
    s->clock++;
    if (s->clock >= CLOCK_MAX) {
        forget(s);
    }
}

/* Everything so far is ordered before everything to come. */
static void raise_floor(struct vg_shadow *s)
{
    s->floor = s->clock;
    s->npool = 0;
    tick(s);
}

void vg_shadow_reset(struct vg_shadow *s)
{
    memset(s->pending, 0, sizeof(s->pending));
    if (s->init) {
        memset(s->written, 0, (s->bytes / 64 + 1) * sizeof(s->written[0]));
    }
    raise_floor(s);
}

void vg_shadow_partial(struct vg_shadow *s)
{
    s->exact = true;
}

/* bar.sync a, b; bar.arrive a, b; bar.red d, a, b, p; and the same as barrier.… */
static bool is_partial(const struct ptx_insn *in)
{
    if (in->op != PTX_W_bar && in->op != PTX_W_barrier) {
        return false;
    }
    uint32_t whole = ptx_has(in, PTX_W_red) ? 3 : 1;
    return !ptx_has(in, PTX_W_warp) && (ptx_has(in, PTX_W_arrive) || in->nops > whole);
}

void vg_shadow_scan(struct vg_shadow *s, const struct ptx_module *m)
{
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        for (uint32_t pc = 0; pc < f->ninsns; pc++) {
            if (is_partial(&f->insns[pc])) {
                vg_shadow_partial(s);
                return;
            }
        }
    }
}

static uint64_t all_warps(const struct vg_shadow *s)
{
    return (1ull << s->warps) - 1;
}

static void join(uint32_t *into, const uint32_t *from)
{
    for (uint32_t v = 0; v < WARPS; v++) {
        into[v] = from[v] > into[v] ? from[v] : into[v];
    }
}

/* `warps` waited; `joined` is what those that only arrived had seen and done. */
static void meet(struct vg_shadow *s, uint64_t warps, uint32_t joined[WARPS])
{
    for (uint64_t left = warps; left != 0; left &= left - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(left);
        join(joined, s->warp_seen[w]);
        joined[w] = s->clock;
        s->warp_floor[w] = s->clock;
    }
    for (uint64_t left = warps; left != 0; left &= left - 1) {
        memcpy(s->warp_seen[__builtin_ctzll(left)], joined, sizeof(s->warp_seen[0]));
    }
    tick(s);
}

void vg_shadow_barrier(struct vg_shadow *s, uint64_t warps)
{
    uint32_t joined[WARPS] = {0};
    warps &= all_warps(s);
    if (warps == 0 || warps == all_warps(s)) {
        raise_floor(s);
    } else {
        s->exact = true;
        meet(s, warps, joined);
    }
}

void vg_shadow_arrive(struct vg_shadow *s, unsigned id, uint32_t warp)
{
    LAB_ASSERT(id < VG_BARRIERS && warp < WARPS);
    struct pending *p = &s->pending[id];
    s->exact = true;
    join(p->seen, s->warp_seen[warp]);
    p->seen[warp] = s->clock;
    p->any = true;
    tick(s);
}

void vg_shadow_barrier_id(struct vg_shadow *s, unsigned id, uint64_t warps)
{
    LAB_ASSERT(id < VG_BARRIERS);
    struct pending *p = &s->pending[id];
    if (!p->any) {
        vg_shadow_barrier(s, warps);
        return;
    }
    meet(s, warps == 0 ? all_warps(s) : warps & all_warps(s), p->seen);
    *p = (struct pending){0};
}

static uint32_t lanes_of_warp(const struct vg_shadow *s, uint32_t warp)
{
    uint32_t n = s->threads - VG_LANES * warp;
    return n >= VG_LANES ? UINT32_MAX : (1u << n) - 1;
}

void vg_shadow_warp_sync(struct vg_shadow *s, uint32_t warp, uint32_t lanes)
{
    LAB_ASSERT(warp < s->warps);
    lanes &= lanes_of_warp(s, warp);
    if (lanes == lanes_of_warp(s, warp)) {
        s->warp_floor[warp] = s->clock;
        tick(s);
        return;
    }
    if (s->lane_seen[warp] == NULL) {
        s->lane_seen[warp] = lab_alloc(VG_LANES, sizeof(s->lane_seen[warp][0]));
    }
    uint32_t joined[VG_LANES] = {0};
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        join(joined, s->lane_seen[warp][lane]);
        joined[lane] = s->clock;
    }
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        memcpy(s->lane_seen[warp][__builtin_ctz(left)], joined, sizeof(joined));
    }
    tick(s);
}

LAB_CLONES struct span vg_shadow_span(const struct vg_access *a)
{
    uint32_t first = UINT32_MAX, last = 0, low_bits = 0, high_bits = 0;
    for (int i = 0; i < VG_LANES; i++) {
        uint32_t on = 0 - (a->mask >> i & 1);
        uint32_t low = (uint32_t)a->addr[i];
        first = (low | ~on) < first ? low | ~on : first;
        last = (low & on) > last ? low & on : last;
        low_bits |= low & on;
        high_bits |= (uint32_t)(a->addr[i] >> 32) & on;
    }
    return (struct span){first, last, low_bits, high_bits != 0};
}

void vg_shadow_access(struct vg_shadow *s, const struct vg_check_ctx *ctx,
                      const struct vg_access *a, const void *values)
{
    if (a->space != PTX_SPACE_SHARED || a->mask == 0 || a->bytes == 0) {
        return;
    }
    struct vg_shadow_call call = {s, ctx, a, values, vg_shadow_span(a)};
    if (s->init) {
        vg_shadow_init(&call);
    }
    if (s->race) {
        vg_shadow_race(&call);
    }
}
