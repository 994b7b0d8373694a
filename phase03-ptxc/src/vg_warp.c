/* Decoding of the warp's own instructions: shfl, vote, match, redux, elect, activemask, bar. */
#include "vg_lanes.h"
#include "vg_warpops.h"

static void op_activemask(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t here = w->exec;
    VG_STORE_LANES(uint32_t, v = here);
}

/* A destination that is `d`, or `d|p`. */
static int decode_results(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                          struct vg_insn *out, struct lab_err *err)
{
    const struct ptx_operand *value = op, *pred = NULL;
    if (op->kind == PTX_OP_PAIR) {
        value = &op->elems[0];
        pred = &op->elems[1];
    }
    if (value->kind != PTX_OP_SINK) {
        out->d = vg_slot(d, value, type, err);
        if (out->d == VG_NO_SLOT) {
            return -1;
        }
    }
    if (pred != NULL && pred->kind != PTX_OP_SINK) {
        out->e = vg_slot(d, pred, PTX_PRED, err);
        if (out->e == VG_NO_SLOT) {
            return -1;
        }
    }
    return 0;
}

static int decode_members(struct vg_decoder *d, const struct ptx_operand *op, struct vg_insn *out,
                          struct lab_err *err)
{
    out->extra = vg_slot(d, op, PTX_B32, err);
    out->mods |= VG_COLL_SYNC;
    vg_decode_mark(d, VG_CLASS_ENDS);
    return out->extra == VG_NO_SLOT ? -1 : 0;
}

static int wants(struct vg_decoder *d, const struct ptx_insn *in, unsigned n, struct lab_err *err)
{
    if (in->nops != n) {
        return vg_decode_error(d, in, err, "expected %u operands", n);
    }
    return 0;
}

struct choice {
    enum ptx_word word;
    uint32_t op;
};

#define NO_CHOICE UINT32_MAX

static uint32_t choose(const struct ptx_insn *in, const struct choice *list)
{
    for (; list->word != PTX_W_none; list++) {
        if (ptx_has(in, list->word)) {
            return list->op;
        }
    }
    return NO_CHOICE;
}

static int decode_shfl(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                       struct lab_err *err)
{
    static const struct choice modes[] = {{PTX_W_up, VG_SHFL_UP},
                                          {PTX_W_down, VG_SHFL_DOWN},
                                          {PTX_W_bfly, VG_SHFL_BFLY},
                                          {PTX_W_idx, VG_SHFL_IDX},
                                          {PTX_W_none, 0}};
    const bool sync = ptx_has(in, PTX_W_sync);
    uint32_t op = choose(in, modes);
    if (op == NO_CHOICE || ptx_insn_type(in) != PTX_B32) {
        return vg_decode_error(d, in, err, "expected .up, .down, .bfly or .idx, and .b32");
    }
    if (wants(d, in, sync ? 5 : 4, err) < 0 ||
        decode_results(d, &in->ops[0], PTX_B32, out, err) < 0) {
        return -1;
    }
    out->mods = op;
    out->a = vg_slot(d, &in->ops[1], PTX_B32, err);
    out->b = vg_slot(d, &in->ops[2], PTX_B32, err);
    out->c = vg_slot(d, &in->ops[3], PTX_B32, err);
    if (out->a == VG_NO_SLOT || out->b == VG_NO_SLOT || out->c == VG_NO_SLOT) {
        return -1;
    }
    return sync ? decode_members(d, &in->ops[4], out, err) : 0;
}

static int decode_vote(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                       struct lab_err *err)
{
    static const struct choice modes[] = {{PTX_W_all, VG_VOTE_ALL},
                                          {PTX_W_any, VG_VOTE_ANY},
                                          {PTX_W_uni, VG_VOTE_UNI},
                                          {PTX_W_ballot, VG_VOTE_BALLOT},
                                          {PTX_W_none, 0}};
    const bool sync = ptx_has(in, PTX_W_sync);
    uint32_t op = choose(in, modes);
    if (op == NO_CHOICE) {
        return vg_decode_error(d, in, err, "expected .all, .any, .uni or .ballot");
    }
    if (wants(d, in, sync ? 3 : 2, err) < 0) {
        return -1;
    }
    const enum ptx_type type = op == VG_VOTE_BALLOT ? PTX_B32 : PTX_PRED;
    out->mods = op | VG_COLL_PRED_A | (type == PTX_PRED ? VG_COLL_PRED_D : 0u);
    out->mods |= in->ops[1].negated ? VG_COLL_NEGATED : 0u;
    out->d = vg_slot(d, &in->ops[0], type, err);
    out->a = vg_slot(d, &in->ops[1], PTX_PRED, err);
    if (out->d == VG_NO_SLOT || out->a == VG_NO_SLOT) {
        return -1;
    }
    return sync ? decode_members(d, &in->ops[2], out, err) : 0;
}

