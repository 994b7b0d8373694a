/* Exercise e04: where the arms of a branch meet. */
#include <string.h>

#include "lab/test.h"
#include "ptx_cfg.h"
#include "ptx_meet.h"

/* if (…) 1 else 2; then 3, the end. */
static void the_arms_of_an_if_meet_behind_it(void **state)
{
    (void)state;
    const uint32_t ipdom[] = {3, 3, 3, 3}, rank[] = {0, 2, 1, 3};
    const struct ptx_chains chains = {ipdom, rank};
    assert_int_equal(ptx_meet(&chains, 1, 2), 3);
    assert_int_equal(ptx_meet(&chains, 2, 1), 3);
}

static void an_empty_arm_meets_at_the_other_ones_end(void **state)
{
    (void)state;
    /* 0 branches to 1 or 2; 1 goes to 2; 2 goes to the end, 3. */
    const uint32_t ipdom[] = {2, 2, 3, 3}, rank[] = {0, 1, 2, 3};
    const struct ptx_chains chains = {ipdom, rank};
    assert_int_equal(ptx_meet(&chains, 1, 2), 2);
    assert_int_equal(ptx_meet(&chains, 2, 1), 2);
}

static void a_block_meets_itself_where_it_is(void **state)
{
    (void)state;
    const uint32_t ipdom[] = {1, 2, 2}, rank[] = {0, 1, 2};
    const struct ptx_chains chains = {ipdom, rank};
    for (uint32_t b = 0; b < 3; b++) {
        assert_int_equal(ptx_meet(&chains, b, b), b);
    }
}

/* Chains of different lengths: 4 → 3 → 1 → 5 and 2 → 1 → 5. Blocks are not in the order of ranks.
 */
static void long_and_short_chains_meet_at_the_first_common_block(void **state)
{
    (void)state;
    const uint32_t ipdom[] = {1, 5, 1, 1, 3, 5}, rank[] = {0, 4, 3, 2, 1, 5};
    const struct ptx_chains chains = {ipdom, rank};
    assert_int_equal(ptx_meet(&chains, 4, 2), 1);
    assert_int_equal(ptx_meet(&chains, 2, 4), 1);
    assert_int_equal(ptx_meet(&chains, 4, 3), 3);
}

/* The lanes that part at instruction `pc` of this body meet at `want`. */
static void expect(const char *body, uint32_t pc, uint32_t want)
{
    char text[600];
    struct lab_err err = {0};
    struct ptx_module *m = NULL;
    struct ptx_cfg cfg;
    snprintf(text, sizeof(text),
             ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
             ".reg .pred %%p<9>; .reg .b32 %%r<9>;\n%s\n}\n",
             body);
    if (ptx_parse("k.ptx", text, strlen(text), &m, &err) != 0 ||
        ptx_cfg_build(ptx_find_func(m, "k"), &cfg, &err) != 0) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(ptx_cfg_reconv(&cfg, pc), want);
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void the_lanes_of_a_nested_if_meet_inside_first(void **state)
{
    (void)state;
    const char *body = "@%p1 bra ELSE;\n"         /* 0 */
                       "@%p2 bra INNER;\n"        /* 1 */
                       "mov.u32 %r1, 1;\n"        /* 2 */
                       "INNER: mov.u32 %r1, 2;\n" /* 3 */
                       "bra END;\n"               /* 4 */
                       "ELSE: mov.u32 %r1, 3;\n"  /* 5 */
                       "END: ret;";               /* 6 */
    expect(body, 1, 3);
    expect(body, 0, 6);
}

static void the_lanes_of_a_loop_meet_behind_it(void **state)
{
    (void)state;
    const char *body = "TOP: mov.u32 %r1, 1;\n" /* 0 */
                       "@%p1 bra OUT;\n"        /* 1 */
                       "mov.u32 %r2, 1;\n"      /* 2 */
                       "@%p2 bra TOP;\n"        /* 3 */
                       "OUT: ret;";             /* 4 */
    expect(body, 1, 4);
    expect(body, 3, 4);
}

static void lanes_that_return_early_meet_only_at_the_end(void **state)
{
    (void)state;
    expect("@%p1 bra REST;\nret;\nREST: mov.u32 %r1, 1;\nret;", 0, PTX_NO_INSN);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arms_of_an_if_meet_behind_it),
        cmocka_unit_test(an_empty_arm_meets_at_the_other_ones_end),
        cmocka_unit_test(a_block_meets_itself_where_it_is),
        cmocka_unit_test(long_and_short_chains_meet_at_the_first_common_block),
        cmocka_unit_test(the_lanes_of_a_nested_if_meet_inside_first),
        cmocka_unit_test(the_lanes_of_a_loop_meet_behind_it),
        cmocka_unit_test(lanes_that_return_early_meet_only_at_the_end),
    };
    return LAB_TEST_MAIN(tests);
}
