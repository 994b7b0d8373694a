#include <math.h>
#include <signal.h>
#include <string.h>

#include "lab/rng.h"
#include "lab/svg.h"
#include "lab/test.h"

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *s = strstr(text, what); s != NULL; s = strstr(s + 1, what)) {
        n++;
    }
    return n;
}

/* Enough of an XML check for what the writer can do wrong: tags close in order, attributes are
 * quoted, no bare '&'. */
static void assert_well_formed(const char *s)
{
    const char *open[16] = {NULL};
    size_t depth = 0;
    for (; *s != '\0'; s++) {
        if (*s == '&') {
            assert_true(strncmp(s, "&lt;", 4) == 0 || strncmp(s, "&gt;", 4) == 0 ||
                        strncmp(s, "&amp;", 5) == 0 || strncmp(s, "&quot;", 6) == 0);
        }
        assert_true(*s != '>');
        if (*s != '<') {
            continue;
        }
        const char *name = ++s;
        bool quoted = false;
        for (; *s != '>' || quoted; s++) {
            assert_true(*s != '\0' && *s != '<');
            quoted ^= *s == '"';
        }
        if (*name == '/') {
            assert_true(depth > 0);
            depth--;
            assert_memory_equal(name + 1, open[depth], (size_t)(s - name - 1));
        } else if (s[-1] != '/') {
            assert_true(depth < 16);
            open[depth++] = name;
        }
    }
    assert_int_equal(depth, 0);
}

static void svg_writes_elements_with_two_digits(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_svg_rect(&b, "s0", LAB_XY(1, 2.345), 3, 4);
    lab_svg_line(&b, "grid", LAB_XY(-0.001, 0), LAB_XY(1, 1));
    lab_svg_circle(&b, "s1", LAB_XY(5, 6), 1.5);
    lab_svg_polyline(&b, "l0", (struct lab_xy[]){{0, 0}, {1, 2}}, 2);
    lab_svg_polygon(&b, "s2", (struct lab_xy[]){{0, 0}, {1, 2}, {3, 4}}, 3);
    lab_svg_text(&b, "t", LAB_XY(7, 8), "a<%d & \"b\"", 5);
    assert_string_equal(
        lab_buf_str(&b),
        "<rect class=\"s0\" x=\"1.00\" y=\"2.35\" width=\"3.00\" height=\"4.00\"/>\n"
        "<line class=\"grid\" x1=\"0.00\" y1=\"0.00\" x2=\"1.00\" y2=\"1.00\"/>\n"
        "<circle class=\"s1\" cx=\"5.00\" cy=\"6.00\" r=\"1.50\"/>\n"
        "<polyline class=\"l0\" points=\"0.00,0.00 1.00,2.00\"/>\n"
        "<polygon class=\"s2\" points=\"0.00,0.00 1.00,2.00 3.00,4.00\"/>\n"
        "<text class=\"t\" x=\"7.00\" y=\"8.00\">a&lt;5 &amp; &quot;b&quot;</text>\n");
    lab_buf_fini(&b);
}

static void svg_has_an_accessible_name_and_no_outside_parts(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_svg_begin(&b, 300, 200, "A < B", "About & more");
    lab_svg_end(&b);
    const char *s = lab_buf_str(&b);
    assert_non_null(strstr(s, "role=\"img\""));
    assert_non_null(strstr(s, "<title>A &lt; B</title>"));
    assert_non_null(strstr(s, "<desc>About &amp; more</desc>"));
    assert_non_null(strstr(s, "prefers-color-scheme:dark"));
    assert_null(strstr(s, "<script"));
    assert_null(strstr(s, "href"));
    assert_null(strstr(s, "url("));
    assert_well_formed(s);
    lab_buf_fini(&b);
}

static int nan_coordinate(void *arg)
{
    struct lab_buf b;
    (void)arg;
    lab_buf_init(&b);
    lab_svg_circle(&b, "s0", LAB_XY(NAN, 0), 1);
    lab_buf_fini(&b);
    return 0;
}

static void a_nan_coordinate_is_a_programming_error(void **state)
{
    (void)state;
    assert_int_equal(lab_test_child(nan_coordinate, NULL, NULL, NULL), 128 + SIGABRT);
}

/* One series; the caller changes what it wants and frees nothing but the buffer. */
struct one {
    struct lab_series s;
    struct lab_plot p;
};

static void one_series(struct one *o, const double *x, const double *y, size_t n)
{
    *o = (struct one){.s = {.name = "series", .x = x, .y = y, .n = n, .line = true, .points = true},
                      .p = {.title = "T", .desc = "D", .nseries = 1}};
    o->p.series = &o->s;
}

static const char *drawn(const struct one *o, struct lab_buf *b)
{
    lab_buf_clear(b);
    lab_plot_svg(&o->p, b);
    assert_well_formed(lab_buf_str(b));
    return lab_buf_str(b);
}

