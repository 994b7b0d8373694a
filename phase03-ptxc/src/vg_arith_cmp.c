/* Problem: setp and set have one to two destinations, an optional third predicate, and many types.
 * Model: comparing gives a word of bits (vg_arith_cmp.h); this file decodes what is done with it,
 * and has the handlers of set, which ask the comparison's mask function.
 * Invariants: out->c is a predicate whenever mods has a combination.
 * Simplified: nothing.
 */
#include "vg_arith_cmp.h"

#include "vg_arith_row.h"

/* --- set --- */

static vg_mask_fn mask_of(int64_t pointer)
{
    return (vg_mask_fn)(uintptr_t)pointer;
}

static uint32_t set_bits(const struct vg_warp *w, const struct vg_insn *i, vg_mask_fn mask)
{
    uint32_t bits = mask(w, i) ^ ((i->mods & VG_CMP_INVERT) != 0 ? VG_FULL : 0);
    return vg_cmp_combine(w, i, bits);
}

/* extra holds what true is: all ones, or the destination's 1.0. */
static void h_set_32(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t bits = set_bits(w, i, mask_of(i->imm)), yes = i->extra;
    VG_STORE_LANES(uint32_t, v = VG_BIT(bits, l) != 0 ? yes : 0);
}

static void h_set_16(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t bits = set_bits(w, i, mask_of(i->imm)), yes = i->extra;
    VG_STORE_LANES(uint16_t, v = (uint16_t)(VG_BIT(bits, l) != 0 ? yes : 0));
}

/* Two halves, each compared on its own; `extra` is what true is in the lower one. */
static void h_set_halves(struct vg_warp *w, const struct vg_insn *i)
{
    const struct vg_cmp_fn *fn = (const struct vg_cmp_fn *)(uintptr_t)i->imm;
    const uint32_t low = set_bits(w, i, fn->mask), high = set_bits(w, i, fn->mask_high);
    const uint32_t yes = i->extra;
    VG_STORE_LANES(uint32_t,
                   v = (VG_BIT(low, l) != 0 ? yes : 0) | (VG_BIT(high, l) != 0 ? yes << 16 : 0));
}

/* setp.f16x2: p for the lower halves, q for the upper ones. */
static void h_setp_halves(struct vg_warp *w, const struct vg_insn *i)
{
    const struct vg_cmp_fn *fn = (const struct vg_cmp_fn *)(uintptr_t)i->imm;
    const uint32_t low = set_bits(w, i, fn->mask), high = set_bits(w, i, fn->mask_high);
    if (i->d != VG_NO_SLOT) {
        vg_put_pred(w, i->d, low);
    }
    if (i->e != VG_NO_SLOT) {
        vg_put_pred(w, i->e, high);
    }
}

/* --- decoding --- */

static bool is_comparison(enum ptx_word w)
{
    switch (w) {
    case PTX_W_eq:
    case PTX_W_ne:
    case PTX_W_lt:
    case PTX_W_le:
    case PTX_W_gt:
    case PTX_W_ge:
    case PTX_W_lo:
    case PTX_W_ls:
    case PTX_W_hi:
    case PTX_W_hs:
    case PTX_W_equ:
    case PTX_W_neu:
    case PTX_W_ltu:
    case PTX_W_leu:
    case PTX_W_gtu:
    case PTX_W_geu:
    case PTX_W_num:
    case PTX_W_nan: return true;
    default: return false;
    }
}

static bool is_combination(enum ptx_word w)
{
    return w == PTX_W_and || w == PTX_W_or || w == PTX_W_xor;
}

int vg_cmp_parse(struct vg_decoder *d, const struct ptx_insn *in, struct vg_cmp_words *words,
                 struct lab_err *err)
{
    *words = (struct vg_cmp_words){.cmp = PTX_W_none, .combine = PTX_W_none};
    unsigned want = in->op == PTX_W_set ? 2 : 1;
    for (unsigned k = 0; k < in->nmods; k++) {
        enum ptx_word w = in->mods[k];
        enum ptx_type type = ptx_type_of_word(w);
        if (type != PTX_NONE && words->ntypes < want) {
            words->types[words->ntypes++] = type;
        } else if (is_comparison(w) && words->cmp == PTX_W_none) {
            words->cmp = w;
        } else if (is_combination(w) && words->combine == PTX_W_none) {
            words->combine = w;
        } else if (w == PTX_W_ftz && !words->ftz) {
            words->ftz = true;
        } else {
            return vg_decode_error(d, in, err, ".%s does not belong here", ptx_word_text(w));
        }
    }
    if (words->cmp == PTX_W_none) {
        return vg_decode_error(d, in, err, "the comparison is missing (.lt, .eq, …)");
    }
    if (words->ntypes != want) {
        return vg_decode_error(d, in, err, "it needs %u types, not %u", want, words->ntypes);
    }
    return 0;
}

