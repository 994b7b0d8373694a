/* The command line: what is read from it, and what is refused with which line. */
#include <inttypes.h>
#include <string.h>

#include "cli_program.h"

/* Bad input: exit 2, exactly this line, nothing on stdout. */
static void refuses(const char *args, const char *line)
{
    struct lab_buf want;
    lab_buf_init(&want);
    lab_buf_printf(&want, "simt: %s\n", line);
    int code = cli_run(&cli_simt, "%s", args);
    assert_string_equal(lab_buf_str(&cli_err), lab_buf_str(&want));
    assert_int_equal(code, LAB_EXIT_USAGE);
    assert_int_equal(cli_out.len, 0);
    lab_buf_fini(&want);
}

static void demo_prints_tables_seed_and_checks(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, " "), 0);
    assert_string_equal(lab_buf_str(&cli_out), TEXT);
    assert_string_equal(lab_buf_str(&cli_err), "simt: seed 42\nsimt: 2 checks hold\n");
    assert_int_equal(cli_run(&cli_simt, "-q"), 0);
    assert_string_equal(lab_buf_str(&cli_out), TEXT);
    assert_int_equal(cli_err.len, 0);
    assert_int_equal(cli_run(&cli_simt, "-v"), 0);
    cli_assert_says(&cli_err, "simt: holds: a law\n");
    cli_assert_says(&cli_err, "simt: holds: the flag is not set\n");
}

static void formats_show_the_same_tables(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "--format csv -q"), 0);
    assert_string_equal(lab_buf_str(&cli_out), CSV);
    assert_int_equal(cli_run(&cli_simt, "--format=json --seed 7 -q"), 0);
    assert_string_equal(
        lab_buf_str(&cli_out),
        "{\"program\":\"simt\",\"seed\":7,\"tables\":["
        "{\"id\":\"first\",\"columns\":[\"name\",\"value\"],\"rows\":[[\"a\",4.0]]},"
        "{\"id\":\"second\",\"columns\":[\"name\",\"value\"],\"rows\":[[\"its\",0.5]]}"
        "]}\n");
}

static void a_failed_check_is_named_and_exits_1(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "--flag"), LAB_EXIT_CHECK);
    assert_string_equal(lab_buf_str(&cli_out), TEXT);
    assert_string_equal(lab_buf_str(&cli_err), "simt: FAILED: the flag is not set\nsimt: seed 42\n"
                                               "simt: 1 of 2 checks failed\n");
    assert_int_equal(cli_run(&cli_simt, "--flag -q"), LAB_EXIT_CHECK);
    assert_string_equal(lab_buf_str(&cli_err), "simt: FAILED: the flag is not set\n");
}

static void options_reach_the_struct_in_both_forms(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "-q --warps 64 --share=0.25 --policy stack --word x_y"), 0);
    cli_assert_says(&cli_out, "x y    64.0\n");
    cli_assert_says(&cli_out, "stack    0.2\n");
    assert_int_equal(cli_run(&cli_simt, "-q --warps 3 --warps=7"), 0);
    cli_assert_says(&cli_out, "a       7.0\n");
    assert_int_equal(cli_run(&cli_simt, "run --trace f"), 0);
    cli_assert_says(&cli_out, "trace=1 mem=65536 seed=42 [f]\n");
}

static void options_may_stand_anywhere_and_dashes_end_them(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "--how ok run a --trace b"), 0);
    assert_string_equal(lab_buf_str(&cli_out), "trace=1 mem=65536 seed=42 [a] [b]\nname  value\n");
    assert_int_equal(cli_run(&cli_simt, "run a -- --trace -q -"), 0);
    cli_assert_says(&cli_out, "trace=0 mem=65536 seed=42 [a] [--trace] [-q] [-]\n");
    assert_int_equal(cli_run(&cli_simt, "run --how=--x - -q"), 0);
    cli_assert_says(&cli_out, " [-]\n");
    refuses("-- run a", "simt takes no operand, unexpected 'run'");
}

static void sizes_and_numbers_are_read_to_their_limits(void **state)
{
    (void)state;
    static const struct {
        const char *args, *mem;
    } cases[] = {
        {"--mem 4096 run f", "mem=4096 "},
        {"--mem 64K run f", "mem=65536 "},
        {"--mem 3G run f", "mem=3221225472 "},
        {"--mem 9223372036854775807 run f", "mem=9223372036854775807 "},
        {"--offset -9223372036854775808 run f", "mem=-9223372036854775808 "},
        {"--offset 007 run f", "mem=7 "},
    };
    /* A verb that takes the demonstration's options, and prints what they came to. */
    static const struct lab_verb sharing[] = {
        {"run", "FILE", 1, 1, NULL, cli_demo_opts, LAB_TAKES_SEED, cli_run_file},
        {NULL, NULL, 0, 0, NULL, NULL, 0, NULL},
    };
    struct lab_program p = cli_simt;
    p.verbs = sharing;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(cli_run(&p, "%s -q", cases[i].args), 0);
        cli_assert_says(&cli_out, cases[i].mem);
    }
    assert_int_equal(cli_run(&p, "run f --seed 18446744073709551615"), 0);
    cli_assert_says(&cli_out, "seed=18446744073709551615 ");
    cli_assert_says(&cli_err, "simt: seed 18446744073709551615\n");
}

