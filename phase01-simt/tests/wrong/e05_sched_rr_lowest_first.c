/* Wrong on purpose: round robin always begins at warp 0.
 *
 * REJECTED BY: round_robin_takes_the_next_above_the_last */
#include "simt_pick.h"

int simt_pick_rr(uint64_t ready, int last)
{
    (void)last;
    return __builtin_ctzll(ready);
}

int simt_pick_gto(uint64_t ready, int last)
{
    if (last >= 0 && (ready >> last & 1) != 0) {
        return last;
    }
    return __builtin_ctzll(ready);
}
