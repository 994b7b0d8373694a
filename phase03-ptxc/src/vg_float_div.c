/* Problem: division, reciprocal and square root of f32 and f64, to nearest and directed.
 * Model: f32 as vg_float_f32.c. f64 to nearest is the host's; directed f64 calls vg_f64_directed
 * with the operation and the direction in mods.
 * Invariants: none of them traps, whatever idle lanes hold.
 * Simplified: on a GPU these are subroutines of a dozen instructions that ptxas inserts.
 */
#include "vg_approx.h"
#include "vg_float.h"
#include "vg_lanes.h"

typedef uint32_t u32;
typedef uint64_t u64;

/* clang-format off */
#define MODES(X, op) \
    X(op, rn, VG_F_rn, VG_RN) \
    X(op, rz, VG_F_rz, VG_RZ) \
    X(op, rm, VG_F_rm, VG_RM) \
    X(op, rp, VG_F_rp, VG_RP) \
    X(op, rn_ftz, VG_F_rn | VG_F_ftz, VG_RN | VG_M_FTZ) \
    X(op, rz_ftz, VG_F_rz | VG_F_ftz, VG_RZ | VG_M_FTZ) \
    X(op, rm_ftz, VG_F_rm | VG_F_ftz, VG_RM | VG_M_FTZ) \
    X(op, rp_ftz, VG_F_rp | VG_F_ftz, VG_RP | VG_M_FTZ)
/* clang-format on */
#define BINARY(op, name, flags, m) VG_BINARY(h_##op##_##name, u32, u32, u32, vg_##op##_f32(a, b, m))
#define UNARY(op, name, flags, m)  VG_UNARY(h_##op##_##name, u32, u32, vg_##op##_f32(a, m))

MODES(BINARY, div)
MODES(UNARY, rcp)
MODES(UNARY, sqrt)
VG_BINARY(h_div_approx, u32, u32, u32, vg_div_approx_f32(a, b, 0))
VG_BINARY(h_div_approx_ftz, u32, u32, u32, vg_div_approx_f32(a, b, VG_M_FTZ))

VG_BINARY(h_add_f64, u64, u64, u64, vg_add_f64(a, b))
VG_BINARY(h_sub_f64, u64, u64, u64, vg_sub_f64(a, b))
VG_BINARY(h_mul_f64, u64, u64, u64, vg_mul_f64(a, b))
VG_TERNARY(h_fma_f64, u64, u64, u64, u64, vg_fma_f64(a, b, c))
VG_BINARY(h_div_f64, u64, u64, u64, vg_div_f64(a, b))
VG_UNARY(h_rcp_f64, u64, u64, vg_rcp_f64(a))
VG_UNARY(h_sqrt_f64, u64, u64, vg_sqrt_f64(a))

/* mods: the direction, and the operation above it. */
static void h_directed(struct vg_warp *w, const struct vg_insn *i)
{
    const uint64_t *a = VG_U64(w, i->a);
    const uint64_t *b = i->b != VG_NO_SLOT ? VG_U64(w, i->b) : a;
    const uint64_t *c = i->c != VG_NO_SLOT ? VG_U64(w, i->c) : a;
    const uint64_t *src[] = {a, b, c};
    uint64_t r[VG_LANES];
    vg_f64_directed((enum vg_f64_op)(i->mods >> 4 & 7u), (enum vg_round)(i->mods & 3u), src, r,
                    VG_LANES);
    VG_STORE_LANES(uint64_t, v = r[l]);
}

VG_BINARY(h_min_f64, u64, u64, u64, vg_minmax_f64(a, b, 0))
VG_BINARY(h_max_f64, u64, u64, u64, vg_minmax_f64(a, b, 1))
VG_UNARY(h_abs_f64, u64, u64, vg_abs_f64(a))
VG_UNARY(h_neg_f64, u64, u64, vg_neg_f64(a))
VG_BINARY(h_copysign_f64, u64, u64, u64, vg_copysign_f64(a, b))

/* --- testp --- */

static void h_testp_f32(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *a = VG_U32(w, i->a);
    uint32_t bits = 0;
    VG_FOR_LANES(l)
    {
        struct vg_num x = vg_num_of_float(&VG_FMT_F32, a[l]);
        bits |= vg_testp(x, (enum vg_testp)(i->mods & 7u), VG_FMT_F32.emin) << l;
    }
    vg_put_pred(w, i->d, bits);
}

