/* What PTX's f32 instructions compute, one lane at a time, as functions of bits.
 *
 * The host's f32 arithmetic is IEEE 754 in round-to-nearest, and that is the hot path: one host
 * operation and a test for NaN. The other directions cost a few more: the operation's exact result
 * is held as a sum of two f64, rounded to f32, and moved by one unit where the rounding went the
 * wrong way. Nothing here touches the host's rounding mode, so all of it vectorises.
 *
 *   mul         the product of two f32 is exact in f64
 *   add, fma    Knuth's two-sum of f64 (The Art of Computer Programming 2, 4.2.2): s + e is exact
 *   div, sqrt   an f64 quotient or root of f32 lies on the same side of every f32 as the exact one:
 *               where they differ, they do so by 2^-48 relative, and f64 errs by 2^-53
 *
 * Modifiers are a constant `m` of enum vg_f32_mod, so that each handler keeps only its own case.
 * The sign of zero and NaN follow PTX ISA 9.0, 9.7.3: every NaN result is 7FFFFFFF. `ftz` replaces
 * subnormal inputs and results by zero of the same sign; `sat` clamps to [0, 1], NaN to +0.
 * Pure: any thread, as long as the host rounds to nearest and keeps subnormals (its default).
 */
#ifndef VG_FLOAT_F32_H
#define VG_FLOAT_F32_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vg_arith_fn.h"
#include "vg_float_num.h"

enum vg_f32_mod {
    VG_M_ROUND = 3, /* enum vg_round: VG_RN, VG_RZ, VG_RM, VG_RP */
    VG_M_FTZ = 4,
    VG_M_SAT = 8,
};

#define VG_NAN_F32 0x7FFFFFFFu

VG_FN float vg_f32(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}
VG_FN uint32_t vg_f32_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}
VG_FN double vg_f64(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}
VG_FN uint64_t vg_f64_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

VG_FN uint32_t vg_flush_f32(uint32_t x)
{
    return (x & 0x7F800000u) == 0 ? x & 0x80000000u : x;
}
/* An operand, flushed when the instruction does. */
VG_FN float vg_f32_in(uint32_t x, unsigned m)
{
    return vg_f32((m & VG_M_FTZ) != 0 ? vg_flush_f32(x) : x);
}
/* The result's bits after ftz, sat and the one NaN. */
VG_FN uint32_t vg_f32_out(float r, unsigned m)
{
    uint32_t bits = vg_f32_bits(r);
    if ((m & VG_M_SAT) != 0) {
        bits = r > 0.0f ? bits : 0;
        bits = r >= 1.0f ? 0x3F800000u : bits;
    } else {
        bits = r != r ? VG_NAN_F32 : bits;
    }
    return (m & VG_M_FTZ) != 0 ? vg_flush_f32(bits) : bits;
}

/* --- directed rounding --- */

/* a + b exactly as s + e; e is NaN when s is not finite. */
VG_FN double vg_two_sum(double a, double b, double *e)
{
    double s = a + b;
    double bb = s - a;
    *e = (a - (s - bb)) + (b - bb);
    return s;
}

/* The exact number s + e, with s its nearest f64, rounded to f32 in direction m & VG_M_ROUND. */
VG_FN float vg_round_f32(double s, double e, unsigned m)
{
    float f = (float)s;
    uint32_t bits = vg_f32_bits(f);
    /* Its sign is exact; NaN when nothing is to be done. It never points from a zero past it, since
     * f has the sign of s. */
    double off = (s - (double)f) + e;
    uint32_t neg = bits >> 31, pos = neg ^ 1;
    uint32_t above = off > 0, below = off < 0; /* where the exact number lies from f */
    switch (m & VG_M_ROUND) {
    case VG_RZ: bits -= (above & neg) | (below & pos); break;
    case VG_RM: bits = bits + (below & neg) - (below & pos); break;
    case VG_RP: bits = bits + (above & pos) - (above & neg); break;
    default: break;
    }
    return vg_f32(bits);
}

/* s + e rounded to odd: an inexact result gets its last bit set, so a later rounding to fewer bits
 * goes as it would from the exact number (Boldo and Melquiond 2008, "Emulation of FMA"). */
