/* The roofline's arithmetic, the kernels' intensities, and the published chips. */
#include "membench_roof.h"

#include <math.h>
#include <string.h>

#include "lab/test.h"
#include "membench_spec.h"

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want))) {
        fail_msg("%.12g, expected %.12g", got, want);
    }
}

static void intensities_are_those_of_the_book(void **state)
{
    (void)state;
    struct membench_kernel_info k = membench_kernel_info(MEMBENCH_VECTOR_ADD);
    near(k.flop / k.bytes, 1.0 / 12);
    near(k.flop / k.moved, 1.0 / 16);
    k = membench_kernel_info(MEMBENCH_TRIAD);
    near(k.flop / k.bytes, 1.0 / 6);
    k = membench_kernel_info(MEMBENCH_DOT);
    near(k.flop / k.bytes, 1.0 / 4);
    k = membench_kernel_info(MEMBENCH_MATMUL);
    near(k.flop / k.bytes, 64.0 / 6);
    assert_string_equal(k.name, "matmul_b64");
}

static void the_roof_is_the_lower_of_two_lines(void **state)
{
    (void)state;
    near(membench_roof_at(0.1, 20, 100), 2);
    near(membench_roof_at(5, 20, 100), 100);
    near(membench_roof_at(50, 20, 100), 100);
    near(membench_ridge(20, 100), 5);
    /* Law: at the ridge both lines meet. */
    near(membench_roof_at(membench_ridge(17, 93), 17, 93), 93);
}

static void a_small_roofline_is_measured_and_validated(void **state)
{
    (void)state;
    struct membench_roof_config cfg = {.bytes = (size_t)1 << 18,
                                       .matmul_n = 128,
                                       .pages = MEMBENCH_BASE,
                                       .node = MEMBENCH_ANY_NODE,
                                       .reps = 2};
    struct membench_roof r;
    struct lab_err err = {0};
    assert_int_equal(membench_roof(&cfg, &r, &err), 0);
    for (int i = 0; i < cfg.reps; i++) {
        assert_true(r.read_gbs[i] > 0 && r.copy_gbs[i] > 0);
        for (int k = 0; k < MEMBENCH_KERNELS; k++) {
            assert_true(r.gflops[k][i] > 0);
        }
    }
    cfg.node = 1000;
    assert_int_equal(membench_roof(&cfg, &r, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
}

static void ridges_and_decode_ceilings_of_the_published_chips(void **state)
{
    (void)state;
    const struct {
        const char *name;
        long ridge, tokens; /* 14 GB of weights */
    } want[] = {{"H100-SXM", 295, 239}, {"A100-80GB", 156, 143}, {"A100-40GB", 201, 111}};
    for (size_t i = 0; i < 3; i++) {
        const struct membench_chip *c = membench_chip_find(want[i].name);
        assert_non_null(c);
        assert_int_equal(lround(membench_chip_ridge(c)), want[i].ridge);
        assert_int_equal(lround(membench_decode_ceiling(c, 14)), want[i].tokens);
    }
}

static void every_figure_has_a_source_and_a_sensible_size(void **state)
{
    (void)state;
    size_t n;
    const struct membench_chip *c = membench_chips(&n);
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++) {
        const struct membench_figure *f[] = {&c[i].bf16_tflops, &c[i].mem_gb, &c[i].mem_gbs,
                                             &c[i].link_gbs, &c[i].power_w};
        for (size_t k = 0; k < 5; k++) {
            assert_true(f[k]->value > 0);
            assert_true(strstr(f[k]->source, "NVIDIA") != NULL ||
                        strstr(f[k]->source, "AMD") != NULL);
        }
        assert_true(c[i].link_gbs.value < c[i].mem_gbs.value);
        assert_true(membench_chip_ridge(&c[i]) > 100 && membench_chip_ridge(&c[i]) < 400);
    }
}

static void chips_are_found_by_name_whatever_the_case(void **state)
{
    (void)state;
    assert_ptr_equal(membench_chip_find("mi300x"), membench_chip_find("MI300X"));
    assert_non_null(membench_chip_find("mi300x"));
    assert_null(membench_chip_find("H100"));
    assert_null(membench_chip_find(""));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intensities_are_those_of_the_book),
        cmocka_unit_test(the_roof_is_the_lower_of_two_lines),
        cmocka_unit_test(a_small_roofline_is_measured_and_validated),
        cmocka_unit_test(ridges_and_decode_ceilings_of_the_published_chips),
        cmocka_unit_test(every_figure_has_a_source_and_a_sensible_size),
        cmocka_unit_test(chips_are_found_by_name_whatever_the_case),
    };
    return LAB_TEST_MAIN(tests);
}
