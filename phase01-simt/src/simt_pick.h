/* Which warp issues in this cycle. (Exercise e05_sched.)
 *
 * `ready` has bit w set for each warp w (0..63) that could issue now, and is never 0. `last` is the
 * warp that issued last, whether or not it is ready, or −1 at the start. Warps were all launched
 * together, so the oldest is the one with the lowest number. Thread-safety: no shared state.
 */
#ifndef SIMT_PICK_H
#define SIMT_PICK_H

#include <stdint.h>

/* Loose round robin: the next ready warp after `last`, going up and around from 63 to 0; `last`
 * itself comes at the end of its own round. */
int simt_pick_rr(uint64_t ready, int last);

/* Greedy, then oldest: `last` as long as it is ready, else the oldest ready warp. Not fair: a warp
 * that spins on a lock is always ready, and the one that holds the lock may never get its turn. */
int simt_pick_gto(uint64_t ready, int last);

#endif
