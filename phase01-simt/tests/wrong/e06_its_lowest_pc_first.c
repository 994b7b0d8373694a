/* Wrong on purpose: the lowest pc always wins, so lanes that spin there starve the others.
 *
 * REJECTED BY: a_spin_lock_makes_progress */
#include "simt_its.h"

uint32_t simt_its_pick(const uint32_t *pc, uint32_t runnable, uint32_t last_pc)
{
    uint32_t lowest = UINT32_MAX;
    uint32_t lanes = 0;
    (void)last_pc;
    for (int i = 0; i < SIMT_LANES; i++) {
        if ((runnable >> i & 1) != 0 && pc[i] < lowest) {
            lowest = pc[i];
        }
    }
    for (int i = 0; i < SIMT_LANES; i++) {
        lanes |= (uint32_t)((runnable >> i & 1) != 0 && pc[i] == lowest) << i;
    }
    return lanes;
}
