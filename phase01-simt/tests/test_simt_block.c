/* Cycles, the two schedulers, load latency, barriers, and independent thread scheduling in a block.
 */
#include "simt_helper.h"

static struct simt_config config(unsigned warps, enum simt_sched sched)
{
    struct simt_config cfg = config_policy(SIMT_STACK);
    cfg.warps = warps;
    cfg.sched = sched;
    return cfg;
}

/* Which warp issued in which cycle. */
struct order {
    unsigned warp[64];
    uint64_t cycle[64];
    size_t n;
};

static void order_event(void *arg, const struct simt_event *event)
{
    struct order *o = arg;
    if (o->n < 64) {
        o->warp[o->n] = event->warp;
        o->cycle[o->n] = event->cycle;
    }
    o->n++;
}

static struct order ordered(const char *text, const struct simt_config *cfg, uint64_t *cycles)
{
    struct order o = {.n = 0};
    struct fixture f = fixture_text(text, cfg);
    f.b->observe = order_event;
    f.b->observe_arg = &o;
    (void)fixture_run(&f);
    *cycles = f.b->cycle;
    fixture_close(&f);
    return o;
}

static void one_warp_issues_every_cycle_but_for_loads(void **state)
{
    (void)state;
    struct simt_config cfg = config(1, SIMT_RR);
    uint64_t cycles = 0;
    struct order o = ordered("TID r0\nLD r1, [r0]\nADD r1, r1, 1\nHALT\n", &cfg, &cycles);
    static const uint64_t want[] = {0, 1, 41, 42};
    assert_int_equal(o.n, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(o.cycle[i], want[i]);
    }
    assert_int_equal(cycles, 43);
    cfg.ld_latency = 1;
    (void)ordered("TID r0\nLD r1, [r0]\nADD r1, r1, 1\nHALT\n", &cfg, &cycles);
    assert_int_equal(cycles, 4);
}

static void round_robin_takes_turns(void **state)
{
    (void)state;
    struct simt_config cfg = config(3, SIMT_RR);
    uint64_t cycles = 0;
    struct order o = ordered("TID r0\nTID r0\nHALT\n", &cfg, &cycles);
    assert_int_equal(o.n, 9);
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(o.warp[i], i % 3);
        assert_int_equal(o.cycle[i], i);
    }
    assert_int_equal(cycles, 9);
}

static void greedy_runs_a_warp_until_it_waits(void **state)
{
    (void)state;
    struct simt_config cfg = config(3, SIMT_GTO);
    cfg.ld_latency = 4;
    uint64_t cycles = 0;
    struct order o = ordered("TID r0\nLD r1, [r0]\nTID r0\nHALT\n", &cfg, &cycles);
    /* Warp 0's load is back in cycle 5, in the middle of warp 2's turn, which ends with its own. */
    static const unsigned want[] = {0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2};
    assert_int_equal(o.n, 12);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(o.warp[i], want[i]);
    }
    assert_int_equal(cycles, 12);
}

static void idle_cycles_pass_when_nobody_is_ready(void **state)
{
    (void)state;
    struct simt_config cfg = config(2, SIMT_RR);
    uint64_t cycles = 0;
    struct order o = ordered("LD r1, [r0]\nHALT\n", &cfg, &cycles);
    static const uint64_t want[] = {0, 1, 40, 41};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(o.cycle[i], want[i]);
    }
    assert_int_equal(cycles, 42);
}

static void counters_add_up_over_warps(void **state)
{
    (void)state;
    struct simt_config cfg = config(5, SIMT_RR);
    struct fixture f = fixture_kernel("even_odd", &cfg);
    struct simt_counters n = fixture_run(&f);
    assert_int_equal(n.issues, 50);
    assert_int_equal(n.issues, f.b->issues);
    assert_int_equal(n.active_sum, 5 * 224);
    assert_int_equal(n.body, 20);
    assert_int_equal(n.max_depth, 1);
    for (int w = 0; w < 5; w++) {
        assert_int_equal(f.b->warps[w].count.issues, 10);
    }
    fixture_close(&f);
}

