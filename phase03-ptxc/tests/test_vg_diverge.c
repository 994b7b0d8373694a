/* Divergence: lanes part and meet again, under both policies. The main law is differential: a
 * program run by a warp gives every lane what it gives a warp of that lane alone. */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/rng.h"
#include "vgt.h"

/* How often each instruction was issued, by the counters of a fresh device. */
static struct vgpu_counters run_counted(const char *ptx, enum vgpu_policy policy, uint32_t *words,
                                        uint32_t n, struct vgt **out)
{
    struct vgpu_config c = {.counters = true, .policy = policy};
    *out = vgt_new(&c, ptx);
    vgt_words(*out, 1, 32, words, n);
    return (*out)->counters;
}

static const char nested[] = VGT_KERNEL(
    "mov.u32 %r1, 0; setp.lt.u32 %p1, %r61, 16; @!%p1 bra HIGH;\n"
    "and.b32 %r2, %r61, 1; setp.eq.u32 %p2, %r2, 0; @%p2 bra EVEN;\n"
    "add.u32 %r1, %r1, 1; bra IN;\n"
    "EVEN: add.u32 %r1, %r1, 2;\n"
    "IN: add.u32 %r1, %r1, 10; bra OUT;\n"
    "HIGH: add.u32 %r1, %r1, 100;\n"
    "OUT: activemask.b32 %r3; st.global.u32 [%rd30], %r1; st.global.u32 [%rd30+128], %r3;\n");

static void nested_arms_meet_again(void **state)
{
    (void)state;
    uint32_t w[64];
    for (int policy = 0; policy < 2; policy++) {
        struct vgt *t = NULL;
        struct vgpu_counters c = run_counted(nested, (enum vgpu_policy)policy, w, 64, &t);
        for (uint32_t l = 0; l < 32; l++) {
            assert_int_equal(w[l], l >= 16 ? 100 : (l & 1) != 0 ? 11 : 12);
            assert_int_equal(w[32 + l], 0xFFFFFFFFu);
        }
        /* Every instruction of the body is issued once, whatever the arms did. */
        const struct ptx_func *f = vgpu_module_ptx(t->m)->funcs;
        for (uint32_t pc = 0; pc < f->ninsns; pc++) {
            assert_int_equal(c.at[pc].inst_executed, 1);
        }
        assert_int_equal(vg_count_sum(&c, f).divergent_branches, 2);
        assert_int_equal(vg_count_sum(&c, f).branches, 4);
        vgt_free(t);
    }
}

static void a_loop_runs_as_often_as_its_last_lane(void **state)
{
    (void)state;
    uint32_t w[64];
    struct vgt *t = NULL;
    struct vgpu_counters c = run_counted(
        VGT_KERNEL("mov.u32 %r1, 0; LOOP: add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r61;\n"
                   "@%p1 bra LOOP; activemask.b32 %r3;\n"
                   "st.global.u32 [%rd30], %r1; st.global.u32 [%rd30+128], %r3;\n"),
        VGPU_POLICY_ITS, w, 64, &t);
    uint64_t adds = 0, lanes = 0;
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l + 1);
        assert_int_equal(w[32 + l], 0xFFFFFFFFu);
        lanes += l + 1;
    }
    const struct ptx_func *f = vgpu_module_ptx(t->m)->funcs;
    for (uint32_t pc = 0; pc < f->ninsns; pc++) {
        if (f->insns[pc].op == PTX_W_setp) {
            adds = c.at[pc].inst_executed;
            assert_int_equal(c.at[pc].thread_inst_executed, lanes);
        }
    }
    assert_int_equal(adds, 32);
    vgt_free(t);
}

static void lanes_that_return_in_an_arm_stay_away(void **state)
{
    (void)state;
    uint32_t w[64];
    vgt_run(VGT_KERNEL("and.b32 %r2, %r61, 3; setp.eq.u32 %p1, %r2, 1; @!%p1 bra ON;\n"
                       "mov.u32 %r3, 7; st.global.u32 [%rd30], %r3; ret;\n"
                       "ON: setp.eq.u32 %p2, %r2, 2; @%p2 exit;\n"
                       "activemask.b32 %r3; st.global.u32 [%rd30], %r3;\n"),
            1, 32, w, 32);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l % 4 == 1 ? 7 : l % 4 == 2 ? 0 : 0x99999999u);
    }
}

