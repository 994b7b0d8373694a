/* Bad input: one line that says where, what is wrong and what was expected; bounded work. */
#include "ptx_testing.h"

/* What stands behind the three lines of PTX_HEAD, so lines count from 4. */
struct row {
    const char *text, *want;
};

static void check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct lab_buf text;
        lab_buf_init(&text);
        lab_buf_printf(&text, PTX_HEAD "%s", rows[i].text);
        ptx_must_fail(lab_buf_str(&text), text.len, rows[i].want);
        lab_buf_fini(&text);
    }
}

#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof((rows)[0]))

static void fail_text(const char *text, const char *want)
{
    ptx_must_fail(text, strlen(text), want);
}

static void what_is_no_ptx_is_named(void **state)
{
    (void)state;
    fail_text("", "t.ptx:1:1: the file is empty, expected PTX text");
    ptx_must_fail("\0\0", 2, "t.ptx:1:1: the file is empty, expected PTX text");
    fail_text(" \n// x\n", "t.ptx:3:1: no PTX in the text, expected one that begins with .version");
    fail_text("\177ELF\002\001\001",
              "t.ptx:1:1: an ELF file (machine code, perhaps a cubin), expected PTX text (nvcc "
              "-ptx)");
    fail_text("\x50\xed\x55\xba\001", "t.ptx:1:1: a fat binary, expected PTX text (nvcc -ptx)");
    fail_text("int main() {}", "t.ptx:1:1: 'int', expected .version at the beginning");
    fail_text("\xff\xfe.\0v", "t.ptx:1:1: the byte 0xff, expected PTX text");
    fail_text(".version 9.0\n", "t.ptx:2:1: the end of the text, expected a .target sm_NN line");
    fail_text(".version x", "t.ptx:1:10: 'x', expected a version such as 9.0");
    fail_text(".version 9.0\n.target sm_75\n.address_size 32",
              "t.ptx:3:15: addresses of 32 bits, expected 64");
}

static void truncated_text_is_refused_at_its_end(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {".entry k(.param .u64 p", "t.ptx:4:23: the end of the text, expected ',' or ')'"},
        {".entry k() {\n add.s32", "t.ptx:5:9: the end of the text, expected an operand"},
        {".entry k() { ret;\n", "t.ptx:5:1: the text ends inside 'k', expected '}'"},
        {".entry k() { .reg .b32 %r<", "t.ptx:4:27: the end of the text, expected a number of "
                                       "registers"},
        {".global .b8 x[4] = {1, 2", "t.ptx:4:25: the end of the text, expected ',' or '}'"},
        {".section .debug { .b8 1",
         "t.ptx:4:24: the end of the text, expected '}' at the section's "
         "end"},
        {".entry k() { .pragma \"x\"", "t.ptx:4:25: the end of the text, expected ';'"},
        {".global .attribute(.managed", "t.ptx:4:28: the end of the text, expected ')'"},
        {".entry", "t.ptx:4:7: the end of the text, expected the function's name"},
    };
    CHECK(rows);
}

/* Every prefix of a program is refused, or is a program itself: no crash, no leak. */
static void every_prefix_of_a_module_is_handled(void **state)
{
    (void)state;
    struct lab_buf text;
    lab_buf_init(&text);
    ptx_read_file(LAB_PHASE_DIR "/tests/ptx/everything.ptx", &text);
    size_t parsed = 0;
    for (size_t n = 0; n < text.len; n++) {
        struct ptx_module *m = NULL;
        struct lab_err err = {0};
        if (ptx_parse("t", text.data, n, &m, &err) == 0) {
            parsed++;
        } else {
            assert_non_null(strstr(err.msg, "expected"));
        }
        ptx_module_free(m);
    }
    assert_true(parsed > 0 && parsed < text.len / 20);
    lab_buf_fini(&text);
}

static void unknown_words_name_their_neighbour(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {".entry k() {\n  adn.s32 1;",
         "t.ptx:5:3: 'adn', expected an opcode of PTX; the nearest is 'add'"},
        {".entry k() {\n  ret.unni;",
         "t.ptx:5:6: '.unni', expected a modifier of PTX; the nearest is '.uni'"},
        {".entry k() {\n  frobnicate 1;", "t.ptx:5:3: 'frobnicate', expected an opcode of PTX"},
        {".entry k() {\n  global.u32 1;", "t.ptx:5:3: 'global', expected an opcode of PTX"},
        {".globl .b32 x;", "t.ptx:4:1: '.globl', expected a directive (.entry, .func, .global, "
                           ".const, .shared, …)"},
        {".entry k() .maxtid 3 { ret; }",
         "t.ptx:4:12: '.maxtid', expected a function's directive, '{' or ';'"},
        {".global .f33 x;", "t.ptx:4:9: '.f33', expected a type such as .b32, and one of them"},
        {".entry k() {\n .frob x;", "t.ptx:5:2: '.frob', expected a declaration (.reg, .local, "
                                    ".shared, .param), .loc or .pragma"},
    };
    CHECK(rows);
}

