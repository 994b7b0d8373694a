/* Plateau detection on curves whose plateaus are known, since they are made up here. */
#include "membench_plateau.h"

#include <math.h>

#include "lab/rng.h"
#include "lab/test.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

/* Sizes 4K, 6K, 8K, … 256M. */
static void sizes(struct membench_curve *c, int reps)
{
    c->n = 0;
    c->reps = reps;
    for (size_t p = 4 * KIB; p <= 256 * MIB; p *= 2) {
        c->bytes[c->n++] = p;
        if (p < 256 * MIB) {
            c->bytes[c->n++] = p + p / 2;
        }
    }
}

/* What a ring of `bytes` costs on a machine with these caches when each level keeps what fits:
 * beyond a cache of C bytes the share C/bytes still hits. */
struct machine {
    size_t levels;
    double bytes[3], ns[4]; /* ns[levels]: memory */
};

static double latency(const struct machine *m, double bytes)
{
    double ns = 0, covered = 0;
    for (size_t l = 0; l < m->levels; l++) {
        double hit = fmin(m->bytes[l] / bytes, 1) - covered;
        if (hit > 0) {
            ns += hit * m->ns[l];
            covered += hit;
        }
    }
    return ns + (1 - covered) * m->ns[m->levels];
}

/* Each repetition is the truth times exp(noise · z), z uniform in ±1.7 (unit variance), never
 * negative time. */
static void measure(const struct machine *m, double noise, uint64_t seed, struct membench_curve *c)
{
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    for (size_t i = 0; i < c->n; i++) {
        for (int r = 0; r < c->reps; r++) {
            double z = (lab_rng_f64(&rng) - 0.5) * 3.4641;
            c->ns[i][r] = latency(m, (double)c->bytes[i]) * exp(noise * z);
        }
    }
}

static const struct machine three = {2, {48e0 * 1024, 2e0 * 1024 * 1024}, {1.2, 5, 90}};
static const struct machine four = {
    3, {32e0 * 1024, 1e0 * 1024 * 1024, 8e0 * 1024 * 1024}, {1, 4, 20, 100}};
static const struct machine one = {0, {0}, {80}};

static void assert_rising(const struct membench_plateaus *p, const struct membench_curve *c)
{
    for (size_t i = 0; i < p->n; i++) {
        assert_true(p->at[i].first < p->at[i].last && p->at[i].last < c->n);
        assert_true(p->at[i].ns_lo <= p->at[i].ns && p->at[i].ns <= p->at[i].ns_hi);
        assert_true(p->at[i].holds_lo <= p->at[i].holds);
        assert_true(p->at[i].spills_hi == 0 || p->at[i].spills_hi >= p->at[i].spills);
        assert_true(c->bytes[p->at[i].last] >= 2 * c->bytes[p->at[i].first]);
        assert_true(i == 0 || p->at[i].first > p->at[i - 1].last);
    }
}

static void finds_three_levels_and_their_edges(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus p;
    sizes(&c, 11);
    measure(&three, 0.03, 1, &c);
    membench_plateaus_find(&c, 42, &p);
    assert_rising(&p, &c);
    assert_false(p.noisy);
    assert_int_equal(p.n, 3);
    assert_int_equal(p.at[0].holds, 48 * KIB);
    assert_true(fabs(p.at[0].ns - 1.2) < 0.1);
    assert_true(p.at[1].holds == 2 * MIB && p.at[1].spills == 3 * MIB);
    assert_true(fabs(p.at[1].ns - 5) < 0.5);
    assert_true(fabs(p.at[2].ns - 90) < 9);
    assert_int_equal(p.at[2].spills, 0);
}

static void finds_four_levels(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus p;
    sizes(&c, 11);
    measure(&four, 0.02, 2, &c);
    membench_plateaus_find(&c, 42, &p);
    assert_rising(&p, &c);
    assert_int_equal(p.n, 4);
    assert_true(p.at[0].holds >= 32 * KIB && p.at[0].holds <= 48 * KIB);
    assert_true(p.at[2].holds >= 6 * MIB && p.at[2].holds <= 12 * MIB);
}

