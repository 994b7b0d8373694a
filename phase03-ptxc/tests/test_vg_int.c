/* Integer instructions: the published vectors, laws against __int128, carries, masks, errors. */
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"

#include "vg_arith.h"
#include "vg_arith_bits.h"
#include "vg_lanes.h"
#include "vg_one.h"

static const char *const rrr[] = {"%r1", "%r2", "%r3", "%r4"};
static const char *const ddd[] = {"%d1", "%d2", "%d3"};
static const char *const hhh[] = {"%h1", "%h2", "%h3"};

static uint32_t r32(const char *statement, uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)vg_one_value(statement, "%r0", 3, rrr, (const uint64_t[]){a, b, c});
}
static uint64_t r64(const char *statement, uint64_t a, uint64_t b, uint64_t c)
{
    return vg_one_value(statement, "%d0", 3, ddd, (const uint64_t[]){a, b, c});
}
static uint16_t r16(const char *statement, uint16_t a, uint16_t b, uint16_t c)
{
    return (uint16_t)vg_one_value(statement, "%h0", 3, hhh, (const uint64_t[]){a, b, c});
}

static void mad_hi_takes_the_high_half_before_it_adds(void **state)
{
    (void)state;
    assert_int_equal(r32("mad.hi.u32 %r0, %r1, %r2, %r3;", 0xFFFFFFFF, 0xFFFFFFFF, 5), 3);
    assert_int_equal(r16("mad.hi.u16 %h0, %h1, %h2, %h3;", 0xFFFF, 0xFFFF, 5), 3);
    assert_int_equal(r32("mad.hi.s32 %r0, %r1, %r2, %r3;", 0x80000000, 0x80000000, 7), 0x40000007);
    assert_int_equal(r32("mad.hi.s32 %r0, %r1, %r2, %r3;", 0xFFFFFFFF, 5, 1), 0);
}

static void wide_products_are_whole(void **state)
{
    (void)state;
    const char *names[] = {"%r1", "%r2", "%d3"};
    assert_true(vg_one_value("mad.wide.s32 %d0, %r1, %r2, %d3;", "%d0", 3, names,
                             (const uint64_t[]){65537, 65537, 0}) == 0x0000000100020001);
    assert_true(vg_one_value("mul.wide.s32 %d0, %r1, %r2;", "%d0", 2, names,
                             (const uint64_t[]){0xFFFFFFFF, 2}) == 0xFFFFFFFFFFFFFFFE);
    assert_true(vg_one_value("mul.wide.u32 %d0, %r1, %r2;", "%d0", 2, names,
                             (const uint64_t[]){0xFFFFFFFF, 0xFFFFFFFF}) == 0xFFFFFFFE00000001);
    const char *halves[] = {"%h1", "%h2"};
    assert_int_equal(vg_one_value("mul.wide.s16 %r0, %h1, %h2;", "%r0", 2, halves,
                                  (const uint64_t[]){0xFFFD, 5}),
                     0xFFFFFFF1);
}

static void division_truncates_and_never_traps(void **state)
{
    (void)state;
    assert_int_equal(r32("rem.s32 %r0, %r1, %r2;", 0xFFFFFFF9, 2, 0), 0xFFFFFFFF);
    assert_int_equal(r32("div.s32 %r0, %r1, %r2;", 0xFFFFFFF9, 2, 0), 0xFFFFFFFD);
    assert_int_equal(r32("div.s32 %r0, %r1, %r2;", 7, 0, 0), 0xFFFFFFFF);
    assert_int_equal(r32("div.s32 %r0, %r1, %r2;", 0xFFFFFFF9, 0, 0), 0xFFFFFFFF);
    assert_int_equal(r32("rem.s32 %r0, %r1, %r2;", 0xFFFFFFF9, 0, 0), 0xFFFFFFFF);
    assert_int_equal(r32("rem.u32 %r0, %r1, %r2;", 7, 0, 0), 0xFFFFFFFF);
    assert_int_equal(r32("div.s32 %r0, %r1, %r2;", 0x80000000, 0xFFFFFFFF, 0), 0x80000000);
    assert_int_equal(r32("rem.s32 %r0, %r1, %r2;", 0x80000000, 0xFFFFFFFF, 0), 0);
    assert_true(r64("div.s64 %d0, %d1, %d2;", 1ull << 63, UINT64_MAX, 0) == 1ull << 63);
    assert_int_equal(r16("div.s16 %h0, %h1, %h2;", 0x8000, 0xFFFF, 0), 0x8000);
    assert_int_equal(r16("rem.u16 %h0, %h1, %h2;", 1000, 7, 0), 1000 % 7);
}

