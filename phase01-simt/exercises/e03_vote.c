/* Exercise e03_vote: one answer for the whole warp.
 *
 * Contract (src/simt_vote.h). Only lanes whose bit in `active` is 1 have a say, and any value but 0
 * is a yes. any: is there a yes? all: is there no "no"? ballot: bit i is 1 where active lane i says
 * yes.
 *
 * HINT 1: what an inactive lane holds is left over from something else; it must not change the
 * answer.
 *
 * HINT 2: write simt_ballot first.
 *
 * HINT 3: in terms of the ballot, "any" asks whether it is 0 and "all" whether it equals
 * something.
 */
#include "lab/err.h"
#include "simt_vote.h"

int32_t simt_vote_any(const int32_t *pred, uint32_t active)
{
    (void)pred;
    (void)active;
    LAB_TODO("e03_vote");
}

int32_t simt_vote_all(const int32_t *pred, uint32_t active)
{
    (void)pred;
    (void)active;
    LAB_TODO("e03_vote");
}

uint32_t simt_ballot(const int32_t *pred, uint32_t active)
{
    (void)pred;
    (void)active;
    LAB_TODO("e03_vote");
}
