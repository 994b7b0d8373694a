/* Problem: integer add, sub, mul, mad, min, max, abs and neg of 16, 32 and 64 bits.
 * Model: one handler per meaning; signed and unsigned share it where the bits are the same.
 * Invariants: every expression is defined for all bit patterns (vg_lanes.h).
 * Simplified: nothing.
 */
#include "vg_arith.h"
#include "vg_int.h"
#include "vg_lanes.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

VG_BINARY(h_add_16, u16, u16, u16, a + b)
VG_BINARY(h_add_32, u32, u32, u32, a + b)
VG_BINARY(h_add_64, u64, u64, u64, a + b)
VG_BINARY(h_sub_16, u16, u16, u16, a - b)
VG_BINARY(h_sub_32, u32, u32, u32, a - b)
VG_BINARY(h_sub_64, u64, u64, u64, a - b)
VG_BINARY(h_addsat_s32, u32, u32, u32, vg_addsat_s32(a, b))
VG_BINARY(h_subsat_s32, u32, u32, u32, vg_subsat_s32(a, b))

VG_BINARY(h_mullo_16, u16, u16, u16, (u32)a *b)
VG_BINARY(h_mullo_32, u32, u32, u32, a *b)
VG_BINARY(h_mullo_64, u64, u64, u64, a *b)
VG_BINARY(h_mulhi_u16, u16, u16, u16, vg_mulhi_u16(a, b))
VG_BINARY(h_mulhi_s16, u16, u16, u16, vg_mulhi_s16(a, b))
VG_BINARY(h_mulhi_u32, u32, u32, u32, vg_mulhi_u32(a, b))
VG_BINARY(h_mulhi_s32, u32, u32, u32, vg_mulhi_s32(a, b))
VG_BINARY(h_mulhi_u64, u64, u64, u64, vg_mulhi_u64(a, b))
VG_BINARY(h_mulhi_s64, u64, u64, u64, vg_mulhi_s64(a, b))
VG_BINARY(h_mulwide_u16, u32, u16, u16, vg_mulwide_u16(a, b))
VG_BINARY(h_mulwide_s16, u32, u16, u16, vg_mulwide_s16(a, b))
VG_BINARY(h_mulwide_u32, u64, u32, u32, vg_mulwide_u32(a, b))
VG_BINARY(h_mulwide_s32, u64, u32, u32, vg_mulwide_s32(a, b))

VG_TERNARY(h_madlo_16, u16, u16, u16, u16, (u32)a *b + c)
VG_TERNARY(h_madlo_32, u32, u32, u32, u32, a *b + c)
VG_TERNARY(h_madlo_64, u64, u64, u64, u64, a *b + c)
VG_TERNARY(h_madhi_u16, u16, u16, u16, u16, vg_mulhi_u16(a, b) + c)
VG_TERNARY(h_madhi_s16, u16, u16, u16, u16, vg_mulhi_s16(a, b) + c)
VG_TERNARY(h_madhi_u32, u32, u32, u32, u32, vg_mulhi_u32(a, b) + c)
VG_TERNARY(h_madhi_s32, u32, u32, u32, u32, vg_mulhi_s32(a, b) + c)
VG_TERNARY(h_madhi_u64, u64, u64, u64, u64, vg_mulhi_u64(a, b) + c)
VG_TERNARY(h_madhi_s64, u64, u64, u64, u64, vg_mulhi_s64(a, b) + c)
VG_TERNARY(h_madhisat_s32, u32, u32, u32, u32, vg_madhisat_s32(a, b, c))
VG_TERNARY(h_madwide_u16, u32, u16, u16, u32, vg_mulwide_u16(a, b) + c)
VG_TERNARY(h_madwide_s16, u32, u16, u16, u32, vg_mulwide_s16(a, b) + c)
VG_TERNARY(h_madwide_u32, u64, u32, u32, u64, vg_mulwide_u32(a, b) + c)
VG_TERNARY(h_madwide_s32, u64, u32, u32, u64, vg_mulwide_s32(a, b) + c)

