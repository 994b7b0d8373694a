/* Calls, recursion, indirect calls, and the functions of the device runtime. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vgt.h"

#define TEXT(functions, body)                                                                      \
    VGT_HEAD functions ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b,"          \
                       ".param .u64 c) {\n" VGT_REGS body "ret;\n}\n"

/* fib by two recursive calls, for every lane its own argument. */
#define FIB                                                                                        \
    ".func (.param .b32 res) fib(.param .b32 arg) {\n"                                             \
    ".reg .b32 %r<8>; .reg .pred %p<2>;\n"                                                         \
    "ld.param.u32 %r1, [arg]; setp.gt.u32 %p1, %r1, 1; @%p1 bra MORE;\n"                           \
    "st.param.b32 [res], %r1; ret;\n"                                                              \
    "MORE: sub.u32 %r2, %r1, 1; sub.u32 %r3, %r1, 2;\n"                                            \
    "{ .param .b32 p0; st.param.b32 [p0], %r2; .param .b32 q;\n"                                   \
    "  call.uni (q), fib, (p0); ld.param.b32 %r4, [q]; }\n"                                        \
    "{ .param .b32 p0; st.param.b32 [p0], %r3; .param .b32 q;\n"                                   \
    "  call.uni (q), fib, (p0); ld.param.b32 %r5, [q]; }\n"                                        \
    "add.u32 %r6, %r4, %r5; st.param.b32 [res], %r6; ret; }\n"

#define CALL_FIB(reg)                                                                              \
    "{ .param .b32 p0; st.param.b32 [p0], " reg "; .param .b32 q;\n"                               \
    "  call.uni (q), fib, (p0); ld.param.b32 %r2, [q]; }\n"

static void recursion_keeps_lanes_apart(void **state)
{
    (void)state;
    uint32_t w[32], fib[17] = {0, 1};
    for (int k = 2; k < 17; k++) {
        fib[k] = fib[k - 1] + fib[k - 2];
    }
    vgt_run(TEXT(FIB, "and.b32 %r1, %r61, 15;\n" CALL_FIB("%r1") "st.global.u32 [%rd30], %r2;\n"),
            1, 32, w, 32);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], fib[l & 15]);
    }
}

static void endless_recursion_is_a_named_fault(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, TEXT(".func down(.param .b32 n) {\n"
                                       "{ .param .b32 p; call.uni down, (p); } ret; }\n",
                                       "{ .param .b32 p; call.uni down, (p); }\n"));
    vgt_fails(t, 1, 32, VGPU_TRAP, "stack overflow");
    assert_non_null(strstr(t->fault.text, "'down'"));
    vgt_free(t);
}

/* Structures by value and a 64-bit result; old-style register parameters. */
static void arguments_of_every_kind_arrive(void **state)
{
    (void)state;
    uint32_t w[64];
    vgt_run(TEXT(".func (.param .b64 res) mix(.param .align 4 .b8 s[12], .param .b64 x,\n"
                 ".param .b32 h) {\n"
                 ".reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .b16 %h<2>;\n"
                 "ld.param.u32 %r1, [s]; ld.param.u16 %h1, [s+4]; ld.param.u32 %r2, [s+8];\n"
                 "ld.param.u64 %rd1, [x]; ld.param.b32 %r4, [h]; cvt.u32.u16 %r3, %h1;\n"
                 "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;\n"
                 "cvt.u64.u32 %rd2, %r1; shl.b64 %rd3, %rd1, 32; or.b64 %rd2, %rd2, %rd3;\n"
                 "st.param.b64 [res], %rd2; ret; }\n"
                 ".func (.reg .u32 d) twice(.reg .u32 x) { add.u32 d, x, x; ret; }\n",
                 "cvt.u64.u32 %rd1, %r61; mov.u16 %rs1, 7;\n"
                 "{ .param .align 4 .b8 s[12]; .param .b64 x; .param .b32 h; .param .b64 q;\n"
                 "st.param.b32 [s], %r61; st.param.b16 [s+4], %rs1; st.param.b32 [s+8], 1000;\n"
                 "st.param.b64 [x], %rd1; st.param.b32 [h], 20000;\n"
                 "call (q), mix, (s, x, h); ld.param.b64 %rd2, [q]; }\n"
                 "cvt.u32.u64 %r1, %rd2; shr.u64 %rd3, %rd2, 32; cvt.u32.u64 %r2, %rd3;\n"
                 "call (%r2), twice, (%r2); st.global.u32 [%rd30], %r1;\n"
                 "st.global.u32 [%rd30+128], %r2;\n"),
            1, 32, w, 64);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], l + 21007);
        assert_int_equal(w[32 + l], 2 * l);
    }
}

