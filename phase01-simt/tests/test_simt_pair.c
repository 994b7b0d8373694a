/* Branches and RECONVs pair like brackets. */
#include "simt_helper.h"

static void pairs_nest_like_brackets(void **state)
{
    (void)state;
    struct fixture f = fixture_text("a: BRZ r0, a\n" /* 0 */
                                    "BRNZ r0, a\n"   /* 1 */
                                    "RECONV\n"       /* 2 closes 1 */
                                    "BRZ r0, a\n"    /* 3 */
                                    "RECONV\n"       /* 4 closes 3 */
                                    "RECONV\n"       /* 5 closes 0 */
                                    "HALT\n",
                                    &simt_config_default);
    static const uint32_t pair[] = {5, 2, 1, 4, 3, 0};
    for (int pc = 0; pc < 6; pc++) {
        assert_int_equal(f.prog->code[pc].pair, pair[pc]);
    }
    fixture_close(&f);
}

static void body_is_what_lies_inside_a_region_but_for_branches_and_reconvs(void **state)
{
    (void)state;
    struct fixture f = fixture_text("TID r0\n"
                                    "BRZ r0, x\n"
                                    "MOVI r1, 1\n"
                                    "BRZ r1, x\n"
                                    "MOVI r1, 2\n"
                                    "RECONV\n"
                                    "x: JMP y\n"
                                    "y: RECONV\n"
                                    "HALT\n",
                                    &simt_config_default);
    static const bool body[] = {false, false, true, false, true, false, true, false, false};
    for (int pc = 0; pc < 9; pc++) {
        assert_int_equal(f.prog->code[pc].body, body[pc]);
    }
    fixture_close(&f);
}

static void refuse(const char *text, const char *want)
{
    struct simt_program *p = NULL;
    struct lab_err err = {0};
    assert_int_equal(simt_assemble("t.simt", text, strlen(text), &p, &err), -1);
    assert_string_equal(err.msg, want);
}

static void a_reconv_that_closes_nothing_is_an_error(void **state)
{
    (void)state;
    refuse("TID r0\n  RECONV\nHALT\n",
           "t.simt:2:3: RECONV closes no branch, expected an open BRZ or BRNZ above it");
    refuse("x: BRZ r0, x\nRECONV\nRECONV\nHALT\n",
           "t.simt:3:1: RECONV closes no branch, expected an open BRZ or BRNZ above it");
}

static void a_branch_that_is_never_closed_is_an_error(void **state)
{
    (void)state;
    refuse("x: BRNZ r0, x\nBRZ r0, x\nRECONV\nHALT\n",
           "t.simt:1:4: BRNZ is never closed, expected a RECONV below it");
    refuse("x: BRNZ r0, x\nBRZ r0, x\nHALT\n",
           "t.simt:2:1: BRZ is never closed, expected a RECONV below it");
}

static void deep_nesting_is_only_a_matter_of_text(void **state)
{
    (void)state;
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_puts(&text, "x: TID r0\n");
    for (int i = 0; i < 2000; i++) {
        lab_buf_puts(&text, "BRZ r0, x\n");
    }
    for (int i = 0; i < 2000; i++) {
        lab_buf_puts(&text, "RECONV\n");
    }
    lab_buf_puts(&text, "HALT\n");
    struct fixture f = fixture_text(lab_buf_str(&text), &simt_config_default);
    assert_int_equal(f.prog->code[1].pair, 4000);
    assert_int_equal(f.prog->code[2001].pair, 2000);
    fixture_close(&f);
    lab_buf_fini(&text);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_nest_like_brackets),
        cmocka_unit_test(body_is_what_lies_inside_a_region_but_for_branches_and_reconvs),
        cmocka_unit_test(a_reconv_that_closes_nothing_is_an_error),
        cmocka_unit_test(a_branch_that_is_never_closed_is_an_error),
        cmocka_unit_test(deep_nesting_is_only_a_matter_of_text),
    };
    return LAB_TEST_MAIN(tests);
}
