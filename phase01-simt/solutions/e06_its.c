/* Exercise e06_its, solved: going round in pc order lets every group of lanes have its turn. */
#include "simt_its.h"

uint32_t simt_its_pick(const uint32_t *pc, uint32_t runnable, uint32_t last_pc)
{
    /* How far ahead of the last pc a lane is, going up and around: 2^32 numbers in a circle, so the
     * subtraction's wrap is the "around". Equal to last_pc is the furthest. */
    uint32_t nearest = UINT32_MAX;
    uint32_t lanes = 0;
    for (int i = 0; i < SIMT_LANES; i++) {
        uint32_t ahead = pc[i] - last_pc - 1;
        if ((runnable >> i & 1) == 0 || ahead > nearest) {
            continue;
        }
        lanes = ahead < nearest ? 0 : lanes;
        nearest = ahead;
        lanes |= UINT32_C(1) << i;
    }
    return lanes;
}