static void a_branch_table_sends_each_lane_its_way(void **state)
{
    (void)state;
    uint32_t w[64];
    vgt_run(VGT_KERNEL("and.b32 %r2, %r61, 3;\n"
                       "TS: .branchtargets L0, L1, L2, L1;\n"
                       "brx.idx %r2, TS;\n"
                       "L0: mov.u32 %r1, 10; bra END; L1: mov.u32 %r1, 11; bra END;\n"
                       "L2: mov.u32 %r1, 12;\n"
                       "END: activemask.b32 %r3; st.global.u32 [%rd30], %r1;\n"
                       "st.global.u32 [%rd30+128], %r3;\n"),
            1, 32, w, 64);
    static const uint32_t want[4] = {10, 11, 12, 11};
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], want[l & 3]);
        assert_int_equal(w[32 + l], 0xFFFFFFFFu);
    }
}

static void an_index_past_the_table_is_a_fault(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, VGT_KERNEL("TS: .branchtargets L0, L1;\n"
                                             "brx.idx %r61, TS; L0: mov.u32 %r1, 1; L1:\n"));
    vgt_fails(t, 1, 32, VGPU_INVALID_PC, "has 2 targets");
    vgt_free(t);
}

static void guards_work_on_any_instruction(void **state)
{
    (void)state;
    uint32_t w[96];
    vgt_run(VGT_KERNEL("setp.lt.u32 %p1, %r61, 7; mov.u32 %r1, 1; @%p1 mov.u32 %r1, 2;\n"
                       "@!%p1 add.u32 %r1, %r1, 10; @%p1 st.global.u32 [%rd30], %r1;\n"
                       "@%p1 activemask.b32 %r2; @!%p1 mov.u32 %r2, 5;\n"
                       "@%p1 setp.lt.u32 %p2, %r61, 3; @!%p1 setp.lt.u32 %p2, %r61, 9;\n"
                       "selp.u32 %r3, 1, 0, %p2;\n"
                       "st.global.u32 [%rd30+128], %r2; st.global.u32 [%rd30+256], %r3;\n"),
            1, 32, w, 96);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l < 7 ? 2 : 0);
        assert_int_equal(w[32 + l], l < 7 ? 0x7F : 5);
        assert_int_equal(w[64 + l], l < 3 || l == 7 || l == 8);
    }
}

/* --- spinning inside a warp --- */

/* Each lane takes the lock, adds, and gives it back: while (cas(lock) != 0); … exch(lock, 0). */
static const char lock[] =
    VGT_KERNEL("SPIN: atom.global.cas.b32 %r1, [%rd26], 0, 1;\n"
               "setp.ne.u32 %p1, %r1, 0; @%p1 bra SPIN;\n"
               "ld.volatile.global.u32 %r2, [%rd26+4]; add.u32 %r2, %r2, 1;\n"
               "st.volatile.global.u32 [%rd26+4], %r2; membar.gl;\n"
               "atom.global.exch.b32 %r1, [%rd26], 0;\n");

static void a_spin_lock_within_a_warp_makes_progress(void **state)
{
    (void)state;
    uint32_t w[2];
    struct vgpu_config c = {.budget = 10000000};
    struct vgt *t = vgt_new(&c, lock);
    vgt_words(t, 3, 64, w, 2);
    assert_int_equal(w[0], 0);
    assert_int_equal(w[1], 192);
    vgt_free(t);
}

static void the_stack_policy_hangs_on_it_and_the_budget_says_so(void **state)
{
    (void)state;
    struct vgpu_config c = {.budget = 1000000, .policy = VGPU_POLICY_STACK};
    struct vgt *t = vgt_new(&c, lock);
    vgt_fails(t, 1, 32, VGPU_TIMEOUT, "budget of 1000000 warp instructions");
    assert_int_equal(t->fault.lanes, 0xFFFFFFFEu);
    assert_true(t->fault.func->insns[t->fault.pc].op == PTX_W_bra);
    vgt_free(t);
}

/* One lane waits for a flag that another one sets behind the loop, with plain loads. */
static void a_plain_spin_is_let_go_after_a_while(void **state)
{
    (void)state;
    uint32_t w[2];
    struct vgpu_config c = {.budget = 100000000};
    struct vgt *t = vgt_new(&c, VGT_KERNEL(".shared .u32 flag;\n"
                                           "setp.eq.u32 %p1, %r61, 0; @%p1 bra DONE;\n"
                                           "WAIT: ld.shared.u32 %r1, [flag];\n"
                                           "setp.eq.u32 %p2, %r1, 0; @%p2 bra WAIT;\n"
                                           "DONE: mov.u32 %r2, 1; st.shared.u32 [flag], %r2;\n"
                                           "st.global.u32 [%rd30], %r2;\n"));
    vgt_words(t, 1, 32, w, 2);
    assert_int_equal(w[1], 1);
    vgt_free(t);
}

