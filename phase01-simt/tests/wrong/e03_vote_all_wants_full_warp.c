/* Wrong on purpose: "all" compares with the full warp instead of the active lanes.
 *
 * REJECTED BY: inactive_lanes_have_no_say */
#include "simt_vote.h"

uint32_t simt_ballot(const int32_t *pred, uint32_t active)
{
    uint32_t yes = 0;
    for (int i = 0; i < SIMT_LANES; i++) {
        yes |= (uint32_t)(pred[i] != 0) << i;
    }
    return yes & active;
}

int32_t simt_vote_any(const int32_t *pred, uint32_t active)
{
    return simt_ballot(pred, active) != 0;
}

int32_t simt_vote_all(const int32_t *pred, uint32_t active)
{
    return simt_ballot(pred, active) == SIMT_FULL;
}
