/* PTX's approximate functions, one lane at a time: ex2, lg2, sin, cos, tanh, rsqrt, rcp,
 * div.approx.
 *
 * A GPU answers these from tables in its special-function unit, and the ISA only bounds the error.
 * Here each is computed in f64 to some 1e-15 and rounded once to f32, so it is inside every bound,
 * agrees with the values ptxas folds, and is the same on every machine: plain additions and
 * multiplications, no library function. Polynomials are the Taylor series at 0 on a reduced range;
 * the first term left out is below 1e-16 of the result.
 *
 * Special values: PTX ISA 9.0, the tables of 9.7.3. Pure: any thread.
 */
#ifndef VG_APPROX_H
#define VG_APPROX_H

#include <stdint.h>

#include "vg_f16.h"
#include "vg_float_f64.h"

/* Adding this to |x| < 2^51 leaves x rounded to an integer in the low bits of the sum. */
#define VG_ROUNDER 0x1.8p52

/* 2^y for -1020 ≤ y ≤ 1020. */
VG_FN double vg_exp2_core(double y)
{
    double t = y + VG_ROUNDER;
    double f = y - (t - VG_ROUNDER);
    double p = 0x1.c3bd650fc2986p-36;
    p = p * f + 0x1.e8cac7351bb25p-32;
    p = p * f + 0x1.e4cf5158b8ecap-28;
    p = p * f + 0x1.b5253d395e7c4p-24;
    p = p * f + 0x1.62c0223a5c824p-20;
    p = p * f + 0x1.ffcbfc588b0c7p-17;
    p = p * f + 0x1.430912f86c787p-13;
    p = p * f + 0x1.5d87fe78a6731p-10;
    p = p * f + 0x1.3b2ab6fba4e77p-7;
    p = p * f + 0x1.c6b08d704a0c0p-5;
    p = p * f + 0x1.ebfbdff82c58fp-3;
    p = p * f + 0x1.62e42fefa39efp-1;
    p = p * f + 1.0;
    return p * vg_f64((vg_f64_bits(t) + 1023) << 52);
}

/* 2^a; a below -150 gives 0, above 128 infinity. */
VG_FN uint32_t vg_ex2_f32(uint32_t a, unsigned m)
{
    double x = vg_f32_in(a, m);
    x = x < -200.0 ? -200.0 : x;
    x = x > 200.0 ? 200.0 : x;
    return vg_f32_out((float)vg_exp2_core(x), m);
}

/* log2 by log2(m) = 2/ln 2 · artanh((m - 1)/(m + 1)), m between sqrt(1/2) and sqrt(2). */
VG_FN uint32_t vg_lg2_f32(uint32_t a, unsigned m)
{
    float x = vg_f32_in(a, m);
    uint64_t bits = vg_f64_bits(x);
    uint64_t biased = (bits + (0x3FF0000000000000ull - 0x3FE6A09E667F3BCDull)) >> 52;
    double mantissa = vg_f64(bits - ((biased - 1023) << 52));
    double exponent = vg_f64(biased | 0x4330000000000000ull) - (0x1p52 + 1023.0);
    double s = (mantissa - 1.0) / (mantissa + 1.0), z = s * s;
    double p = 1.0 / 21;
    p = p * z + 1.0 / 19;
    p = p * z + 1.0 / 17;
    p = p * z + 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    p = p * z + 1.0;
    double r = exponent + 0x1.71547652b82fep+1 * s * p;
    r = x == 0.0f ? (double)-INFINITY : r;
    r = x == INFINITY ? (double)INFINITY : r;
    r = x >= 0.0f ? r : (double)NAN;
    return vg_f32_out((float)r, m);
}

/* --- sin, cos: k quarter turns off in three steps of π/2 (Cody and Waite), exact up to this |a|
 * --- */

#define VG_TRIG_LIMIT 0x48000000u /* 2^17 as bits; above, the C library's sin of an f64 */

