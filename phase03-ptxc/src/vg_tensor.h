/* The matrix products of a warp, mma and wmma.mma: D = A·B + C with fragments in registers.
 *
 * Where the entries lie. For mma (PTX ISA 9.0, 9.7.14.5) one rule covers every shape but the f16
 * m8n8k4: with E entries in a 32-bit register (two f16, four 8-bit, one of 32 or 64 bits), g = lane
 * / 4 and t = lane % 4,
 *
 *      A, register r, entry j    row g + 8·(r % 2)  (m = 8: g), column (r / 2)·4E + t·E + j
 *                                                               (m = 8: r·4E + t·E + j)
 *      B, register r, entry j    row r·4E + t·E + j,            column g
 *      C, D, element i           row g + 8·(i / 2),             column 2·t + i % 2
 *
 * For wmma the layout is ours (vg_wmma.h).
 *
 * Arithmetic: the products of A's and B's types are exact in f64 (f64 itself: fused), summed from
 * k = 0 on beginning with C, and rounded once to D's type. The ISA leaves order and precision of
 * the sum open. Simplified: hardware aligns the products of a group to the largest and cuts off;
 * its last bits differ.
 */
#ifndef VG_TENSOR_H
#define VG_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "vg_exec.h"

enum vg_mma_kind {
    VG_MMA_NONE,
    VG_MMA_F16,
    VG_MMA_BF16,
    VG_MMA_TF32,
    VG_MMA_E4M3,
    VG_MMA_E5M2,
    VG_MMA_F32,
    VG_MMA_F64,
    VG_MMA_U8,
    VG_MMA_S8,
    VG_MMA_U4,
    VG_MMA_S4,
    VG_MMA_B1,
    VG_MMA_S32,
};

/* Bits of one entry. */
unsigned vg_mma_bits(enum vg_mma_kind kind);

struct vg_mma {
    uint32_t m, n, k;
    enum vg_mma_kind a, b, c, d;
    bool satfinite; /* integers clamp to s32 */
    bool xor_popc;  /* b1: A ^ B instead of A & B */
    bool wmma;
    uint32_t na, nb, nc, nd; /* registers a lane */
};

/* The words of an instruction's side table: vg_mma_pack writes VG_MMA_HEADER of them, the slots of
 * d, a, b and c follow. */
enum { VG_MMA_HEADER = 4, VG_MMA_SLOTS = 32 };
void vg_mma_pack(const struct vg_mma *x, uint32_t words[VG_MMA_HEADER]);
struct vg_mma vg_mma_unpack(const uint32_t *words);

/* Row and column of a lane's entry number `e` in the matrix that `operand` ('a', 'b', 'c' or 'd')
 * names: entries are counted from the low end of the lane's first register on. */
struct vg_cell {
    uint32_t row, col;
};
struct vg_cell vg_mma_cell(const struct vg_mma *x, char operand, uint32_t lane, uint32_t e);

/* The handler. */
void vg_op_mma(struct vg_warp *w, const struct vg_insn *i);

#endif
