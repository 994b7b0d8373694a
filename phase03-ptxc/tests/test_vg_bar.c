/* Barriers of a block: exited threads, partial barriers, reductions, deadlocks. */
#include <string.h>

#include "vgt.h"

/* Public report 5: 64 threads, 40 to 63 return, the rest store, barrier, thread 0 sums 40 values.
 */
static void exited_threads_stop_counting(void **state)
{
    (void)state;
    uint32_t w[2];
    vgt_run(VGT_KERNEL(".shared .align 4 .b8 v[256];\n"
                       "setp.ge.u32 %p1, %r61, 40; @%p1 bra OUT;\n"
                       "mov.u32 %r1, v; shl.b32 %r2, %r61, 2; add.u32 %r3, %r1, %r2;\n"
                       "st.shared.u32 [%r3], %r61; bar.sync 0;\n"
                       "setp.ne.u32 %p2, %r61, 0; @%p2 bra OUT; mov.u32 %r4, 0; mov.u32 %r5, 0;\n"
                       "SUM: ld.shared.u32 %r6, [%r1]; add.u32 %r4, %r4, %r6;\n"
                       "add.u32 %r1, %r1, 4; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 40;\n"
                       "@%p3 bra SUM; st.global.u32 [%rd30], %r4;\n"
                       "OUT:\n"),
            1, 64, w, 2);
    assert_int_equal(w[0], 780);
}

/* Every warp writes its word before the barrier and reads its neighbour's after it, many times. */
static void a_barrier_orders_warps(void **state)
{
    (void)state;
    uint32_t w[256];
    vgt_run(VGT_KERNEL(".shared .align 4 .b8 v[1024];\n"
                       "mov.u32 %r1, v; shl.b32 %r2, %r61, 2; add.u32 %r3, %r1, %r2;\n"
                       "add.u32 %r4, %r61, 32; and.b32 %r4, %r4, 255; shl.b32 %r4, %r4, 2;\n"
                       "add.u32 %r4, %r1, %r4; mov.u32 %r5, %r61; mov.u32 %r6, 0;\n"
                       "AGAIN: st.shared.u32 [%r3], %r5; bar.sync 0; ld.shared.u32 %r5, [%r4];\n"
                       "bar.sync 0; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 9; @%p1 bra AGAIN;\n"
                       "st.global.u32 [%rd30], %r5;\n"),
            1, 256, w, 256);
    for (uint32_t t = 0; t < 256; t++) {
        assert_int_equal(w[t], (t + 9 * 32) % 256);
    }
}

static void a_reduction_sees_all_threads(void **state)
{
    (void)state;
    uint32_t w[256];
    vgt_run(
        VGT_KERNEL("setp.lt.u32 %p1, %r61, 50; setp.lt.u32 %p2, %r61, 64;\n"
                   "bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p3, 0, %p2;\n"
                   "bar.red.and.pred %p4, 0, %p1; bar.red.or.pred %p5, 1, %p1;\n"
                   "bar.red.popc.u32 %r2, 0, 64, !%p1;\n"
                   "selp.u32 %r3, 1, 0, %p3; selp.u32 %r4, 2, 0, %p4; selp.u32 %r5, 4, 0, %p5;\n"
                   "or.b32 %r3, %r3, %r4; or.b32 %r3, %r3, %r5;\n"
                   "st.global.u32 [%rd30], %r1; st.global.u32 [%rd30+256], %r3;\n"
                   "st.global.u32 [%rd30+512], %r2;\n"),
        1, 64, w, 192);
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(w[t], 50);
        assert_int_equal(w[64 + t], 5);
        assert_int_equal(w[128 + t], 14);
    }
}

/* Warps 0 and 1 produce and only arrive; warp 2 consumes and waits. */
static void arriving_warps_go_on(void **state)
{
    (void)state;
    uint32_t w[96];
    vgt_run(VGT_KERNEL(".shared .align 4 .b8 v[256];\n"
                       "mov.u32 %r1, v; shl.b32 %r2, %r61, 2; add.u32 %r3, %r1, %r2;\n"
                       "setp.ge.u32 %p1, %r61, 64; @%p1 bra EAT;\n"
                       "add.u32 %r4, %r61, 5; st.shared.u32 [%r3], %r4; bar.arrive 3, 96;\n"
                       "mov.u32 %r4, 1; bra OUT;\n"
                       "EAT: bar.sync 3, 96; ld.shared.u32 %r4, [%r3+-256];\n"
                       "ld.shared.u32 %r5, [%r3+-128]; add.u32 %r4, %r4, %r5;\n"
                       "OUT: st.global.u32 [%rd30], %r4;\n"),
            1, 96, w, 96);
    assert_int_equal(w[0], 1);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[64 + l], 5 + l + 5 + 32 + l);
    }
}

/* Two pairs of warps use two barriers of 64 threads at the same time. */
static void barriers_have_numbers(void **state)
{
    (void)state;
    uint32_t w[128];
    vgt_run(VGT_KERNEL(".shared .align 4 .b8 v[512];\n"
                       "mov.u32 %r1, v; shl.b32 %r2, %r61, 2; add.u32 %r3, %r1, %r2;\n"
                       "shr.u32 %r4, %r61, 6; add.u32 %r4, %r4, 1; st.shared.u32 [%r3], %r61;\n"
                       "barrier.sync %r4, 64; xor.b32 %r5, %r61, 32; shl.b32 %r5, %r5, 2;\n"
                       "add.u32 %r5, %r1, %r5; ld.shared.u32 %r6, [%r5];\n"
                       "st.global.u32 [%rd30], %r6;\n"),
            1, 128, w, 128);
    for (uint32_t t = 0; t < 128; t++) {
        assert_int_equal(w[t], t ^ 32);
    }
}

