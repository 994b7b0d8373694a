/* The problem: two pictures that a learner compares with the text books': the latency staircase and
 * the roofline.
 *
 * Simplified: medians are drawn; intervals are in the tables.
 */
#include <stdio.h>

#include "lab/file.h"
#include "lab/svg.h"
#include "membench_parts.h"

static int write_plot(const struct lab_plot *plot, const char *path, struct lab_err *err)
{
    struct lab_buf svg;
    lab_buf_init(&svg);
    lab_plot_svg(plot, &svg);
    int rc = lab_file_write(path, lab_buf_str(&svg), svg.len, err);
    lab_buf_fini(&svg);
    return rc;
}

static void medians_of(const struct membench_curve *c, double *x, double *y)
{
    for (size_t i = 0; i < c->n; i++) {
        x[i] = (double)c->bytes[i];
        y[i] = membench_median(c->ns[i], c->reps);
    }
}

int membench_chart_latency(const struct membench_ctx *ctx, const struct membench_latency_result *r,
                           const char *path, struct lab_err *err)
{
    double x[MEMBENCH_SIZES_MAX], base[MEMBENCH_SIZES_MAX], huge[MEMBENCH_SIZES_MAX];
    char label[MEMBENCH_CACHES_MAX][32];
    struct lab_mark marks[MEMBENCH_CACHES_MAX];
    size_t nmarks = 0;
    medians_of(&r->base, x, base);
    medians_of(&r->huge, x, huge);
    for (size_t i = 0; i < ctx->ncaches && r->base.n > 0; i++) {
        double at = (double)ctx->caches[i].bytes;
        if (at <= x[r->base.n - 1]) {
            (void)snprintf(label[nmarks], sizeof(label[0]), "L%d", ctx->caches[i].level);
            marks[nmarks] = (struct lab_mark){.x = at, .label = label[nmarks]};
            nmarks++;
        }
    }
    const struct lab_series series[] = {
        {.name = "base pages", .x = x, .y = base, .n = r->base.n, .line = true, .points = true},
        {.name = "huge pages", .x = x, .y = huge, .n = r->huge.n, .line = true, .points = true},
    };
    const struct lab_plot plot = {
        .title = "Latency of one dependent load",
        .desc = "Nanoseconds per load of a pointer chase over rings of rising size, on base and on "
                "huge pages, with the published cache sizes marked.",
        .x = {.label = "memory covered (bytes)", .log = true, .ticks = LAB_TICKS_BYTES},
        .y = {.label = "ns per load", .log = true},
        .series = series,
        .nseries = 2,
        .marks = marks,
        .nmarks = nmarks,
    };
    return write_plot(&plot, path, err);
}

#define AI_MIN 0.03
#define AI_MAX 64.0

int membench_chart_roofline(const struct membench_roof_result *r, const char *path,
                            struct lab_err *err)
{
    double fma_ridge = membench_ridge(r->read_gbs, r->fma);
    double muladd_ridge = membench_ridge(r->read_gbs, r->muladd);
    const double roof_x[] = {AI_MIN, fma_ridge, AI_MAX > fma_ridge ? AI_MAX : 2 * fma_ridge};
    const double roof_y[] = {AI_MIN * r->read_gbs, r->fma, r->fma};
    const double flat_x[] = {muladd_ridge, roof_x[2]};
    const double flat_y[] = {r->muladd, r->muladd};
    const double copy_x[] = {AI_MIN, r->muladd / r->copy_gbs};
    const double copy_y[] = {AI_MIN * r->copy_gbs, r->muladd};
    double x[MEMBENCH_KERNELS], y[MEMBENCH_KERNELS];
    const char *labels[MEMBENCH_KERNELS];
    for (int k = 0; k < MEMBENCH_KERNELS; k++) {
        struct membench_kernel_info info = membench_kernel_info((enum membench_kernel)k);
        x[k] = info.flop / info.moved;
        y[k] = r->gflops[k];
        labels[k] = info.name;
    }
    const struct lab_series series[] = {
        {.name = "roof: reading, fma", .x = roof_x, .y = roof_y, .n = 3, .line = true},
        {.name = "mul+add", .x = flat_x, .y = flat_y, .n = 2, .line = true, .reference = true},
        {.name = "copying", .x = copy_x, .y = copy_y, .n = 2, .line = true, .reference = true},
        {.name = "measured",
         .x = x,
         .y = y,
         .n = MEMBENCH_KERNELS,
         .points = true,
         .labels = labels},
    };
    const struct lab_plot plot = {
        .title = "Roofline of this machine, one thread",
        .desc = "GFLOP/s over arithmetic intensity: measured bandwidth and peak as the roof, and "
                "four kernels under it.",
        .x = {.label = "FLOP per byte moved", .log = true},
        .y = {.label = "GFLOP/s", .log = true},
        .series = series,
        .nseries = 4,
    };
    return write_plot(&plot, path, err);
}
