/* The line size, inferred from made-up curves; and the walk itself, whose end is validated inside.
 */
#include "membench_stride.h"

#include <math.h>

#include "lab/rng.h"
#include "lab/test.h"

#define REPS 9

/* A machine with lines of `words` words: hit + miss · min(s, words)/words, times exp(noise). */
static size_t curve(double words, double miss, double noise, uint64_t seed,
                    struct membench_stride_point p[MEMBENCH_STRIDES_MAX])
{
    size_t strides[MEMBENCH_STRIDES_MAX], n = membench_strides(strides);
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        p[i].stride = strides[i];
        for (int r = 0; r < REPS; r++) {
            double ns = 1.2 + miss * fmin((double)strides[i], words) / words;
            p[i].rep_ns[r] = ns * exp(noise * (lab_rng_f64(&rng) - 0.5));
        }
    }
    return n;
}

static void strides_are_the_fourteen_of_the_sweep(void **state)
{
    (void)state;
    static const size_t want[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
    size_t s[MEMBENCH_STRIDES_MAX];
    assert_int_equal(membench_strides(s), 14);
    assert_memory_equal(s, want, sizeof(want));
}

static void every_line_size_is_found(void **state)
{
    (void)state;
    struct membench_stride_point p[MEMBENCH_STRIDES_MAX];
    struct membench_line_guess g;
    for (size_t words = 4; words <= 64; words *= 2) {
        size_t n = curve((double)words, 3.5, 0.05, words, p);
        membench_line_infer(p, n, REPS, 42, &g);
        assert_int_equal(g.bytes, words * 4);
        assert_int_equal(g.lo, words * 4);
        assert_int_equal(g.hi, words * 4);
        assert_true(fabs(g.first_ns - 1.2) < 0.2);
        assert_true(fabs(g.line_ns - 3.5) < 0.3);
        assert_true(g.rms < 0.05 && g.spread < 0.05);
    }
}

static void heavy_noise_widens_the_interval(void **state)
{
    (void)state;
    struct membench_stride_point p[MEMBENCH_STRIDES_MAX];
    struct membench_line_guess g;
    size_t n = curve(16, 0.3, 2.5, 5, p);
    membench_line_infer(p, n, REPS, 42, &g);
    assert_true(g.spread > 0.2);
    assert_true(g.lo < g.hi);
}

static void a_flat_curve_has_no_line_cost(void **state)
{
    (void)state;
    struct membench_stride_point p[MEMBENCH_STRIDES_MAX];
    struct membench_line_guess g;
    size_t n = curve(16, 0, 0, 1, p);
    membench_line_infer(p, n, REPS, 42, &g);
    assert_true(fabs(g.line_ns) < 1e-6);
}

static void each_stride_walks_and_ends_where_it_must(void **state)
{
    (void)state;
    size_t strides[MEMBENCH_STRIDES_MAX], n = membench_strides(strides);
    struct membench_stride_config cfg = {
        .chain_bytes = 16384, .stream_bytes = 65536, .reps = 2, .rep_us = 20, .seed = 1};
    for (size_t i = 0; i < n; i++) {
        struct membench_stride_point p;
        struct lab_err err = {0};
        assert_int_equal(membench_stride(&cfg, strides[i], &p, &err), 0);
        assert_int_equal(p.stride, strides[i]);
        assert_true(p.min_ns >= 0 && p.stream_ns >= 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_are_the_fourteen_of_the_sweep),
        cmocka_unit_test(every_line_size_is_found),
        cmocka_unit_test(heavy_noise_widens_the_interval),
        cmocka_unit_test(a_flat_curve_has_no_line_cost),
        cmocka_unit_test(each_stride_walks_and_ends_where_it_must),
    };
    return LAB_TEST_MAIN(tests);
}
