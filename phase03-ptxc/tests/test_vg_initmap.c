/* The map of written bytes. */
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"
#include "vg_initmap.h"

static void nothing_is_written_at_first(void **state)
{
    (void)state;
    struct vg_initmap *m = vg_initmap_new(100);
    size_t first = 0;
    assert_true(vg_initmap_test(m, 40, 0, NULL));
    assert_false(vg_initmap_test(m, 40, 4, &first));
    assert_int_equal(first, 40);
    vg_initmap_free(m);
}

static void a_range_over_word_edges_is_set_and_no_more(void **state)
{
    (void)state;
    struct vg_initmap *m = vg_initmap_new(1000);
    size_t first = 0;
    vg_initmap_set(m, 60, 140);
    assert_true(vg_initmap_test(m, 60, 140, &first));
    assert_false(vg_initmap_test(m, 59, 2, &first));
    assert_int_equal(first, 59);
    assert_false(vg_initmap_test(m, 190, 20, &first));
    assert_int_equal(first, 200);
    vg_initmap_free(m);
}

static void the_whole_of_an_allocation_can_be_set(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 200; bytes++) {
        struct vg_initmap *m = vg_initmap_new(bytes);
        vg_initmap_set(m, 0, bytes);
        assert_true(vg_initmap_test(m, 0, bytes, NULL));
        vg_initmap_free(m);
    }
    vg_initmap_free(NULL);
}

/* Law: it does what an array of flags does, copies included. */
static void behaves_like_an_array_of_flags(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    enum { BYTES = 700 };
    struct vg_initmap *m[2] = {vg_initmap_new(BYTES), vg_initmap_new(BYTES)};
    char flag[2][BYTES] = {{0}};
    for (long trial = lab_test_trials(3000); trial > 0; trial--) {
        size_t at = lab_rng_below(&rng, BYTES), from = lab_rng_below(&rng, BYTES), first = 0;
        size_t room = BYTES - (at > from ? at : from);
        size_t n = lab_rng_below(&rng, (room < 90 ? room : 90) + 1);
        if (lab_rng_below(&rng, 4) == 0) {
            vg_initmap_set(m[1], at, n / 8);
            memset(flag[1] + at, 1, n / 8);
        } else {
            vg_initmap_copy(m[0], at, m[1], from, n);
            for (size_t i = 0; i < n; i++) {
                flag[0][at + i] |= flag[1][from + i];
            }
        }
        const char *missing = memchr(flag[0] + from, 0, n);
        assert_int_equal(vg_initmap_test(m[0], from, n, &first), missing == NULL);
        if (missing != NULL) {
            assert_int_equal(first, missing - flag[0]);
        }
    }
    vg_initmap_free(m[0]);
    vg_initmap_free(m[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_written_at_first),
        cmocka_unit_test(a_range_over_word_edges_is_set_and_no_more),
        cmocka_unit_test(the_whole_of_an_allocation_can_be_set),
        cmocka_unit_test(behaves_like_an_array_of_flags),
    };
    return LAB_TEST_MAIN(tests);
}
