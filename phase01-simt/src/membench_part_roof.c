/* The problem: put this machine's roof together from measured bandwidth and measured peak, and the
 * kernels under it.
 *
 * The model: peak on registers, bandwidth and kernels interleaved; a kernel's roof uses the
 * bandwidth of the stream that moves bytes in the same way. Simplified: one thread; the roof of all
 * CPUs together is in the tables bandwidth and peak.
 */
#include <math.h>

#include "membench_flops.h"
#include "membench_kern.h"
#include "membench_parts.h"
#include "membench_tables.h"

#define OF_ROOF_MIN 0.60 /* bounds of this lab for a kernel that streams */
#define OF_ROOF_MAX 1.10

/* The cells after the row's name. */
static void put_peak(struct lab_table *t, const double *gflops, int reps, double estimate)
{
    double best = membench_best(gflops, reps);
    lab_table_real(t, best);
    lab_table_real(t, 100 * membench_spread(gflops, reps));
    lab_table_real(t, estimate);
    lab_table_real(t, best / estimate);
}

struct peaks {
    double fma, muladd; /* best of one thread, GFLOP/s */
    double spread;      /* of mul+add, one thread */
    double ghz;         /* measured clock */
    int lanes;          /* f32 lanes of the widest vector */
    double estimate;    /* one core, one pipe: ghz × lanes × 2 */
};

static int peak_of(const struct membench_ctx *ctx, bool all, struct lab_table *t, struct peaks *out,
                   struct lab_err *err)
{
    int n = all ? (int)ctx->cpus.n : 1;
    struct membench_team *team = membench_team_new(n, all ? &ctx->cpus : &ctx->one, err);
    if (team == NULL) {
        return -1;
    }
    double ghz = membench_sys_clock_ghz();
    double estimate = membench_peak_estimate(n, ghz, membench_flops_lanes());
    double fma[MEMBENCH_REPS_MAX], muladd[MEMBENCH_REPS_MAX];
    struct membench_peak_config cfg = {
        .arith = MEMBENCH_FMA, .reps = ctx->effort.roof_reps, .rep_us = 5 * ctx->effort.rep_us};
    int rc = membench_peak(team, &cfg, fma, err);
    cfg.arith = MEMBENCH_MULADD;
    rc = rc < 0 ? rc : membench_peak(team, &cfg, muladd, err);
    membench_team_free(team);
    if (rc < 0) {
        return rc;
    }
    for (int fused = 1; fused >= 0; fused--) {
        lab_table_str(t, fused ? "fma" : "mul+add");
        lab_table_str(t, all ? "all" : "1");
        put_peak(t, fused ? fma : muladd, cfg.reps, estimate);
    }
    if (!all) {
        out->fma = membench_best(fma, cfg.reps);
        out->muladd = membench_best(muladd, cfg.reps);
        out->spread = membench_spread(muladd, cfg.reps);
        out->ghz = ghz;
        out->lanes = membench_flops_lanes();
        out->estimate = estimate;
    }
    return 0;
}

static void put_quantity(struct lab_table *t, const char *what, double v, const char *unit)
{
    lab_table_str(t, what);
    lab_table_real(t, v);
    lab_table_str(t, unit);
}

static void put_roof(const struct membench_ctx *ctx, const struct membench_roof_result *r,
                     const struct peaks *p)
{
    struct lab_table *t = lab_run_table(ctx->run, &membench_table_roof);
    put_quantity(t, "bandwidth, reading", r->read_gbs, "GB/s");
    put_quantity(t, "bandwidth, copying", r->copy_gbs, "GB/s");
    put_quantity(t, "peak, fma", p->fma, "GFLOP/s");
    put_quantity(t, "peak, mul+add", p->muladd, "GFLOP/s");
    put_quantity(t, "clock, measured", p->ghz, "GHz");
    put_quantity(t, "lanes of a vector", p->lanes, "f32");
    put_quantity(t, "peak, estimated", p->estimate, "GFLOP/s");
    put_quantity(t, "ridge, fma", membench_ridge(r->read_gbs, p->fma), "FLOP/byte");
    put_quantity(t, "ridge, mul+add", membench_ridge(r->read_gbs, p->muladd), "FLOP/byte");
    put_quantity(t, "ridge, estimated", membench_ridge(r->read_gbs, p->estimate), "FLOP/byte");
}

