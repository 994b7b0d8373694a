/* Shuffles, votes, matches and reductions of a warp: the rules, the public reports about shuffles,
 * and .sync instructions whose lanes arrive in different arms of a branch. */
#include <stdio.h>
#include <string.h>

#include "vg_warpops.h"
#include "vgt.h"

/* r1 = 100 + lane; insn sets r2 and p1. */
static void shuffle(const char *insn, uint32_t *words, uint32_t *preds)
{
    static const char before[] =
        VGT_HEAD ".visible .entry k(.param .u64 out, .param .u64 a,"
                 ".param .u64 b, .param .u64 c) {\n" VGT_REGS "add.u32 %r1, %r61, 100;\n";
    static const char after[] = "st.global.u32 [%rd30], %r2; selp.u32 %r3, 1, 0, %p1;\n"
                                "st.global.u32 [%rd30+4096], %r3; ret; }\n";
    char text[4096];
    snprintf(text, sizeof(text), "%s%s%s", before, insn, after);
    uint32_t all[2048];
    vgt_run(text, 1, 32, all, 2048);
    memcpy(words, all, 32 * 4);
    memcpy(preds, all + 1024, 32 * 4);
}

static void each_mode_reads_its_lane(void **state)
{
    (void)state;
    uint32_t w[32], p[32];
    shuffle("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l >= 3 ? 100 + l - 3 : 100 + l);
        assert_int_equal(p[l], l >= 3);
    }
    shuffle("shfl.sync.down.b32 %r2|%p1, %r1, 5, 31, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l + 5 < 32 ? 100 + l + 5 : 100 + l);
        assert_int_equal(p[l], l + 5 < 32);
    }
    shuffle("shfl.sync.bfly.b32 %r2|%p1, %r1, 6, 31, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 100 + (l ^ 6));
        assert_int_equal(p[l], 1);
    }
    shuffle("shfl.sync.idx.b32 %r2|%p1, %r1, 9, 31, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 109);
    }
}

static void segments_keep_lanes_apart(void **state)
{
    (void)state;
    uint32_t w[32], p[32];
    /* width 8: clamp 31, segment mask 24; for up the clamp is 0 */
    shuffle("shfl.sync.down.b32 %r2|%p1, %r1, 2, 0x181F, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 100 + (l % 8 < 6 ? l + 2 : l));
        assert_int_equal(p[l], l % 8 < 6);
    }
    shuffle("shfl.sync.up.b32 %r2|%p1, %r1, 1, 0x1800, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 100 + (l % 8 > 0 ? l - 1 : l));
    }
    shuffle("shfl.sync.idx.b32 %r2|%p1, %r1, 2, 0x181F, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 100 + l / 8 * 8 + 2);
    }
}

static void broadcast_works_in_place(void **state)
{
    (void)state;
    uint32_t w[32], p[32];
    shuffle("setp.eq.u32 %p1, %r1, %r1; shfl.sync.idx.b32 %r1, %r1, 0, 31, -1; mov.u32 %r2, %r1;",
            w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 100);
    }
    shuffle("setp.eq.u32 %p1, %r1, %r1; shfl.sync.up.b32 %r1, %r1, 1, 0, -1; mov.u32 %r2, %r1;", w,
            p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l > 0 ? 100 + l - 1 : 100);
    }
}

static void deltas_count_with_five_bits(void **state)
{
    (void)state;
    uint32_t w[32], p[32], v[32], q[32];
    shuffle("mov.u32 %r4, 32; shfl.sync.up.b32 %r2|%p1, %r1, %r4, 0, -1;", w, p);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 100 + l);
        assert_int_equal(p[l], 1);
    }
    static const char *const pairs[][2] = {
        {"mov.u32 %r4, 33; shfl.sync.up.b32 %r2|%p1, %r1, %r4, 0, -1;",
         "shfl.sync.up.b32 %r2|%p1, %r1, 1, 0, -1;"},
        {"mov.u32 %r4, 63; shfl.sync.down.b32 %r2|%p1, %r1, %r4, 31, -1;",
         "shfl.sync.down.b32 %r2|%p1, %r1, 31, 31, -1;"},
        {"mov.u32 %r4, 63; shfl.sync.bfly.b32 %r2|%p1, %r1, %r4, 31, -1;",
         "shfl.sync.bfly.b32 %r2|%p1, %r1, 31, 31, -1;"},
    };
    for (size_t k = 0; k < 3; k++) {
        shuffle(pairs[k][0], w, p);
        shuffle(pairs[k][1], v, q);
        assert_memory_equal(w, v, sizeof(w));
        assert_memory_equal(p, q, sizeof(p));
    }
}

