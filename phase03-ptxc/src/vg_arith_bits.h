/* What PTX's logic, shift and bit-field instructions compute, one lane at a time. As in vg_arith.h
 * registers are their bits, every bit pattern is harmless, and all functions are pure. bfe has a
 * header of its own, vg_arith_bfe.h: it is an exercise. Semantics: PTX ISA 9.0, chapters 9.7.1 and
 * 9.7.8, and 9.7.9.7 (prmt).
 */
#ifndef VG_ARITH_BITS_H
#define VG_ARITH_BITS_H

#include <stdint.h>

#include "vg_arith.h"

/* --- shifts: the amount is 32 bits unsigned and clamps at the register's width --- */

#define VG_DEFINE_SHIFTS(bits)                                                                     \
    VG_FN uint##bits##_t vg_shl_b##bits(uint##bits##_t a, uint32_t n)                              \
    {                                                                                              \
        return (uint##bits##_t)(n < (bits) ? (uint64_t)a << (n & ((bits)-1)) : 0);                 \
    }                                                                                              \
    VG_FN uint##bits##_t vg_shr_u##bits(uint##bits##_t a, uint32_t n)                              \
    {                                                                                              \
        return (uint##bits##_t)(n < (bits) ? a >> (n & ((bits)-1)) : 0);                           \
    }                                                                                              \
    VG_FN uint##bits##_t vg_shr_s##bits(uint##bits##_t a, uint32_t n)                              \
    {                                                                                              \
        return (uint##bits##_t)(vg_s##bits(a) >> (n < (bits) ? n : (bits)-1));                     \
    }
VG_DEFINE_SHIFTS(16)
VG_DEFINE_SHIFTS(32)
VG_DEFINE_SHIFTS(64)
#undef VG_DEFINE_SHIFTS

/* Funnel shifts of the 64 bits b:a: .l keeps the high word, .r the low one. The amount is already
 * wrapped (n & 31) or clamped (min(n, 32)). */
VG_FN uint32_t vg_funnel_l(uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)(((uint64_t)b << 32 | a) << n >> 32);
}
VG_FN uint32_t vg_funnel_r(uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)(((uint64_t)b << 32 | a) >> n);
}
VG_FN uint32_t vg_clamp32(uint32_t n)
{
    return n < 32 ? n : 32;
}

/* lop3: bit k of the table is the result where (a, b, c) = (k & 4, k & 2, k & 1). Seven selections,
 * the innermost between constants. */
VG_FN uint32_t vg_lop3_pick(uint32_t x, uint32_t one, uint32_t zero)
{
    return zero ^ (x & (zero ^ one));
}
VG_FN uint32_t vg_lop3_bit(uint32_t table, unsigned k)
{
    return 0u - (table >> k & 1u);
}
VG_FN uint32_t vg_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t t00 = vg_lop3_pick(c, vg_lop3_bit(table, 1), vg_lop3_bit(table, 0));
    uint32_t t01 = vg_lop3_pick(c, vg_lop3_bit(table, 3), vg_lop3_bit(table, 2));
    uint32_t t10 = vg_lop3_pick(c, vg_lop3_bit(table, 5), vg_lop3_bit(table, 4));
    uint32_t t11 = vg_lop3_pick(c, vg_lop3_bit(table, 7), vg_lop3_bit(table, 6));
    return vg_lop3_pick(a, vg_lop3_pick(b, t11, t10), vg_lop3_pick(b, t01, t00));
}

/* --- counting --- */

VG_FN uint32_t vg_popc_b32(uint32_t x)
{
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    return x * 0x01010101u >> 24;
}
VG_FN uint32_t vg_popc_b64(uint64_t x)
{
    return vg_popc_b32((uint32_t)x) + vg_popc_b32((uint32_t)(x >> 32));
}
VG_FN uint32_t vg_clz_b32(uint32_t x)
{
    return x == 0 ? 32 : (uint32_t)__builtin_clz(x);
}
VG_FN uint32_t vg_clz_b64(uint64_t x)
{
    return x == 0 ? 64 : (uint32_t)__builtin_clzll(x);
}
VG_FN uint32_t vg_brev_b32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}
VG_FN uint64_t vg_brev_b64(uint64_t x)
{
    return (uint64_t)vg_brev_b32((uint32_t)x) << 32 | vg_brev_b32((uint32_t)(x >> 32));
}

