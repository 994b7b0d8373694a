/* Problem: logic, shifts, bit fields, counts and byte permutes.
 * Model: as vg_int_alu.c, over vg_arith_bits.h. Predicates are one word for the warp, so their
 * logic is one operation. Invariants: as vg_int_alu.c. Simplified: nothing.
 */
#include "vg_arith_bfe.h"
#include "vg_arith_bits.h"
#include "vg_int.h"
#include "vg_lanes.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

VG_BINARY(h_and_16, u16, u16, u16, a &b)
VG_BINARY(h_and_32, u32, u32, u32, a &b)
VG_BINARY(h_and_64, u64, u64, u64, a &b)
VG_BINARY(h_or_16, u16, u16, u16, a | b)
VG_BINARY(h_or_32, u32, u32, u32, a | b)
VG_BINARY(h_or_64, u64, u64, u64, a | b)
VG_BINARY(h_xor_16, u16, u16, u16, a ^ b)
VG_BINARY(h_xor_32, u32, u32, u32, a ^ b)
VG_BINARY(h_xor_64, u64, u64, u64, a ^ b)
VG_UNARY(h_not_16, u16, u16, ~a)
VG_UNARY(h_not_32, u32, u32, ~a)
VG_UNARY(h_not_64, u64, u64, ~a)
VG_UNARY(h_cnot_16, u16, u16, a == 0)
VG_UNARY(h_cnot_32, u32, u32, a == 0)
VG_UNARY(h_cnot_64, u64, u64, a == 0)

#define PRED_HANDLER(name, expr)                                                                   \
    static void name(struct vg_warp *w, const struct vg_insn *i)                                   \
    {                                                                                              \
        uint32_t a = VG_PRED(w, i->a);                                                             \
        uint32_t b = VG_PRED(w, i->b != VG_NO_SLOT ? i->b : i->a);                                 \
        (void)b;                                                                                   \
        vg_put_pred(w, i->d, expr);                                                                \
    }
PRED_HANDLER(h_and_pred, a &b)
PRED_HANDLER(h_or_pred, a | b)
PRED_HANDLER(h_xor_pred, a ^ b)
PRED_HANDLER(h_not_pred, ~a)

VG_BINARY(h_shl_16, u16, u16, u32, vg_shl_b16(a, b))
VG_BINARY(h_shl_32, u32, u32, u32, vg_shl_b32(a, b))
VG_BINARY(h_shl_64, u64, u64, u32, vg_shl_b64(a, b))
VG_BINARY(h_shr_u16, u16, u16, u32, vg_shr_u16(a, b))
VG_BINARY(h_shr_u32, u32, u32, u32, vg_shr_u32(a, b))
VG_BINARY(h_shr_u64, u64, u64, u32, vg_shr_u64(a, b))
VG_BINARY(h_shr_s16, u16, u16, u32, vg_shr_s16(a, b))
VG_BINARY(h_shr_s32, u32, u32, u32, vg_shr_s32(a, b))
VG_BINARY(h_shr_s64, u64, u64, u32, vg_shr_s64(a, b))
VG_TERNARY(h_shf_l_wrap, u32, u32, u32, u32, vg_funnel_l(a, b, c & 31u))
VG_TERNARY(h_shf_l_clamp, u32, u32, u32, u32, vg_funnel_l(a, b, vg_clamp32(c)))
VG_TERNARY(h_shf_r_wrap, u32, u32, u32, u32, vg_funnel_r(a, b, c & 31u))
VG_TERNARY(h_shf_r_clamp, u32, u32, u32, u32, vg_funnel_r(a, b, vg_clamp32(c)))