/* Both arms have a barrier: threads are counted, so it opens; with the sync check it is named. */
static const char both_arms[] = VGT_KERNEL("setp.lt.u32 %p1, %r61, 16; @%p1 bra LOW;\n"
                                           "bar.sync 0; mov.u32 %r1, 2; bra END;\n"
                                           "LOW: bar.sync 0; mov.u32 %r1, 1;\n"
                                           "END: st.global.u32 [%rd30], %r1;\n");

static void a_divergent_barrier_is_reported(void **state)
{
    (void)state;
    uint32_t w[32];
    struct vgpu_config c = {.checks = VGPU_CHECK_SYNC};
    struct vgt *t = vgt_new(&c, both_arms);
    vgt_words(t, 1, 32, w, 32);
    assert_int_equal(w[0], 1);
    assert_int_equal(w[31], 2);
    size_t n = 0;
    const struct vg_finding *f = vg_report_list(vgpu_report(t->g), &n);
    assert_true(n >= 1);
    assert_int_equal(f[0].reason, VG_DIVERGENT_BARRIER);
    vgt_free(t);
}

static void a_barrier_in_one_arm_is_reported(void **state)
{
    (void)state;
    struct vgpu_config c = {.checks = VGPU_CHECK_SYNC};
    struct vgt *t = vgt_new(&c, VGT_KERNEL("setp.lt.u32 %p1, %r61, 16; @!%p1 bra END;\n"
                                           "bar.sync 0;\n"
                                           "END: st.global.u32 [%rd30], %r61;\n"));
    uint32_t w[32];
    vgt_words(t, 1, 32, w, 32);
    size_t n = 0;
    const struct vg_finding *f = vg_report_list(vgpu_report(t->g), &n);
    assert_int_equal(n, 1);
    assert_int_equal(f[0].reason, VG_DIVERGENT_BARRIER);
    vgt_free(t);
}

static void a_clean_barrier_is_not(void **state)
{
    (void)state;
    struct vgpu_config c = {.checks = VGPU_CHECK_ALL};
    struct vgt *t = vgt_new(&c, VGT_KERNEL("setp.lt.u32 %p1, %r61, 40; @!%p1 bra END;\n"
                                           "bar.sync 0; st.global.u32 [%rd30], %r61;\n"
                                           "END:\n"));
    uint32_t w[1];
    vgt_words(t, 2, 64, w, 1);
    size_t n = 1;
    vg_report_list(vgpu_report(t->g), &n);
    assert_int_equal(n, 0);
    vgt_free(t);
}

static void a_deadlock_names_who_waits_where(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, VGT_KERNEL("setp.lt.u32 %p1, %r61, 32; @%p1 bra ONE;\n"
                                             "bar.sync 2; bra END;\n"
                                             "ONE: bar.sync 1;\n"
                                             "END:\n"));
    vgt_fails(t, 1, 64, VGPU_TIMEOUT, "every warp waits");
    assert_non_null(strstr(t->fault.text, "warp 0 lanes 0xffffffff"));
    assert_non_null(strstr(t->fault.text, "warp 1 lanes 0xffffffff"));
    assert_non_null(strstr(t->fault.text, "(bar)"));
    vgt_free(t);
}

static void bad_barriers_are_faults(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, VGT_KERNEL("mov.u32 %r1, 16; bar.sync %r1;\n"));
    vgt_fails(t, 1, 32, VGPU_ILLEGAL_INSTRUCTION, "barrier 16");
    vgt_free(t);
    t = vgt_new(NULL, VGT_KERNEL("mov.u32 %r1, 33; bar.sync 0, %r1;\n"));
    vgt_fails(t, 1, 64, VGPU_ILLEGAL_INSTRUCTION, "multiple of 32");
    vgt_free(t);
}

static void barriers_are_counted(void **state)
{
    (void)state;
    struct vgpu_config c = {.counters = true};
    uint32_t w[1];
    struct vgt *t = vgt_new(&c, VGT_KERNEL("bar.sync 0; bar.sync 0; bar.warp.sync -1;\n"));
    vgt_words(t, 3, 64, w, 1);
    assert_int_equal(vg_count_sum(&t->counters, NULL).barriers, 3 * 2 * 3);
    vgt_free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exited_threads_stop_counting),
        cmocka_unit_test(a_barrier_orders_warps),
        cmocka_unit_test(a_reduction_sees_all_threads),
        cmocka_unit_test(arriving_warps_go_on),
        cmocka_unit_test(barriers_have_numbers),
        cmocka_unit_test(a_divergent_barrier_is_reported),
        cmocka_unit_test(a_barrier_in_one_arm_is_reported),
        cmocka_unit_test(a_clean_barrier_is_not),
        cmocka_unit_test(a_deadlock_names_who_waits_where),
        cmocka_unit_test(bad_barriers_are_faults),
        cmocka_unit_test(barriers_are_counted),
    };
    return LAB_TEST_MAIN(tests);
}
