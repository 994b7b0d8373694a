/* The problem: a verdict on a noisy machine is worth as much as its spread allows.
 *
 * The model: every law is stated together with the spread of what it compares; a law that fails
 * within a wide spread says nothing and is reported as that. Simplified: spread sees only noise
 * that changes from one repetition to the next; a neighbour that is busy all the time looks like a
 * slower machine.
 */
#include "membench_ctx.h"

#include <stdarg.h>
#include <string.h>

#include "lab/host.h"
#include "lab/stats.h"

#define NOISY_SPREAD 0.15
#define NOISY_OTHERS 0.10
#define MIB          ((size_t)1 << 20)

static const struct membench_effort quick = {
    .latency_max = 32 * MIB,
    .halves_max = 8 * MIB,
    .latency_reps = 7,
    .rep_us = 400,
    .bw_bytes = 32 * MIB,
    .bw_reps = 3,
    .roof_bytes = 64 * MIB,
    .matmul_n = 576,
    .roof_reps = 5,
    .stream_bytes = 16 * MIB,
};
static const struct membench_effort normal = {
    .latency_max = 256 * MIB,
    .halves_max = 64 * MIB,
    .latency_reps = 11,
    .rep_us = 1500,
    .bw_bytes = 128 * MIB,
    .bw_reps = 7,
    .roof_bytes = 128 * MIB,
    .matmul_n = 960,
    .roof_reps = 9,
    .stream_bytes = 64 * MIB,
};
static const struct membench_effort full = {
    .latency_max = 256 * MIB,
    .halves_max = 256 * MIB,
    .latency_reps = 31,
    .rep_us = 4000,
    .bw_bytes = 512 * MIB,
    .bw_reps = 21,
    .roof_bytes = 256 * MIB,
    .matmul_n = 960,
    .roof_reps = 21,
    .stream_bytes = 256 * MIB,
};

static int check_place(struct membench_ctx *ctx, struct lab_err *err)
{
    const struct membench_opts *o = ctx->o;
    int cpu = o->cpu >= 0 ? (int)o->cpu : ctx->cpus.cpu[0];
    bool known = false;
    for (size_t i = 0; i < ctx->cpus.n; i++) {
        known = known || ctx->cpus.cpu[i] == cpu;
    }
    if (!known) {
        return lab_err_input(err, "--cpu %d: not one of the %zu CPUs this process may use", cpu,
                             ctx->cpus.n);
    }
    int nodes[MEMBENCH_NODES_MAX];
    size_t nnodes = membench_sys_nodes(nodes);
    known = o->node < 0;
    for (size_t i = 0; i < nnodes; i++) {
        known = known || nodes[i] == o->node;
    }
    if (!known) {
        return lab_err_input(err, "--node %d: not one of this machine's %zu memory nodes",
                             (int)o->node, nnodes);
    }
    ctx->one = (struct membench_cpus){.cpu = {cpu}, .n = 1};
    return membench_sys_pin(cpu, err);
}

/* A size the user asked for must fit the memory there is; a default gives way. `times` is how many
 * arrays of that size are needed. */
static int fit_memory(const char *option, int64_t asked, size_t times, size_t *bytes,
                      struct lab_err *err)
{
    char a[MEMBENCH_SIZE_TEXT], b[MEMBENCH_SIZE_TEXT];
    size_t most = membench_sys_available() / 4 * 3 / times / MIB * MIB;
    if (asked > 0) {
        *bytes = (size_t)asked;
    }
    if (*bytes <= most) {
        return 0;
    }
    if (asked > 0) {
        return lab_err_input(err, "%s %s: at most %s on this machine now", option,
                             membench_size_text((size_t)asked, a), membench_size_text(most, b));
    }
    *bytes = most > MIB ? most : MIB;
    return 0;
}

