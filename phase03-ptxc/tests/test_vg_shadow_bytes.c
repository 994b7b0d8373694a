/* The race check of atomics, equal values and bytes; the init check. */
#include <string.h>

#include "shadow_testing.h"

/* --- atomics, equal values, narrow accesses --- */

static void a_shared_histogram_is_clean_until_it_is_read_without_a_barrier(void **state)
{
    (void)state;
    begin(1024, 128, VGPU_CHECK_RACE);
    for (uint32_t w = 0; w < 4; w++) {
        store(w, 0, shared_of(128 * w, 4, 4));
    }
    vg_shadow_barrier(shadow, 0);
    for (uint32_t w = 0; w < 4; w++) {
        for (uint32_t i = 0; i < 8; i++) {
            access_by(w, 1, shared_of(16 * i, 4 * (i % 3), 4), VG_ATOMIC);
        }
    }
    vg_shadow_barrier(shadow, 0);
    load(1, 2, shared_of(0, 4, 4));
    assert_int_equal(findings(), 0);
    access_by(0, 3, shared_of(0, 4, 4), VG_ATOMIC); /* no barrier after the load of warp 1 */
    assert_int_equal(count_of(VG_WRITE_AFTER_READ), 32);
    load(1, 4, shared_of(0, 4, 4));
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 32);
    end();
}

static void lanes_may_store_one_value_to_one_place_but_not_two(void **state)
{
    (void)state;
    begin(128, 64, VGPU_CHECK_RACE);
    uint8_t same[VG_LANES * 4];
    memset(same, 7, sizeof(same));
    struct vg_access a = shared_of(64, 0, 4);
    a.kind = VG_STORE;
    a.func = &func;
    vg_shadow_access(shadow, &ctx, &a, same);
    assert_int_equal(findings(), 0);
    same[4 * 30] = 8; /* lane 30 differs */
    vg_shadow_barrier(shadow, 0);
    vg_shadow_access(shadow, &ctx, &a, same);
    assert_int_equal(count_of(VG_WRITE_AFTER_WRITE), 1);
    a.warp = 1; /* the same value by another warp is a hazard all the same */
    vg_shadow_access(shadow, &ctx, &a, same);
    assert_true(count_of(VG_WRITE_AFTER_WRITE) > 1);
    end();
}

/* Both half warps at the same words, but only some of the upper lanes take part. */
static void only_lanes_that_take_part_have_read(void **state)
{
    (void)state;
    begin(128, 32, VGPU_CHECK_RACE);
    struct vg_access a = shared_of(0, 4, 4);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = 4 * (lane % 16);
    }
    load(0, 1, only(a, 0x0001FFFF));
    vg_shadow_warp_sync(shadow, 0, 0x0001FFFF);
    store(0, 2, only(a, 0x0000FFFF)); /* lanes 17 … 31 have not read, so need not be waited for */
    assert_int_equal(findings(), 0);
    end();
}

static void neighbouring_bytes_are_apart_and_a_word_covers_four(void **state)
{
    (void)state;
    begin(130, 96, VGPU_CHECK_RACE);
    store(0, 0, only(shared_of(0, 8, 8), 0xFF));
    vg_shadow_barrier(shadow, 0);
    store(0, 1, shared_of(0, 2, 1));
    store(1, 2, shared_of(1, 2, 1));
    assert_int_equal(findings(), 0);
    load(2, 3, only(shared_of(60, 0, 4), 1));
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 4); /* once for each byte */
    load(2, 4, only(shared_of(128, 0, 2), 1));
    load(2, 4, only(shared_of(4096, 0, 2), 1)); /* outside: the mem check's business */
    assert_int_equal(findings(), 1);
    end();
}

/* Lane 0 reads after lane 1 at the same time: that says nothing about lane 1. */
static void a_reader_is_remembered_though_another_read_after_it(void **state)
{
    (void)state;
    begin(128, 32, VGPU_CHECK_RACE);
    vg_shadow_warp_sync(shadow, 0, 0x3);
    load(0, 1, only(shared_of(0, 0, 4), 1u << 1));
    load(0, 2, only(shared_of(0, 0, 4), 1u << 0));
    vg_shadow_warp_sync(shadow, 0, 0x5);
    store(0, 3, only(shared_of(0, 0, 4), 1u << 2));
    assert_int_equal(count_of(VG_WRITE_AFTER_READ), 1);
    size_t n;
    assert_int_equal(vg_report_list(report, &n)[0].other_thread.x, 1);
    end();
}

/* The same instruction read twice, before and after a __syncwarp: the lanes keep their times. */
static void a_later_read_does_not_make_an_earlier_one_later(void **state)
{
    (void)state;
    begin(128, 32, VGPU_CHECK_RACE);
    load(0, 1, only(shared_of(0, 0, 4), 1u << 1));
    vg_shadow_warp_sync(shadow, 0, 0x6);
    load(0, 1, only(shared_of(0, 0, 4), 1u << 0));
    vg_shadow_warp_sync(shadow, 0, 0x5);
    store(0, 2, only(shared_of(0, 0, 4), 1u << 2));
    assert_int_equal(findings(), 0);
    end();
}

static void an_arrival_passes_on_what_its_warp_had_seen(void **state)
{
    (void)state;
    begin(128, 96, VGPU_CHECK_RACE);
    vg_shadow_partial(shadow);
    store(0, 0, shared_of(0, 4, 4));
    vg_shadow_barrier(shadow, 0x3);
    vg_shadow_arrive(shadow, 1, 1);
    vg_shadow_barrier_id(shadow, 1, 1u << 2);
    load(2, 1, shared_of(0, 4, 4));
    assert_int_equal(findings(), 0);
    end();
}

