/* Divergence as a whole: masks issue by issue, HALT inside regions, BAR, programs that go wrong. */
#include "simt_helper.h"
#include "simt_warp.h"

/* Run under the stack and keep the issues. */
static struct record recorded(const char *text, struct simt_counters *n)
{
    struct record r = {.n = 0};
    struct simt_config cfg = config_policy(SIMT_STACK);
    struct fixture f = fixture_text(text, &cfg);
    f.b->observe = record_event;
    f.b->observe_arg = &r;
    struct simt_counters c = fixture_run(&f);
    if (n != NULL) {
        *n = c;
    }
    fixture_close(&f);
    return r;
}

struct step {
    uint32_t pc, active;
};

static void assert_steps(const struct record *r, const struct step *want, size_t n)
{
    for (size_t i = 0; i < n && i < r->n; i++) {
        if (r->pc[i] != want[i].pc || r->active[i] != want[i].active) {
            fail_msg("issue %zu: pc %u mask %08x, expected pc %u mask %08x", i, r->pc[i],
                     r->active[i], want[i].pc, want[i].active);
        }
    }
    assert_int_equal(r->n, n);
}

#define ALL            SIMT_FULL
#define STEPS(r, want) assert_steps(r, want, sizeof(want) / sizeof((want)[0]))

static void each_lane_leaves_a_loop_in_its_own_round(void **state)
{
    (void)state;
    /* Lane i mod 4 goes around that many times. */
    static const struct step want[] = {
        {0, ALL},        {1, ALL},                         /* TID, AND */
        {2, ALL},        {3, 0xeeeeeeee}, {4, 0xeeeeeeee}, /* lanes 0 mod 4 leave */
        {2, 0xeeeeeeee}, {3, 0xcccccccc}, {4, 0xcccccccc}, /* lanes 1 mod 4 */
        {2, 0xcccccccc}, {3, 0x88888888}, {4, 0x88888888}, /* lanes 2 mod 4 */
        {2, 0x88888888},                                   /* the rest, uniform */
        {5, 0x88888888}, {5, 0x44444444}, {5, 0x22222222}, {5, 0x11111111}, /* one visit each */
        {6, ALL},
    };
    struct simt_counters n;
    struct record r = recorded("TID r0\nAND r1, r0, 3\n"
                               "loop: BRZ r1, done\nSUB r1, r1, 1\nJMP loop\n"
                               "done: RECONV\nHALT\n",
                               &n);
    STEPS(&r, want);
    assert_int_equal(n.max_depth, 3);
}

static void a_backward_branch_waits_for_the_last_lane(void **state)
{
    (void)state;
    static const struct step want[] = {
        {0, ALL},        {1, ALL},                                   /* TID, AND 1 */
        {2, ALL},        {3, ALL},        {4, 0x55555555},           /* even lanes leave */
        {2, 0xaaaaaaaa}, {3, 0xaaaaaaaa}, {4, 0xaaaaaaaa}, {5, ALL}, /* odd lanes, all together */
    };
    struct record r = recorded("TID r0\nAND r1, r0, 1\n"
                               "loop: SUB r1, r1, 1\nBRZ r1, loop\nRECONV\nHALT\n",
                               NULL);
    STEPS(&r, want);
}

static void halt_on_one_side_lets_the_other_run(void **state)
{
    (void)state;
    static const struct step fell[] = {
        {0, ALL},        {1, ALL},        {2, ALL},        {3, 0xaaaaaaaa},
        {4, 0x55555555}, {5, 0x55555555}, {6, 0x55555555},
    };
    struct record r = recorded("TID r0\nAND r1, r0, 1\nBRZ r1, even\nHALT\n"
                               "even: MOVI r2, 1\nRECONV\nHALT\n",
                               NULL);
    STEPS(&r, fell);
    static const struct step took[] = {
        {0, ALL},        {1, ALL},        {2, ALL},        {3, 0xaaaaaaaa},
        {4, 0xaaaaaaaa}, {6, 0xaaaaaaaa}, {5, 0x55555555}, {7, 0xaaaaaaaa},
    };
    r = recorded("TID r0\nAND r1, r0, 1\nBRZ r1, even\nMOVI r2, 1\nJMP join\n"
                 "even: HALT\njoin: RECONV\nHALT\n",
                 NULL);
    STEPS(&r, took);
}

