/* Problem: the conversions that kernels make all the time should be vector loops.
 * Model: between integers, cut off or extend. Float to integer: clamp, round, and add a power of
 * two that leaves the integer in the low bits of an f64's fraction. Floats: the host's, or
 * vg_f16.h. Invariants: each agrees with vg_cvt of vg_cvt_core.h for every input (test_vg_cvt
 * compares them). Registers have the width of their type here; others take the way of vg_cvt.c.
 * Simplified: nothing.
 */
#include "vg_arith.h"
#include "vg_cvt.h"
#include "vg_f16.h"
#include "vg_lanes.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* Letters of the names: destination's register bits, then the source's type. */
VG_UNARY(h_16_16, u16, u16, a)
VG_UNARY(h_32_32, u32, u32, a)
VG_UNARY(h_64_64, u64, u64, a)
VG_UNARY(h_16_32, u16, u32, a)
VG_UNARY(h_16_64, u16, u64, a)
VG_UNARY(h_32_64, u32, u64, a)
VG_UNARY(h_32_u16, u32, u16, a)
VG_UNARY(h_64_u16, u64, u16, a)
VG_UNARY(h_64_u32, u64, u32, a)
VG_UNARY(h_32_s16, u32, u16, vg_s16(a))
VG_UNARY(h_64_s16, u64, u16, (int64_t)vg_s16(a))
VG_UNARY(h_64_s32, u64, u32, (int64_t)vg_s32(a))
/* 8 bits live in registers of 16. */
VG_UNARY(h_u8_16, u16, u16, a & 0xFFu)
VG_UNARY(h_u8_32, u16, u32, a & 0xFFu)
VG_UNARY(h_s8_16, u16, u16, vg_byte(a, 0, 1))
VG_UNARY(h_s8_32, u16, u32, vg_byte(a, 0, 1))
VG_UNARY(h_32_u8, u32, u16, a & 0xFFu)
VG_UNARY(h_64_u8, u64, u16, a & 0xFFu)
VG_UNARY(h_32_s8, u32, u16, vg_byte(a, 0, 1))
VG_UNARY(h_64_s8, u64, u16, (int64_t)vg_s32(vg_byte(a, 0, 1)))

/* --- integer to float; nothing is lost on the way to f64 --- */

VG_FN uint32_t f32_of_u32(uint32_t a)
{
    return vg_f32_bits((float)(vg_f64(a | 0x4330000000000000ull) - 0x1p52));
}
VG_UNARY(h_f32_s32, u32, u32, vg_f32_bits((float)vg_s32(a)))
VG_UNARY(h_f32_u32, u32, u32, f32_of_u32(a))
VG_UNARY(h_f32_s64, u32, u64, vg_f32_bits((float)vg_s64(a)))
VG_UNARY(h_f32_u64, u32, u64, vg_f32_bits((float)a))
VG_UNARY(h_f64_s32, u64, u32, vg_f64_bits((double)vg_s32(a)))
VG_UNARY(h_f64_u32, u64, u32, vg_f64_bits(vg_f64(a | 0x4330000000000000ull) - 0x1p52))
VG_UNARY(h_f64_s64, u64, u64, vg_f64_bits((double)vg_s64(a)))
VG_UNARY(h_f64_u64, u64, u64, vg_f64_bits((double)a))

/* --- float to 32-bit integer --- */

