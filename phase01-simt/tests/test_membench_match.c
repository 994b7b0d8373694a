/* Plateaus beside published caches. */
#include "membench_match.h"

#include "lab/test.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static const struct membench_cache_info caches[] = {
    {48 * KIB, 64, 1, 12},
    {2 * MIB, 64, 2, 16},
    {32 * MIB, 64, 3, 16},
};

static struct membench_plateau flat(double ns, size_t starts, size_t holds, size_t spills)
{
    return (struct membench_plateau){.ns = ns,
                                     .starts = starts,
                                     .holds = holds,
                                     .holds_lo = holds,
                                     .spills = spills,
                                     .spills_hi = spills};
}

static void match(const struct membench_plateaus *p, size_t largest, double beyond_ns,
                  struct membench_match_row rows[MEMBENCH_ROWS])
{
    struct membench_match_in in = {p, caches, 3, largest, beyond_ns};
    membench_match(&in, rows);
}

static void a_full_staircase_agrees_at_every_level(void **state)
{
    (void)state;
    struct membench_plateaus p = {
        .n = 4,
        .at = {flat(1, 4 * KIB, 48 * KIB, 64 * KIB), flat(5, 64 * KIB, 2 * MIB, 3 * MIB),
               flat(20, 4 * MIB, 24 * MIB, 32 * MIB), flat(90, 128 * MIB, 256 * MIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 256 * MIB, 0, rows);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(rows[r].plateau, r);
        assert_int_equal(rows[r].verdict, MEMBENCH_AGREES);
    }
    assert_int_equal(rows[3].plateau, 3);
    assert_int_equal(rows[3].verdict, MEMBENCH_IS_MEMORY);
}

static void a_short_last_level_is_a_share_and_not_a_difference(void **state)
{
    (void)state;
    struct membench_plateaus p = {
        .n = 4,
        .at = {flat(1, 4 * KIB, 48 * KIB, 64 * KIB), flat(5, 64 * KIB, 1 * MIB, 2 * MIB),
               flat(35, 3 * MIB, 6 * MIB, 8 * MIB), flat(160, 24 * MIB, 256 * MIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 256 * MIB, 0, rows);
    assert_int_equal(rows[2].plateau, 2);
    assert_int_equal(rows[2].verdict, MEMBENCH_SHARE);
    assert_int_equal(rows[3].plateau, 3);
}

static void memory_that_begins_below_the_last_level_bounds_the_share(void **state)
{
    (void)state;
    struct membench_plateaus p = {.n = 3,
                                  .at = {flat(1, 4 * KIB, 48 * KIB, 64 * KIB),
                                         flat(5, 64 * KIB, 1 * MIB, 2 * MIB),
                                         flat(160, 12 * MIB, 24 * MIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 24 * MIB, 170, rows); /* a ring of 64 MiB takes the same time */
    assert_int_equal(rows[2].plateau, -1);
    assert_int_equal(rows[2].verdict, MEMBENCH_SLOPE);
    assert_int_equal(rows[2].below, 12 * MIB);
    assert_int_equal(rows[3].plateau, 2);
}

/* Two plateaus above the second level, on a curve that ends below the published third: the lower
 * one is the share of the third, the upper one memory. */
static void a_share_shows_before_the_published_size_is_reached(void **state)
{
    (void)state;
    struct membench_plateaus p = {
        .n = 4,
        .at = {flat(1, 4 * KIB, 48 * KIB, 64 * KIB), flat(5, 64 * KIB, 1 * MIB, 2 * MIB),
               flat(35, 3 * MIB, 6 * MIB, 8 * MIB), flat(160, 12 * MIB, 24 * MIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 24 * MIB, 0, rows);
    assert_int_equal(rows[2].plateau, 2);
    assert_int_equal(rows[2].verdict, MEMBENCH_SHARE);
    assert_int_equal(rows[3].plateau, 3);
    assert_int_equal(rows[3].verdict, MEMBENCH_IS_MEMORY);
}

static void a_curve_that_ends_in_the_last_level_says_so(void **state)
{
    (void)state;
    struct membench_plateaus p = {.n = 3,
                                  .at = {flat(1, 4 * KIB, 48 * KIB, 64 * KIB),
                                         flat(5, 64 * KIB, 2 * MIB, 3 * MIB),
                                         flat(20, 4 * MIB, 24 * MIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 24 * MIB, 0, rows);
    assert_int_equal(rows[2].plateau, 2);
    assert_int_equal(rows[2].verdict, MEMBENCH_INSIDE);
    assert_int_equal(rows[3].verdict, MEMBENCH_NOT_REACHED);
    match(&p, 24 * MIB, 90, rows); /* a larger ring takes longer: not memory yet */
    assert_int_equal(rows[2].verdict, MEMBENCH_INSIDE);
    assert_int_equal(rows[3].plateau, -1);
}

static void a_first_level_that_ends_early_differs(void **state)
{
    (void)state;
    struct membench_plateaus p = {
        .n = 2, .at = {flat(1, 4 * KIB, 8 * KIB, 12 * KIB), flat(90, 128 * MIB, 256 * MIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 256 * MIB, 0, rows);
    assert_int_equal(rows[0].plateau, 0);
    assert_int_equal(rows[0].verdict, MEMBENCH_DIFFERS);
    assert_int_equal(rows[1].verdict, MEMBENCH_UNSEEN);
}

static void a_plateau_twice_too_long_is_not_that_cache(void **state)
{
    (void)state;
    struct membench_plateaus p = {
        .n = 2, .at = {flat(1, 4 * KIB, 256 * KIB, 384 * KIB), flat(90, 128 * MIB, 256 * MIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 256 * MIB, 0, rows);
    assert_int_equal(rows[0].plateau, -1);
    assert_int_equal(rows[0].verdict, MEMBENCH_UNSEEN);
    assert_int_equal(rows[1].plateau, 0);
}

static void a_curve_that_ends_in_the_first_level_reaches_no_other(void **state)
{
    (void)state;
    struct membench_plateaus p = {.n = 1, .at = {flat(1, 4 * KIB, 16 * KIB, 0)}};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&p, 16 * KIB, 0, rows);
    assert_int_equal(rows[0].plateau, 0);
    assert_int_equal(rows[0].verdict, MEMBENCH_INSIDE);
    for (int r = 1; r < MEMBENCH_ROWS; r++) {
        assert_int_equal(rows[r].plateau, -1);
        assert_int_equal(rows[r].verdict, MEMBENCH_NOT_REACHED);
    }
}

static void without_plateaus_or_published_caches_nothing_is_claimed(void **state)
{
    (void)state;
    struct membench_plateaus none = {0};
    struct membench_match_row rows[MEMBENCH_ROWS];
    match(&none, 256 * MIB, 0, rows);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(rows[r].plateau, -1);
        assert_int_equal(rows[r].verdict, MEMBENCH_UNSEEN);
    }
    assert_int_equal(rows[3].verdict, MEMBENCH_NOT_REACHED);
    struct membench_match_in in = {&none, NULL, 0, 256 * MIB, 0};
    membench_match(&in, rows);
    assert_int_equal(rows[0].verdict, MEMBENCH_ABSENT);
    assert_string_equal(membench_verdict_text(MEMBENCH_NOT_REACHED), "not reached");
    assert_string_equal(membench_verdict_text(MEMBENCH_AGREES), "agrees");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_staircase_agrees_at_every_level),
        cmocka_unit_test(a_short_last_level_is_a_share_and_not_a_difference),
        cmocka_unit_test(memory_that_begins_below_the_last_level_bounds_the_share),
        cmocka_unit_test(a_share_shows_before_the_published_size_is_reached),
        cmocka_unit_test(a_curve_that_ends_in_the_last_level_says_so),
        cmocka_unit_test(a_first_level_that_ends_early_differs),
        cmocka_unit_test(a_plateau_twice_too_long_is_not_that_cache),
        cmocka_unit_test(a_curve_that_ends_in_the_first_level_reaches_no_other),
        cmocka_unit_test(without_plateaus_or_published_caches_nothing_is_claimed),
    };
    return LAB_TEST_MAIN(tests);
}