#define TABLE                                                                                      \
    ".func (.param .b32 r) f0(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x];\n"          \
    "add.u32 %r2, %r1, 1000; st.param.b32 [r], %r2; ret; }\n"                                      \
    ".func (.param .b32 r) f1(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x];\n"          \
    "mul.lo.u32 %r2, %r1, 3; st.param.b32 [r], %r2; ret; }\n"                                      \
    ".global .align 8 .u64 table[2] = {f0, f1};\n"

static void indirect_calls_follow_each_lanes_pointer(void **state)
{
    (void)state;
    uint32_t w[64];
    vgt_run(
        TEXT(TABLE,
             "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
             "and.b32 %r1, %r61, 1; mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, table;\n"
             "add.s64 %rd1, %rd1, %rd2; ld.global.u64 %rd3, [%rd1];\n"
             "{ .param .b32 p0; .param .b32 q; st.param.b32 [p0], %r61;\n"
             "call (q), %rd3, (p0), P; ld.param.b32 %r2, [q]; }\n"
             "activemask.b32 %r3; st.global.u32 [%rd30], %r2; st.global.u32 [%rd30+128], %r3;\n"),
        1, 32, w, 64);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], (l & 1) != 0 ? 3 * l : l + 1000);
        assert_int_equal(w[32 + l], 0xFFFFFFFFu);
    }
}

static void a_wrong_pointer_is_a_fault(void **state)
{
    (void)state;
    struct vgt *t =
        vgt_new(NULL, TEXT(TABLE, "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                                  "mov.u64 %rd3, 12345;\n"
                                  "{ .param .b32 p0; .param .b32 q;\n"
                                  "call (q), %rd3, (p0), P; }\n"));
    vgt_fails(t, 1, 32, VGPU_INVALID_PC, "no function");
    vgt_free(t);
}

static void an_unknown_function_fails_its_kernel_only(void **state)
{
    (void)state;
    struct vgt *t =
        vgt_new(NULL, TEXT(".extern .func gone();\n.visible .entry bad() { call.uni gone; ret; }\n",
                           "st.global.u32 [%rd30], 5;\n"));
    const char *error = vgpu_kernel_error(vgpu_module_kernel(t->m, "bad"));
    assert_non_null(error);
    assert_non_null(strstr(error, "test.ptx:5:25: "));
    assert_non_null(strstr(error, "'gone' is not defined"));
    assert_int_equal(vgt_launch(t, "bad", 1, 32, NULL), VGPU_INVALID_PTX);
    uint32_t w[1];
    vgt_words(t, 1, 1, w, 1);
    assert_int_equal(w[0], 5);
    vgt_free(t);
}

/* --- printf --- */

/* What the device prints, caught from stdout. */
static void printed_by(struct vgt *t, char *text, size_t size)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    fflush(stdout);
    int out = dup(1);
    assert_true(out >= 0 && dup2(fileno(f), 1) >= 0);
    vgpu_flush_printf(t->g);
    assert_true(dup2(out, 1) >= 0);
    close(out);
    rewind(f);
    size_t n = fread(text, 1, size - 1, f);
    text[n] = '\0';
    fclose(f);
}

