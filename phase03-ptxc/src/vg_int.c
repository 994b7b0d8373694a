/* Problem: decode the integer instructions.
 * Model: tables of rows by file; lop3 and the comparisons, whose operands vary, on their own.
 * Invariants: an opcode that floats share (add, min, …) is left to them when its type is a float.
 * Simplified: nothing.
 */
#include "vg_int.h"

#include "vg_arith_bits.h"
#include "vg_lanes.h"

/* --- lop3 --- */

static void h_lop3(struct vg_warp *w, const struct vg_insn *i);
LAB_CLONES static void h_lop3(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *ra = VG_U32(w, i->a), *rb = VG_U32(w, i->b), *rc = VG_U32(w, i->c);
    const uint32_t table = (uint32_t)i->imm;
    VG_STORE_LANES(uint32_t, v = vg_lop3(ra[l], rb[l], rc[l], table));
}

enum { LOP3_OR = 1, LOP3_NOT_Q = 2 };

/* lop3.and and lop3.or: also p = (result != 0) op q, with q at `target` and p at e. */
static void h_lop3_pred(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *ra = VG_U32(w, i->a), *rb = VG_U32(w, i->b), *rc = VG_U32(w, i->c);
    uint32_t q = VG_PRED(w, i->target) ^ ((i->mods & LOP3_NOT_Q) != 0 ? VG_FULL : 0);
    uint32_t some = 0, r[VG_LANES];
    VG_FOR_LANES(l)
    {
        r[l] = vg_lop3(ra[l], rb[l], rc[l], (uint32_t)i->imm);
        some |= (uint32_t)(r[l] != 0) << l;
    }
    if (i->d != VG_NO_SLOT) {
        VG_STORE_LANES(uint32_t, v = r[l]);
    }
    vg_put_pred(w, i->e, (i->mods & LOP3_OR) != 0 ? some | q : some & q);
}

/* d|p, or _|p: an own row has the operands in between. */
static int lop3_dests(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    const struct ptx_operand *pair = &in->ops[0];
    if (pair->kind != PTX_OP_PAIR) {
        return vg_decode_error(d, in, err, "expected two destinations, d|p");
    }
    if (pair->elems[0].kind != PTX_OP_SINK) {
        out->d = vg_dest(d, in, &pair->elems[0], PTX_B32, err);
        if (out->d == VG_NO_SLOT) {
            return -1;
        }
    }
    out->e = vg_dest(d, in, &pair->elems[1], PTX_PRED, err);
    return out->e == VG_NO_SLOT ? -1 : 0;
}

static int lop3_sources(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                        struct lab_err *err)
{
    uint32_t *fields[] = {&out->a, &out->b, &out->c};
    for (unsigned k = 0; k < 3; k++) {
        *fields[k] = vg_slot(d, &in->ops[k + 1], PTX_B32, err);
        if (*fields[k] == VG_NO_SLOT) {
            return -1;
        }
    }
    out->imm = in->ops[4].i;
    if (in->ops[4].kind != PTX_OP_INT || out->imm < 0 || out->imm > 255) {
        return vg_decode_error(d, in, err, "the table must be a constant from 0 to 255");
    }
    return 0;
}

int vg_decode_lop3(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err)
{
    struct vg_spelling s;
    vg_spell(in, &s);
    bool pred = s.flags == VG_F_and || s.flags == VG_F_or;
    bool known = s.type == PTX_B32 && s.ntypes == 1 && s.unknown == PTX_W_none;
    if (!known || s.twice != PTX_W_none || (s.flags != 0 && !pred)) {
        return vg_row_error(d, in, &s, err);
    }
    unsigned want = pred ? 6 : 5;
    if (in->nops != want) {
        return vg_decode_error(d, in, err, "it takes %u operands, not %u", want, in->nops);
    }
    if (lop3_sources(d, in, out, err) < 0) {
        return -1;
    }
    if (!pred) {
        out->fn = h_lop3;
        out->d = vg_dest(d, in, &in->ops[0], PTX_B32, err);
        return out->d == VG_NO_SLOT ? -1 : 1;
    }
    out->fn = h_lop3_pred;
    out->mods = (s.flags == VG_F_or ? LOP3_OR : 0) | (in->ops[5].negated ? LOP3_NOT_Q : 0);
    out->target = vg_slot(d, &in->ops[5], PTX_PRED, err);
    return out->target == VG_NO_SLOT || lop3_dests(d, in, out, err) < 0 ? -1 : 1;
}

/* --- the family --- */

int vg_decode_int(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err)
{
    if (in->op == PTX_W_setp || in->op == PTX_W_set) {
        return vg_decode_compare_int(d, in, out, err);
    }
    if (in->op == PTX_W_lop3) {
        return vg_decode_lop3(d, in, out, err);
    }
    const struct vg_rows lists[] = {vg_int_alu_rows, vg_int_bits_rows, vg_int_pick_rows,
                                    vg_int_more_rows, vg_int_carry_rows};
    const unsigned n = sizeof(lists) / sizeof(lists[0]);
    struct vg_spelling s;
    vg_spell(in, &s);
    const struct vg_row *row = vg_row_find(lists, n, in, &s);
    if (row != NULL) {
        return vg_row_use(d, in, row, out, err);
    }
    if (!vg_row_has_op(lists, n, in->op) || vg_is_float_type(s.type) || s.unknown == PTX_W_f32x2) {
        return 0;
    }
    return vg_row_error(d, in, &s, err);
}
