/* The problem: memory moves in lines, and the size of a line can be seen from outside.
 *
 * The model: a walk that uses every s-th word of each block touches min(1, s/L) lines per access
 * when a line holds L words. If each new line costs a fixed time, time per access rises in a
 * straight line up to s = L and is flat from there on. To keep the prefetchers from hiding it,
 * every access depends on the one before, and the order is random across blocks and within them.
 *
 * Invariants: the walk visits each chosen word exactly once per round; it must end where its order
 * says. Simplified: the same sweep over memory beyond the caches shows 128 bytes on many
 * processors, because the second level fetches the neighbouring line as well ("adjacent line
 * prefetch", Intel 64 and IA-32 Architectures Optimization Reference Manual, section on hardware
 * prefetching). The dependent walk therefore stays inside the second level, where lines move one at
 * a time; the ascending walk (stream_ns) shows what the prefetchers make of it.
 */
#include "membench_stride.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/clock.h"
#include "lab/rng.h"
#include "lab/stats.h"
#include "membench_mem.h"

#define STEPS_MIN  2048
#define STEPS_MAX  ((uint64_t)2 << 20)
#define BOOTSTRAPS 200

size_t membench_strides(size_t out[MEMBENCH_STRIDES_MAX])
{
    size_t n = 0;
    for (size_t p = 1; p <= MEMBENCH_STRIDE_BLOCK; p *= 2) {
        out[n++] = p;
        if (p >= 2 && p + p / 2 <= MEMBENCH_STRIDE_BLOCK) {
            out[n++] = p + p / 2;
        }
    }
    return n;
}

/* Each chosen element holds the index of the next one. Returns how many are on the walk; `first`
 * and `order` (room for all) are where it starts and the sequence. */
