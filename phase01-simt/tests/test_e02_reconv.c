/* Exercise e02_reconv: branch, jump and RECONV on the mask stack. */
#include "simt_helper.h"
#include "simt_kernels.h"
#include "simt_reconv.h"

static struct simt_path path_at(uint32_t pc, uint32_t active)
{
    return (struct simt_path){.pc = pc, .active = active};
}

static void a_uniform_branch_pushes_nothing(void **state)
{
    (void)state;
    struct simt_path p = path_at(10, 0xff);
    simt_branch(&p, 0, 50, 60);
    assert_int_equal(p.pc, 11);
    simt_branch(&p, 0xff, 50, 60);
    assert_int_equal(p.pc, 50);
    assert_int_equal(p.active, 0xff);
    assert_int_equal(p.depth, 0);
}

static void lanes_that_disagree_push_and_the_others_run_on(void **state)
{
    (void)state;
    struct simt_path p = path_at(10, 0xff);
    simt_branch(&p, 0x0f, 50, 60);
    assert_int_equal(p.pc, 11);
    assert_int_equal(p.active, 0xf0);
    assert_int_equal(p.depth, 1);
    assert_int_equal(p.stack[0].before, 0xff);
    assert_int_equal(p.stack[0].taken, 0x0f);
    assert_int_equal(p.stack[0].target, 50);
    assert_false(p.stack[0].visited);
}

static void a_branch_remembers_its_own_reconv(void **state)
{
    (void)state;
    struct simt_path p = path_at(10, 0xff);
    simt_branch(&p, 0x0f, 50, 60);
    assert_int_equal(p.stack[0].reconv, 60);
    /* The other side's first instruction is no place to meet. */
    p.pc = 60;
    simt_reconv(&p);
    assert_int_equal(p.pc, 50);
    assert_int_equal(p.active, 0x0f);
}

static void reconv_switches_first_and_restores_second(void **state)
{
    (void)state;
    struct simt_path p = path_at(10, 0xff);
    simt_branch(&p, 0x0f, 50, 60);
    p.pc = 60;
    simt_reconv(&p);
    assert_int_equal(p.pc, 50);
    assert_int_equal(p.active, 0x0f);
    assert_int_equal(p.depth, 1);
    p.pc = 60;
    simt_reconv(&p);
    assert_int_equal(p.pc, 61);
    assert_int_equal(p.active, 0xff);
    assert_int_equal(p.depth, 0);
}

static void reconv_without_an_own_entry_is_a_step(void **state)
{
    (void)state;
    struct simt_path p = path_at(60, 0xff);
    simt_reconv(&p);
    assert_int_equal(p.pc, 61);
    assert_int_equal(p.active, 0xff);
}

static void reconv_leaves_the_entries_of_other_branches(void **state)
{
    (void)state;
    struct simt_path p = path_at(10, 0xff);
    simt_branch(&p, 0x0f, 50, 60);
    p.pc = 40; /* a RECONV of another branch, inside */
    simt_reconv(&p);
    assert_int_equal(p.pc, 41);
    assert_int_equal(p.active, 0xf0);
    assert_int_equal(p.depth, 1);
    assert_false(p.stack[0].visited);
}

static void jump_leaves_mask_and_stack(void **state)
{
    (void)state;
    struct simt_path p = path_at(10, 0xff);
    simt_branch(&p, 0x0f, 50, 60);
    simt_jump(&p, 60);
    assert_int_equal(p.pc, 60);
    assert_int_equal(p.active, 0xf0);
    assert_int_equal(p.depth, 1);
    assert_false(p.stack[0].visited);
}

/* A loop: BRZ at 10, RECONV at 60. Lanes 2-3 leave in the first round, lane 1 in the second, lane 0
 * in the third, when nobody is left to disagree. */
static void reconv_goes_on_with_the_next_own_entry(void **state)
{
    (void)state;
    struct simt_path p = path_at(10, 0x0f);
    simt_branch(&p, 0x0c, 60, 60);
    simt_jump(&p, 10);
    simt_branch(&p, 0x02, 60, 60);
    simt_jump(&p, 10);
    simt_branch(&p, 0x01, 60, 60);
    assert_int_equal(p.depth, 2);
    assert_int_equal(p.pc, 60);
    simt_reconv(&p); /* lane 0 is here: now lane 1 */
    assert_int_equal(p.active, 0x02);
    assert_int_equal(p.pc, 60);
    simt_reconv(&p); /* lanes 0 and 1 together again; in the same visit: now lanes 2 and 3 */
    assert_int_equal(p.active, 0x0c);
    assert_int_equal(p.pc, 60);
    assert_int_equal(p.depth, 1);
    simt_reconv(&p);
    assert_int_equal(p.active, 0x0f);
    assert_int_equal(p.pc, 61);
    assert_int_equal(p.depth, 0);
}

/* BRNZ at the end of a loop: the lanes that take it go around. All entries are visited by the time
 * the last lane leaves, and one RECONV pops them all. */
static void one_reconv_may_pop_several_entries(void **state)
{
    (void)state;
    struct simt_path p = path_at(20, 0x07);
    for (uint32_t again = 0x06; again != 0; again &= again << 1) {
        simt_branch(&p, again, 10, 21);
        assert_int_equal(p.pc, 21);
        simt_reconv(&p);
        assert_int_equal(p.pc, 10);
        assert_int_equal(p.active, again);
        p.pc = 20;
    }
    assert_int_equal(p.depth, 2);
    simt_branch(&p, 0, 10, 21);
    simt_reconv(&p);
    assert_int_equal(p.pc, 22);
    assert_int_equal(p.active, 0x07);
    assert_int_equal(p.depth, 0);
}

static void the_kernels_take_the_issues_of_the_reference_table(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned issues, active_sum, depth;
    } want[] = {
        {"uniform", 6, 192, 0},
        {"warp_uniform", 7, 224, 0},
        {"even_odd", 10, 224, 1},
        {"max_divergent", 226, 4224, 1},
    };
    struct simt_config cfg = config_policy(SIMT_STACK);
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        struct fixture f = fixture_kernel(want[i].name, &cfg);
        struct simt_counters n = fixture_run(&f);
        assert_int_equal(n.issues, want[i].issues);
        assert_int_equal(n.active_sum, want[i].active_sum);
        assert_int_equal(n.max_depth, want[i].depth);
        assert_true(simt_kernel_holds(want[i].name, f.b, NULL));
        fixture_close(&f);
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_uniform_branch_pushes_nothing),
        cmocka_unit_test(lanes_that_disagree_push_and_the_others_run_on),
        cmocka_unit_test(a_branch_remembers_its_own_reconv),
        cmocka_unit_test(reconv_switches_first_and_restores_second),
        cmocka_unit_test(reconv_without_an_own_entry_is_a_step),
        cmocka_unit_test(reconv_leaves_the_entries_of_other_branches),
        cmocka_unit_test(jump_leaves_mask_and_stack),
        cmocka_unit_test(reconv_goes_on_with_the_next_own_entry),
        cmocka_unit_test(one_reconv_may_pop_several_entries),
        cmocka_unit_test(the_kernels_take_the_issues_of_the_reference_table),
    };
    return LAB_TEST_MAIN(tests);
}
