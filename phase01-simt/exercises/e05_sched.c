/* Exercise e05_sched: which of the ready warps issues in this cycle?
 *
 * Contract (src/simt_pick.h). `ready` has bit w set for each warp w (0..63) that could issue, and
 * is never 0; `last` issued last, or is -1. Round robin: the next ready warp above `last`, around
 * from 63 to 0, `last` itself at the end of the round. Greedy then oldest: `last` while it is
 * ready, else the ready warp with the lowest number. Both return a warp that is ready.
 *
 * HINT 1: `last` need not be ready: it may wait for memory, or have ended.
 * HINT 2: a loop over the 64 numbers last + 1, last + 2, ... modulo 64 is enough for round robin.
 * HINT 3: in C, 1 << 40 is not a 64-bit shift; UINT64_C(1) << 40 is.
 */
#include "lab/err.h"
#include "simt_pick.h"

int simt_pick_rr(uint64_t ready, int last)
{
    (void)ready;
    (void)last;
    LAB_TODO("e05_sched");
}

int simt_pick_gto(uint64_t ready, int last)
{
    (void)ready;
    (void)last;
    LAB_TODO("e05_sched");
}