static void bad_values_name_what_was_expected(void **state)
{
    (void)state;
    static const char *const warps[] = {"0",
                                        "65",
                                        "-1",
                                        "4x",
                                        "_4",
                                        "4_",
                                        "+4",
                                        "0x4",
                                        "4.0",
                                        "1e1",
                                        "9223372036854775808",
                                        "99999999999999999999"};
    for (size_t i = 0; i < sizeof(warps) / sizeof(warps[0]); i++) {
        char args[64];
        char line[128];
        char shown[32];
        (void)snprintf(shown, sizeof(shown), "%s", warps[i]);
        for (char *s = strchr(shown, '_'); s != NULL; s = strchr(s, '_')) {
            *s = ' ';
        }
        (void)snprintf(args, sizeof(args), "--warps=%s", warps[i]);
        (void)snprintf(line, sizeof(line),
                       "--warps: expected a whole number from 1 to 64, got '%s'", shown);
        refuses(args, line);
    }
    refuses("--warps=", "--warps: expected a whole number from 1 to 64, got ''");
    refuses("--offset 9223372036854775808",
            "--offset: expected a whole number, got '9223372036854775808'");
    refuses("--offset -", "--offset: expected a whole number, got '-'");
    refuses("--mem 4k", "--mem: expected bytes like 4096, 64K, 32M or 1G from 4096, got '4k'");
    refuses("--mem K", "--mem: expected bytes like 4096, 64K, 32M or 1G from 4096, got 'K'");
    refuses("--mem 1K", "--mem: expected bytes like 4096, 64K, 32M or 1G from 4096, got '1K'");
    refuses("--mem 8589934592G",
            "--mem: expected bytes like 4096, 64K, 32M or 1G from 4096, got '8589934592G'");
    static const char *const shares[] = {"1.01",  "-0.1", "nan",    "inf",
                                         "1e999", "0.5x", "0x1p-1", ""};
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        char args[64];
        char line[128];
        (void)snprintf(args, sizeof(args), "--share=%s", shares[i]);
        (void)snprintf(line, sizeof(line), "--share: expected a number from 0 to 1, got '%s'",
                       shares[i]);
        refuses(args, line);
    }
    refuses("--mem 17179869185G",
            "--mem: expected bytes like 4096, 64K, 32M or 1G from 4096, got '17179869185G'");
    refuses("--scale inf", "--scale: expected a number, got 'inf'");
    refuses("--scale 1e999", "--scale: expected a number, got '1e999'");
    refuses("--policy stac", "--policy: expected one of stack|its, got 'stac'");
    refuses("--policy=", "--policy: expected one of stack|its, got ''");
    refuses("--format xml", "--format: expected one of table|csv|json, got 'xml'");
    refuses("--seed -1",
            "--seed: expected a whole number from 0 to 18446744073709551615, got '-1'");
    refuses("--seed 99999999999999999999",
            "--seed: expected a whole number from 0 to 18446744073709551615, got "
            "'99999999999999999999'");
    refuses("--seed 18446744073709551616",
            "--seed: expected a whole number from 0 to 18446744073709551615, got "
            "'18446744073709551616'");
}

static void unknown_words_get_the_nearest_name(void **state)
{
    (void)state;
    refuses("--warp 3",
            "unknown option '--warp', did you mean '--warps'? (simt --help lists them)");
    refuses("--warp=3",
            "unknown option '--warp', did you mean '--warps'? (simt --help lists them)");
    refuses("--frmat csv",
            "unknown option '--frmat', did you mean '--format'? (simt --help lists them)");
    refuses("--fxxxat", "unknown option '--fxxxat' (simt --help lists them)");
    refuses("--nothing-like-it", "unknown option '--nothing-like-it' (simt --help lists them)");
    refuses("--=x", "unknown option '--' (simt --help lists them)");
    refuses("-x", "unknown option '-x' (simt --help lists them)");
    refuses("-qv", "unknown option '-qv' (simt --help lists them)");
    refuses("rum f", "unknown verb 'rum', did you mean 'run'? (simt --help lists them)");
    refuses("explian", "unknown verb 'explian', did you mean 'explain'? (simt --help lists them)");
    refuses("zzzzzz", "unknown verb 'zzzzzz' (simt --help lists them)");
    refuses("run f --trac",
            "unknown option '--trac', did you mean '--trace'? (simt run --help lists them)");
    refuses("--trace", "unknown option '--trace' here, it belongs to 'simt run'");
}