/* One kernel under its roof, each by its best repetition. */
struct placed {
    double ai, ai_bus, roof, gflops;
    double spread; /* the larger of the kernel's and its roof's */
    bool memory_bound;
};

static struct placed place(enum membench_kernel k, const struct membench_roof *m, int reps,
                           const struct peaks *p)
{
    struct membench_kernel_info info = membench_kernel_info(k);
    bool stores = k == MEMBENCH_VECTOR_ADD || k == MEMBENCH_TRIAD;
    const double *gbs = stores ? m->copy_gbs : m->read_gbs;
    double bw = membench_best(gbs, reps);
    struct placed at = {.ai = info.flop / info.bytes, .ai_bus = info.flop / info.moved};
    at.roof = membench_roof_at(at.ai_bus, bw, p->muladd);
    at.memory_bound = at.ai_bus < membench_ridge(bw, p->muladd);
    at.gflops = membench_best(m->gflops[k], reps);
    at.spread = fmax(membench_spread(m->gflops[k], reps),
                     at.memory_bound ? membench_spread(gbs, reps) : p->spread);
    return at;
}

static void judge_kernel(const struct membench_ctx *ctx, enum membench_kernel k,
                         const struct placed *at)
{
    const char *name = membench_kernel_info(k).name;
    double of_roof = at->gflops / at->roof;
    if (k == MEMBENCH_MATMUL) {
        membench_judge(ctx, !at->memory_bound, at->spread,
                       "%s with AI %.1f lies right of the ridge: compute-bound", name, at->ai);
        membench_judge(ctx, of_roof <= OF_ROOF_MAX, at->spread, "%s stays under its roof (%.0f %%)",
                       name, 100 * of_roof);
        return;
    }
    membench_judge(ctx, at->memory_bound, at->spread, "%s with AI %.3f is memory-bound", name,
                   at->ai);
    membench_judge(ctx, of_roof >= OF_ROOF_MIN && of_roof <= OF_ROOF_MAX, at->spread,
                   "%s reaches %.0f %% of its roof, expected 60 to 110 %%", name, 100 * of_roof);
}

int membench_part_roofline(const struct membench_ctx *ctx, struct membench_roof_result *out,
                           struct lab_err *err)
{
    struct peaks p;
    struct membench_roof m;
    struct membench_roof_config cfg = {
        .bytes = ctx->effort.roof_bytes,
        .matmul_n = ctx->effort.matmul_n,
        .pages = (enum membench_pages)ctx->o->pages,
        .node = ctx->o->node >= 0 ? (int)ctx->o->node : MEMBENCH_ANY_NODE,
        .reps = ctx->effort.roof_reps,
    };
    struct lab_table *t = lab_run_table(ctx->run, &membench_table_peak);
    if (peak_of(ctx, false, t, &p, err) < 0 || peak_of(ctx, true, t, &p, err) < 0 ||
        membench_roof(&cfg, &m, err) < 0) {
        return -1;
    }
    *out = (struct membench_roof_result){
        .read_gbs = membench_best(m.read_gbs, cfg.reps),
        .copy_gbs = membench_best(m.copy_gbs, cfg.reps),
        .fma = p.fma,
        .muladd = p.muladd,
    };
    put_roof(ctx, out, &p);
    t = lab_run_table(ctx->run, &membench_table_roofline);
    for (int k = 0; k < MEMBENCH_KERNELS; k++) {
        struct placed at = place((enum membench_kernel)k, &m, cfg.reps, &p);
        out->gflops[k] = at.gflops;
        lab_table_str(t, membench_kernel_info((enum membench_kernel)k).name);
        lab_table_real(t, at.ai);
        lab_table_real(t, at.ai_bus);
        lab_table_real(t, at.roof);
        lab_table_real(t, at.gflops);
        lab_table_real(t, 100 * at.gflops / at.roof);
        lab_table_real(t, 100 * at.spread);
        lab_table_str(t, at.memory_bound ? "memory" : "compute");
        judge_kernel(ctx, (enum membench_kernel)k, &at);
    }
    return 0;
}
