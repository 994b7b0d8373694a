/* The command line: goldens, --bless, and output that does not arrive. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli_program.h"
#include "lab/file.h"

/* A golden in a new folder, which becomes the current one; text NULL: only its name. */
static const char *golden(const char *name, const char *text)
{
    struct lab_err e = {0};
    assert_int_equal(chdir(lab_test_tmpdir()), 0);
    if (text != NULL) {
        assert_int_equal(lab_file_write(name, text, strlen(text), &e), 0);
    }
    return name;
}

static void expect_passes_what_matches(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "-q --expect %s", golden("g.txt", TEXT)), 0);
    assert_string_equal(lab_buf_str(&cli_out), TEXT);
    assert_int_equal(cli_err.len, 0);
    assert_int_equal(cli_run(&cli_simt, "-q --expect %s", golden("g.csv", GOLDEN)), 0);
    assert_string_equal(lab_buf_str(&cli_out), TEXT);
    /* The golden decides what is compared, not --format; and 4.5 is within abs:0.5. */
    assert_int_equal(cli_run(&cli_simt, "-q --format csv --expect %s", golden("g.txt", TEXT)), 0);
    assert_int_equal(cli_run(&cli_simt, "-q --share 1 --expect %s", golden("g.csv", GOLDEN)), 0);
}

static void expect_shows_the_difference_and_exits_1(void **state)
{
    (void)state;
    const char *path = golden("g.txt", TEXT);
    assert_int_equal(cli_run(&cli_simt, "--warps 5 --expect %s", path), LAB_EXIT_CHECK);
    cli_assert_says(&cli_out, "a       5.0\n");
    cli_assert_says(&cli_err, "line 2: expected 'a       4.0', got 'a       5.0'\n");
    cli_assert_says(&cli_err, "simt: output differs from ");
    cli_assert_says(&cli_err, "simt: 2 checks hold\n");
    assert_int_equal(cli_run(&cli_simt, "-q --warps 5 --expect %s", golden("g.csv", GOLDEN)), 1);
    cli_assert_says(&cli_err, "table 'first' row 1 column 'value': expected '4.0', got '5.0'");
    assert_int_equal(cli_run(&cli_simt, "-q --flag --expect %s", golden("g.csv", GOLDEN)), 1);
}

static void an_unusable_golden_is_bad_input(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "--expect %s", golden("none.txt", NULL)), LAB_EXIT_USAGE);
    cli_assert_says(&cli_err, "no such file; --bless would write it\n");
    assert_null(strstr(lab_buf_str(&cli_err), "seed"));
    assert_int_equal(cli_out.len, 0);
    assert_int_equal(cli_run(&cli_simt, "-q --expect %s", golden("g.csv", "a,b\n")),
                     LAB_EXIT_USAGE);
    cli_assert_says(&cli_err, "g.csv:1: expected '# table: NAME' first\n");
    assert_int_equal(cli_out.len, 0);
    assert_int_equal(lab_file_write("nul.txt", "a\0b", 3, NULL), 0);
    assert_int_equal(cli_run(&cli_simt, "-q --expect nul.txt"), LAB_EXIT_USAGE);
    cli_assert_says(&cli_err, "nul.txt: holds a NUL byte, expected text\n");
    assert_int_equal(cli_run(&cli_simt, "-q --expect ."), LAB_EXIT_USAGE);
    cli_assert_says(&cli_err, "is a directory");
    assert_int_equal(cli_out.len, 0);
}

static void assert_file_is(const char *path, const char *text)
{
    struct lab_buf b;
    struct lab_err e = {0};
    lab_buf_init(&b);
    assert_int_equal(lab_file_read(path, 10000, &b, &e), 0);
    assert_string_equal(lab_buf_str(&b), text);
    lab_buf_fini(&b);
}

static void bless_shows_the_difference_and_rewrites(void **state)
{
    (void)state;
    const char *path = golden("g.txt", "old\n");
    assert_int_equal(cli_run(&cli_simt, "--bless --expect %s", path), 0);
    cli_assert_says(&cli_err, "line 1: expected 'old', got 'name  value'\n");
    cli_assert_says(&cli_err, "is now the expected output\n");
    assert_file_is(path, TEXT);
    assert_int_equal(cli_run(&cli_simt, "--expect %s", path), 0);
    path = golden("g.csv", NULL);
    assert_int_equal(cli_run(&cli_simt, "--bless --expect %s", path), 0);
    assert_file_is(path, GOLDEN);
    assert_int_equal(cli_run(&cli_simt, "--expect %s", path), 0);
}

static void bless_refuses_when_a_check_failed(void **state)
{
    (void)state;
    const char *path = golden("g.txt", "old\n");
    assert_int_equal(cli_run(&cli_simt, "--flag --bless --expect %s", path), LAB_EXIT_CHECK);
    assert_file_is(path, "old\n");
}

static void bless_refuses_under_ci(void **state)
{
    (void)state;
    const char *path = golden("g.txt", "old\n");
    char line[600];
    (void)snprintf(line, sizeof(line), "--bless --expect %s", path);
    struct cli_call c = {&cli_simt, line, "true"};
    lab_buf_clear(&cli_out);
    lab_buf_clear(&cli_err);
    assert_int_equal(lab_test_child(cli_main, &c, &cli_out, &cli_err), LAB_EXIT_USAGE);
    assert_string_equal(lab_buf_str(&cli_err),
                        "simt: --bless is refused where CI is set: a person blesses a golden\n");
    assert_int_equal(cli_out.len, 0);
    assert_file_is(path, "old\n");
}

static int onto_a_full_disk(void *arg)
{
    int full = open("/dev/full", O_WRONLY);
    return full < 0 || dup2(full, STDOUT_FILENO) < 0 ? 99 : cli_main(arg);
}

static void a_full_disk_exits_3(void **state)
{
    (void)state;
    static const char *const lines[] = {"-q", "--help", "--version", "explain", "run f"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char line[32];
        (void)snprintf(line, sizeof(line), "%s", lines[i]);
        struct cli_call c = {&cli_simt, line, NULL};
        lab_buf_clear(&cli_err);
        assert_int_equal(lab_test_child(onto_a_full_disk, &c, NULL, &cli_err), LAB_EXIT_CANNOT);
        assert_string_equal(lab_buf_str(&cli_err),
                            "simt: cannot write the output: No space left on device\n");
    }
}

#define TEST(f) cmocka_unit_test_teardown(f, cli_free)
static const struct CMUnitTest tests[] = {
    TEST(expect_passes_what_matches),
    TEST(expect_shows_the_difference_and_exits_1),
    TEST(an_unusable_golden_is_bad_input),
    TEST(bless_shows_the_difference_and_rewrites),
    TEST(bless_refuses_when_a_check_failed),
    TEST(bless_refuses_under_ci),
    TEST(a_full_disk_exits_3),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
