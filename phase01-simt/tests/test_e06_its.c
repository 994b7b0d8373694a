/* Exercise e06_its: which group of lanes issues next when each lane has its own pc. */
#include "simt_helper.h"
#include "simt_its.h"
#include "simt_kernels.h"

/* Lanes 0..31 stand at pcs 10, 20, 30, 10, 20, 30, ... */
static void three_groups(uint32_t pc[SIMT_LANES])
{
    for (uint32_t i = 0; i < SIMT_LANES; i++) {
        pc[i] = 10 + 10 * (i % 3);
    }
}

static uint32_t group(unsigned which)
{
    uint32_t lanes = 0;
    for (unsigned i = which; i < SIMT_LANES; i += 3) {
        lanes |= UINT32_C(1) << i;
    }
    return lanes;
}

static void the_first_group_is_the_one_at_the_lowest_pc(void **state)
{
    (void)state;
    uint32_t pc[SIMT_LANES];
    three_groups(pc);
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, SIMT_NO_PC), group(0));
    memset(pc, 0, sizeof(pc));
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, SIMT_NO_PC), SIMT_FULL);
}

static void the_next_group_is_the_one_above_the_last_pc(void **state)
{
    (void)state;
    uint32_t pc[SIMT_LANES];
    three_groups(pc);
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, 9), group(0));
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, 10), group(1));
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, 19), group(1));
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, 20), group(2));
}

static void after_the_highest_pc_comes_the_lowest(void **state)
{
    (void)state;
    uint32_t pc[SIMT_LANES];
    three_groups(pc);
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, 30), group(0));
    assert_int_equal(simt_its_pick(pc, SIMT_FULL, 65535), group(0));
    assert_int_equal(simt_its_pick(pc, group(1), 20), group(1));
}

static void all_runnable_lanes_at_the_pc_issue_and_no_others(void **state)
{
    (void)state;
    uint32_t pc[SIMT_LANES];
    three_groups(pc);
    uint32_t runnable = SIMT_FULL & ~group(1) & ~1u;
    assert_int_equal(simt_its_pick(pc, runnable, 10), group(2));
    assert_int_equal(simt_its_pick(pc, runnable, 30), group(0) & ~1u);
    assert_int_equal(simt_its_pick(pc, 1u << 31, 30), 1u << 31);
}

static void no_group_waits_longer_than_a_round(void **state)
{
    (void)state;
    uint32_t pc[SIMT_LANES];
    three_groups(pc);
    uint32_t last = SIMT_NO_PC;
    int turns[3] = {0};
    for (int i = 0; i < 9; i++) {
        /* Whoever issues jumps back to where it is, as a spinning lane does. */
        uint32_t lanes = simt_its_pick(pc, SIMT_FULL, last);
        assert_int_not_equal(lanes, 0);
        last = pc[__builtin_ctz(lanes)];
        turns[last / 10 - 1]++;
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(turns[i], 3);
    }
}

static void a_spin_lock_makes_progress(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_ITS);
    struct fixture f = fixture_kernel("spinlock", &cfg);
    (void)fixture_run(&f);
    assert_true(simt_kernel_holds("spinlock", f.b, NULL));
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_group_is_the_one_at_the_lowest_pc),
        cmocka_unit_test(the_next_group_is_the_one_above_the_last_pc),
        cmocka_unit_test(after_the_highest_pc_comes_the_lowest),
        cmocka_unit_test(all_runnable_lanes_at_the_pc_issue_and_no_others),
        cmocka_unit_test(no_group_waits_longer_than_a_round),
        cmocka_unit_test(a_spin_lock_makes_progress),
    };
    return LAB_TEST_MAIN(tests);
}
