/* Exercise e02: sectors of an access. */
#include "access_of.h"
#include "lab/test.h"
#include "vg_sectors.h"

#define BASE 0x7f0000000000u

static void neighbouring_floats_touch_four_sectors(void **state)
{
    (void)state;
    struct vg_access a = global_of(BASE, 4, 4);
    assert_int_equal(vg_sectors(&a), 4);
}

static void stride_n_touches_four_n_up_to_32(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 40; n++) {
        struct vg_access a = global_of(BASE, 4 * n, 4);
        assert_int_equal(vg_sectors(&a), 4 * n < 32 ? 4 * n : 32);
    }
}

static void a_row_that_starts_one_word_late_touches_five(void **state)
{
    (void)state;
    struct vg_access a = global_of(BASE + 4, 4, 4);
    assert_int_equal(vg_sectors(&a), 5);
}

static void a_broadcast_touches_one(void **state)
{
    (void)state;
    struct vg_access a = global_of(BASE + 28, 0, 4);
    assert_int_equal(vg_sectors(&a), 1);
}

static void lanes_that_share_a_sector_in_any_order_count_once(void **state)
{
    (void)state;
    struct vg_access a = global_of(BASE, 0, 4);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = BASE + 32 * (lane % 2) + 4 * (lane / 4);
    }
    assert_int_equal(vg_sectors(&a), 2);
}

static void lanes_outside_the_mask_do_not_count(void **state)
{
    (void)state;
    struct vg_access a = global_of(BASE, 128, 4);
    a.mask = 0x80000001u;
    assert_int_equal(vg_sectors(&a), 2);
    a.mask = 0;
    assert_int_equal(vg_sectors(&a), 0);
}

static void wide_lanes_touch_every_sector_they_reach(void **state)
{
    (void)state;
    struct vg_access a = global_of(BASE, 16, 16);
    assert_int_equal(vg_sectors(&a), 16);
    a = global_of(BASE + 24, 64, 16); /* each lane lies over the edge of two sectors */
    assert_int_equal(vg_sectors(&a), 64);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbouring_floats_touch_four_sectors),
        cmocka_unit_test(stride_n_touches_four_n_up_to_32),
        cmocka_unit_test(a_row_that_starts_one_word_late_touches_five),
        cmocka_unit_test(a_broadcast_touches_one),
        cmocka_unit_test(lanes_that_share_a_sector_in_any_order_count_once),
        cmocka_unit_test(lanes_outside_the_mask_do_not_count),
        cmocka_unit_test(wide_lanes_touch_every_sector_they_reach),
    };
    return LAB_TEST_MAIN(tests);
}
