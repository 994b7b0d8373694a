/* Problem: the integer instructions that are rare: division, remainder, sad, 24-bit products, dot
 * products of bytes, pairs of 16-bit numbers in one register.
 * Model: as vg_int_alu.c, over the functions of vg_arith.h.
 * Invariants: as there; the divisions never trap, for idle lanes either.
 * Simplified: nothing.
 */
#include "vg_arith.h"
#include "vg_int.h"
#include "vg_lanes.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

VG_BINARY(h_div_u16, u16, u16, u16, vg_div_u16(a, b))
VG_BINARY(h_div_s16, u16, u16, u16, vg_div_s16(a, b))
VG_BINARY(h_div_u32, u32, u32, u32, vg_div_u32(a, b))
VG_BINARY(h_div_s32, u32, u32, u32, vg_div_s32(a, b))
VG_BINARY(h_div_u64, u64, u64, u64, vg_div_u64(a, b))
VG_BINARY(h_div_s64, u64, u64, u64, vg_div_s64(a, b))
VG_BINARY(h_rem_u16, u16, u16, u16, vg_rem_u16(a, b))
VG_BINARY(h_rem_s16, u16, u16, u16, vg_rem_s16(a, b))
VG_BINARY(h_rem_u32, u32, u32, u32, vg_rem_u32(a, b))
VG_BINARY(h_rem_s32, u32, u32, u32, vg_rem_s32(a, b))
VG_BINARY(h_rem_u64, u64, u64, u64, vg_rem_u64(a, b))
VG_BINARY(h_rem_s64, u64, u64, u64, vg_rem_s64(a, b))

VG_TERNARY(h_sad_u16, u16, u16, u16, u16, vg_sad_u16(a, b, c))
VG_TERNARY(h_sad_s16, u16, u16, u16, u16, vg_sad_s16(a, b, c))
VG_TERNARY(h_sad_u32, u32, u32, u32, u32, vg_sad_u32(a, b, c))
VG_TERNARY(h_sad_s32, u32, u32, u32, u32, vg_sad_s32(a, b, c))
VG_TERNARY(h_sad_u64, u64, u64, u64, u64, vg_sad_u64(a, b, c))
VG_TERNARY(h_sad_s64, u64, u64, u64, u64, vg_sad_s64(a, b, c))

VG_BINARY(h_mul24lo_u32, u32, u32, u32, vg_mul24lo_u32(a, b))
VG_BINARY(h_mul24lo_s32, u32, u32, u32, vg_mul24lo_s32(a, b))
VG_BINARY(h_mul24hi_u32, u32, u32, u32, vg_mul24hi_u32(a, b))
VG_BINARY(h_mul24hi_s32, u32, u32, u32, vg_mul24hi_s32(a, b))
VG_TERNARY(h_mad24lo_u32, u32, u32, u32, u32, vg_mul24lo_u32(a, b) + c)
VG_TERNARY(h_mad24lo_s32, u32, u32, u32, u32, vg_mul24lo_s32(a, b) + c)
VG_TERNARY(h_mad24hi_u32, u32, u32, u32, u32, vg_mul24hi_u32(a, b) + c)
VG_TERNARY(h_mad24hi_s32, u32, u32, u32, u32, vg_mul24hi_s32(a, b) + c)
VG_TERNARY(h_mad24hisat_s32, u32, u32, u32, u32, vg_mad24hisat_s32(a, b, c))

/* Letters: the signedness of a, then of b. */
VG_TERNARY(h_dp4a_uu, u32, u32, u32, u32, vg_dp4a(a, b, c, 0, 0))
VG_TERNARY(h_dp4a_us, u32, u32, u32, u32, vg_dp4a(a, b, c, 0, 1))
VG_TERNARY(h_dp4a_su, u32, u32, u32, u32, vg_dp4a(a, b, c, 1, 0))
VG_TERNARY(h_dp4a_ss, u32, u32, u32, u32, vg_dp4a(a, b, c, 1, 1))
VG_TERNARY(h_dp2alo_uu, u32, u32, u32, u32, vg_dp2a(a, b, c, 0, 0))
VG_TERNARY(h_dp2alo_us, u32, u32, u32, u32, vg_dp2a(a, b, c, 0, 1))
VG_TERNARY(h_dp2alo_su, u32, u32, u32, u32, vg_dp2a(a, b, c, 1, 0))
VG_TERNARY(h_dp2alo_ss, u32, u32, u32, u32, vg_dp2a(a, b, c, 1, 1))
VG_TERNARY(h_dp2ahi_uu, u32, u32, u32, u32, vg_dp2a(a, b, c, 0, 2))
VG_TERNARY(h_dp2ahi_us, u32, u32, u32, u32, vg_dp2a(a, b, c, 0, 3))
VG_TERNARY(h_dp2ahi_su, u32, u32, u32, u32, vg_dp2a(a, b, c, 1, 2))
VG_TERNARY(h_dp2ahi_ss, u32, u32, u32, u32, vg_dp2a(a, b, c, 1, 3))

