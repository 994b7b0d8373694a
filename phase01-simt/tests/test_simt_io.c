/* Words in, registers and memory out, the trace, and the picture. */
#include <stdlib.h>

#include "lab/file.h"
#include "simt_dump.h"
#include "simt_helper.h"
#include "simt_timeline.h"
#include "simt_trace.h"

static const char *write_file(const char *text)
{
    static char path[4096];
    struct lab_err err = {0};
    (void)snprintf(path, sizeof(path), "%s/words", lab_test_tmpdir());
    assert_int_equal(lab_file_write(path, text, strlen(text), &err), 0);
    return path;
}

static void words_are_loaded_from_word_0(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    cfg.mem_words = 8;
    struct fixture f = fixture_text("HALT\n", &cfg);
    const char *path = write_file("; three lines\r\n1, 2 ,3\r\n-4 0xff\n\n# end\n2147483647");
    assert_int_equal(simt_mem_load(f.b, path, &f.err), 0);
    static const int32_t want[8] = {1, 2, 3, -4, 255, INT32_MAX, 0, 0};
    assert_memory_equal(f.b->mem, want, sizeof(want));
    fixture_close(&f);
}

static void refuse_words(const char *text, const char *want)
{
    struct simt_config cfg = config_policy(SIMT_STACK);
    cfg.mem_words = 4;
    struct fixture f = fixture_text("HALT\n", &cfg);
    assert_int_equal(simt_mem_load(f.b, write_file(text), &f.err), -1);
    assert_int_equal(lab_err_exit(&f.err), LAB_EXIT_USAGE);
    if (strstr(f.err.msg, want) == NULL) {
        fail_msg("'%s' does not say '%s'", f.err.msg, want);
    }
    fixture_close(&f);
}

static void bad_words_are_named_with_their_place(void **state)
{
    (void)state;
    refuse_words("1 2\n 3 x\n", "words:2:4: 'x' stands here, expected a number such as");
    refuse_words("1 2 3\n4 5\n", "words:2:3: too many words, expected at most 4");
    refuse_words("1 99999999999\n", "words:1:3: 99999999999 does not fit");
    refuse_words("1 \x01\n", "words:1:3: byte 0x01 is not text");
    refuse_words("1,,2\n", "words:1:3: ',' stands here");
}

static void dump_understands_three_forms(void **state)
{
    (void)state;
    struct simt_dump d;
    struct lab_err err = {0};
    assert_int_equal(simt_dump_parse(NULL, 100, &d, &err), 0);
    assert_false(d.regs || d.mem);
    assert_int_equal(simt_dump_parse("regs", 100, &d, &err), 0);
    assert_true(d.regs && !d.mem);
    assert_int_equal(simt_dump_parse("mem", 100, &d, &err), 0);
    assert_true(d.mem && !d.range && d.first == 0 && d.last == 99);
    assert_int_equal(simt_dump_parse("mem:3-17", 100, &d, &err), 0);
    assert_true(d.mem && d.range && d.first == 3 && d.last == 17);
    assert_int_equal(simt_dump_parse("mem:99-99", 100, &d, &err), 0);
}

static void dump_refuses_what_it_does_not_understand(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",        "register",  "mem:",     "mem:3",    "mem:3-",   "mem:-3",
        "mem:5-4", "mem:0-100", "mem:1-2x", "mem:1 -2", "mem:+1-2", "mem:9999999999-9999999999"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct simt_dump d;
        struct lab_err err = {0};
        assert_int_equal(simt_dump_parse(bad[i], 100, &d, &err), -1);
        assert_int_equal(lab_err_exit(&err), LAB_EXIT_USAGE);
        assert_non_null(strstr(err.msg, "expected regs, mem or mem:A-B in 0..99"));
    }
}

struct trace_arg {
    struct simt_trace trace;
};

static void trace_event(void *arg, const struct simt_event *event)
{
    simt_trace_line(&((struct trace_arg *)arg)->trace, event);
}

