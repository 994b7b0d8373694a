/* Conversions and moves: the published vectors, every conversion against an oracle of another kind,
 * the vector loops against the one-lane reference, packing, windows, errors. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"

#include "vg_cvt_core.h"
#include "vg_f16.h"
#include "vg_numbers.h"
#include "vg_one.h"

/* The source register of a type, numbered 1; the destination's is the same with 0. */
static const char *source_of(const char *type)
{
    if (strcmp(type, "f32") == 0) {
        return "%f1";
    }
    if (strcmp(type, "f64") == 0) {
        return "%g1";
    }
    return strstr(type, "64") != NULL ? "%d1" : strstr(type, "32") != NULL ? "%r1" : "%h1";
}

static uint64_t cvt(const char *words, const char *to, const char *from, uint64_t a)
{
    char text[80], dest[4] = "%r0";
    dest[1] = source_of(to)[1];
    const char *src = source_of(from);
    snprintf(text, sizeof(text), "cvt%s.%s.%s %s, %s;", words, to, from, dest, src);
    return vg_one_value(text, dest, 1, &src, &a);
}

static void nan_becomes_these_integers(void **state)
{
    (void)state;
    assert_true(cvt(".rzi", "s32", "f32", 0x7FC00000) == 0);
    assert_true(cvt(".rzi", "u32", "f32", 0xFFC00000) == 0);
    assert_true(cvt(".rzi", "s64", "f32", 0x7FC00000) == 1ull << 63);
    assert_true(cvt(".rzi", "u64", "f32", 0x7FC00000) == 1ull << 63);
    assert_true(cvt(".rzi", "s32", "f64", 0xFFF8000000000000) == 0x80000000);
    assert_true(cvt(".rzi", "u32", "f64", 0xFFF8000000000000) == 0x80000000);
    assert_true(cvt(".rzi", "s64", "f64", 0x7FF8000000000000) == 1ull << 63);
    assert_true(cvt(".rzi", "s16", "f16", 0x7FFF) == 0);
    assert_true(cvt(".rzi", "s16", "f64", 0x7FF8000000000000) == 0x8000);
}

static void float_to_integer_clamps(void **state)
{
    (void)state;
    assert_true(cvt(".rzi", "s32", "f32", 0x4F32D05E) == 0x7FFFFFFF); /* 3e9 */
    assert_true(cvt(".rzi", "u32", "f32", 0xBF800000) == 0);
    assert_true(cvt(".rni", "s32", "f32", 0x40200000) == 2); /* 2.5 */
    assert_true(cvt(".rzi", "s8", "f32", 0xC3960000) == 0xFF80);
    assert_true(cvt(".rzi", "u8", "f32", 0x43960000) == 0xFF);
    assert_true(cvt(".rpi", "s32", "f32", 0x00000001) == 1);
    assert_true(cvt(".rpi.ftz", "s32", "f32", 0x00000001) == 0);
    assert_true(cvt(".rmi", "s64", "f64", 0xC3E0000000000000) == 1ull << 63);
    assert_true(cvt(".rni", "u64", "f32", 0x7F800000) == UINT64_MAX);
}

static void integers_are_cut_unless_sat(void **state)
{
    (void)state;
    assert_true(cvt(".sat", "s8", "s32", 300) == 0x7F);
    assert_true(cvt("", "s8", "s32", 300) == 0x2C);
    assert_true(cvt("", "s8", "u32", 0x80) == 0xFF80);
    assert_true(cvt(".sat", "u16", "s32", 0xFFFFFED4) == 0);
    assert_true(cvt(".sat", "u64", "s32", 0xFFFFFFFF) == 0);
    assert_true(cvt("", "u64", "s32", 0xFFFFFFFF) == UINT64_MAX);
    assert_true(cvt("", "s64", "u32", 0xFFFFFFFF) == 0xFFFFFFFF);
    assert_true(cvt("", "s32", "u8", 0xABFF) == 0xFF);
}

