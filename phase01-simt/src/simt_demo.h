/* What the parts of the demonstration share: running a kernel and checking what must hold of any
 * run. */
#ifndef SIMT_DEMO_H
#define SIMT_DEMO_H

#include "simt_cmd.h"
#include "simt_timeline.h"

struct simt_result {
    struct simt_counters n;
    uint64_t cycles, cycles_first, issues_first; /* the latter two: until the first warp ended */
    double util_pct;
    unsigned branches; /* BRZ and BRNZ in the program */
    enum simt_fault fault;
    uint32_t fault_pc;
};

/* Assemble and run kernel `name` (a file of opts->kernels, or even_odd_selp, which is opts->selp)
 * and record the laws that hold of every run: counters within their bounds, results in memory
 * right. Words 0..2047 of memory are filled from run->seed for the kernel `latency`. A run that
 * meets the budget is a result, not an error. Errors (input kind): the file is missing or wrong. */
int simt_demo_kernel(struct lab_run *run, const char *name, const struct simt_config *cfg,
                     struct simt_result *out, struct lab_err *err);

/* The extensions' tables, each with its laws. */
int simt_demo_nested(struct lab_run *run, struct lab_err *err);
int simt_demo_selp(struct lab_run *run, struct lab_err *err);
int simt_demo_vote(struct lab_run *run, struct lab_err *err);
int simt_demo_latency(struct lab_run *run, struct lab_err *err);
int simt_demo_policy(struct lab_run *run, struct lab_err *err);

#endif
