/* Distinct numbers of a list. */
#include <stdbool.h>
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"
#include "vg_distinct.h"

static void an_empty_list_has_none(void **state)
{
    (void)state;
    uint64_t keys[1] = {7};
    assert_int_equal(vg_distinct(keys, 0), 0);
}

static void repeated_numbers_count_once_and_stay(void **state)
{
    (void)state;
    uint64_t keys[] = {9, 4, 9, 9, 4, 1};
    assert_int_equal(vg_distinct(keys, 6), 3);
    assert_int_equal(keys[0] + keys[1] + keys[2], 14);
}

static void numbers_at_both_ends_of_the_range_are_sorted(void **state)
{
    (void)state;
    uint64_t keys[] = {UINT64_MAX, 0, UINT64_MAX, 5, 0};
    assert_int_equal(vg_distinct(keys, 5), 3);
    assert_int_equal(keys[0], 0);
    assert_int_equal(keys[1], 5);
    assert_int_equal(keys[2], UINT64_MAX);
}

static void a_call_leaves_nothing_behind_for_the_next(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        uint64_t keys[] = {100, 101, 32867, 100};
        assert_int_equal(vg_distinct(keys, 4), 3);
    }
}

/* Law: as many as a comparison of each with each finds. */
static void counts_like_a_quadratic_search(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    for (long trial = lab_test_trials(2000); trial > 0; trial--) {
        uint64_t keys[VG_DISTINCT_MAX], copy[VG_DISTINCT_MAX];
        uint32_t n = (uint32_t)lab_rng_below(&rng, VG_DISTINCT_MAX + 1), expected = 0;
        uint64_t range = lab_rng_below(&rng, 2) == 0 ? 300 : UINT64_MAX;
        for (uint32_t i = 0; i < n; i++) {
            bool again = i > 0 && lab_rng_below(&rng, 3) == 0;
            keys[i] = again ? keys[lab_rng_below(&rng, i)] : lab_rng_below(&rng, range);
        }
        memcpy(copy, keys, sizeof(keys));
        for (uint32_t i = 0; i < n; i++) {
            uint32_t j = 0;
            while (j < i && copy[j] != copy[i]) {
                j++;
            }
            expected += j == i;
        }
        assert_int_equal(vg_distinct(keys, n), expected);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_has_none),
        cmocka_unit_test(repeated_numbers_count_once_and_stay),
        cmocka_unit_test(numbers_at_both_ends_of_the_range_are_sorted),
        cmocka_unit_test(a_call_leaves_nothing_behind_for_the_next),
        cmocka_unit_test(counts_like_a_quadratic_search),
    };
    return LAB_TEST_MAIN(tests);
}