static void floats_convert_as_ptxas_folds_them(void **state)
{
    (void)state;
    assert_true(cvt("", "f64", "f32", 0xFFC12345) == 0xFFF82468A0000000);
    assert_true(cvt(".rn", "f32", "f64", 0xFFF0123456789ABC) == 0xFFC091A2);
    assert_true(cvt("", "f64", "f16", 0x7E01) == 0x7FFFFFFFE0000000);
    assert_true(cvt("", "f32", "f16", 0xFE01) == 0x7FFFFFFF);
    assert_true(cvt("", "f32", "bf16", 0x7FFF) == 0x7FFFFFFF);
    assert_true(cvt(".rn", "f16", "f32", 0x3DCCCCCD) == 0x2E66);
    assert_true(cvt(".rn", "f16", "f64", 0x3FB999999999999A) == 0x2E66);
    assert_true(cvt(".rn", "bf16", "f32", 0x7FC12345) == 0x7FFF);
    assert_true(cvt(".rpi", "f32", "f32", 0x00000001) == 0x3F800000);
    assert_true(cvt(".rzi", "f32", "f32", 0xBE000000) == 0x80000000);
    assert_true(cvt(".sat", "f32", "f32", 0xBF800000) == 0);
    assert_true(cvt(".sat", "f32", "f32", 0x7FC12345) == 0);
    assert_true(cvt(".rn.ftz", "f32", "f64", 0x3700000000000000) == 0);
    assert_true(cvt(".rp", "f16", "f64", 0x0010000000000000) == 1); /* 2^-1022 */
    assert_true(cvt(".rm", "bf16", "f64", 0x8000000000000001) == 0x8001);
    assert_true(cvt(".rpi", "s32", "f64", 0x0000000000000001) == 1);
    const char *f1[] = {"%f1", "%f2"};
    assert_true(vg_one_value("cvt.rna.tf32.f32 %r0, %f1;", "%r0", 1, f1,
                             (const uint64_t[]){0x3DCCCCCD}) == 0x3DCCC000);
    assert_true(vg_one_value("cvt.rn.f16x2.f32 %r0, %f1, %f2;", "%r0", 2, f1,
                             (const uint64_t[]){0x3DCCCCCD, 0x3F800000}) == 0x2E663C00);
    assert_true(vg_one_value("cvt.rz.relu.bf16x2.f32 %r0, %f1, %f2;", "%r0", 2, f1,
                             (const uint64_t[]){0xBF800000, 0x3F80FFFF}) == 0x00003F80);
    assert_true(vg_one_value("cvt.rn.satfinite.f16.f32 %h0, %f1;", "%h0", 1, f1,
                             (const uint64_t[]){0xFF800000}) == 0xFBFF);
}

static void eight_bit_floats_saturate(void **state)
{
    (void)state;
    const char *f[] = {"%f1", "%f2"}, *r[] = {"%r1"}, *h[] = {"%h1"};
    const char *s = "cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;";
    assert_true(vg_one_value(s, "%h0", 2, f, (const uint64_t[]){0x43E00000, 0x3F800000}) == 0x7E38);
    assert_true(vg_one_value(s, "%h0", 2, f, (const uint64_t[]){0xFF800000, 0x7FC00000}) == 0xFE7F);
    s = "cvt.rn.satfinite.e5m2x2.f16x2 %h0, %r1;";
    assert_true(vg_one_value(s, "%h0", 1, r, (const uint64_t[]){0x7BFF3C00}) == 0x7B3C);
    s = "cvt.rn.f16x2.e4m3x2 %r0, %h1;";
    assert_true(vg_one_value(s, "%r0", 1, h, (const uint64_t[]){0x7E38}) == 0x5F003C00);
    for (uint32_t x = 0; x < 256; x++) { /* there and back */
        uint64_t wide =
            vg_one_value("cvt.rn.f16x2.e5m2x2 %r0, %h1;", "%r0", 1, h, (const uint64_t[]){x});
        uint64_t back = vg_one_value("cvt.rn.satfinite.e5m2x2.f16x2 %h0, %r1;", "%h0", 1, r, &wide);
        bool nan = (x & 0x7F) > 0x7C, inf = (x & 0x7F) == 0x7C;
        assert_true(back == (nan ? 0x7F : inf ? x - 1 : x));
    }
}

static void integers_are_clamped_and_packed(void **state)
{
    (void)state;
    const char *r[] = {"%r1", "%r2", "%r3"};
    const uint64_t v[] = {70000, 0xFFFFFFFB, 0x12345678};
    assert_true(vg_one_value("cvt.pack.sat.u16.s32 %r0, %r1, %r2;", "%r0", 2, r, v) == 0xFFFF0000);
    assert_true(vg_one_value("cvt.pack.sat.s16.s32 %r0, %r1, %r2;", "%r0", 2, r, v) == 0x7FFFFFFB);
    assert_true(vg_one_value("cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3;", "%r0", 3, r, v) ==
                0x56787FFB);
    assert_true(vg_one_value("cvt.pack.sat.u4.s32.b32 %r0, %r1, %r2, %r3;", "%r0", 3, r, v) ==
                0x345678F0);
    /* Two of them make four bytes of four words. */
    const uint64_t low = vg_one_value("cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, 0;", "%r0", 2, r,
                                      (const uint64_t[]){2, 1});
    assert_true(vg_one_value("cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;", "%r0", 3, r,
                             (const uint64_t[]){4, 3, low}) == 0x02010403);
}