static int decode_match(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                        struct lab_err *err)
{
    const enum ptx_type type = ptx_insn_type(in);
    if (ptx_type_size(type) != 4 && ptx_type_size(type) != 8) {
        return vg_decode_error(d, in, err, "expected .b32 or .b64");
    }
    if (wants(d, in, 3, err) < 0 || decode_results(d, &in->ops[0], PTX_B32, out, err) < 0) {
        return -1;
    }
    out->mods = ptx_has(in, PTX_W_all) ? VG_MATCH_ALL : VG_MATCH_ANY;
    out->mods |= ptx_type_size(type) == 8 ? VG_COLL_WIDE_A : 0u;
    out->a = vg_slot(d, &in->ops[1], type, err);
    return out->a == VG_NO_SLOT ? -1 : decode_members(d, &in->ops[2], out, err);
}

static int decode_redux(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                        struct lab_err *err)
{
    static const struct choice ops[] = {{PTX_W_add, VG_REDUX_ADD},
                                        {PTX_W_min, VG_REDUX_MIN_U},
                                        {PTX_W_max, VG_REDUX_MAX_U},
                                        {PTX_W_and, VG_REDUX_AND},
                                        {PTX_W_or, VG_REDUX_OR},
                                        {PTX_W_xor, VG_REDUX_XOR},
                                        {PTX_W_none, 0}};
    const enum ptx_type type = ptx_insn_type(in);
    uint32_t op = choose(in, ops);
    if (op == NO_CHOICE || (type != PTX_U32 && type != PTX_S32 && type != PTX_B32)) {
        return vg_decode_error(d, in, err, "this reduction is not supported");
    }
    if (wants(d, in, 3, err) < 0) {
        return -1;
    }
    if (type == PTX_S32 && (op == VG_REDUX_MIN_U || op == VG_REDUX_MAX_U)) {
        op++;
    }
    out->mods = op;
    out->d = vg_slot(d, &in->ops[0], PTX_B32, err);
    out->a = vg_slot(d, &in->ops[1], PTX_B32, err);
    if (out->d == VG_NO_SLOT || out->a == VG_NO_SLOT) {
        return -1;
    }
    return decode_members(d, &in->ops[2], out, err);
}

static int decode_elect(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                        struct lab_err *err)
{
    if (wants(d, in, 2, err) < 0 || decode_results(d, &in->ops[0], PTX_B32, out, err) < 0) {
        return -1;
    }
    out->mods = VG_ELECT;
    return decode_members(d, &in->ops[1], out, err);
}

static int decode_warp_barrier(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                               struct lab_err *err)
{
    if (wants(d, in, 1, err) < 0) {
        return -1;
    }
    out->mods = VG_WARP_BARRIER;
    vg_decode_mark(d, VG_CLASS_BARRIER);
    return decode_members(d, &in->ops[0], out, err);
}

static int decode_activemask(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                             struct lab_err *err)
{
    if (wants(d, in, 1, err) < 0) {
        return -1;
    }
    out->fn = op_activemask;
    out->d = vg_slot(d, &in->ops[0], PTX_B32, err);
    return out->d == VG_NO_SLOT ? -1 : 0;
}

int vg_decode_warp(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err)
{
    int got = 0;
    out->fn = vg_op_collective;
    switch (in->op) {
    case PTX_W_shfl: got = decode_shfl(d, in, out, err); break;
    case PTX_W_vote: got = decode_vote(d, in, out, err); break;
    case PTX_W_match: got = decode_match(d, in, out, err); break;
    case PTX_W_redux: got = decode_redux(d, in, out, err); break;
    case PTX_W_elect: got = decode_elect(d, in, out, err); break;
    case PTX_W_activemask: got = decode_activemask(d, in, out, err); break;
    case PTX_W_bar:
    case PTX_W_barrier:
        if (ptx_has(in, PTX_W_warp)) {
            got = decode_warp_barrier(d, in, out, err);
            break;
        }
        return vg_decode_bar(d, in, out, err);
    default: return 0;
    }
    if (got == 0 && out->fn == vg_op_collective) {
        out->fn = vg_fast_collective(out);
    }
    return got < 0 ? -1 : 1;
}