/* Law: a source in range lies in the lane's segment, and the butterfly is its own inverse. */
static void sources_stay_in_the_segment(void **state)
{
    (void)state;
    for (uint32_t width = 1; width <= 32; width *= 2) {
        uint32_t c = (32 - width) << 8;
        for (uint32_t l = 0; l < 32; l++) {
            for (uint32_t b = 0; b < 64; b++) {
                bool in = false;
                uint32_t from = vg_shfl_source(VG_SHFL_DOWN, l, b, c | 31, &in);
                assert_int_equal(from / width, l / width);
                from = vg_shfl_source(VG_SHFL_UP, l, b, c, &in);
                assert_int_equal(from / width, l / width);
                from = vg_shfl_source(VG_SHFL_IDX, l, b, c | 31, &in);
                assert_int_equal(from / width, l / width);
                from = vg_shfl_source(VG_SHFL_BFLY, l, b % width, c | 31, &in);
                assert_int_equal(vg_shfl_source(VG_SHFL_BFLY, from, b % width, c | 31, &in), l);
            }
        }
    }
}

static void votes_look_at_the_members(void **state)
{
    (void)state;
    uint32_t w[128];
    vgt_run(
        VGT_KERNEL("setp.lt.u32 %p1, %r61, 5;\n"
                   "vote.sync.ballot.b32 %r1, %p1, -1; vote.sync.any.pred %p2, %p1, -1;\n"
                   "vote.sync.all.pred %p3, %p1, -1; vote.sync.uni.pred %p4, %p1, -1;\n"
                   "vote.sync.ballot.b32 %r2, !%p1, -1; vote.sync.all.pred %p5, !%p1, -1;\n"
                   "st.global.u32 [%rd30], %r1; st.global.u32 [%rd30+128], %r2;\n"
                   "selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 2, 0, %p3; selp.u32 %r5, 4, 0, %p4;\n"
                   "or.b32 %r3, %r3, %r4; or.b32 %r3, %r3, %r5;\n"
                   "selp.u32 %r4, 8, 0, %p5; or.b32 %r3, %r3, %r4;\n"
                   "st.global.u32 [%rd30+256], %r3;\n"),
        1, 32, w, 128);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 0x1F);
        assert_int_equal(w[32 + l], ~0x1Fu);
        assert_int_equal(w[64 + l], 1);
    }
}

static void match_groups_equal_values(void **state)
{
    (void)state;
    uint32_t w[128];
    vgt_run(VGT_KERNEL("and.b32 %r1, %r61, 3; match.any.sync.b32 %r2, %r1, -1;\n"
                       "st.global.u32 [%rd30], %r2;\n"
                       "match.all.sync.b32 %r3|%p1, %r1, -1; selp.u32 %r4, 1, 0, %p1;\n"
                       "st.global.u32 [%rd30+128], %r3; st.global.u32 [%rd30+256], %r4;\n"
                       "mov.u64 %rd1, 7; match.all.sync.b64 %r3|%p1, %rd1, -1;\n"
                       "selp.u32 %r4, %r3, 0, %p1; st.global.u32 [%rd30+384], %r4;\n"),
            1, 32, w, 128);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 0x11111111u << (l & 3));
        assert_int_equal(w[32 + l], 0);
        assert_int_equal(w[64 + l], 0);
        assert_int_equal(w[96 + l], 0xFFFFFFFFu);
    }
}