/* --- vg_cvt against oracles of another kind --- */

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static void integers_to_floats_round_as_the_host_does(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 31);
    for (long t = lab_test_trials(100000); t > 0; t--) {
        /* Not 0: rounding down, clang's code for it makes -0. */
        volatile uint64_t u = (lab_rng_u64(&rng) | 1ull << 63) >> lab_rng_below(&rng, 64);
        volatile int64_t s = (int64_t)u;
        unsigned r = (unsigned)(t & 3);
        assert_int_equal(fesetround(modes[r]), 0);
        volatile float fu = (float)u, fs = (float)s;
        volatile double du = (double)u, ds = (double)s;
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        struct vg_cvt c = {PTX_F32, PTX_U64, (uint8_t)r, 0};
        assert_true(vg_cvt(&c, u) == vg_f32_bits(fu));
        c.from = PTX_S64;
        assert_true(vg_cvt(&c, u) == vg_f32_bits(fs));
        c.to = PTX_F64;
        assert_true(vg_cvt(&c, u) == vg_f64_bits(ds));
        c.from = PTX_U64;
        assert_true(vg_cvt(&c, u) == vg_f64_bits(du));
    }
}

static double whole(double x, unsigned r)
{
    return r == 0 ? rint(x) : r == 1 ? trunc(x) : r == 2 ? floor(x) : ceil(x);
}

static void floats_to_integers_and_floats_round_as_the_host_does(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 32);
    for (long t = lab_test_trials(300000); t > 0; t--) {
        uint64_t a = t % 2 == 0 ? vg_number_f64(&rng)
                                : vg_f64_bits((double)(int64_t)lab_rng_u64(&rng) *
                                              ldexp(1, -(int)lab_rng_below(&rng, 70)));
        volatile double x = vg_f64(a);
        unsigned r = (unsigned)(t & 3);
        assert_int_equal(fesetround(modes[r]), 0);
        volatile float f = (float)x;
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        if (x != x) {
            continue;
        }
        struct vg_cvt c = {PTX_F32, PTX_F64, (uint8_t)r, 0};
        assert_true(vg_cvt(&c, a) == vg_f32_bits(f));
        double w = whole(x, r);
        c = (struct vg_cvt){PTX_F64, PTX_F64, (uint8_t)r, VG_C_WHOLE};
        assert_true(vg_cvt(&c, a) == vg_f64_bits(w));
        int64_t s = w >= 0x1p63 ? INT64_MAX : w < -0x1p63 ? INT64_MIN : (int64_t)w;
        uint64_t u = w >= 0x1p64 ? UINT64_MAX : w < 0 ? 0 : (uint64_t)w;
        c = (struct vg_cvt){PTX_S64, PTX_F64, (uint8_t)r, 0};
        assert_true(vg_cvt(&c, a) == (uint64_t)s);
        c.to = PTX_U64;
        assert_true(vg_cvt(&c, a) == u);
        c.to = PTX_S16;
        int64_t h = s > 32767 ? 32767 : s < -32768 ? -32768 : s;
        assert_true(vg_cvt(&c, a) == (uint64_t)h);
    }
}

/* Directed results enclose the number, and are its neighbours when it is not a half itself. */
static void halves_are_rounded_between_neighbours(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 33);
    for (long t = lab_test_trials(200000); t > 0; t--) {
        uint32_t a = vg_number_f32(&rng) & 0x7FFFFFFF;
        if (a >= 0x7F800000) {
            continue;
        }
        const uint8_t to = t % 2 == 0 ? PTX_F16 : PTX_BF16;
        struct vg_cvt down = {to, PTX_F32, VG_RM, 0}, up = {to, PTX_F32, VG_RP, 0};
        struct vg_cvt zero = {to, PTX_F32, VG_RZ, 0}, near = {to, PTX_F32, VG_RN, 0};
        uint32_t lo = (uint32_t)vg_cvt(&down, a), hi = (uint32_t)vg_cvt(&up, a);
        uint32_t (*back)(uint32_t) = to == PTX_F16 ? vg_f32_of_f16 : vg_f32_of_bf16;
        uint32_t (*nearest)(uint32_t) = to == PTX_F16 ? vg_f16_of_f32 : vg_bf16_of_f32;
        assert_true(vg_f32(back(lo)) <= vg_f32(a) && vg_f32(a) <= vg_f32(back(hi)));
        assert_true(back(lo) == a ? hi == lo : hi == lo + 1);
        assert_true(vg_cvt(&zero, a) == lo && vg_cvt(&near, a) == nearest(a));
        assert_true(vg_cvt(&down, a | 0x80000000u) == (hi | 0x8000u));
        assert_true(vg_cvt(&up, a | 0x80000000u) == (lo | 0x8000u));
    }
}

