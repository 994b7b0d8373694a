#include <errno.h>
#include <signal.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/err.h"
#include "lab/test.h"

static void err_setters_return_minus_one_and_keep_the_text(void **state)
{
    (void)state;
    struct lab_err err = {0};
    assert_int_equal(lab_err_input(&err, "%s:%d: bad", "f", 3), -1);
    assert_string_equal(err.msg, "f:3: bad");
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_int_equal(lab_err_check(&err, "no"), -1);
    assert_int_equal(err.kind, LAB_ERR_CHECK);
    assert_int_equal(lab_err_skip(&err, "no GPU"), -1);
    assert_int_equal(err.kind, LAB_ERR_SKIP);
}

static void err_system_appends_the_text_of_errno(void **state)
{
    (void)state;
    struct lab_err err = {0};
    errno = ENOENT;
    assert_int_equal(lab_err_system(&err, "open %s", "x"), -1);
    assert_string_equal(err.msg, "open x: No such file or directory");
    errno = 0;
    (void)lab_err_system(&err, "nothing known");
    assert_string_equal(err.msg, "nothing known");
}

static void err_may_be_null(void **state)
{
    (void)state;
    assert_int_equal(lab_err_input(NULL, "x"), -1);
    errno = EIO;
    assert_int_equal(lab_err_system(NULL, "x"), -1);
    lab_err_prefix(NULL, "x");
}

static void err_prefix_goes_in_front_and_keeps_the_kind(void **state)
{
    (void)state;
    struct lab_err err = {0};
    (void)lab_err_input(&err, "line 3 is bad");
    lab_err_prefix(&err, "load %s", "a.simt");
    assert_string_equal(err.msg, "load a.simt: line 3 is bad");
    assert_int_equal(err.kind, LAB_ERR_INPUT);
}

static void err_cuts_what_does_not_fit(void **state)
{
    (void)state;
    struct lab_err err = {0};
    char big[2000];
    memset(big, 'x', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    (void)lab_err_input(&err, "%s", big);
    assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
    lab_err_prefix(&err, "p");
    assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
    assert_memory_equal(err.msg, "p: xxx", 6);
    lab_err_prefix(&err, "%s", big);
    errno = EIO;
    (void)lab_err_system(&err, "%s", big);
    assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
}

static void err_stays_one_line_without_control_bytes(void **state)
{
    (void)state;
    struct lab_err err = {0};
    (void)lab_err_input(&err, "a\nb\x1b[2Jc\rd\x7f");
    assert_string_equal(err.msg, "a?b?[2Jc?d?");
}

static void err_kinds_have_their_exit_codes(void **state)
{
    (void)state;
    static const int want[] = {
        [LAB_ERR_NONE] = 0,   [LAB_ERR_CHECK] = 1, [LAB_ERR_INPUT] = 2,
        [LAB_ERR_SYSTEM] = 3, [LAB_ERR_SKIP] = 77,
    };
    for (int kind = LAB_ERR_NONE; kind <= LAB_ERR_SKIP; kind++) {
        struct lab_err err = {.kind = (enum lab_err_kind)kind};
        assert_int_equal(lab_err_exit(&err), want[kind]);
    }
}

static int break_an_assertion(void *arg)
{
    LAB_ASSERT(arg != NULL);
    return 0;
}

static void assert_aborts_and_names_the_condition(void **state)
{
    (void)state;
    struct lab_buf err;
    int one = 1;
    lab_buf_init(&err);
    assert_int_equal(lab_test_child(break_an_assertion, &one, NULL, &err), 0);
    assert_int_equal(err.len, 0);
    assert_int_equal(lab_test_child(break_an_assertion, NULL, NULL, &err), 128 + SIGABRT);
    assert_non_null(strstr(lab_buf_str(&err), "test_err.c"));
    assert_non_null(strstr(lab_buf_str(&err), "break_an_assertion"));
    assert_non_null(strstr(lab_buf_str(&err), "arg != NULL"));
    lab_buf_fini(&err);
}

static int unwritten(void *arg)
{
    LAB_TODO((const char *)arg);
}

static void todo_exits_4_and_names_the_exercise(void **state)
{
    (void)state;
    struct lab_buf err;
    char name[] = "e01_mask";
    lab_buf_init(&err);
    assert_int_equal(lab_test_child(unwritten, name, NULL, &err), LAB_EXIT_TODO);
    assert_non_null(strstr(lab_buf_str(&err), "e01_mask"));
    lab_buf_fini(&err);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(err_setters_return_minus_one_and_keep_the_text),
    cmocka_unit_test(err_system_appends_the_text_of_errno),
    cmocka_unit_test(err_may_be_null),
    cmocka_unit_test(err_prefix_goes_in_front_and_keeps_the_kind),
    cmocka_unit_test(err_cuts_what_does_not_fit),
    cmocka_unit_test(err_stays_one_line_without_control_bytes),
    cmocka_unit_test(err_kinds_have_their_exit_codes),
    cmocka_unit_test(assert_aborts_and_names_the_condition),
    cmocka_unit_test(todo_exits_4_and_names_the_exercise),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
