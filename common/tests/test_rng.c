#include <signal.h>
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"

/* splitmix64's published outputs for seed 1234567 (Rosetta Code, "Pseudo-random
 * numbers/Splitmix64"). */
static void seed_spreads_by_splitmix64(void **state)
{
    (void)state;
    static const uint64_t want[5] = {6457827717110365317u, 3203168211198807973u,
                                     9817491932198370423u, 4593380528125082431u,
                                     16408922859458223821u};
    struct lab_rng r;
    lab_rng_seed(&r, 1234567);
    for (int i = 0; i < 4; i++) {
        assert_true(r.s[i] == want[i]);
    }
    /* splitmix64's own state only counts up, so the fifth output is the first of a later seed. */
    lab_rng_seed(&r, 1234567 + 4 * 0x9e3779b97f4a7c15u);
    assert_true(r.s[0] == want[4]);
}

/* The outputs of the authors' C program from the state 1, 2, 3, 4, as the Rust crate rand_xoshiro
 * (src/xoshiro256starstar.rs) records them. */
static void u64_matches_the_authors_program(void **state)
{
    (void)state;
    static const uint64_t want[10] = {11520u,
                                      0u,
                                      1509978240u,
                                      1215971899390074240u,
                                      1216172134540287360u,
                                      607988272756665600u,
                                      16172922978634559625u,
                                      8476171486693032832u,
                                      10595114339597558777u,
                                      2904607092377533576u};
    struct lab_rng r = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++) {
        assert_true(lab_rng_u64(&r) == want[i]);
    }
}

/* A 256 × 256 matrix over GF(2), by columns. */
struct matrix {
    struct lab_rng col[256];
};

static struct lab_rng times(const struct matrix *m, const struct lab_rng *v)
{
    struct lab_rng sum = {{0, 0, 0, 0}};
    for (int i = 0; i < 256; i++) {
        uint64_t take = 0 - ((v->s[i / 64] >> (i % 64)) & 1);
        for (int k = 0; k < 4; k++) {
            sum.s[k] ^= m->col[i].s[k] & take;
        }
    }
    return sum;
}

/* The step is linear over GF(2), so 2^128 steps are its matrix squared 128 times: the jump without
 * the constants that the code takes from the authors. */
static void split_moves_on_by_two_to_the_128(void **state)
{
    (void)state;
    static struct matrix m;
    static struct matrix square;
    for (int i = 0; i < 256; i++) {
        memset(&m.col[i], 0, sizeof(m.col[i]));
        m.col[i].s[i / 64] = (uint64_t)1 << (i % 64);
        (void)lab_rng_u64(&m.col[i]);
    }
    for (int step = 0; step < 128; step++) {
        for (int i = 0; i < 256; i++) {
            square.col[i] = times(&m, &m.col[i]);
        }
        m = square;
    }
    struct lab_rng r;
    lab_rng_seed(&r, 42);
    struct lab_rng before = r;
    struct lab_rng want = times(&m, &r);
    struct lab_rng child = lab_rng_split(&r);
    assert_memory_equal(&child, &before, sizeof(child));
    assert_memory_equal(&r, &want, sizeof(r));
}

static uint64_t rotr(uint64_t x, int k)
{
    return (x >> k) | (x << (64 - k));
}

/* The inverse of an odd number modulo 2^64, by Newton's iteration. */
static uint64_t inverse(uint64_t a)
{
    uint64_t x = a;
    for (int i = 0; i < 6; i++) {
        x *= 2 - a * x;
    }
    return x;
}

/* A generator whose next output is x: the output function undone. */
static struct lab_rng about_to_give(uint64_t x)
{
    struct lab_rng r = {{1, rotr(x * inverse(9), 7) * inverse(5), 3, 4}};
    struct lab_rng copy = r;
    assert_true(lab_rng_u64(&copy) == x);
    return r;
}

/* below(n) for the draw x; *again tells whether it was thrown away and another one drawn. */
static uint64_t below_for(uint64_t x, uint64_t n, int *again)
{
    struct lab_rng r = about_to_give(x);
    struct lab_rng once = r;
    (void)lab_rng_u64(&once);
    uint64_t v = lab_rng_below(&r, n);
    *again = memcmp(&r, &once, sizeof(r)) != 0;
    return v;
}

/* For each n, and each result v: the draws that give v are one run of floor(2^64 / n) neighbours,
 * the draws right before it give no result. Tried at both ends of every run. */