VG_FN double vg_sin_poly(double r, double z)
{
    double p = -1.0 / 1307674368000;
    p = p * z + 1.0 / 6227020800;
    p = p * z - 1.0 / 39916800;
    p = p * z + 1.0 / 362880;
    p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120;
    p = p * z - 1.0 / 6;
    return r + r * z * p;
}
VG_FN double vg_cos_poly(double z)
{
    double p = 1.0 / 20922789888000;
    p = p * z - 1.0 / 87178291200;
    p = p * z + 1.0 / 479001600;
    p = p * z - 1.0 / 3628800;
    p = p * z + 1.0 / 40320;
    p = p * z - 1.0 / 720;
    p = p * z + 1.0 / 24;
    p = p * z - 0.5;
    return 1.0 + z * p;
}
/* sin(a + turn·π/2) for |a| ≤ 2^17: turn 0 is the sine, 1 the cosine. */
VG_FN uint32_t vg_sin_f32(uint32_t a, unsigned m, uint64_t turn)
{
    double x = vg_f32_in(a, m);
    double t = x * 0x1.45f306dc9c883p-1 + VG_ROUNDER;
    double k = t - VG_ROUNDER;
    double r = x - k * 0x1.921fb54400000p+0;
    r = r - k * 0x1.0b4611a600000p-34;
    r = r - k * 0x1.3198a2e037073p-69;
    uint64_t quarter = vg_f64_bits(t) + turn;
    double z = r * r;
    double y = (quarter & 1) != 0 ? vg_cos_poly(z) : vg_sin_poly(r, z);
    y = (quarter & 2) != 0 ? -y : y;
    y = x == 0.0 && turn == 0 ? x : y;
    return vg_f32_out((float)y, m);
}
/* The same for every a; not for loops that should vectorise. */
VG_FN uint32_t vg_sin_f32_any(uint32_t a, unsigned m, uint64_t turn)
{
    if ((a & 0x7FFFFFFFu) <= VG_TRIG_LIMIT) {
        return vg_sin_f32(a, m, turn);
    }
    double x = vg_f32(a);
    return vg_f32_out((float)(turn == 0 ? sin(x) : cos(x)), m);
}

/* tanh: near 0 its series, else 1 - 2/(e^2x + 1). */
VG_FN uint32_t vg_tanh_f32(uint32_t a)
{
    double x = vg_f32(a & 0x7FFFFFFFu);
    double z = x * x;
    double p = 62.0 / 2835;
    p = p * z - 17.0 / 315;
    p = p * z + 2.0 / 15;
    p = p * z - 1.0 / 3;
    double small = x + x * z * p;
    double y = x > 30.0 ? 30.0 : x;
    double large = 1.0 - 2.0 / (vg_exp2_core(y * 0x1.71547652b82fep+1) + 1.0);
    float r = (float)(x < 0.0625 ? small : large);
    return x != x ? VG_NAN_F32 : vg_f32_bits(r) | (a & 0x80000000u);
}

VG_FN uint32_t vg_rsqrt_f32(uint32_t a, unsigned m)
{
    float x = vg_f32_in(a, m);
    double r = 1.0 / __builtin_sqrt(x);
    return vg_f32_out((float)r, m);
}

/* div.approx is a · (1/b), and for 2^126 < |b| < 2^128 the hardware's 1/b is 0: infinity over such
 * a b is NaN, everything else a zero. */
VG_FN uint32_t vg_div_approx_f32(uint32_t a, uint32_t b, unsigned m)
{
    float x = vg_f32_in(a, m), y = vg_f32_in(b, m);
    uint32_t size = b & 0x7FFFFFFFu;
    float r = x / y;
    r = size > 0x7E800000u && size < 0x7F800000u ? x * vg_f32(b & 0x80000000u) : r;
    return vg_f32_out(r, m);
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write the upper 32 bits only; the lower half
 * is zero. Subnormals count as zero. */
VG_FN uint64_t vg_flush_f64(uint64_t x)
{
    return (x & 0x7FF0000000000000ull) == 0 ? x & (1ull << 63) : x;
}
VG_FN uint64_t vg_gross_out(double r, uint64_t a)
{
    uint64_t bits = vg_f64_out(r, a, a, a);
    return vg_flush_f64(bits) & 0xFFFFFFFF00000000ull;
}
VG_FN uint64_t vg_rcp_gross_f64(uint64_t a)
{
    a = vg_flush_f64(a) & 0xFFFFFFFF00000000ull;
    return vg_gross_out(1.0 / vg_f64(a), a);
}
VG_FN uint64_t vg_rsqrt_gross_f64(uint64_t a)
{
    a = vg_flush_f64(a) & 0xFFFFFFFF00000000ull;
    return vg_gross_out(1.0 / __builtin_sqrt(vg_f64(a)), a);
}
VG_FN uint64_t vg_rsqrt_f64(uint64_t a)
{
    return vg_f64_out(1.0 / __builtin_sqrt(vg_f64(a)), a, a, a);
}

/* --- halves: computed in f32, rounded --- */

VG_FN uint32_t vg_ex2_half(uint32_t a, unsigned m)
{
    uint32_t x = vg_f32_bits(vg_half_in(a, m));
    return vg_half_out(vg_f32(vg_ex2_f32(x, m & VG_M_FTZ)), m);
}
VG_FN uint32_t vg_tanh_half(uint32_t a, unsigned m)
{
    uint32_t x = vg_f32_bits(vg_half_in(a, m));
    return vg_half_out(vg_f32(vg_tanh_f32(x)), m);
}

#endif
