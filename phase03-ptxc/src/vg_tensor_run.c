/* Problem: a warp's matrix product, whatever the types and the layout.
 * Model: gather the fragments into plain matrices of f64, multiply, scatter. Every entry of every
 * type but b1's many bits is one f64; integers, too: their sums stay below 2^53.
 * Invariants: all 32 lanes' registers are read, also those of lanes that do not execute; only lanes
 * that execute are written.
 * Simplified: see vg_tensor.h.
 */
#include "vg_tensor.h"

#include <math.h>

#include "vg_cvt_core.h"
#include "vg_f16.h"
#include "vg_lanes.h"
#include "vg_wmma.h"

#define MOST 4096 /* entries of the largest matrix: 16 x 256 of b1 */

unsigned vg_mma_bits(enum vg_mma_kind kind)
{
    switch (kind) {
    case VG_MMA_F16:
    case VG_MMA_BF16: return 16;
    case VG_MMA_E4M3:
    case VG_MMA_E5M2:
    case VG_MMA_U8:
    case VG_MMA_S8: return 8;
    case VG_MMA_U4:
    case VG_MMA_S4: return 4;
    case VG_MMA_B1: return 1;
    case VG_MMA_F64: return 64;
    default: return 32;
    }
}

void vg_mma_pack(const struct vg_mma *x, uint32_t words[VG_MMA_HEADER])
{
    words[0] = x->m | x->n << 8 | x->k << 16;
    words[1] = (uint32_t)x->a | (uint32_t)x->b << 8 | (uint32_t)x->c << 16 | (uint32_t)x->d << 24;
    words[2] = x->na | x->nb << 8 | x->nc << 16 | x->nd << 24;
    words[3] = (x->satfinite ? 1u : 0) | (x->xor_popc ? 2u : 0) | (x->wmma ? 4u : 0);
}

struct vg_mma vg_mma_unpack(const uint32_t *words)
{
    const uint32_t s = words[0], t = words[1], n = words[2], f = words[3];
    return (struct vg_mma){.m = s & 0xFF,
                           .n = s >> 8 & 0xFF,
                           .k = s >> 16,
                           .a = (enum vg_mma_kind)(t & 0xFF),
                           .b = (enum vg_mma_kind)(t >> 8 & 0xFF),
                           .c = (enum vg_mma_kind)(t >> 16 & 0xFF),
                           .d = (enum vg_mma_kind)(t >> 24),
                           .na = n & 0xFF,
                           .nb = n >> 8 & 0xFF,
                           .nc = n >> 16 & 0xFF,
                           .nd = n >> 24,
                           .satfinite = (f & 1) != 0,
                           .xor_popc = (f & 2) != 0,
                           .wmma = (f & 4) != 0};
}

/* Entries in one register of a kind. */
static uint32_t entries(enum vg_mma_kind kind)
{
    unsigned bits = vg_mma_bits(kind);
    return bits >= 32 ? 1 : 32 / bits;
}

static enum vg_mma_kind kind_of(const struct vg_mma *x, char operand)
{
    return operand == 'a' ? x->a : operand == 'b' ? x->b : operand == 'c' ? x->c : x->d;
}
static uint32_t registers_of(const struct vg_mma *x, char operand)
{
    return operand == 'a' ? x->na : operand == 'b' ? x->nb : operand == 'c' ? x->nc : x->nd;
}

struct vg_cell vg_mma_cell(const struct vg_mma *x, char operand, uint32_t lane, uint32_t e)
{
    const uint32_t per = entries(kind_of(x, operand)), r = e / per, j = e % per;
    const uint32_t g = lane / 4, t = lane % 4;
    if (x->wmma) {
        const uint32_t rows = operand == 'b' ? x->k : x->m, cols = operand == 'a' ? x->k : x->n;
        uint32_t at = vg_wmma_entry(lane, e, registers_of(x, operand) * per, rows * cols);
        return (struct vg_cell){at / cols, at % cols};
    }
    if (operand == 'a') {
        const uint32_t halves = x->m / 8; /* 1 or 2 rows a lane */
        return (struct vg_cell){g + 8 * (r % halves), r / halves * 4 * per + t * per + j};
    }
    if (operand == 'b') {
        return (struct vg_cell){r * 4 * per + t * per + j, g};
    }
    return (struct vg_cell){g + 8 * (e / 2), 2 * t + e % 2};
}

/* --- entries as numbers --- */

static double of_format(const struct vg_format *f, uint64_t bits)
{
    return vg_f64(vg_num_round(&VG_FMT_F64, vg_num_of_float(f, bits), VG_RN));
}