static void below_gives_each_result_equally_many_draws(void **state)
{
    (void)state;
    for (uint64_t n = 2; n <= 200; n++) {
        const unsigned __int128 all = (unsigned __int128)1 << 64;
        uint64_t each = (uint64_t)(all / n);
        uint64_t reject = (uint64_t)(all % n);
        for (uint64_t v = 0; v < n; v++) {
            uint64_t first = (uint64_t)((v * all + reject + n - 1) / n);
            int again = 0;
            assert_true(below_for(first, n, &again) == v && !again);
            assert_true(below_for(first + each - 1, n, &again) == v && !again);
            if (first > 0) {
                uint64_t before = below_for(first - 1, n, &again);
                assert_true(again || before == v - 1);
                assert_true(again == (reject > 0 && (first - 1) * n < reject));
            }
        }
    }
}

static void below_one_is_zero_and_large_n_stays_below(void **state)
{
    (void)state;
    struct lab_rng r;
    lab_rng_seed(&r, 7);
    for (int i = 0; i < 1000; i++) {
        assert_true(lab_rng_below(&r, 1) == 0);
        assert_true(lab_rng_below(&r, UINT64_MAX) < UINT64_MAX);
        assert_true(lab_rng_below(&r, ((uint64_t)1 << 63) + 1) <= (uint64_t)1 << 63);
    }
}

static int below_zero(void *arg)
{
    (void)arg;
    struct lab_rng r;
    lab_rng_seed(&r, 7);
    return (int)lab_rng_below(&r, 0);
}

static void below_zero_is_a_programming_error(void **state)
{
    (void)state;
    assert_int_equal(lab_test_child(below_zero, NULL, NULL, NULL), 128 + SIGABRT);
}

static void f64_covers_the_unit_interval(void **state)
{
    (void)state;
    struct lab_rng zero = about_to_give(0);
    struct lab_rng most = about_to_give(UINT64_MAX);
    assert_true(lab_rng_f64(&zero) == 0);
    assert_true(lab_rng_f64(&most) == 1 - 0x1p-53);
    struct lab_rng r;
    lab_rng_seed(&r, 42);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        sum += lab_rng_f64(&r);
    }
    /* Mean 0.5 with standard error 0.0009; the seed is fixed, so this cannot flicker. */
    assert_true(sum / 100000 > 0.495 && sum / 100000 < 0.505);
}

static void shuffle_keeps_the_elements(void **state)
{
    (void)state;
    uint32_t v[100];
    int seen[100] = {0};
    struct lab_rng r;
    lab_rng_seed(&r, 3);
    for (uint32_t i = 0; i < 100; i++) {
        v[i] = i;
    }
    lab_rng_shuffle(&r, v, 100);
    int moved = 0;
    for (uint32_t i = 0; i < 100; i++) {
        seen[v[i]]++;
        moved += v[i] != i;
    }
    for (int i = 0; i < 100; i++) {
        assert_int_equal(seen[i], 1);
    }
    assert_true(moved > 80);
    lab_rng_shuffle(&r, v, 0);
}

static void shuffle_reaches_all_orders_equally(void **state)
{
    (void)state;
    enum { TRIALS = 60000 };
    int count[27] = {0};
    struct lab_rng r;
    lab_rng_seed(&r, 11);
    for (int i = 0; i < TRIALS; i++) {
        uint32_t v[3] = {0, 1, 2};
        lab_rng_shuffle(&r, v, 3);
        count[v[0] * 9 + v[1] * 3 + v[2]]++;
    }
    double chi2 = 0;
    int orders = 0;
    for (int i = 0; i < 27; i++) {
        if (count[i] > 0) {
            double gap = count[i] - TRIALS / 6.0;
            chi2 += gap * gap / (TRIALS / 6.0);
            orders++;
        }
    }
    assert_int_equal(orders, 6);
    /* 5 degrees of freedom: 20.5 is exceeded once in a thousand seeds. */
    assert_true(chi2 < 20.5);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(seed_spreads_by_splitmix64),
    cmocka_unit_test(u64_matches_the_authors_program),
    cmocka_unit_test(split_moves_on_by_two_to_the_128),
    cmocka_unit_test(below_gives_each_result_equally_many_draws),
    cmocka_unit_test(below_one_is_zero_and_large_n_stays_below),
    cmocka_unit_test(below_zero_is_a_programming_error),
    cmocka_unit_test(f64_covers_the_unit_interval),
    cmocka_unit_test(shuffle_keeps_the_elements),
    cmocka_unit_test(shuffle_reaches_all_orders_equally),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
