/* Wrong on purpose: lanes that are masked off keep the result too.
 *
 * REJECTED BY: commit_keeps_the_active_lanes_only */
#include "simt_mask.h"

void simt_commit(int32_t *dst, const int32_t *val, uint32_t mask)
{
    (void)mask;
    for (int i = 0; i < SIMT_LANES; i++) {
        dst[i] = val[i];
    }
}

void simt_count_issue(struct simt_counters *n, uint32_t mask)
{
    n->issues++;
    n->active_sum += (unsigned)__builtin_popcount(mask);
}