static void redux_reduces_signed_and_unsigned(void **state)
{
    (void)state;
    uint32_t w[6 * 32];
    vgt_run(VGT_KERNEL("sub.s32 %r1, %r61, 10;\n"
                       "redux.sync.add.s32 %r2, %r1, -1; st.global.u32 [%rd30], %r2;\n"
                       "redux.sync.min.s32 %r2, %r1, -1; st.global.u32 [%rd30+128], %r2;\n"
                       "redux.sync.max.u32 %r2, %r1, -1; st.global.u32 [%rd30+256], %r2;\n"
                       "redux.sync.max.s32 %r2, %r1, -1; st.global.u32 [%rd30+384], %r2;\n"
                       "redux.sync.and.b32 %r2, %r61, -1; st.global.u32 [%rd30+512], %r2;\n"
                       "redux.sync.xor.b32 %r2, %r61, -1; st.global.u32 [%rd30+640], %r2;\n"),
            1, 32, w, 6 * 32);
    static const uint32_t want[6] = {496 - 320, (uint32_t)-10, (uint32_t)-1, 21, 0, 0};
    for (uint32_t k = 0; k < 6; k++) {
        assert_int_equal(w[32 * k], want[k]);
        assert_int_equal(w[32 * k + 31], want[k]);
    }
}

static void elect_and_activemask_know_who_is_here(void **state)
{
    (void)state;
    uint32_t w[64];
    vgt_run(VGT_KERNEL("setp.lt.u32 %p1, %r61, 20; @!%p1 bra OUT;\n"
                       "activemask.b32 %r1; st.global.u32 [%rd30], %r1;\n"
                       "elect.sync %r2|%p2, 0xFFFF0; st.global.u32 [%rd30+128], %r2;\n"
                       "OUT:\n"),
            1, 32, w, 64);
    assert_int_equal(w[0], 0xFFFFF);
    assert_int_equal(w[19], 0xFFFFF);
    assert_int_equal(w[20], 0);
    assert_int_equal(w[32 + 7], 4);
}

/* Both arms of a branch execute a shuffle with the full mask: the lanes meet in it. */
static void sync_gathers_lanes_across_arms(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(VGT_KERNEL("setp.lt.u32 %p1, %r61, 16; add.u32 %r1, %r61, 100; @%p1 bra LOW;\n"
                       "shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1; bra END;\n"
                       "LOW: add.u32 %r5, %r1, 1000;\n"
                       "shfl.sync.bfly.b32 %r2, %r5, 16, 31, -1;\n"
                       "END: st.global.u32 [%rd30], %r2;\n"),
            1, 32, w, 32);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l < 16 ? 100 + l + 16 : 1100 + l - 16);
    }
}

/* Lanes that already wait behind the branch must come back for the others' vote. */
static void sync_calls_lanes_that_wait_behind_the_branch(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(VGT_KERNEL("setp.lt.u32 %p1, %r61, 8; mov.u32 %r2, 0; @!%p1 bra SKIP;\n"
                       "vote.sync.ballot.b32 %r2, %p1, -1;\n"
                       "SKIP: @%p1 bra DONE;\n"
                       "vote.sync.ballot.b32 %r2, %p1, -1;\n"
                       "DONE: st.global.u32 [%rd30], %r2;\n"),
            1, 32, w, 32);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 0xFF);
    }
}

static void masks_split_a_warp_into_parties(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(VGT_KERNEL("setp.lt.u32 %p1, %r61, 16; selp.b32 %r1, 0xFFFF, 0xFFFF0000, %p1;\n"
                       "redux.sync.add.u32 %r2, %r61, %r1; st.global.u32 [%rd30], %r2;\n"),
            1, 32, w, 32);
    assert_int_equal(w[0], 120);
    assert_int_equal(w[15], 120);
    assert_int_equal(w[16], 376);
    assert_int_equal(w[31], 376);
}