static double number(enum vg_mma_kind kind, uint64_t bits)
{
    const uint32_t b = (uint32_t)bits;
    switch (kind) {
    case VG_MMA_F16: return vg_f32(vg_f32_of_f16(b));
    case VG_MMA_BF16: return vg_f32(vg_f32_of_bf16(b));
    case VG_MMA_TF32: return vg_f32(b & 0xFFFFE000u);
    case VG_MMA_E4M3: return of_format(&VG_FMT_E4M3, bits);
    case VG_MMA_E5M2: return of_format(&VG_FMT_E5M2, bits);
    case VG_MMA_F32: return vg_f32(b);
    case VG_MMA_F64: return vg_f64(bits);
    case VG_MMA_S8: return (int8_t)b;
    case VG_MMA_S4: return (int)((b ^ 8u) - 8u);
    case VG_MMA_S32: return (int32_t)b;
    default: return b;
    }
}

/* A sum as D's bits: rounded, or for integers wrapped or clamped. */
static uint64_t result(const struct vg_mma *x, double v)
{
    switch (x->d) {
    case VG_MMA_F32: return vg_f32_out((float)v, 0);
    case VG_MMA_F16: return vg_f16_of_f32(vg_f32_bits(vg_round_odd_f32(v, 0)));
    case VG_MMA_F64: return v != v ? VG_NAN_F64 : vg_f64_bits(v);
    default: break;
    }
    int64_t whole = (int64_t)v;
    if (x->satfinite) {
        whole = whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole;
    }
    return (uint32_t)whole;
}

/* --- gather, multiply, scatter --- */

static uint64_t register_of(const struct vg_warp *w, uint32_t slot, enum vg_mma_kind kind,
                            uint32_t lane)
{
    return kind == VG_MMA_F64 ? VG_U64(w, slot)[lane] : VG_U32(w, slot)[lane];
}

static void gather(const struct vg_warp *w, const struct vg_mma *x, char operand,
                   const uint32_t *slots, double *out)
{
    const enum vg_mma_kind kind = kind_of(x, operand);
    const uint32_t cols = operand == 'a' ? x->k : x->n, per = entries(kind);
    const uint32_t n = registers_of(x, operand) * per;
    const unsigned bits = vg_mma_bits(kind);
    const uint64_t ones = UINT64_MAX >> (64 - bits);
    for (uint32_t l = 0; l < VG_LANES; l++) {
        for (uint32_t e = 0; e < n; e++) {
            struct vg_cell at = vg_mma_cell(x, operand, l, e);
            uint64_t word = register_of(w, slots[e / per], kind, l);
            out[at.row * cols + at.col] = number(kind, word >> (e % per * bits) & ones);
        }
    }
}

/* sum += left · row, entry by entry. */
static void add_row(const struct vg_mma *x, double left, const double *row, double *sum)
{
    for (uint32_t j = 0; j < x->n; j++) {
        if (x->d == VG_MMA_F64) {
            sum[j] = fma(left, row[j], sum[j]);
        } else if (x->xor_popc) {
            sum[j] += left + row[j] - 2 * left * row[j];
        } else {
            sum[j] += left * row[j];
        }
    }
}

/* acc += a·b, row by row; `acc` holds C. */
static void multiply(const struct vg_mma *x, const double *a, const double *b, double *acc)
{
    for (uint32_t i = 0; i < x->m; i++) {
        for (uint32_t p = 0; p < x->k; p++) {
            add_row(x, a[i * x->k + p], b + (size_t)p * x->n, acc + (size_t)i * x->n);
        }
    }
}

/* Register r of lane l of D. */
static uint64_t result_register(const struct vg_mma *x, const double *acc, uint32_t l, uint32_t r)
{
    const uint32_t per = entries(x->d);
    uint64_t word = 0;
    for (uint32_t j = 0; j < per; j++) {
        struct vg_cell at = vg_mma_cell(x, 'd', l, r * per + j);
        word |= result(x, acc[at.row * x->n + at.col]) << (16 * j);
    }
    return word;
}

static void scatter(struct vg_warp *w, const struct vg_mma *x, const uint32_t *slots,
                    const double *acc)
{
    for (uint32_t r = 0; r < x->nd; r++) {
        uint32_t m = w->exec;
        VG_FOR_MASK(l, m)
        {
            uint64_t word = result_register(x, acc, l, r);
            if (x->d == VG_MMA_F64) {
                VG_U64(w, slots[r])[l] = word;
            } else {
                VG_U32(w, slots[r])[l] = (uint32_t)word;
            }
        }
    }
}

void vg_op_mma(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *words = vg_extra(w, i), *slots = words + VG_MMA_HEADER;
    const struct vg_mma x = vg_mma_unpack(words);
    double a[MOST], b[MOST], acc[VG_LANES * 16];
    gather(w, &x, 'a', slots + x.nd, a);
    gather(w, &x, 'b', slots + x.nd + x.na, b);
    gather(w, &x, 'c', slots + x.nd + x.na + x.nb, acc);
    multiply(&x, a, b, acc);
    scatter(w, &x, slots, acc);
}