VG_FN double vg_round_odd(double s, double e)
{
    uint64_t bits = vg_f64_bits(s);
    uint64_t away = (e > 0) == (s > 0); /* the exact number is farther from zero than s */
    uint64_t odd = away != 0 ? bits + 1 : bits - 1;
    return vg_f64((e > 0 || e < 0) && (bits & 1) == 0 ? odd : bits);
}

/* A sum that is exactly zero is +0, towards minus infinity -0, unless both terms are +0. */
VG_FN float vg_zero_sum(float r, double x, double y, unsigned m)
{
    if ((m & VG_M_ROUND) == VG_RM) {
        uint32_t minus = (uint32_t)((vg_f64_bits(x) | vg_f64_bits(y)) >> 63) << 31;
        return x + y == 0.0 ? vg_f32(minus) : r;
    }
    return r;
}

/* --- the instructions --- */

VG_FN uint32_t vg_add_f32(uint32_t a, uint32_t b, unsigned m)
{
    float x = vg_f32_in(a, m), y = vg_f32_in(b, m);
    if ((m & VG_M_ROUND) == VG_RN) {
        return vg_f32_out(x + y, m);
    }
    double e, s = vg_two_sum(x, y, &e);
    return vg_f32_out(vg_zero_sum(vg_round_f32(s, e, m), x, y, m), m);
}
VG_FN uint32_t vg_sub_f32(uint32_t a, uint32_t b, unsigned m)
{
    return vg_add_f32(a, b ^ 0x80000000u, m);
}
VG_FN uint32_t vg_mul_f32(uint32_t a, uint32_t b, unsigned m)
{
    float x = vg_f32_in(a, m), y = vg_f32_in(b, m);
    if ((m & VG_M_ROUND) == VG_RN) {
        return vg_f32_out(x * y, m);
    }
    return vg_f32_out(vg_round_f32((double)x * y, 0.0, m), m);
}
/* Where the host has a fused multiply-add this is it; else the C library's, correct and slow. */
VG_FN uint32_t vg_fma_f32(uint32_t a, uint32_t b, uint32_t c, unsigned m)
{
    float x = vg_f32_in(a, m), y = vg_f32_in(b, m), z = vg_f32_in(c, m);
    if ((m & VG_M_ROUND) == VG_RN) {
        return vg_f32_out(__builtin_fmaf(x, y, z), m);
    }
    double p = (double)x * y;
    double e, s = vg_two_sum(p, z, &e);
    return vg_f32_out(vg_zero_sum(vg_round_f32(s, e, m), p, z, m), m);
}
/* fma.rn for hosts without the instruction, in f64: exact product, two-sum, odd, nearest. */
VG_FN uint32_t vg_fma_f32_soft(uint32_t a, uint32_t b, uint32_t c, unsigned m)
{
    float x = vg_f32_in(a, m), y = vg_f32_in(b, m), z = vg_f32_in(c, m);
    double e, s = vg_two_sum((double)x * y, z, &e);
    return vg_f32_out((float)vg_round_odd(s, e), m);
}
VG_FN uint32_t vg_div_f32(uint32_t a, uint32_t b, unsigned m)
{
    float x = vg_f32_in(a, m), y = vg_f32_in(b, m);
    if ((m & VG_M_ROUND) == VG_RN) {
        return vg_f32_out(x / y, m);
    }
    return vg_f32_out(vg_round_f32((double)x / y, 0.0, m), m);
}
VG_FN uint32_t vg_rcp_f32(uint32_t a, unsigned m)
{
    return vg_div_f32(0x3F800000u, a, m);
}
VG_FN uint32_t vg_sqrt_f32(uint32_t a, unsigned m)
{
    float x = vg_f32_in(a, m);
    if ((m & VG_M_ROUND) == VG_RN) {
        return vg_f32_out(__builtin_sqrtf(x), m);
    }
    return vg_f32_out(vg_round_f32(__builtin_sqrt(x), 0.0, m), m);
}