static void the_trace_shows_pc_instruction_and_mask(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len = 0;
    struct simt_config cfg = config_policy(SIMT_STACK);
    struct fixture f = fixture_kernel("even_odd", &cfg);
    struct trace_arg arg = {{.out = open_memstream(&text, &len), .prog = f.prog}};
    f.b->observe = trace_event;
    f.b->observe_arg = &arg;
    (void)fixture_run(&f);
    assert_int_equal(fclose(arg.trace.out), 0);
    assert_non_null(
        strstr(text, "    0  TID r0                      ################################\n"));
    assert_non_null(
        strstr(text, "    2  BRZ r1, even                ################################\n"
                     "    3  ST [r0], r0                 .#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#\n"));
    free(text);
    fixture_close(&f);
}

static void the_trace_names_the_warp_when_there_are_several(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len = 0;
    struct simt_config cfg = config_policy(SIMT_STACK);
    cfg.warps = 2;
    struct fixture f = fixture_text("HALT\n", &cfg);
    struct trace_arg arg = {{.out = open_memstream(&text, &len), .prog = f.prog, .warps = true}};
    f.b->observe = trace_event;
    f.b->observe_arg = &arg;
    simt_trace_head(&arg.trace);
    (void)fixture_run(&f);
    assert_int_equal(fclose(arg.trace.out), 0);
    assert_string_equal(
        text, "warp   pc  instruction                 0       8       16      24     31\n"
              "   0    0  HALT                        ################################\n"
              "   1    0  HALT                        ################################\n");
    free(text);
    fixture_close(&f);
}

static void record_line(void *arg, const struct simt_event *event)
{
    simt_timeline_record(arg, event);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = strstr(text, what); p != NULL; p = strstr(p + 1, what)) {
        n++;
    }
    return n;
}

static void the_picture_has_a_cell_for_every_lane_and_issue(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    struct fixture f = fixture_kernel("even_odd", &cfg);
    struct simt_timeline line = {0};
    struct lab_buf svg;
    lab_buf_init(&svg);
    f.b->observe = record_line;
    f.b->observe_arg = &line;
    (void)fixture_run(&f);
    struct simt_panel panel = {"even_odd <&>", f.prog, &line};
    simt_timeline_svg(&panel, 1, &svg);
    const char *text = lab_buf_str(&svg);
    /* Cells and the legend's box of each look. */
    assert_int_equal(count(text, "<rect class=\"s0\""), 4 * 32 + 1);
    assert_int_equal(count(text, "<rect class=\"s1\""), 3 * 16 + 1);
    assert_int_equal(count(text, "<rect class=\"s2\""), 3 * 16 + 1);
    assert_int_equal(count(text, "<rect class=\"s6\""), 6 * 16 + 1);
    assert_int_equal(count(text, ">RECONV</text>"), 2);
    assert_int_equal(count(text, "even_odd &lt;&amp;&gt;"), 1);
    assert_int_equal(count(text, "<g"), count(text, "</g>"));
    lab_buf_fini(&svg);
    simt_timeline_fini(&line);
    fixture_close(&f);
}

static void a_long_picture_stops_but_keeps_counting(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    struct fixture f = fixture_kernel("latency", &cfg);
    struct simt_timeline line = {0};
    f.b->observe = record_line;
    f.b->observe_arg = &line;
    (void)fixture_run(&f);
    assert_int_equal(line.n, SIMT_TIMELINE_MAX);
    assert_int_equal(line.total, 518);
    simt_timeline_fini(&line);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_loaded_from_word_0),
        cmocka_unit_test(bad_words_are_named_with_their_place),
        cmocka_unit_test(dump_understands_three_forms),
        cmocka_unit_test(dump_refuses_what_it_does_not_understand),
        cmocka_unit_test(the_trace_shows_pc_instruction_and_mask),
        cmocka_unit_test(the_trace_names_the_warp_when_there_are_several),
        cmocka_unit_test(the_picture_has_a_cell_for_every_lane_and_issue),
        cmocka_unit_test(a_long_picture_stops_but_keeps_counting),
    };
    return LAB_TEST_MAIN(tests);
}
