/* Addresses on a line: what the handlers of plain accesses share. Private to the memory family;
 * told in vg_ldst_fast.c. */
#ifndef VG_LINE_H
#define VG_LINE_H

#include <string.h>

#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_mem.h"

#define HALF   16 /* lanes */
#define INLINE static inline __attribute__((always_inline))

/* The lowest and the highest address, from the four ends. */
INLINE void find_span(struct vg_line *n)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (int h = 0; h < 2; h++) {
        uint64_t a = n->first[h], b = a + (uint64_t)(n->step[h] * (HALF - 1));
        low = a < low ? a : low;
        low = b < low ? b : low;
        high = a > high ? a : high;
        high = b > high ? b : high;
    }
    n->low = low;
    n->span = high - low;
    n->bits = n->first[0] | n->first[1] | (uint64_t)n->step[0] | (uint64_t)n->step[1];
}

INLINE void line_of_64(const uint64_t *a, struct vg_line *n)
{
    const uint64_t a0 = a[0], b0 = a[HALF];
    const int32_t s0 = (int32_t)(uint32_t)(a[1] - a0), s1 = (int32_t)(uint32_t)(a[HALF + 1] - b0);
    uint64_t off = 0;
    VG_SIMD for (int k = 0; k < HALF; k++)
    {
        off |= (a[k] - a0) ^ (uint64_t)((int64_t)k * s0);
        off |= (a[HALF + k] - b0) ^ (uint64_t)((int64_t)k * s1);
    }
    n->first[0] = a0;
    n->first[1] = b0;
    n->step[0] = s0;
    n->step[1] = s1;
    n->is_line = off == 0;
    find_span(n);
}

/* Steps of 32-bit addresses may wrap around; then the span is too long to be in shared memory. */
INLINE void line_of_32(const uint32_t *a, struct vg_line *n)
{
    const uint32_t a0 = a[0], b0 = a[HALF];
    const uint32_t s0 = a[1] - a0, s1 = a[HALF + 1] - b0;
    uint32_t off = 0;
    VG_SIMD for (uint32_t k = 0; k < HALF; k++)
    {
        off |= (a[k] - a0) ^ (k * s0);
        off |= (a[HALF + k] - b0) ^ (k * s1);
    }
    n->first[0] = a0;
    n->first[1] = b0;
    n->step[0] = (int32_t)s0;
    n->step[1] = (int32_t)s1;
    n->is_line = off == 0;
    find_span(n);
}

/* What to add to an address of the line to get at its bytes, `bytes` a lane; 0: not allowed, or
 * crooked. */
INLINE uint64_t reach_global(struct vg_warp *w, const struct vg_insn *i, const struct vg_line *n,
                             uint64_t bytes)
{
    const uint64_t imm = (uint64_t)i->imm;
    if (!n->is_line || ((n->bits | imm) & (bytes - 1)) != 0 ||
        vg_mem_at(&w->block->mem, n->low + imm, n->span + bytes) == NULL) {
        return 0;
    }
    return w->block->mem.delta + imm;
}

INLINE uint64_t reach_shared(struct vg_warp *w, const struct vg_insn *i, const struct vg_line *n,
                             uint64_t bytes)
{
    const struct vg_block *b = w->block;
    const uint64_t imm = (uint64_t)i->imm, span = n->span + bytes;
    if (!n->is_line || ((n->bits | imm) & (bytes - 1)) != 0 || span > b->shared_limit ||
        n->low + imm > b->shared_limit - span) {
        return 0;
    }
    return (uint64_t)(uintptr_t)b->shared + imm;
}

/* A generic line lies in shared memory, or it is global; local memory is left to others. */
INLINE uint64_t reach_generic(struct vg_warp *w, const struct vg_insn *i, const struct vg_line *n,
                              uint64_t bytes)
{
    const struct vg_block *b = w->block;
    const uint64_t imm = (uint64_t)i->imm, span = n->span + bytes, low = n->low + imm;
    const uint64_t window = low & ~(VG_WINDOW_BYTES - 1);
    if (window == VG_LOCAL_WINDOW || window == VG_PARAM_WINDOW) {
        return 0;
    }
    if (window != VG_SHARED_WINDOW) {
        return reach_global(w, i, n, bytes);
    }
    if (!n->is_line || ((n->bits | imm) & (bytes - 1)) != 0 || span > b->shared_limit ||
        low - window > b->shared_limit - span) {
        return 0;
    }
    return (uint64_t)(uintptr_t)b->shared + imm - window;
}

/* The other lanes of the half from its first one's place. */
#define AT(T, p, step, k) ((T *)(void *)((p) + (int64_t)(k) * (step)))

INLINE const struct vg_line *find_line(struct vg_warp *w, const struct vg_insn *i, bool again,
                                       bool wide)
{
    struct vg_line *n = &w->m->lines[i->target];
    if (!again && w->exec != VG_FULL) {
        n->is_line = false;
    } else if (!again && wide) {
        line_of_64(VG_U64(w, i->a), n);
    } else if (!again) {
        line_of_32(VG_U32(w, i->a), n);
    }
    return n;
}

/* Sets n, the line, and `to`, from its addresses to bytes; 0 where the general handler must do it.
 * BYTES: of a lane's whole access. */
#define PLACES(REACH, BYTES, AGAIN, WIDE)                                                          \
    const struct vg_line *n = find_line(w, i, AGAIN, WIDE);                                        \
    const uint64_t to = REACH(w, i, n, BYTES);                                                     \
    uint8_t *q0 = (uint8_t *)(uintptr_t)(n->first[0] + to);                                        \
    uint8_t *q1 = (uint8_t *)(uintptr_t)(n->first[1] + to)

#endif