VG_FN double whole(double x, enum vg_round r)
{
    switch (r) {
    case VG_RN: return __builtin_rint(x);
    case VG_RM: return __builtin_floor(x);
    case VG_RP: return __builtin_ceil(x);
    default: return __builtin_trunc(x);
    }
}
/* x in [-2^31, 2^32] without fraction: its low 32 bits. */
VG_FN uint32_t low_bits(double x)
{
    return (uint32_t)vg_f64_bits(x + 0x1.8p52);
}
VG_FN uint32_t s32_of(double x, enum vg_round r, uint32_t nan)
{
    double y = x > -0x1p31 ? x : -0x1p31;
    y = y < 0x1p31 - 1 ? y : 0x1p31 - 1;
    return x != x ? nan : low_bits(whole(y, r));
}
VG_FN uint32_t u32_of(double x, enum vg_round r, uint32_t nan)
{
    double y = x > 0 ? x : 0;
    y = y < 0x1p32 - 1 ? y : 0x1p32 - 1;
    return x != x ? nan : low_bits(whole(y, r));
}
#define TO_INT(name, r)                                                                            \
    VG_UNARY(h_s32_f32_##name, u32, u32, s32_of(vg_f32(a), r, 0))                                  \
    VG_UNARY(h_u32_f32_##name, u32, u32, u32_of(vg_f32(a), r, 0))                                  \
    VG_UNARY(h_s32_f32_##name##_ftz, u32, u32, s32_of(vg_f32(vg_flush_f32(a)), r, 0))              \
    VG_UNARY(h_u32_f32_##name##_ftz, u32, u32, u32_of(vg_f32(vg_flush_f32(a)), r, 0))              \
    VG_UNARY(h_s32_f64_##name, u32, u64, s32_of(vg_f64(a), r, 0x80000000u))                        \
    VG_UNARY(h_u32_f64_##name, u32, u64, u32_of(vg_f64(a), r, 0x80000000u))
TO_INT(rni, VG_RN)
TO_INT(rzi, VG_RZ)
TO_INT(rmi, VG_RM)
TO_INT(rpi, VG_RP)

/* --- float to float --- */

VG_FN uint32_t whole_f32(uint32_t a, enum vg_round r)
{
    return vg_f32_out((float)whole(vg_f32(a), r), 0);
}
VG_FN uint64_t whole_f64(uint64_t a, enum vg_round r)
{
    return vg_f64_out(whole(vg_f64(a), r), VG_NAN_F64, 0, 0);
}
#define WHOLE(name, r)                                                                             \
    VG_UNARY(h_f32_f32_##name, u32, u32, whole_f32(a, r))                                          \
    VG_UNARY(h_f32_f32_##name##_ftz, u32, u32, whole_f32(vg_flush_f32(a), r))                      \
    VG_UNARY(h_f64_f64_##name, u64, u64, whole_f64(a, r))
WHOLE(rni, VG_RN)
WHOLE(rzi, VG_RZ)
WHOLE(rmi, VG_RM)
WHOLE(rpi, VG_RP)

/* NaN payloads pass between f32 and f64 (vg_nan_float). */
VG_FN uint64_t f64_of_f32(uint32_t a)
{
    uint64_t nan =
        (uint64_t)(a & 0x80000000u) << 32 | 0x7FF8000000000000ull | (uint64_t)(a & 0x7FFFFFu) << 29;
    return vg_is_nan_f32(a) != 0 ? nan : vg_f64_bits(vg_f32(a));
}
VG_FN uint32_t f32_of_f64(uint64_t a)
{
    uint32_t nan =
        ((uint32_t)(a >> 32) & 0x80000000u) | 0x7FC00000u | ((uint32_t)(a >> 29) & 0x3FFFFFu);
    return vg_is_nan_f64(a) != 0 ? nan : vg_f32_bits((float)vg_f64(a));
}
VG_UNARY(h_f32_sat, u32, u32, vg_f32_out(vg_f32(a), VG_M_SAT))
VG_UNARY(h_f32_ftz_sat, u32, u32, vg_f32_out(vg_f32_in(a, VG_M_FTZ), VG_M_SAT))
VG_UNARY(h_f32_ftz, u32, u32, vg_is_nan_f32(a) != 0 ? a | 0x400000u : vg_flush_f32(a))
VG_UNARY(h_f64_f32, u64, u32, f64_of_f32(a))
VG_UNARY(h_f32_f64, u32, u64, f32_of_f64(a))
VG_UNARY(h_f32_f16, u32, u16, vg_f32_of_f16(a))
VG_UNARY(h_f32_bf16, u32, u16, vg_f32_of_bf16(a))
VG_UNARY(h_f16_f32, u16, u32, vg_f16_of_f32(a))
VG_UNARY(h_bf16_f32, u16, u32, vg_bf16_of_f32(a))

#define ROW(to, from, flags, fn) VG_ROW(cvt, to, from, flags, "T2", fn, 0)
/* Both signednesses of the destination. */
#define ROWS_INT(bits, from, fn) ROW(U##bits, from, 0, fn), ROW(S##bits, from, 0, fn)
#define ROWS_TO_INT(name)                                                                          \
    ROW(S32, F32, VG_F_##name, h_s32_f32_##name), ROW(U32, F32, VG_F_##name, h_u32_f32_##name),    \
        ROW(S32, F32, VG_F_##name | VG_F_ftz, h_s32_f32_##name##_ftz),                             \
        ROW(U32, F32, VG_F_##name | VG_F_ftz, h_u32_f32_##name##_ftz),                             \
        ROW(S32, F64, VG_F_##name, h_s32_f64_##name), ROW(U32, F64, VG_F_##name, h_u32_f64_##name)
#define ROWS_WHOLE(name)                                                                           \
    ROW(F32, F32, VG_F_##name, h_f32_f32_##name),                                                  \
        ROW(F32, F32, VG_F_##name | VG_F_ftz, h_f32_f32_##name##_ftz),                             \
        ROW(F64, F64, VG_F_##name, h_f64_f64_##name)

static const struct vg_row rows[] = {
    ROWS_INT(16, U16, h_16_16),
    ROWS_INT(16, S16, h_16_16),
    ROWS_INT(16, U32, h_16_32),
    ROWS_INT(16, S32, h_16_32),
    ROWS_INT(16, U64, h_16_64),
    ROWS_INT(16, S64, h_16_64),
    ROWS_INT(32, U32, h_32_32),
    ROWS_INT(32, S32, h_32_32),
    ROWS_INT(32, U64, h_32_64),
    ROWS_INT(32, S64, h_32_64),
    ROWS_INT(64, U64, h_64_64),
    ROWS_INT(64, S64, h_64_64),
    ROWS_INT(32, U16, h_32_u16),
    ROWS_INT(32, S16, h_32_s16),
    ROWS_INT(64, U16, h_64_u16),
    ROWS_INT(64, S16, h_64_s16),
    ROWS_INT(64, U32, h_64_u32),
    ROWS_INT(64, S32, h_64_s32),
    ROWS_INT(16, U8, h_u8_16),
    ROWS_INT(16, S8, h_s8_16),
    ROWS_INT(32, U8, h_32_u8),
    ROWS_INT(32, S8, h_32_s8),
    ROWS_INT(64, U8, h_64_u8),
    ROWS_INT(64, S8, h_64_s8),
    ROW(U8, U16, 0, h_u8_16),
    ROW(U8, S16, 0, h_u8_16),
    ROW(U8, U32, 0, h_u8_32),
    ROW(U8, S32, 0, h_u8_32),
    ROW(S8, U16, 0, h_s8_16),
    ROW(S8, S16, 0, h_s8_16),
    ROW(S8, U32, 0, h_s8_32),
    ROW(S8, S32, 0, h_s8_32),
    ROW(F32, S32, VG_F_rn, h_f32_s32),
    ROW(F32, U32, VG_F_rn, h_f32_u32),
    ROW(F32, S64, VG_F_rn, h_f32_s64),
    ROW(F32, U64, VG_F_rn, h_f32_u64),
    ROW(F64, S32, VG_F_rn, h_f64_s32),
    ROW(F64, U32, VG_F_rn, h_f64_u32),
    ROW(F64, S64, VG_F_rn, h_f64_s64),
    ROW(F64, U64, VG_F_rn, h_f64_u64),
    ROWS_TO_INT(rni),
    ROWS_TO_INT(rzi),
    ROWS_TO_INT(rmi),
    ROWS_TO_INT(rpi),
    ROWS_WHOLE(rni),
    ROWS_WHOLE(rzi),
    ROWS_WHOLE(rmi),
    ROWS_WHOLE(rpi),
    ROW(F32, F32, VG_F_sat, h_f32_sat),
    ROW(F32, F32, VG_F_ftz | VG_F_sat, h_f32_ftz_sat),
    ROW(F32, F32, VG_F_ftz, h_f32_ftz),
    ROW(F32, F32, 0, h_32_32),
    ROW(F64, F64, 0, h_64_64),
    ROW(F64, F32, 0, h_f64_f32),
    ROW(F32, F64, VG_F_rn, h_f32_f64),
    ROW(F32, F16, 0, h_f32_f16),
    ROW(F32, BF16, 0, h_f32_bf16),
    ROW(F16, F32, VG_F_rn, h_f16_f32),
    ROW(BF16, F32, VG_F_rn, h_bf16_f32),
};
const struct vg_rows vg_cvt_fast_rows = VG_ROWS(rows);