static void undeclared_names_are_refused(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {".entry k() { mov.u32 %r1, 0; }",
         "t.ptx:4:22: '%r1' is not declared, expected a register, variable or function"},
        {".entry k() { .reg .b32 %r<4>; mov.u32 %r4, 0; }",
         "t.ptx:4:39: '%r4' is not declared, expected a register, variable or function"},
        {".entry k() { .reg .b32 %r<9>; mov.u32 %r01, 0; }",
         "t.ptx:4:39: '%r01' is not declared, expected a register, variable or function"},
        {".entry k() { call nobody, (); }",
         "t.ptx:4:19: 'nobody' is not defined, expected a label or a function"},
        {".entry k() { bra NOWHERE; }",
         "t.ptx:4:18: 'NOWHERE' is not defined, expected a label or a function"},
        {".global .u64 x = nobody;",
         "t.ptx:4:18: 'nobody' is not declared, expected a variable or function"},
        {".func f();\n.alias f, g;", "t.ptx:5:11: 'g' is not declared, expected a function"},
        {".entry k() { .reg .b32 x; bra x; }", "t.ptx:4:31: 'x' is not defined, expected a label"},
        {".entry k() { @%p ret; }",
         "t.ptx:4:15: '%p' is not declared, expected a register, variable or function"},
        {".entry k() { .reg .b32 a; @a ret; }",
         "t.ptx:4:28: a guard that is no predicate, expected a register of type .pred"},
    };
    CHECK(rows);
}

static void names_are_bound_to_their_scope(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {".entry k() {\n bra IN;\n { IN: ret; } }",
         "t.ptx:5:6: label 'IN' stands in other braces, expected one of a scope around this line"},
        {".entry k() { { .reg .b32 a; } mov.u32 a, 1; }",
         "t.ptx:4:39: 'a' is not declared, expected a register, variable or function"},
        {".entry k(.param .u32 n) { .reg .b32 n; }",
         "t.ptx:4:37: 'n' is already declared in line 4, expected another name"},
        {".global .u32 x;\n.global .u64 x;",
         "t.ptx:5:14: 'x' is already declared in line 4, expected another name"},
        {".entry k() { L: L: ret; }",
         "t.ptx:4:17: 'L' is already declared in line 4, expected another name"},
        {".entry k() { .reg .b32 %r<3>, %r<4>; }",
         "t.ptx:4:31: '%r' is already declared in line 4, expected another name"},
        {".func f() { ret; }\n.func f() { ret; }",
         "t.ptx:5:7: 'f' has a body already in line 4, expected one"},
        {".func f();\n.entry f() { ret; }",
         "t.ptx:5:8: 'f' is already declared in line 4, expected another name"},
        {".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }",
         "t.ptx:5:7: 'f' with other parameters or results than in line 4, expected the same"},
    };
    CHECK(rows);
}

