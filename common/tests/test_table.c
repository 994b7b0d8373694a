#include <math.h>
#include <signal.h>
#include <string.h>

#include "lab/expect.h"
#include "lab/rng.h"
#include "lab/table.h"
#include "lab/test.h"

static const struct lab_col cols[] = {
    {"kernel", LAB_STR, 0, NULL, NULL, "The program that ran."},
    {"issues", LAB_INT, 0, NULL, NULL,
     "Instructions issued, each counted once whatever the mask says about its lanes."},
    {"util%", LAB_REAL, 1, NULL, "abs:0.05", "Share of lanes that worked."},
    {"slowdown", LAB_REAL, 2, "x", "machine", "Against the first row."},
};
static const struct lab_table_def def = {"div", NULL, cols, LAB_NCOLS(cols), "The note."};
static const struct lab_table_def titled = {"div", "Divergence", cols, LAB_NCOLS(cols), NULL};

static const struct lab_col one_col[] = {{"name", LAB_STR, 0, NULL, NULL, NULL}};
static const struct lab_table_def narrow = {"n", NULL, one_col, 1, NULL};

static void add_row(struct lab_table *t, const char *name, int64_t issues, double util, double slow)
{
    lab_table_str(t, name);
    lab_table_int(t, issues);
    lab_table_real(t, util);
    lab_table_real(t, slow);
}

static struct lab_table *sample(const struct lab_table_def *d)
{
    struct lab_table *t = lab_table_new(d);
    add_row(t, "uniform", 6, 100, 1);
    add_row(t, "max_divergent", 226, 58.407, 37.6666);
    return t;
}

enum what { TEXT, CSV, GOLDEN, JSON };

/* Renders, compares, and frees the table. */
static void assert_renders(struct lab_table *t, enum what what, const char *want)
{
    struct lab_buf b;
    lab_buf_init(&b);
    switch (what) {
    case TEXT: lab_table_text(t, &b); break;
    case CSV: lab_table_csv(t, false, &b); break;
    case GOLDEN: lab_table_csv(t, true, &b); break;
    case JSON: lab_table_json(t, &b); break;
    }
    assert_string_equal(lab_buf_str(&b), want);
    lab_buf_fini(&b);
    lab_table_free(t);
}

static void text_aligns_strings_left_and_numbers_right(void **state)
{
    (void)state;
    assert_renders(sample(&def), TEXT,
                   "kernel         issues  util%  slowdown\n"
                   "uniform             6  100.0     1.00x\n"
                   "max_divergent     226   58.4    37.67x\n");
}

static void text_has_the_title_and_the_header_without_rows(void **state)
{
    (void)state;
    assert_renders(lab_table_new(&titled), TEXT,
                   "== Divergence ==\nkernel  issues  util%  slowdown\n");
}

static void text_ends_no_line_with_blanks(void **state)
{
    (void)state;
    struct lab_table *t = lab_table_new(&narrow);
    lab_table_str(t, "longest of them");
    lab_table_str(t, "short");
    lab_table_str(t, "blank ");
    lab_table_str(t, "");
    lab_table_none(t);
    assert_renders(t, TEXT, "name\nlongest of them\nshort\nblank\n\n-\n");
}

static void csv_writes_values_without_padding(void **state)
{
    (void)state;
    assert_renders(sample(&titled), CSV,
                   "# table: div\nkernel,issues,util%,slowdown\n"
                   "uniform,6,100.0,1.00\nmax_divergent,226,58.4,37.67\n");
}

static void csv_golden_has_rules_and_hides_machine_cells(void **state)
{
    (void)state;
    assert_renders(sample(&def), GOLDEN,
                   "# table: div\nkernel,issues,util%,slowdown\n"
                   "# rules: exact,exact,abs:0.05,machine\n"
                   "uniform,6,100.0,~\nmax_divergent,226,58.4,~\n");
}