static void bytes_axis_has_ticks_at_powers_of_two(void **state)
{
    (void)state;
    double x[17];
    double y[17];
    for (int i = 0; i < 17; i++) {
        x[i] = ldexp(4096, i);
        y[i] = 1 + i;
    }
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, y, 17);
    o.p.x = (struct lab_axis){.label = "bytes", .log = true, .ticks = LAB_TICKS_BYTES};
    const char *s = drawn(&o, &b);
    static const char *const want[] = {">4K<", ">16K<", ">64K<", ">1M<", ">64M<", ">256M<"};
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        assert_int_equal(count(s, want[i]), 1);
    }
    assert_int_equal(count(s, "<circle"), 17 + 1); /* and one in the legend */
    assert_int_equal(count(s, "<polyline"), 1);
    lab_buf_fini(&b);
}

static void log_axis_labels_decades_and_has_a_minor_grid(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3};
    const double y[] = {0.002, 7, 1500000};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, y, 3);
    o.p.y.log = true;
    const char *s = drawn(&o, &b);
    assert_int_equal(count(s, ">0.01<"), 1);
    assert_int_equal(count(s, ">1000<"), 1);
    assert_int_equal(count(s, ">1e6<"), 1);
    assert_true(count(s, "class=\"minor\"") > 50);
    lab_buf_fini(&b);
}

static void linear_axis_from_zero_has_round_ticks(void **state)
{
    (void)state;
    const double x[] = {1, 32};
    const double y[] = {4.9, 97};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, y, 2);
    const char *s = drawn(&o, &b);
    static const char *const want[] = {">60<", ">80<", ">100<", ">10<", ">30<"};
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        assert_int_equal(count(s, want[i]), 1);
    }
    assert_int_equal(count(s, ">0<"), 2); /* on both axes */
    assert_int_equal(count(s, ">20<"), 2);
    assert_int_equal(count(s, ">40<"), 2);
    assert_int_equal(count(s, ">120<"), 0);
    lab_buf_fini(&b);
}

static void linear_axis_includes_a_zero_that_is_near(void **state)
{
    (void)state;
    const double x[] = {100, 101};
    const double near[] = {8, 20};
    const double far[] = {18, 20};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, near, 2);
    assert_int_equal(count(drawn(&o, &b), ">0<"), 1);
    o.s.y = far;
    assert_int_equal(count(drawn(&o, &b), ">0<"), 0);
    lab_buf_fini(&b);
}

static void what_has_no_place_on_a_log_axis_is_left_out(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5};
    const double y[] = {10, 0, -5, NAN, 20};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, y, 5);
    o.p.y.log = true;
    const char *s = drawn(&o, &b);
    assert_int_equal(count(s, "<circle"), 2 + 1);
    assert_int_equal(count(s, "<polyline"), 0); /* no two neighbours are left */
    lab_buf_fini(&b);
}

static void a_fixed_range_clips(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4};
    const double y[] = {0, 100, 0, 100, 0};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, y, 5);
    o.p.y.max = 50;
    const char *s = drawn(&o, &b);
    assert_int_equal(count(s, "<circle"), 3 + 1);
    assert_int_equal(count(s, "<polyline"), 3); /* the peaks are cut off */
    lab_buf_fini(&b);
}

static void no_data_still_makes_a_picture(void **state)
{
    (void)state;
    const double one[] = {5};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, NULL, NULL, 0);
    (void)drawn(&o, &b);
    o.p.x.log = o.p.y.log = true;
    (void)drawn(&o, &b);
    o.p.nseries = 0;
    (void)drawn(&o, &b);
    one_series(&o, one, one, 1);
    assert_int_equal(count(drawn(&o, &b), "<circle"), 2);
    lab_buf_fini(&b);
}

static void references_are_dashed_and_names_make_the_legend(void **state)
{
    (void)state;
    const double x[] = {1, 2};
    struct lab_series s[3] = {
        {.name = "measured", .x = x, .y = x, .n = 2, .line = true},
        {.name = "bound & more", .x = x, .y = x, .n = 2, .line = true, .reference = true},
        {.x = x, .y = x, .n = 2, .points = true},
    };
    struct lab_plot p = {.title = "T", .series = s, .nseries = 3};
    struct lab_buf b;
    lab_buf_init(&b);
    lab_plot_svg(&p, &b);
    const char *svg = lab_buf_str(&b);
    assert_well_formed(svg);
    assert_int_equal(count(svg, "class=\"ref l1\""), 2);
    assert_int_equal(count(svg, ">measured<"), 1);
    assert_int_equal(count(svg, ">bound &amp; more<"), 1);
    assert_int_equal(count(svg, "class=\"s2\""), 2);
    lab_buf_fini(&b);
}

/* x of the text element that holds `label`. */
static double text_x(const char *svg, const char *label)
{
    const char *at = strstr(svg, label);
    assert_non_null(at);
    while (strncmp(at, " x=\"", 4) != 0) {
        at--;
    }
    return strtod(at + 4, NULL);
}

