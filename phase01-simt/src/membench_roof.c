/* The problem: is a kernel slow because of memory or because of arithmetic, and how close is it to
 * what this machine allows?
 *
 * The model: the roofline over two measured lines, bandwidth and peak. Bandwidth is measured with a
 * stream of the same kind as the kernel, in the same rounds: reading for dot and matmul, copying
 * for kernels that store. A store moves its line twice (read, then written back), so vector_add
 * moves 16 bytes for the 12 it counts: its AI is 1/12 by the book and 1/16 at the bus, and the roof
 * is predicted with the latter.
 *
 * Invariants: the inputs are small whole numbers, so sums of products are exact far beyond the
 * tolerance used; every kernel's result is compared outside the timed region. Simplified: matmul's
 * AI counts each tile once per product of tiles; the caches between keep tiles for longer, so the
 * real traffic to memory is smaller and its place on the chart further right.
 */
#include "membench_roof.h"

#include <math.h>
#include <stdbool.h>

#include "lab/clock.h"
#include "membench_kern.h"

struct membench_kernel_info membench_kernel_info(enum membench_kernel k)
{
    const double b = MEMBENCH_TILE;
    static const char *const names[] = {"vector_add", "triad", "dot", "matmul_b64"};
    const struct membench_kernel_info infos[] = {
        {names[0], 1, 12, 16},
        {names[1], 2, 12, 16},
        {names[2], 2, 8, 8},
        {names[3], 2 * b * b * b, 12 * b * b, 12 * b * b},
    };
    return infos[k];
}

double membench_roof_at(double ai, double gbs, double peak_gflops)
{
    return fmin(peak_gflops, ai * gbs);
}

double membench_ridge(double gbs, double peak_gflops)
{
    return peak_gflops / gbs;
}

struct arrays {
    float *a, *b, *c;    /* n floats each */
    float *ma, *mb, *mc; /* m × m each */
    size_t n, m;
    float dot; /* the kernel's result */
};

#define SCALE 3.0f

static void fill(struct arrays *x)
{
    for (size_t i = 0; i < x->n; i++) {
        x->a[i] = (float)(i % 17);
        x->b[i] = (float)(i % 5);
        x->c[i] = 0;
    }
    for (size_t i = 0; i < x->m * x->m; i++) {
        x->ma[i] = (float)((i * 7 + i / x->m) % 11) - 5;
        x->mb[i] = (float)((i * 3 + i / x->m) % 7) - 3;
    }
}

static void run(struct arrays *x, enum membench_kernel k)
{
    switch (k) {
    case MEMBENCH_VECTOR_ADD: membench_kern_vector_add(x->c, x->a, x->b, x->n); break;
    case MEMBENCH_TRIAD: membench_kern_triad(x->c, x->a, x->b, SCALE, x->n); break;
    case MEMBENCH_DOT: x->dot = membench_kern_dot(x->a, x->b, x->n); break;
    case MEMBENCH_MATMUL: membench_kern_matmul(x->mc, x->ma, x->mb, x->m); break;
    case MEMBENCH_KERNELS: break;
    }
}

/* Rows of the product by the plain triple loop; every 37th, so that all positions in a tile come
 * up. */
static size_t matmul_wrong(const struct arrays *x)
{
    size_t wrong = 0;
    for (size_t i = 0; i < x->m; i += 37) {
        for (size_t j = 0; j < x->m; j++) {
            float sum = 0;
            for (size_t k = 0; k < x->m; k++) {
                sum += x->ma[i * x->m + k] * x->mb[k * x->m + j];
            }
            wrong += x->mc[i * x->m + j] != sum;
        }
    }
    return wrong;
}

static size_t dot_wrong(const struct arrays *x)
{
    double want = 0;
    for (size_t i = 0; i < x->n; i++) {
        want += (double)x->a[i] * (double)x->b[i];
    }
    return !(fabs((double)x->dot - want) <= 1e-5 * fabs(want));
}

