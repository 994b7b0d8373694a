/* One issue of a warp under the mask-stack policy, and what HALT does to the stack.
 *
 * Problem: 32 threads share one pc. When they disagree, one side runs while the other waits, and
 * both must meet again at the right place. Model: simt_reconv.h has the rule for branches and
 * RECONV. HALT retires its active lanes: they leave every mask on the stack, and a side without
 * lanes left counts as having reached its RECONV. Invariants: see simt_reconv.h; the union of
 * active and all waiting lanes is `live`; a lane waits either in `taken` of an entry not visited
 * or, in `before` of a visited one, behind its RECONV.
 *
 * Simplified: compilers for real GPUs spread convergence barriers over the program instead of
 * pairing brackets, and hardware since Volta keeps a pc per lane (policy its, simt_its_warp.c).
 */
#include "simt_warp.h"

#include "simt_exec.h"
#include "simt_its.h"

void simt_warp_init(struct simt_warp *w, unsigned id)
{
    w->id = id;
    w->live = SIMT_FULL;
    w->last_pc = SIMT_NO_PC;
    w->path.active = SIMT_FULL;
}

void simt_warp_release(struct simt_warp *w)
{
    w->waiting = 0;
}

/* Pop the top entry, all of whose active lanes are gone, or run its other side. */
static void leave_empty_side(struct simt_path *p)
{
    struct simt_entry *top = &p->stack[p->depth - 1];
    if (!top->visited && top->taken != 0) {
        top->visited = true;
        p->active = top->taken;
        p->pc = top->target;
        return;
    }
    p->active = top->before;
    p->pc = top->reconv;
    p->depth--;
    if (p->active != 0) {
        /* The lanes left have had their visit; what follows is the rest of it: entries of the
         * same RECONV further down, or the next pc. */
        simt_reconv(p);
    }
}

void simt_path_halt(struct simt_path *p)
{
    for (unsigned i = 0; i < p->depth; i++) {
        p->stack[i].before &= ~p->active;
        p->stack[i].taken &= ~p->active;
    }
    p->active = 0;
    while (p->active == 0 && p->depth > 0) {
        leave_empty_side(p);
    }
}

static enum simt_side side_of(const struct simt_path *p)
{
    if (p->depth == 0) {
        return SIMT_WHOLE;
    }
    return p->stack[p->depth - 1].visited ? SIMT_TOOK : SIMT_FELL;
}

static int bar_stack(struct simt_block *b, struct simt_warp *w, struct lab_err *err)
{
    uint32_t missing = w->live & ~w->path.active;
    if (missing != 0) {
        (void)simt_error_at(b->prog, w->path.pc, err,
                            "BAR in warp %u without lane %d, which waits elsewhere; expected all "
                            "live lanes (BAR belongs outside divergent regions)",
                            w->id, __builtin_ctz(missing));
        return simt_fail(b, w, w->path.pc);
    }
    w->path.pc++;
    return SIMT_WAITS_BAR;
}

static int halt_stack(struct simt_block *b, struct simt_warp *w, struct lab_err *err)
{
    uint32_t pc = w->path.pc;
    w->live &= ~w->path.active;
    simt_path_halt(&w->path);
    if (w->live != 0 && w->path.active == 0) {
        return simt_broken(b, w, pc, err, "no lane is active, but some have not halted");
    }
    return w->live == 0 ? SIMT_ENDED : SIMT_GOES_ON;
}

static int branch_stack(struct simt_block *b, struct simt_warp *w, const struct simt_insn *in,
                        struct lab_err *err)
{
    struct simt_path *p = &w->path;
    if (p->depth >= SIMT_LANES) {
        return simt_broken(b, w, p->pc, err,
                           "the mask stack holds more entries than a warp can need");
    }
    simt_branch(p, simt_branch_taken(w, in, p->active), in->target, in->pair);
    if (p->depth > w->count.max_depth) {
        w->count.max_depth = p->depth;
    }
    return SIMT_GOES_ON;
}

int simt_step_stack(struct simt_block *b, struct simt_warp *w, struct lab_err *err)
{
    struct simt_path *p = &w->path;
    if (p->pc >= b->prog->n) {
        (void)simt_error_at(b->prog, p->pc, err,
                            "warp %u runs past this last instruction (pc %u), expected HALT", w->id,
                            b->prog->n - 1);
        return simt_fail(b, w, p->pc);
    }
    const struct simt_insn *in = &b->prog->code[p->pc];
    simt_note_issue(b, w, p->pc, p->active, side_of(p));
    switch (in->op) {
    case SIMT_BRZ:
    case SIMT_BRNZ: return branch_stack(b, w, in, err);
    case SIMT_JMP: simt_jump(p, in->target); return SIMT_GOES_ON;
    case SIMT_RECONV: simt_reconv(p); return SIMT_GOES_ON;
    case SIMT_BAR: return bar_stack(b, w, err);
    case SIMT_HALT: return halt_stack(b, w, err);
    default: break;
    }
    if (simt_exec(b, w, p->pc, p->active, err) < 0) {
        return -1;
    }
    p->pc++;
    return in->op == SIMT_LD ? SIMT_LOADS : SIMT_GOES_ON;
}
