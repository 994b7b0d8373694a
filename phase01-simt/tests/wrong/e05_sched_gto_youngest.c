/* Wrong on purpose: when the greedy warp stalls, the youngest takes over.
 *
 * REJECTED BY: greedy_turns_to_the_oldest */
#include "simt_pick.h"

int simt_pick_rr(uint64_t ready, int last)
{
    uint64_t after = last < 0 || last >= 63 ? 0 : ready & (UINT64_MAX << (last + 1));
    return __builtin_ctzll(after != 0 ? after : ready);
}

int simt_pick_gto(uint64_t ready, int last)
{
    if (last >= 0 && (ready >> last & 1) != 0) {
        return last;
    }
    return 63 - __builtin_clzll(ready);
}
