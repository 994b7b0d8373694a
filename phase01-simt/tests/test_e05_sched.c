/* Exercise e05_sched: two schedulers over a set of ready warps. */
#include "simt_helper.h"
#include "simt_kernels.h"
#include "simt_pick.h"

static void round_robin_takes_the_next_above_the_last(void **state)
{
    (void)state;
    assert_int_equal(simt_pick_rr(0x0f, 0), 1);
    assert_int_equal(simt_pick_rr(0x0f, 2), 3);
    assert_int_equal(simt_pick_rr(0x09, 0), 3);
    assert_int_equal(simt_pick_rr(UINT64_C(1) << 63 | 1, 62), 63);
    assert_int_equal(simt_pick_rr(UINT64_C(1) << 40 | 1, 5), 40);
}

static void round_robin_goes_around(void **state)
{
    (void)state;
    assert_int_equal(simt_pick_rr(0x0f, 3), 0);
    assert_int_equal(simt_pick_rr(0x06, 40), 1);
    assert_int_equal(simt_pick_rr(UINT64_C(1) << 63 | 4, 63), 2);
}

static void round_robin_starts_with_the_lowest(void **state)
{
    (void)state;
    assert_int_equal(simt_pick_rr(0x0f, -1), 0);
    assert_int_equal(simt_pick_rr(0x0c, -1), 2);
}

static void round_robin_stays_only_when_nobody_else_is_ready(void **state)
{
    (void)state;
    assert_int_equal(simt_pick_rr(0x04, 2), 2);
    assert_int_equal(simt_pick_rr(UINT64_C(1) << 63, 63), 63);
    assert_int_equal(simt_pick_rr(0x05, 2), 0);
}

static void round_robin_visits_everybody_once_a_round(void **state)
{
    (void)state;
    uint64_t ready = 0x8000f00100000a05u;
    uint64_t seen = 0;
    int last = 17;
    for (int i = 0; i < __builtin_popcountll(ready); i++) {
        last = simt_pick_rr(ready, last);
        assert_true((ready >> last & 1) != 0);
        assert_true((seen >> last & 1) == 0);
        seen |= UINT64_C(1) << last;
    }
    assert_true(seen == ready);
}

static void greedy_stays_while_its_warp_is_ready(void **state)
{
    (void)state;
    assert_int_equal(simt_pick_gto(0x0f, 2), 2);
    assert_int_equal(simt_pick_gto(UINT64_C(1) << 63 | 1, 63), 63);
}

static void greedy_turns_to_the_oldest(void **state)
{
    (void)state;
    assert_int_equal(simt_pick_gto(0x0b, 2), 0);
    assert_int_equal(simt_pick_gto(0x0c, 1), 2);
    assert_int_equal(simt_pick_gto(UINT64_C(3) << 40, 5), 40);
    assert_int_equal(simt_pick_gto(0x0c, -1), 2);
}

/* Eight warps that load every eighth instruction: kept apart they hide the loads, in step they do
 * not. */
static void greedy_hides_latency_that_round_robin_does_not(void **state)
{
    (void)state;
    double busy[2];
    for (int sched = SIMT_RR; sched <= SIMT_GTO; sched++) {
        struct simt_config cfg = config_policy(SIMT_STACK);
        cfg.warps = 8;
        cfg.sched = (enum simt_sched)sched;
        struct fixture f = fixture_kernel("latency", &cfg);
        (void)fixture_run(&f);
        assert_true(simt_kernel_holds("latency", f.b, NULL));
        busy[sched] = (double)f.b->issues_first_done / (double)f.b->cycles_first_done;
        fixture_close(&f);
    }
    assert_true(busy[SIMT_RR] > 0.6 && busy[SIMT_RR] < 0.7);
    assert_true(busy[SIMT_GTO] > 0.99);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_takes_the_next_above_the_last),
        cmocka_unit_test(round_robin_goes_around),
        cmocka_unit_test(round_robin_starts_with_the_lowest),
        cmocka_unit_test(round_robin_stays_only_when_nobody_else_is_ready),
        cmocka_unit_test(round_robin_visits_everybody_once_a_round),
        cmocka_unit_test(greedy_stays_while_its_warp_is_ready),
        cmocka_unit_test(greedy_turns_to_the_oldest),
        cmocka_unit_test(greedy_hides_latency_that_round_robin_does_not),
    };
    return LAB_TEST_MAIN(tests);
}
