/* Launches: limits of the chip, serial and spread kernels, budgets, faults of several blocks, and
 * that nothing depends on the number of host threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgt.h"

static const char simple[] = VGT_KERNEL("st.global.u32 [%rd30], %r60;\n");

static enum vgpu_status shape(struct vgt *t, struct vgpu_dim grid, struct vgpu_dim block,
                              uint32_t shared, bool cooperative)
{
    const uint64_t params[4] = {t->out, 0, 0, 0};
    struct vgpu_launch l = {.kernel = vgpu_module_kernel(t->m, "k"),
                            .grid = grid,
                            .block = block,
                            .dynamic_shared = shared,
                            .cooperative = cooperative,
                            .params = params};
    return vgpu_run(t->g, &l, NULL, &t->fault);
}

static void shapes_outside_the_chip_are_refused(void **state)
{
    (void)state;
    const struct vgpu_dim one = {1, 1, 1};
    struct vgt *t = vgt_new(NULL, simple);
    assert_int_equal(shape(t, (struct vgpu_dim){0, 1, 1}, one, 0, false), VGPU_INVALID_VALUE);
    assert_int_equal(shape(t, (struct vgpu_dim){1, 65536, 1}, one, 0, false), VGPU_INVALID_VALUE);
    assert_non_null(strstr(t->fault.text, "65535"));
    assert_int_equal(shape(t, (struct vgpu_dim){1, 1, 65536}, one, 0, false), VGPU_INVALID_VALUE);
    assert_int_equal(shape(t, one, (struct vgpu_dim){1025, 1, 1}, 0, false), VGPU_INVALID_VALUE);
    assert_int_equal(shape(t, one, (struct vgpu_dim){1, 1, 65}, 0, false), VGPU_INVALID_VALUE);
    assert_int_equal(shape(t, one, (struct vgpu_dim){32, 33, 1}, 0, false), VGPU_INVALID_VALUE);
    assert_int_equal(shape(t, one, one, 163 * 1024, false), VGPU_OK);
    assert_int_equal(shape(t, one, one, 163 * 1024 + 1, false), VGPU_INVALID_VALUE);
    assert_int_equal(shape(t, one, one, 0, false), VGPU_OK);
    vgt_free(t);
}

static void directives_limit_the_block(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, VGT_HEAD ".visible .entry k(.param .u64 out, .param .u64 a,"
                                           ".param .u64 b, .param .u64 c) .maxntid 64 { ret; }\n"
                                           ".visible .entry r() .reqntid 8, 4 { ret; }\n");
    assert_int_equal(vgt_launch(t, "k", 1, 64, NULL), VGPU_OK);
    assert_int_equal(vgt_launch(t, "k", 1, 65, NULL), VGPU_LAUNCH_RESOURCES);
    struct vgpu_launch l = {
        .kernel = vgpu_module_kernel(t->m, "r"), .grid = {1, 1, 1}, .block = {8, 4, 1}};
    assert_int_equal(vgpu_run(t->g, &l, NULL, &t->fault), VGPU_OK);
    l.block = (struct vgpu_dim){4, 8, 1};
    assert_int_equal(vgpu_run(t->g, &l, NULL, &t->fault), VGPU_INVALID_VALUE);
    vgt_free(t);
}

static void occupancy_is_the_least_of_the_limits(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, simple);
    const struct vgpu_kernel *k = vgpu_module_kernel(t->m, "k");
    assert_int_equal(vgpu_blocks_per_sm(k, 32, 0), 32);         /* blocks */
    assert_int_equal(vgpu_blocks_per_sm(k, 1024, 0), 2);        /* threads */
    assert_int_equal(vgpu_blocks_per_sm(k, 256, 40 * 1024), 4); /* shared: 41 KiB of 164 */
    assert_int_equal(vgpu_blocks_per_sm(k, 2048, 0), 0);
    assert_int_equal(vgpu_blocks_per_sm(k, 32, 164 * 1024), 0);
    vgt_free(t);
}

/* --- the same for any number of host threads --- */

/* Loops whose length depends on block and lane, shared memory, a shuffle. */
static const char busy[] = VGT_KERNEL(
    ".shared .align 4 .b8 sh[512]; mov.u32 %r1, sh; shl.b32 %r2, %r61, 2; add.u32 %r3, %r1, %r2;\n"
    "and.b32 %r4, %r60, 63; mov.u32 %r5, %r60;\n"
    "LOOP: mad.lo.u32 %r5, %r5, 1664525, 1013904223; sub.s32 %r4, %r4, 1; setp.gt.s32 %p1, %r4, "
    "0;\n"
    "@%p1 bra LOOP; st.shared.u32 [%r3], %r5; bar.sync 0; xor.b32 %r6, %r61, 64; shl.b32 %r6, %r6, "
    "2;\n"
    "add.u32 %r6, %r1, %r6; ld.shared.u32 %r7, [%r6]; shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1;\n"
    "add.u32 %r9, %r7, %r8; st.global.u32 [%rd30], %r9;\n");