static void malformed_declarations_are_refused(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {".global .align 3 .b32 x;", "t.ptx:4:16: an alignment of 3, expected a power of 2"},
        {".global .align 0 .b32 x;", "t.ptx:4:16: an alignment of 0, expected a power of 2"},
        {".global .b32 x[];", "t.ptx:4:14: 'x' has no size, expected one or .extern"},
        {".global .b32 x[2][];",
         "t.ptx:4:19: ']', expected a dimension; only the first may be left "
         "out"},
        {".global .b32 x[-1];",
         "t.ptx:4:16: an array of too many elements, expected at most 2^40 bytes"},
        {".global .b32 x[1000000][1000000][1000000];",
         "t.ptx:4:34: an array of too many elements, expected at most 2^40 bytes"},
        {".global .pred p;", "t.ptx:4:9: .pred outside .reg, expected a type with a size"},
        {".global .b8 x[2] = {1, 2, 3};",
         "t.ptx:4:27: more values than 'x' has room for, expected 2"},
        {".shared .b8 x = 1;",
         "t.ptx:4:13: an initialiser of 'x', expected one only for .global and "
         ".const"},
        {".global .b32 x = 1.5;", "t.ptx:4:18: a float for 'x' of type .b32, expected an integer"},
        {".global .b16 y;\n.global .b16 x = y;",
         "t.ptx:5:18: 'y', expected a number (an address needs 4 or 8 bytes)"},
        {".global .b8 y;\n.global .b8 x = 0xf0(y);",
         "t.ptx:5:17: a mask that fits no element, expected 1 whole bytes"},
        {".global .b8 y;\n.global .b8 x = 0x1fe0(y);",
         "t.ptx:5:17: a mask that fits no element, expected 1 whole bytes"},
        {".global .b8 y;\n.global .b8 x = 0(y);",
         "t.ptx:5:17: a mask that selects nothing, expected one like 0xff"},
        {".entry (.param .b32 r) k() { ret; }", "t.ptx:4:8: '(', expected the kernel's name"},
        {".entry k(.global .b32 x) { ret; }", "t.ptx:4:10: '.global', expected .param or .reg"},
        {".entry k() { .reg .b32 a; ld.b32 a.x, [a]; }",
         "t.ptx:4:35: '.x', expected no part, the register is no vector"},
        {".entry k() { .reg .v2 .b32 a; mov.b32 a.z, 1; }",
         "t.ptx:4:40: '.z', expected a part of the vector register, .x and so on"},
        {".entry k() { .reg .b32 a; mov.u32 a, %tid.w; }",
         "t.ptx:4:42: '.w', expected .x, .y or .z"},
        {".func f();\n.func g();\n.alias f, f;", "t.ptx:6:8: an alias of 'f', expected a declared "
                                                 "function without a body and one that is no "
                                                 "alias"},
    };
    CHECK(rows);
}

static void malformed_operands_are_refused(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {".entry k() { .reg .b32 a; mov.u32 a, ; }", "t.ptx:4:38: ';', expected an operand"},
        {".entry k() { .reg .b32 a; mov.u32 a 1; }", "t.ptx:4:37: '1', expected ',' or ';'"},
        {".entry k() { .reg .b32 a; ld.b32 a, [a; }", "t.ptx:4:39: ';', expected ']'"},
        {".entry k() { .reg .b32 a; ld.b32 a, [a+b]; }", "t.ptx:4:40: 'b', expected an operand"},
        {".entry k() { .reg .b32 a; ld.b32 a, [a+1.5]; }",
         "t.ptx:4:40: a float, expected an integer offset"},
        {".func f();\n.entry k() { .reg .b32 a; ld.b32 a, [f]; }",
         "t.ptx:5:38: an address that is neither register nor variable, expected one of them"},
        {".entry k() { .reg .b32 a; mov.b64 {a, a, a; }", "t.ptx:4:43: ';', expected ',' or '}'"},
        {".entry k() { .reg .b32 a; add.u32 a, a, 1 / 0; }",
         "t.ptx:4:45: a division by 0, expected another divisor"},
        {".entry k() { .reg .b32 a; add.u32 a, a, 0f3F800000 + 1; }",
         "t.ptx:4:54: a 0f constant in an expression, expected it alone"},
        {".entry k() { .reg .b32 a; add.u32 a, a, 1.0 % 2; }",
         "t.ptx:4:47: this operator between floats, expected + - * or /"},
        {".entry k() { .reg .b32 a; setp.eq.u32 a|3, a, 1; }",
         "t.ptx:4:41: '3', expected a register after '|'"},
        {".entry k() { .reg .b32 a; ts: .branchtargets 5; }",
         "t.ptx:4:46: a target that is no name, expected labels or functions"},
        {".entry k() { .reg .pred p; @p }",
         "t.ptx:4:31: '}', expected an instruction after its guard"},
        {".entry k() { .reg .b32 a; not.b32 a, !a; }",
         "t.ptx:4:38: a negation of what is no predicate, expected one"},
        {".entry k() { .reg .b32 a; .loc 1 2; }", "t.ptx:4:35: ';', expected a column"},
    };
    CHECK(rows);
}

/* --- limits --- */

static void fill(struct lab_buf *b, const char *piece, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        lab_buf_puts(b, piece);
    }
}

static void limit(const char *before, const char *piece, size_t times, const char *after,
                  const char *want)
{
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_printf(&b, PTX_HEAD "%s", before);
    fill(&b, piece, times);
    lab_buf_puts(&b, after);
    ptx_must_fail(lab_buf_str(&b), b.len, want);
    lab_buf_fini(&b);
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    limit(".entry k() ", "{", 100000, "",
          "t.ptx:4:76: braces nested more than 64 deep, expected less");
    limit(".entry k() { mov.b32 ", "{", 100000, "",
          "t.ptx:4:86: nested more than 64 deep, expected less");
    limit(".entry k() { mov.b32 ", "(", 100000, "",
          "t.ptx:4:85: nested more than 64 deep, expected less");
    limit(".entry k() { mov.b32 ", "-", 100000, "",
          "t.ptx:4:85: nested more than 64 deep, expected less");
    limit(".entry k() { mov.b32 ", "1?", 100000, "",
          "t.ptx:4:149: nested more than 64 deep, expected less");
    limit(".global .b32 x[9] = ", "{", 100000, "",
          "t.ptx:4:85: nested more than 64 deep, expected less");
    limit(".entry k() { call ", "(", 100000, "",
          "t.ptx:4:82: nested more than 64 deep, expected less");
    limit(".section .debug ", "{", 100000, "",
          "t.ptx:4:100017: the end of the text, expected '}' at the section's end");
}

