/* The race and init checks on the access sequences of well-known kernels. */
#include <string.h>

#include "access_of.h"
#include "lab/test.h"
#include "vg_shadow.h"

static struct ptx_func func = {.name = "kernel"};
static struct vg_report *report;
static struct vg_shadow *shadow;
static struct vg_check_ctx ctx;

static void begin(uint32_t shared_bytes, uint32_t threads, unsigned checks)
{
    report = vg_report_new();
    shadow = vg_shadow_new(shared_bytes, threads, checks);
    ctx = (struct vg_check_ctx){.report = report, .dim = {threads, 1, 1}, .kernel = &func};
}

/* How many hazards or unwritten reads of this kind were found; and the end of the test. */
static uint64_t count_of(enum vg_reason reason)
{
    size_t n;
    uint64_t count = 0;
    const struct vg_finding *list = vg_report_list(report, &n);
    for (size_t i = 0; i < n; i++) {
        count += list[i].reason == reason ? list[i].count : 0;
    }
    return count;
}

static uint64_t findings(void)
{
    size_t n;
    (void)vg_report_list(report, &n);
    return n;
}

static void end(void)
{
    vg_shadow_free(shadow);
    vg_report_free(report);
}

static void access_by(uint32_t warp, uint32_t pc, struct vg_access a, enum vg_access_kind kind)
{
    uint8_t values[VG_LANES * 16];
    for (uint32_t i = 0; i < sizeof(values); i++) {
        values[i] = (uint8_t)(i / a.bytes); /* each lane another value */
    }
    a.func = &func;
    a.pc = pc;
    a.warp = warp;
    a.kind = kind;
    vg_shadow_access(shadow, &ctx, &a, kind == VG_LOAD ? NULL : values);
}

static void load(uint32_t warp, uint32_t pc, struct vg_access a)
{
    access_by(warp, pc, a, VG_LOAD);
}

static void store(uint32_t warp, uint32_t pc, struct vg_access a)
{
    access_by(warp, pc, a, VG_STORE);
}

static struct vg_access only(struct vg_access a, uint32_t mask)
{
    a.mask = mask;
    return a;
}

/* --- a tiled matmul: 16 × 16 tiles, 8 warps of two rows each --- */
enum { SIDE = 16, TILE = 4 * SIDE * SIDE, MM_WARPS = 8 };

static void mm_store(uint32_t warp)
{
    store(warp, 1, shared_of(128 * warp, 4, 4));
    store(warp, 2, shared_of(TILE + 128 * warp, 4, 4));
}

static void mm_multiply(uint32_t warp)
{
    for (uint32_t k = 0; k < SIDE; k++) {
        struct vg_access row = shared_of(0, 0, 4), column = row;
        for (uint32_t lane = 0; lane < VG_LANES; lane++) {
            row.addr[lane] = 4 * (SIDE * (2 * warp + lane / SIDE) + k);
            column.addr[lane] = TILE + 4 * (SIDE * k + lane % SIDE);
        }
        load(warp, 3, row);
        load(warp, 4, column);
    }
}

/* Every warp runs until a barrier stops it, as the machine does. */
static void matmul(bool first_barrier, bool second_barrier)
{
    for (int tile = 0; tile < 4; tile++) {
        for (uint32_t w = 0; w < MM_WARPS; w++) {
            mm_store(w);
            if (!first_barrier) {
                mm_multiply(w);
            }
        }
        if (first_barrier) {
            vg_shadow_barrier(shadow, 0);
        }
        for (uint32_t w = 0; first_barrier && w < MM_WARPS; w++) {
            mm_multiply(w);
            if (!second_barrier && tile < 3) {
                mm_store(w);
            }
        }
        if (second_barrier) {
            vg_shadow_barrier(shadow, 0);
        }
    }
}

static void a_tiled_matmul_with_both_barriers_is_clean(void **state)
{
    (void)state;
    begin(2 * TILE, 256, VGPU_CHECK_RACE | VGPU_CHECK_INIT);
    for (int block = 0; block < 3; block++) {
        matmul(true, true);
        vg_shadow_reset(shadow);
    }
    assert_int_equal(findings(), 0);
    end();
}

static void a_tiled_matmul_without_its_first_barrier_reads_too_early(void **state)
{
    (void)state;
    begin(2 * TILE, 256, VGPU_CHECK_RACE);
    matmul(false, true);
    assert_true(count_of(VG_READ_AFTER_WRITE) > 0);
    end();
}

