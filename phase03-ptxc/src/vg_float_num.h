/* Numbers between formats: unpack any float or integer to sign, exponent and 64 bits, round to any
 * format in any direction. The reference for every conversion, and the path of the rare ones.
 *
 * A finite number that is not zero is (-1)^neg · sig · 2^exp with bit 63 of sig set, so every value
 * of f64 and of 64-bit integers is exact. Rounding is one function for all formats: keep the
 * precision, look at what was dropped (less than half, half, more), add one or not. Formats: IEEE
 * 754-2019 chapter 3.4; bf16, tf32, e4m3 and e5m2: PTX ISA 9.0, chapter 5.2.3. Pure: any thread.
 */
#ifndef VG_FLOAT_NUM_H
#define VG_FLOAT_NUM_H

#include <stdbool.h>
#include <stdint.h>

/* The directions of PTX: nearest even, towards zero, minus and plus infinity; nearest with ties
 * away from zero (cvt.rna). */
enum vg_round { VG_RN, VG_RZ, VG_RM, VG_RP, VG_RNA };

struct vg_format {
    uint8_t bits;      /* of the encoding */
    uint8_t precision; /* significant bits, the hidden one counted */
    int16_t emin;      /* exponent of the smallest normal number */
    uint8_t tail;      /* bits below the last significant one that stay 0 (tf32 in 32 bits) */
    bool no_inf;       /* e4m3: all but one of the top exponent's codes are numbers */
    uint64_t nan;      /* what a NaN becomes */
};

static const struct vg_format VG_FMT_F16 = {16, 11, -14, 0, false, 0x7FFF};
static const struct vg_format VG_FMT_BF16 = {16, 8, -126, 0, false, 0x7FFF};
static const struct vg_format VG_FMT_TF32 = {32, 11, -126, 13, false, 0x7FFFFFFF};
static const struct vg_format VG_FMT_F32 = {32, 24, -126, 0, false, 0x7FFFFFFF};
static const struct vg_format VG_FMT_F64 = {64, 53, -1022, 0, false, 0xFFF8000000000000};
static const struct vg_format VG_FMT_E4M3 = {8, 4, -6, 0, true, 0x7F};
static const struct vg_format VG_FMT_E5M2 = {8, 3, -14, 0, false, 0x7F};

enum vg_class_of { VG_ZERO, VG_FINITE, VG_INFINITE, VG_NAN };

struct vg_num {
    enum vg_class_of class_of;
    bool neg;
    int exp;
    uint64_t sig; /* of a NaN: its payload, shifted up so that the quiet bit is bit 62 */
};

static inline struct vg_num vg_num_normal(bool neg, int exp, uint64_t sig)
{
    if (sig == 0) {
        return (struct vg_num){VG_ZERO, neg, 0, 0};
    }
    int shift = __builtin_clzll(sig);
    return (struct vg_num){VG_FINITE, neg, exp - shift, sig << shift};
}

static inline struct vg_num vg_num_of_int(uint64_t magnitude, bool neg)
{
    return vg_num_normal(neg && magnitude != 0, 0, magnitude);
}

static inline struct vg_num vg_num_of_float(const struct vg_format *f, uint64_t bits)
{
    unsigned fraction_bits = f->precision - 1u + f->tail;
    uint64_t fraction = bits & ((1ull << fraction_bits) - 1);
    unsigned exponent_bits = f->bits - 1u - fraction_bits;
    uint64_t top = (1ull << exponent_bits) - 1;
    uint64_t biased = bits >> fraction_bits & top;
    bool neg = (bits >> (f->bits - 1u) & 1u) != 0;
    if (biased == top && (!f->no_inf || fraction == (1ull << fraction_bits) - 1)) {
        uint64_t payload = fraction << (63 - fraction_bits);
        return (struct vg_num){fraction != 0 ? VG_NAN : VG_INFINITE, neg, 0, payload};
    }
    int exp = f->emin - (int)fraction_bits;
    if (biased == 0) {
        return vg_num_normal(neg, exp, fraction);
    }
    return vg_num_normal(neg, exp + (int)biased - 1, fraction | 1ull << fraction_bits);
}

/* Is one to be added to what is kept, when `dropped` is what lies below it as a fraction of 2^64?
 */
