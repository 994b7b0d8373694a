/* Exercise e01_mask: which lanes keep a result, and what an issue costs.
 *
 * Contract (src/simt_mask.h). simt_commit copies val[i] to dst[i] for each lane i whose bit in the
 * mask is 1 and leaves every other dst[i] as it was. simt_count_issue adds one to n->issues,
 * whatever the mask, and the number of active lanes to n->active_sum; it touches nothing else.
 *
 * HINT 1: bit i of a mask is (mask >> i) & 1, and lane 0 is the lowest bit.
 * HINT 2: an issue with one active lane takes the same time as one with 32. Which counter says so?
 * HINT 3: __builtin_popcount(mask) is the number of bits that are 1; a loop over 32 bits does it
 * too.
 */
#include "lab/err.h"
#include "simt_mask.h"

void simt_commit(int32_t *dst, const int32_t *val, uint32_t mask)
{
    (void)dst;
    (void)val;
    (void)mask;
    LAB_TODO("e01_mask");
}

void simt_count_issue(struct simt_counters *n, uint32_t mask)
{
    (void)n;
    (void)mask;
    LAB_TODO("e01_mask");
}
