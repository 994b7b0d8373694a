/* f32 and f64 arithmetic: the published vectors, and every rounding direction against the host's
 * own rounding modes. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"

#include "vg_float_f64.h"
#include "vg_numbers.h"
#include "vg_one.h"

static const char *const fff[] = {"%f1", "%f2", "%f3"};
static const char *const ggg[] = {"%g1", "%g2", "%g3"};

static uint32_t f32(const char *statement, uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)vg_one_value(statement, "%f0", 3, fff, (const uint64_t[]){a, b, c});
}
static uint64_t f64(const char *statement, uint64_t a, uint64_t b, uint64_t c)
{
    return vg_one_value(statement, "%g0", 3, ggg, (const uint64_t[]){a, b, c});
}

static void division_rounds_in_all_four_directions(void **state)
{
    (void)state;
    const uint32_t one = 0x3F800000, minus = 0xBF800000, three = 0x40400000;
    assert_int_equal(f32("div.rm.f32 %f0, %f1, %f2;", one, three, 0), 0x3EAAAAAA);
    assert_int_equal(f32("div.rz.f32 %f0, %f1, %f2;", one, three, 0), 0x3EAAAAAA);
    assert_int_equal(f32("div.rn.f32 %f0, %f1, %f2;", one, three, 0), 0x3EAAAAAB);
    assert_int_equal(f32("div.rp.f32 %f0, %f1, %f2;", one, three, 0), 0x3EAAAAAB);
    assert_int_equal(f32("div.rm.f32 %f0, %f1, %f2;", minus, three, 0), 0xBEAAAAAB);
    assert_int_equal(f32("div.rz.f32 %f0, %f1, %f2;", minus, three, 0), 0xBEAAAAAA);
    assert_int_equal(f32("div.rn.f32 %f0, %f1, %f2;", minus, three, 0), 0xBEAAAAAB);
    assert_int_equal(f32("div.rp.f32 %f0, %f1, %f2;", minus, three, 0), 0xBEAAAAAA);
    const uint64_t d1 = 0x3FF0000000000000, m1 = 0xBFF0000000000000, d3 = 0x4008000000000000;
    assert_true(f64("div.rp.f64 %g0, %g1, %g2;", d1, d3, 0) == 0x3FD5555555555556);
    assert_true(f64("div.rm.f64 %g0, %g1, %g2;", d1, d3, 0) == 0x3FD5555555555555);
    assert_true(f64("div.rz.f64 %g0, %g1, %g2;", d1, d3, 0) == 0x3FD5555555555555);
    assert_true(f64("div.rn.f64 %g0, %g1, %g2;", d1, d3, 0) == 0x3FD5555555555555);
    assert_true(f64("div.rm.f64 %g0, %g1, %g2;", m1, d3, 0) == 0xBFD5555555555556);
    assert_true(f64("div.rp.f64 %g0, %g1, %g2;", m1, d3, 0) == 0xBFD5555555555555);
    assert_true(f64("div.rz.f64 %g0, %g1, %g2;", m1, d3, 0) == 0xBFD5555555555555);
    assert_true(f64("div.rn.f64 %g0, %g1, %g2;", m1, d3, 0) == 0xBFD5555555555555);
}

static void fma_rounds_once(void **state)
{
    (void)state;
    const char *s = "fma.rn.f32 %f0, %f1, %f2, %f3;";
    assert_int_equal(f32(s, 0x3F800800, 0x3F800800, 0x17800000), 0x3F801001);
    assert_int_equal(f32(s, 0x3F800001, 0x3F7FFFFE, 0xBF800000), 0xA8800000);
    assert_int_equal(vg_fma_f32_soft(0x3F800800, 0x3F800800, 0x17800000, 0), 0x3F801001);
    assert_int_equal(vg_fma_f32_soft(0x3F800001, 0x3F7FFFFE, 0xBF800000, 0), 0xA8800000);
    assert_int_equal(f32("mad.rn.f32 %f0, %f1, %f2, %f3;", 0x3F800800, 0x3F800800, 0x17800000),
                     0x3F801001);
}

static void ftz_flushes_inputs_and_results_and_keeps_the_sign(void **state)
{
    (void)state;
    assert_int_equal(f32("mul.rn.ftz.f32 %f0, %f1, %f2;", 0x80400000, 0x3F000000, 0), 0x80000000);
    assert_int_equal(f32("mul.rn.f32 %f0, %f1, %f2;", 0x80400000, 0x3F000000, 0), 0x80200000);
    assert_int_equal(f32("mul.ftz.f32 %f0, %f1, %f2;", 0x00800000, 0xBF000000, 0), 0x80000000);
    assert_int_equal(f32("add.ftz.f32 %f0, %f1, %f2;", 0x00400000, 0x00400000, 0), 0);
    assert_int_equal(f32("add.f32 %f0, %f1, %f2;", 0x00400000, 0x00400000, 0), 0x00800000);
    assert_int_equal(f32("fma.rn.ftz.f32 %f0, %f1, %f2, %f3;", 0x3F800000, 0x80000001, 0x80000001),
                     0x80000000);
    assert_int_equal(f32("abs.ftz.f32 %f0, %f1;", 0x80000001, 0, 0), 0);
    assert_int_equal(f32("neg.ftz.f32 %f0, %f1;", 0x00000001, 0, 0), 0x80000000);
    assert_int_equal(f32("min.ftz.f32 %f0, %f1, %f2;", 0x00400000, 0x3F800000, 0), 0);
    assert_int_equal(f32("sqrt.rn.ftz.f32 %f0, %f1;", 0x80000001, 0, 0), 0x80000000);
    assert_int_equal(f32("div.rn.ftz.f32 %f0, %f1, %f2;", 0x3F800000, 0x80000001, 0), 0xFF800000);
}

static void sat_clamps_to_the_unit_interval(void **state)
{
    (void)state;
    const char *s = "add.sat.f32 %f0, %f1, %f2;";
    assert_int_equal(f32(s, 0x40000000, 0x3F800000, 0), 0x3F800000);
    assert_int_equal(f32(s, 0xC0000000, 0x3F800000, 0), 0);
    assert_int_equal(f32(s, 0x80000000, 0x80000000, 0), 0);
    assert_int_equal(f32(s, 0x7FC00000, 0x3F800000, 0), 0);
    assert_int_equal(f32(s, 0x3E800000, 0x3E800000, 0), 0x3F000000);
    assert_int_equal(f32("fma.rp.sat.f32 %f0, %f1, %f2, %f3;", 0x3F7FFFFF, 0x3F800000, 0x30000000),
                     0x3F800000);
}

static void nan_results_are_the_one_nan(void **state)
{
    (void)state;
    assert_int_equal(f32("add.f32 %f0, %f1, %f2;", 0x7F800000, 0xFF800000, 0), 0x7FFFFFFF);
    assert_int_equal(f32("mul.f32 %f0, %f1, %f2;", 0xFFC12345, 0x3F800000, 0), 0x7FFFFFFF);
    assert_int_equal(f32("fma.rm.f32 %f0, %f1, %f2, %f3;", 0x7F800000, 0, 0), 0x7FFFFFFF);
    assert_int_equal(f32("sqrt.rp.f32 %f0, %f1;", 0xBF800000, 0, 0), 0x7FFFFFFF);
    assert_int_equal(f32("abs.f32 %f0, %f1;", 0xFFC12345, 0, 0), 0x7FC12345);
    assert_int_equal(f32("neg.f32 %f0, %f1;", 0xFFC12345, 0, 0), 0x7FC12345);
    assert_true(f64("add.f64 %g0, %g1, %g2;", 0x7FF0000000000000, 0xFFF0000000000000, 0) ==
                0xFFF8000000000000);
    assert_true(f64("mul.f64 %g0, %g1, %g2;", 0x3FF0000000000000, 0x7FF0000000012345, 0) ==
                0x7FF8000000012345);
    assert_true(f64("fma.rm.f64 %g0, %g1, %g2, %g3;", 0x7FF0000000000000, 0, 0) ==
                0xFFF8000000000000);
}

static void minimum_and_maximum_know_nan_and_signed_zero(void **state)
{
    (void)state;
    const uint32_t nan = 0x7FC12345, one = 0x3F800000, minus0 = 0x80000000;
    assert_int_equal(f32("min.f32 %f0, %f1, %f2;", nan, one, 0), one);
    assert_int_equal(f32("max.f32 %f0, %f1, %f2;", one, nan, 0), one);
    assert_int_equal(f32("max.f32 %f0, %f1, %f2;", nan, 0xFFC00000, 0), 0x7FFFFFFF);
    assert_int_equal(f32("min.f32 %f0, %f1, %f2;", 0, minus0, 0), minus0);
    assert_int_equal(f32("max.f32 %f0, %f1, %f2;", minus0, 0, 0), 0);
    assert_int_equal(f32("min.NaN.f32 %f0, %f1, %f2;", nan, 0xFF800000, 0), 0x7FFFFFFF);
    assert_int_equal(f32("min.xorsign.abs.f32 %f0, %f1, %f2;", 0xC0000000, one, 0), 0xBF800000);
    assert_int_equal(f32("max.NaN.abs.f32 %f0, %f1, %f2, %f3;", one, 0xC0000000, 0x3F000000),
                     0x40000000);
    assert_int_equal(f32("min.f32 %f0, %f1, %f2, %f3;", nan, one, 0xC0000000), 0xC0000000);
    assert_true(f64("min.f64 %g0, %g1, %g2;", 0, 1ull << 63, 0) == 1ull << 63);
    assert_true(f64("max.f64 %g0, %g1, %g2;", 0x7FF8000000012345, 5, 0) == 5);
    assert_int_equal(f32("copysign.f32 %f0, %f1, %f2;", 0x80000000, one, 0), 0xBF800000);
}

static bool holds(const char *how, uint32_t a, uint32_t b)
{
    char text[64];
    snprintf(text, sizeof(text), "setp.%s.f32 %%p0, %%f1, %%f2;", how);
    return vg_one_value(text, "%p0", 2, fff, (const uint64_t[]){a, b}) != 0;
}

static void ordered_comparisons_are_false_on_nan_and_unordered_ones_true(void **state)
{
    (void)state;
    static const char *const ordered[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static const char *const unordered[] = {"equ", "neu", "ltu", "leu", "gtu", "geu"};
    static const uint32_t values[] = {0xBF800000, 0x80000000, 0, 0x3F800000, 0x7F800000};
    for (unsigned k = 0; k < 6; k++) {
        assert_false(holds(ordered[k], 0x7FC00000, 0x3F800000));
        assert_true(holds(unordered[k], 0x3F800000, 0x7FC00000));
        for (unsigned j = 0; j < 25; j++) {
            float a = vg_f32(values[j / 5]), b = vg_f32(values[j % 5]);
            bool want[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
            assert_int_equal(holds(ordered[k], values[j / 5], values[j % 5]), want[k]);
            assert_int_equal(holds(unordered[k], values[j / 5], values[j % 5]), want[k]);
        }
    }
    assert_true(holds("num", 0, 0x7F800000) && !holds("num", 0, 0x7FC00000));
    assert_true(holds("nan", 0, 0xFFC00000) && !holds("nan", 0, 0));
    const uint64_t pair[] = {0, 0x00400000};
    assert_int_equal(vg_one_value("setp.lt.ftz.f32 %p0, %f1, %f2;", "%p0", 2, fff, pair), 0);
    assert_int_equal(vg_one_value("setp.lt.f32 %p0, %f1, %f2;", "%p0", 2, fff, pair), 1);
    assert_int_equal(vg_one_value("set.ltu.u32.f64 %r0, %g1, %g2;", "%r0", 2, ggg,
                                  (const uint64_t[]){0xFFF8000000000000, 0}),
                     0xFFFFFFFF);
}

static void testp_classifies(void **state)
{
    (void)state;
    static const struct {
        const char *how;
        uint32_t yes, no;
    } cases[] = {
        {"finite", 0x7F7FFFFF, 0xFF800000}, {"infinite", 0xFF800000, 0x7FC00000},
        {"number", 0x00000001, 0xFFC00000}, {"notanumber", 0x7F800001, 0x7F800000},
        {"normal", 0x00800000, 0x007FFFFF}, {"subnormal", 0x807FFFFF, 0x80000000},
        {"normal", 0x80000000, 0x7F800000},
    };
    for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        char text[64];
        snprintf(text, sizeof(text), "testp.%s.f32 %%p0, %%f1;", cases[k].how);
        assert_int_equal(vg_one_value(text, "%p0", 1, fff, (const uint64_t[]){cases[k].yes}), 1);
        assert_int_equal(vg_one_value(text, "%p0", 1, fff, (const uint64_t[]){cases[k].no}), 0);
    }
}

/* --- against the host's rounding modes --- */

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

