/* Exercise e05_sched, solved: two answers to "which of the ready warps?". */
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
    return __builtin_ctzll(ready);
}
