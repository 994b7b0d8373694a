/* The assembler: what it reads, and what it says about what it cannot read. */
#include <stdlib.h>
#include <sys/stat.h>

#include "simt_helper.h"

static struct simt_program *good(const char *text)
{
    struct simt_program *p = NULL;
    struct lab_err err = {0};
    if (simt_assemble("t.simt", text, strlen(text), &p, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    return p;
}

static void bad_bytes(const char *text, size_t len, const char *want)
{
    struct simt_program *p = NULL;
    struct lab_err err = {0};
    assert_int_equal(simt_assemble("t.simt", text, len, &p, &err), -1);
    assert_null(p);
    assert_int_equal(lab_err_exit(&err), LAB_EXIT_USAGE);
    assert_null(strchr(err.msg, '\n'));
    if (strcmp(err.msg, want) != 0) {
        fail_msg("got  '%s'\nwant '%s'", err.msg, want);
    }
}

static void bad(const char *text, const char *want)
{
    bad_bytes(text, strlen(text), want);
}

static void every_form_is_read_and_printed_again(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "TID r0",
        "MOVI r15, -7",
        "MOV r1, r2",
        "ADD r1, r2, r3",
        "MUL r1, r2, 10",
        "SELP r1, r2, r3, r4",
        "LD r1, [r2]",
        "LD r1, [r2+12]",
        "LD r1, [r2-12]",
        "ST [r3+1], r4",
        "SHFL r1, r2, r3",
        "BALLOT r1, r2",
        "BAR",
        "ATOM_CAS r1, [r2+3], r4, r5",
        "SHR r1, r2, 31",
        "MOD r9, r10, -2147483648",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct simt_program *p = good(lines[i]);
        struct lab_buf text;
        lab_buf_init(&text);
        simt_insn_text(p, 0, &text);
        assert_string_equal(lab_buf_str(&text), lines[i]);
        lab_buf_fini(&text);
        simt_program_free(p);
    }
}

static void operands_land_in_their_fields(void **state)
{
    (void)state;
    struct simt_program *p = good("ATOM_CAS r1, [r2+3], r4, r5\nST [r6-1], r7\nSUB r8, r9, 0x10\n");
    assert_int_equal(p->n, 3);
    const struct simt_insn *in = p->code;
    assert_true(in->op == SIMT_ATOM_CAS && in->rd == 1 && in->ra == 2 && in->imm == 3);
    assert_true(in->rb == 4 && in->rc == 5);
    in++;
    assert_true(in->op == SIMT_ST && in->ra == 6 && in->imm == -1 && in->rb == 7);
    in++;
    assert_true(in->op == SIMT_SUB && in->rd == 8 && in->ra == 9 && in->has_imm && in->imm == 16);
    simt_program_free(p);
}

static void layout_case_comments_and_line_ends_are_free(void **state)
{
    (void)state;
    struct simt_program *p =
        good("\xef\xbb\xbf; a comment with bytes outside ASCII: \xc3\xa4\r\n\r\n"
             "a: b:\tc :\r\n  movi R3,0xFFFFFFFF # and another; one\r\n"
             "\t ld r1 , [ r2 + 4 ] ;x\r\n ld r1,[r2 - 4]\r\nend: halt");
    assert_int_equal(p->n, 4);
    assert_int_equal(p->code[0].imm, -1);
    assert_int_equal(p->code[1].imm, 4);
    assert_int_equal(p->code[2].imm, -4);
    assert_int_equal(p->code[3].op, SIMT_HALT);
    assert_int_equal(p->place[0].line, 4);
    assert_int_equal(p->place[0].col, 3);
    assert_int_equal(p->nlabels, 4);
    assert_int_equal(simt_program_label(p, 0)->len, 1);
    assert_null(simt_program_label(p, 1));
    assert_memory_equal(simt_program_label(p, 3)->name, "end", 3);
    simt_program_free(p);
}

static void labels_lead_forwards_and_backwards(void **state)
{
    (void)state;
    struct simt_program *p = good("x: JMP y\n BRZ r0, x\n RECONV\ny: JMP x\n");
    assert_int_equal(p->code[0].target, 3);
    assert_int_equal(p->code[1].target, 0);
    assert_int_equal(p->code[3].target, 0);
    simt_program_free(p);
}

static void labels_that_begin_alike_are_told_apart(void **state)
{
    (void)state;
    struct simt_program *p = good("a: HALT\nab: HALT\naB: HALT\nabc: HALT\n"
                                  "JMP abc\nJMP aB\nJMP ab\nJMP a\n");
    static const uint32_t want[] = {3, 2, 1, 0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(p->code[4 + i].target, want[i]);
    }
    simt_program_free(p);
}

static void a_mistake_is_named_with_its_place(void **state)
{
    (void)state;
    bad("TID r0\n  MOVE r1, r0\n", "t.simt:2:3: unknown instruction 'MOVE', did you mean MOVI?");
    bad("xyzzy r1\n",
        "t.simt:1:1: unknown instruction 'xyzzy', expected one that `simt isa` lists");
    bad("MOV r1, r16\n", "t.simt:1:9: there is no register r16, expected r0..r15");
    bad("MOV r1, r007\n", "t.simt:1:9: there is no register r007, expected r0..r15");
    bad("MOV r99999999999999999999, r1\n",
        "t.simt:1:5: there is no register r99999999999999999999, expected r0..r15");
    bad("ADD r1, r2\n", "t.simt:1:11: the line ends here, expected ',' and another operand");
    bad("ADD r1, r2,\n", "t.simt:1:12: the line ends here, expected a register or a number");
    bad("ADD r1, 3, r2\n", "t.simt:1:9: '3' stands here, expected a register r0..r15");
    bad("ADD r1, r2, r3, r4\n", "t.simt:1:15: ',' stands here, expected the end of the line");
    bad("MOVI r1, r2\n", "t.simt:1:10: 'r2' stands here, expected a number such as 12, -3 or 0xff");
    bad("MOVI r1, 12x\n",
        "t.simt:1:10: '12x' stands here, expected a number such as 12, -3 or 0xff");
    bad("MOVI r1, 2147483648\n",
        "t.simt:1:10: 2147483648 does not fit, expected a number of 32 bits");
    bad("MOVI r1, 0x100000000\n",
        "t.simt:1:10: 0x100000000 does not fit, expected a number of 32 bits");
    bad("LD r1, r2\n", "t.simt:1:8: 'r2' stands here, expected a memory operand [ra+imm]");
    bad("LD r1, [r2*4]\n", "t.simt:1:11: '*' stands here, expected '+', '-' or ']'");
    bad("LD r1, [r2+4\n", "t.simt:1:13: the line ends here, expected ']'");
    bad("JMP 7\n", "t.simt:1:5: '7' stands here, expected a label");
    bad("JMP r1\n", "t.simt:1:5: 'r1' stands here, expected a label");
    bad(", HALT\n", "t.simt:1:1: ',' stands here, expected an instruction or a label");
    bad("HALT HALT\n", "t.simt:1:6: 'HALT' stands here, expected the end of the line");
}

static void label_mistakes_are_named(void **state)
{
    (void)state;
    bad("HALT\n  JMP nowhere\n",
        "t.simt:2:7: label 'nowhere' is missing, expected a line 'LABEL:' somewhere");
    bad("JMP end\nHALT\nend:\n",
        "t.simt:1:5: label 'end' has no instruction behind it, expected one");
    bad("a: HALT\nb: HALT\na: HALT\n",
        "t.simt:3:1: label 'a' stands in line 1 already, expected another name");
    bad("r3: HALT\n", "t.simt:1:1: 'r3' is a register, expected another label name");
}

static void an_empty_program_is_refused(void **state)
{
    (void)state;
    bad("", "t.simt:1:1: no instruction, expected at least HALT");
    bad("; only a comment\nlabel:\n\n", "t.simt:1:1: no instruction, expected at least HALT");
}

static void bytes_that_are_not_text_are_refused(void **state)
{
    (void)state;
    bad_bytes("\x7f"
              "ELF\x02\x01",
              6, "t.simt:1:1: byte 0x7f is not text, expected assembler source");
    bad_bytes("HALT\nTID\0r0\n", 12,
              "t.simt:2:4: byte 0x00 is not text, expected assembler source");
    bad_bytes("HALT ; \0\n", 9, "t.simt:1:8: byte 0x00 is not text, expected assembler source");
    bad("HALT \xc3\xa4\n", "t.simt:1:6: byte 0xc3 is not text, expected assembler source");
    bad("HALT\rHALT\n", "t.simt:1:5: byte 0x0d is not text, expected assembler source");
}

static void a_program_ends_at_65536_instructions(void **state)
{
    (void)state;
    struct lab_buf text;
    lab_buf_init(&text);
    for (int i = 0; i < SIMT_PROGRAM_MAX; i++) {
        lab_buf_puts(&text, "BAR\n");
    }
    struct simt_program *p = good(lab_buf_str(&text));
    assert_int_equal(p->n, 65536);
    simt_program_free(p);
    lab_buf_puts(&text, "HALT\n");
    bad(lab_buf_str(&text), "t.simt:65537:1: too many instructions, expected at most 65536");
    lab_buf_fini(&text);
}

static void reject_file(const char *path, const char *want)
{
    struct simt_program *p = NULL;
    struct lab_err err = {0};
    assert_int_equal(simt_assemble_file(path, &p, &err), -1);
    assert_null(p);
    assert_int_equal(lab_err_exit(&err), LAB_EXIT_USAGE);
    if (strstr(err.msg, want) == NULL) {
        fail_msg("'%s' does not say '%s'", err.msg, want);
    }
}

static void files_that_cannot_be_programs_are_refused(void **state)
{
    (void)state;
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s/big.simt", lab_test_tmpdir());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < SIMT_SOURCE_MAX / 16 + 1; i++) {
        assert_true(fputs("; 0123456789abc\n", f) >= 0);
    }
    assert_int_equal(fclose(f), 0);
    reject_file(path, "big.simt");
    reject_file(lab_test_tmpdir(), "directory");
    (void)snprintf(path, sizeof(path), "%s/missing.simt", lab_test_tmpdir());
    reject_file(path, "missing.simt");
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_read_and_printed_again),
        cmocka_unit_test(operands_land_in_their_fields),
        cmocka_unit_test(layout_case_comments_and_line_ends_are_free),
        cmocka_unit_test(labels_lead_forwards_and_backwards),
        cmocka_unit_test(labels_that_begin_alike_are_told_apart),
        cmocka_unit_test(a_mistake_is_named_with_its_place),
        cmocka_unit_test(label_mistakes_are_named),
        cmocka_unit_test(an_empty_program_is_refused),
        cmocka_unit_test(bytes_that_are_not_text_are_refused),
        cmocka_unit_test(a_program_ends_at_65536_instructions),
        cmocka_unit_test(files_that_cannot_be_programs_are_refused),
    };
    return LAB_TEST_MAIN(tests);
}