static void a_tiled_matmul_without_its_second_barrier_overwrites_too_early(void **state)
{
    (void)state;
    begin(2 * TILE, 256, VGPU_CHECK_RACE);
    matmul(true, false);
    assert_true(count_of(VG_WRITE_AFTER_READ) > 0);
    size_t n;
    const struct vg_finding *list = vg_report_list(report, &n);
    assert_int_equal(list[0].pc, 1);       /* the store of the A tile … */
    assert_int_equal(list[0].other_pc, 3); /* … and the load of it */
    assert_int_equal(list[0].other_thread.x / VG_LANES, 0);
    assert_true(list[0].thread.x != list[0].other_thread.x);
    end();
}

/* --- reductions --- */

/* One step of x[tid] += x[tid + distance] by the lanes of `mask`. */
static void reduce_step(uint32_t warp, uint32_t distance, uint32_t mask)
{
    struct vg_access own = only(shared_of(128 * warp, 4, 4), mask);
    struct vg_access other = only(shared_of(128 * warp + 4 * distance, 4, 4), mask);
    load(warp, 1, other);
    load(warp, 2, own);
    store(warp, 3, own);
}

static void block_reduction(bool barriers)
{
    for (uint32_t w = 0; w < 4; w++) {
        store(w, 0, shared_of(128 * w, 4, 4));
    }
    for (uint32_t distance = 64; distance >= 32; distance /= 2) {
        if (barriers || distance == 64) {
            vg_shadow_barrier(shadow, 0);
        }
        for (uint32_t w = 0; w < distance / 32; w++) {
            reduce_step(w, distance, ALL_LANES);
        }
    }
}

static void a_block_reduction_needs_a_barrier_every_step(void **state)
{
    (void)state;
    begin(512, 128, VGPU_CHECK_RACE);
    block_reduction(true);
    assert_int_equal(findings(), 0);
    vg_shadow_reset(shadow);
    block_reduction(false);
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 32);
    end();
}

static void warp_reduction(bool syncwarp)
{
    store(0, 0, shared_of(0, 4, 4));
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
        if (syncwarp) {
            vg_shadow_warp_sync(shadow, 0, ALL_LANES);
        }
        reduce_step(0, distance, (1u << distance) - 1);
    }
}

static void warp_synchronous_code_needs_syncwarp(void **state)
{
    (void)state;
    begin(128, 32, VGPU_CHECK_RACE);
    warp_reduction(true);
    assert_int_equal(findings(), 0);
    vg_shadow_reset(shadow);
    warp_reduction(false);
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 31);
    end();
}

static void a_syncwarp_orders_only_the_lanes_it_names(void **state)
{
    (void)state;
    begin(128, 32, VGPU_CHECK_RACE);
    store(0, 0, shared_of(0, 4, 4));
    vg_shadow_warp_sync(shadow, 0, 0x0F);
    load(0, 1, only(shared_of(4, 4, 4), 0x07)); /* lanes 0 … 2 read what 1 … 3 wrote */
    assert_int_equal(findings(), 0);
    load(0, 2, only(shared_of(4, 4, 4), 0x08)); /* lane 3 reads what lane 4 wrote */
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 1);
    end();
}

static void order_passes_from_syncwarp_to_syncwarp(void **state)
{
    (void)state;
    begin(128, 32, VGPU_CHECK_RACE);
    store(0, 0, only(shared_of(0, 0, 4), 1u << 0));
    vg_shadow_warp_sync(shadow, 0, 0x3); /* 0 → 1 */
    vg_shadow_warp_sync(shadow, 0, 0x6); /* 1 → 2 */
    load(0, 1, only(shared_of(0, 0, 4), 1u << 2));
    assert_int_equal(findings(), 0);
    store(0, 2, only(shared_of(0, 0, 4), 1u << 1)); /* lane 1 has not seen lane 2's load */
    assert_int_equal(count_of(VG_WRITE_AFTER_READ), 1);
    end();
}

/* --- barriers for some of the warps --- */