static void results_and_counters_do_not_depend_on_threads(void **state)
{
    (void)state;
    static uint32_t first[200 * 128], w[200 * 128];
    struct vgpu_counters want = {0};
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct vgpu_config c = {.threads = threads, .counters = true};
        struct vgt *t = vgt_new(&c, busy);
        vgt_words(t, 200, 128, w, 200 * 128);
        if (threads == 1) {
            memcpy(first, w, sizeof(w));
            assert_int_equal(vgpu_counters_init(&want, vgpu_module_ptx(t->m)), 0);
            vg_count_merge(&want, &t->counters);
        }
        assert_memory_equal(w, first, sizeof(w));
        assert_int_equal(t->counters.n, want.n);
        assert_memory_equal(t->counters.at, want.at, want.n * sizeof(*want.at));
        vgt_free(t);
    }
    vgpu_counters_fini(&want);
}

/* What a block reads unset must not be what another block left. */
static void unset_registers_and_shared_memory_are_zero(void **state)
{
    (void)state;
    static uint32_t w[64 * 32];
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct vgpu_config c = {.threads = threads};
        struct vgt *t = vgt_new(
            &c, VGT_KERNEL(".shared .u32 sh; .local .u32 lo; ld.shared.u32 %r2, [sh];\n"
                           "ld.local.u32 %r3, [lo]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;\n"
                           "st.global.u32 [%rd30], %r1; mov.u32 %r1, 7; st.shared.u32 [sh], %r1;\n"
                           "st.local.u32 [lo], %r1;\n"));
        vgt_words(t, 64, 32, w, 64 * 32);
        for (uint32_t k = 0; k < 64 * 32; k++) {
            assert_int_equal(w[k], 0);
        }
        vgt_free(t);
    }
}

static void the_fault_of_the_lowest_block_is_reported(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct vgpu_config c = {.threads = threads};
        struct vgt *t = vgt_new(&c, VGT_KERNEL("mov.u32 %r1, %ctaid.x; setp.lt.u32 %p1, %r1, 37;\n"
                                               "@%p1 bra FINE; mov.u64 %rd1, 64;\n"
                                               "ld.global.u32 %r2, [%rd1];\nFINE:\n"));
        vgt_fails(t, 500, 32, VGPU_ILLEGAL_ADDRESS, "at 0x40");
        assert_int_equal(t->fault.block.x, 37);
        vgt_free(t);
    }
}

/* --- serial kernels --- */

static void kernels_whose_blocks_talk_are_serial(void **state)
{
    (void)state;
    static const char *const talks[] = {
        "atom.global.add.u32 %r1, [%rd26], 1;",    "red.global.add.u32 [%rd26], 1;",
        "ld.volatile.global.u32 %r1, [%rd26];",    "st.release.gpu.global.u32 [%rd26], %r1;",
        "ld.acquire.gpu.global.u32 %r1, [%rd26];", "ld.relaxed.gpu.global.u32 %r1, [%rd26];",
        "atom.add.u32 %r1, [%rd26], 1;",
    };
    static const char *const quiet[] = {
        "ld.global.u32 %r1, [%rd26];",
        "ld.volatile.shared.u32 %r1, [%r2];",
        "atom.shared.add.u32 %r1, [%r2], 1;",
        "st.global.u32 [%rd26], %r1;",
        "membar.gl;",
    };
    for (size_t k = 0; k < sizeof(talks) / sizeof(talks[0]) + sizeof(quiet) / sizeof(quiet[0]);
         k++) {
        const size_t n = sizeof(talks) / sizeof(talks[0]);
        char text[4096];
        snprintf(text, sizeof(text), "%s%s%s",
                 VGT_HEAD ".func f() { .reg .b32 %r<4>; .reg .b64 %rd<30>;\n",
                 k < n ? talks[k] : quiet[k - n],
                 "\nret; }\n.visible .entry k(.param .u64 out) { call f; ret; }\n");
        struct vgt *t = vgt_new(NULL, text);
        struct vgpu_kernel_info info;
        vgpu_kernel_info(vgpu_module_kernel(t->m, "k"), &info);
        assert_int_equal(info.serial, k < n);
        assert_true(k >= n || strstr(info.serial_why, "at line 5") != NULL);
        vgt_free(t);
    }
}

