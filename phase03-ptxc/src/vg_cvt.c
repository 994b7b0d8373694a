/* Problem: cvt between every pair of types, registers wider than the type included.
 * Model: a row of vg_cvt_fast.c where there is one and the registers have the type's width; else
 * one of three handlers that convert lane by lane with vg_cvt. Invariants: a destination wider than
 * the type gets the value extended as the type says; of a wider source the low bits count.
 * Simplified: nothing.
 */
#include "vg_cvt.h"

#include <string.h>

#include "vg_lanes.h"

/* mods of the handlers below: bytes of the source's and of the destination's register. */
#define SRC_BYTES(i) ((i)->mods & 15u)
#define DST_BYTES(i) ((i)->mods >> 4 & 15u)

static uint64_t load(const struct vg_warp *w, uint32_t slot, unsigned bytes, unsigned l)
{
    switch (bytes) {
    case 2: return VG_U16(w, slot)[l];
    case 4: return VG_U32(w, slot)[l];
    default: return VG_U64(w, slot)[l];
    }
}

static void store(struct vg_warp *w, uint32_t slot, unsigned bytes, unsigned l, uint64_t v)
{
    switch (bytes) {
    case 2: VG_U16(w, slot)[l] = (uint16_t)v; break;
    case 4: VG_U32(w, slot)[l] = (uint32_t)v; break;
    default: VG_U64(w, slot)[l] = v; break;
    }
}

static struct vg_cvt cvt_of(const struct vg_insn *i)
{
    struct vg_cvt c;
    uint32_t packed = (uint32_t)i->imm;
    memcpy(&c, &packed, sizeof(c));
    return c;
}

static void h_any(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_cvt c = cvt_of(i);
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        store(w, i->d, DST_BYTES(i), l, vg_cvt(&c, load(w, i->a, SRC_BYTES(i), l)));
    }
}

/* d = {a, b}: a in the upper half. */
static void h_pack(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_cvt c = cvt_of(i);
    const unsigned bits = vg_format_of(c.to)->bits & 31u; /* 8 or 16 */
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint64_t high = vg_cvt(&c, VG_U32(w, i->a)[l]), low = vg_cvt(&c, VG_U32(w, i->b)[l]);
        store(w, i->d, DST_BYTES(i), l, high << bits | low);
    }
}

/* Both halves of a, each on its own. */
static void h_halves(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_cvt c = cvt_of(i);
    const unsigned to = vg_format_of(c.to)->bits & 31u, from = vg_format_of(c.from)->bits & 31u;
    uint64_t low = (1ull << from) - 1;
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint64_t x = load(w, i->a, SRC_BYTES(i), l);
        store(w, i->d, DST_BYTES(i), l, vg_cvt(&c, x >> from) << to | vg_cvt(&c, x & low));
    }
}

/* Bytes of the register that holds an operand of a type: its own, or the declared one's. */
static unsigned register_bytes(const struct ptx_operand *op, enum ptx_type type)
{
    unsigned size = ptx_type_size(op->kind == PTX_OP_REG ? op->var->type : type);
    return size < 2 ? 2 : size;
}

/* Integers may lie in wider registers; floats may not. */
static uint32_t operand(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                        struct lab_err *err)
{
    bool is_int = type >= PTX_U8 && type <= PTX_S64;
    return is_int ? vg_slot_relaxed(d, op, type, err) : vg_slot(d, op, type, err);
}

static int use_operands(struct vg_decoder *d, const struct ptx_insn *in,
                        const struct vg_cvt_plan *plan, struct vg_insn *out, struct lab_err *err)
{
    unsigned want = plan->pack ? 3 : 2;
    if (in->nops != want) {
        return vg_decode_error(d, in, err, "it takes %u operands, not %u", want, in->nops);
    }
    if (in->ops[0].kind != PTX_OP_REG) {
        return vg_decode_error(d, in, err, "the destination must be a register");
    }
    uint32_t *fields[] = {&out->d, &out->a, &out->b};
    for (unsigned k = 0; k < want; k++) {
        *fields[k] = operand(d, &in->ops[k], k == 0 ? plan->to : plan->from, err);
        if (*fields[k] == VG_NO_SLOT) {
            return -1;
        }
    }
    return 0;
}

static int decode_cvt(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    struct vg_cvt_plan plan;
    struct vg_spelling s;
    if (vg_cvt_parse(d, in, &plan, err) < 0 || use_operands(d, in, &plan, out, err) < 0) {
        return -1;
    }
    unsigned dst = register_bytes(&in->ops[0], plan.to);
    unsigned src = register_bytes(&in->ops[1], plan.from);
    uint32_t packed;
    memcpy(&packed, &plan.cvt, sizeof(packed));
    out->imm = packed;
    out->mods = src | dst << 4;
    out->fn = plan.pack ? h_pack : plan.unpack ? h_halves : h_any;
    vg_spell(in, &s);
    const struct vg_row *row = vg_row_find(&vg_cvt_fast_rows, 1, in, &s);
    bool natural = dst == (ptx_type_size(plan.to) < 2 ? 2 : ptx_type_size(plan.to)) &&
                   src == (ptx_type_size(plan.from) < 2 ? 2 : ptx_type_size(plan.from));
    if (row != NULL && natural) {
        out->fn = row->fn;
    }
    return 1;
}

int vg_decode_cvt(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err)
{
    switch (in->op) {
    case PTX_W_cvt:
        return ptx_has(in, PTX_W_pack) ? vg_decode_pack(d, in, out, err)
                                       : decode_cvt(d, in, out, err);
    case PTX_W_mov: return vg_decode_mov(d, in, out, err);
    case PTX_W_cvta:
    case PTX_W_isspacep: return vg_decode_address(d, in, out, err);
    default: return 0;
    }
}
