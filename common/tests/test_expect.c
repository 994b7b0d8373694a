#include <string.h>

#include "lab/expect.h"
#include "lab/rng.h"
#include "lab/test.h"

/* Compare and demand the number of differences and, unless NULL, the report's first line (or the
 * error's text when `want_rc` is −1). */
static void check(bool csv, const char *want, const char *got, int want_rc, const char *first)
{
    struct lab_buf report;
    struct lab_err err = {0};
    lab_buf_init(&report);
    int rc = csv ? lab_expect_csv("g", want, got, &report, &err)
                 : lab_expect_text("g", want, got, &report, &err);
    if (rc != want_rc) {
        fail_msg("%d differences, expected %d: %s%s", rc, want_rc, err.msg, lab_buf_str(&report));
    }
    if (rc < 0) {
        assert_int_equal(err.kind, LAB_ERR_INPUT);
        assert_string_equal(err.msg, first);
    } else if (first != NULL) {
        report.data[strcspn(report.data, "\n")] = '\0';
        assert_string_equal(lab_buf_str(&report), first);
    }
    lab_buf_fini(&report);
}

static void text(const char *want, const char *got, int want_rc, const char *first)
{
    check(false, want, got, want_rc, first);
}

static void csv(const char *want, const char *got, int want_rc, const char *first)
{
    check(true, want, got, want_rc, first);
}

static void the_name_decides_the_kind(void **state)
{
    (void)state;
    assert_true(lab_expect_is_csv("a.csv"));
    assert_true(lab_expect_is_csv(".csv"));
    assert_false(lab_expect_is_csv("a.txt"));
    assert_false(lab_expect_is_csv("csv"));
    assert_false(lab_expect_is_csv("a.csv.txt"));
}

static void text_accepts_equal_bytes_and_crlf(void **state)
{
    (void)state;
    text("", "", 0, NULL);
    text("a\nb\n", "a\nb\n", 0, NULL);
    text("a\n\nb\n", "a\r\n\r\nb\r\n", 0, NULL);
    text("a\r\n", "a\r\n", 0, NULL);
}

static void text_names_the_line_that_differs(void **state)
{
    (void)state;
    text("a\nb\nc\n", "a\nx\nc\n", 1, "line 2: expected 'b', got 'x'");
    text("a\nb\n", "a\n", 1, "line 2: expected 'b', got the end");
    text("a\n", "a\nb\n", 1, "line 2: expected the end, got 'b'");
    text("a\n", "a", 1, "line 1: expected 'a', got 'a' without a newline");
    text("a\n", "a \n", 1, "line 1: expected 'a', got 'a '");
    text("a\n", "a\r\r\n", 1, "line 1: expected 'a', got 'a\\x0d\\x0d'");
    text("a\r\n", "a\n", 1, "line 1: expected 'a\\x0d', got 'a'");
    text("a", "a\r", 1, NULL);
    text("", "\n", 1, NULL);
}

static void text_report_stops_at_twenty_lines(void **state)
{
    (void)state;
    struct lab_buf want;
    struct lab_buf report;
    lab_buf_init(&want);
    lab_buf_init(&report);
    for (int i = 0; i < 25; i++) {
        lab_buf_puts(&want, "x\n");
    }
    assert_int_equal(lab_expect_text("g", lab_buf_str(&want), "", &report, NULL), 25);
    int lines = 0;
    for (const char *s = strchr(lab_buf_str(&report), '\n'); s != NULL; s = strchr(s + 1, '\n')) {
        lines++;
    }
    assert_int_equal(lines, 21);
    assert_non_null(strstr(lab_buf_str(&report), "\nand 5 more\n"));
    lab_buf_fini(&want);
    lab_buf_fini(&report);
}

#define HEAD  "# table: t\nname,n,ns\n"
#define RULES "# rules: exact,abs:0.5,machine\n"

