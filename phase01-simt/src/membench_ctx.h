/* What all verbs of the program share: its options, how much work a run does, and how a law about a
 * measurement is judged.
 *
 * Thread-safety: a context belongs to the thread that runs the verb.
 */
#ifndef MEMBENCH_CTX_H
#define MEMBENCH_CTX_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/cli.h"
#include "membench_chase.h"
#include "membench_sys.h"

enum membench_chart { MEMBENCH_CHART_LATENCY, MEMBENCH_CHART_ROOFLINE };

struct membench_opts {
    bool quick, full, perf;
    int64_t cpu, node; /* −1: the first CPU allowed, any node */
    int order;         /* enum membench_order */
    int64_t min, max;  /* latency: bytes; max 0: as the effort says */
    int pages;         /* enum membench_pages */
    int64_t bytes;     /* bandwidth: bytes of each array; 0: as the effort says */
    int chart;         /* enum membench_chart */
    double weights_gb;
    const char *chip;
    int64_t l1, l1_ways, l2, l2_ways, tlb, tlb_ways;
};

/* How much is measured: --quick for a test, the demonstration, --full. */
struct membench_effort {
    size_t latency_max, halves_max;
    int latency_reps;
    uint64_t rep_us;
    size_t bw_bytes;
    int bw_reps;
    size_t roof_bytes, matmul_n;
    int roof_reps;
    size_t stream_bytes;
};

struct membench_ctx {
    struct lab_run *run;
    const struct membench_opts *o;
    struct membench_effort effort;
    struct membench_cpus cpus; /* all that this process may use, as it was started */
    struct membench_cpus one;  /* the one that this thread is pinned to */
    struct membench_cache_info caches[MEMBENCH_CACHES_MAX];
    size_t ncaches;
    bool optimised;
    struct membench_busy start; /* when the verb began */
};

/* Check the options, pin the thread, say on stderr what machine this is. Input errors: a CPU or
 * node this process cannot use, --min above --max, --quick with --full. */
int membench_begin(struct lab_run *run, struct membench_ctx *ctx, struct lab_err *err);

/* Say on stderr when other programs took more than a tenth of a CPU since the verb began. */
void membench_end(const struct membench_ctx *ctx);

/* A law about a measurement. When it does not hold and the spread is above 15 %, or the build has
 * no optimisation, that is a note ("too noisy to judge"), not a failed check. `spread` is a
 * fraction. */
void membench_judge(const struct membench_ctx *ctx, bool holds, double spread, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* "48K", "2M", "480M": exact multiples of 1024 bytes. Returns out. */
#define MEMBENCH_SIZE_TEXT 24
const char *membench_size_text(size_t bytes, char out[MEMBENCH_SIZE_TEXT]);

/* Median and spread ((p75 − p25) / median) of v, which is left as it is. */
double membench_median(const double *v, int n);
double membench_best(const double *v, int n); /* the largest: of rates, the least disturbed */
double membench_spread(const double *v, int n);

#endif
