/* Wrong on purpose: one lane at a time: the others at the same pc are left behind.
 *
 * REJECTED BY: all_runnable_lanes_at_the_pc_issue_and_no_others */
#include "simt_its.h"

uint32_t simt_its_pick(const uint32_t *pc, uint32_t runnable, uint32_t last_pc)
{
    uint32_t nearest = UINT32_MAX;
    uint32_t lanes = 0;
    for (int i = 0; i < SIMT_LANES; i++) {
        uint32_t ahead = pc[i] - last_pc - 1;
        if ((runnable >> i & 1) != 0 && (lanes == 0 || ahead < nearest)) {
            nearest = ahead;
            lanes = UINT32_C(1) << i;
        }
    }
    return lanes;
}
