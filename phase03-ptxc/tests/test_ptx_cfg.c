/* Blocks, successors, immediate post-dominators: graphs by hand, and random ones against the
 * definition (a block post-dominates another when without it the end cannot be reached). */
#include "lab/rng.h"
#include "ptx_cfg.h"
#include "ptx_testing.h"

#include <stdlib.h>

static const struct ptx_func *kernel(const struct ptx_module *m)
{
    return ptx_find_func(m, "k");
}

static struct ptx_cfg build(const struct ptx_func *f)
{
    struct ptx_cfg cfg;
    struct lab_err err = {0};
    if (ptx_cfg_build(f, &cfg, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    return cfg;
}

static void cfg_of_straight_code_is_one_block(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .b32 a; mov.u32 a, 1; mov.u32 a, 2; ret;");
    struct ptx_cfg cfg = build(kernel(m));
    assert_int_equal(cfg.nblocks, 1);
    assert_int_equal(cfg.blocks[0].end, 3);
    assert_int_equal(cfg.blocks[0].nsucc, 0);
    assert_int_equal(cfg.blocks[0].ipdom, PTX_NO_INSN);
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void cfg_of_an_if_meets_behind_it(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .pred p; .reg .b32 a;\n"
                                      "@p bra ELSE; mov.u32 a, 1; bra END;\n"
                                      "ELSE: mov.u32 a, 2;\n"
                                      "END: mov.u32 a, 3; ret;");
    struct ptx_cfg cfg = build(kernel(m));
    assert_int_equal(cfg.nblocks, 4);
    assert_int_equal(cfg.blocks[0].nsucc, 2);
    assert_int_equal(cfg.blocks[0].succ[0], 1); /* falling through comes first */
    assert_int_equal(cfg.blocks[0].succ[1], 2);
    assert_int_equal(ptx_cfg_reconv(&cfg, 0), 4);
    assert_int_equal(cfg.block_of[4], 3);
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void cfg_of_a_loop_meets_behind_it(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .pred p, q; .reg .b32 a;\n"
                                      "L: @q bra OUT; mov.u32 a, 1; @p bra L;\n"
                                      "OUT: mov.u32 a, 2; ret;");
    struct ptx_cfg cfg = build(kernel(m));
    assert_int_equal(ptx_cfg_reconv(&cfg, 0), 3);
    assert_int_equal(ptx_cfg_reconv(&cfg, 2), 3);
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void cfg_of_an_early_return_meets_at_the_end_only(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .pred p, q; .reg .b32 a;\n"
                                      "@p bra REST; ret;\n"
                                      "REST: mov.u32 a, 1; @q ret; mov.u32 a, 2; ret;");
    struct ptx_cfg cfg = build(kernel(m));
    assert_int_equal(ptx_cfg_reconv(&cfg, 0), PTX_NO_INSN);
    assert_int_equal(cfg.blocks[cfg.block_of[3]].nsucc, 1); /* a guarded ret falls through */
    assert_int_equal(ptx_cfg_reconv(&cfg, 3), PTX_NO_INSN);
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void cfg_of_a_table_branch_goes_to_each_target_once(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .b32 a;\n"
                                      "ts: .branchtargets A, B, A, END;\n"
                                      "brx.idx a, ts;\n"
                                      "A: mov.u32 a, 1; bra END;\n"
                                      "B: mov.u32 a, 2;\n"
                                      "END: ret;");
    struct ptx_cfg cfg = build(kernel(m));
    assert_int_equal(cfg.blocks[0].nsucc, 3);
    assert_int_equal(ptx_cfg_reconv(&cfg, 0), 4);
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void cfg_of_an_endless_loop_has_no_post_dominator(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .pred p; .reg .b32 a;\n"
                                      "@p bra SPIN; mov.u32 a, 1; ret;\n"
                                      "SPIN: bra SPIN;");
    struct ptx_cfg cfg = build(kernel(m));
    assert_int_equal(cfg.blocks[cfg.block_of[3]].ipdom, PTX_NO_INSN);
    assert_int_equal(ptx_cfg_reconv(&cfg, 0), 1); /* the one way to the end */
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void cfg_of_a_declaration_is_empty(void **state)
{
    (void)state;
    static const char text[] = PTX_HEAD ".func f(.param .b32 a);";
    struct ptx_module *m = ptx_must_parse("t", text, strlen(text));
    struct ptx_cfg cfg = build(ptx_find_func(m, "f"));
    assert_int_equal(cfg.nblocks, 0);
    ptx_cfg_fini(&cfg);
    ptx_module_free(m);
}

static void cfg_refuses_a_branch_without_a_label(void **state)
{
    (void)state;
    static const char text[] = PTX_HEAD ".func f() { .reg .b32 a; brx.idx a; ret; }";
    struct ptx_module *m = ptx_must_parse("t", text, strlen(text));
    struct ptx_cfg cfg;
    struct lab_err err = {0};
    assert_int_equal(ptx_cfg_build(ptx_find_func(m, "f"), &cfg, &err), -1);
    assert_string_equal(err.msg, "t:4:26: a branch of 'f' without a target, expected a label");
    ptx_module_free(m);
}

/* --- random graphs --- */

#define MOST 12

/* A body of n instructions, each `mov`, a branch to a random one, or an end. */
static struct ptx_module *random_kernel(struct lab_rng *r, uint32_t n)
{
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_puts(&b, PTX_HEAD ".entry k() { .reg .pred p; .reg .b32 a;\n");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = (uint32_t)lab_rng_below(r, n), other = (uint32_t)lab_rng_below(r, n);
        lab_buf_printf(&b, "L%u: ", i);
        switch (lab_rng_below(r, 8)) {
        case 0: lab_buf_printf(&b, "bra L%u;\n", to); break;
        case 1:
        case 2:
        case 3: lab_buf_printf(&b, "@p bra L%u;\n", to); break;
        case 4: lab_buf_puts(&b, "@p exit;\n"); break;
        case 5:
            lab_buf_printf(&b, "T%u: .branchtargets L%u, L%u; brx.idx a, T%u;\n", i, to, other, i);
            break;
        case 6: lab_buf_puts(&b, i % 3 == 0 ? "ret;\n" : "mov.u32 a, 2;\n"); break;
        default: lab_buf_puts(&b, "mov.u32 a, 1;\n"); break;
        }
    }
    lab_buf_puts(&b, "ret; }");
    struct ptx_module *m = ptx_must_parse("random", lab_buf_str(&b), b.len);
    lab_buf_fini(&b);
    return m;
}

/* Where control may go from instruction i; returns true when it may leave the function. */
static bool next_of(const struct ptx_func *f, uint32_t i, uint32_t out[3], uint32_t *n)
{
    const struct ptx_insn *insn = &f->insns[i];
    bool ends = insn->op == PTX_W_ret || insn->op == PTX_W_exit;
    *n = 0;
    if (insn->op == PTX_W_bra) {
        out[(*n)++] = insn->ops[0].target;
    } else if (insn->op == PTX_W_brx) {
        out[(*n)++] = insn->ops[1].elems[0].target;
        out[(*n)++] = insn->ops[1].elems[1].target;
    }
    if (insn->guard != NULL || (*n == 0 && !ends)) {
        out[(*n)++] = i + 1;
    }
    return ends;
}

/* Can the end be reached from instruction `from` without passing `without`? */
static bool reaches_end(const struct ptx_func *f, uint32_t from, uint32_t without)
{
    bool seen[4 * MOST] = {false};
    uint32_t stack[16 * MOST], depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
        uint32_t i = stack[--depth], next[3], n;
        if (i == without || seen[i]) {
            continue;
        }
        seen[i] = true;
        if (next_of(f, i, next, &n)) {
            return true;
        }
        for (uint32_t k = 0; k < n; k++) {
            stack[depth++] = next[k];
        }
    }
    return false;
}

/* By the definition: among the instructions that post-dominate i strictly, the one that all others
 * post-dominate in turn. */
static uint32_t brute_ipdom(const struct ptx_func *f, uint32_t i)
{
    if (!reaches_end(f, i, UINT32_MAX)) {
        return PTX_NO_INSN;
    }
    for (uint32_t d = 0; d < f->ninsns; d++) {
        if (d == i || reaches_end(f, i, d)) {
            continue;
        }
        bool nearest = true;
        for (uint32_t e = 0; e < f->ninsns && nearest; e++) {
            bool also = e != i && e != d && !reaches_end(f, i, e);
            nearest = !also || !reaches_end(f, d, e);
        }
        if (nearest) {
            return d;
        }
    }
    return PTX_NO_INSN;
}

static void check_against_brute_force(const struct ptx_func *f)
{
    struct ptx_cfg cfg = build(f);
    for (uint32_t b = 0; b < cfg.nblocks; b++) {
        uint32_t last = cfg.blocks[b].end - 1;
        assert_int_equal(ptx_cfg_reconv(&cfg, last), brute_ipdom(f, last));
        for (uint32_t i = cfg.blocks[b].first; i <= last; i++) {
            assert_int_equal(cfg.block_of[i], b);
        }
        assert_true(cfg.blocks[b].first == (b == 0 ? 0 : cfg.blocks[b - 1].end));
    }
    assert_int_equal(cfg.blocks[cfg.nblocks - 1].end, f->ninsns);
    ptx_cfg_fini(&cfg);
}

static void cfg_agrees_with_the_definition_on_random_graphs(void **state)
{
    (void)state;
    struct lab_rng r;
    lab_rng_seed(&r, 42);
    for (long t = lab_test_trials(3000); t > 0; t--) {
        struct ptx_module *m = random_kernel(&r, 1 + (uint32_t)lab_rng_below(&r, MOST));
        check_against_brute_force(kernel(m));
        ptx_module_free(m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cfg_of_straight_code_is_one_block),
        cmocka_unit_test(cfg_of_an_if_meets_behind_it),
        cmocka_unit_test(cfg_of_a_loop_meets_behind_it),
        cmocka_unit_test(cfg_of_an_early_return_meets_at_the_end_only),
        cmocka_unit_test(cfg_of_a_table_branch_goes_to_each_target_once),
        cmocka_unit_test(cfg_of_an_endless_loop_has_no_post_dominator),
        cmocka_unit_test(cfg_of_a_declaration_is_empty),
        cmocka_unit_test(cfg_refuses_a_branch_without_a_label),
        cmocka_unit_test(cfg_agrees_with_the_definition_on_random_graphs),
    };
    return LAB_TEST_MAIN(tests);
}
