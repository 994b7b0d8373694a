/* The test main itself, run in a child so that its failures are not ours. */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/file.h"
#include "lab/test.h"

static void passes(void **state)
{
    (void)state;
}

static void fails(void **state)
{
    (void)state;
    assert_true(0);
}

static int run(const struct CMUnitTest *inner, size_t n, const char *filter)
{
    char program[] = "inner";
    char *argv[] = {program, filter == NULL ? NULL : lab_strdup(filter), NULL};
    int rc = lab_test_main("inner", inner, n, filter == NULL ? 1 : 2, argv);
    free(argv[1]);
    return rc;
}

static int all_pass(void *arg)
{
    const struct CMUnitTest inner[] = {cmocka_unit_test(passes)};
    return run(inner, 1, arg);
}

static int one_fails(void *arg)
{
    const struct CMUnitTest inner[] = {cmocka_unit_test(passes), cmocka_unit_test(fails)};
    return run(inner, 2, arg);
}

static int fails_256_times(void *arg)
{
    (void)arg;
    static struct CMUnitTest inner[256];
    for (size_t i = 0; i < 256; i++) {
        inner[i] = (struct CMUnitTest)cmocka_unit_test(fails);
    }
    return run(inner, 256, NULL);
}

static void main_returns_0_when_all_pass(void **state)
{
    (void)state;
    assert_int_equal(lab_test_child(all_pass, NULL, NULL, NULL), 0);
}

static void main_returns_1_and_names_the_failure(void **state)
{
    (void)state;
    struct lab_buf err;
    lab_buf_init(&err);
    assert_int_equal(lab_test_child(one_fails, NULL, NULL, &err), 1);
    assert_non_null(strstr(lab_buf_str(&err), "[  FAILED  ] fails"));
    lab_buf_fini(&err);
}

static void main_returns_1_on_256_failures(void **state)
{
    (void)state;
    assert_int_equal(lab_test_child(fails_256_times, NULL, NULL, NULL), 1);
}

static void main_filters_by_name_and_refuses_an_empty_choice(void **state)
{
    (void)state;
    char exact[] = "passes";
    char wild[] = "f*";
    char none[] = "pass";
    struct lab_buf err;
    lab_buf_init(&err);
    assert_int_equal(lab_test_child(one_fails, exact, NULL, NULL), 0);
    assert_int_equal(lab_test_child(one_fails, wild, NULL, NULL), 1);
    assert_int_equal(lab_test_child(one_fails, none, NULL, &err), 2);
    assert_non_null(strstr(lab_buf_str(&err), "passes"));
    lab_buf_fini(&err);
}

static int trials(void *arg)
{
    if (setenv("LAB_TRIALS", arg, 1) != 0) {
        return 99;
    }
    return lab_test_trials(5) == 12 ? 0 : 1;
}

static void trials_come_from_the_environment_and_are_said(void **state)
{
    (void)state;
    char twelve[] = "12";
    char junk[] = "12x";
    char zero[] = "0";
    struct lab_buf out;
    lab_buf_init(&out);
    assert_int_equal(lab_test_child(trials, twelve, &out, NULL), 0);
    assert_string_equal(lab_buf_str(&out), "trials: 12\n");
    assert_int_equal(lab_test_child(trials, junk, NULL, NULL), LAB_EXIT_USAGE);
    assert_int_equal(lab_test_child(trials, zero, NULL, NULL), LAB_EXIT_USAGE);
    lab_buf_fini(&out);
}

static int print_folder(void *arg)
{
    struct lab_buf path;
    struct lab_err err = {0};
    (void)arg;
    const char *folder = lab_test_tmpdir();
    const char *other = lab_test_tmpdir();
    if (strcmp(folder, other) == 0) {
        return 99;
    }
    lab_buf_init(&path);
    lab_buf_printf(&path, "%s/sub", folder);
    int rc = mkdir(lab_buf_str(&path), 0777);
    lab_buf_puts(&path, "/file");
    rc |= lab_file_write(lab_buf_str(&path), "x", 1, &err);
    lab_buf_fini(&path);
    printf("%s", folder);
    return rc;
}

static void tmpdir_goes_with_everything_in_it(void **state)
{
    (void)state;
    struct lab_buf out;
    lab_buf_init(&out);
    assert_int_equal(lab_test_child(print_folder, NULL, &out, NULL), 0);
    assert_int_equal(lab_buf_str(&out)[0], '/');
    assert_int_equal(access(lab_buf_str(&out), F_OK), -1);
    lab_buf_fini(&out);
}

static int nothing(void *arg)
{
    (void)arg;
    return 0;
}

static void a_child_leaves_the_parents_tmpdir(void **state)
{
    (void)state;
    const char *folder = lab_test_tmpdir();
    assert_int_equal(lab_test_child(nothing, NULL, NULL, NULL), 0);
    assert_int_equal(access(folder, F_OK), 0);
}

static int die(void *arg)
{
    (void)arg;
    fputs("to out", stdout);
    fflush(stdout);
    fputs("to err", stderr);
    raise(SIGKILL);
    return 0;
}

static void child_reports_output_and_signal(void **state)
{
    (void)state;
    struct lab_buf out;
    struct lab_buf err;
    lab_buf_init(&out);
    lab_buf_init(&err);
    assert_int_equal(lab_test_child(die, NULL, &out, &err), 128 + SIGKILL);
    assert_string_equal(lab_buf_str(&out), "to out");
    assert_string_equal(lab_buf_str(&err), "to err");
    lab_buf_fini(&out);
    lab_buf_fini(&err);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(main_returns_0_when_all_pass),
    cmocka_unit_test(main_returns_1_and_names_the_failure),
    cmocka_unit_test(main_returns_1_on_256_failures),
    cmocka_unit_test(main_filters_by_name_and_refuses_an_empty_choice),
    cmocka_unit_test(trials_come_from_the_environment_and_are_said),
    cmocka_unit_test(tmpdir_goes_with_everything_in_it),
    cmocka_unit_test(a_child_leaves_the_parents_tmpdir),
    cmocka_unit_test(child_reports_output_and_signal),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
