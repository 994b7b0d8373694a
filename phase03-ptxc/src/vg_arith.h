/* What PTX's integer instructions compute, one lane at a time, as functions of bits.
 *
 * A register is its bits: every operand and result is unsigned here, whatever the type's name says,
 * and signed instructions say so in the function's name. So there is no undefined behaviour for any
 * bit pattern, the loops over lanes may compute idle lanes as well, and gcc turns most of these
 * into vector instructions. Semantics: PTX ISA 9.0, chapter 9.7.1 (integer) and 9.7.2 (extended
 * precision). Pure functions: any thread.
 */
#ifndef VG_ARITH_H
#define VG_ARITH_H

#include <stdint.h>

#include "vg_arith_fn.h"

/* Bits read as two's complement. The conversion is defined by gcc and clang. */
VG_FN int16_t vg_s16(uint16_t x)
{
    return (int16_t)x;
}
VG_FN int32_t vg_s32(uint32_t x)
{
    return (int32_t)x;
}
VG_FN int64_t vg_s64(uint64_t x)
{
    return (int64_t)x;
}

/* --- high halves of full products (mul.hi, mad.hi) --- */

VG_FN uint16_t vg_mulhi_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)((uint32_t)a * b >> 16);
}
VG_FN uint16_t vg_mulhi_s16(uint16_t a, uint16_t b)
{
    return (uint16_t)((vg_s16(a) * vg_s16(b)) >> 16);
}
VG_FN uint32_t vg_mulhi_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
VG_FN uint32_t vg_mulhi_s32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)vg_s32(a) * vg_s32(b)) >> 32);
}
VG_FN uint64_t vg_mulhi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}
/* The signed product differs from the unsigned one by 2^64·b where a is negative, and the reverse.
 */
VG_FN uint64_t vg_mulhi_s64(uint64_t a, uint64_t b)
{
    return vg_mulhi_u64(a, b) - (vg_s64(a) < 0 ? b : 0) - (vg_s64(b) < 0 ? a : 0);
}

/* --- double-width products (mul.wide, mad.wide) --- */

VG_FN uint32_t vg_mulwide_u16(uint16_t a, uint16_t b)
{
    return (uint32_t)a * b;
}
VG_FN uint32_t vg_mulwide_s16(uint16_t a, uint16_t b)
{
    return (uint32_t)(vg_s16(a) * vg_s16(b));
}
VG_FN uint64_t vg_mulwide_u32(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}
VG_FN uint64_t vg_mulwide_s32(uint32_t a, uint32_t b)
{
    return (uint64_t)((int64_t)vg_s32(a) * vg_s32(b));
}

/* --- saturation --- */

VG_FN uint32_t vg_clamp_s32(int64_t x)
{
    x = x > INT32_MAX ? INT32_MAX : x;
    x = x < INT32_MIN ? INT32_MIN : x;
    return (uint32_t)(int32_t)x;
}
/* add.sat.s32, sub.sat.s32 */
VG_FN uint32_t vg_addsat_s32(uint32_t a, uint32_t b)
{
    return vg_clamp_s32((int64_t)vg_s32(a) + vg_s32(b));
}
VG_FN uint32_t vg_subsat_s32(uint32_t a, uint32_t b)
{
    return vg_clamp_s32((int64_t)vg_s32(a) - vg_s32(b));
}
/* mad.hi.sat.s32: the high half first, then the saturated sum. */
VG_FN uint32_t vg_madhisat_s32(uint32_t a, uint32_t b, uint32_t c)
{
    return vg_addsat_s32(vg_mulhi_s32(a, b), c);
}

/* --- 24-bit products: low 24 bits of each operand, 48-bit product; .lo its bits 31..0, .hi its
 * bits 47..16 --- */

VG_FN int64_t vg_low24_s(uint32_t x)
{
    return vg_s32(x << 8) >> 8;
}
VG_FN uint32_t vg_mul24lo_u32(uint32_t a, uint32_t b)
{
    return (a & 0xFFFFFFu) * (b & 0xFFFFFFu);
}
VG_FN uint32_t vg_mul24lo_s32(uint32_t a, uint32_t b)
{
    return (uint32_t)(vg_low24_s(a) * vg_low24_s(b));
}
VG_FN uint32_t vg_mul24hi_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)(a & 0xFFFFFFu) * (b & 0xFFFFFFu) >> 16);
}
VG_FN uint32_t vg_mul24hi_s32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)(vg_low24_s(a) * vg_low24_s(b)) >> 16);
}
VG_FN uint32_t vg_mad24hisat_s32(uint32_t a, uint32_t b, uint32_t c)
{
    return vg_addsat_s32(vg_mul24hi_s32(a, b), c);
}

/* --- division: truncates, never traps. By zero gives all ones, quotient and remainder alike: that
 * is what ptxas folds for 32 bits, and the ISA leaves it open. The most negative number by -1 gives
 * itself and remainder 0. --- */

