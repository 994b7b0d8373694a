/* Problem: f32 add, sub, mul, fma, min, max, abs, neg and copysign with every modifier.
 * Model: a handler for each combination, over the functions of vg_float_f32.h with the modifiers as
 * a constant.
 * Invariants: add, sub and mul without a rounding are .rn (the decoder adds it); mad.f32 is
 * fma.f32. Simplified: nothing.
 */
#include "vg_float_f32.h"

#include "vg_float.h"
#include "vg_lanes.h"

typedef uint32_t u32;

#define BINARY(op, name, flags, m) VG_BINARY(h_##op##_##name, u32, u32, u32, vg_##op##_f32(a, b, m))
#define TERNARY(op, name, flags, m)                                                                \
    VG_TERNARY(h_##op##_##name, u32, u32, u32, u32, vg_##op##_f32(a, b, c, m))

VG_F32_MODES(BINARY, add)
VG_F32_MODES(BINARY, sub)
VG_F32_MODES(BINARY, mul)
VG_F32_MODES(TERNARY, fma)

VG_TERNARY(h_soft_rn, u32, u32, u32, u32, vg_fma_f32_soft(a, b, c, 0))
VG_TERNARY(h_soft_rn_ftz, u32, u32, u32, u32, vg_fma_f32_soft(a, b, c, VG_M_FTZ))
VG_TERNARY(h_soft_rn_sat, u32, u32, u32, u32, vg_fma_f32_soft(a, b, c, VG_M_SAT))
VG_TERNARY(h_soft_rn_ftz_sat, u32, u32, u32, u32, vg_fma_f32_soft(a, b, c, VG_M_FTZ | VG_M_SAT))

/* Whether the clone of a handler that runs here has the host's fused multiply-add. */
static bool host_fuses(void)
{
#if defined(__FMA__) || defined(__aarch64__)
    return true;
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
    return false;
#endif
}

vg_handler vg_fma_for_host(vg_handler fused)
{
    if (host_fuses()) {
        return fused;
    }
    const vg_handler pairs[][2] = {
        {h_fma_rn, h_soft_rn},
        {h_fma_rn_ftz, h_soft_rn_ftz},
        {h_fma_rn_sat, h_soft_rn_sat},
        {h_fma_rn_ftz_sat, h_soft_rn_ftz_sat},
    };
    for (unsigned k = 0; k < 4; k++) {
        if (pairs[k][0] == fused) {
            return pairs[k][1];
        }
    }
    return fused;
}

/* --- min, max --- */

#define MINMAX(name, m) VG_BINARY(h_##name, u32, u32, u32, vg_minmax_f32(a, b, m))
MINMAX(min, 0)
MINMAX(max, VG_MM_MAX)
MINMAX(min_ftz, VG_MM_FTZ)
MINMAX(max_ftz, VG_MM_MAX | VG_MM_FTZ)
MINMAX(min_nan, VG_MM_NAN)
MINMAX(max_nan, VG_MM_MAX | VG_MM_NAN)
MINMAX(min_ftz_nan, VG_MM_FTZ | VG_MM_NAN)
MINMAX(max_ftz_nan, VG_MM_MAX | VG_MM_FTZ | VG_MM_NAN)
MINMAX(minmax_any, i->mods)
VG_TERNARY(h_minmax3, u32, u32, u32, u32, vg_minmax_f32(vg_minmax_f32(a, b, i->mods), c, i->mods))

VG_UNARY(h_abs, u32, u32, vg_abs_f32(a, 0))
VG_UNARY(h_abs_ftz, u32, u32, vg_abs_f32(a, VG_M_FTZ))
VG_UNARY(h_neg, u32, u32, vg_neg_f32(a, 0))
VG_UNARY(h_neg_ftz, u32, u32, vg_neg_f32(a, VG_M_FTZ))
VG_BINARY(h_copysign, u32, u32, u32, vg_copysign_f32(a, b))

#define ROW(op, flags, ops, fn, mods) VG_ROW(op, F32, NONE, flags, ops, fn, mods)
#define ROW2(op, name, flags, m)      ROW(op, flags, "TTT", h_##op##_##name, 0),
#define ROW_FMA(op, name, flags, m)   ROW(op, flags, "TTTT", h_fma_##name, 0),
/* min or max with three operands and with .xorsign.abs: every pair of .ftz and .NaN. */
#define ROWS_ANY(op, ops, more, fn, m)                                                             \
    ROW(op, more, ops, fn, m), ROW(op, (more) | VG_F_ftz, ops, fn, (m) | VG_MM_FTZ),               \
        ROW(op, (more) | VG_F_NaN, ops, fn, (m) | VG_MM_NAN),                                      \
        ROW(op, (more) | VG_F_ftz | VG_F_NaN, ops, fn, (m) | VG_MM_FTZ | VG_MM_NAN)
#define ROWS_XORSIGN(op, m)                                                                        \
    ROWS_ANY(op, "TTT", VG_F_xorsign | VG_F_abs, h_minmax_any, (m) | VG_MM_XORSIGN)

static const struct vg_row rows[] = {
    VG_F32_MODES(ROW2, add) VG_F32_MODES(ROW2, sub) VG_F32_MODES(ROW2, mul)
        VG_F32_MODES(ROW_FMA, fma) VG_F32_MODES(ROW_FMA, mad) ROW(min, 0, "TTT", h_min, 0),
    ROW(max, 0, "TTT", h_max, 0),
    ROW(min, VG_F_ftz, "TTT", h_min_ftz, 0),
    ROW(max, VG_F_ftz, "TTT", h_max_ftz, 0),
    ROW(min, VG_F_NaN, "TTT", h_min_nan, 0),
    ROW(max, VG_F_NaN, "TTT", h_max_nan, 0),
    ROW(min, VG_F_ftz | VG_F_NaN, "TTT", h_min_ftz_nan, 0),
    ROW(max, VG_F_ftz | VG_F_NaN, "TTT", h_max_ftz_nan, 0),
    ROWS_XORSIGN(min, 0),
    ROWS_XORSIGN(max, VG_MM_MAX),
    ROWS_ANY(min, "TTTT", 0, h_minmax3, 0),
    ROWS_ANY(max, "TTTT", 0, h_minmax3, VG_MM_MAX),
    ROWS_ANY(min, "TTTT", VG_F_abs, h_minmax3, VG_MM_ABS),
    ROWS_ANY(max, "TTTT", VG_F_abs, h_minmax3, VG_MM_MAX | VG_MM_ABS),
    ROW(abs, 0, "TT", h_abs, 0),
    ROW(abs, VG_F_ftz, "TT", h_abs_ftz, 0),
    ROW(neg, 0, "TT", h_neg, 0),
    ROW(neg, VG_F_ftz, "TT", h_neg_ftz, 0),
    ROW(copysign, 0, "TTT", h_copysign, 0),
};
const struct vg_rows vg_float_f32_rows = VG_ROWS(rows);
