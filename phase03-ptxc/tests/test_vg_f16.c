/* f16 and bf16: conversions over every pattern, arithmetic against exact integers. */
#include <math.h>
#include <stdlib.h>

#include "lab/rng.h"
#include "lab/test.h"

#include "vg_f16.h"
#include "vg_numbers.h"
#include "vg_one.h"

/* The value of a finite half by its definition. */
static double value_of(uint32_t h, bool bf16)
{
    unsigned fraction_bits = bf16 ? 7 : 10;
    int bias = bf16 ? 127 : 15;
    uint32_t fraction = h & ((1u << fraction_bits) - 1);
    int e = (int)((h & 0x7FFFu) >> fraction_bits);
    double x = e == 0 ? ldexp(fraction, 1 - bias - (int)fraction_bits)
                      : ldexp(fraction + (1u << fraction_bits), e - bias - (int)fraction_bits);
    return (h & 0x8000u) != 0 ? -x : x;
}

static void every_f16_becomes_its_f32_and_comes_back(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        uint32_t mag = h & 0x7FFFu, f = vg_f32_of_f16(h);
        if (mag > 0x7C00u) {
            assert_int_equal(f, 0x7FFFFFFF);
            assert_int_equal(vg_f16_of_f32(f), 0x7FFF);
            continue;
        }
        if (mag == 0x7C00u) {
            assert_int_equal(f, 0x7F800000u | (h & 0x8000u) << 16);
        } else {
            assert_int_equal(f, vg_f32_bits((float)value_of(h, false)));
        }
        assert_int_equal(vg_f16_of_f32(f), h);
    }
}

static void every_bf16_becomes_its_f32_and_comes_back(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        bool nan = (h & 0x7FFFu) > 0x7F80u;
        assert_int_equal(vg_f32_of_bf16(h), nan ? 0x7FFFFFFF : h << 16);
        assert_int_equal(vg_bf16_of_f32(h << 16), nan ? 0x7FFF : h);
    }
}

/* Between neighbours: the midpoint goes to the even one, a hair off it to the nearer one. */
static void check_between(uint32_t h, bool bf16)
{
    double low = value_of(h, bf16), high = value_of(h + 1, bf16);
    float middle = (float)((low + high) / 2); /* exact: one bit more than a half has */
    uint32_t bits = vg_f32_bits(middle), even = (h & 1) == 0 ? h : h + 1;
    uint32_t (*convert)(uint32_t) = bf16 ? vg_bf16_of_f32 : vg_f16_of_f32;
    assert_int_equal(convert(bits), even);
    assert_int_equal(convert(bits - 1), h);
    assert_int_equal(convert(bits + 1), h + 1);
    assert_int_equal(convert(bits | 0x80000000u), even | 0x8000u);
    assert_int_equal(convert((bits - 1) | 0x80000000u), h | 0x8000u);
}

static void f32_rounds_to_the_nearest_half_ties_to_even(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x7BFF; h++) {
        check_between(h, false);
    }
    for (uint32_t h = 0; h < 0x7F7F; h++) {
        check_between(h, true);
    }
    assert_int_equal(vg_f16_of_f32(0x477FEFFF), 0x7BFF); /* below 65520 */
    assert_int_equal(vg_f16_of_f32(0x477FF000), 0x7C00); /* 65520 */
    assert_int_equal(vg_f16_of_f32(0x7F800000), 0x7C00);
    assert_int_equal(vg_f16_of_f32(0xFF800000), 0xFC00);
    assert_int_equal(vg_bf16_of_f32(0x7F7F8000), 0x7F80);
}

/* --- arithmetic: operands as integers times 2^-60, exact results in 128 bits --- */

#define SCALE 60
static __int128 table[2][32768]; /* positive halves; −1: not in range */

