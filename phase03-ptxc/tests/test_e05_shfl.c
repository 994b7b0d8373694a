/* Exercise e05: the source lane of a shuffle. */
#include "lab/test.h"
#include "vg_shfl.h"

/* Operand c of CUDA's intrinsics for a width. */
static uint32_t operand_c(enum vg_collective mode, uint32_t width)
{
    return (32 - width) << 8 | (mode == VG_SHFL_UP ? 0 : 31);
}

static void expect(enum vg_collective mode, uint32_t lane, uint32_t b, uint32_t width, int source)
{
    bool in_range = source < 0;
    uint32_t from = vg_shfl_source(mode, lane, b, operand_c(mode, width), &in_range);
    assert_int_equal(in_range, source >= 0);
    assert_int_equal(from, source >= 0 ? (uint32_t)source : lane);
}

static void down_reads_above_until_the_warp_ends(void **state)
{
    (void)state;
    expect(VG_SHFL_DOWN, 0, 16, 32, 16);
    expect(VG_SHFL_DOWN, 15, 16, 32, 31);
    expect(VG_SHFL_DOWN, 16, 16, 32, -1);
    expect(VG_SHFL_DOWN, 31, 1, 32, -1);
}

static void up_reads_below_until_lane_0(void **state)
{
    (void)state;
    expect(VG_SHFL_UP, 31, 1, 32, 30);
    expect(VG_SHFL_UP, 1, 1, 32, 0);
    expect(VG_SHFL_UP, 0, 1, 32, -1);
    expect(VG_SHFL_UP, 4, 5, 32, -1);
}

static void butterfly_swaps_pairs(void **state)
{
    (void)state;
    for (uint32_t lane = 0; lane < 32; lane++) {
        expect(VG_SHFL_BFLY, lane, 1, 32, (int)(lane ^ 1));
        expect(VG_SHFL_BFLY, lane, 16, 32, (int)(lane ^ 16));
    }
}

static void idx_reads_one_lane_for_all(void **state)
{
    (void)state;
    for (uint32_t lane = 0; lane < 32; lane++) {
        expect(VG_SHFL_IDX, lane, 5, 32, 5);
    }
}

/* Run-time distances: up 32 is the lane itself, up 33 = up 1, down 63 = down 31, bfly 63 = bfly 31.
 */
static void distances_count_modulo_32(void **state)
{
    (void)state;
    expect(VG_SHFL_UP, 7, 32, 32, 7);
    expect(VG_SHFL_UP, 7, 33, 32, 6);
    expect(VG_SHFL_DOWN, 0, 63, 32, 31);
    expect(VG_SHFL_BFLY, 3, 63, 32, 28);
    expect(VG_SHFL_IDX, 3, 36, 32, 4);
}

static void segments_keep_to_themselves(void **state)
{
    (void)state;
    expect(VG_SHFL_DOWN, 10, 4, 8, 14);
    expect(VG_SHFL_DOWN, 12, 4, 8, -1);
    expect(VG_SHFL_UP, 17, 1, 8, 16);
    expect(VG_SHFL_UP, 16, 1, 8, -1);
    expect(VG_SHFL_IDX, 21, 3, 8, 19);
    expect(VG_SHFL_BFLY, 9, 4, 8, 13);
    expect(VG_SHFL_BFLY, 1, 8, 8, -1); /* a partner above the segment is out of range, */
    expect(VG_SHFL_BFLY, 9, 8, 8, 1);  /* one below it is not */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(down_reads_above_until_the_warp_ends),
        cmocka_unit_test(up_reads_below_until_lane_0),
        cmocka_unit_test(butterfly_swaps_pairs),
        cmocka_unit_test(idx_reads_one_lane_for_all),
        cmocka_unit_test(distances_count_modulo_32),
        cmocka_unit_test(segments_keep_to_themselves),
    };
    return LAB_TEST_MAIN(tests);
}
