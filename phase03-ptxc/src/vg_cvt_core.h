/* What cvt computes, one lane at a time, for every pair of types: the reference, and the path of
 * the conversions that have no vector loop of their own (vg_cvt_fast.c).
 *
 * PTX ISA 9.0, 9.7.9.21. Integers are exact numbers; floats are unpacked (vg_float_num.h); the
 * result is rounded once. Pure: any thread.
 */
#ifndef VG_CVT_CORE_H
#define VG_CVT_CORE_H

#include "ptx.h"
#include "vg_float_f64.h"
#include "vg_float_num.h"

enum vg_cvt_flag {
    VG_C_FTZ = 1,       /* an f32 source or result that is subnormal becomes zero */
    VG_C_SAT = 2,       /* integers clamp to the destination's range, floats to [0, 1] */
    VG_C_RELU = 4,      /* negative becomes +0 */
    VG_C_SATFINITE = 8, /* beyond the largest finite number becomes that number */
    VG_C_WHOLE = 16,    /* float to float of one size, rounded to an integer */
};

/* Types of numbers: enum ptx_type, and the two of 8 bits that only cvt has. */
enum { VG_T_E4M3 = 64, VG_T_E5M2 = 65 };

struct vg_cvt {
    uint8_t to, from; /* enum ptx_type, VG_T_E4M3, VG_T_E5M2 */
    uint8_t round;    /* enum vg_round; towards an integer where the result has no fraction */
    uint8_t flags;    /* enum vg_cvt_flag */
};

/* The format of a float type; NULL: not a float. */
static inline const struct vg_format *vg_format_of(unsigned type)
{
    switch (type) {
    case PTX_F16: return &VG_FMT_F16;
    case PTX_BF16: return &VG_FMT_BF16;
    case PTX_TF32: return &VG_FMT_TF32;
    case PTX_F32: return &VG_FMT_F32;
    case PTX_F64: return &VG_FMT_F64;
    case VG_T_E4M3: return &VG_FMT_E4M3;
    case VG_T_E5M2: return &VG_FMT_E5M2;
    default: return NULL;
    }
}

static inline bool vg_is_signed(unsigned type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}
static inline unsigned vg_int_bits(unsigned type)
{
    switch (type) {
    case PTX_U8:
    case PTX_S8: return 8;
    case PTX_U16:
    case PTX_S16: return 16;
    case PTX_U32:
    case PTX_S32: return 32;
    default: return 64;
    }
}

/* The low `width` bits, extended to 64 as the type says. */
static inline uint64_t vg_extend(uint64_t bits, unsigned width, bool is_signed)
{
    unsigned up = 64 - width;
    uint64_t top = bits << up;
    return is_signed ? (uint64_t)((int64_t)top >> up) : top >> up;
}

/* (-1)^neg · magnitude clamped to the integer type, as 64 bits. `fits`: the magnitude is below
 * 2^64. */
static inline uint64_t vg_clamp_int(bool neg, uint64_t magnitude, bool fits, unsigned type)
{
    unsigned width = vg_int_bits(type);
    bool is_signed = vg_is_signed(type);
    uint64_t most = UINT64_MAX >> (64 - width + (is_signed ? 1 : 0));
    if (neg) {
        uint64_t least = is_signed ? most + 1 : 0;
        return 0 - (fits && magnitude < least ? magnitude : least);
    }
    return fits && magnitude < most ? magnitude : most;
}

/* NaN as an integer: 0, but with an f64 source or a 64-bit destination only the top bit set. */
static inline uint64_t vg_nan_int(const struct vg_cvt *c)
{
    unsigned width = vg_int_bits(c->to);
    bool zero = c->from != PTX_F64 && width != 64;
    return zero ? 0 : vg_extend(1ull << (width - 1), width, vg_is_signed(c->to));
}

/* NaN as a float. f32 and f64 hand their payloads to each other and to themselves, as ptxas folds
 * them; a half goes to f64 by way of the f32 NaN; every other destination has one NaN. */
