/* Wrong on purpose: lanes that wait or have ended are chosen too.
 *
 * REJECTED BY: all_runnable_lanes_at_the_pc_issue_and_no_others */
#include "simt_its.h"

uint32_t simt_its_pick(const uint32_t *pc, uint32_t runnable, uint32_t last_pc)
{
    uint32_t nearest = UINT32_MAX;
    uint32_t lanes = 0;
    (void)runnable;
    for (int i = 0; i < SIMT_LANES; i++) {
        uint32_t ahead = pc[i] - last_pc - 1;
        nearest = ahead < nearest ? ahead : nearest;
    }
    for (int i = 0; i < SIMT_LANES; i++) {
        lanes |= (uint32_t)(pc[i] - last_pc - 1 == nearest) << i;
    }
    return lanes;
}
