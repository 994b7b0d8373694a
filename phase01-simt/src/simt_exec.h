/* What one issue does to registers and memory: everything but where the lanes go next. */
#ifndef SIMT_EXEC_H
#define SIMT_EXEC_H

#include "lab/err.h"
#include "simt_block.h"

/* Execute instruction `pc` of the program, which is none of BRZ BRNZ JMP RECONV BAR HALT, for the
 * active lanes of a warp (at least one). Errors (input kind): MOD by 0; an address outside memory;
 * the warp's first offending lane is named. A failed instruction may have changed memory for lanes
 * below that one, no register. */
int simt_exec(struct simt_block *b, struct simt_warp *w, uint32_t pc, uint32_t active,
              struct lab_err *err);

/* Lanes of `active` that take the branch `in`. */
uint32_t simt_branch_taken(const struct simt_warp *w, const struct simt_insn *in, uint32_t active);

/* The instruction at pc is issued with this mask: counters and observer. Inline, and without a call
 * for the full mask, because an issue costs some ten nanoseconds in all and this happens in each.
 */
static inline void simt_note_issue(struct simt_block *b, struct simt_warp *w, uint32_t pc,
                                   uint32_t active, enum simt_side side)
{
    const struct simt_insn *in = &b->prog->code[pc];
    if (active == SIMT_FULL) {
        w->count.issues++;
        w->count.active_sum += SIMT_LANES;
    } else {
        simt_count_issue(&w->count, active);
    }
    w->count.body += in->body;
    b->issues++;
    if (b->observe != NULL) {
        struct simt_event event = {.cycle = b->cycle,
                                   .warp = w->id,
                                   .pc = pc,
                                   .active = active,
                                   .live = w->live,
                                   .side = side};
        b->observe(b->observe_arg, &event);
    }
}

#endif