static void json_is_one_object(void **state)
{
    (void)state;
    assert_renders(sample(&def), JSON,
                   "{\"id\":\"div\",\"columns\":[\"kernel\",\"issues\",\"util%\",\"slowdown\"],"
                   "\"rows\":[[\"uniform\",6,100.0,1.00],[\"max_divergent\",226,58.4,37.67]]}");
    assert_renders(lab_table_new(&narrow), JSON,
                   "{\"id\":\"n\",\"columns\":[\"name\"],\"rows\":[]}");
}

static struct lab_table *odd_values(void)
{
    struct lab_table *t = lab_table_new(&def);
    lab_table_str(t, "none");
    lab_table_none(t);
    lab_table_none(t);
    lab_table_none(t);
    add_row(t, "nan", INT64_MIN, -NAN, INFINITY);
    add_row(t, "zero", INT64_MAX, -0.04, -0.001);
    return t;
}

static void a_cell_without_a_value_and_odd_numbers_have_one_spelling(void **state)
{
    (void)state;
    assert_renders(odd_values(), TEXT,
                   "kernel                issues  util%  slowdown\n"
                   "none                       -      -         -\n"
                   "nan     -9223372036854775808    nan      infx\n"
                   "zero     9223372036854775807    0.0     0.00x\n");
    assert_renders(odd_values(), CSV,
                   "# table: div\nkernel,issues,util%,slowdown\nnone,,,\n"
                   "nan,-9223372036854775808,nan,inf\nzero,9223372036854775807,0.0,0.00\n");
    assert_renders(odd_values(), GOLDEN,
                   "# table: div\nkernel,issues,util%,slowdown\n"
                   "# rules: exact,exact,abs:0.05,machine\nnone,,,\n"
                   "nan,-9223372036854775808,nan,~\nzero,9223372036854775807,0.0,~\n");
    assert_renders(odd_values(), JSON,
                   "{\"id\":\"div\",\"columns\":[\"kernel\",\"issues\",\"util%\",\"slowdown\"],"
                   "\"rows\":[[\"none\",null,null,null],[\"nan\",-9223372036854775808,null,null],"
                   "[\"zero\",9223372036854775807,0.0,0.00]]}");
}

static void text_counts_code_points_and_survives_control_bytes(void **state)
{
    (void)state;
    struct lab_table *t = lab_table_new(&def);
    add_row(t,
            "4\xc3\x97"
            "4",
            1, 1, 1);
    add_row(t, "a\nb", 1, 1, 1);
    assert_renders(t, TEXT,
                   "kernel  issues  util%  slowdown\n"
                   "4\xc3\x97"
                   "4          1    1.0     1.00x\n"
                   "a?b          1    1.0     1.00x\n");
}

static void csv_quotes_what_a_reader_would_misread(void **state)
{
    (void)state;
    struct lab_table *t = lab_table_new(&narrow);
    lab_table_str(t, "a,b");
    lab_table_str(t, "say \"x\"");
    lab_table_str(t, "# table: fake");
    lab_table_str(t, "");
    lab_table_none(t);
    lab_table_str(t, "two\nlines");
    assert_renders(t, CSV,
                   "# table: n\nname\n\"a,b\"\n\"say \"\"x\"\"\"\n\"# table: fake\"\n\"\"\n\"\"\n"
                   "\"two\nlines\"\n");
}

static void a_row_begun_is_not_shown(void **state)
{
    (void)state;
    struct lab_table *t = sample(&def);
    lab_table_str(t, "unfinished and much wider than the others");
    assert_int_equal(lab_table_rows(t), 2);
    assert_ptr_equal(lab_table_def_of(t), &def);
    assert_renders(t, TEXT,
                   "kernel         issues  util%  slowdown\n"
                   "uniform             6  100.0     1.00x\n"
                   "max_divergent     226   58.4    37.67x\n");
}

/* Whatever the cells: no line ends with a blank, all columns of numbers end in one place, and the
 * CSV agrees with the golden made of the same table. */
