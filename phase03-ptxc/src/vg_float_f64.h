/* What PTX's f64 instructions compute, one lane at a time.
 *
 * To nearest they are the host's, and vectorise. Directed rounding is rare in f64, so there the
 * host's rounding mode is changed around a plain loop over the lanes (vg_f64_directed) and put
 * back. f64 keeps NaN payloads and is never flushed (PTX ISA 9.0, 9.7.3): a NaN result is the first
 * NaN operand made quiet, or FFF8000000000000 when no operand is one.
 */
#ifndef VG_FLOAT_F64_H
#define VG_FLOAT_F64_H

#include <stdint.h>

#include "vg_float_f32.h"

#define VG_NAN_F64   0xFFF8000000000000ull
#define VG_QUIET_F64 0x0008000000000000ull

VG_FN uint64_t vg_is_nan_f64(uint64_t x)
{
    return (x & INT64_MAX) > 0x7FF0000000000000ull;
}
/* The result's bits, or which NaN. Instructions with fewer operands repeat one. */
VG_FN uint64_t vg_f64_out(double r, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t nan = VG_NAN_F64;
    nan = vg_is_nan_f64(c) != 0 ? c | VG_QUIET_F64 : nan;
    nan = vg_is_nan_f64(b) != 0 ? b | VG_QUIET_F64 : nan;
    nan = vg_is_nan_f64(a) != 0 ? a | VG_QUIET_F64 : nan;
    return r != r ? nan : vg_f64_bits(r);
}

VG_FN uint64_t vg_add_f64(uint64_t a, uint64_t b)
{
    return vg_f64_out(vg_f64(a) + vg_f64(b), a, b, b);
}
VG_FN uint64_t vg_sub_f64(uint64_t a, uint64_t b)
{
    return vg_f64_out(vg_f64(a) - vg_f64(b), a, b, b);
}
VG_FN uint64_t vg_mul_f64(uint64_t a, uint64_t b)
{
    return vg_f64_out(vg_f64(a) * vg_f64(b), a, b, b);
}
VG_FN uint64_t vg_fma_f64(uint64_t a, uint64_t b, uint64_t c)
{
    return vg_f64_out(__builtin_fma(vg_f64(a), vg_f64(b), vg_f64(c)), a, b, c);
}
VG_FN uint64_t vg_div_f64(uint64_t a, uint64_t b)
{
    return vg_f64_out(vg_f64(a) / vg_f64(b), a, b, b);
}
VG_FN uint64_t vg_rcp_f64(uint64_t a)
{
    return vg_f64_out(1.0 / vg_f64(a), a, a, a);
}
VG_FN uint64_t vg_sqrt_f64(uint64_t a)
{
    return vg_f64_out(__builtin_sqrt(vg_f64(a)), a, a, a);
}
VG_FN uint64_t vg_abs_f64(uint64_t a)
{
    return a & INT64_MAX;
}
VG_FN uint64_t vg_neg_f64(uint64_t a)
{
    return a ^ (1ull << 63);
}
VG_FN uint64_t vg_copysign_f64(uint64_t a, uint64_t b)
{
    return (a & (1ull << 63)) | (b & INT64_MAX);
}
VG_FN int64_t vg_order_f64(uint64_t x)
{
    return (int64_t)((x >> 63) != 0 ? x ^ (uint64_t)INT64_MAX : x);
}
/* A NaN loses to a number; two give the first, quiet. */
VG_FN uint64_t vg_minmax_f64(uint64_t a, uint64_t b, unsigned max)
{
    uint64_t less = vg_order_f64(a) < vg_order_f64(b);
    uint64_t r = max != 0 ? (less != 0 ? b : a) : (less != 0 ? a : b);
    r = vg_is_nan_f64(b) != 0 ? a : r;
    uint64_t both = vg_is_nan_f64(b) & vg_is_nan_f64(a);
    r = vg_is_nan_f64(a) != 0 && both == 0 ? b : r;
    return both != 0 ? a | VG_QUIET_F64 : r;
}
VG_FN uint32_t vg_compare_double(double a, double b, enum vg_compare how)
{
    switch (how) {
    case VG_CMP_EQ: return a == b;
    case VG_CMP_NE: return (a < b) | (a > b);
    case VG_CMP_LT: return a < b;
    case VG_CMP_LE: return a <= b;
    default: return (a == a) & (b == b);
    }
}

enum vg_f64_op {
    VG_F64_ADD,
    VG_F64_SUB,
    VG_F64_MUL,
    VG_F64_FMA,
    VG_F64_DIV,
    VG_F64_RCP,
    VG_F64_SQRT,
};

/* d[0..n) = op of a, b, c (all n long; those that op does not take are ignored), rounded in
 * direction r: VG_RZ, VG_RM or VG_RP. Changes and restores the calling thread's rounding mode. */
void vg_f64_directed(enum vg_f64_op op, enum vg_round r, const uint64_t *const src[3], uint64_t *d,
                     unsigned n);

#endif