/* Every block waits until all have come: a grid barrier by counting, as cooperative groups do. */
static const char grid_barrier[] = VGT_KERNEL(
    "setp.ne.u32 %p1, %r61, 0; bar.sync 0; @%p1 bra WAITED;\n"
    "membar.gl; atom.global.add.u32 %r1, [%rd26], 1; mov.u32 %r2, %nctaid.x;\n"
    "SPIN: ld.volatile.global.u32 %r3, [%rd26]; setp.lt.u32 %p2, %r3, %r2; @%p2 bra SPIN;\n"
    "WAITED: bar.sync 0; ld.volatile.global.u32 %r4, [%rd26]; mul.wide.u32 %rd1, %r60, 4;\n"
    "add.s64 %rd1, %rd26, %rd1; st.global.u32 [%rd1+4096], %r4;\n");

static void a_grid_barrier_opens_when_all_blocks_have_come(void **state)
{
    (void)state;
    static uint32_t w[1024 + 100 * 64];
    struct vgt *t = vgt_new(NULL, grid_barrier);
    vgt_words(t, 100, 64, w, 1024 + 100 * 64);
    for (uint32_t k = 0; k < 100 * 64; k++) {
        assert_int_equal(w[1024 + k], 100);
    }
    vgt_free(t);
}

static void a_spin_on_a_block_that_cannot_be_resident_ends_with_the_budget(void **state)
{
    (void)state;
    /* 40 multiprocessors that hold one block of 1024 threads each */
    struct vgpu_desc small = *vgpu_desc_find("t4");
    small.cc_major = 8;
    struct vgpu_config c = {.budget = 2000000, .desc = &small};
    struct vgt *t = vgt_new(&c, grid_barrier);
    vgt_fails(t, 41, 1024, VGPU_TIMEOUT, "budget");
    assert_int_equal(shape(t, (struct vgpu_dim){41, 1, 1}, (struct vgpu_dim){1024, 1, 1}, 0, true),
                     VGPU_COOPERATIVE_TOO_LARGE);
    assert_int_equal(vgpu_set(t->g, t->out, 0, 4, 8), VGPU_OK);
    assert_int_equal(shape(t, (struct vgpu_dim){40, 1, 1}, (struct vgpu_dim){1024, 1, 1}, 0, true),
                     VGPU_OK);
    vgt_free(t);
}

/* grid.sync() as nvcc writes it: the workspace in %envreg1 and 2, one thread a block that counts,
 * the first block brings the sum to a change of the sign. */
static const char cooperative[] = VGT_KERNEL(
    "st.global.u32 [%rd30], %r60; mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2;\n"
    "cvt.u64.u32 %rd1, %r1; cvt.u64.u32 %rd2, %r2; bfi.b64 %rd1, %rd1, %rd2, 32, 32;\n"
    "setp.ne.s64 %p1, %rd1, 0; @%p1 bra SET; trap;\n"
    "SET: barrier.sync 0; setp.ne.u32 %p2, %r61, 0; @%p2 bra DONE;\n"
    "mov.u32 %r3, %nctaid.x; mov.u32 %r4, -2147483647; sub.s32 %r4, %r4, %r3;\n"
    "setp.eq.u32 %p3, %r62, 0; selp.b32 %r5, %r4, 1, %p3;\n"
    "atom.add.release.gpu.u32 %r6, [%rd1+4], %r5;\n"
    "SPIN: ld.acquire.gpu.u32 %r7, [%rd1+4]; xor.b32 %r8, %r7, %r6; setp.gt.s32 %p4, %r8, -1;\n"
    "@%p4 bra SPIN;\n"
    "DONE: barrier.sync 0; mov.u32 %r9, %nctaid.x; mul.lo.u32 %r9, %r9, %r63;\n"
    "sub.u32 %r9, %r9, %r60; mul.wide.u32 %rd3, %r9, 4; add.s64 %rd3, %rd26, %rd3;\n"
    "ld.global.u32 %r10, [%rd3+-4]; st.global.u32 [%rd30+40000], %r10;\n");

static void grid_sync_works_in_cooperative_launches_only(void **state)
{
    (void)state;
    static uint32_t w[10000 + 50 * 64];
    const struct vgpu_dim grid = {50, 1, 1}, block = {64, 1, 1};
    struct vgt *t = vgt_new(NULL, cooperative);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(vgpu_set(t->g, t->out, 0, 4, VGT_WORDS), VGPU_OK);
        assert_int_equal(shape(t, grid, block, 0, true), VGPU_OK);
        assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
        for (uint32_t n = 0; n < 50 * 64; n++) {
            assert_int_equal(w[10000 + n], 50 * 64 - 1 - n);
        }
    }
    assert_int_equal(shape(t, grid, block, 0, false), VGPU_TRAP);
    vgt_free(t);
}

/* --- budget --- */

