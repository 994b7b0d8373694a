#include <string.h>

#include "lab/buf.h"
#include "lab/rng.h"
#include "lab/test.h"

static void buf_starts_as_the_empty_string(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    assert_string_equal(lab_buf_str(&b), "");
    lab_buf_add(&b, NULL, 0);
    assert_string_equal(lab_buf_str(&b), "");
    lab_buf_fini(&b);
}

static void buf_appends_in_order(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_puts(&b, "a");
    lab_buf_putc(&b, 'b');
    lab_buf_fill(&b, 'c', 3);
    lab_buf_printf(&b, "%d%s", 42, "!");
    lab_buf_add(&b, "xyz", 2);
    assert_string_equal(lab_buf_str(&b), "abccc42!xy");
    assert_int_equal(b.len, 10);
    lab_buf_clear(&b);
    assert_string_equal(lab_buf_str(&b), "");
    lab_buf_fini(&b);
}

static void buf_keeps_every_byte_while_it_grows(void **state)
{
    (void)state;
    struct lab_buf b;
    struct lab_rng r;
    struct lab_rng again;
    lab_buf_init(&b);
    lab_rng_seed(&r, 1);
    again = r;
    for (int i = 0; i < 10000; i++) {
        lab_buf_putc(&b, (char)lab_rng_u64(&r));
    }
    assert_int_equal(b.len, 10000);
    for (size_t i = 0; i < b.len; i++) {
        assert_int_equal(b.data[i], (char)lab_rng_u64(&again));
    }
    assert_int_equal(b.data[b.len], 0);
    lab_buf_fini(&b);
}

static void buf_printf_takes_more_than_the_room_left(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    for (int width = 1; width < 300; width++) {
        lab_buf_clear(&b);
        lab_buf_puts(&b, "ab");
        lab_buf_printf(&b, "%*d", width, 7);
        assert_int_equal(b.len, (size_t)width + 2);
        assert_int_equal(b.data[b.len - 1], '7');
        lab_buf_fini(&b);
    }
}

static int ask_for_too_much(void *arg)
{
    (void)arg;
    /* The product is 16 modulo 2^64. */
    free(lab_resize(NULL, SIZE_MAX / 16 + 2, 16));
    return 0;
}

static void no_memory_ends_the_program_with_3(void **state)
{
    (void)state;
    struct lab_buf err;
    lab_buf_init(&err);
    assert_int_equal(lab_test_child(ask_for_too_much, NULL, NULL, &err), LAB_EXIT_CANNOT);
    assert_non_null(strstr(lab_buf_str(&err), "out of memory"));
    lab_buf_fini(&err);
}

static void alloc_is_zeroed_and_never_null(void **state)
{
    (void)state;
    unsigned char *p = lab_alloc(100, 3);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(p[i], 0);
    }
    free(p);
    void *empty = lab_alloc(0, 8);
    assert_non_null(empty);
    empty = lab_resize(empty, 0, 8);
    assert_non_null(empty);
    free(empty);
}

static void json_escapes_what_json_demands(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_json(&b, "a\"b\\c\n\x01 \xc3\xa9 \xff");
    assert_string_equal(lab_buf_str(&b), "\"a\\\"b\\\\c\\u000a\\u0001 \xc3\xa9 \\ufffd\"");
    lab_buf_fini(&b);
}

static void xml_escapes_what_xml_demands(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_xml(&b, "<a & \"b\"> \xe2\x82\xac \x02 \xc3");
    assert_string_equal(lab_buf_str(&b), "&lt;a &amp; &quot;b&quot;&gt; \xe2\x82\xac \xef\xbf\xbd "
                                         "\xef\xbf\xbd");
    lab_buf_fini(&b);
}