enum op { ADD, SUB, MUL, FMA, DIV, RCP, SQRT, NOPS };

static uint32_t ours(enum op op, const uint32_t x[3], unsigned m)
{
    switch (op) {
    case ADD: return vg_add_f32(x[0], x[1], m);
    case SUB: return vg_sub_f32(x[0], x[1], m);
    case MUL: return vg_mul_f32(x[0], x[1], m);
    case FMA: return vg_fma_f32(x[0], x[1], x[2], m);
    case DIV: return vg_div_f32(x[0], x[1], m);
    case RCP: return vg_rcp_f32(x[0], m);
    default: return vg_sqrt_f32(x[0], m);
    }
}

/* Volatile, so that nothing is moved across the change of mode. */
static uint32_t hosts(enum op op, const uint32_t x[3], int mode)
{
    volatile float a = vg_f32(x[0]), b = vg_f32(x[1]), c = vg_f32(x[2]), r;
    assert_int_equal(fesetround(mode), 0);
    switch (op) {
    case ADD: r = a + b; break;
    case SUB: r = a - b; break;
    case MUL: r = a * b; break;
    case FMA: r = fmaf(a, b, c); break;
    case DIV: r = a / b; break;
    case RCP: r = 1.0f / a; break;
    default: r = sqrtf(a); break;
    }
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    return r != r ? 0x7FFFFFFFu : vg_f32_bits(r);
}

