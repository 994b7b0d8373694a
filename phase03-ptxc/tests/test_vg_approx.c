/* The approximate functions: special values, the values ptxas folds, and the error over all
 * exponents against long double. Each is meant to be the exact result rounded once, so the bound
 * tested is half a unit in the last place and a little; the ISA allows more (vg_approx.h). */
#include <math.h>
#include <stdlib.h>

#include "lab/test.h"

#include "vg_approx.h"
#include "vg_one.h"

static const char *const fff[] = {"%f1", "%f2"};

static uint32_t f32(const char *statement, uint32_t a, uint32_t b)
{
    return (uint32_t)vg_one_value(statement, "%f0", 2, fff, (const uint64_t[]){a, b});
}

static void folded_values_come_out(void **state)
{
    (void)state;
    assert_int_equal(f32("ex2.approx.f32 %f0, %f1;", 0x3F000000, 0), 0x3FB504F3);
    assert_int_equal(f32("lg2.approx.f32 %f0, %f1;", 0x40400000, 0), 0x3FCAE00D);
    assert_int_equal(f32("rsqrt.approx.f32 %f0, %f1;", 0x40000000, 0), 0x3F3504F3);
    assert_int_equal(f32("sin.approx.f32 %f0, %f1;", 0x3F800000, 0), 0x3F576AA4);
    assert_int_equal(f32("cos.approx.f32 %f0, %f1;", 0x3F800000, 0), 0x3F0A5140);
    assert_int_equal(f32("sin.approx.f32 %f0, %f1;", 0x47C35000, 0), 0x3D126D55);
    assert_int_equal(f32("rcp.approx.f32 %f0, %f1;", 0x40400000, 0), 0x3EAAAAAB);
    assert_int_equal(f32("sqrt.approx.f32 %f0, %f1;", 0x40000001, 0), 0x3FB504F4);
    assert_int_equal(f32("div.full.f32 %f0, %f1, %f2;", 0x3F800000, 0x40400000), 0x3EAAAAAB);
}

static void subnormal_results_appear_and_are_flushed(void **state)
{
    (void)state;
    assert_int_equal(f32("ex2.approx.f32 %f0, %f1;", 0xC2FE0000, 0), 0x00400000);
    assert_int_equal(f32("ex2.approx.ftz.f32 %f0, %f1;", 0xC2FE0000, 0), 0);
    assert_int_equal(f32("rcp.approx.f32 %f0, %f1;", 0x7F000000, 0), 0x00400000);
    assert_int_equal(f32("rcp.approx.ftz.f32 %f0, %f1;", 0x80400000, 0), 0xFF800000);
    assert_int_equal(f32("lg2.approx.f32 %f0, %f1;", 0x00000001, 0), 0xC3150000);
    assert_int_equal(f32("lg2.approx.ftz.f32 %f0, %f1;", 0x00000001, 0), 0xFF800000);
    assert_int_equal(f32("sqrt.approx.f32 %f0, %f1;", 0x00400000, 0), 0x1FB504F3);
}

struct special {
    const char *op;
    uint32_t in, out;
};

static void special_values_follow_the_tables(void **state)
{
    (void)state;
    static const struct special cases[] = {
        {"ex2", 0x80000000, 0x3F800000},
        {"ex2", 0xFF800000, 0},
        {"ex2", 0x7F800000, 0x7F800000},
        {"ex2", 0x43000000, 0x7F800000},
        {"ex2", 0xC3150000, 0x00000001},
        {"ex2", 0xC3160000, 0},
        {"lg2", 0, 0xFF800000},
        {"lg2", 0x80000000, 0xFF800000},
        {"lg2", 0xBF800000, 0x7FFFFFFF},
        {"lg2", 0x7F800000, 0x7F800000},
        {"lg2", 0x3F800000, 0},
        {"rsqrt", 0x80000000, 0xFF800000},
        {"rsqrt", 0, 0x7F800000},
        {"rsqrt", 0x7F800000, 0},
        {"rsqrt", 0xBF800000, 0x7FFFFFFF},
        {"sin", 0x80000000, 0x80000000},
        {"sin", 0xFF800000, 0x7FFFFFFF},
        {"cos", 0x80000000, 0x3F800000},
        {"cos", 0x7F800000, 0x7FFFFFFF},
        {"tanh", 0x80000000, 0x80000000},
        {"tanh", 0xFF800000, 0xBF800000},
        {"tanh", 0x7F800000, 0x3F800000},
        {"tanh", 0x80000001, 0x80000001},
        {"rcp", 0x80000000, 0xFF800000},
        {"rcp", 0xFF800000, 0x80000000},
        {"sqrt", 0x80000000, 0x80000000},
        {"sqrt", 0xC0000000, 0x7FFFFFFF},
        {"sqrt", 0x7F800000, 0x7F800000},
    };
    for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        char text[64];
        snprintf(text, sizeof(text), "%s.approx.f32 %%f0, %%f1;", cases[k].op);
        assert_int_equal(f32(text, cases[k].in, 0), cases[k].out);
        assert_int_equal(f32(text, 0x7FC12345, 0), 0x7FFFFFFF);
    }
}