static void labels_and_marks_stay_in_the_picture(void **state)
{
    (void)state;
    const double x[] = {0, 100};
    const double y[] = {0, 10};
    static const char *const labels[] = {"lower left label", "upper right label"};
    const struct lab_mark mark[] = {{99.9, "a mark with a long label"}, {500, "outside"}};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, y, 2);
    o.s.labels = labels;
    o.p.marks = mark;
    o.p.nmarks = 2;
    const char *s = drawn(&o, &b);
    for (int i = 0; i < 2; i++) {
        double half = 0.56 * 13 * (double)strlen(labels[i]) / 2;
        assert_true(text_x(s, labels[i]) - half > 0 && text_x(s, labels[i]) + half < 760);
    }
    assert_true(text_x(s, mark[0].label) + 0.56 * 12 * 24 / 2 <= 760);
    assert_null(strstr(s, "outside"));
    lab_buf_fini(&b);
}

static void marks_that_would_touch_use_another_row(void **state)
{
    (void)state;
    const double x[] = {0, 100};
    const struct lab_mark near[] = {{50, "first mark"}, {51, "second mark"}};
    const struct lab_mark far[] = {{10, "first mark"}, {90, "second mark"}};
    struct one o;
    struct lab_buf b;
    lab_buf_init(&b);
    one_series(&o, x, x, 2);
    o.p.nmarks = 2;
    double y[2][2];
    for (int k = 0; k < 2; k++) {
        o.p.marks = k == 0 ? near : far;
        const char *s = drawn(&o, &b);
        for (int i = 0; i < 2; i++) {
            const char *at = strstr(s, near[i].label);
            while (strncmp(at, " y=\"", 4) != 0) {
                at--;
            }
            y[k][i] = strtod(at + 4, NULL);
        }
    }
    assert_true(y[0][0] - y[0][1] > 12);
    assert_true(y[1][0] == y[1][1]);
    lab_buf_fini(&b);
}

/* Any data on any axis: a well-formed picture, the same bytes twice, and every number inside it. */
static void random_data_draws_inside_the_picture(void **state)
{
    (void)state;
    struct lab_rng r;
    struct lab_buf b;
    struct lab_buf again;
    static const double special[] = {0,     -1,     NAN,    INFINITY, -INFINITY,
                                     1e300, -1e300, 5e-324, 1e-300};
    lab_buf_init(&b);
    lab_buf_init(&again);
    lab_rng_seed(&r, 42);
    for (long k = lab_test_trials(500); k > 0; k--) {
        double v[2][6];
        for (int i = 0; i < 12; i++) {
            uint64_t pick = lab_rng_below(&r, 20);
            v[i % 2][i / 2] = pick < 9 ? special[pick] : exp(20 * lab_rng_f64(&r) - 10);
        }
        struct one o;
        one_series(&o, v[0], v[1], 1 + (size_t)lab_rng_below(&r, 6));
        o.p.x.log = lab_rng_below(&r, 2);
        o.p.y.log = lab_rng_below(&r, 2);
        o.p.x.ticks = lab_rng_below(&r, 2) ? LAB_TICKS_BYTES : LAB_TICKS_PLAIN;
        const char *s = drawn(&o, &b);
        (void)drawn(&o, &again);
        assert_string_equal(s, lab_buf_str(&again));
        for (const char *c = strstr(s, "points=\""); c != NULL; c = strstr(c + 1, "points=\"")) {
            char *end = NULL;
            for (const char *p = c + 8; *p != '"'; p = end + (*end == ' ')) {
                double x = strtod(p, &end);
                double y = strtod(end + 1, &end);
                assert_true(x >= 0 && x <= 760 && y >= 0 && y <= 440);
            }
        }
    }
    lab_buf_fini(&b);
    lab_buf_fini(&again);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(svg_writes_elements_with_two_digits),
    cmocka_unit_test(svg_has_an_accessible_name_and_no_outside_parts),
    cmocka_unit_test(a_nan_coordinate_is_a_programming_error),
    cmocka_unit_test(bytes_axis_has_ticks_at_powers_of_two),
    cmocka_unit_test(log_axis_labels_decades_and_has_a_minor_grid),
    cmocka_unit_test(linear_axis_from_zero_has_round_ticks),
    cmocka_unit_test(linear_axis_includes_a_zero_that_is_near),
    cmocka_unit_test(what_has_no_place_on_a_log_axis_is_left_out),
    cmocka_unit_test(a_fixed_range_clips),
    cmocka_unit_test(no_data_still_makes_a_picture),
    cmocka_unit_test(references_are_dashed_and_names_make_the_legend),
    cmocka_unit_test(labels_and_marks_stay_in_the_picture),
    cmocka_unit_test(marks_that_would_touch_use_another_row),
    cmocka_unit_test(random_data_draws_inside_the_picture),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