static void a_runaway_is_named_with_pc_and_lanes(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct vgpu_config c = {.budget = 100000, .threads = threads};
        struct vgt *t = vgt_new(&c, VGT_KERNEL("setp.lt.u32 %p1, %r60, 70; @%p1 bra FINE;\n"
                                               "LOOP: add.u32 %r1, %r1, 1; bra LOOP;\nFINE:\n"));
        vgt_fails(t, 20, 64, VGPU_TIMEOUT, "budget of 100000");
        assert_int_equal(t->fault.block.x, 1);
        assert_int_equal(t->fault.lanes, 0xFFFFFFC0u);
        vgt_free(t);
    }
}

static void the_budget_is_for_the_whole_launch(void **state)
{
    (void)state;
    /* 10 blocks of 2 warps: simple has a fixed number of instructions a warp */
    uint32_t w[1];
    struct vgpu_config c = {.counters = true};
    struct vgt *t = vgt_new(&c, simple);
    vgt_words(t, 10, 64, w, 1);
    uint64_t all = vg_count_sum(&t->counters, NULL).inst_executed;
    vgt_free(t);
    for (unsigned threads = 1; threads <= 3; threads++) {
        c = (struct vgpu_config){.budget = all, .threads = threads};
        t = vgt_new(&c, simple);
        vgt_words(t, 10, 64, w, 1);
        vgt_fails(t, 11, 64, VGPU_TIMEOUT, "by the blocks up to this one");
        assert_int_equal(t->fault.block.x, 10);
        vgt_free(t);
    }
}

/* --- special registers --- */

static void special_registers_tell_where_a_thread_is(void **state)
{
    (void)state;
    uint32_t w[48 * 8];
    struct vgt *t = vgt_new(
        NULL, VGT_HEAD
        ".visible .entry k(.param .u64 out) { .reg .b32 %r<16>; .reg .b64 %rd<4>;\n"
        "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;\n"
        "mov.u32 %r3, %tid.z; mov.u32 %r4, %laneid; mov.u32 %r5, %warpid;\n"
        "mov.u32 %r6, %lanemask_lt; mov.u32 %r7, %ctaid.z; mov.u32 %r8, %nctaid.y;\n"
        "mad.lo.u32 %r9, %r5, 32, %r4; mul.wide.u32 %rd2, %r9, 32; add.s64 %rd1, %rd1, %rd2;\n"
        "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};\n"
        "st.global.v4.u32 [%rd1+16], {%r5, %r6, %r7, %r8}; ret; }\n");
    assert_int_equal(shape(t, (struct vgpu_dim){1, 2, 3}, (struct vgpu_dim){4, 3, 4}, 0, false),
                     VGPU_OK);
    assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
    for (uint32_t k = 0; k < 48; k++) {
        const uint32_t want[8] = {k % 4,  k / 4 % 3,          k / 12, k % 32,
                                  k / 32, (1u << k % 32) - 1, 2,      2};
        assert_memory_equal(w + 8 * k, want, sizeof(want));
    }
    vgt_free(t);
}

static void clocks_count_the_warps_instructions(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(VGT_KERNEL("mov.u32 %r1, %clock; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1;\n"
                       "mov.u32 %r2, %clock; sub.u32 %r4, %r2, %r1; st.global.u32 [%rd30], %r4;\n"
                       "mov.u64 %rd1, %clock64; mov.u64 %rd2, %globaltimer;\n"
                       "sub.u64 %rd3, %rd2, %rd1; cvt.u32.u64 %r5, %rd3;\n"
                       "st.global.u32 [%rd30+64], %r5;\n"),
            1, 16, w, 32);
    assert_int_equal(w[0], 3);
    assert_int_equal(w[16], 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_outside_the_chip_are_refused),
        cmocka_unit_test(directives_limit_the_block),
        cmocka_unit_test(occupancy_is_the_least_of_the_limits),
        cmocka_unit_test(results_and_counters_do_not_depend_on_threads),
        cmocka_unit_test(unset_registers_and_shared_memory_are_zero),
        cmocka_unit_test(the_fault_of_the_lowest_block_is_reported),
        cmocka_unit_test(kernels_whose_blocks_talk_are_serial),
        cmocka_unit_test(a_grid_barrier_opens_when_all_blocks_have_come),
        cmocka_unit_test(a_spin_on_a_block_that_cannot_be_resident_ends_with_the_budget),
        cmocka_unit_test(grid_sync_works_in_cooperative_launches_only),
        cmocka_unit_test(a_runaway_is_named_with_pc_and_lanes),
        cmocka_unit_test(the_budget_is_for_the_whole_launch),
        cmocka_unit_test(special_registers_tell_where_a_thread_is),
        cmocka_unit_test(clocks_count_the_warps_instructions),
    };
    return LAB_TEST_MAIN(tests);
}