/* An expression of the halves, for both halves. */
#define HALVES(f)      vg_halves(f(vg_half0(a), vg_half0(b)), f(vg_half1(a), vg_half1(b)))
#define RELU_HALVES(x) vg_halves(vg_relu_s16(vg_half0(x)), vg_relu_s16(vg_half1(x)))
VG_BINARY(h_add_16x2, u32, u32, u32, vg_add_u16x2(a, b))
VG_BINARY(h_min_u16x2, u32, u32, u32, HALVES(vg_min_u16))
VG_BINARY(h_max_u16x2, u32, u32, u32, HALVES(vg_max_u16))
VG_BINARY(h_min_s16x2, u32, u32, u32, HALVES(vg_min_s16))
VG_BINARY(h_max_s16x2, u32, u32, u32, HALVES(vg_max_s16))
VG_BINARY(h_minrelu_s16x2, u32, u32, u32, RELU_HALVES(HALVES(vg_min_s16)))
VG_BINARY(h_maxrelu_s16x2, u32, u32, u32, RELU_HALVES(HALVES(vg_max_s16)))

#define ROW(op, type, flags, ops, fn) VG_ROW(op, type, NONE, flags, ops, fn, 0)
#define ROWS_BY_TYPE(op, ops, fn)                                                                  \
    ROW(op, U16, 0, ops, fn##_u16), ROW(op, S16, 0, ops, fn##_s16),                                \
        ROW(op, U32, 0, ops, fn##_u32), ROW(op, S32, 0, ops, fn##_s32),                            \
        ROW(op, U64, 0, ops, fn##_u64), ROW(op, S64, 0, ops, fn##_s64)
#define ROWS_24(op, half, ops)                                                                     \
    ROW(op, U32, VG_F_##half, ops, h_##op##half##_u32),                                            \
        ROW(op, S32, VG_F_##half, ops, h_##op##half##_s32)
#define ROWS_DOT(op, flags, fn)                                                                    \
    VG_ROW(op, U32, U32, flags, "TTTT", fn##_uu, 0),                                               \
        VG_ROW(op, U32, S32, flags, "TTTT", fn##_us, 0),                                           \
        VG_ROW(op, S32, U32, flags, "TTTT", fn##_su, 0),                                           \
        VG_ROW(op, S32, S32, flags, "TTTT", fn##_ss, 0)

static const struct vg_row rows[] = {
    ROWS_BY_TYPE(div, "TTT", h_div),
    ROWS_BY_TYPE(rem, "TTT", h_rem),
    ROWS_BY_TYPE(sad, "TTTT", h_sad),
    ROWS_24(mul24, lo, "TTT"),
    ROWS_24(mul24, hi, "TTT"),
    ROWS_24(mad24, lo, "TTTT"),
    ROWS_24(mad24, hi, "TTTT"),
    ROW(mad24, S32, VG_F_hi | VG_F_sat, "TTTT", h_mad24hisat_s32),
    ROWS_DOT(dp4a, 0, h_dp4a),
    ROWS_DOT(dp2a, VG_F_lo, h_dp2alo),
    ROWS_DOT(dp2a, VG_F_hi, h_dp2ahi),
    ROW(add, U16X2, 0, "TTT", h_add_16x2),
    ROW(add, S16X2, 0, "TTT", h_add_16x2),
    ROW(min, U16X2, 0, "TTT", h_min_u16x2),
    ROW(max, U16X2, 0, "TTT", h_max_u16x2),
    ROW(min, S16X2, 0, "TTT", h_min_s16x2),
    ROW(max, S16X2, 0, "TTT", h_max_s16x2),
    ROW(min, S16X2, VG_F_relu, "TTT", h_minrelu_s16x2),
    ROW(max, S16X2, VG_F_relu, "TTT", h_maxrelu_s16x2),
};
const struct vg_rows vg_int_more_rows = VG_ROWS(rows);