/* --- every spelling that decodes, 32 lanes at once, against vg_cvt --- */

static const struct {
    const char *name;
    uint8_t type;
} types[] = {
    {"u8", PTX_U8},   {"u16", PTX_U16},   {"u32", PTX_U32}, {"u64", PTX_U64},
    {"s8", PTX_S8},   {"s16", PTX_S16},   {"s32", PTX_S32}, {"s64", PTX_S64},
    {"f16", PTX_F16}, {"bf16", PTX_BF16}, {"f32", PTX_F32}, {"f64", PTX_F64},
};
static const struct {
    const char *text;
    uint8_t round;
    bool whole;
} rounds[] = {
    {"", VG_RN, false},    {".rn", VG_RN, false}, {".rz", VG_RZ, false},
    {".rm", VG_RM, false}, {".rp", VG_RP, false}, {".rni", VG_RN, true},
    {".rzi", VG_RZ, true}, {".rmi", VG_RM, true}, {".rpi", VG_RP, true},
};
static const char *const more[] = {"", ".ftz", ".sat", ".ftz.sat"};

static uint64_t input(struct lab_rng *rng, unsigned type)
{
    switch (type) {
    case PTX_F16: return vg_number(rng, 16, 10);
    case PTX_BF16: return vg_number(rng, 16, 7);
    case PTX_F32: return vg_number_f32(rng);
    case PTX_F64: return vg_number_f64(rng);
    default: return lab_rng_u64(rng) >> lab_rng_below(rng, 64);
    }
}

static uint64_t register_mask(const char *name)
{
    return name[1] == 'h' ? 0xFFFF : name[1] == 'r' || name[1] == 'f' ? UINT32_MAX : UINT64_MAX;
}

static unsigned check_spelling(struct lab_rng *rng, unsigned to, unsigned from, unsigned k)
{
    const unsigned round = k / 4, flags = k % 4;
    char text[80], dest[4] = "%r0";
    dest[1] = source_of(types[to].name)[1];
    const char *src = source_of(types[from].name);
    snprintf(text, sizeof(text), "cvt%s%s.%s.%s %s, %s;", rounds[round].text, more[flags],
             types[to].name, types[from].name, dest, src);
    struct vg_one *o = vg_one_new(text, NULL);
    if (o == NULL) {
        return 0;
    }
    uint8_t f = (uint8_t)((flags & 1 ? VG_C_FTZ : 0) | (flags & 2 ? VG_C_SAT : 0));
    f |= rounds[round].whole && to == from ? VG_C_WHOLE : 0;
    struct vg_cvt c = {types[to].type, types[from].type, rounds[round].round, f};
    for (unsigned t = 0; t < 40; t++) {
        uint32_t mask = t == 0 ? UINT32_MAX : (uint32_t)lab_rng_u64(rng);
        vg_one_fill(o, dest, 0x5A5A5A5A5A5A5A5A);
        for (unsigned l = 0; l < 32; l++) {
            vg_one_set(o, src, l, input(rng, types[from].type));
        }
        vg_one_run(o, mask);
        for (unsigned l = 0; l < 32; l++) {
            uint64_t a = vg_one_get(o, src, l), got = vg_one_get(o, dest, l);
            uint64_t want = (mask >> l & 1) != 0 ? vg_cvt(&c, a) : 0x5A5A5A5A5A5A5A5A;
            if (got != (want & register_mask(dest))) {
                fail_msg("%s of %016llX: %016llX, expected %016llX", text, (unsigned long long)a,
                         (unsigned long long)got, (unsigned long long)want);
            }
        }
    }
    vg_one_free(o);
    return 1;
}

static void every_spelling_gives_what_the_reference_gives(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 34);
    unsigned spellings = 0;
    for (unsigned to = 0; to < 12; to++) {
        for (unsigned from = 0; from < 12; from++) {
            for (unsigned k = 0; k < 36; k++) {
                spellings += check_spelling(&rng, to, from, k);
            }
        }
    }
    assert_int_equal(spellings, 810);
}