static void random_tables_keep_the_layout_and_match_themselves(void **state)
{
    (void)state;
    struct lab_rng r;
    struct lab_buf text;
    struct lab_buf golden;
    struct lab_err err = {0};
    lab_buf_init(&text);
    lab_buf_init(&golden);
    lab_rng_seed(&r, 42);
    for (long k = lab_test_trials(300); k > 0; k--) {
        struct lab_table *t = lab_table_new(&def);
        for (uint64_t rows = lab_rng_below(&r, 6); rows > 0; rows--) {
            char name[9] = {0};
            for (uint64_t i = lab_rng_below(&r, 8); i > 0; i--) {
                name[i - 1] = "ab ,\"#~\n"[lab_rng_below(&r, 8)];
            }
            add_row(t, name, (int64_t)lab_rng_u64(&r) >> lab_rng_below(&r, 60),
                    lab_rng_f64(&r) * 1e6 - 5e5, lab_rng_f64(&r));
        }
        lab_buf_clear(&text);
        lab_table_text(t, &text);
        assert_null(strstr(lab_buf_str(&text), " \n"));
        size_t width = strcspn(lab_buf_str(&text), "\n");
        for (const char *line = lab_buf_str(&text); *line != '\0'; line += width + 1) {
            assert_int_equal(strcspn(line, "\n"), width);
        }
        lab_buf_clear(&text);
        lab_buf_clear(&golden);
        lab_table_csv(t, false, &text);
        lab_table_csv(t, true, &golden);
        int differences =
            lab_expect_csv("g", lab_buf_str(&golden), lab_buf_str(&text), &text, &err);
        if (differences != 0) {
            fail_msg("%d %s\n%s", differences, err.msg, lab_buf_str(&text));
        }
        lab_table_free(t);
    }
    lab_buf_fini(&text);
    lab_buf_fini(&golden);
}

static void explain_lists_each_column_and_the_note(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_table_explain(&def, &b);
    assert_string_equal(lab_buf_str(&b),
                        "== div ==\n"
                        "  kernel    The program that ran.\n"
                        "  issues    Instructions issued, each counted once whatever the mask says "
                        "about\n"
                        "            its lanes.\n"
                        "  util%     Share of lanes that worked.\n"
                        "  slowdown  Against the first row.\n"
                        "\nThe note.\n");
    lab_buf_fini(&b);
}

static int wrong_kind(void *arg)
{
    struct lab_table *t = lab_table_new(&def);
    lab_table_str(t, "a");
    if (arg != NULL) {
        lab_table_real(t, 1);
    }
    lab_table_free(t);
    return 0;
}

static void a_cell_of_the_wrong_kind_is_a_programming_error(void **state)
{
    (void)state;
    int yes = 1;
    assert_int_equal(lab_test_child(wrong_kind, NULL, NULL, NULL), 0);
    assert_int_equal(lab_test_child(wrong_kind, &yes, NULL, NULL), 128 + SIGABRT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(text_aligns_strings_left_and_numbers_right),
    cmocka_unit_test(text_has_the_title_and_the_header_without_rows),
    cmocka_unit_test(text_ends_no_line_with_blanks),
    cmocka_unit_test(csv_writes_values_without_padding),
    cmocka_unit_test(csv_golden_has_rules_and_hides_machine_cells),
    cmocka_unit_test(json_is_one_object),
    cmocka_unit_test(a_cell_without_a_value_and_odd_numbers_have_one_spelling),
    cmocka_unit_test(text_counts_code_points_and_survives_control_bytes),
    cmocka_unit_test(csv_quotes_what_a_reader_would_misread),
    cmocka_unit_test(a_row_begun_is_not_shown),
    cmocka_unit_test(random_tables_keep_the_layout_and_match_themselves),
    cmocka_unit_test(explain_lists_each_column_and_the_note),
    cmocka_unit_test(a_cell_of_the_wrong_kind_is_a_programming_error),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