static inline bool vg_round_up(enum vg_round r, bool neg, bool odd, uint64_t dropped)
{
    const uint64_t half = 1ull << 63;
    switch (r) {
    case VG_RN: return dropped > half || (dropped == half && odd);
    case VG_RNA: return dropped >= half;
    case VG_RM: return neg && dropped != 0;
    case VG_RP: return !neg && dropped != 0;
    case VG_RZ:
    default: return false;
    }
}

/* sig >> shift (any number, negative: 0), and what fell off, as a fraction of 2^64. From far below
 * it is no longer exact, but not 0 either: bit 63 of sig is set, and stays. */
static inline uint64_t vg_shift_out(uint64_t sig, int shift, uint64_t *dropped)
{
    if (shift <= 0) {
        *dropped = 0;
        return sig;
    }
    if (shift < 64) {
        *dropped = sig << (64 - shift);
        return sig >> shift;
    }
    *dropped = shift == 64 ? sig : sig >> 1 >> (shift - 65 < 62 ? shift - 65 : 62);
    return 0;
}

static inline uint64_t vg_sign_bit(const struct vg_format *f, bool neg)
{
    return (uint64_t)neg << (f->bits - 1u);
}

/* The largest finite number's bits, without the sign. */
static inline uint64_t vg_max_finite(const struct vg_format *f)
{
    unsigned fraction_bits = f->precision - 1u + f->tail;
    uint64_t inf = ((1ull << (f->bits - 1u - fraction_bits)) - 1) << fraction_bits;
    return f->no_inf ? 0x7E : inf - (1ull << f->tail);
}

static inline uint64_t vg_num_overflow(const struct vg_format *f, bool neg, enum vg_round r)
{
    bool to_max = r == VG_RZ || (r == VG_RM && !neg) || (r == VG_RP && neg);
    if (f->no_inf && !to_max) {
        return f->nan | vg_sign_bit(f, neg);
    }
    return (vg_max_finite(f) + (to_max ? 0 : 1ull << f->tail)) | vg_sign_bit(f, neg);
}

/* x rounded to the format, as bits. A NaN becomes the format's own. */
static inline uint64_t vg_num_round(const struct vg_format *f, struct vg_num x, enum vg_round r)
{
    if (x.class_of == VG_NAN) {
        return f->nan;
    }
    if (x.class_of == VG_ZERO) {
        return vg_sign_bit(f, x.neg);
    }
    if (x.class_of == VG_INFINITE) {
        return vg_num_overflow(f, x.neg, VG_RN);
    }
    int lead = x.exp + 63;
    bool normal = lead >= f->emin;
    int shift = 64 - f->precision + (normal ? 0 : f->emin - lead);
    uint64_t dropped;
    uint64_t kept = vg_shift_out(x.sig, shift, &dropped);
    kept += vg_round_up(r, x.neg, (kept & 1) != 0, dropped);
    /* The exponent field counts from emin; the hidden bit adds one to it, a carry another. */
    uint64_t field = normal ? (uint64_t)(lead - f->emin) : 0;
    uint64_t bits = ((field << (f->precision - 1)) + kept) << f->tail;
    if (bits > vg_max_finite(f)) {
        return vg_num_overflow(f, x.neg, r);
    }
    return bits | vg_sign_bit(f, x.neg);
}

/* x rounded to an integer: magnitude and whether it fits 64 bits (false: it is 2^64 or more). */
static inline bool vg_num_integer(struct vg_num x, enum vg_round r, uint64_t *magnitude)
{
    uint64_t dropped;
    *magnitude = 0;
    if (x.class_of == VG_ZERO) {
        return true;
    }
    if (x.class_of != VG_FINITE || x.exp > 0) {
        return false;
    }
    uint64_t kept = vg_shift_out(x.sig, -x.exp, &dropped);
    *magnitude = kept + vg_round_up(r, x.neg, (kept & 1) != 0, dropped);
    return true; /* a carry out of 64 bits needs more precision than any format has */
}

/* The same number with no fraction, for cvt.rni.f32.f32 and its kin. Infinities and NaN stay. */
static inline struct vg_num vg_num_whole(struct vg_num x, enum vg_round r)
{
    uint64_t magnitude;
    if (x.class_of != VG_FINITE || x.exp >= 0 || !vg_num_integer(x, r, &magnitude)) {
        return x;
    }
    return vg_num_normal(x.neg, 0, magnitude);
}

#endif