static int validate(const struct arrays *x, enum membench_kernel k, struct lab_err *err)
{
    size_t wrong = 0;
    if (k == MEMBENCH_MATMUL) {
        wrong = matmul_wrong(x);
    } else if (k == MEMBENCH_DOT) {
        wrong = dot_wrong(x);
    } else {
        const float s = k == MEMBENCH_TRIAD ? SCALE : 1;
        for (size_t i = 0; i < x->n; i++) {
            wrong += x->c[i] != x->a[i] + s * x->b[i];
        }
    }
    return wrong == 0 ? 0
                      : lab_err_check(err, "%s differs from its reference in %zu places",
                                      membench_kernel_info(k).name, wrong);
}

static double flop_of(const struct arrays *x, enum membench_kernel k)
{
    return k == MEMBENCH_MATMUL ? 2.0 * (double)x->m * (double)x->m * (double)x->m
                                : membench_kernel_info(k).flop * (double)x->n;
}

/* GB/s of the stream that sets a kernel's roof: reading two arrays, or copying one. */
static double bandwidth(struct arrays *x, bool copy)
{
    uint64_t *a = (uint64_t *)(void *)x->a, *b = (uint64_t *)(void *)x->b;
    uint64_t *c = (uint64_t *)(void *)x->c;
    size_t words = x->n * sizeof(float) / sizeof(uint64_t);
    uint64_t from = lab_now_ns();
    if (copy) {
        membench_kern_copy(c, a, words);
    } else {
        uint64_t sum = membench_kern_read2(a, b, words);
        LAB_KEEP(sum);
    }
    return (copy ? 3 : 2) * (double)x->n * sizeof(float) / (double)(lab_now_ns() - from + 1);
}

/* One kernel; r < 0 warms up and validates, and nothing of it is kept. */
static int measure(struct arrays *x, enum membench_kernel k, int r, struct membench_roof *out,
                   struct lab_err *err)
{
    for (size_t i = 0; k == MEMBENCH_MATMUL && i < x->m * x->m; i++) {
        x->mc[i] = 0;
    }
    uint64_t from = lab_now_ns();
    run(x, k);
    uint64_t ns = lab_now_ns() - from + 1;
    if (r < 0) {
        return validate(x, k, err);
    }
    out->gflops[k][r] = flop_of(x, k) / (double)ns;
    return 0;
}

static int round_of(struct arrays *x, int r, struct membench_roof *out, struct lab_err *err)
{
    int at = r < 0 ? 0 : r; /* what the warm-up stores is overwritten */
    out->read_gbs[at] = bandwidth(x, false);
    int rc = measure(x, MEMBENCH_DOT, r, out, err);
    out->copy_gbs[at] = bandwidth(x, true);
    rc = rc < 0 ? rc : measure(x, MEMBENCH_VECTOR_ADD, r, out, err);
    rc = rc < 0 ? rc : measure(x, MEMBENCH_TRIAD, r, out, err);
    return rc < 0 ? rc : measure(x, MEMBENCH_MATMUL, r, out, err);
}

int membench_roof(const struct membench_roof_config *cfg, struct membench_roof *out,
                  struct lab_err *err)
{
    LAB_ASSERT(cfg->reps >= 1 && cfg->reps <= MEMBENCH_REPS_MAX);
    LAB_ASSERT(cfg->matmul_n >= MEMBENCH_TILE && cfg->matmul_n % MEMBENCH_TILE == 0);
    struct arrays x = {.n = cfg->bytes / (MEMBENCH_KERN_MULTIPLE * sizeof(float) * 2),
                       .m = cfg->matmul_n};
    x.n *= (size_t)MEMBENCH_KERN_MULTIPLE * 2;
    LAB_ASSERT(x.n > 0);
    struct membench_map map;
    size_t floats = 3 * x.n + 3 * x.m * x.m;
    if (membench_map_init(&map, floats * sizeof(float), cfg->pages, cfg->node, err) < 0) {
        return -1;
    }
    x.a = (float *)(void *)map.base;
    x.b = x.a + x.n;
    x.c = x.b + x.n;
    x.ma = x.c + x.n;
    x.mb = x.ma + x.m * x.m;
    x.mc = x.mb + x.m * x.m;
    fill(&x);
    int rc = 0;
    for (int r = -1; r < cfg->reps && rc == 0; r++) {
        rc = round_of(&x, r, out, err);
    }
    membench_map_fini(&map);
    return rc;
}