static void shifts_clamp_their_amount(void **state)
{
    (void)state;
    assert_int_equal(r32("shl.b32 %r0, %r1, %r2;", 1, 33, 0), 0);
    assert_int_equal(r32("shr.s32 %r0, %r1, %r2;", 0x80000000, 40, 0), 0xFFFFFFFF);
    assert_int_equal(r32("shr.u32 %r0, %r1, %r2;", 0x80000000, 0xFFFFFFFF, 0), 0);
    assert_int_equal(r32("shl.b32 %r0, %r1, 31;", 3, 0, 0), 0x80000000);
    assert_int_equal(r32("shf.l.wrap.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9ABCDEF0, 44),
                     0xCDEF0123);
    assert_int_equal(r32("shf.l.clamp.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9ABCDEF0, 44),
                     0x12345678);
    assert_int_equal(r32("shf.r.clamp.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9ABCDEF0, 44),
                     0x9ABCDEF0);
    assert_int_equal(r32("shf.r.wrap.b32 %r0, %r1, %r2, %r3;", 0x12345678, 0x9ABCDEF0, 44),
                     0xEF012345);
}

static void fields_are_cut_and_inserted(void **state)
{
    (void)state;
    assert_int_equal(r32("bfe.s32 %r0, %r1, %r2, %r3;", 0x8EADBEEF, 28, 8), 0xFFFFFFF8);
    assert_int_equal(r32("bfe.u32 %r0, %r1, %r2, %r3;", 0x8EADBEEF, 28, 0), 0);
    assert_int_equal(vg_one_value("bfi.b32 %r0, %r1, %r2, %r3, %r4;", "%r0", 4, rrr,
                                  (const uint64_t[]){0xFF, 0, 28, 8}),
                     0xF0000000);
    assert_int_equal(vg_one_value("bfi.b32 %r0, %r1, %r2, %r3, %r4;", "%r0", 4, rrr,
                                  (const uint64_t[]){0xFF, 0x55, 32, 8}),
                     0x55);
    assert_int_equal(vg_bfi_b32(0xABCD, 0x12345678, 8, 0), 0x12345678);
    assert_true(vg_bfi_b64(0xFF, 0x55, 62, 8) == 0xC000000000000055);
    assert_int_equal(r32("szext.wrap.s32 %r0, %r1, %r2;", 0xFF, 40, 0), 0xFFFFFFFF);
    assert_int_equal(r32("szext.clamp.s32 %r0, %r1, %r2;", 0xFF, 40, 0), 0xFF);
    assert_int_equal(r32("szext.clamp.u32 %r0, %r1, %r2;", 0x1FF, 0, 0), 0);
    assert_int_equal(r32("bmsk.clamp.b32 %r0, %r1, %r2;", 4, 8, 0), 0xFF0);
    assert_int_equal(r32("bmsk.wrap.b32 %r0, 1, 2;", 0, 0, 0), 6);
}

static void permutes_pick_bytes_and_replicate_signs(void **state)
{
    (void)state;
    const char *s = "prmt.b32 %r0, %r1, %r2, %r3;";
    assert_int_equal(r32(s, 0x80000001, 0x11223344, 0x7654), 0x11223344);
    assert_int_equal(r32(s, 0x80000001, 0x11223344, 0x3210), 0x80000001);
    assert_int_equal(r32(s, 0x80000001, 0x11223344, 0xB8), 0x0101FF00);
    assert_int_equal(r32("prmt.b32.f4e %r0, %r1, %r2, %r3;", 0x44332211, 0x88776655, 1),
                     0x55443322);
    assert_int_equal(r32("prmt.b32.b4e %r0, %r1, %r2, %r3;", 0x44332211, 0x88776655, 1),
                     0x77881122);
    assert_int_equal(r32("prmt.b32.rc16 %r0, %r1, %r2, %r3;", 0x44332211, 0, 3), 0x44334433);
    assert_int_equal(r32("prmt.b32.ecl %r0, %r1, %r2, %r3;", 0x44332211, 0, 1), 0x44332222);
    assert_int_equal(r32("prmt.b32.ecr %r0, %r1, %r2, %r3;", 0x44332211, 0, 2), 0x33332211);
}

static void bits_are_counted_and_found(void **state)
{
    (void)state;
    const char *d1[] = {"%d1"};
    const uint64_t x[] = {0x99427D688BCB5258};
    assert_int_equal(vg_one_value("popc.b64 %r0, %d1;", "%r0", 1, d1, x), 30);
    assert_int_equal(vg_one_value("clz.b64 %r0, %d1;", "%r0", 1, d1, (const uint64_t[]){1}), 63);
    assert_int_equal(r32("clz.b32 %r0, %r1;", 0, 0, 0), 32);
    assert_int_equal(r32("bfind.s32 %r0, %r1;", 0xFFFFFFFF, 0, 0), 0xFFFFFFFF);
    assert_int_equal(r32("bfind.s32 %r0, %r1;", 0xFFFFFFF0, 0, 0), 3);
    assert_int_equal(r32("bfind.shiftamt.s32 %r0, %r1;", 0xFFFFFFF0, 0, 0), 28);
    assert_int_equal(r32("brev.b32 %r0, %r1;", 0x00000013, 0, 0), 0xC8000000);
    assert_int_equal(r32("fns.b32 %r0, %r1, %r2, %r3;", 0xAAAAAAAA, 3, 1), 3);
    assert_int_equal(r32("fns.b32 %r0, %r1, %r2, %r3;", 0xAAAAAAAA, 2, 0xFFFFFFFF), 1);
    assert_int_equal(r32("fns.b32 %r0, %r1, %r2, %r3;", 0xAAAAAAAA, 2, 0), 0xFFFFFFFF);
    assert_int_equal(r32("cnot.b32 %r0, %r1;", 0, 0, 0), 1);
}

static void lop3_follows_its_table(void **state)
{
    (void)state;
    for (uint32_t table = 0; table < 256; table++) {
        /* With these three words bit k of the result is bit k & 7 of the table. */
        uint32_t want = table * 0x01010101u;
        assert_int_equal(vg_lop3(0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA, table), want);
    }
    assert_int_equal(r32("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 1, 2, 4), 7);
    struct vg_one *o = vg_one_new("lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 0x80, !%p1;", NULL);
    assert_non_null(o);
    vg_one_set(o, "%r1", 1, 5);
    vg_one_set(o, "%r2", 1, 4);
    vg_one_set(o, "%r3", 1, 4);
    vg_one_set(o, "%p1", 0, 1);
    vg_one_set(o, "%p1", 1, 1);
    vg_one_run(o, 7);
    assert_int_equal(vg_one_get(o, "%r0", 1), 4);
    assert_int_equal(vg_one_get(o, "%p0", 0), 0);
    assert_int_equal(vg_one_get(o, "%p0", 1), 1);
    assert_int_equal(vg_one_get(o, "%p0", 2), 1);
    vg_one_free(o);
}

static void dot_products_extend_each_operand_on_its_own(void **state)
{
    (void)state;
    uint32_t a = 0x80FF017F;
    assert_int_equal(r32("dp4a.u32.u32 %r0, %r1, %r2, %r3;", a, a, 5),
                     0x80 * 0x80 + 0xFF * 0xFF + 1 + 0x7F * 0x7F + 5);
    assert_int_equal(r32("dp4a.s32.s32 %r0, %r1, %r2, %r3;", a, a, 5),
                     0x80 * 0x80 + 1 + 1 + 0x7F * 0x7F + 5);
    assert_int_equal(r32("dp4a.u32.s32 %r0, %r1, %r2, %r3;", 0xFF, 0xFF, 5), 5u - 255);
    assert_int_equal(r32("dp2a.lo.s32.u32 %r0, %r1, %r2, %r3;", 0xFFFF0002, 0x11220304, 1),
                     8u - 3 + 1);
    assert_int_equal(r32("dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;", 0xFFFF0002, 0xFF220304, 1),
                     2u * 0x22 + 1 + 1);
}

static void products_of_24_bits_ignore_the_top_byte(void **state)
{
    (void)state;
    assert_int_equal(r32("mul24.lo.u32 %r0, %r1, %r2;", 0x12FFFFFF, 0xAB000002, 0), 0x01FFFFFE);
    assert_int_equal(r32("mul24.hi.s32 %r0, %r1, %r2;", 0x00FFFFFF, 0x12345678, 0), 0xFFFFFFCB);
    assert_int_equal(r32("mul24.hi.u32 %r0, %r1, %r2;", 0x00FFFFFF, 0x12F45678, 0), 0xF456770B);
    assert_int_equal(r32("mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x7FFFFF, 0x7FFFFF, 0x7FFFFFFF),
                     0x7FFFFFFF);
}

static void saturation_stops_at_the_ends(void **state)
{
    (void)state;
    assert_int_equal(r32("add.sat.s32 %r0, %r1, %r2;", 0x7FFFFFFF, 1, 0), 0x7FFFFFFF);
    assert_int_equal(r32("add.sat.s32 %r0, %r1, %r2;", 0x80000000, 0xFFFFFFFF, 0), 0x80000000);
    assert_int_equal(r32("sub.sat.s32 %r0, %r1, %r2;", 0, 0x80000000, 0), 0x7FFFFFFF);
    assert_int_equal(r32("mad.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF),
                     0x7FFFFFFF);
    assert_int_equal(r32("max.relu.s32 %r0, %r1, %r2;", 0xFFFFFFF0, 0xFFFFFFFF, 0), 0);
    assert_int_equal(r32("min.s16x2 %r0, %r1, %r2;", 0x8000FFFF, 0x00010000, 0), 0x8000FFFF);
    assert_int_equal(r32("min.relu.s16x2 %r0, %r1, %r2;", 0x80000007, 0x00010009, 0), 7);
    assert_int_equal(r32("add.u16x2 %r0, %r1, %r2;", 0x0001FFFF, 0x00010001, 0), 0x00020000);
    assert_int_equal(r32("abs.s32 %r0, %r1;", 0x80000000, 0, 0), 0x80000000);
}

/* High halves, quotients, sad and 64-bit products against wider arithmetic of the compiler. */
static void every_product_and_quotient_agrees_with_128_bits(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 7);
    for (long t = lab_test_trials(200000); t > 0; t--) {
        unsigned cut = (unsigned)lab_rng_below(&rng, 64);
        uint64_t a = lab_rng_u64(&rng) >> cut, b = lab_rng_u64(&rng) >> (63 - cut);
        int64_t sa = (int64_t)a, sb = (int64_t)b;
        assert_true(vg_mulhi_u64(a, b) == (uint64_t)((unsigned __int128)a * b >> 64));
        assert_true(vg_mulhi_s64(a, b) == (uint64_t)((unsigned __int128)((__int128)sa * sb) >> 64));
        uint32_t x = (uint32_t)a, y = (uint32_t)b;
        int64_t full = (int64_t)(int32_t)x * (int32_t)y;
        assert_true(vg_mulhi_s32(x, y) == (uint32_t)((uint64_t)full >> 32));
        assert_true(vg_mulwide_s32(x, y) == (uint64_t)full);
        if (b != 0 && !(sa == INT64_MIN && sb == -1)) {
            assert_true(vg_div_s64(a, b) == (uint64_t)(sa / sb));
            assert_true(vg_rem_s64(a, b) == (uint64_t)(sa % sb));
            assert_true(vg_div_u64(a, b) == a / b && vg_rem_u64(a, b) == a % b);
        }
        int64_t gap = (int64_t)(int32_t)x - (int32_t)y;
        assert_true(vg_sad_s32(x, y, 9) == (uint32_t)(9 + (gap < 0 ? -gap : gap)));
        assert_true(vg_brev_b64(vg_brev_b64(a)) == a);
        assert_true(vg_popc_b64(a) == (uint32_t)__builtin_popcountll(a));
    }
}

/* A 256-bit sum and product by carries, against limbs of __int128. */
static void carries_run_from_instruction_to_instruction(void **state)
{
    (void)state;
    const char *steps[] = {"add.cc.u32 %r0, %r1, %r2;", "addc.cc.u32 %r0, %r1, %r2;",
                           "addc.u32 %r0, %r1, %r2;"};
    struct lab_rng rng;
    lab_rng_seed(&rng, 3);
    for (int t = 0; t < 200; t++) {
        uint64_t a = lab_rng_u64(&rng), b = t % 3 == 0 ? ~a + 1 : lab_rng_u64(&rng), sum = 0;
        uint32_t cc = 0x5A5A5A5A;
        for (unsigned k = 0; k < 3; k++) {
            struct vg_one *o = vg_one_new(steps[k], NULL);
            assert_non_null(o);
            vg_one_warp(o)->cc = cc;
            vg_one_fill(o, "%r1", k < 2 ? a >> (32 * k) & UINT32_MAX : 0);
            vg_one_fill(o, "%r2", k < 2 ? b >> (32 * k) & UINT32_MAX : 0);
            vg_one_run(o, 0x0000FFFF);
            cc = vg_one_warp(o)->cc;
            assert_int_equal(cc >> 16, 0x5A5A);
            uint64_t r = vg_one_get(o, "%r0", 3);
            if (k < 2) {
                sum |= r << (32 * k);
            } else {
                assert_int_equal(r, a + b < a);
            }
            vg_one_free(o);
        }
        assert_true(sum == a + b);
    }
}

static uint64_t with_flag(const char *statement, uint64_t a, uint64_t b, uint64_t c, uint32_t *cc)
{
    struct vg_one *o = vg_one_new(statement, NULL);
    assert_non_null(o);
    vg_one_warp(o)->cc = *cc;
    vg_one_fill(o, "%d1", a);
    vg_one_fill(o, "%d2", b);
    vg_one_fill(o, "%d3", c);
    vg_one_run(o, VG_FULL);
    *cc = vg_one_warp(o)->cc;
    uint64_t r = vg_one_get(o, "%d0", 31);
    vg_one_free(o);
    return r;
}

static void borrows_and_product_carries_share_the_flag(void **state)
{
    (void)state;
    uint32_t cc = 0;
    assert_true(with_flag("sub.cc.s64 %d0, %d1, %d2;", 0, 1, 0, &cc) == UINT64_MAX);
    assert_int_equal(cc, VG_FULL);
    assert_true(with_flag("subc.cc.s64 %d0, %d1, %d2;", 0, UINT64_MAX, 0, &cc) == 0);
    assert_int_equal(cc, VG_FULL);
    assert_true(with_flag("subc.s64 %d0, %d1, %d2;", 5, 2, 0, &cc) == 2);
    assert_int_equal(cc, VG_FULL);
    assert_true(with_flag("mad.lo.cc.u64 %d0, %d1, %d2, %d3;", UINT64_MAX, 1, 1, &cc) == 0);
    assert_int_equal(cc, VG_FULL);
    assert_true(with_flag("madc.hi.u64 %d0, %d1, %d2, %d3;", 1ull << 63, 2, 4, &cc) == 6);
    assert_true(with_flag("madc.lo.cc.u64 %d0, %d1, %d2, %d3;", 2, 3, 4, &cc) == 11);
    assert_int_equal(cc, 0);
}

static void idle_lanes_keep_their_registers(void **state)
{
    (void)state;
    struct vg_one *o = vg_one_new("add.s32 %r0, %r0, %r1;", NULL);
    assert_non_null(o);
    for (unsigned l = 0; l < VG_LANES; l++) {
        vg_one_set(o, "%r0", l, 100 + l);
        vg_one_set(o, "%r1", l, 1000 * l);
    }
    vg_one_run(o, 0x80000101);
    for (unsigned l = 0; l < VG_LANES; l++) {
        uint64_t added = VG_BIT(0x80000101u, l) != 0 ? 1000 * l : 0;
        assert_int_equal(vg_one_get(o, "%r0", l), 100 + l + added);
    }
    vg_one_free(o);
}

/* Every lane compares its own operands; unnamed lanes keep the predicate. */
static void predicates_take_a_bit_from_each_lane(void **state)
{
    (void)state;
    struct vg_one *o = vg_one_new("setp.ge.and.s32 %p0|%p1, %r1, %r2, !%p2;", NULL);
    assert_non_null(o);
    vg_one_fill(o, "%p0", 1);
    vg_one_fill(o, "%p1", 1);
    for (unsigned l = 0; l < VG_LANES; l++) {
        vg_one_set(o, "%r1", l, l * 5 % 7 - 3u);
        vg_one_set(o, "%p2", l, l & 1);
    }
    vg_one_run(o, 0x00FFFFFF);
    for (unsigned l = 0; l < VG_LANES; l++) {
        bool idle = l > 23, c = (l & 1) == 0, yes = l * 5 % 7 >= 3;
        assert_int_equal(vg_one_get(o, "%p0", l), idle || (yes && c));
        assert_int_equal(vg_one_get(o, "%p1", l), idle || (!yes && c));
    }
    vg_one_free(o);
}

static bool compares(const char *how, const char *type, uint64_t a, uint64_t b)
{
    char text[64];
    bool wide = strstr(type, "64") != NULL, half = strstr(type, "16") != NULL;
    const char *ra = wide ? "%d1" : half ? "%h1" : "%r1", *rb = wide ? "%d2" : half ? "%h2" : "%r2";
    snprintf(text, sizeof(text), "setp.%s.%s %%p0, %s, %s;", how, type, ra, rb);
    return vg_one_value(text, "%p0", 2, (const char *const[]){ra, rb}, (const uint64_t[]){a, b}) !=
           0;
}

static void integer_comparisons_know_their_sign(void **state)
{
    (void)state;
    static const char *const types[] = {"s16", "s32", "s64", "u16", "u32", "u64"};
    static const char *const hows[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    for (unsigned t = 0; t < 6; t++) {
        for (unsigned k = 0; k < 9; k++) {
            int64_t a = (int64_t)(k % 3) - 1, b = (int64_t)(k / 3) - 1;
            uint64_t width = UINT64_MAX >> (64 - (16u << t % 3));
            uint64_t ua = (uint64_t)a & width, ub = (uint64_t)b & width;
            int order = t < 3 ? (a > b) - (a < b) : (ua > ub) - (ua < ub);
            bool want[] = {order == 0, order != 0, order<0, order <= 0, order> 0, order >= 0};
            for (unsigned h = 0; h < 6; h++) {
                assert_int_equal(compares(hows[h], types[t], ua, ub), want[h]);
            }
        }
    }
    assert_true(compares("lo", "u32", 1, 0xFFFFFFFF) && compares("hs", "u32", 3, 3));
    assert_true(compares("ne", "b64", 1ull << 40, 0));
}

static void set_and_the_selections_write_values(void **state)
{
    (void)state;
    assert_int_equal(r32("set.lt.u32.s32 %r0, %r1, %r2;", 0xFFFFFFFB, 6, 0), 0xFFFFFFFF);
    assert_int_equal(r32("set.gt.s32.s32 %r0, %r1, %r2;", 0xFFFFFFFB, 6, 0), 0);
    const char *names[] = {"%r1", "%r2", "%p1"};
    assert_int_equal(vg_one_value("set.lt.f32.s32 %f0, %r1, %r2;", "%f0", 2, names,
                                  (const uint64_t[]){0xFFFFFFFB, 6}),
                     0x3F800000);
    assert_int_equal(vg_one_value("set.eq.xor.u32.u32 %r0, %r1, %r2, %p1;", "%r0", 3, names,
                                  (const uint64_t[]){4, 4, 1}),
                     0);
    assert_int_equal(
        vg_one_value("selp.b32 %r0, %r1, %r2, %p1;", "%r0", 3, names, (const uint64_t[]){5, 6, 0}),
        6);
    const char *slct[] = {"%r1", "%r2", "%f1"};
    const char *s = "slct.b32.f32 %r0, %r1, %r2, %f1;";
    assert_int_equal(vg_one_value(s, "%r0", 3, slct, (const uint64_t[]){5, 6, 0x80000000}), 5);
    assert_int_equal(vg_one_value(s, "%r0", 3, slct, (const uint64_t[]){5, 6, 0x7FC00000}), 6);
    assert_int_equal(vg_one_value("slct.ftz.b32.f32 %r0, %r1, %r2, %f1;", "%r0", 3, slct,
                                  (const uint64_t[]){5, 6, 0x80000001}),
                     5);
    assert_int_equal(vg_one_value(s, "%r0", 3, slct, (const uint64_t[]){5, 6, 0x80000001}), 6);
}

static void predicate_logic_is_a_word_at_a_time(void **state)
{
    (void)state;
    struct vg_one *o = vg_one_new("xor.pred %p0, %p1, %p2;", NULL);
    assert_non_null(o);
    for (unsigned l = 0; l < VG_LANES; l++) {
        vg_one_set(o, "%p1", l, l & 1);
        vg_one_set(o, "%p2", l, l >> 1 & 1);
    }
    vg_one_run(o, 0x0FFFFFFF);
    for (unsigned l = 0; l < VG_LANES; l++) {
        assert_int_equal(vg_one_get(o, "%p0", l), l < 28 ? (l & 1) ^ (l >> 1 & 1) : 0);
    }
    vg_one_free(o);
}

static void what_is_no_instruction_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "add.sat.u32 %r0, %r1, %r2;",
        "add.sat.s64 %d0, %d1, %d2;",
        "mul.s32 %r0, %r1, %r2;",
        "mad.wide.u64 %d0, %d1, %d2, %d3;",
        "mad.lo.sat.s32 %r0, %r1, %r2, %r3;",
        "and.u32 %r0, %r1, %r2;",
        "shf.l.b32 %r0, %r1, %r2, %r3;",
        "popc.u32 %r0, %r1;",
        "setp.lo.s32 %p0, %r1, %r2;",
        "setp.lt.b32 %p0, %r1, %r2;",
        "setp.lt.ftz.s32 %p0, %r1, %r2;",
        "setp.s32 %p0, %r1, %r2;",
        "add.s32 %r0, %r1;",
        "add.s32 %d0, %r1, %r2;",
        "add.s32 5, %r1, %r2;",
        "lop3.b32 %r0, %r1, %r2, %r3, 256;",
        "lop3.xor.b32 %r0|%p0, %r1, %r2, %r3, 1, %p1;",
        "add.lo.s32 %r0, %r1, %r2;",
        "min.ftz.s32 %r0, %r1, %r2;",
        "set.lt.u64.s32 %d0, %r1, %r2;",
        "addc.u16 %h0, %h1, %h2;",
        "selp.b32 %r0, %r1, %r2, !%p0;",
        "prmt.b32.f4e.b4e %r0, %r1, %r2, %r3;",
        "add %r0, %r1, %r2;",
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
        cmocka_unit_test(mad_hi_takes_the_high_half_before_it_adds),
        cmocka_unit_test(wide_products_are_whole),
        cmocka_unit_test(division_truncates_and_never_traps),
        cmocka_unit_test(shifts_clamp_their_amount),
        cmocka_unit_test(fields_are_cut_and_inserted),
        cmocka_unit_test(permutes_pick_bytes_and_replicate_signs),
        cmocka_unit_test(bits_are_counted_and_found),
        cmocka_unit_test(lop3_follows_its_table),
        cmocka_unit_test(dot_products_extend_each_operand_on_its_own),
        cmocka_unit_test(products_of_24_bits_ignore_the_top_byte),
        cmocka_unit_test(saturation_stops_at_the_ends),
        cmocka_unit_test(every_product_and_quotient_agrees_with_128_bits),
        cmocka_unit_test(carries_run_from_instruction_to_instruction),
        cmocka_unit_test(borrows_and_product_carries_share_the_flag),
        cmocka_unit_test(idle_lanes_keep_their_registers),
        cmocka_unit_test(predicates_take_a_bit_from_each_lane),
        cmocka_unit_test(integer_comparisons_know_their_sign),
        cmocka_unit_test(set_and_the_selections_write_values),
        cmocka_unit_test(predicate_logic_is_a_word_at_a_time),
        cmocka_unit_test(what_is_no_instruction_is_refused),
    };
    return LAB_TEST_MAIN(tests);
}
