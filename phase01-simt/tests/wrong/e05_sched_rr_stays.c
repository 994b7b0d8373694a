/* Wrong on purpose: round robin begins its search at the warp that issued last.
 *
 * REJECTED BY: round_robin_stays_only_when_nobody_else_is_ready */
#include "simt_pick.h"

int simt_pick_rr(uint64_t ready, int last)
{
    for (int i = 0; i < 64; i++) {
        int w = ((last < 0 ? 0 : last) + i) % 64;
        if ((ready >> w & 1) != 0) {
            return w;
        }
    }
    return -1;
}

int simt_pick_gto(uint64_t ready, int last)
{
    if (last >= 0 && (ready >> last & 1) != 0) {
        return last;
    }
    return __builtin_ctzll(ready);
}