#define PRINT(format, bytes, args)                                                                 \
    TEXT(".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                  \
         ".global .align 1 .b8 fmt[] = " format ";\n"                                              \
         ".global .align 1 .b8 name[] = {99, 117, 100, 97, 0};\n",                                 \
         ".local .align 8 .b8 buf[" bytes "];\n"                                                   \
         "mov.u64 %rd1, buf; cvta.local.u64 %rd2, %rd1; mov.u64 %rd3, fmt;\n"                      \
         "cvta.global.u64 %rd4, %rd3;\n" args                                                      \
         "{ .param .b64 p0; .param .b64 p1; .param .b32 q; st.param.b64 [p0], %rd4;\n"             \
         "st.param.b64 [p1], %rd2; call.uni (q), vprintf, (p0, p1); ld.param.b32 %r9, [q]; }\n"    \
         "st.global.u32 [%rd30], %r9;\n")

/* "%d %5.2f|%s|%c %llx %%\n" */
#define FORMAT "{37,100,32,37,53,46,50,102,124,37,115,124,37,99,32,37,108,108,120,32,37,37,10,0}"

static void printf_formats_what_nvcc_packs(void **state)
{
    (void)state;
    char text[256];
    uint32_t w[2];
    struct vgt *t = vgt_new(
        NULL,
        PRINT(FORMAT, "40",
              "sub.s32 %r1, %r60, 3; st.local.u32 [%rd1], %r1;\n"
              "mov.f64 %fd1, 0d400921FB54442D18; st.local.f64 [%rd1+8], %fd1;\n"
              "mov.u64 %rd5, name; cvta.global.u64 %rd5, %rd5; st.local.u64 [%rd1+16], %rd5;\n"
              "st.local.u32 [%rd1+24], 65; mov.u64 %rd6, 0x123456789; st.local.u64 [%rd1+32],"
              " %rd6;\n"));
    vgt_words(t, 1, 2, w, 2);
    assert_int_equal(w[0], 5);
    printed_by(t, text, sizeof(text));
    assert_string_equal(text, "-3  3.14|cuda|A 123456789 %\n-2  3.14|cuda|A 123456789 %\n");
    printed_by(t, text, sizeof(text));
    assert_string_equal(text, "");
    vgt_free(t);
}

/* Blocks on several host threads: the output is in block order all the same. "%d\n" */
static void printf_comes_in_block_order(void **state)
{
    (void)state;
    char text[4096], want[4096];
    uint32_t w[1];
    size_t n = 0;
    struct vgpu_config c = {.threads = 4};
    struct vgt *t = vgt_new(&c, PRINT("{37,100,10,0}", "8", "st.local.u32 [%rd1], %r60;\n"));
    vgt_words(t, 50, 4, w, 1);
    printed_by(t, text, sizeof(text));
    for (int k = 0; k < 200; k++) {
        n += (size_t)snprintf(want + n, sizeof(want) - n, "%d\n", k);
    }
    assert_string_equal(text, want);
    vgt_free(t);
}

/* "%999999999d" must not ask the host for a gigabyte. */
static void printf_bounds_a_hostile_width(void **state)
{
    (void)state;
    char text[8192];
    uint32_t w[1];
    struct vgt *t = vgt_new(NULL, PRINT("{37,57,57,57,57,57,57,57,57,57,100,10,0}", "8",
                                        "st.local.u32 [%rd1], %r60;\n"));
    vgt_words(t, 1, 1, w, 1);
    printed_by(t, text, sizeof(text));
    assert_true(strlen(text) < 5000);
    vgt_free(t);
}

/* --- malloc, free, assert --- */

#define HEAP                                                                                       \
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"                                       \
    ".extern .func free(.param .b64 p);\n"

static void device_malloc_gives_each_lane_its_own(void **state)
{
    (void)state;
    uint32_t w[64];
    struct vgt *t = vgt_new(
        NULL, TEXT(HEAP, "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 12;\n"
                         "call.uni (r), malloc, (n); ld.param.b64 %rd1, [r]; }\n"
                         "st.u32 [%rd1], %r60; st.u32 [%rd1+8], %r60; bar.sync 0;\n"
                         "ld.u32 %r1, [%rd1+8]; st.global.u32 [%rd30], %r1;\n"
                         "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }\n"));
    vgt_words(t, 2, 32, w, 64);
    for (uint32_t k = 0; k < 64; k++) {
        assert_int_equal(w[k], k);
    }
    struct vgpu_kernel_info info;
    vgpu_kernel_info(vgpu_module_kernel(t->m, "k"), &info);
    assert_true(info.serial);
    assert_non_null(strstr(info.serial_why, "call"));
    vgt_free(t);
}

static void device_malloc_returns_null_when_the_heap_is_full(void **state)
{
    (void)state;
    uint32_t w[32];
    vgt_run(TEXT(HEAP, "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 1000000;\n"
                       "call.uni (r), malloc, (n); ld.param.b64 %rd1, [r]; }\n"
                       "setp.eq.u64 %p1, %rd1, 0; selp.u32 %r1, 1, 0, %p1;\n"
                       "st.global.u32 [%rd30], %r1;\n"),
            1, 32, w, 32);
    assert_int_equal(w[0], 0);
    assert_int_equal(w[7], 0);
    assert_int_equal(w[8], 1);
    assert_int_equal(w[31], 1);
}

static void freeing_twice_is_a_fault(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(
        NULL, TEXT(HEAP, "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 16;\n"
                         "call.uni (r), malloc, (n); ld.param.b64 %rd1, [r]; }\n"
                         "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }\n"
                         "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }\n"));
    vgt_fails(t, 1, 1, VGPU_TRAP, "free of an address");
    vgt_free(t);
}

static void a_failed_assertion_reads_like_cudas(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(
        NULL, TEXT(".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l,\n"
                   ".param .b64 n, .param .b64 s);\n"
                   ".global .align 1 .b8 msg[] = {105, 32, 60, 32, 51, 0};\n"
                   ".global .align 1 .b8 file[] = {97, 46, 99, 117, 0};\n"
                   ".global .align 1 .b8 fun[] = {107, 40, 41, 0};\n",
                   "setp.lt.u32 %p1, %r61, 3; @%p1 bra FINE;\n"
                   "mov.u64 %rd1, msg; mov.u64 %rd2, file; mov.u64 %rd3, fun;\n"
                   "{ .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;\n"
                   "st.param.b64 [m], %rd1; st.param.b64 [f], %rd2; st.param.b32 [l], 12;\n"
                   "st.param.b64 [n], %rd3; st.param.b64 [s], 1;\n"
                   "call.uni __assertfail, (m, f, l, n, s); }\n"
                   "FINE:\n"));
    vgt_fails(t, 2, 32, VGPU_ASSERT,
              "a.cu:12: k(): block: [0,0,0], thread: [3,0,0] Assertion `i < 3` failed.");
    assert_int_equal(t->fault.lanes, 0xFFFFFFF8u);
    vgt_free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursion_keeps_lanes_apart),
        cmocka_unit_test(endless_recursion_is_a_named_fault),
        cmocka_unit_test(arguments_of_every_kind_arrive),
        cmocka_unit_test(indirect_calls_follow_each_lanes_pointer),
        cmocka_unit_test(a_wrong_pointer_is_a_fault),
        cmocka_unit_test(an_unknown_function_fails_its_kernel_only),
        cmocka_unit_test(printf_formats_what_nvcc_packs),
        cmocka_unit_test(printf_comes_in_block_order),
        cmocka_unit_test(printf_bounds_a_hostile_width),
        cmocka_unit_test(device_malloc_gives_each_lane_its_own),
        cmocka_unit_test(device_malloc_returns_null_when_the_heap_is_full),
        cmocka_unit_test(freeing_twice_is_a_fault),
        cmocka_unit_test(a_failed_assertion_reads_like_cudas),
    };
    return LAB_TEST_MAIN(tests);
}
