/* The parts that the demonstration and the verbs of the same names put together. Each adds its
 * tables to the run and judges its laws. */
#ifndef MEMBENCH_PARTS_H
#define MEMBENCH_PARTS_H

#include "membench_ctx.h"
#include "membench_plateau.h"
#include "membench_roof.h"

/* What the latency chart needs. */
struct membench_latency_result {
    struct membench_curve base, huge;
    bool huge_obtained; /* at least 90 % of every ring lay on huge pages */
};

int membench_part_latency(const struct membench_ctx *ctx, struct membench_latency_result *out,
                          struct lab_err *err);
int membench_part_stride(const struct membench_ctx *ctx, struct lab_err *err);
int membench_part_bandwidth(const struct membench_ctx *ctx, struct lab_err *err);
int membench_part_numa(const struct membench_ctx *ctx, struct lab_err *err);

/* What the roofline chart needs: the best repetition of each. */
struct membench_roof_result {
    double read_gbs, copy_gbs; /* moved bytes */
    double fma, muladd;        /* GFLOP/s of one thread */
    double gflops[MEMBENCH_KERNELS];
};

int membench_part_roofline(const struct membench_ctx *ctx, struct membench_roof_result *out,
                           struct lab_err *err);

/* Draw. Returns 0, or negative when the file cannot be written. */
int membench_chart_latency(const struct membench_ctx *ctx, const struct membench_latency_result *r,
                           const char *path, struct lab_err *err);
int membench_chart_roofline(const struct membench_roof_result *r, const char *path,
                            struct lab_err *err);

#endif
