/* Exercise e02_reconv: the stack that brings the two sides of a branch back together.
 *
 * Contract (src/simt_reconv.h). simt_branch: a uniform branch only moves the pc; lanes that
 * disagree push {reconv, mask before, taken lanes, target}, not visited, and those that do not take
 * it run on at the next pc. simt_jump moves the pc and nothing else. simt_reconv: as long as the
 * top entry is own (its reconv is this pc), switch to the taken lanes if they have not run yet, and
 * be done; else restore the mask, pop, and look at the new top. With no own entry left, go to the
 * next pc.
 *
 * HINT 1: write down the stack for kernels/even_odd.simt by hand, one line an issue, before you
 * code.
 *
 * HINT 2: "visited" is what tells the first visit to a RECONV from the second.
 *
 * HINT 3: a loop whose lanes leave in different rounds has pushed several entries with the same
 * reconv by the time the last lane leaves. One RECONV issue may pop more than one of them.
 */
#include "lab/err.h"
#include "simt_reconv.h"

void simt_branch(struct simt_path *p, uint32_t taken, uint32_t target, uint32_t reconv)
{
    (void)p;
    (void)taken;
    (void)target;
    (void)reconv;
    LAB_TODO("e02_reconv");
}

void simt_jump(struct simt_path *p, uint32_t target)
{
    (void)p;
    (void)target;
    LAB_TODO("e02_reconv");
}

void simt_reconv(struct simt_path *p)
{
    (void)p;
    LAB_TODO("e02_reconv");
}