static void what_could_not_be_issued_is_not_counted(void **state)
{
    (void)state;
    for (int policy = SIMT_STACK; policy <= SIMT_ITS; policy++) {
        struct simt_config cfg = config_policy((enum simt_policy)policy);
        struct fixture f = fixture_text("TID r0\nTID r1\n", &cfg);
        assert_int_equal(simt_block_run(f.b, &f.err), -1);
        assert_int_equal(f.b->issues, 2);
        assert_int_equal(simt_block_count(f.b).issues, 2);
        fixture_close(&f);
    }
}

static void a_block_runs_again_after_reset(void **state)
{
    (void)state;
    struct simt_config cfg = config(2, SIMT_GTO);
    struct fixture f = fixture_kernel("latency", &cfg);
    (void)fixture_run(&f);
    uint64_t cycles = f.b->cycle;
    simt_block_reset(f.b);
    assert_int_equal(f.b->warps[1].r[2][3], 0);
    (void)fixture_run(&f);
    assert_int_equal(f.b->cycle, cycles);
    fixture_close(&f);
}

static void bar_holds_every_warp_until_the_last_arrives(void **state)
{
    (void)state;
    struct simt_config cfg = config(2, SIMT_RR);
    uint64_t cycles = 0;
    /* Warp 0 loads first and comes late. */
    struct order o = ordered("TID r0\nSHR r1, r0, 5\nBRNZ r1, over\nLD r2, [r0]\nover: RECONV\n"
                             "BAR\nHALT\n",
                             &cfg, &cycles);
    assert_int_equal(o.n, 13);
    assert_int_equal(o.warp[10], 0); /* warp 0's BAR, the last issue before both end */
    assert_true(o.cycle[10] > 40);
    assert_int_equal(o.cycle[11], o.cycle[10] + 1);
    assert_int_equal(o.cycle[12], o.cycle[10] + 2);
}

static void bar_does_not_wait_for_warps_that_have_ended(void **state)
{
    (void)state;
    static const char text[] = "TID r0\nSHR r1, r0, 5\nBRZ r1, over\nHALT\nover: RECONV\n"
                               "BAR\nMOVI r3, 1\nHALT\n";
    for (int policy = SIMT_STACK; policy <= SIMT_ITS; policy++) {
        struct simt_config cfg = config(4, SIMT_RR);
        cfg.policy = (enum simt_policy)policy;
        struct fixture f = fixture_text(text, &cfg);
        (void)fixture_run(&f);
        assert_int_equal(f.b->warps[0].r[3][31], 1);
        fixture_close(&f);
    }
}

static void its_lets_lanes_meet_at_bar_from_different_sides(void **state)
{
    (void)state;
    /* Odd and even lanes come to different BARs; under the stack this is an error. */
    static const char text[] = "TID r0\nAND r1, r0, 1\nBRZ r1, even\n"
                               "ST [r0], r0\nBAR\nJMP join\n"
                               "even: BAR\nLD r3, [r0+1]\n"
                               "join: RECONV\nHALT\n";
    struct simt_config cfg = config(2, SIMT_RR);
    cfg.policy = SIMT_ITS;
    struct fixture f = fixture_text(text, &cfg);
    (void)fixture_run(&f);
    for (int i = 0; i < SIMT_LANES; i += 2) {
        assert_int_equal(f.b->warps[1].r[3][i], SIMT_LANES + i + 1);
    }
    fixture_close(&f);
    cfg.policy = SIMT_STACK;
    fixture_fails(text, &cfg, "BAR in warp 0 without lane 0");
}

