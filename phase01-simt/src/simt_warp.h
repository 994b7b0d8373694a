/* One issue of one warp, under either policy. */
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#include "lab/err.h"
#include "simt_block.h"

enum simt_outcome {
    SIMT_GOES_ON,   /* ready in the next cycle */
    SIMT_LOADS,     /* waits for memory */
    SIMT_WAITS_BAR, /* every live lane stands at a BAR */
    SIMT_ENDED,     /* no lane is left */
};

/* Give an all-zero warp its number and its lanes. */
void simt_warp_init(struct simt_warp *w, unsigned id);

/* Issue the warp's next instruction. Negative: an input error, set in err and in b->fault. */
int simt_step_stack(struct simt_block *b, struct simt_warp *w, struct lab_err *err);
int simt_step_its(struct simt_block *b, struct simt_warp *w, struct lab_err *err);

/* The BAR is complete: lanes that stood at it may go on. */
void simt_warp_release(struct simt_warp *w);

/* Note in the block where the program failed (SIMT_FAULT_PROGRAM); the message is set already.
 * Returns −1. */
int simt_fail(struct simt_block *b, const struct simt_warp *w, uint32_t pc);

/* The simulator itself went wrong, which only an unfinished exercise can make happen: a check error
 * that says what no longer holds. Returns −1. */
int simt_broken(struct simt_block *b, const struct simt_warp *w, uint32_t pc, struct lab_err *err,
                const char *what);

/* The active lanes of a path are done: take them out of every mask on the stack, and if that leaves
 * none active, go on as though the empty side had reached its RECONV. With no lane left at all,
 * active is 0 and the stack is empty. */
void simt_path_halt(struct simt_path *p);

#endif