static void division_by_huge_numbers_gives_zero(void **state)
{
    (void)state;
    const char *s = "div.approx.f32 %f0, %f1, %f2;";
    assert_int_equal(f32(s, 0x3F800000, 0x7E800000), 0x00800000);
    assert_int_equal(f32(s, 0x3F800000, 0x7E800001), 0);
    assert_int_equal(f32(s, 0xBF800000, 0x7F000000), 0x80000000);
    assert_int_equal(f32(s, 0x7F000000, 0x7F000000), 0);
    assert_int_equal(f32(s, 0x7F800000, 0x7F000000), 0x7FFFFFFF);
    assert_int_equal(f32(s, 0x3F800000, 0x7F800000), 0);
    assert_int_equal(f32(s, 0x3F800000, 0x00000001), 0x7F800000);
    assert_int_equal(f32("div.full.f32 %f0, %f1, %f2;", 0x7F000000, 0x7F000000), 0x3F800000);
}

/* --- errors --- */

typedef uint32_t (*ours)(uint32_t a);
typedef long double (*exact)(long double x);

static uint32_t ex2(uint32_t a)
{
    return vg_ex2_f32(a, 0);
}
static uint32_t lg2(uint32_t a)
{
    return vg_lg2_f32(a, 0);
}
static uint32_t sine(uint32_t a)
{
    return vg_sin_f32_any(a, 0, 0);
}
static uint32_t cosine(uint32_t a)
{
    return vg_sin_f32_any(a, 0, 1);
}
static uint32_t rsqrt(uint32_t a)
{
    return vg_rsqrt_f32(a, 0);
}
static long double rsqrtl(long double x)
{
    return 1 / sqrtl(x);
}

/* The distance of `got` from y in units of y's last place as an f32. */
static long double units_off(uint32_t got, long double y)
{
    int e;
    frexpl(y, &e);
    int unit = e - 24 < -149 ? -149 : e - 24;
    return fabsl((long double)vg_f32(got) - y) / ldexpl(1, unit);
}

static void check_range(ours f, exact g, uint32_t first, uint32_t last, uint64_t step)
{
    for (uint64_t a = first; a <= last; a += step) {
        long double y = g((long double)vg_f32((uint32_t)a));
        uint32_t got = f((uint32_t)a);
        if (!isfinite(y) || fabsl(y) >= 0x1.ffffffp127L) {
            continue;
        }
        long double off = units_off(got, y);
        if (!(off <= 0.5001L)) {
            fail_msg("of %08X: %08X, exact %La, %Lf units off", (uint32_t)a, got, y, off);
        }
    }
}

static void results_are_within_half_a_unit(void **state)
{
    (void)state;
    const uint64_t step = (uint64_t)(1L << 32) / (uint64_t)lab_test_trials(400000) | 1;
    check_range(ex2, exp2l, 0, 0x43000000, step);
    check_range(ex2, exp2l, 0x80000000, 0xC3160000, step);
    check_range(lg2, log2l, 1, 0x7F7FFFFF, step);
    check_range(lg2, log2l, 0x3F700000, 0x3F900000, step / 64 | 1);
    check_range(sine, sinl, 0, 0x7F7FFFFF, step);
    check_range(sine, sinl, 0x40400000, 0x40600000, step / 64 | 1);
    check_range(cosine, cosl, 0x80000000, 0xFF7FFFFF, step);
    check_range(vg_tanh_f32, tanhl, 0, 0x7F7FFFFF, step);
    check_range(vg_tanh_f32, tanhl, 0xBD000000, 0xC1800000, step / 64 | 1);
    check_range(rsqrt, rsqrtl, 1, 0x7F7FFFFF, step);
}

