/* The program's verbs. Each gets struct simt_opts through run->opts. */
#ifndef SIMT_CMD_H
#define SIMT_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/cli.h"
#include "simt_block.h"

struct simt_opts {
    int64_t warps, ld_latency, mem_words, budget;
    int policy, sched; /* enum simt_policy, enum simt_sched */
    bool trace;
    const char *mem;     /* file of words to load, or NULL */
    const char *dump;    /* regs, mem or mem:A-B, or NULL */
    const char *kernels; /* folder of the .simt files; not an option */
    const char *selp;    /* the file of exercise e04; not an option */
};

int simt_cmd_demo(struct lab_run *run, struct lab_err *err);
int simt_cmd_run(struct lab_run *run, struct lab_err *err);
int simt_cmd_asm(struct lab_run *run, struct lab_err *err);
int simt_cmd_isa(struct lab_run *run, struct lab_err *err);
int simt_cmd_bench(struct lab_run *run, struct lab_err *err);
int simt_cmd_check_selp(struct lab_run *run, struct lab_err *err);

#endif