static void registers_may_be_wider_than_integers(void **state)
{
    (void)state;
    const char *d[] = {"%d1"}, *r[] = {"%r1"};
    assert_true(vg_one_value("cvt.s32.s8 %r0, %d1;", "%r0", 1, d,
                             (const uint64_t[]){0x1234567890ABCDEF}) == 0xFFFFFFEF);
    assert_true(vg_one_value("cvt.u16.u32 %d0, %r1;", "%d0", 1, r,
                             (const uint64_t[]){0xABCD1234}) == 0x1234);
    assert_true(vg_one_value("cvt.s16.s32 %d0, %r1;", "%d0", 1, r, (const uint64_t[]){0x8000}) ==
                0xFFFFFFFFFFFF8000);
    assert_true(vg_one_value("cvt.rn.f32.s16 %f0, %r1;", "%f0", 1, r,
                             (const uint64_t[]){0x1FFFF}) == 0xBF800000);
    assert_true(vg_one_value("cvt.u32.u64 %r0, 4294967301;", "%r0", 0, r, NULL) == 5);
}

static void moves_copy_pack_and_take_apart(void **state)
{
    (void)state;
    const char *h[] = {"%h1", "%h2", "%h3", "%h4"}, *r[] = {"%r1", "%r2"}, *d[] = {"%d1"};
    assert_true(vg_one_value("mov.b32 %r0, {%h1, %h2};", "%r0", 2, h,
                             (const uint64_t[]){0x1111, 0x2222}) == 0x22221111);
    assert_true(vg_one_value("mov.b32 %f0, {0, %h2};", "%f0", 2, h,
                             (const uint64_t[]){0x1111, 0x3F80}) == 0x3F800000);
    assert_true(vg_one_value("mov.b64 %d0, {%r1, %r2};", "%d0", 2, r, (const uint64_t[]){1, 2}) ==
                0x0000000200000001);
    assert_true(vg_one_value("mov.b64 %d0, {%h1, %h2, %h3, %h4};", "%d0", 4, h,
                             (const uint64_t[]){1, 2, 3, 4}) == 0x0004000300020001);
    assert_true(vg_one_value("mov.b64 {_, %r0}, %d1;", "%r0", 1, d,
                             (const uint64_t[]){0xAAAA000055550000}) == 0xAAAA0000);
    assert_true(vg_one_value("mov.b32 {%h0, %h1}, %r1;", "%h1", 1, r,
                             (const uint64_t[]){0x12345678}) == 0x1234);
    assert_true(vg_one_value("mov.b32 {%c0, %c1, %c2, %c3}, %r1;", "%c2", 1, r,
                             (const uint64_t[]){0x12345678}) == 0x34);
    assert_true(vg_one_value("mov.f32 %f0, 0f3F800000;", "%f0", 0, r, NULL) == 0x3F800000);
    assert_true(vg_one_value("mov.u64 %d0, 4609434218613702656;", "%d0", 0, r, NULL) ==
                0x3FF8000000000000);
    assert_true(vg_one_value("mov.pred %p0, 0;", "%p0", 0, r, NULL) == 0);
}

static void registers_of_128_bits_are_two_halves(void **state)
{
    (void)state;
    struct vg_one *pack = vg_one_new("mov.b128 %q0, {%d1, %d2};", NULL);
    assert_non_null(pack);
    vg_one_fill(pack, "%d1", 7);
    vg_one_fill(pack, "%d2", 9);
    vg_one_run(pack, UINT32_MAX);
    const uint64_t *q = VG_U64(vg_one_warp(pack), vg_one_slot("%q0"));
    assert_true(q[5] == 7 && q[5 + VG_LANES] == 9);
    vg_one_free(pack);
    struct vg_one *apart = vg_one_new("mov.b128 {%d0, %d1}, %q1;", NULL);
    assert_non_null(apart);
    uint64_t *p = VG_U64(vg_one_warp(apart), vg_one_slot("%q1"));
    p[3] = 11;
    p[3 + VG_LANES] = 13;
    vg_one_run(apart, 8);
    assert_true(vg_one_get(apart, "%d0", 3) == 11 && vg_one_get(apart, "%d1", 3) == 13);
    assert_true(vg_one_get(apart, "%d0", 4) == 0);
    vg_one_free(apart);
}