static __int128 scaled(uint32_t h, bool bf16)
{
    double x = value_of(h & 0x7FFFu, bf16);
    int e;
    double m = frexp(x, &e); /* x = m·2^e, m·2^11 is an integer for both formats */
    int shift = e - 11 + SCALE;
    if (x != 0 && (shift < 0 || shift > 110)) {
        return -1;
    }
    __int128 v = (__int128)(int64_t)ldexp(m, 11) << (x == 0 ? 0 : shift);
    return (h & 0x8000u) != 0 ? -v : v;
}

static void fill_tables(void)
{
    for (uint32_t h = 0; h < 32768; h++) {
        table[0][h] = h < 0x7C00 ? scaled(h, false) : -1;
        table[1][h] = h < 0x7F80 ? scaled(h, true) : -1;
    }
}

/* The half nearest to |v|·2^-60 by looking for it; ties to the even pattern. */
static uint32_t nearest(__int128 v, bool bf16, uint32_t first, uint32_t last)
{
    uint32_t sign = v < 0 ? 0x8000u : 0, lo = first, hi = last;
    __int128 x = v < 0 ? -v : v;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        *(table[bf16][mid] <= x ? &lo : &hi) = mid;
    }
    __int128 below = x - table[bf16][lo], above = table[bf16][hi] - x;
    bool up = above < below || (above == below && (hi & 1) == 0);
    return sign | (up ? hi : lo);
}

static uint32_t pick(struct lab_rng *rng, bool bf16)
{
    if (bf16) { /* exponents around 1, so that products keep to the table */
        return (uint32_t)lab_rng_below(rng, 2) << 15 |
               (uint32_t)(112 + lab_rng_below(rng, 30)) << 7 | (uint32_t)lab_rng_below(rng, 128);
    }
    return (uint32_t)vg_number(rng, 16, 10);
}

static void check_fma(struct lab_rng *rng, bool bf16)
{
    unsigned m = bf16 ? VG_M_BF16 : 0;
    uint32_t inf = bf16 ? 0x7F80 : 0x7C00, a = pick(rng, bf16), b = pick(rng, bf16);
    uint32_t c = pick(rng, bf16);
    if ((a & 0x7FFF) >= inf || (b & 0x7FFF) >= inf || (c & 0x7FFF) >= inf) {
        return;
    }
    /* a and b times 2^30 each, so that the product is times 2^60. */
    __int128 x = scaled(a, bf16) >> 30, y = scaled(b, bf16) >> 30;
    __int128 exact = x * y + scaled(c, bf16);
    uint32_t last = bf16 ? 0x5FFF : 0x7BFF, first = bf16 ? 0x2C00 : 0;
    __int128 size = exact < 0 ? -exact : exact;
    if (size < table[bf16][first] || size > table[bf16][last] || exact == 0) {
        return;
    }
    assert_int_equal(vg_fma_half(a, b, c, m), nearest(exact, bf16, first, last));
    __int128 sum = scaled(a, bf16) + scaled(c, bf16), size2 = sum < 0 ? -sum : sum;
    if (sum != 0 && size2 >= table[bf16][first] && size2 <= table[bf16][last]) {
        assert_int_equal(vg_add_half(a, c, m), nearest(sum, bf16, first, last));
        assert_int_equal(vg_sub_half(a, c ^ 0x8000u, m), nearest(sum, bf16, first, last));
    }
    __int128 product = x * y, size3 = product < 0 ? -product : product;
    if (product != 0 && size3 >= table[bf16][first] && size3 <= table[bf16][last]) {
        assert_int_equal(vg_mul_half(a, b, m), nearest(product, bf16, first, last));
    }
}

static void half_arithmetic_rounds_the_exact_result_once(void **state)
{
    (void)state;
    fill_tables();
    struct lab_rng rng;
    lab_rng_seed(&rng, 21);
    for (long t = lab_test_trials(300000); t > 0; t--) {
        check_fma(&rng, false);
        check_fma(&rng, true);
    }
}

