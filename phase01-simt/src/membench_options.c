/* The options of each verb, and their defaults. A verb takes only those that mean something to it.
 */
#include "membench_options.h"

#define KIB ((int64_t)1 << 10)
#define MIB ((int64_t)1 << 20)
#define GIB ((int64_t)1 << 30)

#define FIELD(name) offsetof(struct membench_opts, name)

#define OPT_QUICK                                                                                  \
    {                                                                                              \
        "quick", LAB_OPT_FLAG, FIELD(quick), NULL, 0, 0, "small and short, for a test"             \
    }
#define OPT_FULL                                                                                   \
    {                                                                                              \
        "full", LAB_OPT_FLAG, FIELD(full), NULL, 0, 0, "larger and with more repetitions"          \
    }
#define OPT_CPU                                                                                    \
    {                                                                                              \
        "cpu", LAB_OPT_INT, FIELD(cpu), "N", -1, MEMBENCH_CPUS_MAX,                                \
            "pin to this CPU; -1: the first one allowed"                                           \
    }
#define OPT_NODE                                                                                   \
    {                                                                                              \
        "node", LAB_OPT_INT, FIELD(node), "N", -1, MEMBENCH_CPUS_MAX,                              \
            "take memory from this NUMA node; -1: any"                                             \
    }
#define OPT_PAGES                                                                                  \
    {                                                                                              \
        "pages", LAB_OPT_CHOICE, FIELD(pages), "base|huge", 0, 0,                                  \
            "pages of the bandwidth and roofline arrays"                                           \
    }
#define OPT_PERF                                                                                   \
    {                                                                                              \
        "perf", LAB_OPT_FLAG, FIELD(perf), NULL, 0, 0,                                             \
            "cache references and misses beside the plateaus"                                      \
    }
#define OPT_MIN                                                                                    \
    {                                                                                              \
        "min", LAB_OPT_SIZE, FIELD(min), "BYTES", 4 * KIB, 64 * GIB, "smallest ring of the curve"  \
    }
#define OPT_MAX                                                                                    \
    {                                                                                              \
        "max", LAB_OPT_SIZE, FIELD(max), "BYTES", 0, 64 * GIB,                                     \
            "largest ring of the curve; 0: 256M, with --quick 32M"                                 \
    }
#define OPT_BYTES                                                                                  \
    {                                                                                              \
        "bytes", LAB_OPT_SIZE, FIELD(bytes), "BYTES", 0, 64 * GIB,                                 \
            "each array of the bandwidth streams; 0: 128M, with --full 512M"                       \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, LAB_OPT_FLAG, 0, NULL, 0, 0, NULL                                                    \
    }

const struct lab_opt membench_demo_opts[] = {
    OPT_QUICK,
    OPT_FULL,
    OPT_CPU,
    OPT_NODE,
    OPT_PAGES,
    OPT_PERF,
    OPT_MIN,
    OPT_MAX,
    OPT_BYTES,
    {"chart", LAB_OPT_CHOICE, FIELD(chart), "latency|roofline", 0, 0, "what --svg draws"},
    END,
};
const struct lab_opt membench_latency_opts[] = {
    OPT_QUICK,
    OPT_FULL,
    OPT_CPU,
    OPT_NODE,
    OPT_PERF,
    OPT_MIN,
    OPT_MAX,
    {"order", LAB_OPT_CHOICE, FIELD(order), "random|sequential", 0, 0,
     "sequential: each node points to the next line, which prefetchers see coming"},
    END,
};
const struct lab_opt membench_stride_opts[] = {OPT_QUICK, OPT_FULL, OPT_CPU, END};
const struct lab_opt membench_bandwidth_opts[] = {OPT_QUICK, OPT_FULL,  OPT_CPU, OPT_NODE,
                                                  OPT_PAGES, OPT_BYTES, END};
const struct lab_opt membench_roofline_opts[] = {OPT_QUICK, OPT_FULL,  OPT_CPU,
                                                 OPT_NODE,  OPT_PAGES, END};
const struct lab_opt membench_model_opts[] = {
    {"l1", LAB_OPT_SIZE, FIELD(l1), "BYTES", 64, GIB, "first level"},
    {"l1-ways", LAB_OPT_INT, FIELD(l1_ways), "N", 1, 4096, "its ways"},
    {"l2", LAB_OPT_SIZE, FIELD(l2), "BYTES", 64, GIB, "second level"},
    {"l2-ways", LAB_OPT_INT, FIELD(l2_ways), "N", 1, 4096, "its ways"},
    {"tlb", LAB_OPT_INT, FIELD(tlb), "N", 1, MIB, "entries of the TLB"},
    {"tlb-ways", LAB_OPT_INT, FIELD(tlb_ways), "N", 1, 4096, "its ways"},
    END,
};
const struct lab_opt membench_spec_opts[] = {
    {"weights-gb", LAB_OPT_REAL, FIELD(weights_gb), "GB", 0, 0, "bytes of weights, in 1e9"},
    {"chip", LAB_OPT_STR, FIELD(chip), "NAME", 0, 0, "only this one"},
    END,
};
const struct lab_opt membench_bench_opts[] = {OPT_CPU, END};

const struct membench_opts membench_defaults = {
    .cpu = -1,
    .node = -1,
    .min = 4 * KIB,
    .weights_gb = 14,
    .l1 = 48 * KIB,
    .l1_ways = 12,
    .l2 = 2 * MIB,
    .l2_ways = 16,
    .tlb = 64,
    .tlb_ways = 4,
};
