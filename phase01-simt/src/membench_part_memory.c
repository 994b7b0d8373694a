/* The problem: how memory moves (in lines), how fast, and whether it matters which memory it is.
 *
 * The model: the stride sweep, the streams, and the same two probes on each NUMA node.
 * Simplified: the NUMA table measures from one CPU; links between sockets are not loaded.
 */
#include <math.h>
#include <stdio.h>

#include "membench_bw.h"
#include "membench_kern.h"
#include "membench_parts.h"
#include "membench_stride.h"
#include "membench_tables.h"

#define CHAIN_BYTES ((size_t)256 << 10) /* beyond every first level, inside every second */
#define NUMA_BYTES  ((size_t)64 << 20)

static void judge_line(const struct membench_ctx *ctx, const struct membench_line_guess *g)
{
    size_t published = ctx->ncaches > 0 ? ctx->caches[0].line : 0;
    double doubt = g->lo == g->hi ? g->spread : fmax(g->spread, 0.2);
    if (published == 0) {
        lab_run_note(ctx->run, "line of %zu bytes; the kernel publishes none", g->bytes);
        return;
    }
    membench_judge(ctx, g->bytes == published, doubt,
                   "the stride sweep shows lines of %zu bytes, published are %zu", g->bytes,
                   published);
}

int membench_part_stride(const struct membench_ctx *ctx, struct lab_err *err)
{
    size_t strides[MEMBENCH_STRIDES_MAX], n = membench_strides(strides);
    struct membench_stride_point p[MEMBENCH_STRIDES_MAX];
    struct membench_stride_config cfg = {
        .chain_bytes = CHAIN_BYTES,
        .stream_bytes = ctx->effort.stream_bytes,
        .reps = ctx->effort.latency_reps,
        .rep_us = ctx->effort.rep_us,
        .seed = ctx->run->seed,
    };
    struct lab_table *t = lab_run_table(ctx->run, &membench_table_stride);
    for (size_t i = 0; i < n; i++) {
        if (membench_stride(&cfg, strides[i], &p[i], err) < 0) {
            return -1;
        }
        lab_table_int(t, (int64_t)strides[i]);
        lab_table_int(t, (int64_t)(strides[i] * sizeof(uint32_t)));
        lab_table_real(t, p[i].min_ns);
        lab_table_real(t, 100 * membench_spread(p[i].rep_ns, cfg.reps));
        lab_table_real(t, p[i].stream_ns);
    }
    struct membench_line_guess g;
    membench_line_infer(p, n, cfg.reps, ctx->run->seed, &g);
    t = lab_run_table(ctx->run, &membench_table_line);
    lab_table_int(t, (int64_t)g.bytes);
    lab_table_int(t, (int64_t)g.lo);
    lab_table_int(t, (int64_t)g.hi);
    lab_table_real(t, g.first_ns);
    lab_table_real(t, g.line_ns);
    lab_table_real(t, 100 * g.rms);
    char published[32] = "-";
    if (ctx->ncaches > 0 && ctx->caches[0].line != 0) {
        (void)snprintf(published, sizeof(published), "%zu", ctx->caches[0].line);
    }
    lab_table_str(t, published);
    judge_line(ctx, &g);
    return 0;
}

static const char *stores_of(enum membench_stream s)
{
    if (s == MEMBENCH_READ) {
        return "none";
    }
    if (s == MEMBENCH_WRITE || s == MEMBENCH_COPY) {
        return "ordinary";
    }
    return membench_nt_available() ? "non-temporal" : "ordinary (non-temporal not available)";
}

static void put_stream(struct lab_table *t, enum membench_stream s, const double *gbs, int reps)
{
    double useful = membench_best(gbs, reps);
    double factor = (double)membench_stream_moved(s) / membench_stream_useful(s);
    lab_table_real(t, useful);
    lab_table_real(t, factor);
    lab_table_real(t, useful * factor);
    lab_table_real(t, 100 * membench_spread(gbs, reps));
    lab_table_str(t, stores_of(s));
}

int membench_part_bandwidth(const struct membench_ctx *ctx, struct lab_err *err)
{
    struct lab_table *t = lab_run_table(ctx->run, &membench_table_bandwidth);
    for (int all = 0; all <= 1; all++) {
        struct membench_bw bw;
        struct membench_bw_config cfg = {
            .bytes = ctx->effort.bw_bytes,
            .threads = all ? (int)ctx->cpus.n : 1,
            .cpus = all ? &ctx->cpus : &ctx->one,
            .pages = (enum membench_pages)ctx->o->pages,
            .node = ctx->o->node >= 0 ? (int)ctx->o->node : MEMBENCH_ANY_NODE,
            .reps = ctx->effort.bw_reps,
        };
        if (membench_bw(&cfg, &bw, err) < 0) {
            return -1;
        }
        for (int s = 0; s < MEMBENCH_STREAMS; s++) {
            lab_table_str(t, membench_stream_name((enum membench_stream)s));
            lab_table_str(t, all ? "all" : "1");
            put_stream(t, (enum membench_stream)s, bw.gbs[s], cfg.reps);
        }
    }
    return 0;
}

int membench_part_numa(const struct membench_ctx *ctx, struct lab_err *err)
{
    int nodes[MEMBENCH_NODES_MAX];
    size_t n = membench_sys_nodes(nodes);
    if (n == 1) {
        lab_run_note(ctx->run, "one NUMA node: there is no other memory to compare with");
    }
    struct lab_table *t = lab_run_table(ctx->run, &membench_table_numa);
    for (size_t i = 0; i < n; i++) {
        struct membench_chase_config cfg = {
            .pages = (enum membench_pages)ctx->o->pages,
            .node = nodes[i],
            .stride = MEMBENCH_LINE,
            .reps = ctx->effort.bw_reps,
            .rep_us = ctx->effort.rep_us,
            .seed = ctx->run->seed,
        };
        struct membench_bw_config reading = {
            .bytes = NUMA_BYTES, .pages = cfg.pages, .node = nodes[i], .reps = cfg.reps};
        struct membench_latency l;
        double gbs[MEMBENCH_REPS_MAX];
        if (membench_chase(&cfg, NUMA_BYTES / MEMBENCH_LINE, &l, err) < 0 ||
            membench_bw_read(&reading, gbs, err) < 0) {
            return -1;
        }
        lab_table_int(t, nodes[i]);
        lab_table_real(t, membench_median(l.rep_ns, cfg.reps));
        lab_table_real(t, membench_median(gbs, cfg.reps));
        lab_table_real(
            t, 100 * fmax(membench_spread(l.rep_ns, cfg.reps), membench_spread(gbs, cfg.reps)));
    }
    return 0;
}
