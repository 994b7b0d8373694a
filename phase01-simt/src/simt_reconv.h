/* Divergence: one pc, one active mask, and a stack of the masks to come back to. (Exercise
 * e02_reconv.)
 *
 * The rule. Lanes of a warp that disagree at a branch push an entry {the branch's RECONV, the mask
 * before, the lanes that take it, its target} and the lanes that fall through run on. At RECONV, an
 * entry is "own" when its `reconv` is the pc of this RECONV. The first visit to an own top entry
 * switches to the lanes that took the branch; the second restores the mask from before, pops the
 * entry and goes on with the next own entry.
 *
 * Invariants: active is a proper, non-empty part of the top entry's `before`, so at most 31 entries
 * exist; `taken` is a proper part of `before`. Thread-safety: one thread at a time per path.
 */
#ifndef SIMT_RECONV_H
#define SIMT_RECONV_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_isa.h"

struct simt_entry {
    uint32_t reconv; /* pc of the RECONV that closes the branch */
    uint32_t before; /* mask when the branch was issued */
    uint32_t taken;  /* the lanes that take it */
    uint32_t target; /* pc at which they go on */
    bool visited;    /* have the taken lanes been switched to? */
};

/* Where a warp stands. */
struct simt_path {
    uint32_t pc;
    uint32_t active; /* never 0 while the warp lives */
    unsigned depth;  /* entries in use; the top one is stack[depth − 1] */
    struct simt_entry stack[SIMT_LANES];
};

/* A branch issued at p->pc, taken by the lanes in `taken` (a part of p->active; none and all are
 * allowed), with the target and the RECONV the assembler found. A uniform branch pushes nothing: it
 * jumps if all take it, else goes to the next pc. If the lanes disagree: push an entry, not yet
 * visited, and go on at the next pc with those that do not take it. */
void simt_branch(struct simt_path *p, uint32_t taken, uint32_t target, uint32_t reconv);

/* A JMP: the pc moves to the target, mask and stack stay, even inside a divergent region. */
void simt_jump(struct simt_path *p, uint32_t target);

/* A RECONV issued at p->pc. As long as the top entry is own:
 *   not visited: mark it visited, run the taken lanes at the target, done;
 *   visited:     active = before, pop, and look at the new top.
 * With no own entry (left): go to the next pc. */
void simt_reconv(struct simt_path *p);

#endif