static void make_operands(struct lab_rng *rng, uint32_t x[3])
{
    for (unsigned k = 0; k < 3; k++) {
        x[k] = vg_number_f32(rng);
    }
    if (lab_rng_below(rng, 4) == 0) { /* c close to −a·b: cancellation */
        x[2] = vg_f32_bits(-(vg_f32(x[0]) * vg_f32(x[1]))) + (uint32_t)lab_rng_below(rng, 3) - 1;
    }
    if (lab_rng_below(rng, 4) == 0) {
        x[1] = (x[0] ^ 0x80000000u) + (uint32_t)lab_rng_below(rng, 3) - 1;
    }
}

static void f32_agrees_with_the_host_in_every_direction(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 11);
    for (long t = lab_test_trials(300000); t > 0; t--) {
        uint32_t x[3];
        make_operands(&rng, x);
        enum op op = (enum op)(t % NOPS);
        for (unsigned m = 0; m < 4; m++) {
            uint32_t got = ours(op, x, m), want = hosts(op, x, modes[m]);
            if (got != want) {
                fail_msg("op %d mode %u of %08X %08X %08X: %08X, host %08X", op, m, x[0], x[1],
                         x[2], got, want);
            }
        }
        assert_int_equal(vg_fma_f32_soft(x[0], x[1], x[2], 0), hosts(FMA, x, FE_TONEAREST));
    }
}

