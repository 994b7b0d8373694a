/* Votes: one answer for the whole warp from a value in each lane. (Exercise e03_vote.)
 *
 * Only active lanes have a say; what an inactive lane holds must not matter. `active` is never 0
 * when the executor calls. `pred` has SIMT_LANES words, and any value but 0 counts as yes.
 * Thread-safety: no shared state.
 */
#ifndef SIMT_VOTE_H
#define SIMT_VOTE_H

#include <stdint.h>

#include "simt_isa.h"

/* 1 if at least one active lane says yes, else 0. */
int32_t simt_vote_any(const int32_t *pred, uint32_t active);

/* 1 if no active lane says no, else 0. */
int32_t simt_vote_all(const int32_t *pred, uint32_t active);

/* Bit i is 1 if lane i is active and says yes. */
uint32_t simt_ballot(const int32_t *pred, uint32_t active);

#endif