/* --- random programs --- */

struct gen {
    struct lab_buf text;
    struct lab_rng rng;
    unsigned labels, pred;
};

static uint32_t pick(struct gen *g, uint32_t n)
{
    return (uint32_t)lab_rng_below(&g->rng, n);
}

/* r1 is the lane's state, r4 the thread's number; a condition that lanes disagree on goes to a
 * predicate. */
static unsigned condition(struct gen *g)
{
    unsigned p = 1 + g->pred++ % 10;
    lab_buf_printf(&g->text,
                   "shr.u32 %%r5, %%r1, %u; and.b32 %%r5, %%r5, %u;\n"
                   "setp.%s.u32 %%p%u, %%r5, %u;\n",
                   pick(g, 20), (1u << (1 + pick(g, 3))) - 1, pick(g, 2) ? "lt" : "ne", p,
                   1 + pick(g, 3));
    return p;
}

static void stir(struct gen *g)
{
    lab_buf_printf(&g->text, "mad.lo.u32 %%r1, %%r1, %u, %%r4; xor.b32 %%r1, %%r1, %u;\n",
                   pick(g, 1u << 20) * 2 + 1, pick(g, 1u << 30));
}

static void block(struct gen *g, unsigned depth);

static void if_else(struct gen *g, unsigned depth)
{
    unsigned l = g->labels++, p = condition(g);
    lab_buf_printf(&g->text, "@%%p%u bra E%u;\n", p, l);
    block(g, depth);
    lab_buf_printf(&g->text, "bra X%u;\nE%u:\n", l, l);
    block(g, depth);
    lab_buf_printf(&g->text, "X%u:\n", l);
}

static void loop(struct gen *g, unsigned depth)
{
    unsigned l = g->labels++, counter = 10 + depth;
    lab_buf_printf(&g->text, "and.b32 %%r%u, %%r1, 7;\nL%u:\n", counter, l);
    block(g, depth);
    if (pick(g, 3) == 0) {
        unsigned p = condition(g);
        lab_buf_printf(&g->text, "@%%p%u bra X%u;\n", p, l);
    }
    lab_buf_printf(&g->text,
                   "sub.s32 %%r%u, %%r%u, 1; setp.gt.s32 %%p11, %%r%u, 0; @%%p11 bra L%u;\nX%u:\n",
                   counter, counter, counter, l, l);
}

static void leave(struct gen *g)
{
    unsigned p = condition(g);
    lab_buf_printf(&g->text, "@%%p%u st.global.u32 [%%rd31], %%r1;\n@%%p%u %s;\n", p, p,
                   pick(g, 2) ? "ret" : "exit");
}

static void table_jump(struct gen *g, unsigned depth)
{
    unsigned l = g->labels++;
    lab_buf_printf(&g->text,
                   "and.b32 %%r5, %%r1, 3;\nT%u: .branchtargets A%u, B%u, C%u, X%u;\n"
                   "brx.idx %%r5, T%u;\n",
                   l, l, l, l, l, l);
    static const char *const names[] = {"A", "B", "C"};
    for (int k = 0; k < 3; k++) {
        lab_buf_printf(&g->text, "%s%u:\n", names[k], l);
        block(g, depth);
        if (pick(g, 2) == 0) {
            lab_buf_printf(&g->text, "bra X%u;\n", l);
        }
    }
    lab_buf_printf(&g->text, "X%u:\n", l);
}

static void call(struct gen *g)
{
    unsigned p = condition(g), l = g->labels++;
    lab_buf_printf(&g->text,
                   "@!%%p%u bra X%u;\n"
                   "{ .param .b32 q0; .param .b32 q1; st.param.b32 [q0], %%r1;\n"
                   "call (q1), helper, (q0); ld.param.b32 %%r1, [q1]; }\nX%u:\n",
                   p, l, l);
}

static void block(struct gen *g, unsigned depth)
{
    unsigned n = 1 + pick(g, 3);
    for (unsigned k = 0; k < n; k++) {
        stir(g);
        switch (depth == 0 ? 9 : pick(g, 7)) {
        case 0:
        case 1: if_else(g, depth - 1); break;
        case 2: loop(g, depth - 1); break;
        case 3: leave(g); break;
        case 4: table_jump(g, depth - 1); break;
        case 5: call(g); break;
        default: break;
        }
    }
}

