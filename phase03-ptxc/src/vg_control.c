/* Control flow: bra, brx, ret, exit, trap, and what reads or passes time.
 *
 * A branch hands the lanes that take it and those that do not to vg_frag.c, with the place where
 * they meet again that the decoder took from the control-flow graph. Clocks count the warp's
 * instructions: there is no time in here, and %globaltimer pretends one nanosecond an instruction.
 */
#include "vg_call.h"
#include "vg_decode.h"
#include "vg_lanes.h"
#include "vg_machine.h"

static void op_bra_all(struct vg_warp *w, const struct vg_insn *i)
{
    w->pc = i->target;
    if (i->target <= vg_pc(w, i)) {
        vg_back_edge(w, i);
    }
}

static void op_bra(struct vg_warp *w, const struct vg_insn *i)
{
    uint32_t taken = w->active & vg_guard(w, i);
    if (taken == 0 || i->target == w->pc) {
        return;
    }
    bool back = i->target <= vg_pc(w, i);
    if (taken == w->active) {
        w->pc = i->target;
    } else {
        vg_frag_branch(w, taken, i->target, i->reconv);
    }
    if (back) {
        vg_back_edge(w, i);
    }
}

/* The lanes that go where the lowest lane goes leave; the rest executes the branch again. */
static void op_brx(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *targets = vg_extra(w, i);
    const uint32_t *index = VG_U32(w, i->a);
    if (w->exec != w->active) {
        /* Guarded: those of the guard come back for their targets, the others go on. */
        vg_frag_branch(w, w->exec, vg_pc(w, i), i->reconv);
        return;
    }
    uint32_t first = index[__builtin_ctz(w->exec)], taken = 0, m = w->exec;
    if (first >= targets[0]) {
        vg_fault(w, i, VGPU_INVALID_PC, w->exec, first,
                 "brx.idx: index %u, but the list has %u targets", first, targets[0]);
        return;
    }
    VG_FOR_MASK(l, m)
    {
        taken |= index[l] == first ? 1u << l : 0;
    }
    uint32_t target = targets[1 + first];
    bool back = target <= vg_pc(w, i);
    if (taken == w->active) {
        w->pc = target;
    } else {
        w->pc = vg_pc(w, i);
        vg_frag_branch(w, taken, target, i->reconv);
    }
    if (back) {
        vg_back_edge(w, i);
    }
}

static void op_ret(struct vg_warp *w, const struct vg_insn *i)
{
    (void)i;
    vg_frag_return(w, w->exec);
}

static void op_exit(struct vg_warp *w, const struct vg_insn *i)
{
    (void)i;
    vg_frag_exit(w, w->exec);
}

static void op_trap(struct vg_warp *w, const struct vg_insn *i)
{
    vg_fault(w, i, VGPU_TRAP, w->exec, 0, "the kernel executed trap");
}

static void op_brkpt(struct vg_warp *w, const struct vg_insn *i)
{
    vg_fault(w, i, VGPU_TRAP, w->exec, 0, "the kernel hit a breakpoint (brkpt)");
}

static void op_nanosleep(struct vg_warp *w, const struct vg_insn *i)
{
    (void)i;
    vg_take_turns(w, true);
}

static void op_nothing(struct vg_warp *w, const struct vg_insn *i)
{
    (void)w;
    (void)i;
}

/* imm: how far the 64-bit count is shifted right */
static void op_clock32(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t now = (uint32_t)(w->issued >> i->imm);
    VG_STORE_LANES(uint32_t, v = now);
}

static void op_clock64(struct vg_warp *w, const struct vg_insn *i)
{
    const uint64_t now = w->issued;
    VG_STORE_LANES(uint64_t, v = now);
}

static int decode_bra(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    if (in->nops != 1 || in->ops[0].kind != PTX_OP_LABEL) {
        return vg_decode_error(d, in, err, "expected a label");
    }
    out->fn = in->guard != NULL ? op_bra : op_bra_all;
    out->target = in->ops[0].target;
    d->code->classes[out->target] |= VG_CLASS_TARGET;
    out->reconv = ptx_cfg_reconv(&d->cfg, d->pc);
    if (in->guard != NULL) {
        vg_decode_leader(d, out->reconv);
    }
    vg_decode_mark(d, VG_CLASS_ENDS | VG_CLASS_BRANCH);
    return 1;
}