/* ftz is: flush the operands, compute, flush the result. sat is: clamp. */
static void f32_modifiers_are_what_they_say(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 12);
    for (long t = lab_test_trials(100000); t > 0; t--) {
        uint32_t x[3], y[3];
        make_operands(&rng, x);
        for (unsigned k = 0; k < 3; k++) {
            y[k] = (x[k] & 0x7F800000u) == 0 ? x[k] & 0x80000000u : x[k];
        }
        enum op op = (enum op)(t % FMA);
        unsigned m = (unsigned)(t & 3);
        uint32_t plain = hosts(op, y, modes[m]);
        uint32_t flushed = (plain & 0x7F800000u) == 0 ? plain & 0x80000000u : plain;
        assert_int_equal(ours(op, x, m | VG_M_FTZ), flushed);
        float f = vg_f32(hosts(op, x, modes[m]));
        float clamped = f > 0 ? (f < 1 ? f : 1) : 0;
        assert_int_equal(ours(op, x, m | VG_M_SAT), vg_f32_bits(clamped));
    }
}

static uint64_t hosts64(enum op op, const uint64_t x[3], int mode)
{
    volatile double a = vg_f64(x[0]), b = vg_f64(x[1]), c = vg_f64(x[2]), r;
    assert_int_equal(fesetround(mode), 0);
    switch (op) {
    case ADD: r = a + b; break;
    case SUB: r = a - b; break;
    case MUL: r = a * b; break;
    case FMA: r = fma(a, b, c); break;
    case DIV: r = a / b; break;
    case RCP: r = 1.0 / a; break;
    default: r = sqrt(a); break;
    }
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    return vg_f64_bits(r);
}