static size_t link_walk(uint32_t *mem, size_t blocks, size_t stride, struct lab_rng *rng,
                        uint32_t *order)
{
    uint32_t inside[MEMBENCH_STRIDE_BLOCK];
    uint32_t *block = lab_alloc(blocks, sizeof(*block));
    size_t per = 0, n = 0;
    for (size_t i = 0; i < blocks; i++) {
        block[i] = (uint32_t)i;
    }
    lab_rng_shuffle(rng, block, blocks);
    for (size_t e = 0; e < MEMBENCH_STRIDE_BLOCK; e += stride) {
        inside[per++] = (uint32_t)e;
    }
    for (size_t b = 0; b < blocks; b++) {
        lab_rng_shuffle(rng, inside, per);
        for (size_t k = 0; k < per; k++) {
            order[n++] = block[b] * MEMBENCH_STRIDE_BLOCK + inside[k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        mem[order[i]] = order[(i + 1) % n];
    }
    free(block);
    return n;
}

static uint32_t walk(const uint32_t *mem, uint32_t at, uint64_t steps)
{
    for (uint64_t i = 0; i < steps; i++) {
        at = mem[at];
    }
    LAB_KEEP(at);
    return at;
}

static int chain(const struct membench_stride_config *cfg, uint32_t *mem, size_t stride,
                 struct membench_stride_point *out, struct lab_err *err)
{
    size_t blocks = cfg->chain_bytes / (MEMBENCH_STRIDE_BLOCK * sizeof(*mem));
    uint32_t *order = lab_alloc(blocks * MEMBENCH_STRIDE_BLOCK, sizeof(*order));
    struct lab_rng rng;
    lab_rng_seed(&rng, cfg->seed);
    size_t n = link_walk(mem, blocks, stride, &rng, order);
    LAB_ASSERT(n > 0);
    uint64_t steps = STEPS_MIN, done = 2 * n;
    uint32_t at = walk(mem, order[0], done);
    uint64_t from = lab_now_ns();
    at = walk(mem, at, steps);
    double pilot_ns = (double)(lab_now_ns() - from + 1) / (double)steps;
    done += steps;
    double fill = (double)cfg->rep_us * 1000 / pilot_ns;
    steps = fill < STEPS_MIN ? STEPS_MIN : fill > (double)STEPS_MAX ? STEPS_MAX : (uint64_t)fill;
    for (int r = 0; r < cfg->reps; r++) {
        from = lab_now_ns();
        at = walk(mem, at, steps);
        out->rep_ns[r] = (double)(lab_now_ns() - from) / (double)steps;
        out->min_ns = r == 0 || out->rep_ns[r] < out->min_ns ? out->rep_ns[r] : out->min_ns;
        done += steps;
    }
    uint32_t want = order[done % n];
    free(order);
    if (at != want) {
        return lab_err_check(err, "the walk with stride %zu ended on the wrong word", stride);
    }
    return 0;
}

static uint32_t ascend(const uint32_t *mem, size_t n, size_t stride)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i += stride) {
        sum += mem[i];
        /* One load per access, however clever the compiler: the sum is demanded each time. */
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

static int stream(const struct membench_stride_config *cfg, size_t stride,
                  struct membench_stride_point *out, struct lab_err *err)
{
    struct membench_map map;
    if (membench_map_init(&map, cfg->stream_bytes, MEMBENCH_BASE, MEMBENCH_ANY_NODE, err) < 0) {
        return -1;
    }
    uint32_t *mem = (uint32_t *)(void *)map.base;
    size_t n = cfg->stream_bytes / sizeof(*mem), taken = (n + stride - 1) / stride;
    for (size_t i = 0; i < n; i++) {
        mem[i] = 1;
    }
    int rc = 0;
    out->stream_ns = INFINITY;
    for (int r = 0; r < 3 && rc == 0; r++) {
        uint64_t from = lab_now_ns();
        uint32_t sum = ascend(mem, n, stride);
        out->stream_ns = fmin(out->stream_ns, (double)(lab_now_ns() - from) / (double)taken);
        if (sum != (uint32_t)taken) {
            rc = lab_err_check(err, "the ascending walk with stride %zu read wrong words", stride);
        }
    }
    membench_map_fini(&map);
    return rc;
}

int membench_stride(const struct membench_stride_config *cfg, size_t stride,
                    struct membench_stride_point *out, struct lab_err *err)
{
    LAB_ASSERT(stride >= 1 && stride <= MEMBENCH_STRIDE_BLOCK);
    *out = (struct membench_stride_point){.stride = stride};
    struct membench_map map;
    if (membench_map_init(&map, cfg->chain_bytes, MEMBENCH_HUGE, MEMBENCH_ANY_NODE, err) < 0) {
        return -1;
    }
    int rc = chain(cfg, (uint32_t *)(void *)map.base, stride, out, err);
    membench_map_fini(&map);
    return rc == 0 && cfg->stream_bytes > 0 ? stream(cfg, stride, out, err) : rc;
}

struct line_fit {
    double first, line, rss;
};

/* Least squares of t = first + line·u with u = min(s, L)/L, each point weighted by 1/t² so that the
 * residual is relative. */
static struct line_fit fit_line(const double *s, const double *t, size_t n, double words)
{
    double sw = 0, su = 0, st = 0, suu = 0, sut = 0;
    for (size_t i = 0; i < n; i++) {
        double w = 1 / (t[i] * t[i]), u = fmin(s[i], words) / words;
        sw += w;
        su += w * u;
        st += w * t[i];
        suu += w * u * u;
        sut += w * u * t[i];
    }
    double det = sw * suu - su * su;
    struct line_fit f = {0};
    f.line = det > 0 ? (sw * sut - su * st) / det : 0;
    f.first = (st - f.line * su) / sw;
    for (size_t i = 0; i < n; i++) {
        double r = (f.first + f.line * fmin(s[i], words) / words - t[i]) / t[i];
        f.rss += r * r;
    }
    return f;
}

static size_t best_line(const double *s, const double *t, size_t n, struct line_fit *best)
{
    size_t bytes = 0;
    best->rss = INFINITY;
    for (size_t words = 1; words <= MEMBENCH_STRIDE_BLOCK; words *= 2) {
        struct line_fit f = fit_line(s, t, n, (double)words);
        if (f.rss < best->rss) {
            *best = f;
            bytes = words * sizeof(uint32_t);
        }
    }
    return bytes;
}

/* Per stride: the lower quartile of its repetitions, since noise only adds, or of a resample of
 * them. */
static void levels(const struct membench_stride_point *p, size_t n, int reps, struct lab_rng *rng,
                   double *t)
{
    double v[MEMBENCH_REPS_MAX];
    for (size_t i = 0; i < n; i++) {
        for (int r = 0; r < reps; r++) {
            size_t pick = rng != NULL ? (size_t)lab_rng_below(rng, (uint64_t)reps) : (size_t)r;
            v[r] = p[i].rep_ns[pick];
        }
        lab_sort_f64(v, (size_t)reps);
        t[i] = lab_quantile_sorted(v, (size_t)reps, 0.25);
    }
}

static double spread_of(const struct membench_stride_point *p, size_t n, int reps)
{
    double spread[MEMBENCH_STRIDES_MAX], v[MEMBENCH_REPS_MAX];
    for (size_t i = 0; i < n; i++) {
        memcpy(v, p[i].rep_ns, (size_t)reps * sizeof(*v));
        spread[i] = lab_summarise(v, (size_t)reps).spread;
    }
    lab_sort_f64(spread, n);
    return lab_quantile_sorted(spread, n, 0.5);
}

void membench_line_infer(const struct membench_stride_point *points, size_t n, int reps,
                         uint64_t seed, struct membench_line_guess *out)
{
    double s[MEMBENCH_STRIDES_MAX], t[MEMBENCH_STRIDES_MAX], lines[BOOTSTRAPS];
    struct line_fit fit;
    LAB_ASSERT(n >= 3 && n <= MEMBENCH_STRIDES_MAX && reps >= 1 && reps <= MEMBENCH_REPS_MAX);
    for (size_t i = 0; i < n; i++) {
        s[i] = (double)points[i].stride;
    }
    levels(points, n, reps, NULL, t);
    *out = (struct membench_line_guess){.bytes = best_line(s, t, n, &fit)};
    out->first_ns = fit.first;
    out->line_ns = fit.line;
    out->rms = sqrt(fit.rss / (double)n);
    out->spread = spread_of(points, n, reps);
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    for (int b = 0; b < BOOTSTRAPS; b++) {
        levels(points, n, reps, &rng, t);
        lines[b] = (double)best_line(s, t, n, &fit);
    }
    lab_sort_f64(lines, BOOTSTRAPS);
    out->lo = (size_t)lines[BOOTSTRAPS / 40];
    out->hi = (size_t)lines[BOOTSTRAPS - 1 - BOOTSTRAPS / 40];
}