#define VG_DEFINE_DIVISION(bits)                                                                   \
    VG_FN uint##bits##_t vg_div_u##bits(uint##bits##_t a, uint##bits##_t b)                        \
    {                                                                                              \
        return (uint##bits##_t)(b == 0 ? UINT##bits##_MAX : a / (b == 0 ? 1 : b));                 \
    }                                                                                              \
    VG_FN uint##bits##_t vg_rem_u##bits(uint##bits##_t a, uint##bits##_t b)                        \
    {                                                                                              \
        return (uint##bits##_t)(b == 0 ? UINT##bits##_MAX : a % (b == 0 ? 1 : b));                 \
    }                                                                                              \
    VG_FN uint##bits##_t vg_magnitude_s##bits(uint##bits##_t x)                                    \
    {                                                                                              \
        return (uint##bits##_t)(vg_s##bits(x) < 0 ? 0 - x : x);                                    \
    }                                                                                              \
    VG_FN uint##bits##_t vg_div_s##bits(uint##bits##_t a, uint##bits##_t b)                        \
    {                                                                                              \
        uint##bits##_t q = vg_div_u##bits(vg_magnitude_s##bits(a), vg_magnitude_s##bits(b));       \
        int minus = b != 0 && (vg_s##bits(a) < 0) != (vg_s##bits(b) < 0);                          \
        return (uint##bits##_t)(minus ? 0 - q : q);                                                \
    }                                                                                              \
    VG_FN uint##bits##_t vg_rem_s##bits(uint##bits##_t a, uint##bits##_t b)                        \
    {                                                                                              \
        uint##bits##_t r = vg_rem_u##bits(vg_magnitude_s##bits(a), vg_magnitude_s##bits(b));       \
        return (uint##bits##_t)(b != 0 && vg_s##bits(a) < 0 ? 0 - r : r);                          \
    }
VG_DEFINE_DIVISION(16)
VG_DEFINE_DIVISION(32)
VG_DEFINE_DIVISION(64)
#undef VG_DEFINE_DIVISION

/* --- the rest of one width: min, max, sad (c + |a - b|), abs is vg_magnitude --- */

#define VG_DEFINE_ORDERED(sign, bits, cast)                                                        \
    VG_FN uint##bits##_t vg_min_##sign##bits(uint##bits##_t a, uint##bits##_t b)                   \
    {                                                                                              \
        return cast(a) < cast(b) ? a : b;                                                          \
    }                                                                                              \
    VG_FN uint##bits##_t vg_max_##sign##bits(uint##bits##_t a, uint##bits##_t b)                   \
    {                                                                                              \
        return cast(a) > cast(b) ? a : b;                                                          \
    }                                                                                              \
    VG_FN uint##bits##_t vg_sad_##sign##bits(uint##bits##_t a, uint##bits##_t b, uint##bits##_t c) \
    {                                                                                              \
        return (uint##bits##_t)(c + (cast(a) < cast(b) ? b - a : a - b));                          \
    }
VG_DEFINE_ORDERED(u, 16, )
VG_DEFINE_ORDERED(u, 32, )
VG_DEFINE_ORDERED(u, 64, )
VG_DEFINE_ORDERED(s, 16, vg_s16)
VG_DEFINE_ORDERED(s, 32, vg_s32)
VG_DEFINE_ORDERED(s, 64, vg_s64)
#undef VG_DEFINE_ORDERED

/* .relu of min and max: a negative result becomes 0. */
VG_FN uint32_t vg_relu_s32(uint32_t x)
{
    return vg_s32(x) < 0 ? 0 : x;
}
VG_FN uint16_t vg_relu_s16(uint16_t x)
{
    return vg_s16(x) < 0 ? 0 : x;
}

/* --- two 16-bit halves in one register (add.u16x2, min.s16x2, …) --- */

VG_FN uint16_t vg_half0(uint32_t x)
{
    return (uint16_t)x;
}
VG_FN uint16_t vg_half1(uint32_t x)
{
    return (uint16_t)(x >> 16);
}
VG_FN uint32_t vg_halves(uint16_t low, uint16_t high)
{
    return low | (uint32_t)high << 16;
}
VG_FN uint32_t vg_add_u16x2(uint32_t a, uint32_t b)
{
    return ((a + b) & 0xFFFFu) | ((a & 0xFFFF0000u) + (b & 0xFFFF0000u));
}

/* --- dot products of bytes: dp4a, dp2a. Each operand's bytes are signed or not on its own; the sum
 * wraps --- */

VG_FN uint32_t vg_byte(uint32_t x, unsigned k, int is_signed)
{
    uint32_t v = x >> (8 * k) & 0xFFu;
    return is_signed ? (v ^ 0x80u) - 0x80u : v;
}
VG_FN uint32_t vg_dp4a(uint32_t a, uint32_t b, uint32_t c, int a_signed, int b_signed)
{
    for (unsigned k = 0; k < 4; k++) {
        c += vg_byte(a, k, a_signed) * vg_byte(b, k, b_signed);
    }
    return c;
}
/* Two 16-bit values of a times two bytes of b: the low two, or with `hi` the high two. */
VG_FN uint32_t vg_dp2a(uint32_t a, uint32_t b, uint32_t c, int a_signed, int b_signed_hi)
{
    int b_signed = b_signed_hi & 1;
    unsigned first = b_signed_hi & 2 ? 2 : 0;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t v = a >> (16 * k) & 0xFFFFu;
        v = a_signed ? (v ^ 0x8000u) - 0x8000u : v;
        c += v * vg_byte(b, first + k, b_signed);
    }
    return c;
}

#endif
