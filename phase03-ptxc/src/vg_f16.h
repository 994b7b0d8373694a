/* What PTX's f16 and bf16 instructions compute, one lane at a time, as functions of bits.
 *
 * Both formats are computed in wider ones and rounded once. The sum of two f16 rounded to f32 and
 * then to f16 is right, since 24 ≥ 2·11 + 2 bits (Figueroa 1995, "When is double rounding
 * innocuous?"), and their product is exact in f32. For f16 fma that exact product plus c is rounded
 * to odd f32 (vg_float_f32.h), which makes the second rounding as good as the only one. bf16 has
 * the exponents of f32, so its products may need f64 and are rounded to odd from there.
 *
 * A half is the low 16 bits of a uint32_t here, so that the lanes of .f16x2 and .f16 share code and
 * vectorise. Every NaN result is 7FFF (PTX ISA 9.0, 9.7.4). Pure: any thread.
 */
#ifndef VG_F16_H
#define VG_F16_H

#include <stdint.h>

#include "vg_float_f32.h"

enum vg_half_mod {
    VG_M_RELU = 16, /* below zero becomes +0 */
    VG_M_BF16 = 32, /* bf16 instead of f16 */
};

#define VG_NAN_F16 0x7FFFu

/* f16 → f32, exact; NaN → 7FFFFFFF. */
VG_FN uint32_t vg_f32_of_f16(uint32_t h)
{
    uint32_t x = h & 0x7FFFu;
    uint32_t normal = (x << 13) + (112u << 23);
    uint32_t subnormal = vg_f32_bits((float)(int32_t)x * 0x1p-24f);
    uint32_t r = x < 0x400u ? subnormal : normal;
    r = x >= 0x7C00u ? 0x7F800000u : r;
    r |= (h & 0x8000u) << 16;
    return x > 0x7C00u ? VG_NAN_F32 : r;
}

/* f32 → f16, to nearest even. Normal results: shift the exponent's bias and add almost half a unit,
 * a whole half where the kept part is odd. Subnormal ones: adding 0.5 leaves their bits at the
 * bottom of the sum's fraction, rounded by the host. */
VG_FN uint32_t vg_f16_of_f32(uint32_t f)
{
    uint32_t x = f & 0x7FFFFFFFu;
    uint32_t normal = (x + 0xC8000FFFu + (x >> 13 & 1u)) >> 13;
    uint32_t subnormal = vg_f32_bits(vg_f32(x) + 0.5f) - 0x3F000000u;
    uint32_t r = x < 0x38800000u ? subnormal : normal;
    r = x >= 0x47800000u ? 0x7C00u : r;
    r |= f >> 16 & 0x8000u;
    return x > 0x7F800000u ? VG_NAN_F16 : r;
}

/* bf16 is the upper half of an f32. */
VG_FN uint32_t vg_f32_of_bf16(uint32_t h)
{
    return (h & 0x7FFFu) > 0x7F80u ? VG_NAN_F32 : h << 16;
}
VG_FN uint32_t vg_bf16_of_f32(uint32_t f)
{
    uint32_t r = (f + 0x7FFFu + (f >> 16 & 1u)) >> 16;
    return vg_is_nan_f32(f) != 0 ? VG_NAN_F16 : r;
}

/* s + e rounded to odd f32: the way station between an exact result and a half. */
VG_FN float vg_round_odd_f32(double s, double e)
{
    float f = (float)s;
    uint32_t bits = vg_f32_bits(f);
    double off = (s - (double)f) + e;
    uint32_t away = (off > 0) == (s > 0);
    uint32_t odd = away != 0 ? bits + 1 : bits - 1;
    return vg_f32((off > 0 || off < 0) && (bits & 1) == 0 ? odd : bits);
}

