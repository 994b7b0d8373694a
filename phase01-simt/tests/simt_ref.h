/* A second opinion: one thread at a time, written apart from the simulator. */
#ifndef SIMT_REF_H
#define SIMT_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_program.h"

struct ref_thread {
    int32_t r[SIMT_REGS];
    uint64_t executed; /* instructions, RECONV and HALT included */
    uint64_t path;     /* hash of the pcs in their order */
    bool halted;       /* false: ran past the end, failed, or used up the limit */
};

/* The start of `path`, and how a pc is added to it. */
#define REF_PATH_START UINT64_C(1469598103934665603)
uint64_t ref_path_add(uint64_t path, uint32_t pc);

/* Run thread `tid` alone on mem[0..words). Instructions that need other lanes (votes, SHFL, BAR,
 * ATOM_CAS) end it as a failure. */
struct ref_thread ref_run(const struct simt_program *p, int32_t tid, int32_t *mem, uint32_t words,
                          uint64_t limit);

#endif
