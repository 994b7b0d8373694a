/* Wrong on purpose: an issue with few lanes counts as a part of one.
 *
 * REJECTED BY: an_issue_counts_once_whatever_its_mask */
#include "simt_mask.h"

void simt_commit(int32_t *dst, const int32_t *val, uint32_t mask)
{
    for (int i = 0; i < SIMT_LANES; i++) {
        dst[i] = (mask >> i & 1) != 0 ? val[i] : dst[i];
    }
}

void simt_count_issue(struct simt_counters *n, uint32_t mask)
{
    unsigned lanes = (unsigned)__builtin_popcount(mask);
    n->issues += lanes >= SIMT_LANES / 2;
    n->active_sum += lanes;
}
