/* The map from addresses to pointers. */
#include "cu_table.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "lab/rng.h"
#include "lab/test.h"

#define KEYS 400

static void an_empty_table_has_nothing(void **state)
{
    struct cu_table t = {0};
    size_t at = 0;
    uint64_t key;
    void *value;
    (void)state;
    assert_null(cu_table_get(&t, 5));
    assert_null(cu_table_take(&t, 5));
    assert_false(cu_table_next(&t, &at, &key, &value));
    cu_table_put(&t, 5, &t);
    assert_null(cu_table_get(&t, 0));
    assert_null(cu_table_take(&t, 0));
    cu_table_fini(&t);
}

static void putting_again_replaces(void **state)
{
    struct cu_table t = {0};
    int a, b;
    (void)state;
    cu_table_put(&t, 7, &a);
    cu_table_put(&t, 7, &b);
    assert_int_equal(t.n, 1);
    assert_ptr_equal(cu_table_take(&t, 7), &b);
    assert_null(cu_table_get(&t, 7));
    cu_table_fini(&t);
}

/* Law: after any puts and takes the table holds what an array by key does. */
static void it_agrees_with_an_array(void **state)
{
    static char values[KEYS];
    void *array[KEYS] = {NULL};
    struct cu_table t = {0};
    struct lab_rng rng;
    long trials = lab_test_trials(100000);
    (void)state;
    lab_rng_seed(&rng, 1);
    for (long k = 0; k < trials; k++) {
        uint64_t i = lab_rng_below(&rng, KEYS), key = 256 * (i + 1);
        if (lab_rng_below(&rng, 2) == 0) {
            cu_table_put(&t, key, &values[i]);
            array[i] = &values[i];
        } else {
            assert_ptr_equal(cu_table_take(&t, key), array[i]);
            array[i] = NULL;
        }
        i = lab_rng_below(&rng, KEYS);
        assert_ptr_equal(cu_table_get(&t, 256 * (i + 1)), array[i]);
    }
    size_t at = 0, seen = 0;
    uint64_t key;
    void *value;
    while (cu_table_next(&t, &at, &key, &value)) {
        assert_ptr_equal(value, array[key / 256 - 1]);
        seen++;
    }
    assert_int_equal(seen, t.n);
    cu_table_fini(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_table_has_nothing),
    cmocka_unit_test(putting_again_replaces),
    cmocka_unit_test(it_agrees_with_an_array),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
