/* The trace: one line of text for each issue. */
#ifndef SIMT_TRACE_H
#define SIMT_TRACE_H

#include <stdio.h>

#include "simt_block.h"

struct simt_trace {
    FILE *out;                       /* borrowed */
    const struct simt_program *prog; /* borrowed */
    bool warps;                      /* name the warp on each line? */
};

/* The line above the trace: names of the columns and a ruler for the lanes. */
void simt_trace_head(const struct simt_trace *t);

/* pc, instruction, and the mask as 32 characters, lane 0 first: '#' active, '.' not. */
void simt_trace_line(const struct simt_trace *t, const struct simt_event *event);

#endif