static void a_flat_curve_is_one_plateau(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus p;
    sizes(&c, 7);
    measure(&one, 0.03, 3, &c);
    membench_plateaus_find(&c, 42, &p);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.at[0].first, 0);
    assert_int_equal(p.at[0].last, c.n - 1);
    assert_int_equal(p.at[0].spills, 0);
    assert_int_equal(p.at[0].spills_hi, 0);
}

/* Law: with moderate noise the number is still right in nearly every draw, and the interval of the
 * first edge holds the true one. */
static void moderate_noise_keeps_the_edges(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus p;
    long trials = lab_test_trials(20), right = 0, inside = 0;
    for (long t = 0; t < trials; t++) {
        sizes(&c, 11);
        measure(&three, 0.08, (uint64_t)t + 10, &c);
        membench_plateaus_find(&c, 42, &p);
        assert_rising(&p, &c);
        right += p.n == 3 && !p.noisy;
        inside += p.n > 0 && p.at[0].holds_lo <= 48 * KIB && p.at[0].spills_hi > 48 * KIB;
    }
    assert_true(right * 100 >= trials * 90);
    assert_true(inside * 100 >= trials * 90);
}

static void heavy_noise_is_called_too_noisy(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus p;
    sizes(&c, 7);
    measure(&three, 0.5, 4, &c);
    membench_plateaus_find(&c, 42, &p);
    assert_true(p.noisy);
    assert_true(p.spread > 0.2);
}

/* One size disturbed by a factor of three in all its repetitions must not split the plateau it lies
 * on. */
static void one_disturbed_size_does_not_split_a_plateau(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus p;
    sizes(&c, 7);
    for (size_t i = 0; i < c.n; i++) {
        for (int r = 0; r < c.reps; r++) { /* a staircase without slopes */
            c.ns[i][r] = c.bytes[i] <= 48 * KIB ? 1.2 : c.bytes[i] <= 2 * MIB ? 5 : 90;
            c.ns[i][r] *= (i == 12 ? 3 : 1) * (1 + 0.01 * r); /* 256K, inside the second level */
        }
    }
    membench_plateaus_find(&c, 42, &p);
    assert_int_equal(p.n, 3);
    assert_int_equal(p.at[1].first, 8);
    assert_int_equal(p.at[1].last, 18);
}

static void a_slope_has_no_plateau(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus p;
    sizes(&c, 5);
    for (size_t i = 0; i < c.n; i++) {
        for (int r = 0; r < c.reps; r++) {
            c.ns[i][r] = sqrt((double)c.bytes[i]);
        }
    }
    membench_plateaus_find(&c, 42, &p);
    assert_int_equal(p.n, 0);
}

static void tiny_curves_are_handled(void **state)
{
    (void)state;
    static struct membench_curve c = {.n = 1, .reps = 1, .bytes = {4096}, .ns = {{1.0}}};
    struct membench_plateaus p;
    membench_plateaus_find(&c, 42, &p);
    assert_int_equal(p.n, 0);
    c.n = 2;
    c.bytes[1] = 8192;
    c.ns[1][0] = 1.0;
    membench_plateaus_find(&c, 42, &p);
    assert_int_equal(p.n, 0); /* two sizes are too few to call flat */
}

static void the_same_seed_gives_the_same_intervals(void **state)
{
    (void)state;
    static struct membench_curve c;
    struct membench_plateaus a, b;
    sizes(&c, 9);
    measure(&three, 0.05, 6, &c);
    membench_plateaus_find(&c, 7, &a);
    membench_plateaus_find(&c, 7, &b);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.at, b.at, a.n * sizeof(a.at[0]));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_three_levels_and_their_edges),
        cmocka_unit_test(finds_four_levels),
        cmocka_unit_test(a_flat_curve_is_one_plateau),
        cmocka_unit_test(moderate_noise_keeps_the_edges),
        cmocka_unit_test(heavy_noise_is_called_too_noisy),
        cmocka_unit_test(one_disturbed_size_does_not_split_a_plateau),
        cmocka_unit_test(a_slope_has_no_plateau),
        cmocka_unit_test(tiny_curves_are_handled),
        cmocka_unit_test(the_same_seed_gives_the_same_intervals),
    };
    return LAB_TEST_MAIN(tests);
}