static void tiny_addends_decide_ties(void **state)
{
    (void)state;
    /* 1.5 · (1 + 2^-7) lies halfway between 3FC1 and 3FC2. */
    assert_int_equal(vg_fma_half(0x3FC0, 0x3F81, 0x0000, VG_M_BF16), 0x3FC2);
    assert_int_equal(vg_fma_half(0x3FC0, 0x3F81, 0x8001, VG_M_BF16), 0x3FC1);
    assert_int_equal(vg_fma_half(0x3FC0, 0x3F81, 0x0001, VG_M_BF16), 0x3FC2);
    /* 2^-126 · 0.5 is subnormal; so is 2^-133 · 0.75, which ties upwards to even from 2^-133. */
    assert_int_equal(vg_mul_half(0x0080, 0x3F00, VG_M_BF16), 0x0040);
    assert_int_equal(vg_mul_half(0x0003, 0x3F00, VG_M_BF16), 0x0002);
    assert_int_equal(vg_mul_half(0x0001, 0x3F00, VG_M_BF16), 0x0000);
    assert_int_equal(vg_mul_half(0x0001, 0x3F01, VG_M_BF16), 0x0001);
    assert_int_equal(vg_fma_half(0x3C01, 0x3C01, 0x8001, 0), 0x3C02);
    assert_int_equal(vg_mul_half(0x7BFF, 0x3C01, 0), 0x7C00);
}

static uint32_t pair(const char *statement, uint32_t a, uint32_t b, uint32_t c)
{
    static const char *const names[] = {"%r1", "%r2", "%r3"};
    return (uint32_t)vg_one_value(statement, "%r0", 3, names, (const uint64_t[]){a, b, c});
}
static uint32_t one(const char *statement, uint32_t a, uint32_t b)
{
    static const char *const names[] = {"%h1", "%h2"};
    return (uint32_t)vg_one_value(statement, "%h0", 2, names, (const uint64_t[]){a, b});
}

static void packed_halves_do_not_touch_each_other(void **state)
{
    (void)state;
    assert_int_equal(pair("add.f16x2 %r0, %r1, %r2;", 0x3C007BFF, 0x40007BFF, 0), 0x42007C00);
    assert_int_equal(pair("fma.rn.f16x2 %r0, %r1, %r2, %r3;", 0x3C004000, 0x40004200, 0x3C00BC00),
                     0x42004500);
    assert_int_equal(pair("fma.rn.relu.bf16x2 %r0, %r1, %r2, %r3;", 0x3F80BF80, 0x40004000, 0),
                     0x40000000);
    assert_int_equal(pair("max.NaN.f16x2 %r0, %r1, %r2;", 0x7E003C00, 0x3C004000, 0), 0x7FFF4000);
    assert_int_equal(pair("neg.bf16x2 %r0, %r1;", 0x3F80BF80, 0, 0), 0xBF803F80);
    assert_int_equal(pair("mul.sat.f16x2 %r0, %r1, %r2;", 0xBC004000, 0x3C003C00, 0), 0x3C00);
}

static void half_modifiers_and_nan(void **state)
{
    (void)state;
    assert_int_equal(one("add.ftz.f16 %h0, %h1, %h2;", 0x0001, 0x8002), 0);
    assert_int_equal(one("add.f16 %h0, %h1, %h2;", 0x0001, 0x8002), 0x8001);
    assert_int_equal(one("mul.ftz.f16 %h0, %h1, %h2;", 0x0400, 0xB800), 0x8000);
    assert_int_equal(one("sub.sat.f16 %h0, %h1, %h2;", 0x7E00, 0x3C00), 0);
    assert_int_equal(one("min.f16 %h0, %h1, %h2;", 0x7E01, 0x3C00), 0x3C00);
    assert_int_equal(one("min.f16 %h0, %h1, %h2;", 0x0000, 0x8000), 0x8000);
    assert_int_equal(one("min.ftz.f16 %h0, %h1, %h2;", 0x0001, 0x3C00), 0);
    assert_int_equal(one("max.xorsign.abs.bf16 %h0, %h1, %h2;", 0xBF80, 0x4000), 0xC000);
    assert_int_equal(one("neg.f16 %h0, %h1;", 0x7E01, 0), 0x7FFF);
    assert_int_equal(one("abs.f16 %h0, %h1;", 0xFE01, 0), 0x7FFF);
    assert_int_equal(one("abs.bf16 %h0, %h1;", 0xBF80, 0), 0x3F80);
    assert_int_equal(one("neg.ftz.f16 %h0, %h1;", 0x0001, 0), 0x8000);
}

