/* Exercise e01_mask: the mask decides what is kept and never what is paid. */
#include "simt_helper.h"
#include "simt_kernels.h"
#include "simt_mask.h"

static void commit_keeps_the_active_lanes_only(void **state)
{
    (void)state;
    static const uint32_t masks[] = {0, 1, 0x80000000u, 0x55555555u, 0x0000fffeu, SIMT_FULL};
    for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
        int32_t dst[SIMT_LANES];
        int32_t val[SIMT_LANES];
        for (int i = 0; i < SIMT_LANES; i++) {
            dst[i] = -i - 1;
            val[i] = 100 + i;
        }
        simt_commit(dst, val, masks[m]);
        for (int i = 0; i < SIMT_LANES; i++) {
            bool active = (masks[m] >> i & 1) != 0;
            assert_int_equal(dst[i], active ? 100 + i : -i - 1);
            assert_int_equal(val[i], 100 + i);
        }
    }
}

static void an_issue_counts_once_whatever_its_mask(void **state)
{
    (void)state;
    struct simt_counters n = {.body = 7, .loads = 8, .max_depth = 9};
    simt_count_issue(&n, SIMT_FULL);
    simt_count_issue(&n, 1);
    simt_count_issue(&n, 0x80000001u);
    simt_count_issue(&n, 0x00ff0000u);
    simt_count_issue(&n, 0);
    assert_int_equal(n.issues, 5);
    assert_int_equal(n.active_sum, 32 + 1 + 2 + 8);
    assert_int_equal(n.body, 7);
    assert_int_equal(n.loads, 8);
    assert_int_equal(n.max_depth, 9);
}

static void even_odd_takes_ten_issues_at_seventy_percent(void **state)
{
    (void)state;
    struct fixture f = fixture_kernel("even_odd", &simt_config_default);
    struct simt_counters n = fixture_run(&f);
    assert_int_equal(n.issues, 10);
    assert_int_equal(n.active_sum, 224);
    assert_true(simt_kernel_holds("even_odd", f.b, NULL));
    fixture_close(&f);
}

static void a_masked_lane_keeps_its_register(void **state)
{
    (void)state;
    struct fixture f = fixture_text("TID r0\n AND r1, r0, 1\n MOVI r2, 5\n BRZ r1, over\n"
                                    " ADD r2, r2, r0\nover: RECONV\n HALT\n",
                                    &simt_config_default);
    (void)fixture_run(&f);
    for (int i = 0; i < SIMT_LANES; i++) {
        assert_int_equal(f.b->warps[0].r[2][i], i % 2 == 1 ? 5 + i : 5);
    }
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(commit_keeps_the_active_lanes_only),
        cmocka_unit_test(an_issue_counts_once_whatever_its_mask),
        cmocka_unit_test(even_odd_takes_ten_issues_at_seventy_percent),
        cmocka_unit_test(a_masked_lane_keeps_its_register),
    };
    return LAB_TEST_MAIN(tests);
}