static void a_partial_barrier_orders_only_its_warps(void **state)
{
    (void)state;
    begin(1024, 128, VGPU_CHECK_RACE);
    vg_shadow_partial(shadow);
    store(0, 0, shared_of(0, 4, 4));
    store(2, 0, shared_of(512, 4, 4));
    vg_shadow_barrier(shadow, 0x3); /* warps 0 and 1 */
    load(1, 1, shared_of(0, 4, 4));
    assert_int_equal(findings(), 0);
    load(1, 1, shared_of(512, 4, 4)); /* warp 2 was not there */
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 32);
    load(3, 1, shared_of(0, 4, 4)); /* nor was warp 3 */
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 64);
    end();
}

/* A third reader must not be forgotten when the two others are ordered by a partial barrier. */
static void a_partial_barrier_does_not_hide_the_readers_outside(void **state)
{
    (void)state;
    begin(128, 128, VGPU_CHECK_RACE);
    vg_shadow_partial(shadow);
    for (uint32_t w = 0; w < 3; w++) {
        load(w, w, only(shared_of(0, 0, 4), 1));
    }
    vg_shadow_barrier(shadow, 0xE); /* warps 1, 2, 3: warp 0 is missing */
    store(3, 9, only(shared_of(0, 0, 4), 1));
    assert_int_equal(count_of(VG_WRITE_AFTER_READ), 1);
    size_t n;
    const struct vg_finding *list = vg_report_list(report, &n);
    assert_int_equal(list[0].other_pc, 0);
    end();
}

/* Warp 0 produces and arrives; warp 1 waits and consumes: barrier 1 says "full", 2 "empty". */
static void producer_and_consumer(int rounds, bool wait_for_empty)
{
    for (int i = 0; i < rounds; i++) {
        if (i > 0 && wait_for_empty) {
            vg_shadow_arrive(shadow, 2, 1);
            vg_shadow_barrier_id(shadow, 2, 1u << 0);
        }
        store(0, 1, shared_of(0, 4, 4));
        vg_shadow_arrive(shadow, 1, 0);
        vg_shadow_barrier_id(shadow, 1, 1u << 1);
        load(1, 2, shared_of(0, 4, 4));
    }
}

static void arrive_orders_one_way_only(void **state)
{
    (void)state;
    begin(128, 64, VGPU_CHECK_RACE);
    vg_shadow_partial(shadow);
    producer_and_consumer(4, true);
    assert_int_equal(findings(), 0);
    vg_shadow_reset(shadow);
    producer_and_consumer(2, false);
    assert_int_equal(count_of(VG_WRITE_AFTER_READ), 32);
    assert_int_equal(count_of(VG_READ_AFTER_WRITE), 0);
    end();
}

/* --- double buffering: one barrier a step is enough for two buffers, not for one --- */

static void stages(uint32_t buffers)
{
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t w = 0; w < 2; w++) {
            store(w, 1, shared_of(256 * (i % buffers) + 128 * w, 4, 4));
        }
        vg_shadow_barrier(shadow, 0);
        for (uint32_t w = 0; w < 2; w++) {
            load(w, 2, shared_of(256 * (i % buffers) + 128 * (1 - w), 4, 4));
        }
    }
}

static void two_buffers_need_one_barrier_a_step(void **state)
{
    (void)state;
    begin(512, 64, VGPU_CHECK_RACE);
    stages(2);
    assert_int_equal(findings(), 0);
    vg_shadow_reset(shadow);
    stages(1);
    assert_true(count_of(VG_WRITE_AFTER_READ) > 0);
    assert_int_equal(findings(), 1);
    end();
}

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
        cmocka_unit_test(a_tiled_matmul_with_both_barriers_is_clean),
        cmocka_unit_test(a_tiled_matmul_without_its_first_barrier_reads_too_early),
        cmocka_unit_test(a_tiled_matmul_without_its_second_barrier_overwrites_too_early),
        cmocka_unit_test(a_block_reduction_needs_a_barrier_every_step),
        cmocka_unit_test(warp_synchronous_code_needs_syncwarp),
        cmocka_unit_test(a_syncwarp_orders_only_the_lanes_it_names),
        cmocka_unit_test(order_passes_from_syncwarp_to_syncwarp),
        cmocka_unit_test(a_partial_barrier_orders_only_its_warps),
        cmocka_unit_test(a_partial_barrier_does_not_hide_the_readers_outside),
        cmocka_unit_test(arrive_orders_one_way_only),
        cmocka_unit_test(two_buffers_need_one_barrier_a_step),
        cmocka_unit_test(a_shared_histogram_is_clean_until_it_is_read_without_a_barrier),
        cmocka_unit_test(lanes_may_store_one_value_to_one_place_but_not_two),
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