static void halt_on_both_sides_ends_the_warp(void **state)
{
    (void)state;
    static const struct step want[] = {
        {0, ALL}, {1, ALL}, {2, ALL}, {3, 0xaaaaaaaa}, {4, 0x55555555},
    };
    struct record r = recorded("TID r0\nAND r1, r0, 1\nBRZ r1, even\nHALT\n"
                               "even: HALT\nRECONV\nHALT\n",
                               NULL);
    STEPS(&r, want);
}

static void lanes_that_halted_leave_every_mask_on_the_stack(void **state)
{
    (void)state;
    /* Depth 2: of the odd lanes those with bit 1 halt; everybody else meets again. */
    static const struct step want[] = {
        {0, ALL},        {1, ALL},        {2, ALL}, {3, ALL}, /* BRZ r1 */
        {4, 0xaaaaaaaa},                                      /* BRZ r2 */
        {5, 0x88888888},                                      /* HALT */
        {6, 0x22222222},                  /* inner RECONV, taken side; then pops at once */
        {7, 0x22222222},                  /* outer RECONV */
        {7, 0x55555555}, {8, 0x77777777}, /* the halted lanes are gone */
    };
    struct record r = recorded("TID r0\nAND r1, r0, 1\nAND r2, r0, 2\n"
                               "BRZ r1, out\nBRZ r2, in\nHALT\n"
                               "in: RECONV\nout: RECONV\nHALT\n",
                               NULL);
    STEPS(&r, want);
}

static void halt_in_a_loop_resumes_the_rounds_that_wait(void **state)
{
    (void)state;
    /* As the first test, but the lanes halt when they have left the loop. Unwinding costs no issue:
     * those that left before run next, at their target. */
    static const struct step halting[] = {
        {0, ALL},        {1, ALL},        {2, ALL},
        {3, 0xeeeeeeee}, {4, 0xeeeeeeee},                  /* lanes 0 mod 4 leave */
        {2, 0xeeeeeeee}, {3, 0xcccccccc}, {4, 0xcccccccc}, /* lanes 1 mod 4 */
        {2, 0xcccccccc}, {3, 0x88888888}, {4, 0x88888888}, /* lanes 2 mod 4 */
        {2, 0x88888888}, {5, 0x88888888},                  /* the rest: HALT */
        {5, 0x44444444}, {5, 0x22222222}, {5, 0x11111111},
    };
    struct record r = recorded("TID r0\nAND r1, r0, 3\n"
                               "loop: BRZ r1, done\nSUB r1, r1, 1\nJMP loop\n"
                               "done: HALT\nRECONV\nHALT\n",
                               NULL);
    STEPS(&r, halting);
}

/* simt_path_halt by itself: the rest of `before` goes on behind the RECONV and pops own entries
 * below. */
static void halt_pops_a_chain_of_visited_entries(void **state)
{
    (void)state;
    struct simt_path p = {.pc = 20, .active = 0x4, .depth = 2};
    p.stack[0] = (struct simt_entry){
        .reconv = 30, .before = 0x7, .taken = 0x6, .target = 9, .visited = true};
    p.stack[1] = (struct simt_entry){
        .reconv = 30, .before = 0x6, .taken = 0x4, .target = 9, .visited = true};
    simt_path_halt(&p);
    assert_int_equal(p.active, 0x3);
    assert_int_equal(p.pc, 31);
    assert_int_equal(p.depth, 0);
}

static void halt_of_a_whole_subtree_returns_to_the_side_that_waits(void **state)
{
    (void)state;
    /* Lanes 0-1 fell through and halt one after the other in a nested branch; lanes 2-3 still wait.
     */
    struct simt_path p = {.pc = 12, .active = 0x1, .depth = 2};
    p.stack[0] = (struct simt_entry){.reconv = 30, .before = 0xf, .taken = 0xc, .target = 25};
    p.stack[1] = (struct simt_entry){.reconv = 20, .before = 0x3, .taken = 0x2, .target = 15};
    simt_path_halt(&p);
    assert_int_equal(p.active, 0x2);
    assert_int_equal(p.pc, 15);
    simt_path_halt(&p);
    assert_int_equal(p.active, 0xc);
    assert_int_equal(p.pc, 25);
    assert_int_equal(p.depth, 1);
    simt_path_halt(&p);
    assert_int_equal(p.active, 0);
    assert_int_equal(p.depth, 0);
}