VG_BINARY(h_min_u16, u16, u16, u16, vg_min_u16(a, b))
VG_BINARY(h_min_s16, u16, u16, u16, vg_min_s16(a, b))
VG_BINARY(h_min_u32, u32, u32, u32, vg_min_u32(a, b))
VG_BINARY(h_min_s32, u32, u32, u32, vg_min_s32(a, b))
VG_BINARY(h_min_u64, u64, u64, u64, vg_min_u64(a, b))
VG_BINARY(h_min_s64, u64, u64, u64, vg_min_s64(a, b))
VG_BINARY(h_max_u16, u16, u16, u16, vg_max_u16(a, b))
VG_BINARY(h_max_s16, u16, u16, u16, vg_max_s16(a, b))
VG_BINARY(h_max_u32, u32, u32, u32, vg_max_u32(a, b))
VG_BINARY(h_max_s32, u32, u32, u32, vg_max_s32(a, b))
VG_BINARY(h_max_u64, u64, u64, u64, vg_max_u64(a, b))
VG_BINARY(h_max_s64, u64, u64, u64, vg_max_s64(a, b))
VG_BINARY(h_minrelu_s32, u32, u32, u32, vg_relu_s32(vg_min_s32(a, b)))
VG_BINARY(h_maxrelu_s32, u32, u32, u32, vg_relu_s32(vg_max_s32(a, b)))

VG_UNARY(h_abs_16, u16, u16, vg_magnitude_s16(a))
VG_UNARY(h_abs_32, u32, u32, vg_magnitude_s32(a))
VG_UNARY(h_abs_64, u64, u64, vg_magnitude_s64(a))
VG_UNARY(h_neg_16, u16, u16, 0 - a)
VG_UNARY(h_neg_32, u32, u32, 0 - a)
VG_UNARY(h_neg_64, u64, u64, 0 - a)

#define ROW(op, type, flags, ops, fn) VG_ROW(op, type, NONE, flags, ops, fn, 0)
/* All six integer types, by one handler of each width … */
#define ROWS_BY_WIDTH(op, flags, ops, fn)                                                          \
    ROW(op, U16, flags, ops, fn##_16), ROW(op, S16, flags, ops, fn##_16),                          \
        ROW(op, U32, flags, ops, fn##_32), ROW(op, S32, flags, ops, fn##_32),                      \
        ROW(op, U64, flags, ops, fn##_64), ROW(op, S64, flags, ops, fn##_64)
/* … or by a handler of each type. */
#define ROWS_BY_TYPE(op, flags, ops, fn)                                                           \
    ROW(op, U16, flags, ops, fn##_u16), ROW(op, S16, flags, ops, fn##_s16),                        \
        ROW(op, U32, flags, ops, fn##_u32), ROW(op, S32, flags, ops, fn##_s32),                    \
        ROW(op, U64, flags, ops, fn##_u64), ROW(op, S64, flags, ops, fn##_s64)
#define ROWS_WIDE(op, ops, fn)                                                                     \
    ROW(op, U16, VG_F_wide, ops, fn##_u16), ROW(op, S16, VG_F_wide, ops, fn##_s16),                \
        ROW(op, U32, VG_F_wide, ops, fn##_u32), ROW(op, S32, VG_F_wide, ops, fn##_s32)
#define ROWS_SIGNED(op, ops, fn)                                                                   \
    ROW(op, S16, 0, ops, fn##_16), ROW(op, S32, 0, ops, fn##_32), ROW(op, S64, 0, ops, fn##_64)

static const struct vg_row rows[] = {
    ROWS_BY_WIDTH(add, 0, "TTT", h_add),
    ROWS_BY_WIDTH(sub, 0, "TTT", h_sub),
    ROW(add, S32, VG_F_sat, "TTT", h_addsat_s32),
    ROW(sub, S32, VG_F_sat, "TTT", h_subsat_s32),
    ROWS_BY_WIDTH(mul, VG_F_lo, "TTT", h_mullo),
    ROWS_BY_TYPE(mul, VG_F_hi, "TTT", h_mulhi),
    ROWS_WIDE(mul, "WTT", h_mulwide),
    ROWS_BY_WIDTH(mad, VG_F_lo, "TTTT", h_madlo),
    ROWS_BY_TYPE(mad, VG_F_hi, "TTTT", h_madhi),
    ROW(mad, S32, VG_F_hi | VG_F_sat, "TTTT", h_madhisat_s32),
    ROWS_WIDE(mad, "WTTW", h_madwide),
    ROWS_BY_TYPE(min, 0, "TTT", h_min),
    ROWS_BY_TYPE(max, 0, "TTT", h_max),
    ROW(min, S32, VG_F_relu, "TTT", h_minrelu_s32),
    ROW(max, S32, VG_F_relu, "TTT", h_maxrelu_s32),
    ROWS_SIGNED(abs, "TT", h_abs),
    ROWS_SIGNED(neg, "TT", h_neg),
};
const struct vg_rows vg_int_alu_rows = VG_ROWS(rows);