static void utf8_accepts_exactly_the_valid_forms(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        size_t n;
    } cases[] = {
        {"", 0},
        {"a", 1},
        {"\x7f", 1},
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xe0\xa0\x80", 3},
        {"\xed\x9f\xbf", 3},
        {"\xef\xbf\xbf", 3},
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\x80", 0},     /* a continuation alone */
        {"\xc0\x80", 0}, /* too long a form of NUL */
        {"\xc1\xbf", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xed\xa0\x80", 0}, /* a surrogate */
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf4\x90\x80\x80", 0}, /* beyond U+10FFFF */
        {"\xf5\x80\x80\x80", 0},
        {"\xe2\x82", 0}, /* cut short */
        {"\xc3", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (lab_utf8_next(cases[i].s) != cases[i].n) {
            fail_msg("case %zu: %zu bytes, expected %zu", i, lab_utf8_next(cases[i].s), cases[i].n);
        }
    }
    assert_int_equal(lab_utf8_width("a\xc3\xa9\xe2\x82\xac\xff"), 4);
}

static void wrap_breaks_before_80_and_keeps_all_words(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_puts(&b, "head  ");
    lab_buf_wrap(&b,
                 "one two three four five six seven eight nine ten eleven twelve thirteen "
                 "fourteen fifteen sixteen",
                 6, 6);
    assert_string_equal(lab_buf_str(&b),
                        "head  one two three four five six seven eight nine ten eleven twelve "
                        "thirteen\n      fourteen fifteen sixteen\n");
    lab_buf_fini(&b);
}

static void wrap_fills_a_line_to_exactly_80(void **state)
{
    (void)state;
    struct lab_buf b;
    char text[84];
    lab_buf_init(&b);
    for (size_t second = 39; second <= 40; second++) {
        memset(text, 'w', sizeof(text));
        text[40] = ' ';
        text[41 + second] = '\0';
        lab_buf_clear(&b);
        lab_buf_wrap(&b, text, 0, 0);
        assert_int_equal(strcspn(lab_buf_str(&b), "\n"), second == 39 ? 80 : 40);
    }
    lab_buf_fini(&b);
}

static void wrap_leaves_a_word_longer_than_the_line_whole(void **state)
{
    (void)state;
    struct lab_buf b;
    char word[121];
    memset(word, 'w', 120);
    word[120] = '\0';
    lab_buf_init(&b);
    lab_buf_wrap(&b, word, 4, 4);
    assert_int_equal(b.len, 121);
    lab_buf_fini(&b);
}

static size_t edits(const char *a, const char *b)
{
    size_t there = lab_edits(a, strlen(a), b, strlen(b));
    assert_int_equal(lab_edits(b, strlen(b), a, strlen(a)),
                     there); /* law: the way back is as long */
    return there;
}

static void edits_counts_letters_added_dropped_and_changed(void **state)
{
    (void)state;
    assert_int_equal(edits("", ""), 0);
    assert_int_equal(edits("seed", "SEED"), 0);
    assert_int_equal(edits("", "seed"), 4);
    assert_int_equal(edits("seed", "seeds"), 1);
    assert_int_equal(edits("warsp", "warps"), 2);
    assert_int_equal(edits("kitten", "sitting"), 3);
}

static void edits_gives_up_on_words_over_40_letters(void **state)
{
    (void)state;
    char word[42];
    memset(word, 'w', sizeof(word));
    assert_int_equal(lab_edits(word, 40, word, 40), 0);
    assert_int_equal(lab_edits(word, 41, "w", 1), SIZE_MAX);
    assert_int_equal(lab_edits("w", 1, word, 41), SIZE_MAX);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(buf_starts_as_the_empty_string),
    cmocka_unit_test(buf_appends_in_order),
    cmocka_unit_test(buf_keeps_every_byte_while_it_grows),
    cmocka_unit_test(buf_printf_takes_more_than_the_room_left),
    cmocka_unit_test(no_memory_ends_the_program_with_3),
    cmocka_unit_test(alloc_is_zeroed_and_never_null),
    cmocka_unit_test(json_escapes_what_json_demands),
    cmocka_unit_test(xml_escapes_what_xml_demands),
    cmocka_unit_test(utf8_accepts_exactly_the_valid_forms),
    cmocka_unit_test(edits_counts_letters_added_dropped_and_changed),
    cmocka_unit_test(edits_gives_up_on_words_over_40_letters),
    cmocka_unit_test(wrap_breaks_before_80_and_keeps_all_words),
    cmocka_unit_test(wrap_fills_a_line_to_exactly_80),
    cmocka_unit_test(wrap_leaves_a_word_longer_than_the_line_whole),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