VG_FN uint32_t vg_flush_f16(uint32_t h)
{
    return (h & 0x7C00u) == 0 ? h & 0x8000u : h;
}
VG_FN float vg_half_in(uint32_t h, unsigned m)
{
    if ((m & VG_M_BF16) != 0) {
        return vg_f32(vg_f32_of_bf16(h & 0xFFFFu));
    }
    return vg_f32(vg_f32_of_f16((m & VG_M_FTZ) != 0 ? vg_flush_f16(h) : h));
}
VG_FN uint32_t vg_half_out(float r, unsigned m)
{
    uint32_t bits = vg_f32_bits(r);
    if ((m & VG_M_SAT) != 0) {
        bits = r > 0.0f ? bits : 0;
        bits = r >= 1.0f ? 0x3F800000u : bits;
    }
    if ((m & VG_M_RELU) != 0) {
        bits = r <= 0.0f ? 0 : bits;
    }
    if ((m & VG_M_BF16) != 0) {
        return vg_bf16_of_f32(bits);
    }
    uint32_t h = vg_f16_of_f32(bits);
    return (m & VG_M_FTZ) != 0 ? vg_flush_f16(h) : h;
}

/* --- the instructions --- */

VG_FN uint32_t vg_add_half(uint32_t a, uint32_t b, unsigned m)
{
    float x = vg_half_in(a, m), y = vg_half_in(b, m);
    if ((m & VG_M_BF16) == 0) {
        return vg_half_out(x + y, m);
    }
    double e, s = vg_two_sum(x, y, &e);
    return vg_half_out(vg_round_odd_f32(s, e), m);
}
VG_FN uint32_t vg_sub_half(uint32_t a, uint32_t b, unsigned m)
{
    return vg_add_half(a, b ^ 0x8000u, m);
}
VG_FN uint32_t vg_mul_half(uint32_t a, uint32_t b, unsigned m)
{
    float x = vg_half_in(a, m), y = vg_half_in(b, m);
    if ((m & VG_M_BF16) == 0) {
        return vg_half_out(x * y, m);
    }
    return vg_half_out(vg_round_odd_f32((double)x * y, 0.0), m);
}
/* x + y rounded to odd, for x and y whose sum neither overflows nor is subnormal. */
VG_FN float vg_sum_odd_f32(float x, float y)
{
    float s = x + y, yy = s - x;
    float e = (x - (s - yy)) + (y - yy); /* two-sum, as vg_two_sum */
    uint32_t bits = vg_f32_bits(s);
    uint32_t away = (e > 0) == (s > 0);
    uint32_t odd = away != 0 ? bits + 1 : bits - 1;
    return vg_f32((e > 0 || e < 0) && (bits & 1) == 0 ? odd : bits);
}
VG_FN uint32_t vg_fma_half(uint32_t a, uint32_t b, uint32_t c, unsigned m)
{
    float x = vg_half_in(a, m), y = vg_half_in(b, m), z = vg_half_in(c, m);
    if ((m & VG_M_BF16) == 0) {
        return vg_half_out(vg_sum_odd_f32(x * y, z), m);
    }
    double e, s = vg_two_sum((double)x * y, z, &e);
    return vg_half_out(vg_round_odd_f32(s, e), m);
}
/* abs and neg keep every number's bits; a NaN becomes the one NaN, as ptxas folds them. */
VG_FN uint32_t vg_clean_half(uint32_t h, unsigned m)
{
    uint32_t inf = (m & VG_M_BF16) != 0 ? 0x7F80u : 0x7C00u;
    h = (m & VG_M_FTZ) != 0 ? vg_flush_f16(h) : h & 0xFFFFu;
    return (h & 0x7FFFu) > inf ? VG_NAN_F16 : h;
}
VG_FN uint32_t vg_abs_half(uint32_t a, unsigned m)
{
    return vg_clean_half(a, m) & 0x7FFFu;
}
VG_FN uint32_t vg_neg_half(uint32_t a, unsigned m)
{
    return vg_clean_half(vg_clean_half(a, m) ^ 0x8000u, m);
}
/* min and max with the modifiers of vg_minmax_f32, in `mm`; exact, so the rounding does nothing. */
VG_FN uint32_t vg_minmax_half(uint32_t a, uint32_t b, unsigned m, unsigned mm)
{
    uint32_t x = vg_f32_bits(vg_half_in(a, m)), y = vg_f32_bits(vg_half_in(b, m));
    return vg_half_out(vg_f32(vg_minmax_f32(x, y, mm)), m);
}

#endif