static void its_lanes_at_a_bar_wait_for_the_slowest(void **state)
{
    (void)state;
    /* Lane 5 counts to 20 before it comes to BAR; nobody may be behind BAR earlier. */
    struct record r = {.n = 0};
    struct simt_config cfg = config_policy(SIMT_ITS);
    struct fixture f = fixture_text("TID r0\nSEQ r1, r0, 5\nMUL r1, r1, 20\n"
                                    "loop: BRZ r1, done\nSUB r1, r1, 1\nJMP loop\n"
                                    "done: RECONV\nBAR\nTID r2\nHALT\n",
                                    &cfg);
    f.b->observe = record_event;
    f.b->observe_arg = &r;
    (void)fixture_run(&f);
    size_t last_bar = 0;
    size_t first_behind = r.n;
    for (size_t i = 0; i < r.n; i++) {
        last_bar = r.pc[i] == 7 ? i : last_bar;
        first_behind = r.pc[i] == 8 && i < first_behind ? i : first_behind;
    }
    assert_int_equal(r.active[last_bar], 1 << 5);
    assert_int_equal(first_behind, last_bar + 1);
    assert_int_equal(r.active[first_behind], SIMT_FULL);
    fixture_close(&f);
}

static void its_merges_lanes_that_stand_at_the_same_pc(void **state)
{
    (void)state;
    struct record r = {.n = 0};
    struct simt_config cfg = config_policy(SIMT_ITS);
    struct fixture f = fixture_kernel("even_odd", &cfg);
    f.b->observe = record_event;
    f.b->observe_arg = &r;
    struct simt_counters n = fixture_run(&f);
    static const uint32_t pc[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    assert_int_equal(r.n, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(r.pc[i], pc[i]);
    }
    assert_int_equal(r.active[3], 0xaaaaaaaa);
    assert_int_equal(r.active[5], 0x55555555);
    assert_int_equal(r.active[7], SIMT_FULL); /* RECONV, once for all */
    assert_int_equal(n.active_sum, 224);
    fixture_close(&f);
}

static void a_spin_lock_hangs_under_the_stack_only(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    cfg.warps = 2;
    cfg.budget = 5000;
    struct fixture f = fixture_kernel("spinlock", &cfg);
    assert_int_equal(simt_block_run(f.b, &f.err), -1);
    assert_int_equal(f.b->fault, SIMT_FAULT_HANG);
    assert_int_equal(f.b->mem[1], 0);
    assert_non_null(strstr(f.err.msg, "no end after 5000 issues"));
    fixture_close(&f);
    cfg.policy = SIMT_ITS;
    cfg.budget = 100000;
    f = fixture_kernel("spinlock", &cfg);
    (void)fixture_run(&f);
    assert_int_equal(f.b->mem[1], 64);
    fixture_close(&f);
}

/* The holder waits for its load; a greedy scheduler then stays with the first warp that spins,
 * which is always ready. */
static void a_greedy_scheduler_starves_the_warp_that_holds_a_lock(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_ITS);
    cfg.warps = 2;
    cfg.sched = SIMT_GTO;
    struct fixture f = fixture_kernel("spinlock", &cfg);
    assert_int_equal(simt_block_run(f.b, &f.err), -1);
    assert_int_equal(f.b->fault, SIMT_FAULT_HANG);
    assert_int_equal(f.b->fault_warp, 1);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_issues_every_cycle_but_for_loads),
        cmocka_unit_test(round_robin_takes_turns),
        cmocka_unit_test(greedy_runs_a_warp_until_it_waits),
        cmocka_unit_test(idle_cycles_pass_when_nobody_is_ready),
        cmocka_unit_test(counters_add_up_over_warps),
        cmocka_unit_test(what_could_not_be_issued_is_not_counted),
        cmocka_unit_test(a_block_runs_again_after_reset),
        cmocka_unit_test(bar_holds_every_warp_until_the_last_arrives),
        cmocka_unit_test(bar_does_not_wait_for_warps_that_have_ended),
        cmocka_unit_test(its_lets_lanes_meet_at_bar_from_different_sides),
        cmocka_unit_test(its_lanes_at_a_bar_wait_for_the_slowest),
        cmocka_unit_test(its_merges_lanes_that_stand_at_the_same_pc),
        cmocka_unit_test(a_spin_lock_hangs_under_the_stack_only),
        cmocka_unit_test(a_greedy_scheduler_starves_the_warp_that_holds_a_lock),
    };
    return LAB_TEST_MAIN(tests);
}
