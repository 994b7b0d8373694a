/* Exercise e03_vote: only active lanes vote. */
#include "simt_helper.h"
#include "simt_vote.h"

static void one_active_yes_is_enough_for_any(void **state)
{
    (void)state;
    int32_t pred[SIMT_LANES] = {0};
    assert_int_equal(simt_vote_any(pred, SIMT_FULL), 0);
    for (int i = 0; i < SIMT_LANES; i++) {
        memset(pred, 0, sizeof(pred));
        pred[i] = INT32_MIN + i;
        assert_int_equal(simt_vote_any(pred, SIMT_FULL), 1);
        assert_int_equal(simt_vote_any(pred, UINT32_C(1) << i), 1);
    }
}

static void one_active_no_is_enough_against_all(void **state)
{
    (void)state;
    int32_t pred[SIMT_LANES];
    for (int i = 0; i < SIMT_LANES; i++) {
        pred[i] = i + 1;
    }
    assert_int_equal(simt_vote_all(pred, SIMT_FULL), 1);
    for (int i = 0; i < SIMT_LANES; i++) {
        int32_t kept = pred[i];
        pred[i] = 0;
        assert_int_equal(simt_vote_all(pred, SIMT_FULL), 0);
        assert_int_equal(simt_vote_all(pred, UINT32_C(1) << i), 0);
        pred[i] = kept;
    }
}

static void inactive_lanes_have_no_say(void **state)
{
    (void)state;
    int32_t pred[SIMT_LANES];
    for (int i = 0; i < SIMT_LANES; i++) {
        pred[i] = i % 2; /* odd lanes say yes */
    }
    assert_int_equal(simt_vote_any(pred, 0x55555555u), 0);
    assert_int_equal(simt_vote_all(pred, 0xaaaaaaaau), 1);
    assert_int_equal(simt_ballot(pred, 0x0000ffffu), 0x0000aaaau);
}

static void a_ballot_has_each_lane_in_its_own_bit(void **state)
{
    (void)state;
    int32_t pred[SIMT_LANES] = {0};
    pred[0] = 1;
    pred[5] = -1;
    pred[31] = 4096;
    assert_int_equal(simt_ballot(pred, SIMT_FULL), 0x80000021u);
    assert_int_equal(simt_ballot(pred, 0x80000020u), 0x80000020u);
    assert_int_equal(simt_ballot(pred, 0x7fffffdeu), 0);
}

static void votes_agree_with_the_ballot(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 1000; k++) {
        uint32_t yes = k * 2654435761u;
        uint32_t active = (k * 40503u) ^ (yes >> 3) ^ 1;
        int32_t pred[SIMT_LANES];
        for (int i = 0; i < SIMT_LANES; i++) {
            pred[i] = (yes >> i & 1) != 0 ? i - 100 : 0;
        }
        assert_int_equal(simt_ballot(pred, active), yes & active);
        assert_int_equal(simt_vote_any(pred, active), (yes & active) != 0);
        assert_int_equal(simt_vote_all(pred, active), (~yes & active) == 0);
    }
}

static void a_search_that_votes_ends_in_thirty_issues(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    struct fixture f = fixture_kernel("vote_any", &cfg);
    struct simt_counters n = fixture_run(&f);
    assert_int_equal(n.issues, 30);
    assert_int_equal(f.b->mem[17], 83);
    assert_int_equal(f.b->mem[31], 97);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_active_yes_is_enough_for_any),
        cmocka_unit_test(one_active_no_is_enough_against_all),
        cmocka_unit_test(inactive_lanes_have_no_say),
        cmocka_unit_test(a_ballot_has_each_lane_in_its_own_bit),
        cmocka_unit_test(votes_agree_with_the_ballot),
        cmocka_unit_test(a_search_that_votes_ends_in_thirty_issues),
    };
    return LAB_TEST_MAIN(tests);
}
