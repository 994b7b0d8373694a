/* Option tables of the program; each ends with a NULL name. */
#ifndef MEMBENCH_OPTIONS_H
#define MEMBENCH_OPTIONS_H

#include "lab/cli.h"
#include "membench_ctx.h"

extern const struct lab_opt membench_demo_opts[];
extern const struct lab_opt membench_latency_opts[];
extern const struct lab_opt membench_stride_opts[];
extern const struct lab_opt membench_bandwidth_opts[];
extern const struct lab_opt membench_roofline_opts[];
extern const struct lab_opt membench_model_opts[];
extern const struct lab_opt membench_spec_opts[];
extern const struct lab_opt membench_bench_opts[];

extern const struct membench_opts membench_defaults;

#endif
