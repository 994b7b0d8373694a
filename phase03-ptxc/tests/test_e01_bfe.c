/* The exercise e01_bfe: vg_bfe against the ISA's own definition, bit by bit. */
#include "lab/rng.h"
#include "lab/test.h"

#include "vg_arith_bfe.h"

/* The pseudocode of PTX ISA 9.0, bfe, in C. */
static uint64_t by_the_book(uint64_t a, uint32_t pos, uint32_t len, unsigned width, bool is_signed)
{
    uint32_t p = pos & 0xFFu, n = len & 0xFFu, msb = width - 1;
    uint32_t last = p + n - 1 < msb ? p + n - 1 : msb;
    uint64_t sign = is_signed && n != 0 ? a >> last & 1 : 0, d = 0;
    for (uint32_t i = 0; i <= msb; i++) {
        uint64_t bit = i < n && p + i <= msb ? a >> (p + i) & 1 : sign;
        d |= bit << i;
    }
    return d;
}

static void bfe_moves_a_field_down(void **state)
{
    (void)state;
    assert_int_equal(vg_bfe(0x8EADBEEF, 4, 8, 32, false), 0xEE);
    assert_int_equal(vg_bfe(0x8EADBEEF, 0, 32, 32, false), 0x8EADBEEF);
    assert_true(vg_bfe(0x8EADBEEF01234567, 4, 64, 64, false) == 0x08EADBEEF0123456);
}

static void bfe_extends_the_sign_of_the_field(void **state)
{
    (void)state;
    assert_int_equal(vg_bfe(0x000000F0, 4, 4, 32, true), 0xFFFFFFFF);
    assert_int_equal(vg_bfe(0x00000070, 4, 4, 32, true), 7);
}

static void bfe_takes_the_sign_of_the_top_bit_when_the_field_reaches_past_it(void **state)
{
    (void)state;
    assert_int_equal(vg_bfe(0x8EADBEEF, 28, 8, 32, true), 0xFFFFFFF8);
    assert_int_equal(vg_bfe(0x8EADBEEF, 28, 8, 32, false), 8);
    assert_true(vg_bfe(0x8EADBEEF01234567, 60, 8, 64, true) == 0xFFFFFFFFFFFFFFF8);
}

static void bfe_past_the_top_is_all_sign(void **state)
{
    (void)state;
    assert_int_equal(vg_bfe(0x8EADBEEF, 40, 8, 32, true), 0xFFFFFFFF);
    assert_int_equal(vg_bfe(0x8EADBEEF, 40, 8, 32, false), 0);
    assert_int_equal(vg_bfe(0x0EADBEEF, 255, 255, 32, true), 0);
    assert_true(vg_bfe(UINT64_C(1) << 63, 64, 1, 64, true) == UINT64_MAX);
}

static void bfe_of_no_bits_is_zero(void **state)
{
    (void)state;
    assert_int_equal(vg_bfe(0xFFFFFFFF, 3, 0, 32, true), 0);
    assert_int_equal(vg_bfe(0xFFFFFFFF, 3, 0x100, 32, true), 0);
}

static void bfe_reads_eight_bits_of_position_and_length(void **state)
{
    (void)state;
    assert_int_equal(vg_bfe(0x8EADBEEF, 0xFFFFFF04, 0x12345608, 32, false), 0xEE);
}

static void bfe_agrees_with_the_definition_for_every_position_and_length(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    for (uint32_t pos = 0; pos < 256; pos++) {
        for (uint32_t len = 0; len < 256; len++) {
            uint64_t a = lab_rng_u64(&rng);
            for (unsigned k = 0; k < 4; k++) {
                unsigned width = k < 2 ? 32 : 64;
                uint64_t v = width == 32 ? (uint32_t)a : a;
                assert_true(vg_bfe(v, pos, len, width, k % 2 != 0) ==
                            by_the_book(v, pos, len, width, k % 2 != 0));
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfe_moves_a_field_down),
        cmocka_unit_test(bfe_extends_the_sign_of_the_field),
        cmocka_unit_test(bfe_takes_the_sign_of_the_top_bit_when_the_field_reaches_past_it),
        cmocka_unit_test(bfe_past_the_top_is_all_sign),
        cmocka_unit_test(bfe_of_no_bits_is_zero),
        cmocka_unit_test(bfe_reads_eight_bits_of_position_and_length),
        cmocka_unit_test(bfe_agrees_with_the_definition_for_every_position_and_length),
    };
    return LAB_TEST_MAIN(tests);
}
