/* Peak floating-point rate, measured and estimated.
 *
 * Thread-safety: a team measures one thing at a time.
 */
#ifndef MEMBENCH_FLOPS_H
#define MEMBENCH_FLOPS_H

#include <stdint.h>

#include "lab/err.h"
#include "membench_e07.h"
#include "membench_team.h"

enum membench_arith {
    MEMBENCH_FMA,    /* fused multiply-add: the machine's peak */
    MEMBENCH_MULADD, /* separate multiply and add: the ceiling without fusing */
};

struct membench_peak_config {
    enum membench_arith arith;
    int reps;        /* 1 … MEMBENCH_REPS_MAX, after one that is not counted */
    uint64_t rep_us; /* how long one repetition should take about */
};

/* Single-precision GFLOP/s (1e9 operations a second) of all threads of the team together, one
 * figure per repetition. Every chain of x·m + a tends to its fixed point a/(1 − m); a result off by
 * more than rounding is a check error. */
int membench_peak(struct membench_team *team, const struct membench_peak_config *cfg,
                  double *gflops, struct lab_err *err);

/* GFLOP/s = cores · GHz · lanes · 2: one vector instruction that multiplies and adds, per cycle and
 * core. A core with two such pipes reaches twice that. */
double membench_peak_estimate(int cores, double ghz, int lanes);

#endif
