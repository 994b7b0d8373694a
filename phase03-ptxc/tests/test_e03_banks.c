/* Exercise e03: wavefronts of a shared access. */
#include "access_of.h"
#include "lab/test.h"
#include "vg_banks.h"

static void expect(const struct vg_access *a, uint32_t wavefronts, uint32_t phases)
{
    uint32_t got_phases = 99;
    assert_int_equal(vg_wavefronts(a, &got_phases), wavefronts);
    assert_int_equal(got_phases, phases);
}

static void a_tile_row_takes_one_wavefront(void **state)
{
    (void)state;
    struct vg_access a = shared_of(128, 4, 4);
    expect(&a, 1, 1);
}

static void a_tile_column_is_a_32_way_conflict_and_padding_cures_it(void **state)
{
    (void)state;
    struct vg_access a = shared_of(0, 32 * 4, 4);
    expect(&a, 32, 1);
    a = shared_of(0, 33 * 4, 4);
    expect(&a, 1, 1);
}

static void lanes_that_read_one_word_share_a_wavefront(void **state)
{
    (void)state;
    struct vg_access a = shared_of(64, 0, 4);
    expect(&a, 1, 1);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = 128 * (lane % 3); /* three words of bank 0, each asked for by many */
    }
    expect(&a, 3, 1);
}

static void the_bytes_of_a_word_are_one_word(void **state)
{
    (void)state;
    struct vg_access a = shared_of(0, 1, 1);
    expect(&a, 1, 1);
    a = shared_of(0, 64, 2);
    expect(&a, 16, 1);
}

static void eight_byte_lanes_go_by_half_warps(void **state)
{
    (void)state;
    struct vg_access a = shared_of(0, 8, 8);
    expect(&a, 2, 2);
    a = shared_of(0, 16, 8);
    expect(&a, 4, 2);
}

static void sixteen_byte_lanes_go_by_quarter_warps(void **state)
{
    (void)state;
    struct vg_access a = shared_of(0, 16, 16);
    expect(&a, 4, 4);
    a = shared_of(0, 128, 16);
    expect(&a, 32, 4);
}

static void a_phase_without_lanes_costs_nothing(void **state)
{
    (void)state;
    struct vg_access a = shared_of(0, 16, 16);
    a.mask = 0x00FF0000;
    expect(&a, 1, 1);
    a.mask = 0x80000001u;
    expect(&a, 2, 2);
    a.mask = 0;
    expect(&a, 0, 0);
}

static void lanes_outside_the_mask_do_not_conflict(void **state)
{
    (void)state;
    struct vg_access a = shared_of(0, 128, 4);
    a.mask = 0x0F;
    expect(&a, 4, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_row_takes_one_wavefront),
        cmocka_unit_test(a_tile_column_is_a_32_way_conflict_and_padding_cures_it),
        cmocka_unit_test(lanes_that_read_one_word_share_a_wavefront),
        cmocka_unit_test(the_bytes_of_a_word_are_one_word),
        cmocka_unit_test(eight_byte_lanes_go_by_half_warps),
        cmocka_unit_test(sixteen_byte_lanes_go_by_quarter_warps),
        cmocka_unit_test(a_phase_without_lanes_costs_nothing),
        cmocka_unit_test(lanes_outside_the_mask_do_not_conflict),
    };
    return LAB_TEST_MAIN(tests);
}