static int check_sizes(struct membench_ctx *ctx, struct lab_err *err)
{
    const struct membench_opts *o = ctx->o;
    if (o->quick && o->full) {
        return lab_err_input(err, "--quick and --full exclude each other");
    }
    ctx->effort = o->full ? full : o->quick ? quick : normal;
    if (fit_memory("--max", o->max, 1, &ctx->effort.latency_max, err) < 0 ||
        fit_memory("--bytes", o->bytes, 2, &ctx->effort.bw_bytes, err) < 0 ||
        fit_memory("", 0, 3, &ctx->effort.roof_bytes, err) < 0) {
        return -1;
    }
    if (o->bytes > 0 && o->bytes < (int64_t)MIB) {
        return lab_err_input(err, "--bytes %d: expected at least 1M", (int)o->bytes);
    }
    if ((size_t)o->min > ctx->effort.latency_max) {
        char a[MEMBENCH_SIZE_TEXT], b[MEMBENCH_SIZE_TEXT];
        return lab_err_input(err, "--min %s is above --max %s",
                             membench_size_text((size_t)o->min, a),
                             membench_size_text(ctx->effort.latency_max, b));
    }
    return 0;
}

int membench_begin(struct lab_run *run, struct membench_ctx *ctx, struct lab_err *err)
{
    *ctx = (struct membench_ctx){.run = run, .o = run->opts, .optimised = lab_host_optimised()};
    if (check_sizes(ctx, err) < 0) {
        return -1;
    }
    if (membench_sys_cpus(&ctx->cpus, err) < 0 || check_place(ctx, err) < 0) {
        return -1;
    }
    ctx->ncaches = membench_sys_caches(MEMBENCH_SYSFS_CACHE, ctx->caches);
    if (!ctx->optimised) {
        /* Without optimisation the loops, not the memory, are measured; keep the run short. */
        ctx->effort.latency_reps = ctx->effort.bw_reps = ctx->effort.roof_reps = 3;
        ctx->effort.rep_us = 200;
        ctx->effort.matmul_n = 192;
        ctx->effort.bw_bytes = ctx->effort.roof_bytes = ctx->effort.stream_bytes = 4 * MIB;
    }
    membench_sys_busy(&ctx->start);
    struct lab_buf host;
    lab_buf_init(&host);
    lab_host_line(&host);
    lab_run_note(run, "%s; pinned to CPU %d", lab_buf_str(&host), ctx->one.cpu[0]);
    lab_buf_fini(&host);
    if (!ctx->optimised) {
        lab_run_note(run, "built without optimisation or with a sanitizer: the timings mean "
                          "nothing");
    }
    return 0;
}

void membench_end(const struct membench_ctx *ctx)
{
    double others = membench_sys_others(&ctx->start);
    if (others > NOISY_OTHERS) {
        lab_run_note(ctx->run,
                     "other programs kept %.2f CPUs busy meanwhile: a quieter machine gives "
                     "lower latencies and higher rates",
                     others);
    }
}

void membench_judge(const struct membench_ctx *ctx, bool holds, double spread, const char *fmt, ...)
{
    struct lab_buf text;
    lab_buf_init(&text);
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    double others = holds ? 0 : membench_sys_others(&ctx->start);
    if (!holds && !ctx->optimised) {
        lab_run_note(ctx->run, "not judged in this build: %s", lab_buf_str(&text));
    } else if (!holds && (!(spread <= NOISY_SPREAD) || others > NOISY_OTHERS)) {
        lab_run_note(ctx->run,
                     "too noisy to judge (spread %.0f %%, other programs took %.2f CPUs): %s",
                     100 * spread, others, lab_buf_str(&text));
    } else {
        lab_run_check(ctx->run, holds, "%s", lab_buf_str(&text));
    }
    lab_buf_fini(&text);
}

const char *membench_size_text(size_t bytes, char out[MEMBENCH_SIZE_TEXT])
{
    if (bytes >= MIB && bytes % MIB == 0) {
        (void)snprintf(out, MEMBENCH_SIZE_TEXT, "%zuM", bytes / MIB);
    } else if (bytes % 1024 == 0) {
        (void)snprintf(out, MEMBENCH_SIZE_TEXT, "%zuK", bytes / 1024);
    } else {
        (void)snprintf(out, MEMBENCH_SIZE_TEXT, "%zu", bytes);
    }
    return out;
}

static struct lab_summary summary(const double *v, int n)
{
    double sorted[MEMBENCH_REPS_MAX];
    LAB_ASSERT(n >= 1 && n <= MEMBENCH_REPS_MAX);
    memcpy(sorted, v, (size_t)n * sizeof(*v));
    return lab_summarise(sorted, (size_t)n);
}

double membench_median(const double *v, int n)
{
    return summary(v, n).median;
}

double membench_best(const double *v, int n)
{
    return summary(v, n).max;
}

double membench_spread(const double *v, int n)
{
    return summary(v, n).spread;
}