/* Two parties, each of which has a half in either arm. */
static void parties_meet_across_arms(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(VGT_KERNEL("and.b32 %r3, %r61, 1; setp.eq.u32 %p2, %r3, 0;\n"
                       "selp.b32 %r1, 0x55555555, 0xAAAAAAAA, %p2;\n"
                       "setp.lt.u32 %p1, %r61, 16; @%p1 bra LOW;\n"
                       "redux.sync.add.u32 %r2, %r61, %r1; bra END;\n"
                       "LOW: redux.sync.add.u32 %r2, %r61, %r1;\n"
                       "END: st.global.u32 [%rd30], %r2;\n"),
            1, 32, w, 32);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], (l & 1) != 0 ? 256 : 240);
    }
}

static void exited_lanes_are_not_waited_for(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(VGT_KERNEL("setp.gt.u32 %p1, %r61, 20; @%p1 exit;\n"
                       "mov.u32 %r1, 1; redux.sync.add.u32 %r2, %r1, -1;\n"
                       "st.global.u32 [%rd30], %r2;\n"),
            1, 32, w, 32);
    assert_int_equal(w[0], 21);
    assert_int_equal(w[21], 0);
}

/* The others exit while some wait for them. */
static void waiting_lanes_go_on_when_the_rest_exits(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(VGT_KERNEL("setp.lt.u32 %p1, %r61, 4; @%p1 bra VOTE; exit;\n"
                       "VOTE: vote.sync.ballot.b32 %r2, %p1, -1;\n"
                       "st.global.u32 [%rd30], %r2;\n"),
            1, 32, w, 32);
    assert_int_equal(w[0], 0xF);
}

static void the_stack_policy_votes_with_those_present(void **state)
{
    (void)state;
    uint32_t w[32];
    struct vgpu_config c = {.policy = VGPU_POLICY_STACK};
    struct vgt *t = vgt_new(&c, VGT_KERNEL("setp.lt.u32 %p1, %r61, 16; @%p1 bra LOW;\n"
                                           "vote.sync.ballot.b32 %r2, 1, -1; bra END;\n"
                                           "LOW: vote.sync.ballot.b32 %r2, 1, -1;\n"
                                           "END: st.global.u32 [%rd30], %r2;\n"));
    vgt_words(t, 1, 32, w, 32);
    assert_int_equal(w[0], 0xFFFF);
    assert_int_equal(w[31], 0xFFFF0000u);
    vgt_free(t);
}

static void a_member_that_never_comes_is_named(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, VGT_KERNEL("setp.lt.u32 %p1, %r61, 16; @%p1 bra LOW;\n"
                                             "bar.sync 0; bra END;\n"
                                             "LOW: vote.sync.ballot.b32 %r2, %p1, -1;\n"
                                             "END: st.global.u32 [%rd30], %r2;\n"));
    vgt_fails(t, 1, 32, VGPU_TIMEOUT, "every warp waits");
    assert_non_null(strstr(t->fault.text, "lanes 0x0000ffff"));
    assert_non_null(strstr(t->fault.text, "vote"));
    vgt_free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mode_reads_its_lane),
        cmocka_unit_test(segments_keep_lanes_apart),
        cmocka_unit_test(broadcast_works_in_place),
        cmocka_unit_test(deltas_count_with_five_bits),
        cmocka_unit_test(sources_stay_in_the_segment),
        cmocka_unit_test(votes_look_at_the_members),
        cmocka_unit_test(match_groups_equal_values),
        cmocka_unit_test(redux_reduces_signed_and_unsigned),
        cmocka_unit_test(elect_and_activemask_know_who_is_here),
        cmocka_unit_test(sync_gathers_lanes_across_arms),
        cmocka_unit_test(sync_calls_lanes_that_wait_behind_the_branch),
        cmocka_unit_test(masks_split_a_warp_into_parties),
        cmocka_unit_test(parties_meet_across_arms),
        cmocka_unit_test(exited_lanes_are_not_waited_for),
        cmocka_unit_test(waiting_lanes_go_on_when_the_rest_exits),
        cmocka_unit_test(the_stack_policy_votes_with_those_present),
        cmocka_unit_test(a_member_that_never_comes_is_named),
    };
    return LAB_TEST_MAIN(tests);
}
