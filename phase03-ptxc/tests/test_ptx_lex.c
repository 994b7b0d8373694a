/* Tokens and their places; the arena they end in. */
#include "lab/test.h"
#include "ptx_arena.h"
#include "ptx_lex.h"

#include <string.h>

static struct ptx_lexer begin(const char *text, struct lab_err *err)
{
    struct ptx_lexer l;
    ptx_lex_init(&l, "t", text, strlen(text), err);
    return l;
}

/* The text is one token and nothing behind it. */
static struct ptx_token one(const char *text)
{
    struct lab_err err = {0};
    struct ptx_lexer l = begin(text, &err);
    struct ptx_token t = {.kind = PTX_T_END}, end = t;
    if (ptx_lex_next(&l, &t) < 0 || ptx_lex_next(&l, &end) < 0) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(end.kind, PTX_T_END);
    return t;
}

static void refuse(const char *text, const char *want)
{
    struct lab_err err = {0};
    struct ptx_lexer l = begin(text, &err);
    struct ptx_token t = {.kind = PTX_T_IDENT};
    int rc = 0;
    while (rc == 0 && t.kind != PTX_T_END) {
        rc = ptx_lex_next(&l, &t);
    }
    assert_int_equal(rc, -1);
    assert_string_equal(err.msg, want);
}

static void lex_reads_names(void **state)
{
    (void)state;
    static const char *const names[] = {"%r1",     "foo",  "$L__BB0_1", "_",
                                        "_Z3fooi", "%tid", "$str$1"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct ptx_token t = one(names[i]);
        assert_int_equal(t.kind, PTX_T_IDENT);
        assert_int_equal(t.len, strlen(names[i]));
    }
}

static void lex_reads_words(void **state)
{
    (void)state;
    struct ptx_token t = one(".mbarrier::complete_tx::bytes");
    assert_int_equal(t.kind, PTX_T_WORD);
    assert_memory_equal(t.s, "mbarrier::complete_tx::bytes", t.len);
    assert_int_equal(one(".1d").kind, PTX_T_WORD);
    assert_int_equal(one(".L2::128B").len, 8);
}

static void lex_reads_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
        bool is_unsigned;
    } rows[] = {{"0", 0, false},
                {"42", 42, false},
                {"42U", 42, true},
                {"0x1F", 31, false},
                {"0X1fU", 31, true},
                {"0b101", 5, false},
                {"017", 15, false},
                {"9223372036854775807", INT64_MAX, false},
                {"18446744073709551615", UINT64_MAX, true}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ptx_token t = one(rows[i].text);
        assert_int_equal(t.kind, PTX_T_INT);
        assert_int_equal(t.value, rows[i].value);
        assert_int_equal(t.is_unsigned, rows[i].is_unsigned);
    }
}

static void lex_reads_floats(void **state)
{
    (void)state;
    assert_int_equal(one("0f3F800000").kind, PTX_T_F32);
    assert_int_equal(one("0F3f800000").value, 0x3f800000);
    assert_int_equal(one("0d3FF0000000000000").kind, PTX_T_F64);
    assert_int_equal(one("1.0").value, 0x3ff0000000000000);
    assert_int_equal(one("1.").value, 0x3ff0000000000000);
    assert_int_equal(one("25e-1").value, 0x4004000000000000);
    assert_int_equal(one("0.5E+1").value, 0x4014000000000000);
}

static void lex_counts_lines_and_columns(void **state)
{
    (void)state;
    struct lab_err err = {0};
    struct ptx_lexer l = begin("a /* x\n\n */ b // c\n#define d\n@@DWARF e\n  f", &err);
    static const struct ptx_pos want[] = {{1, 1}, {3, 5}, {6, 3}};
    struct ptx_token t;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ptx_lex_next(&l, &t), 0);
        assert_int_equal(t.kind, PTX_T_IDENT);
        assert_int_equal(t.pos.line, want[i].line);
        assert_int_equal(t.pos.col, want[i].col);
    }
}

static void lex_reads_two_character_operators(void **state)
{
    (void)state;
    assert_int_equal(one("<<").punct, PTX_2('<', '<'));
    assert_int_equal(one("!=").punct, PTX_2('!', '='));
    assert_int_equal(one("||").punct, PTX_2('|', '|'));
    assert_int_equal(one("|").punct, '|');
}

static void lex_refuses_what_is_no_ptx(void **state)
{
    (void)state;
    refuse("a /* b", "t:1:3: a comment that never ends, expected '*/'");
    refuse("\n \"abc\n\"", "t:2:2: a string that never ends, expected '\"'");
    refuse("\"a\\", "t:1:1: a string that never ends, expected '\"'");
    refuse("\001", "t:1:1: the byte 0x01, expected PTX text");
    refuse("a \303\244", "t:1:3: the byte 0xc3, expected PTX text");
    refuse("0f3F80", "t:1:1: a float of 4 hexadecimal digits, expected 8");
    refuse("0f3F80000000", "t:1:1: a number that goes on with '0', expected a blank or ','");
    refuse("12ab", "t:1:1: a number that goes on with 'a', expected a blank or ','");
    refuse("089", "t:1:1: a number that goes on with '8', expected a blank or ','");
    refuse("0x", "t:1:1: an integer without digits, expected base 16 digits");
    refuse("18446744073709551616", "t:1:1: an integer above 64 bits, expected one below 2^64");
    refuse("1.5.5", "t:1:1: a float that cannot be read, expected one like 1.5 or 0f3FC00000");
}

static void lex_shows_long_tokens_cut(void **state)
{
    (void)state;
    char name[200], shown[PTX_SHOWN];
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    struct ptx_token t = one(name);
    const char *s = ptx_token_show(&t, shown);
    assert_int_equal(strlen(s), 2 + 40 + 3);
    struct ptx_token end = {.kind = PTX_T_END};
    assert_string_equal(ptx_token_show(&end, shown), "the end of the text");
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    struct ptx_arena *a = ptx_arena_new();
    for (size_t i = 0; i < 5000; i++) {
        unsigned char *p = ptx_arena_alloc(a, 1 + i % 37, 1);
        assert_int_equal((uintptr_t)p % 16, 0);
        assert_int_equal(p[i % 37], 0);
        memset(p, 0xaa, 1 + i % 37);
    }
    assert_true(ptx_arena_used(a) >= 5000 * 16);
    ptx_arena_free(a);
    ptx_arena_free(NULL);
}

static void arena_gives_large_pieces_blocks_of_their_own(void **state)
{
    (void)state;
    struct ptx_arena *a = ptx_arena_new();
    char *small = ptx_arena_str(a, "abc", 2);
    unsigned char *large = ptx_arena_alloc(a, 1 << 20, 1);
    char *next = ptx_arena_str(a, "d", 1);
    assert_string_equal(small, "ab");
    assert_int_equal(next - small, 16); /* the block with room left is still in use */
    assert_int_equal(large[(1 << 20) - 1], 0);
    large[(1 << 20) - 1] = 1;
    ptx_arena_free(a);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lex_reads_names),
        cmocka_unit_test(lex_reads_words),
        cmocka_unit_test(lex_reads_integers),
        cmocka_unit_test(lex_reads_floats),
        cmocka_unit_test(lex_counts_lines_and_columns),
        cmocka_unit_test(lex_reads_two_character_operators),
        cmocka_unit_test(lex_refuses_what_is_no_ptx),
        cmocka_unit_test(lex_shows_long_tokens_cut),
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_gives_large_pieces_blocks_of_their_own),
    };
    return LAB_TEST_MAIN(tests);
}