/* abs and neg change the sign bit only, of a NaN too, as ptxas folds them. */
VG_FN uint32_t vg_abs_f32(uint32_t a, unsigned m)
{
    return ((m & VG_M_FTZ) != 0 ? vg_flush_f32(a) : a) & 0x7FFFFFFFu;
}
VG_FN uint32_t vg_neg_f32(uint32_t a, unsigned m)
{
    return ((m & VG_M_FTZ) != 0 ? vg_flush_f32(a) : a) ^ 0x80000000u;
}
/* The magnitude of b with the sign of a. */
VG_FN uint32_t vg_copysign_f32(uint32_t a, uint32_t b)
{
    return (a & 0x80000000u) | (b & 0x7FFFFFFFu);
}

/* --- min and max: on integers that are ordered as the floats are, so that -0 < +0 --- */

enum vg_minmax_mod {
    VG_MM_MAX = 1,
    VG_MM_FTZ = VG_M_FTZ,
    VG_MM_NAN = 8,
    VG_MM_XORSIGN = 16,
    VG_MM_ABS = 32
};

VG_FN int32_t vg_order_f32(uint32_t x)
{
    return (int32_t)((x >> 31) != 0 ? x ^ 0x7FFFFFFFu : x);
}
VG_FN uint32_t vg_is_nan_f32(uint32_t x)
{
    return (x & 0x7FFFFFFFu) > 0x7F800000u;
}
/* A NaN operand loses to a number; with .NaN it wins. Two NaN give the one NaN. */
VG_FN uint32_t vg_minmax_f32(uint32_t a, uint32_t b, unsigned m)
{
    uint32_t sign = (a ^ b) & 0x80000000u;
    if ((m & VG_MM_FTZ) != 0) {
        a = vg_flush_f32(a);
        b = vg_flush_f32(b);
    }
    if ((m & (VG_MM_XORSIGN | VG_MM_ABS)) != 0) {
        a &= 0x7FFFFFFFu;
        b &= 0x7FFFFFFFu;
    }
    uint32_t less = vg_order_f32(a) < vg_order_f32(b);
    uint32_t r = (m & VG_MM_MAX) != 0 ? (less != 0 ? b : a) : (less != 0 ? a : b);
    uint32_t nan_a = vg_is_nan_f32(a), nan_b = vg_is_nan_f32(b);
    r = nan_a != 0 ? b : nan_b != 0 ? a : r;
    if ((m & VG_MM_XORSIGN) != 0) {
        r = (r & 0x7FFFFFFFu) | sign;
    }
    uint32_t bad = (m & VG_MM_NAN) != 0 ? nan_a | nan_b : nan_a & nan_b;
    return bad != 0 ? VG_NAN_F32 : r;
}

/* --- comparison: the five the others are made of; false on NaN, num tells --- */

enum vg_compare { VG_CMP_EQ, VG_CMP_NE, VG_CMP_LT, VG_CMP_LE, VG_CMP_NUM };

VG_FN uint32_t vg_compare_float(float a, float b, enum vg_compare how)
{
    switch (how) {
    case VG_CMP_EQ: return a == b;
    case VG_CMP_NE: return (a < b) | (a > b);
    case VG_CMP_LT: return a < b;
    case VG_CMP_LE: return a <= b;
    default: return (a == a) & (b == b);
    }
}

/* testp: zero counts as normal. */
enum vg_testp {
    VG_TP_FINITE,
    VG_TP_INFINITE,
    VG_TP_NUMBER,
    VG_TP_NOTANUMBER,
    VG_TP_NORMAL,
    VG_TP_SUBNORMAL
};

VG_FN uint32_t vg_testp(struct vg_num x, enum vg_testp how, int emin)
{
    bool finite = x.class_of == VG_FINITE;
    switch (how) {
    case VG_TP_FINITE: return finite || x.class_of == VG_ZERO;
    case VG_TP_INFINITE: return x.class_of == VG_INFINITE;
    case VG_TP_NUMBER: return x.class_of != VG_NAN;
    case VG_TP_NOTANUMBER: return x.class_of == VG_NAN;
    case VG_TP_NORMAL: return x.class_of == VG_ZERO || (finite && x.exp + 63 >= emin);
    default: return finite && x.exp + 63 < emin;
    }
}

#endif