static void missing_and_unwanted_values_are_refused(void **state)
{
    (void)state;
    refuses("--warps", "--warps needs a value: --warps N");
    refuses("--svg --format csv", "--svg needs a value: --svg FILE");
    refuses("--flag=yes", "--flag takes no value, got 'yes'");
    refuses("run", "run needs FILE..., got 0 operands");
    refuses("explain more", "explain takes no operand, unexpected 'more'");
    refuses("--bless", "--bless needs --expect FILE, the file to rewrite");
    assert_int_equal(cli_run(&cli_bare, "a"), LAB_EXIT_USAGE);
    assert_string_equal(lab_buf_str(&cli_err), "bare: bare needs A B, got 1 operand\n");
    assert_int_equal(cli_run(&cli_bare, "a b c"), LAB_EXIT_USAGE);
    assert_string_equal(lab_buf_str(&cli_err), "bare: bare takes A B, unexpected 'c'\n");
    assert_int_equal(cli_run(&cli_bare, "a b"), 0);
    cli_assert_says(&cli_out, "[a] [b]\n");
}

static void errors_exit_by_their_kind_with_an_empty_stdout(void **state)
{
    (void)state;
    static const struct {
        const char *how, *line;
        int code;
    } cases[] = {
        {"input", "simt: f:1:2: bad word\n", 2},
        {"check", "simt: a law is broken\n", 1},
        {"system", "simt: no device", 3},
        {"skip", "SKIP: no GPU here\n", 77},
        {"silent", "simt: failed without saying why\n", 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(cli_run(&cli_simt, "run f --how %s", cases[i].how), cases[i].code);
        assert_memory_equal(lab_buf_str(&cli_err), cases[i].line, strlen(cases[i].line));
        assert_int_equal(cli_out.len, 0);
    }
}

static void a_verdict_is_the_exit_code_of_a_good_run(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "run f --how verdict"), 11);
}

static void help_names_everything(void **state)
{
    (void)state;
    static const char *const want[] = {
        "usage: simt [OPTION...]\n",
        "simt VERB [OPTION...] [OPERAND...]",
        "what a branch costs a warp",
        "run FILE...",
        "Run a file.",
        "explain",
        "--warps N",
        "how many warps (default 4)",
        "(default 64K)",
        "any text (default a)",
        "(default 0.5)",
        "stack|its",
        "(default its)",
        "--format table|csv|json",
        "--seed N",
        "--expect FILE",
        "--bless",
        "--svg FILE",
        "-q, --quiet",
        "-v, --verbose",
        "-h, --help",
        "--version",
        "exit codes:",
        "77 skipped",
        "examples:\n  simt run a.simt\n",
    };
    assert_int_equal(cli_run(&cli_simt, "--help"), 0);
    assert_int_equal(cli_err.len, 0);
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        cli_assert_says(&cli_out, want[i]);
    }
    assert_null(strstr(lab_buf_str(&cli_out), "--trace"));
    assert_int_equal(cli_run(&cli_simt, "run -h"), 0);
    cli_assert_says(&cli_out, "usage: simt run [OPTION...] FILE...\n");
    cli_assert_says(&cli_out, "--trace");
    assert_null(strstr(lab_buf_str(&cli_out), "--seed"));
    assert_int_equal(cli_run(&cli_bare, "--help"), 0);
    cli_assert_says(&cli_out, "usage: bare [OPTION...] A B\n");
    assert_null(strstr(lab_buf_str(&cli_out), "verbs:"));
}

static void version_and_explain_answer_on_stdout(void **state)
{
    (void)state;
    assert_int_equal(cli_run(&cli_simt, "--version"), 0);
    assert_string_equal(lab_buf_str(&cli_out), "simt " LAB_VERSION "\n");
    assert_int_equal(cli_run(&cli_simt, "explain"), 0);
    assert_string_equal(lab_buf_str(&cli_out),
                        "== first ==\n  name   What it is called.\n  value  How much of it.\n\n"
                        "== Second ==\n  name   What it is called.\n  value  How much of it.\n"
                        "\nA note.\n");
    assert_int_equal(cli_err.len, 0);
}

#define TEST(f) cmocka_unit_test_teardown(f, cli_free)
static const struct CMUnitTest tests[] = {
    TEST(demo_prints_tables_seed_and_checks),
    TEST(formats_show_the_same_tables),
    TEST(a_failed_check_is_named_and_exits_1),
    TEST(options_reach_the_struct_in_both_forms),
    TEST(options_may_stand_anywhere_and_dashes_end_them),
    TEST(sizes_and_numbers_are_read_to_their_limits),
    TEST(bad_values_name_what_was_expected),
    TEST(unknown_words_get_the_nearest_name),
    TEST(missing_and_unwanted_values_are_refused),
    TEST(errors_exit_by_their_kind_with_an_empty_stdout),
    TEST(a_verdict_is_the_exit_code_of_a_good_run),
    TEST(help_names_everything),
    TEST(version_and_explain_answer_on_stdout),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
