/* Problem: f16, bf16 and their packed pairs: add, sub, mul, fma, min, max, abs, neg; f32 add, sub
 * and fma with half operands. Model: handlers over vg_f16.h, a pair being two independent halves.
 * Invariants: without a rounding add, sub and mul are .rn (the decoder adds it).
 * Simplified: nothing.
 */
#include "vg_f16.h"

#include "vg_float.h"
#include "vg_lanes.h"

typedef uint16_t u16;
typedef uint32_t u32;

/* f of both halves of a and b (and c). */
#define PAIR2(f, m) (f(a & 0xFFFFu, b & 0xFFFFu, m) | f(a >> 16, b >> 16, m) << 16)
#define PAIR3(f, m)                                                                                \
    (f(a & 0xFFFFu, b & 0xFFFFu, c & 0xFFFFu, m) | f(a >> 16, b >> 16, c >> 16, m) << 16)
#define BINARY(op, name, m)                                                                        \
    VG_BINARY(h_##op##_##name, u16, u16, u16, vg_##op##_half(a, b, m))                             \
    VG_BINARY(h_##op##x2_##name, u32, u32, u32, PAIR2(vg_##op##_half, m))
#define TERNARY(op, name, m)                                                                       \
    VG_TERNARY(h_##op##_##name, u16, u16, u16, u16, vg_##op##_half(a, b, c, m))                    \
    VG_TERNARY(h_##op##x2_##name, u32, u32, u32, u32, PAIR3(vg_##op##_half, m))
/* clang-format off */
#define ALL_BINARY(op) \
    BINARY(op, f16, 0) \
    BINARY(op, f16_ftz, VG_M_FTZ) \
    BINARY(op, f16_sat, VG_M_SAT) \
    BINARY(op, f16_ftz_sat, VG_M_FTZ | VG_M_SAT) \
    BINARY(op, bf16, VG_M_BF16)
/* clang-format on */

ALL_BINARY(add)
ALL_BINARY(sub)
ALL_BINARY(mul)
TERNARY(fma, f16, 0)
TERNARY(fma, f16_ftz, VG_M_FTZ)
TERNARY(fma, f16_sat, VG_M_SAT)
TERNARY(fma, f16_ftz_sat, VG_M_FTZ | VG_M_SAT)
TERNARY(fma, f16_relu, VG_M_RELU)
TERNARY(fma, f16_ftz_relu, VG_M_FTZ | VG_M_RELU)
TERNARY(fma, bf16, VG_M_BF16)
TERNARY(fma, bf16_relu, VG_M_BF16 | VG_M_RELU)

/* min, max: mods has the modifiers of the halves, and those of vg_minmax_f32 eight bits higher. */
#define MM(x, y) vg_minmax_half(x, y, i->mods & 0xFFu, i->mods >> 8 & 0xFFu)
VG_BINARY(h_minmax, u16, u16, u16, MM(a, b))
VG_BINARY(h_minmaxx2, u32, u32, u32, MM(a & 0xFFFFu, b & 0xFFFFu) | MM(a >> 16, b >> 16) << 16)

#define UNARY(op, name, m)                                                                         \
    VG_UNARY(h_##op##_##name, u16, u16, vg_##op##_half(a, m))                                      \
    VG_UNARY(h_##op##x2_##name, u32, u32,                                                          \
             vg_##op##_half(a & 0xFFFFu, m) | vg_##op##_half(a >> 16, m) << 16)
UNARY(abs, f16, 0)
UNARY(abs, f16_ftz, VG_M_FTZ)
UNARY(abs, bf16, VG_M_BF16)
UNARY(neg, f16, 0)
UNARY(neg, f16_ftz, VG_M_FTZ)
UNARY(neg, bf16, VG_M_BF16)

/* f32 with half sources: mods is the f32 modifiers, and VG_M_BF16. */
#define WIDEN(x) vg_f32_bits(vg_half_in(x, i->mods &VG_M_BF16))
VG_BINARY(h_mixed_add, u32, u16, u32, vg_add_f32(WIDEN(a), b, i->mods))
VG_BINARY(h_mixed_sub, u32, u16, u32, vg_sub_f32(WIDEN(a), b, i->mods))
VG_TERNARY(h_mixed_fma, u32, u16, u16, u32, vg_fma_f32(WIDEN(a), WIDEN(b), c, i->mods))

#define ROW(op, type, flags, ops, fn, mods) VG_ROW(op, type, NONE, flags, ops, fn, mods)
#define ROWS_PAIR(op, T, flags, ops, name)                                                         \
    ROW(op, T, flags, ops, h_##op##_##name, 0), ROW(op, T##X2, flags, ops, h_##op##x2_##name, 0)
#define ROWS_BINARY(op)                                                                            \
    ROWS_PAIR(op, F16, VG_F_rn, "TTT", f16),                                                       \
        ROWS_PAIR(op, F16, VG_F_rn | VG_F_ftz, "TTT", f16_ftz),                                    \
        ROWS_PAIR(op, F16, VG_F_rn | VG_F_sat, "TTT", f16_sat),                                    \
        ROWS_PAIR(op, F16, VG_F_rn | VG_F_ftz | VG_F_sat, "TTT", f16_ftz_sat),                     \
        ROWS_PAIR(op, BF16, VG_F_rn, "TTT", bf16)
/* One of min and max: .NaN, .xorsign.abs and, for f16, .ftz, in every combination. */
#define ROWS_MM(op, T, flags, m, mm)                                                               \
    ROW(op, T, flags, "TTT", h_minmax, (m) | (mm) << 8),                                           \
        ROW(op, T##X2, flags, "TTT", h_minmaxx2, (m) | (mm) << 8)
#define ROWS_MM4(op, T, flags, m, mm)                                                              \
    ROWS_MM(op, T, flags, m, mm), ROWS_MM(op, T, (flags) | VG_F_NaN, m, (mm) | VG_MM_NAN),         \
        ROWS_MM(op, T, (flags) | VG_F_xorsign | VG_F_abs, m, (mm) | VG_MM_XORSIGN),                \
        ROWS_MM(op, T, (flags) | VG_F_NaN | VG_F_xorsign | VG_F_abs, m,                            \
                (mm) | VG_MM_NAN | VG_MM_XORSIGN)
#define ROWS_MINMAX(op, mm)                                                                        \
    ROWS_MM4(op, F16, VG_F_none, 0, mm), ROWS_MM4(op, F16, VG_F_ftz, VG_M_FTZ, mm),                \
        ROWS_MM4(op, BF16, VG_F_none, VG_M_BF16, mm)

static const struct vg_row rows[] = {
    ROWS_BINARY(add),
    ROWS_BINARY(sub),
    ROWS_BINARY(mul),
    ROWS_MINMAX(min, 0),
    ROWS_MINMAX(max, VG_MM_MAX),
    ROWS_PAIR(abs, F16, VG_F_none, "TT", f16),
    ROWS_PAIR(abs, F16, VG_F_ftz, "TT", f16_ftz),
    ROWS_PAIR(abs, BF16, VG_F_none, "TT", bf16),
    ROWS_PAIR(neg, F16, VG_F_none, "TT", f16),
    ROWS_PAIR(neg, F16, VG_F_ftz, "TT", f16_ftz),
    ROWS_PAIR(neg, BF16, VG_F_none, "TT", bf16),
};
const struct vg_rows vg_f16_rows = VG_ROWS(rows);

#define ROW_MIXED(op, half, flags, ops, m) VG_ROW(op, F32, half, flags, ops, h_mixed_##op, m)
#define ROWS_MIXED(op, name, flags, m, ops)                                                        \
    ROW_MIXED(op, F16, flags, ops, m), ROW_MIXED(op, BF16, flags, ops, (m) | VG_M_BF16),
/* clang-format off */
#define MIXED_MODES(op, ops) \
    ROWS_MIXED(op, rn, VG_F_rn, VG_RN, ops) \
    ROWS_MIXED(op, rz, VG_F_rz, VG_RZ, ops) \
    ROWS_MIXED(op, rm, VG_F_rm, VG_RM, ops) \
    ROWS_MIXED(op, rp, VG_F_rp, VG_RP, ops) \
    ROWS_MIXED(op, rn_sat, VG_F_rn | VG_F_sat, VG_RN | VG_M_SAT, ops) \
    ROWS_MIXED(op, rz_sat, VG_F_rz | VG_F_sat, VG_RZ | VG_M_SAT, ops) \
    ROWS_MIXED(op, rm_sat, VG_F_rm | VG_F_sat, VG_RM | VG_M_SAT, ops) \
    ROWS_MIXED(op, rp_sat, VG_F_rp | VG_F_sat, VG_RP | VG_M_SAT, ops)
/* clang-format on */

static const struct vg_row fma_rows[] = {
    ROWS_PAIR(fma, F16, VG_F_rn, "TTTT", f16),
    ROWS_PAIR(fma, F16, VG_F_rn | VG_F_ftz, "TTTT", f16_ftz),
    ROWS_PAIR(fma, F16, VG_F_rn | VG_F_sat, "TTTT", f16_sat),
    ROWS_PAIR(fma, F16, VG_F_rn | VG_F_ftz | VG_F_sat, "TTTT", f16_ftz_sat),
    ROWS_PAIR(fma, F16, VG_F_rn | VG_F_relu, "TTTT", f16_relu),
    ROWS_PAIR(fma, F16, VG_F_rn | VG_F_ftz | VG_F_relu, "TTTT", f16_ftz_relu),
    ROWS_PAIR(fma, BF16, VG_F_rn, "TTTT", bf16),
    ROWS_PAIR(fma, BF16, VG_F_rn | VG_F_relu, "TTTT", bf16_relu),
    MIXED_MODES(add, "T2T") MIXED_MODES(sub, "T2T") MIXED_MODES(fma, "T22T")};
const struct vg_rows vg_f16_fma_rows = VG_ROWS(fma_rows);
