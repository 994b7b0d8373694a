/* The active mask at work: which lanes keep a result, and what an issue costs. (Exercise e01_mask.)
 *
 * A warp issues one instruction for all 32 lanes. Every lane's unit computes; the mask says whose
 * result is kept. Bit i of a mask belongs to lane i. Thread-safety: no shared state.
 */
#ifndef SIMT_MASK_H
#define SIMT_MASK_H

#include <stdint.h>

#include "simt_isa.h"

struct simt_counters {
    uint64_t issues;     /* instructions issued, whatever their mask */
    uint64_t active_sum; /* sum over the issues of their active lanes; at most 32 * issues */
    uint64_t body;       /* issues of instructions inside a branch's region (simt_insn.body) */
    uint64_t loads;      /* issues of LD */
    unsigned max_depth;  /* the most entries that were on the mask stack */
};

/* Copy val[i] to dst[i] for each lane i whose bit in `mask` is 1; the other lanes of dst stay as
 * they are. dst and val have SIMT_LANES words and are different arrays. */
void simt_commit(int32_t *dst, const int32_t *val, uint32_t mask);

/* Count one issue with this mask: one issue, however few lanes are active (none included), and its
 * active lanes in the sum. Leaves the other counters alone. */
void simt_count_issue(struct simt_counters *n, uint32_t mask);

#endif