static void addresses_move_into_windows_and_back(void **state)
{
    (void)state;
    const char *d[] = {"%d1"};
    const uint64_t at[] = {0x40}, shared[] = {VG_SHARED_WINDOW + 0x40};
    const uint64_t local[] = {VG_LOCAL_WINDOW + 8}, global[] = {0x7000000000};
    assert_true(vg_one_value("cvta.shared.u64 %d0, %d1;", "%d0", 1, d, at) == shared[0]);
    assert_true(vg_one_value("cvta.to.shared.u64 %d0, %d1;", "%d0", 1, d, shared) == 0x40);
    assert_true(vg_one_value("cvta.to.global.u64 %d0, %d1;", "%d0", 1, d, global) == global[0]);
    assert_true(vg_one_value("cvta.local.u64 %d0, %d1;", "%d0", 1, d, at) ==
                VG_LOCAL_WINDOW + 0x40);
    assert_int_equal(vg_one_value("isspacep.shared %p0, %d1;", "%p0", 1, d, shared), 1);
    assert_int_equal(vg_one_value("isspacep.shared::cta %p0, %d1;", "%p0", 1, d, local), 0);
    assert_int_equal(vg_one_value("isspacep.local %p0, %d1;", "%p0", 1, d, local), 1);
    assert_int_equal(vg_one_value("isspacep.global %p0, %d1;", "%p0", 1, d, global), 1);
    assert_int_equal(vg_one_value("isspacep.global %p0, %d1;", "%p0", 1, d, shared), 0);
}

static void what_is_no_conversion_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "cvt.s32.f32 %r0, %f1;",
        "cvt.rzi.f32.s32 %f0, %r1;",
        "cvt.f32.s32 %f0, %r1;",
        "cvt.rn.f64.f32 %g0, %f1;",
        "cvt.f32.f64 %f0, %g1;",
        "cvt.rn.s32.f32 %r0, %f1;",
        "cvt.sat.u32.u16 %r0, %h1;",
        "cvt.rn.u32.u64 %r0, %d1;",
        "cvt.ftz.f64.f16 %g0, %h1;",
        "cvt.rn.sat.bf16.f32 %h0, %f1;",
        "cvt.rm.relu.f16.f32 %h0, %f1;",
        "cvt.rn.f16x2.f32 %r0, %f1;",
        "cvt.rn.e4m3x2.f32 %h0, %f1, %f2;",
        "cvt.rna.f16.f32 %h0, %f1;",
        "cvt.rn.f32.f32 %f0, %f1;",
        "cvt.b32.s32 %r0, %r1;",
        "cvt.s32 %r0, %r1;",
        "cvt.rs.f16x2.f32 %r0, %f1, %f2, %r1;",
        "cvt.rn.satfinite.e2m1x2.f32 %c0, %f1, %f2;",
        "cvt.rn.f32.tf32 %f0, %r1;",
        "cvt.f32.f16 %f0, %r1;",
        "cvt.u64.u32 %r0, %r1;",
        "cvt.u32.u64 %r0, %r1;",
        "mov.f16 %h0, %h1;",
        "mov.b32 {%h0, %h1, %h2}, %r1;",
        "mov.b32 5, %r1;",
        "mov.b32 %r0, {%r1, %r2};",
        "cvta.u64 %d0, %d1;",
        "cvta.global.u32 %r0, %r1;",
        "isspacep.const %p0, %d1;",
        "cvta.to.reg.u64 %d0, %d1;",
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
        cmocka_unit_test(nan_becomes_these_integers),
        cmocka_unit_test(float_to_integer_clamps),
        cmocka_unit_test(integers_are_cut_unless_sat),
        cmocka_unit_test(floats_convert_as_ptxas_folds_them),
        cmocka_unit_test(eight_bit_floats_saturate),
        cmocka_unit_test(integers_are_clamped_and_packed),
        cmocka_unit_test(integers_to_floats_round_as_the_host_does),
        cmocka_unit_test(floats_to_integers_and_floats_round_as_the_host_does),
        cmocka_unit_test(halves_are_rounded_between_neighbours),
        cmocka_unit_test(every_spelling_gives_what_the_reference_gives),
        cmocka_unit_test(registers_may_be_wider_than_integers),
        cmocka_unit_test(moves_copy_pack_and_take_apart),
        cmocka_unit_test(registers_of_128_bits_are_two_halves),
        cmocka_unit_test(addresses_move_into_windows_and_back),
        cmocka_unit_test(what_is_no_conversion_is_refused),
    };
    return LAB_TEST_MAIN(tests);
}
