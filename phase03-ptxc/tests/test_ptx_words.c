/* The vocabulary: every word is found, and only whole words; a wrong one has a likely neighbour. */
#include "lab/test.h"
#include "ptx_words.h"

#include <string.h>

static enum ptx_word find(const char *s)
{
    return ptx_word_find(s, strlen(s));
}

static void words_stand_in_byte_order(void **state)
{
    (void)state;
    for (int w = 2; w < PTX_WORD_COUNT; w++) {
        enum ptx_word a = (enum ptx_word)(w - 1), b = (enum ptx_word)w;
        if (ptx_word_is_opcode(a) == ptx_word_is_opcode(b)) {
            assert_true(strcmp(ptx_word_text(a), ptx_word_text(b)) < 0);
        }
    }
}

static void words_are_found_by_their_text(void **state)
{
    (void)state;
    for (int w = 1; w < PTX_WORD_COUNT; w++) {
        assert_int_equal(find(ptx_word_text((enum ptx_word)w)), w);
    }
    assert_int_equal(find("shared::cta"), PTX_W_shared_cta);
    assert_int_equal(find("m16n8k16"), PTX_W_m16n8k16);
    assert_int_equal(find("1d"), PTX_W_1d);
    assert_int_equal(find("L2::128B"), PTX_W_L2_128B);
    assert_int_equal(find("mbarrier::complete_tx::bytes"), PTX_W_mbarrier_complete_tx_bytes);
}

static void words_are_found_whole_only(void **state)
{
    (void)state;
    assert_int_equal(find(""), PTX_W_none);
    assert_int_equal(find("globa"), PTX_W_none);
    assert_int_equal(find("globall"), PTX_W_none);
    assert_int_equal(find("Global"), PTX_W_none);
    assert_int_equal(ptx_word_find("ld\0", 3), PTX_W_none);
    assert_int_equal(ptx_word_find("ldu", 2), PTX_W_ld);
}

static void words_know_opcodes_from_modifiers(void **state)
{
    (void)state;
    assert_true(ptx_word_is_opcode(PTX_W_abs));
    assert_true(ptx_word_is_opcode(PTX_W_xor));
    assert_true(ptx_word_is_opcode(PTX_W_popc));
    assert_false(ptx_word_is_opcode(PTX_W_none));
    assert_false(ptx_word_is_opcode(PTX_W_f32));
    assert_false(ptx_word_is_opcode(PTX_W_global));
}

static void words_suggest_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(ptx_word_nearest("shlf", 4, true), PTX_W_shf);
    assert_int_equal(ptx_word_nearest("globl", 5, false), PTX_W_global);
    assert_int_equal(ptx_word_nearest("barier", 6, true), PTX_W_barrier);
    assert_int_equal(ptx_word_nearest("globl", 5, true), PTX_W_none);
    assert_int_equal(ptx_word_nearest("completely_else", 15, true), PTX_W_none);
    assert_int_equal(ptx_word_nearest("", 0, true), PTX_W_none);
    char longer[4000];
    memset(longer, 'a', sizeof(longer));
    assert_int_equal(ptx_word_nearest(longer, sizeof(longer), false), PTX_W_none);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stand_in_byte_order),
        cmocka_unit_test(words_are_found_by_their_text),
        cmocka_unit_test(words_are_found_whole_only),
        cmocka_unit_test(words_know_opcodes_from_modifiers),
        cmocka_unit_test(words_suggest_the_nearest),
    };
    return LAB_TEST_MAIN(tests);
}
