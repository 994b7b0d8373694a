/* The instruction table. */
#include "simt_helper.h"
#include "simt_isa.h"

static void every_row_is_complete_and_distinct(void **state)
{
    (void)state;
    for (int op = 0; op < SIMT_NOPS; op++) {
        const struct simt_op_info *info = simt_op_info((enum simt_op)op);
        assert_true(strspn(info->form, "dabcsiml") == strlen(info->form));
        assert_true(strlen(info->meaning) > 5);
        assert_int_equal(simt_op_find(info->name, strlen(info->name)), op);
    }
}

static void a_mnemonic_is_found_in_either_case(void **state)
{
    (void)state;
    assert_int_equal(simt_op_find("reconv", 6), SIMT_RECONV);
    assert_int_equal(simt_op_find("Vote_Any", 8), SIMT_VOTE_ANY);
    assert_int_equal(simt_op_find("RECON", 5), -1);
    assert_int_equal(simt_op_find("", 0), -1);
}

static void the_nearest_mnemonic_is_at_most_two_edits_away(void **state)
{
    (void)state;
    assert_string_equal(simt_op_nearest("MOVE", 4), "MOVI");
    assert_string_equal(simt_op_nearest("recnov", 6), "RECONV");
    assert_string_equal(simt_op_nearest("HALTS", 5), "HALT");
    assert_string_equal(simt_op_nearest("BALOT", 5), "BALLOT");
    assert_string_equal(simt_op_nearest("SHRL", 4), "SHL");
    assert_null(simt_op_nearest("FROBNICATE", 10));
    assert_null(simt_op_nearest("x", 1));
    assert_null(simt_op_nearest("", 0));
    char lots[100];
    memset(lots, 'A', sizeof(lots));
    assert_null(simt_op_nearest(lots, sizeof(lots)));
}

static void operands_are_described_by_their_form(void **state)
{
    (void)state;
    static const struct {
        enum simt_op op;
        const char *text;
    } want[] = {
        {SIMT_TID, "rd"},          {SIMT_ADD, "rd, ra, rb|imm"}, {SIMT_SELP, "rd, ra, rb, rc"},
        {SIMT_ST, "[ra+imm], rb"}, {SIMT_BRZ, "ra, label"},      {SIMT_HALT, ""},
    };
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        struct lab_buf text;
        lab_buf_init(&text);
        simt_op_operands(want[i].op, &text);
        assert_string_equal(lab_buf_str(&text), want[i].text);
        lab_buf_fini(&text);
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete_and_distinct),
        cmocka_unit_test(a_mnemonic_is_found_in_either_case),
        cmocka_unit_test(the_nearest_mnemonic_is_at_most_two_edits_away),
        cmocka_unit_test(operands_are_described_by_their_form),
    };
    return LAB_TEST_MAIN(tests);
}