static void all_readers_of_a_word_are_readers_of_its_bytes(void **state)
{
    (void)state;
    begin(128, 160, VGPU_CHECK_RACE);
    vg_shadow_partial(shadow);
    for (uint32_t w = 0; w < 4; w++) {
        load(w, w, only(shared_of(0, 0, 4), 1));
        access_by(w, w, only(shared_of(4, 0, 4), 1), VG_ATOMIC);
    }
    vg_shadow_barrier(shadow, 0x1E);                         /* all but warp 0 */
    load(4, 9, only(shared_of(100, 0, 1), 1));               /* the cells are divided here */
    store(4, 10, only(shared_of(3, 0, 1), 1));               /* warp 0 read it */
    access_by(4, 11, only(shared_of(6, 0, 1), 1), VG_STORE); /* and updated that */
    assert_int_equal(count_of(VG_WRITE_AFTER_READ), 1);
    assert_int_equal(count_of(VG_WRITE_AFTER_WRITE), 1);
    end();
}

static void what_was_known_of_a_word_holds_for_its_bytes(void **state)
{
    (void)state;
    begin(128, 64, VGPU_CHECK_RACE);
    vg_shadow_partial(shadow);
    load(0, 0, only(shared_of(0, 0, 4), 1));
    load(1, 1, only(shared_of(0, 0, 4), 1));
    access_by(0, 2, only(shared_of(4, 0, 4), 1), VG_ATOMIC);
    store(0, 3, only(shared_of(2, 0, 1), 1)); /* the cells are divided here */
    assert_int_equal(count_of(VG_WRITE_AFTER_READ), 1);
    load(1, 4, only(shared_of(7, 0, 1), 1));
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 1);
    end();
}

static void blocks_do_not_race_with_each_other(void **state)
{
    (void)state;
    begin(128, 64, VGPU_CHECK_RACE);
    for (uint32_t block = 0; block < 4; block++) {
        vg_shadow_reset(shadow);
        store(block % 2, 0, shared_of(0, 4, 4));
        load(block % 2, 1, shared_of(0, 4, 4));
    }
    assert_int_equal(findings(), 0);
    end();
}

/* --- init --- */

static void a_read_of_shared_memory_nobody_wrote_is_found(void **state)
{
    (void)state;
    begin(256, 64, VGPU_CHECK_INIT);
    store(0, 0, only(shared_of(0, 4, 4), 0xFFFF));
    load(1, 1, only(shared_of(0, 4, 4), 0xFFFF));
    assert_int_equal(findings(), 0);
    load(1, 2, only(shared_of(56, 16, 16), 1)); /* half of it is written */
    assert_int_equal(count_of(VG_UNWRITTEN_SHARED), 1);
    size_t n;
    assert_string_equal(vg_report_list(report, &n)[0].what,
                        "reads shared memory that nobody wrote in this block (8 of 16 bytes)");
    access_by(0, 3, only(shared_of(128, 0, 4), 1), VG_ATOMIC);
    assert_int_equal(count_of(VG_UNWRITTEN_SHARED), 2);
    load(0, 4, only(shared_of(128, 0, 4), 1)); /* the atomic wrote it */
    assert_int_equal(count_of(VG_UNWRITTEN_SHARED), 2);
    end();
}

static void what_a_block_wrote_is_garbage_for_the_next(void **state)
{
    (void)state;
    begin(128, 32, VGPU_CHECK_INIT);
    store(0, 0, shared_of(0, 4, 4));
    vg_shadow_reset(shadow);
    load(0, 1, shared_of(0, 4, 4));
    assert_int_equal(count_of(VG_UNWRITTEN_SHARED), 32);
    end();
}

static void checks_that_are_off_find_nothing(void **state)
{
    (void)state;
    begin(0, 1, 0);
    load(0, 0, shared_of(0, 4, 4));
    vg_shadow_barrier(shadow, 0);
    vg_shadow_warp_sync(shadow, 0, 1);
    vg_shadow_reset(shadow);
    assert_int_equal(findings(), 0);
    end();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shared_histogram_is_clean_until_it_is_read_without_a_barrier),
        cmocka_unit_test(lanes_may_store_one_value_to_one_place_but_not_two),
        cmocka_unit_test(only_lanes_that_take_part_have_read),
        cmocka_unit_test(neighbouring_bytes_are_apart_and_a_word_covers_four),
        cmocka_unit_test(a_reader_is_remembered_though_another_read_after_it),
        cmocka_unit_test(a_later_read_does_not_make_an_earlier_one_later),
        cmocka_unit_test(an_arrival_passes_on_what_its_warp_had_seen),
        cmocka_unit_test(all_readers_of_a_word_are_readers_of_its_bytes),
        cmocka_unit_test(what_was_known_of_a_word_holds_for_its_bytes),
        cmocka_unit_test(blocks_do_not_race_with_each_other),
        cmocka_unit_test(a_read_of_shared_memory_nobody_wrote_is_found),
        cmocka_unit_test(what_a_block_wrote_is_garbage_for_the_next),
        cmocka_unit_test(checks_that_are_off_find_nothing),
    };
    return LAB_TEST_MAIN(tests);
}
