/* Wrong on purpose: greedy-then-oldest without the greed.
 *
 * REJECTED BY: greedy_stays_while_its_warp_is_ready */
#include "simt_pick.h"

int simt_pick_rr(uint64_t ready, int last)
{
    uint64_t after = last < 0 || last >= 63 ? 0 : ready & (UINT64_MAX << (last + 1));
    return __builtin_ctzll(after != 0 ? after : ready);
}

int simt_pick_gto(uint64_t ready, int last)
{
    (void)last;
    return __builtin_ctzll(ready);
}
