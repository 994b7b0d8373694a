/* Exercise e01: one PTX instruction.
 *
 *   bfe.s32 d, a, pos, len     d = bits pos … pos + len - 1 of a, moved down to bit 0
 *
 * Write vg_bfe as vg_arith_bfe.h asks for it. Then `vgpu` runs every bfe of every kernel with it.
 *
 *      a = 8EADBEEF, pos 28, len 8      bit 31        bit 0
 *                                         1000 1110 …   the field reaches past the top: it is the
 *                                         ^^^^          four bits 1000, its sign bit is bit 31
 *      bfe.u32 gives 00000008, bfe.s32 gives FFFFFFF8
 *
 * Edges that the ISA fixes: pos and len are register values of which only the low eight bits count,
 * so both can be larger than the register. A field of no bits is 0. A field that starts past the
 * top is all sign: 0, or all ones when it is signed and bit width - 1 is set.
 *
 * HINT 1: Find the field's highest bit first: pos + len - 1, but never above width - 1. Everything
 * signed depends on that bit alone.
 * HINT 2: Shifting a 64-bit number by 64 is undefined in C. Treat pos ≥ width before you shift, and
 * build the mask of n ones as UINT64_MAX >> (64 - n) with 1 ≤ n ≤ 64.
 * HINT 3: The result is the field, with ones above it when the sign bit is set, cut to the low
 * `width` bits at the end.
 */
#include "lab/err.h"
#include "vg_arith_bfe.h"

uint64_t vg_bfe(uint64_t a, uint32_t pos, uint32_t len, unsigned width, bool is_signed)
{
    (void)a;
    (void)pos;
    (void)len;
    (void)width;
    (void)is_signed;
    LAB_TODO("e01_bfe");
}