static void check_f64(struct vg_one *o, enum op op, int mode, struct lab_rng *rng)
{
    uint64_t x[32][3];
    for (unsigned l = 0; l < 96; l++) {
        x[l / 3][l % 3] = vg_number_f64(rng);
        vg_one_set(o, ggg[l % 3], l / 3, x[l / 3][l % 3]);
    }
    vg_one_run(o, UINT32_MAX);
    assert_int_equal(fegetround(), FE_TONEAREST);
    for (unsigned l = 0; l < 32; l++) {
        uint64_t want = hosts64(op, x[l], mode), got = vg_one_get(o, "%g0", l);
        bool nan = vg_f64(want) != vg_f64(want);
        assert_true(nan ? vg_f64(got) != vg_f64(got) : got == want);
    }
}

/* Through the decoder: the statement's text chooses operation and direction. */
static void f64_agrees_with_the_host_in_every_direction(void **state)
{
    (void)state;
    static const char *const names[] = {"add", "sub", "mul", "fma", "div", "rcp", "sqrt"};
    static const char *const ends[] = {"%g1, %g2;", "%g1, %g2;", "%g1, %g2;", "%g1, %g2, %g3;",
                                       "%g1, %g2;", "%g1;",      "%g1;"};
    static const char *const rounds[] = {"rn", "rz", "rm", "rp"};
    struct lab_rng rng;
    lab_rng_seed(&rng, 13);
    long trials = lab_test_trials(300000) / 1500;
    for (unsigned k = 0; k < NOPS * 4; k++) {
        char text[64];
        snprintf(text, sizeof(text), "%s.%s.f64 %%g0, %s", names[k / 4], rounds[k % 4],
                 ends[k / 4]);
        struct vg_one *o = vg_one_new(text, NULL);
        assert_non_null(o);
        for (long t = trials; t > 0; t--) {
            check_f64(o, (enum op)(k / 4), modes[k % 4], &rng);
        }
        vg_one_free(o);
    }
}

static void check_handler(struct vg_one *o, enum op op, unsigned m, struct lab_rng *rng)
{
    uint32_t x[32][3];
    uint32_t mask = lab_rng_below(rng, 8) == 0 ? UINT32_MAX : (uint32_t)lab_rng_u64(rng);
    for (unsigned l = 0; l < 32; l++) {
        make_operands(rng, x[l]);
    }
    for (unsigned l = 0; l < 96; l++) {
        vg_one_set(o, fff[l % 3], l / 3, x[l / 3][l % 3]);
    }
    vg_one_fill(o, "%f0", 0x12345678);
    vg_one_run(o, mask);
    for (unsigned l = 0; l < 32; l++) {
        uint32_t want = (mask >> l & 1) != 0 ? ours(op, x[l], m) : 0x12345678;
        assert_int_equal(vg_one_get(o, "%f0", l), want);
    }
}

/* The handlers are these functions in loops over lanes, vectorised by the compiler. */
static void f32_handlers_give_what_the_functions_give(void **state)
{
    (void)state;
    static const char *const names[] = {"add", "sub", "mul", "fma", "div", "rcp", "sqrt"};
    static const char *const ends[] = {"%f1, %f2;", "%f1, %f2;", "%f1, %f2;", "%f1, %f2, %f3;",
                                       "%f1, %f2;", "%f1;",      "%f1;"};
    static const char *const rounds[] = {"rn", "rz", "rm", "rp"};
    static const char *const more[] = {"", ".ftz", ".sat", ".ftz.sat"};
    struct lab_rng rng;
    lab_rng_seed(&rng, 14);
    for (unsigned k = 0; k < NOPS * 16; k++) {
        enum op op = (enum op)(k / 16);
        unsigned m = k % 16;
        char text[64];
        snprintf(text, sizeof(text), "%s.%s%s.f32 %%f0, %s", names[op], rounds[m & 3], more[m >> 2],
                 ends[op]);
        struct vg_one *o = vg_one_new(text, NULL);
        if (op >= DIV && (m & VG_M_SAT) != 0) {
            assert_null(o);
            continue;
        }
        assert_non_null(o);
        for (unsigned t = 0; t < 50; t++) {
            check_handler(o, op, m, &rng);
        }
        vg_one_free(o);
    }
}

