#include <math.h>
#include <signal.h>
#include <string.h>

#include "lab/rng.h"
#include "lab/stats.h"
#include "lab/test.h"

static void sort_orders_numbers_and_infinities(void **state)
{
    (void)state;
    double v[] = {3, -INFINITY, 0, INFINITY, -2.5, 3};
    const double want[] = {-INFINITY, -2.5, 0, 3, 3, INFINITY};
    lab_sort_f64(v, 6);
    assert_memory_equal(v, want, sizeof(v));
    lab_sort_f64(v, 0);
    lab_sort_f64(v, 1);
}

static int sort_nan(void *arg)
{
    (void)arg;
    double v[] = {1, NAN};
    lab_sort_f64(v, 2);
    return 0;
}

static int summarise_nothing(void *arg)
{
    double v = 0;
    (void)arg;
    (void)lab_summarise(&v, 0);
    return 0;
}

static void nan_and_no_data_are_programming_errors(void **state)
{
    (void)state;
    assert_int_equal(lab_test_child(sort_nan, NULL, NULL, NULL), 128 + SIGABRT);
    assert_int_equal(lab_test_child(summarise_nothing, NULL, NULL, NULL), 128 + SIGABRT);
}

/* Worked by hand from the definition: h = (n − 1)·q, between the neighbours of rank h. */
static void quantile_interpolates_as_type_7(void **state)
{
    (void)state;
    const double v[] = {1, 2, 4, 8};
    assert_true(lab_quantile_sorted(v, 4, 0) == 1);
    assert_true(lab_quantile_sorted(v, 4, 0.25) == 1.75);
    assert_true(lab_quantile_sorted(v, 4, 0.5) == 3);
    assert_true(fabs(lab_quantile_sorted(v, 4, 0.9) - 6.8) < 1e-12);
    assert_true(lab_quantile_sorted(v, 4, 1) == 8);
    assert_true(lab_quantile_sorted(v, 1, 0.7) == 1);
}

static void quantile_beside_infinity_is_no_nan(void **state)
{
    (void)state;
    const double v[] = {-INFINITY, 1, 2, INFINITY, INFINITY};
    assert_true(lab_quantile_sorted(v, 5, 0.5) == 2);
    assert_true(lab_quantile_sorted(v, 5, 0.9) == INFINITY);
}

static void summary_of_a_known_sample(void **state)
{
    (void)state;
    double v[] = {9, 2, 4, 4, 5, 7, 5, 4};
    struct lab_summary s = lab_summarise(v, 8);
    assert_int_equal(s.n, 8);
    assert_true(s.min == 2 && s.max == 9 && s.mean == 5 && s.median == 4.5);
    assert_true(s.p25 == 4 && s.p75 == 5.5);
    assert_true(fabs(s.sd - sqrt(32.0 / 7)) < 1e-12);
    assert_true(s.ci_lo == 2 && s.ci_hi == 9);
    assert_true(fabs(s.spread - 1.5 / 4.5) < 1e-12);
}

static void summary_of_one_value(void **state)
{
    (void)state;
    double v[] = {0};
    struct lab_summary s = lab_summarise(v, 1);
    assert_true(s.median == 0 && s.sd == 0 && s.spread == 0 && s.ci_lo == 0 && s.ci_hi == 0);
}

/* The rank that the interval uses, read off a sample that holds its own ranks. */
static size_t rank_for(size_t n)
{
    double *v = lab_alloc(n, sizeof(*v));
    for (size_t i = 0; i < n; i++) {
        v[i] = (double)(i + 1);
    }
    struct lab_summary s = lab_summarise(v, n);
    free(v);
    assert_true(s.ci_lo + s.ci_hi == (double)n + 1);
    return (size_t)s.ci_lo;
}

/* The largest k with 2·P(Bin ≤ k − 1) ≤ 5 %, in whole numbers: 40 · Σ C(n, i) ≤ 2^n. */
static void interval_rank_agrees_with_exact_binomials(void **state)
{
    (void)state;
    for (size_t n = 6; n <= 56; n++) {
        unsigned __int128 choose = 1;
        unsigned __int128 sum = 0;
        size_t k = 0;
        for (size_t i = 0; i <= n; i++) {
            sum += choose;
            if (40 * sum > (unsigned __int128)1 << n) {
                break;
            }
            k = i + 1;
            choose = choose * (n - i) / (i + 1);
        }
        assert_int_equal(rank_for(n), k);
    }
    for (size_t n = 1; n < 6; n++) {
        assert_int_equal(rank_for(n), 1);
    }
}

/* n/2 − 1.96·√n/2 for large n (the normal limit). */
static void interval_rank_of_large_samples(void **state)
{
    (void)state;
    assert_int_equal(rank_for(100), 40);
    assert_in_range(rank_for(10000), 4902 - 1, 4902 + 1);
    assert_in_range(rank_for(1000000), 499020 - 2, 499020 + 2);
}

/* A skewed distribution (exponential, median ln 2): the interval must cover the median in 95 % of
 * samples whatever the shape. */
static void interval_covers_the_median_as_promised(void **state)
{
    (void)state;
    enum { SAMPLES = 4000, N = 25 };
    struct lab_rng r;
    int covered = 0;
    lab_rng_seed(&r, 42);
    for (int k = 0; k < SAMPLES; k++) {
        double v[N];
        for (int i = 0; i < N; i++) {
            v[i] = -log(1 - lab_rng_f64(&r));
        }
        struct lab_summary s = lab_summarise(v, N);
        covered += s.ci_lo <= log(2) && log(2) <= s.ci_hi;
        assert_true(s.min <= s.p25 && s.p25 <= s.median && s.median <= s.p75 && s.p75 <= s.max);
        assert_true(s.ci_lo <= s.median && s.median <= s.ci_hi);
    }
    /* The exact coverage for n = 25 is 95.67 %, its standard error here 0.3 %. */
    assert_in_range(covered, SAMPLES * 947 / 1000, SAMPLES * 967 / 1000);
}

static void close_fails_nan_and_infinity(void **state)
{
    (void)state;
    assert_true(lab_close(100, 101, 0.01, 0));
    assert_false(lab_close(100, 102, 0.01, 0));
    assert_true(lab_close(0, 0.5, 0, 0.5));
    assert_false(lab_close(0, 0.51, 0.1, 0.5));
    assert_false(lab_close(NAN, NAN, 1, 1));
    assert_false(lab_close(1, NAN, 1, INFINITY));
    assert_false(lab_close(INFINITY, INFINITY, 1, 1));
    assert_false(lab_close(1, INFINITY, 1, INFINITY));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sort_orders_numbers_and_infinities),
    cmocka_unit_test(nan_and_no_data_are_programming_errors),
    cmocka_unit_test(quantile_interpolates_as_type_7),
    cmocka_unit_test(quantile_beside_infinity_is_no_nan),
    cmocka_unit_test(summary_of_a_known_sample),
    cmocka_unit_test(summary_of_one_value),
    cmocka_unit_test(interval_rank_agrees_with_exact_binomials),
    cmocka_unit_test(interval_rank_of_large_samples),
    cmocka_unit_test(interval_covers_the_median_as_promised),
    cmocka_unit_test(close_fails_nan_and_infinity),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
