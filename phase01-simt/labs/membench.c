/* membench: where do bytes come from, how long does it take, and what does that leave for
 * arithmetic? Options and verbs; the work is in src/membench_*.c. */
#include "lab/cli.h"
#include "membench_options.h"
#include "membench_tables.h"

#define MEASURES (LAB_TAKES_TABLES | LAB_TAKES_SEED)

static const struct lab_verb verbs[] = {
    {.name = "latency",
     .help = "Latency over size, plateaus, TLB.",
     .opts = membench_latency_opts,
     .takes = MEASURES | LAB_TAKES_SVG,
     .run = membench_verb_latency},
    {.name = "bandwidth",
     .help = "Read, write, copy and non-temporal streams; each NUMA node.",
     .opts = membench_bandwidth_opts,
     .takes = LAB_TAKES_TABLES,
     .run = membench_verb_bandwidth},
    {.name = "stride",
     .help = "The stride sweep that shows the line size.",
     .opts = membench_stride_opts,
     .takes = MEASURES,
     .run = membench_verb_stride},
    {.name = "roofline",
     .help = "Peak, bandwidth, and four kernels under the roof.",
     .opts = membench_roofline_opts,
     .takes = LAB_TAKES_TABLES | LAB_TAKES_SVG,
     .run = membench_verb_roofline},
    {.name = "model",
     .help = "The same streams through a cache simulator: exact counts.",
     .opts = membench_model_opts,
     .takes = MEASURES,
     .run = membench_verb_model},
    {.name = "spec",
     .help = "Ridges and decode ceilings of published chips.",
     .opts = membench_spec_opts,
     .takes = LAB_TAKES_TABLES,
     .run = membench_verb_spec},
    {.name = "bench",
     .help = "Read bandwidth against likwid-bench, 512 MB, base pages.",
     .opts = membench_bench_opts,
     .takes = LAB_TAKES_TABLES,
     .run = membench_verb_bench},
    {.name = NULL},
};

static const struct lab_program program = {
    .name = "membench",
    .summary = "Where do bytes come from, how long does it take, and what is left for arithmetic?",
    .demo = {.help = "latency, stride, bandwidth and roofline, about 20 s",
             .opts = membench_demo_opts,
             .takes = MEASURES | LAB_TAKES_SVG,
             .run = membench_demo},
    .verbs = verbs,
    .tables = membench_tables,
    .opts_default = &membench_defaults,
    .opts_size = sizeof(struct membench_opts),
    .epilog = "A law that fails within a wide spread is reported as \"too noisy to judge\", not as "
              "a failure.",
};

int main(int argc, char **argv)
{
    return lab_main(&program, argc, argv);
}
