/* One issue of a warp under independent thread scheduling.
 *
 * Problem: under a mask stack, lanes that wait for a lane of their own warp wait for ever: whoever
 * holds the lock stands at the RECONV until those who spin on it come there too. Model: every lane
 * has its own pc. In each step simt_its_pick chooses a pc; all runnable lanes that stand there
 * issue together, whatever way they came. RECONV is a counted no-op. A lane at a BAR waits; when
 * all live lanes of the block do, they go on. Invariants: waiting is a part of live; lane_pc of a
 * live lane is below n, or the next step reports it.
 *
 * Simplified: hardware since Volta guarantees only that every lane makes progress and leaves the
 * order open; real compilers mark convergence points, so that lanes wait for each other a little.
 * LD holds up the whole warp here, not only the lanes that load.
 */
#include "simt_exec.h"
#include "simt_its.h"
#include "simt_warp.h"

static void set_pc(struct simt_warp *w, uint32_t lanes, uint32_t pc)
{
    for (int i = 0; i < SIMT_LANES; i++) {
        w->lane_pc[i] = (lanes >> i & 1) != 0 ? pc : w->lane_pc[i];
    }
}

static int state(const struct simt_warp *w)
{
    if (w->live == 0) {
        return SIMT_ENDED;
    }
    return w->live == w->waiting ? SIMT_WAITS_BAR : SIMT_GOES_ON;
}

static int past_end(struct simt_block *b, const struct simt_warp *w, uint32_t pc, uint32_t lanes,
                    struct lab_err *err)
{
    (void)simt_error_at(b->prog, pc, err,
                        "lane %d of warp %u runs past this last instruction (pc %u), expected HALT",
                        __builtin_ctz(lanes), w->id, b->prog->n - 1);
    return simt_fail(b, w, pc);
}

int simt_step_its(struct simt_block *b, struct simt_warp *w, struct lab_err *err)
{
    uint32_t lanes = simt_its_pick(w->lane_pc, w->live & ~w->waiting, w->last_pc);
    if (lanes == 0 || (lanes & ~(w->live & ~w->waiting)) != 0) {
        return simt_broken(b, w, 0, err, "the lanes chosen to issue are none, or cannot run");
    }
    uint32_t pc = w->lane_pc[__builtin_ctz(lanes)];
    if (pc >= b->prog->n) {
        return past_end(b, w, pc, lanes, err);
    }
    const struct simt_insn *in = &b->prog->code[pc];
    simt_note_issue(b, w, pc, lanes, lanes == w->live ? SIMT_WHOLE : SIMT_PART);
    w->last_pc = pc;
    set_pc(w, lanes, pc + 1);
    switch (in->op) {
    case SIMT_BRZ:
    case SIMT_BRNZ: set_pc(w, simt_branch_taken(w, in, lanes), in->target); break;
    case SIMT_JMP: set_pc(w, lanes, in->target); break;
    case SIMT_RECONV: break;
    case SIMT_BAR: w->waiting |= lanes; break;
    case SIMT_HALT: w->live &= ~lanes; break;
    default:
        if (simt_exec(b, w, pc, lanes, err) < 0) {
            return -1;
        }
        return in->op == SIMT_LD ? SIMT_LOADS : SIMT_GOES_ON;
    }
    return state(w);
}