static void halves_are_compared_as_numbers(void **state)
{
    (void)state;
    static const char *const h[] = {"%h1", "%h2"}, *const r[] = {"%r1", "%r2"};
    assert_int_equal(
        vg_one_value("setp.lt.f16 %p0, %h1, %h2;", "%p0", 2, h, (const uint64_t[]){0xC000, 0xBC00}),
        1);
    assert_int_equal(vg_one_value("setp.gtu.bf16 %p0, %h1, %h2;", "%p0", 2, h,
                                  (const uint64_t[]){0x7FFF, 0xBC00}),
                     1);
    assert_int_equal(vg_one_value("set.eq.f16x2.f16x2 %r0, %r1, %r2;", "%r0", 2, r,
                                  (const uint64_t[]){0x3C008000, 0x3C010000}),
                     0x00003C00);
    assert_int_equal(vg_one_value("set.gt.u32.f16x2 %r0, %r1, %r2;", "%r0", 2, r,
                                  (const uint64_t[]){0x40003C00, 0x3C003C00}),
                     0xFFFF0000);
    struct vg_one *o = vg_one_new("setp.le.f16x2 %p0|%p1, %r1, %r2;", NULL);
    assert_non_null(o);
    vg_one_fill(o, "%r1", 0x40003C00);
    vg_one_fill(o, "%r2", 0x3C003C00);
    vg_one_run(o, 2);
    assert_int_equal(vg_one_get(o, "%p0", 1), 1);
    assert_int_equal(vg_one_get(o, "%p1", 1), 0);
    assert_int_equal(vg_one_get(o, "%p0", 0), 0);
    vg_one_free(o);
}

static void f32_sums_take_half_operands(void **state)
{
    (void)state;
    static const char *const hf[] = {"%h1", "%f2"}, *const hhf[] = {"%h1", "%h2", "%f3"};
    assert_int_equal(vg_one_value("add.f32.f16 %f0, %h1, %f2;", "%f0", 2, hf,
                                  (const uint64_t[]){0x3C01, 0x3F800000}),
                     0x40001000);
    assert_int_equal(vg_one_value("sub.rz.sat.f32.bf16 %f0, %h1, %f2;", "%f0", 2, hf,
                                  (const uint64_t[]){0x3F80, 0x40000000}),
                     0);
    assert_int_equal(vg_one_value("fma.rp.f32.f16 %f0, %h1, %h2, %f3;", "%f0", 3, hhf,
                                  (const uint64_t[]){0x3C00, 0x3C00, 0x00000001}),
                     0x3F800001);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_f16_becomes_its_f32_and_comes_back),
        cmocka_unit_test(every_bf16_becomes_its_f32_and_comes_back),
        cmocka_unit_test(f32_rounds_to_the_nearest_half_ties_to_even),
        cmocka_unit_test(half_arithmetic_rounds_the_exact_result_once),
        cmocka_unit_test(tiny_addends_decide_ties),
        cmocka_unit_test(packed_halves_do_not_touch_each_other),
        cmocka_unit_test(half_modifiers_and_nan),
        cmocka_unit_test(halves_are_compared_as_numbers),
        cmocka_unit_test(f32_sums_take_half_operands),
    };
    return LAB_TEST_MAIN(tests);
}
