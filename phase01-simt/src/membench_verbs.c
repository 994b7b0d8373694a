/* The verbs: which parts run, in which order, and what is drawn.
 *
 * Simplified: `bench` compares one figure with one peer; a survey of memory benchmarks would also
 * run STREAM and Intel's MLC, which no Debian package brings.
 */
#include <math.h>

#include "membench_bw.h"
#include "membench_parts.h"
#include "membench_peer.h"
#include "membench_tables.h"

#define BENCH_ROUNDS 7
#define BENCH_PASSES 10
#define BENCH_AGREE  0.15
#define BENCH_NOISY  0.10

int membench_verb_latency(struct lab_run *run, struct lab_err *err)
{
    struct membench_ctx ctx;
    struct membench_latency_result r;
    if (membench_begin(run, &ctx, err) < 0 || membench_part_latency(&ctx, &r, err) < 0) {
        return -1;
    }
    membench_end(&ctx);
    return run->svg_path != NULL ? membench_chart_latency(&ctx, &r, run->svg_path, err) : 0;
}

int membench_verb_stride(struct lab_run *run, struct lab_err *err)
{
    struct membench_ctx ctx;
    if (membench_begin(run, &ctx, err) < 0 || membench_part_stride(&ctx, err) < 0) {
        return -1;
    }
    membench_end(&ctx);
    return 0;
}

int membench_verb_bandwidth(struct lab_run *run, struct lab_err *err)
{
    struct membench_ctx ctx;
    if (membench_begin(run, &ctx, err) < 0 || membench_part_bandwidth(&ctx, err) < 0 ||
        membench_part_numa(&ctx, err) < 0) {
        return -1;
    }
    membench_end(&ctx);
    return 0;
}

int membench_verb_roofline(struct lab_run *run, struct lab_err *err)
{
    struct membench_ctx ctx;
    struct membench_roof_result r;
    if (membench_begin(run, &ctx, err) < 0 || membench_part_roofline(&ctx, &r, err) < 0) {
        return -1;
    }
    membench_end(&ctx);
    return run->svg_path != NULL ? membench_chart_roofline(&r, run->svg_path, err) : 0;
}

int membench_demo(struct lab_run *run, struct lab_err *err)
{
    struct membench_ctx ctx;
    struct membench_latency_result latency;
    struct membench_roof_result roof;
    if (membench_begin(run, &ctx, err) < 0 || membench_part_latency(&ctx, &latency, err) < 0 ||
        membench_part_stride(&ctx, err) < 0 || membench_part_bandwidth(&ctx, err) < 0 ||
        membench_part_roofline(&ctx, &roof, err) < 0) {
        return -1;
    }
    membench_end(&ctx);
    if (run->svg_path == NULL) {
        return 0;
    }
    return ctx.o->chart == MEMBENCH_CHART_LATENCY
               ? membench_chart_latency(&ctx, &latency, run->svg_path, err)
               : membench_chart_roofline(&roof, run->svg_path, err);
}

/* Rounds of both in turn. Returns how many rounds the peer ran: BENCH_ROUNDS, or 0 when it cannot
 * (why is said); negative when our own side fails. */
static int bench_rounds(struct lab_run *run, double *ours, double *peer, struct lab_err *err)
{
    const struct membench_bw_config cfg = {.bytes = MEMBENCH_PEER_BYTES,
                                           .pages = MEMBENCH_BASE,
                                           .node = MEMBENCH_ANY_NODE,
                                           .reps = BENCH_PASSES};
    int peer_runs = BENCH_ROUNDS;
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double pass[BENCH_PASSES];
        if (membench_bw_read(&cfg, pass, err) < 0) {
            return -1;
        }
        /* The peer reports bytes over time for all its passes together: the harmonic mean. */
        double seconds = 0;
        for (int i = 0; i < BENCH_PASSES; i++) {
            seconds += 1 / pass[i];
        }
        ours[r] = BENCH_PASSES / seconds;
        struct lab_err why = {0};
        if (peer_runs > 0 && membench_peer_read("likwid-bench", BENCH_PASSES, &peer[r], &why) < 0) {
            lab_run_note(run, "no peer: %s", why.msg);
            peer_runs = 0;
        }
    }
    return peer_runs;
}

static void put_bench(struct lab_table *t, const char *program, const char *kernel,
                      const double *gbs, double against)
{
    double median = membench_median(gbs, BENCH_ROUNDS);
    lab_table_str(t, program);
    lab_table_str(t, kernel);
    lab_table_int(t, (int64_t)MEMBENCH_PEER_BYTES);
    lab_table_real(t, median);
    lab_table_real(t, 100 * membench_spread(gbs, BENCH_ROUNDS));
    if (against > 0) {
        lab_table_real(t, median / against);
    } else {
        lab_table_none(t);
    }
}

/* Agreement within 15 %; outside of it the spread decides whether that is a finding or noise. */
static void judge_bench(const struct membench_ctx *ctx, const double *ours, const double *peer)
{
    double ratio = membench_median(ours, BENCH_ROUNDS) / membench_median(peer, BENCH_ROUNDS);
    double spread = fmax(membench_spread(ours, BENCH_ROUNDS), membench_spread(peer, BENCH_ROUNDS));
    bool agree = fabs(ratio - 1) <= BENCH_AGREE;
    /* Two medians from a wide spread can miss each other by more than 15 % without meaning
     * anything. */
    double doubt = !agree && spread > BENCH_NOISY ? 1 : 0;
    membench_judge(ctx, agree, doubt,
                   "read bandwidth is %.2f of likwid-bench's, expected within %.0f %% (spread of "
                   "the rounds %.0f %%)",
                   ratio, 100 * BENCH_AGREE, 100 * spread);
    lab_run_note(ctx->run, "read bandwidth: %.2f of likwid-bench's, spread of the rounds %.0f %%",
                 ratio, 100 * spread);
}

int membench_verb_bench(struct lab_run *run, struct lab_err *err)
{
    struct membench_ctx ctx;
    double ours[BENCH_ROUNDS], peer[BENCH_ROUNDS];
    if (membench_begin(run, &ctx, err) < 0) {
        return -1;
    }
    if (membench_thp_always()) {
        lab_run_note(run, "transparent huge pages are on for all: likwid-bench may get them");
    }
    int rounds = bench_rounds(run, ours, peer, err);
    if (rounds < 0) {
        return -1;
    }
    struct lab_table *t = lab_run_table(run, &membench_table_bench);
    double against = rounds > 0 ? membench_median(peer, BENCH_ROUNDS) : 0;
    put_bench(t, "membench", "read", ours, against);
    if (rounds > 0) {
        put_bench(t, "likwid-bench", membench_peer_kernel(), peer, against);
        judge_bench(&ctx, ours, peer);
    }
    return 0;
}