VG_UNARY(h_popc_32, u32, u32, vg_popc_b32(a))
VG_UNARY(h_popc_64, u32, u64, vg_popc_b64(a))
VG_UNARY(h_clz_32, u32, u32, vg_clz_b32(a))
VG_UNARY(h_clz_64, u32, u64, vg_clz_b64(a))
VG_UNARY(h_brev_32, u32, u32, vg_brev_b32(a))
VG_UNARY(h_brev_64, u64, u64, vg_brev_b64(a))
VG_UNARY(h_bfind_u32, u32, u32, vg_bfind_u32(a))
VG_UNARY(h_bfind_s32, u32, u32, vg_bfind_s32(a))
VG_UNARY(h_bfind_u64, u32, u64, vg_bfind_u64(a))
VG_UNARY(h_bfind_s64, u32, u64, vg_bfind_s64(a))
VG_UNARY(h_amount_u32, u32, u32, vg_shiftamt(vg_bfind_u32(a), 31))
VG_UNARY(h_amount_s32, u32, u32, vg_shiftamt(vg_bfind_s32(a), 31))
VG_UNARY(h_amount_u64, u32, u64, vg_shiftamt(vg_bfind_u64(a), 63))
VG_UNARY(h_amount_s64, u32, u64, vg_shiftamt(vg_bfind_s64(a), 63))
VG_TERNARY(h_fns, u32, u32, u32, u32, vg_fns(a, b, c))

VG_TERNARY(h_bfe_u32, u32, u32, u32, u32, vg_bfe(a, b, c, 32, false))
VG_TERNARY(h_bfe_s32, u32, u32, u32, u32, vg_bfe(a, b, c, 32, true))
VG_TERNARY(h_bfe_u64, u64, u64, u32, u32, vg_bfe(a, b, c, 64, false))
VG_TERNARY(h_bfe_s64, u64, u64, u32, u32, vg_bfe(a, b, c, 64, true))

#define BFI_HANDLER(name, T, f)                                                                    \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        const T *ra = VG_REG(w, i->a, T), *rb = VG_REG(w, i->b, T);                                \
        const uint32_t *rc = VG_REG(w, i->c, uint32_t), *re = VG_REG(w, i->e, uint32_t);           \
        VG_STORE_LANES(T, v = f(ra[l], rb[l], rc[l], re[l]));                                      \
    }
BFI_HANDLER(h_bfi_32, uint32_t, vg_bfi_b32)
BFI_HANDLER(h_bfi_64, uint64_t, vg_bfi_b64)

VG_BINARY(h_zext_wrap, u32, u32, u32, vg_zext(a, b & 31u))
VG_BINARY(h_sext_wrap, u32, u32, u32, vg_sext(a, b & 31u))
VG_BINARY(h_zext_clamp, u32, u32, u32, vg_zext(a, vg_clamp32(b)))
VG_BINARY(h_sext_clamp, u32, u32, u32, vg_sext(a, vg_clamp32(b)))
VG_BINARY(h_bmsk_wrap, u32, u32, u32, vg_bmsk_wrap(a, b))
VG_BINARY(h_bmsk_clamp, u32, u32, u32, vg_bmsk_clamp(a, b))

VG_HANDLER(h_prmt_mode)
{
    const uint32_t *ra = VG_U32(w, i->a), *rb = VG_U32(w, i->b), *rc = VG_U32(w, i->c);
    const enum vg_prmt_mode mode = (enum vg_prmt_mode)(i->mods & 7u);
    VG_STORE_LANES(uint32_t, v = vg_prmt(ra[l], rb[l], vg_prmt_selector(mode, rc[l])));
}
VG_TERNARY(h_prmt, u32, u32, u32, u32, vg_prmt(a, b, c))