static inline uint64_t vg_nan_float(const struct vg_cvt *c, uint64_t bits)
{
    bool plain = (c->flags & (VG_C_RELU | VG_C_WHOLE)) == 0;
    if (c->to == PTX_F64 && c->from == PTX_F32) {
        return (bits & 0x80000000u) << 32 | 0x7FF8000000000000ull | (bits & 0x7FFFFFu) << 29;
    }
    if (c->to == PTX_F32 && c->from == PTX_F64) {
        return (bits >> 32 & 0x80000000u) | 0x7FC00000u | (bits >> 29 & 0x3FFFFFu);
    }
    if (c->to == c->from && plain) {
        return bits | ((c->flags & VG_C_FTZ) != 0 ? 0x400000u : 0); /* .ftz also makes it quiet */
    }
    if (c->to == PTX_F64 && c->from != PTX_F64) {
        return 0x7FFFFFFFE0000000ull;
    }
    return vg_format_of(c->to)->nan;
}

/* A float result after .sat, .relu, .satfinite and .ftz; x is what is to be rounded. */
static inline uint64_t vg_cvt_to_float(const struct vg_cvt *c, struct vg_num x, uint64_t nan)
{
    const struct vg_format *f = vg_format_of(c->to);
    bool bad = x.class_of == VG_NAN;
    if ((c->flags & VG_C_SAT) != 0) {
        const struct vg_num one = vg_num_of_int(1, false);
        bool above = x.class_of == VG_INFINITE || (x.class_of == VG_FINITE && x.exp > -64);
        x = bad || x.neg ? (struct vg_num){VG_ZERO, false, 0, 0} : above ? one : x;
    } else if (bad) {
        return nan;
    }
    if ((c->flags & VG_C_RELU) != 0 && x.neg) {
        return 0;
    }
    if ((c->flags & VG_C_WHOLE) != 0) {
        x = vg_num_whole(x, (enum vg_round)c->round);
    }
    uint64_t bits = vg_num_round(f, x, (enum vg_round)c->round);
    uint64_t sign = vg_sign_bit(f, true);
    if ((c->flags & VG_C_SATFINITE) != 0 && (bits & (sign - 1)) > vg_max_finite(f)) {
        bits = (x.neg ? sign : 0) | vg_max_finite(f);
    }
    bool flush = (c->flags & VG_C_FTZ) != 0 && c->to == PTX_F32;
    return flush ? vg_flush_f32((uint32_t)bits) : bits;
}

static inline uint64_t vg_cvt_from_int(const struct vg_cvt *c, uint64_t bits)
{
    uint64_t value = vg_extend(bits, vg_int_bits(c->from), vg_is_signed(c->from));
    bool neg = vg_is_signed(c->from) && (int64_t)value < 0;
    uint64_t magnitude = neg ? 0 - value : value;
    if (vg_format_of(c->to) != NULL) {
        return vg_cvt_to_float(c, vg_num_of_int(magnitude, neg), 0);
    }
    if ((c->flags & VG_C_SAT) != 0) {
        return vg_clamp_int(neg, magnitude, true, c->to);
    }
    return vg_extend(value, vg_int_bits(c->to), vg_is_signed(c->to));
}

/* `bits` has zeros above the source type. The result is extended to 64 bits as the destination's
 * type says. */
static inline uint64_t vg_cvt(const struct vg_cvt *c, uint64_t bits)
{
    const struct vg_format *f = vg_format_of(c->from);
    if (f == NULL) {
        return vg_cvt_from_int(c, bits);
    }
    if ((c->flags & VG_C_FTZ) != 0 && c->from == PTX_F32) {
        bits = vg_flush_f32((uint32_t)bits);
    }
    struct vg_num x = vg_num_of_float(f, bits);
    if (vg_format_of(c->to) != NULL) {
        return vg_cvt_to_float(c, x, x.class_of == VG_NAN ? vg_nan_float(c, bits) : 0);
    }
    if (x.class_of == VG_NAN) {
        return vg_nan_int(c);
    }
    uint64_t magnitude;
    bool fits = vg_num_integer(x, (enum vg_round)c->round, &magnitude);
    return vg_clamp_int(x.neg, magnitude, fits, c->to);
}

#endif
