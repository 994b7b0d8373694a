/* The benchmark's peer: the same programs, one lane after the other. */
#ifndef SIMT_SCALAR_H
#define SIMT_SCALAR_H

#include <stdbool.h>

#include "simt_block.h"

/* Can the peer run this program? Only what needs one lane: arithmetic, memory, branches, no votes,
 * SHFL, BAR or atomics. */
bool simt_scalar_can(const struct simt_program *prog);

/* Run one warp's 32 threads, each from start to HALT, on mem[0..words). The number of lane
 * instructions, RECONV included; −1 when a lane divides by 0, leaves memory or the program, or runs
 * more than a million instructions. Thread-safety: no shared state but mem. */
int64_t simt_scalar_run(const struct simt_program *prog, int32_t *mem, uint32_t words);

#endif