/* Next to multiples of π/2 sine or cosine is tiny, and what the reduction of the argument loses
 * shows. */
static void small_results_of_large_arguments_are_exact_too(void **state)
{
    (void)state;
    for (long k = 1; k < 83000; k++) {
        uint32_t a = vg_f32_bits((float)((double)k * 0x1.921fb54442d18p+0));
        check_range(sine, sinl, a - 1, a + 1, 1);
        check_range(cosine, cosl, a - 1, a + 1, 1);
    }
}

/* The handlers are loops of these functions; sin changes its way where a lane is large. */
static void handlers_give_what_the_functions_give(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        ours f;
    } all[] = {{"ex2", ex2},    {"lg2", lg2},     {"sin", sine},
               {"cos", cosine}, {"rsqrt", rsqrt}, {"tanh", vg_tanh_f32}};
    for (unsigned k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        char text[64];
        snprintf(text, sizeof(text), "%s.approx.f32 %%f0, %%f1;", all[k].op);
        struct vg_one *o = vg_one_new(text, NULL);
        assert_non_null(o);
        for (uint32_t t = 0; t < 2000; t++) {
            uint32_t limit = t % 2 == 0 ? 0x48000000 : UINT32_MAX;
            for (uint32_t l = 0; l < 32; l++) {
                uint32_t a = (t * 32 + l) * 2654435761u;
                vg_one_set(o, "%f1", l, (a & 0x7FFFFFFF) > limit ? a & 0xBFFFFFFF : a);
            }
            vg_one_run(o, UINT32_MAX);
            for (unsigned l = 0; l < 32; l++) {
                assert_int_equal(vg_one_get(o, "%f0", l),
                                 all[k].f((uint32_t)vg_one_get(o, "%f1", l)));
            }
        }
        vg_one_free(o);
    }
}

static void f64_reciprocals_keep_their_upper_half(void **state)
{
    (void)state;
    static const char *const g[] = {"%g1"};
    uint64_t r = vg_one_value("rcp.approx.ftz.f64 %g0, %g1;", "%g0", 1, g,
                              (const uint64_t[]){0x4008000000000001});
    assert_true(r == 0x3FD5555500000000);
    r = vg_one_value("rsqrt.approx.ftz.f64 %g0, %g1;", "%g0", 1, g,
                     (const uint64_t[]){0x4000000000000000});
    assert_true(r == 0x3FE6A09E00000000);
    r = vg_one_value("rcp.approx.ftz.f64 %g0, %g1;", "%g0", 1, g,
                     (const uint64_t[]){0x8000000000000001});
    assert_true(r == 0xFFF0000000000000);
    r = vg_one_value("rsqrt.approx.f64 %g0, %g1;", "%g0", 1, g,
                     (const uint64_t[]){0x4010000000000000});
    assert_true(r == 0x3FE0000000000000);
}

static void halves_are_approximated_in_f32(void **state)
{
    (void)state;
    static const char *const h[] = {"%h1"}, *const r[] = {"%r1"};
    assert_int_equal(
        vg_one_value("ex2.approx.f16 %h0, %h1;", "%h0", 1, h, (const uint64_t[]){0x3800}), 0x3DA8);
    assert_int_equal(
        vg_one_value("tanh.approx.bf16x2 %r0, %r1;", "%r0", 1, r, (const uint64_t[]){0x7F80BF80}),
        0x3F80BF43);
    assert_int_equal(
        vg_one_value("ex2.approx.ftz.bf16 %h0, %h1;", "%h0", 1, h, (const uint64_t[]){0xC2FE}), 0);
    assert_int_equal(
        vg_one_value("ex2.approx.f16x2 %r0, %r1;", "%r0", 1, r, (const uint64_t[]){0x3C00CC80}),
        0x40000040);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_values_come_out),
        cmocka_unit_test(subnormal_results_appear_and_are_flushed),
        cmocka_unit_test(special_values_follow_the_tables),
        cmocka_unit_test(division_by_huge_numbers_gives_zero),
        cmocka_unit_test(results_are_within_half_a_unit),
        cmocka_unit_test(small_results_of_large_arguments_are_exact_too),
        cmocka_unit_test(handlers_give_what_the_functions_give),
        cmocka_unit_test(f64_reciprocals_keep_their_upper_half),
        cmocka_unit_test(halves_are_approximated_in_f32),
    };
    return LAB_TEST_MAIN(tests);
}