#define ROW(op, type, flags, ops, fn) VG_ROW(op, type, NONE, flags, ops, fn, 0)
#define ROWS_LOGIC(op, ops, fn)                                                                    \
    ROW(op, B16, 0, ops, fn##_16), ROW(op, B32, 0, ops, fn##_32), ROW(op, B64, 0, ops, fn##_64)
#define ROWS_FIND(op, flags, fn)                                                                   \
    ROW(op, U32, flags, "uT", fn##_u32), ROW(op, S32, flags, "uT", fn##_s32),                      \
        ROW(op, U64, flags, "uT", fn##_u64), ROW(op, S64, flags, "uT", fn##_s64)
#define ROW_PRMT(mode, number) VG_ROW(prmt, B32, NONE, VG_F_##mode, "TTTu", h_prmt_mode, number)

static const struct vg_row rows[] = {
    ROWS_LOGIC(and, "TTT", h_and),
    ROWS_LOGIC(or, "TTT", h_or),
    ROWS_LOGIC(xor, "TTT", h_xor),
    ROWS_LOGIC(not, "TT", h_not),
    ROWS_LOGIC(cnot, "TT", h_cnot),
    ROW(and, PRED, 0, "TTT", h_and_pred),
    ROW(or, PRED, 0, "TTT", h_or_pred),
    ROW(xor, PRED, 0, "TTT", h_xor_pred),
    ROW(not, PRED, 0, "TT", h_not_pred),
    ROWS_LOGIC(shl, "TTu", h_shl),
    ROW(shr, B16, 0, "TTu", h_shr_u16),
    ROW(shr, B32, 0, "TTu", h_shr_u32),
    ROW(shr, B64, 0, "TTu", h_shr_u64),
    ROW(shr, U16, 0, "TTu", h_shr_u16),
    ROW(shr, U32, 0, "TTu", h_shr_u32),
    ROW(shr, U64, 0, "TTu", h_shr_u64),
    ROW(shr, S16, 0, "TTu", h_shr_s16),
    ROW(shr, S32, 0, "TTu", h_shr_s32),
    ROW(shr, S64, 0, "TTu", h_shr_s64),
    ROW(shf, B32, VG_F_l | VG_F_wrap, "TTTu", h_shf_l_wrap),
    ROW(shf, B32, VG_F_l | VG_F_clamp, "TTTu", h_shf_l_clamp),
    ROW(shf, B32, VG_F_r | VG_F_wrap, "TTTu", h_shf_r_wrap),
    ROW(shf, B32, VG_F_r | VG_F_clamp, "TTTu", h_shf_r_clamp),
    ROW(popc, B32, 0, "uT", h_popc_32),
    ROW(popc, B64, 0, "uT", h_popc_64),
    ROW(clz, B32, 0, "uT", h_clz_32),
    ROW(clz, B64, 0, "uT", h_clz_64),
    ROW(brev, B32, 0, "TT", h_brev_32),
    ROW(brev, B64, 0, "TT", h_brev_64),
    ROWS_FIND(bfind, 0, h_bfind),
    ROWS_FIND(bfind, VG_F_shiftamt, h_amount),
    ROW(fns, B32, 0, "TTuu", h_fns),
    ROW(bfe, U32, 0, "TTuu", h_bfe_u32),
    ROW(bfe, S32, 0, "TTuu", h_bfe_s32),
    ROW(bfe, U64, 0, "TTuu", h_bfe_u64),
    ROW(bfe, S64, 0, "TTuu", h_bfe_s64),
    ROW(bfi, B32, 0, "TTTuu", h_bfi_32),
    ROW(bfi, B64, 0, "TTTuu", h_bfi_64),
    ROW(szext, U32, VG_F_wrap, "TTu", h_zext_wrap),
    ROW(szext, S32, VG_F_wrap, "TTu", h_sext_wrap),
    ROW(szext, U32, VG_F_clamp, "TTu", h_zext_clamp),
    ROW(szext, S32, VG_F_clamp, "TTu", h_sext_clamp),
    ROW(bmsk, B32, VG_F_wrap, "TTu", h_bmsk_wrap),
    ROW(bmsk, B32, VG_F_clamp, "TTu", h_bmsk_clamp),
    ROW(prmt, B32, 0, "TTTu", h_prmt),
    ROW_PRMT(f4e, VG_PRMT_F4E),
    ROW_PRMT(b4e, VG_PRMT_B4E),
    ROW_PRMT(rc8, VG_PRMT_RC8),
    ROW_PRMT(ecl, VG_PRMT_ECL),
    ROW_PRMT(ecr, VG_PRMT_ECR),
    ROW_PRMT(rc16, VG_PRMT_RC16),
};
const struct vg_rows vg_int_bits_rows = VG_ROWS(rows);