static void a_jump_out_of_a_region_does_not_reconverge(void **state)
{
    (void)state;
    static const struct step want[] = {
        {0, ALL},        {1, ALL},        {2, ALL},
        {3, 0xaaaaaaaa}, {6, 0xaaaaaaaa}, /* HALT without a RECONV */
        {4, 0x55555555}, {5, 0x55555555}, {6, 0x55555555},
    };
    struct record r = recorded("TID r0\nAND r1, r0, 1\nBRZ r1, even\nJMP end\n"
                               "even: MOVI r2, 1\nRECONV\nend: HALT\n",
                               NULL);
    STEPS(&r, want);
}

static void a_program_that_runs_past_its_end_is_named(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    fixture_fails("TID r0\n  MOVI r1, 1\n", &cfg,
                  "t.simt:2:3: warp 0 runs past this last instruction (pc 1), expected HALT");
    cfg.policy = SIMT_ITS;
    fixture_fails(
        "TID r0\n  MOVI r1, 1\n", &cfg,
        "t.simt:2:3: lane 0 of warp 0 runs past this last instruction (pc 1), expected HALT");
}

static void a_program_without_end_meets_the_budget(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    cfg.budget = 1000;
    fixture_fails("TID r0\nSLT r1, r0, 8\nBRZ r1, over\nspin: JMP spin\nover: RECONV\nHALT\n", &cfg,
                  "t.simt:4:7: no end after 1000 issues: warp 0 is at pc 3, active lanes "
                  "########........................, waiting lanes "
                  "........########################; expected every lane to reach HALT");
    cfg.policy = SIMT_ITS;
    fixture_fails("spin: JMP spin\n", &cfg,
                  "t.simt:1:7: no end after 1000 issues: warp 0 is at pc 0");
}

static void a_budget_that_is_just_enough_is_enough(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    cfg.budget = 10;
    struct fixture f = fixture_kernel("even_odd", &cfg);
    assert_int_equal(fixture_run(&f).issues, 10);
    fixture_close(&f);
    cfg.budget = 9;
    f = fixture_kernel("even_odd", &cfg);
    assert_int_equal(simt_block_run(f.b, &f.err), -1);
    assert_int_equal(f.b->fault, SIMT_FAULT_HANG);
    fixture_close(&f);
}

static void bar_with_lanes_missing_names_the_first(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    fixture_fails("TID r0\nSLT r1, r0, 3\nBRZ r1, over\n  BAR\nover: RECONV\nHALT\n", &cfg,
                  "t.simt:4:3: BAR in warp 0 without lane 3, which waits elsewhere");
}

static void bar_after_some_lanes_have_halted_is_complete(void **state)
{
    (void)state;
    static const struct step want[] = {
        {0, ALL}, {1, ALL}, {2, ALL}, {3, 0x7}, {4, 0xfffffff8}, {5, 0xfffffff8}, {6, 0xfffffff8},
    };
    struct record r = recorded("TID r0\nSLT r1, r0, 3\nBRZ r1, over\nHALT\n"
                               "over: RECONV\nBAR\nHALT\n",
                               NULL);
    STEPS(&r, want);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lane_leaves_a_loop_in_its_own_round),
        cmocka_unit_test(a_backward_branch_waits_for_the_last_lane),
        cmocka_unit_test(halt_on_one_side_lets_the_other_run),
        cmocka_unit_test(halt_on_both_sides_ends_the_warp),
        cmocka_unit_test(lanes_that_halted_leave_every_mask_on_the_stack),
        cmocka_unit_test(halt_in_a_loop_resumes_the_rounds_that_wait),
        cmocka_unit_test(halt_pops_a_chain_of_visited_entries),
        cmocka_unit_test(halt_of_a_whole_subtree_returns_to_the_side_that_waits),
        cmocka_unit_test(a_jump_out_of_a_region_does_not_reconverge),
        cmocka_unit_test(a_program_that_runs_past_its_end_is_named),
        cmocka_unit_test(a_program_without_end_meets_the_budget),
        cmocka_unit_test(a_budget_that_is_just_enough_is_enough),
        cmocka_unit_test(bar_with_lanes_missing_names_the_first),
        cmocka_unit_test(bar_after_some_lanes_have_halted_is_complete),
    };
    return LAB_TEST_MAIN(tests);
}