static void zero_sums_have_the_sign_of_their_direction(void **state)
{
    (void)state;
    assert_int_equal(f32("add.rm.f32 %f0, %f1, %f2;", 0x3F800000, 0xBF800000, 0), 0x80000000);
    assert_int_equal(f32("add.rz.f32 %f0, %f1, %f2;", 0x3F800000, 0xBF800000, 0), 0);
    assert_int_equal(f32("sub.rm.f32 %f0, %f1, %f2;", 0, 0, 0), 0x80000000);
    assert_int_equal(f32("fma.rm.f32 %f0, %f1, %f2, %f3;", 0x80000000, 0x3F800000, 0), 0x80000000);
    assert_int_equal(f32("add.rm.f32 %f0, %f1, %f2;", 0, 0, 0), 0);
}

static void pairs_of_f32_are_two_f32(void **state)
{
    (void)state;
    const char *d[] = {"%d1", "%d2", "%d3"};
    const uint64_t v[] = {0x3F800000007FFFFF, 0x404000003F800000, 0xBF80000000000000};
    assert_true(vg_one_value("add.f32x2 %d0, %d1, %d2;", "%d0", 2, d, v) == 0x408000003F800000);
    assert_true(vg_one_value("mul.rn.ftz.f32x2 %d0, %d1, %d2;", "%d0", 2, d, v) ==
                0x4040000000000000);
    assert_true(vg_one_value("sub.rz.f32x2 %d0, %d1, %d2;", "%d0", 2, d, v) == 0xC0000000BF7FFFFF);
    assert_true(vg_one_value("fma.rm.f32x2 %d0, %d1, %d2, %d3;", "%d0", 3, d, v) ==
                0x40000000007FFFFF);
}

static void what_is_no_float_instruction_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "add.sat.f64 %g0, %g1, %g2;",
        "add.ftz.f64 %g0, %g1, %g2;",
        "div.f32 %f0, %f1, %f2;",
        "fma.f32 %f0, %f1, %f2, %f3;",
        "add.rna.f32 %f0, %f1, %f2;",
        "add.rn.rz.f32 %f0, %f1, %f2;",
        "sin.f32 %f0, %f1;",
        "sqrt.approx.f64 %g0, %g1;",
        "rcp.approx.f64 %g0, %g1;",
        "min.abs.f32 %f0, %f1, %f2;",
        "abs.sat.f32 %f0, %f1;",
        "setp.lo.f32 %p0, %f1, %f2;",
        "setp.lt.ftz.f64 %p0, %g1, %g2;",
        "testp.f32 %p0, %f1;",
        "tanh.approx.ftz.f32 %f0, %f1;",
        "ex2.approx.ftz.f16 %h0, %h1;",
        "add.rz.f16 %h0, %h1, %h2;",
        "fma.rn.sat.relu.f16 %h0, %h1, %h2, %h3;",
        "mul.ftz.bf16 %h0, %h1, %h2;",
        "div.rn.sat.f32 %f0, %f1, %f2;",
        "fma.rn.sat.f32x2 %d0, %d1, %d2, %d3;",
        "add.f32 %f0, %f1, %g1;",
        "mul.rn.rn.f32 %f0, %f1, %f2;",
        "rsqrt.rn.f32 %f0, %f1;",
    };
    for (unsigned k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
        if (!vg_one_refuses(bad[k])) {
            fail_msg("accepted: %s", bad[k]);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(division_rounds_in_all_four_directions),
        cmocka_unit_test(fma_rounds_once),
        cmocka_unit_test(ftz_flushes_inputs_and_results_and_keeps_the_sign),
        cmocka_unit_test(sat_clamps_to_the_unit_interval),
        cmocka_unit_test(nan_results_are_the_one_nan),
        cmocka_unit_test(minimum_and_maximum_know_nan_and_signed_zero),
        cmocka_unit_test(ordered_comparisons_are_false_on_nan_and_unordered_ones_true),
        cmocka_unit_test(testp_classifies),
        cmocka_unit_test(f32_agrees_with_the_host_in_every_direction),
        cmocka_unit_test(f32_modifiers_are_what_they_say),
        cmocka_unit_test(f64_agrees_with_the_host_in_every_direction),
        cmocka_unit_test(f32_handlers_give_what_the_functions_give),
        cmocka_unit_test(zero_sums_have_the_sign_of_their_direction),
        cmocka_unit_test(pairs_of_f32_are_two_f32),
        cmocka_unit_test(what_is_no_float_instruction_is_refused),
    };
    return LAB_TEST_MAIN(tests);
}