static void csv_compares_each_column_by_its_rule(void **state)
{
    (void)state;
    const char *golden = HEAD RULES "a,1.0,~\n";
    csv(golden, HEAD "a,1.5,3.5\n", 0, NULL);
    csv(golden, HEAD "a,0.5,fast\n", 0, NULL);
    csv(golden, HEAD RULES "a,1,1e9\n", 0, NULL);
    csv(golden, HEAD "b,1,3\n", 1,
        "line 4: table 't' row 1 column 'name': expected 'a', got 'b' (rule exact)");
    csv(golden, HEAD "a,1.51,3\n", 1,
        "line 4: table 't' row 1 column 'n': expected '1.0', got '1.51' (rule abs:0.5)");
    csv(golden, HEAD "a,one,3\n", 1, NULL);
    csv(golden, HEAD "a,,3\n", 1, NULL);
    csv(golden, HEAD "a, 1,3\n", 1, NULL);
    csv(golden, HEAD "a,1x,3\n", 1, NULL);
    csv(golden, HEAD "a,1,\n", 1,
        "line 4: table 't' row 1 column 'ns': expected '~', got '' (rule machine)");
}

static void csv_rel_is_relative_to_the_golden(void **state)
{
    (void)state;
    const char *golden = "# table: t\nv\n# rules: rel:0.1\n-200\n";
    csv(golden, "# table: t\nv\n-219.9\n", 0, NULL);
    csv(golden, "# table: t\nv\n-180.1\n", 0, NULL);
    csv(golden, "# table: t\nv\n-220.1\n", 1, NULL);
    csv(golden, "# table: t\nv\n200\n", 1, NULL);
    csv("# table: t\nv\n# rules: rel:0.1\n0\n", "# table: t\nv\n0.0\n", 0, NULL);
    csv("# table: t\nv\n# rules: rel:0.1\n0\n", "# table: t\nv\n1e-9\n", 1, NULL);
}

static void nan_and_infinity_pass_no_numeric_rule(void **state)
{
    (void)state;
    static const char *const bad[] = {"nan", "-nan", "inf", "-inf", "1e999", "NAN"};
    static const char *const rules[] = {"abs:1", "rel:1", "machine"};
    for (size_t r = 0; r < 3; r++) {
        for (size_t i = 0; i < 6; i++) {
            char golden[100];
            char got[100];
            (void)snprintf(golden, sizeof(golden), "# table: t\nv\n# rules: %s\n%s\n", rules[r],
                           r == 2 ? "~" : "1");
            (void)snprintf(got, sizeof(got), "# table: t\nv\n%s\n", bad[i]);
            csv(golden, got, 1, NULL);
            if (r < 2) {
                (void)snprintf(golden, sizeof(golden), "# table: t\nv\n# rules: %s\n%s\n", rules[r],
                               bad[i]);
                csv(golden, got, 1, NULL);
            }
        }
    }
}

static void infinity_in_a_golden_bounds_nothing(void **state)
{
    (void)state;
    csv("# table: t\nv\n# rules: rel:1\ninf\n", "# table: t\nv\n5\n", 1, NULL);
    csv("# table: t\nv\n# rules: abs:1\n-inf\n", "# table: t\nv\n5\n", 1, NULL);
}

static void csv_shape_must_agree(void **state)
{
    (void)state;
    const char *golden = HEAD RULES "a,1,~\nb,2,~\n";
    csv(golden, HEAD "a,1,5\n", 1, "line 1: table 't': expected 2 rows, got 1");
    csv(golden, HEAD "a,1,5\nb,2,5\nc,3,5\n", 1, "line 1: table 't': expected 2 rows, got 3");
    csv(golden, HEAD "a,1,5\nb,2\n", 1, "line 5: table 't' row 2: expected 3 cells, got 2");
    csv(golden, "# table: u\nname,n,ns\na,1,5\nb,2,5\n", 1, "line 1: expected table 't', got 'u'");
    csv(golden, "# table: t\nname,m,ns\na,1,5\nb,2,5\n", 1,
        "line 2: table 't' column 2: name: expected 'n', got 'm'");
    csv(golden, "", 1, "line 1: expected 1 tables, got 0");
    csv(golden, HEAD "a,1,5\nb,2,5\n# table: more\nx\n", 1, NULL);
    csv(golden, "# table: t\n", 1, "line 1: table 't': expected 2 rows, got 0");
    csv(golden, "name,n,ns\n", 1, "the output is no table: line 1: expected '# table: NAME' first");
}

