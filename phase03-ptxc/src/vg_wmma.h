/* Which entry of a wmma fragment lies where. PTX leaves the layout of wmma fragments open ("The
 * layout of the fragment … is unspecified"); all of wmma.load, wmma.store and wmma.mma need is to
 * agree. The rule here, for every shape, type and operand:
 *
 *   a fragment has `rows` x `cols` entries (a: m x k, b: k x n, c and d: m x n) and E elements a
 *   lane; element e of lane l is entry (l · E + e) modulo rows · cols, counted row by row. Where a
 *   warp has twice as many elements as there are entries, every entry is held twice.
 *
 * Elements are packed into registers from the low end: two f16 or bf16, four 8-bit, one of 32 bits.
 */
#ifndef VG_WMMA_H
#define VG_WMMA_H

#include "ptx.h"

struct vg_wmma_shape {
    uint32_t m, n, k;
};

/* m16n16k16 … as numbers; false when the instruction has no such word. */
bool vg_wmma_shape(const struct ptx_insn *in, struct vg_wmma_shape *s);

static inline uint32_t vg_wmma_entry(uint32_t lane, uint32_t e, uint32_t per_lane, uint32_t entries)
{
    return (lane * per_lane + e) % entries;
}

#endif