static void lists_are_bounded(void **state)
{
    (void)state;
    limit(".entry k(", ".param .u8 _,", 10000, ".param .u8 _) { ret; }",
          "t.ptx:4:106517: more than 8192 parameters, expected less");
    limit(".entry k(", ".param .u32 _,", 10000, ".param .u8 _) { ret; }",
          "t.ptx:4:114696: parameters of more than 32764 bytes, expected less");
    limit(".entry k() { mov.b32 {", "1,", 2000, "1}, 2; }",
          "t.ptx:4:2071: a list of more than 1024 elements, expected less");
    limit(".entry k() { mov.b32 ", "1,", 200, "1; }",
          "t.ptx:4:46: more than 12 operands, expected less");
    limit(".entry k() { mov", ".b32", 200, " 1; }",
          "t.ptx:4:81: more than 16 modifiers, expected less");
    limit(".global .b32 ", "x", 10000, ";",
          "t.ptx:4:14: a name of 10000 bytes, expected at most "
          "8192");
    limit(".entry k() { ", "ret;", (1 << 20) + 1, "}",
          "t.ptx:4:4194318: more than 1048576 instructions in 'k', expected less");
}

static void sizes_are_bounded(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_puts(&b, PTX_HEAD "//");
    lab_buf_fill(&b, 'x', 100u << 20);
    ptx_must_fail(lab_buf_str(&b), b.len,
                  "t.ptx:1:1: a text of 104857646 bytes, expected at most 67108864");
    lab_buf_fini(&b);
    limit(".global .b8 x[1099511627776] = {1};", "", 0, "",
          "t.ptx:4:35: a module of more than 1024 MiB, expected less");
    limit(".global .b8 x[1000000000] = {1}; .global .b8 y[1000000000] = {1};", "", 0, "",
          "t.ptx:4:65: a module of more than 1024 MiB, expected less");
}

static void a_line_of_many_megabytes_is_read(void **state)
{
    (void)state;
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_puts(&b, PTX_HEAD ".global .b8 x[2000000] = {");
    fill(&b, "17,", 2000000 - 1);
    lab_buf_puts(&b, "18};");
    struct ptx_module *m = ptx_must_parse("t", lab_buf_str(&b), b.len);
    assert_int_equal(m->vars->init[1999999], 18);
    ptx_module_free(m);
    lab_buf_fini(&b);
}

static void recursion_of_functions_is_ptx(void **state)
{
    (void)state;
    static const char text[] = PTX_HEAD ".func f() { call f; call g; ret; }";
    ptx_must_fail(text, strlen(text),
                  "t.ptx:4:26: 'g' is not defined, expected a label or a function");
    static const char good[] = PTX_HEAD ".func g();\n.func f() { call f; call g; ret; }\n"
                                        ".func g() { call f; ret; }";
    struct ptx_module *m = ptx_must_parse("t", good, strlen(good));
    assert_ptr_equal(ptx_find_func(m, "f")->insns[0].ops[0].func, ptx_find_func(m, "f"));
    ptx_module_free(m);
}

static void an_error_needs_no_place_for_its_text(void **state)
{
    (void)state;
    struct ptx_module *m;
    assert_int_equal(ptx_parse("t", "x", 1, &m, NULL), -1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_ptx_is_named),
        cmocka_unit_test(truncated_text_is_refused_at_its_end),
        cmocka_unit_test(every_prefix_of_a_module_is_handled),
        cmocka_unit_test(unknown_words_name_their_neighbour),
        cmocka_unit_test(undeclared_names_are_refused),
        cmocka_unit_test(names_are_bound_to_their_scope),
        cmocka_unit_test(malformed_declarations_are_refused),
        cmocka_unit_test(malformed_operands_are_refused),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(a_line_of_many_megabytes_is_read),
        cmocka_unit_test(recursion_of_functions_is_ptx),
        cmocka_unit_test(an_error_needs_no_place_for_its_text),
    };
    return LAB_TEST_MAIN(tests);
}
