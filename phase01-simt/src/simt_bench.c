/* simt bench: warp issues per second on one core, beside a peer that runs lane by lane.
 *
 * Model: uniform.simt from start to HALT, over and over; memory, registers and counters are as a
 * fresh run needs them each time. Simulator and peer take turns, so that a change of clock
 * frequency meets both. The best repetition is the machine's own speed with the least disturbance;
 * the median and the spread say how much there was. Invariant: both count the same work, and the
 * results in memory are checked after the last repetition.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/clock.h"
#include "lab/host.h"
#include "lab/stats.h"
#include "simt_asm.h"
#include "simt_cmd.h"
#include "simt_kernels.h"
#include "simt_scalar.h"
#include "simt_tables.h"

enum { REPETITIONS = 15 };
#define SLICE_NS 100000000u /* of each engine in each repetition: 1.5 s each in all */

struct engine {
    const char *name;
    double rate[REPETITIONS]; /* million issues per second */
};

/* Millions of issues per second over a slice of time; 0 when the program fails. */
static double simt_rate(struct simt_block *b, struct lab_err *err)
{
    uint64_t start = lab_now_ns();
    uint64_t issues = 0;
    uint64_t ns = 0;
    while (ns < SLICE_NS) {
        for (int i = 0; i < 1000; i++) {
            simt_block_reset(b);
            if (simt_block_run(b, err) < 0) {
                return 0;
            }
            issues += b->issues;
        }
        ns = lab_now_ns() - start;
    }
    return (double)issues * 1e3 / (double)ns;
}

static double scalar_rate(const struct simt_block *b)
{
    uint64_t start = lab_now_ns();
    int64_t lane_insns = 0;
    uint64_t ns = 0;
    while (ns < SLICE_NS) {
        for (int i = 0; i < 100; i++) {
            lane_insns += simt_scalar_run(b->prog, b->mem, b->cfg.mem_words);
        }
        ns = lab_now_ns() - start;
    }
    return (double)lane_insns / SIMT_LANES * 1e3 / (double)ns;
}

static void row(struct lab_table *t, const struct engine *e, double best, double peer)
{
    double sorted[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
        sorted[i] = e->rate[i];
    }
    struct lab_summary s = lab_summarise(sorted, REPETITIONS);
    lab_table_str(t, e->name);
    lab_table_real(t, best);
    lab_table_real(t, s.median);
    lab_table_real(t, 100 * s.spread);
    lab_table_real(t, best / peer);
}

static double best_of(const struct engine *e)
{
    double best = 0;
    for (int i = 0; i < REPETITIONS; i++) {
        best = fmax(best, e->rate[i]);
    }
    return best;
}

static int measure(struct simt_block *b, struct lab_run *run, struct lab_err *err)
{
    struct engine simt = {.name = "simt: 32 lanes at once"};
    struct engine peer = {.name = "peer: lane by lane"};
    for (int i = 0; i < REPETITIONS; i++) {
        memset(b->mem, 0, b->cfg.mem_words * sizeof(*b->mem));
        simt.rate[i] = simt_rate(b, err);
        if (simt.rate[i] <= 0) {
            return -1;
        }
        lab_run_check(run, simt_kernel_holds("uniform", b, NULL), "simt: uniform's results");
        memset(b->mem, 0, b->cfg.mem_words * sizeof(*b->mem));
        peer.rate[i] = scalar_rate(b);
        lab_run_check(run, simt_kernel_holds("uniform", b, NULL), "peer: uniform's results");
    }
    struct lab_table *t = lab_run_table(run, &simt_table_bench);
    row(t, &simt, best_of(&simt), best_of(&peer));
    row(t, &peer, best_of(&peer), best_of(&peer));
    return 0;
}

int simt_cmd_bench(struct lab_run *run, struct lab_err *err)
{
    const struct simt_opts *o = run->opts;
    struct simt_program *prog = NULL;
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s/uniform.simt", o->kernels);
    if (simt_assemble_file(path, &prog, err) < 0) {
        return -1;
    }
    struct lab_buf host;
    lab_buf_init(&host);
    lab_host_line(&host);
    lab_run_note(run, "%s", lab_buf_str(&host));
    lab_buf_fini(&host);
    if (!lab_host_optimised()) {
        lab_run_note(run, "this build is not optimised or has a sanitizer: the rates mean nothing");
    }
    struct simt_block *b = simt_block_new(prog, &simt_config_default);
    int rc = measure(b, run, err);
    simt_block_free(b);
    simt_program_free(prog);
    return rc;
}
