/* The race check on the access sequences of well-known kernels. */
#include <string.h>

#include "shadow_testing.h"

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

/* The scan of a module announces partial barriers, and nothing else does: without it the third
 * reader is forgotten before the first partial barrier is seen. */
static void the_scan_of_a_module_finds_partial_barriers(void **state)
{
    (void)state;
    const char *const bodies[] = {"bar.sync 0;", "bar.warp.sync 15;", "bar.sync 1, 64;",
                                  "bar.arrive 1, 64;", "barrier.sync.aligned 1, 64;"};
    for (size_t i = 0; i < 5; i++) {
        char text[200];
        struct lab_err err = {0};
        struct ptx_module *m = NULL;
        snprintf(text, sizeof(text),
                 ".version 6.4\n.target sm_75\n.address_size 64\n.entry k()\n{\n%s\nret;\n}\n",
                 bodies[i]);
        (void)ptx_parse("k.ptx", text, strlen(text), &m, &err);
        assert_string_equal(err.msg, "");
        begin(128, 128, VGPU_CHECK_RACE);
        vg_shadow_scan(shadow, m);
        for (uint32_t w = 0; w < 3; w++) {
            load(w, w, only(shared_of(0, 0, 4), 1));
        }
        vg_shadow_barrier(shadow, 0xE);
        store(3, 9, only(shared_of(0, 0, 4), 1));
        assert_int_equal(count_of(VG_WRITE_AFTER_READ), i >= 2 ? 1 : 0);
        end();
        ptx_module_free(m);
    }
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
        cmocka_unit_test(the_scan_of_a_module_finds_partial_barriers),
        cmocka_unit_test(arrive_orders_one_way_only),
        cmocka_unit_test(two_buffers_need_one_barrier_a_step),
    };
    return LAB_TEST_MAIN(tests);
}
