#include <string.h>

#include "lab/clock.h"
#include "lab/host.h"
#include "lab/test.h"

static void host_is_one_line_with_kernel_and_compiler(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_host_line(&b);
    const char *line = lab_buf_str(&b);
    assert_null(strchr(line, '\n'));
    assert_true(line[0] != ',' && line[0] != '\0');
    assert_non_null(strstr(line, " CPU"));
    assert_non_null(strstr(line, "Linux "));
    assert_true(strstr(line, ", gcc ") != NULL || strstr(line, ", clang ") != NULL);
    size_t n = strlen(LAB_BUILD_TYPE);
    assert_string_equal(line + b.len - n, LAB_BUILD_TYPE);
    lab_buf_fini(&b);
}

static void optimised_says_no_under_a_sanitizer_or_debug(void **state)
{
    (void)state;
#if defined(LAB_SANITIZED) || !defined(__OPTIMIZE__)
    assert_false(lab_host_optimised());
#else
    assert_true(lab_host_optimised());
#endif
}

static void clock_never_goes_back(void **state)
{
    (void)state;
    uint64_t last = lab_now_ns();
    for (int i = 0; i < 10000; i++) {
        uint64_t now = lab_now_ns();
        assert_true(now >= last);
        last = now;
    }
}

static void clock_cost_is_positive_and_below_the_time_it_took(void **state)
{
    (void)state;
    uint64_t start = lab_now_ns();
    double cost = lab_clock_cost_ns();
    uint64_t took = lab_now_ns() - start;
    assert_true(cost > 0);
    assert_true(cost < (double)took);
}

static void keep_leaves_the_value_alone(void **state)
{
    (void)state;
    uint64_t v = 7;
    LAB_KEEP(v);
    LAB_BARRIER();
    assert_int_equal(v, 7);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(host_is_one_line_with_kernel_and_compiler),
    cmocka_unit_test(optimised_says_no_under_a_sanitizer_or_debug),
    cmocka_unit_test(clock_never_goes_back),
    cmocka_unit_test(clock_cost_is_positive_and_below_the_time_it_took),
    cmocka_unit_test(keep_leaves_the_value_alone),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