/* bfind: the highest bit that differs from the sign (unsigned: the highest one); none: all ones. */
VG_FN uint32_t vg_bfind_u32(uint32_t x)
{
    return 31u - vg_clz_b32(x);
}
VG_FN uint32_t vg_bfind_s32(uint32_t x)
{
    return vg_bfind_u32(vg_s32(x) < 0 ? ~x : x);
}
VG_FN uint32_t vg_bfind_u64(uint64_t x)
{
    return 63u - vg_clz_b64(x);
}
VG_FN uint32_t vg_bfind_s64(uint64_t x)
{
    return vg_bfind_u64(vg_s64(x) < 0 ? ~x : x);
}
/* bfind.shiftamt: how far left that bit is from the top; none stays all ones. */
VG_FN uint32_t vg_shiftamt(uint32_t found, uint32_t msb)
{
    return found == UINT32_MAX ? found : msb - found;
}

/* fns: the n-th set bit (1-based) at or above `base` for n > 0, at or below for n < 0; n = 0 asks
 * for bit `base` itself. None: all ones; so with base > 31, which the ISA leaves undefined and
 * ptxas folds to that. */
VG_FN uint32_t vg_fns(uint32_t mask, uint32_t base, uint32_t n)
{
    int32_t count = vg_s32(n), at = (int32_t)(base & 31u);
    if (base > 31) {
        return UINT32_MAX;
    }
    if (count == 0) {
        return mask >> at & 1u ? (uint32_t)at : UINT32_MAX;
    }
    int step = count > 0 ? 1 : -1;
    uint32_t left = vg_magnitude_s32(n);
    for (; at >= 0 && at < 32; at += step) {
        if ((mask >> at & 1u) != 0 && --left == 0) {
            return (uint32_t)at;
        }
    }
    return UINT32_MAX;
}

/* --- fields --- */

/* The low `len` bits set, len up to 64. */
VG_FN uint64_t vg_ones(uint32_t len)
{
    return len >= 64 ? UINT64_MAX : (1ull << len) - 1;
}
/* bfi: position and length are the low bytes; what would fall past the top is dropped. */
VG_FN uint64_t vg_bfi_b64(uint64_t a, uint64_t b, uint32_t pos, uint32_t len)
{
    pos &= 0xFFu;
    len &= 0xFFu;
    if (pos > 63) {
        return b;
    }
    uint64_t field = vg_ones(len) << pos;
    return (b & ~field) | (a << pos & field);
}
VG_FN uint32_t vg_bfi_b32(uint32_t a, uint32_t b, uint32_t pos, uint32_t len)
{
    return (uint32_t)vg_bfi_b64(a, b, pos, len);
}

/* szext: keep the low n bits and extend them, by zeros or the sign. Wrapped n is taken modulo 32;
 * clamped n of 32 or more keeps everything. n = 0 gives 0. */
VG_FN uint32_t vg_zext(uint32_t a, uint32_t n)
{
    return (uint32_t)(a & vg_ones(n));
}
VG_FN uint32_t vg_sext(uint32_t a, uint32_t n)
{
    uint32_t sign = n == 0 ? 0 : 1u << (n < 32 ? n - 1 : 31);
    uint32_t low = vg_zext(a, n);
    return (low ^ sign) - sign;
}

/* bmsk: b ones from bit a on. */
VG_FN uint32_t vg_bmsk_wrap(uint32_t a, uint32_t b)
{
    return (uint32_t)(vg_ones(b & 31u) << (a & 31u));
}
VG_FN uint32_t vg_bmsk_clamp(uint32_t a, uint32_t b)
{
    return a > 31 ? 0 : (uint32_t)(vg_ones(vg_clamp32(b)) << a);
}

/* --- prmt: four bytes picked from the eight of b:a --- */

/* The generic form: nibble k of the selector picks byte k; its bit 3 replicates the byte's sign. */
VG_FN uint32_t vg_prmt(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t nibble = selector >> (4 * k);
        uint32_t byte = (uint32_t)(bytes >> (8 * (nibble & 7u))) & 0xFFu;
        uint32_t sign = 0u - (byte >> 7);
        r |= (nibble & 8u ? sign & 0xFFu : byte) << (8 * k);
    }
    return r;
}

enum vg_prmt_mode {
    VG_PRMT_F4E,  /* four bytes forward from byte n */
    VG_PRMT_B4E,  /* four bytes backward from byte n */
    VG_PRMT_RC8,  /* byte n four times */
    VG_PRMT_ECL,  /* edge clamp left */
    VG_PRMT_ECR,  /* edge clamp right */
    VG_PRMT_RC16, /* half word n & 1 twice */
};
/* The selector of the generic form that a named form with control n & 3 stands for (PTX ISA 9.0,
 * the table of prmt). */
VG_FN uint32_t vg_prmt_selector(enum vg_prmt_mode mode, uint32_t n)
{
    static const uint16_t table[6][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
        {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
        {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232},
    };
    return table[mode][n & 3u];
}

#endif