static void csv_reads_quotes_blank_lines_crlf_and_comments(void **state)
{
    (void)state;
    const char *golden = "# why: a comment\n\n" HEAD RULES "\n\"a,\"\"b\"\"\",1,~\r\n\n"
                         "# table: u\nx\n# rules: exact\n\"two\nlines\"\n\"\"\n";
    const char *got = "# table: t\r\nname,n,ns\r\n\"a,\"\"b\"\"\",1,9\r\n\r\n# table: u\r\nx\r\n"
                      "\"two\nlines\"\r\n\"\"\r\n";
    csv(golden, got, 0, NULL);
    csv(golden, "# table: t\nname,n,ns\n\"a,\"\"b\"\"\",1,9\n# table: u\nx\n\"two\nrows\"\n\"\"\n",
        1,
        "line 12: table 'u' row 1 column 'x': expected 'two\\x0alines', got 'two\\x0arows' "
        "(rule exact)");
}

static void a_malformed_golden_is_refused_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *golden, *want;
    } cases[] = {
        {"", "g:1: expected '# table: NAME', the golden has no table"},
        {"a,b\n", "g:1: expected '# table: NAME' first"},
        {"# rules: exact\n", "g:1: expected '# rules:' once, right after a header"},
        {"# table: t\n", "g:1: table 't' has no header"},
        {"# table: t\na\n1\n", "g:1: table 't' has no '# rules:' line after its header"},
        {"# table: t\na\n1\n# rules: exact\n",
         "g:4: expected '# rules:' once, right after a header"},
        {"# table: t\na,b\n# rules: exact\n", "g:3: 1 rules for 2 columns"},
        {"# table: t\na\n# rules: about\n",
         "g:3: rule 'about', expected exact, abs:X, rel:X or machine"},
        {"# table: t\na\n# rules: abs:\n",
         "g:3: rule 'abs:', expected exact, abs:X, rel:X or machine"},
        {"# table: t\na\n# rules: abs:-1\n",
         "g:3: rule 'abs:-1', expected exact, abs:X, rel:X or machine"},
        {"# table: t\na\n# rules: rel:nan\n",
         "g:3: rule 'rel:nan', expected exact, abs:X, rel:X or machine"},
        {"# table: t\na\n# rules: abs:1 \n",
         "g:3: rule 'abs:1 ', expected exact, abs:X, rel:X or machine"},
        {"# table: t\na\n# rules: abs:1\nx\n",
         "g:4: 'x' in column 'a', expected a number for rule 'abs:1'"},
        {"# table: t\na\n# rules: machine\n3\n",
         "g:4: '3' in column 'a', expected '~' for rule 'machine'"},
        {"# table: t\na,b\n# rules: exact,exact\n1\n", "g:4: 1 cells, expected 2"},
        {"# table: t\n\n\"a\n", "g:3: a quote without its end"},
        {"# table: t\n\"a\"b\n", "g:2: expected a comma or the line's end after cell 1"},
        {"# table: t\na\rb\n", "g:2: expected a comma or the line's end after cell 1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        csv(cases[i].golden, "", -1, cases[i].want);
    }
}

/* A change of any one digit of a golden's exact cells, or of the output, is seen. */
static void one_changed_digit_is_always_seen(void **state)
{
    (void)state;
    const char *golden = "# table: t\nname,n\n# rules: exact,exact\na1,226\nb2,58.4\n";
    const char *got = "# table: t\nname,n\na1,226\nb2,58.4\n";
    csv(golden, got, 0, NULL);
    text(got, got, 0, NULL);
    for (size_t i = 0; i < strlen(got); i++) {
        char *changed = lab_strdup(got);
        if (changed[i] >= '0' && changed[i] <= '9') {
            changed[i] = changed[i] == '9' ? '0' : (char)(changed[i] + 1);
            csv(golden, changed, 1, NULL);
            text(got, changed, 1, NULL);
            text(changed, got, 1, NULL);
        }
        free(changed);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_name_decides_the_kind),
    cmocka_unit_test(text_accepts_equal_bytes_and_crlf),
    cmocka_unit_test(text_names_the_line_that_differs),
    cmocka_unit_test(text_report_stops_at_twenty_lines),
    cmocka_unit_test(csv_compares_each_column_by_its_rule),
    cmocka_unit_test(csv_rel_is_relative_to_the_golden),
    cmocka_unit_test(nan_and_infinity_pass_no_numeric_rule),
    cmocka_unit_test(infinity_in_a_golden_bounds_nothing),
    cmocka_unit_test(csv_shape_must_agree),
    cmocka_unit_test(csv_reads_quotes_blank_lines_crlf_and_comments),
    cmocka_unit_test(a_malformed_golden_is_refused_by_line),
    cmocka_unit_test(one_changed_digit_is_always_seen),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