static void h_testp_f64(struct vg_warp *w, const struct vg_insn *i)
{
    const uint64_t *a = VG_U64(w, i->a);
    uint32_t bits = 0;
    VG_FOR_LANES(l)
    {
        struct vg_num x = vg_num_of_float(&VG_FMT_F64, a[l]);
        bits |= vg_testp(x, (enum vg_testp)(i->mods & 7u), VG_FMT_F64.emin) << l;
    }
    vg_put_pred(w, i->d, bits);
}

#define F32(op, flags, ops, fn)        VG_ROW(op, F32, NONE, flags, ops, fn, 0)
#define F64(op, flags, ops, fn, mods)  VG_ROW(op, F64, NONE, flags, ops, fn, mods)
#define ROW_BINARY(op, name, flags, m) F32(op, flags, "TTT", h_##op##_##name),
#define ROW_UNARY(op, name, flags, m)  F32(op, flags, "TT", h_##op##_##name),
#define ROWS_F64(op, ops, nearest, number)                                                         \
    F64(op, VG_F_rn, ops, nearest, 0), F64(op, VG_F_rz, ops, h_directed, VG_RZ | (number) << 4),   \
        F64(op, VG_F_rm, ops, h_directed, VG_RM | (number) << 4),                                  \
        F64(op, VG_F_rp, ops, h_directed, VG_RP | (number) << 4)
#define ROWS_TESTP(how, number)                                                                    \
    VG_ROW(testp, F32, NONE, VG_F_##how, "pT", h_testp_f32, number),                               \
        VG_ROW(testp, F64, NONE, VG_F_##how, "pT", h_testp_f64, number)

static const struct vg_row div_rows[] = {
    MODES(ROW_BINARY, div) MODES(ROW_UNARY, rcp) MODES(ROW_UNARY, sqrt)
        F32(div, VG_F_full, "TTT", h_div_rn),
    F32(div, VG_F_full | VG_F_ftz, "TTT", h_div_rn_ftz),
    F32(div, VG_F_approx, "TTT", h_div_approx),
    F32(div, VG_F_approx | VG_F_ftz, "TTT", h_div_approx_ftz),
    F32(rcp, VG_F_approx, "TT", h_rcp_rn),
    F32(rcp, VG_F_approx | VG_F_ftz, "TT", h_rcp_rn_ftz),
    F32(sqrt, VG_F_approx, "TT", h_sqrt_rn),
    F32(sqrt, VG_F_approx | VG_F_ftz, "TT", h_sqrt_rn_ftz),
    ROWS_F64(div, "TTT", h_div_f64, VG_F64_DIV),
    ROWS_F64(rcp, "TT", h_rcp_f64, VG_F64_RCP),
    ROWS_F64(sqrt, "TT", h_sqrt_f64, VG_F64_SQRT),
};
const struct vg_rows vg_float_div_rows = VG_ROWS(div_rows);

static const struct vg_row f64_rows[] = {
    ROWS_F64(add, "TTT", h_add_f64, VG_F64_ADD),
    ROWS_F64(sub, "TTT", h_sub_f64, VG_F64_SUB),
    ROWS_F64(mul, "TTT", h_mul_f64, VG_F64_MUL),
    ROWS_F64(fma, "TTTT", h_fma_f64, VG_F64_FMA),
    ROWS_F64(mad, "TTTT", h_fma_f64, VG_F64_FMA),
    F64(min, 0, "TTT", h_min_f64, 0),
    F64(max, 0, "TTT", h_max_f64, 0),
    F64(abs, 0, "TT", h_abs_f64, 0),
    F64(neg, 0, "TT", h_neg_f64, 0),
    F64(copysign, 0, "TTT", h_copysign_f64, 0),
    ROWS_TESTP(finite, VG_TP_FINITE),
    ROWS_TESTP(infinite, VG_TP_INFINITE),
    ROWS_TESTP(number, VG_TP_NUMBER),
    ROWS_TESTP(notanumber, VG_TP_NOTANUMBER),
    ROWS_TESTP(normal, VG_TP_NORMAL),
    ROWS_TESTP(subnormal, VG_TP_SUBNORMAL),
};
const struct vg_rows vg_float_f64_rows = VG_ROWS(f64_rows);