/* One of setp's destinations; `_` is none. */
static int pred_dest(struct vg_decoder *d, const struct ptx_insn *in, const struct ptx_operand *op,
                     uint32_t *slot, struct lab_err *err)
{
    if (op->kind == PTX_OP_SINK) {
        return 0;
    }
    *slot = vg_dest(d, in, op, PTX_PRED, err);
    return *slot == VG_NO_SLOT ? -1 : 0;
}

static int setp_dests(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    const struct ptx_operand *op = &in->ops[0];
    if (op->kind != PTX_OP_PAIR) {
        return pred_dest(d, in, op, &out->d, err);
    }
    if (pred_dest(d, in, &op->elems[0], &out->d, err) < 0) {
        return -1;
    }
    return pred_dest(d, in, &op->elems[1], &out->e, err);
}

/* What true is in a destination of set, or 0: no such destination for what is compared. */
static uint32_t true_value(enum ptx_type dest, enum ptx_type src)
{
    bool half = src == PTX_F16 || src == PTX_BF16;
    bool halves = src == PTX_F16X2 || src == PTX_BF16X2;
    switch (dest) {
    case PTX_U32:
    case PTX_S32: return halves ? 0xFFFFu : UINT32_MAX;
    case PTX_F32: return half || halves ? 0 : 0x3F800000u;
    case PTX_U16:
    case PTX_S16: return half ? 0xFFFFu : 0;
    case PTX_F16: return halves || src == PTX_BF16 ? 0 : 0x3C00u;
    case PTX_BF16: return halves ? 0 : 0x3F80u;
    case PTX_F16X2: return src == PTX_F16X2 ? 0x3C00u : 0;
    case PTX_BF16X2: return src == PTX_BF16X2 ? 0x3F80u : 0;
    default: return 0;
    }
}

static int set_dest(struct vg_decoder *d, const struct ptx_insn *in,
                    const struct vg_cmp_words *words, struct vg_insn *out, struct lab_err *err)
{
    out->extra = true_value(words->types[0], words->types[1]);
    if (out->extra == 0 || (words->ftz && words->types[0] == PTX_BF16)) {
        return vg_decode_error(d, in, err, "set cannot compare .%s into .%s",
                               ptx_type_name(words->types[1]), ptx_type_name(words->types[0]));
    }
    out->d = vg_dest(d, in, &in->ops[0], words->types[0], err);
    return out->d == VG_NO_SLOT ? -1 : 0;
}

static int combine_operand(struct vg_decoder *d, const struct ptx_insn *in,
                           const struct vg_cmp_words *words, struct vg_insn *out,
                           struct lab_err *err)
{
    if (words->combine == PTX_W_none) {
        return 0;
    }
    out->mods |= words->combine == PTX_W_and  ? VG_CMP_AND
                 : words->combine == PTX_W_or ? VG_CMP_OR
                                              : VG_CMP_XOR;
    out->mods |= in->ops[3].negated ? VG_CMP_NOT_C : 0;
    out->c = vg_slot(d, &in->ops[3], PTX_PRED, err);
    return out->c == VG_NO_SLOT ? -1 : 0;
}

static void choose_handler(const struct ptx_insn *in, enum ptx_type type, enum ptx_type dest,
                           const struct vg_cmp_fn *fn, struct vg_insn *out)
{
    if (type == PTX_F16X2 || type == PTX_BF16X2) {
        out->fn = in->op == PTX_W_set ? h_set_halves : h_setp_halves;
        out->imm = (int64_t)(uintptr_t)fn;
    } else if (in->op == PTX_W_set) {
        out->fn = ptx_type_size(dest) == 2 ? h_set_16 : h_set_32;
        out->imm = (int64_t)(uintptr_t)fn->mask;
    } else {
        out->fn = fn->setp;
    }
}

int vg_cmp_use(const struct vg_job *j, const struct vg_cmp_words *words, const struct vg_cmp_fn *fn,
               bool swap)
{
    struct vg_decoder *d = j->d;
    const struct ptx_insn *in = j->in;
    struct vg_insn *out = j->out;
    unsigned want = words->combine == PTX_W_none ? 3 : 4;
    if (in->nops != want) {
        return vg_decode_error(d, in, j->err, "it takes %u operands, not %u", want, in->nops);
    }
    enum ptx_type type = words->types[words->ntypes - 1];
    int got =
        in->op == PTX_W_set ? set_dest(d, in, words, out, j->err) : setp_dests(d, in, out, j->err);
    if (got < 0 || combine_operand(d, in, words, out, j->err) < 0) {
        return -1;
    }
    uint32_t first = vg_slot(d, &in->ops[1], type, j->err);
    uint32_t second = first != VG_NO_SLOT ? vg_slot(d, &in->ops[2], type, j->err) : VG_NO_SLOT;
    out->a = swap ? second : first;
    out->b = swap ? first : second;
    choose_handler(in, type, words->types[0], fn, out);
    return second != VG_NO_SLOT ? 1 : -1;
}