static int decode_brx(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    if (in->nops != 2 || in->ops[1].kind != PTX_OP_TARGETS) {
        return vg_decode_error(d, in, err, "expected an index and a .branchtargets list");
    }
    const struct ptx_operand *list = &in->ops[1];
    out->fn = op_brx;
    out->a = vg_slot(d, &in->ops[0], PTX_U32, err);
    if (out->a == VG_NO_SLOT) {
        return -1;
    }
    out->reconv = ptx_cfg_reconv(&d->cfg, d->pc);
    out->extra = vg_side_table(d, &list->nelems, 1);
    for (uint32_t k = 0; k < list->nelems; k++) {
        if (list->elems[k].kind != PTX_OP_LABEL) {
            return vg_decode_error(d, in, err, "'%s' is no list of labels", list->name);
        }
        vg_side_table(d, &list->elems[k].target, 1);
        d->code->classes[list->elems[k].target] |= VG_CLASS_TARGET;
    }
    vg_decode_leader(d, out->reconv);
    vg_decode_mark(d, VG_CLASS_ENDS | VG_CLASS_BRANCH);
    return 1;
}

/* mov from a clock; every other mov belongs to someone else. */
static int decode_clock(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                        struct lab_err *err)
{
    if (in->nops != 2 || in->ops[1].kind != PTX_OP_SREG) {
        return 0;
    }
    enum ptx_type type = PTX_U64;
    switch (in->ops[1].sreg) {
    case PTX_CLOCK64:
    case PTX_GLOBALTIMER: break;
    case PTX_CLOCK:
    case PTX_GLOBALTIMER_LO: type = PTX_U32; break;
    case PTX_CLOCK_HI:
    case PTX_GLOBALTIMER_HI:
        type = PTX_U32;
        out->imm = 32;
        break;
    default: return 0;
    }
    out->fn = type == PTX_U64 ? op_clock64 : op_clock32;
    out->d = vg_slot(d, &in->ops[0], type, err);
    vg_decode_mark(d, VG_CLASS_ENDS);
    return out->d == VG_NO_SLOT ? -1 : 1;
}

struct simple {
    enum ptx_word op;
    vg_handler fn;
    bool ends;
};

static const struct simple simples[] = {
    {PTX_W_ret, op_ret, true},
    {PTX_W_exit, op_exit, true},
    {PTX_W_trap, op_trap, true},
    {PTX_W_brkpt, op_brkpt, true},
    {PTX_W_nanosleep, op_nanosleep, true},
    {PTX_W_pmevent, op_nothing, false},
    {PTX_W_griddepcontrol, op_nothing, false},
    {PTX_W_setmaxnreg, op_nothing, false},
};

static bool leaves_kernel(const struct vg_decoder *d, const struct ptx_insn *in)
{
    return in->op == PTX_W_exit || (in->op == PTX_W_ret && d->f->kind == PTX_ENTRY);
}

int vg_decode_control(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    switch (in->op) {
    case PTX_W_bra: return decode_bra(d, in, out, err);
    case PTX_W_brx: return decode_brx(d, in, out, err);
    case PTX_W_call: return vg_decode_call(d, in, out, err);
    case PTX_W_mov: return decode_clock(d, in, out, err);
    default: break;
    }
    for (size_t k = 0; k < sizeof(simples) / sizeof(simples[0]); k++) {
        if (simples[k].op == in->op) {
            out->fn = simples[k].fn;
            vg_decode_mark(d, simples[k].ends ? VG_CLASS_ENDS : 0);
            if (in->guard == NULL && leaves_kernel(d, in)) {
                vg_decode_mark(d, VG_CLASS_LEAVES);
            }
            return 1;
        }
    }
    return 0;
}