/* A function that calls itself as often as its argument's low bits say, returns in the middle for
 * some lanes and ends the thread for others. */
static const char helper[] =
    ".func (.param .b32 res) helper(.param .b32 arg) {\n"
    ".reg .b32 %r<8>; .reg .pred %p<4>;\n"
    "ld.param.b32 %r1, [arg]; and.b32 %r2, %r1, 5; mad.lo.u32 %r3, %r1, 77, 13;\n"
    "st.param.b32 [res], %r3; setp.eq.u32 %p1, %r2, 1; @%p1 ret;\n"
    "and.b32 %r6, %r1, 0xF0; setp.eq.u32 %p3, %r6, 0x30; @%p3 exit;\n"
    "setp.ne.u32 %p2, %r2, 5; @%p2 bra DONE; shr.u32 %r4, %r1, 1;\n"
    "{ .param .b32 q0; .param .b32 q1; st.param.b32 [q0], %r4;\n"
    "call (q1), helper, (q0); ld.param.b32 %r5, [q1]; add.u32 %r3, %r3, %r5; }\n"
    "DONE: st.param.b32 [res], %r3; ret; }\n";

static char *random_program(uint64_t seed)
{
    struct gen g = {.labels = 0};
    lab_buf_init(&g.text);
    lab_rng_seed(&g.rng, seed);
    lab_buf_printf(&g.text, "%s%s", VGT_HEAD, helper);
    lab_buf_puts(&g.text, ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b,"
                          ".param .u64 c) {\n" VGT_REGS);
    lab_buf_puts(&g.text, "cvt.u32.u64 %r4, %rd27; add.u32 %r4, %r4, %r60;\n"
                          "mul.wide.u32 %rd31, %r4, 4; add.s64 %rd31, %rd26, %rd31;\n"
                          "mul.lo.u32 %r1, %r4, 0x9E3779B9;\n");
    block(&g, 3);
    lab_buf_puts(&g.text, "st.global.u32 [%rd31], %r1; ret; }\n");
    return g.text.data;
}

#define THREADS 48

static void run_program(struct vgt *t, uint32_t block_size, uint32_t *words)
{
    assert_int_equal(vgpu_set(t->g, t->out, 0, 4, THREADS), VGPU_OK);
    for (uint32_t first = 0; first < THREADS; first += block_size) {
        const uint64_t abc[3] = {first, 0, 0};
        if (vgt_launch(t, "k", 1, block_size, abc) != VGPU_OK) {
            fail_msg("%s", t->fault.text);
        }
    }
    assert_int_equal(vgpu_read(t->g, words, t->out, THREADS * 4), VGPU_OK);
}

static void a_warp_does_what_its_lanes_do_alone(void **state)
{
    (void)state;
    long trials = lab_test_trials(60);
    for (long k = 0; k < trials; k++) {
        char *text = random_program((uint64_t)k + 1);
        uint32_t alone[THREADS], together[THREADS];
        struct vgpu_config c = {.budget = 10000000};
        struct vgt *t = vgt_new(&c, text);
        run_program(t, 1, alone);
        run_program(t, THREADS, together);
        vgt_free(t);
        assert_memory_equal(alone, together, sizeof(alone));
        c.policy = VGPU_POLICY_STACK;
        t = vgt_new(&c, text);
        run_program(t, THREADS, together);
        vgt_free(t);
        assert_memory_equal(alone, together, sizeof(alone));
        free(text);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_arms_meet_again),
        cmocka_unit_test(a_loop_runs_as_often_as_its_last_lane),
        cmocka_unit_test(lanes_that_return_in_an_arm_stay_away),
        cmocka_unit_test(a_branch_table_sends_each_lane_its_way),
        cmocka_unit_test(an_index_past_the_table_is_a_fault),
        cmocka_unit_test(guards_work_on_any_instruction),
        cmocka_unit_test(a_spin_lock_within_a_warp_makes_progress),
        cmocka_unit_test(the_stack_policy_hangs_on_it_and_the_budget_says_so),
        cmocka_unit_test(a_plain_spin_is_let_go_after_a_while),
        cmocka_unit_test(a_warp_does_what_its_lanes_do_alone),
    };
    return LAB_TEST_MAIN(tests);
}
