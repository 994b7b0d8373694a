/* The words of vgpu's command line: arguments of a kernel, elements, shapes, repeated options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/file.h"
#include "lab/test.h"
#include "vg_cmd.h"
#include "vg_cmd_args.h"

#define KERNEL(params)                                                                             \
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(" params ") { ret; }\n"

struct place {
    struct vgpu *g;
    struct vgpu_module *m;
    struct vgpu_kernel *k;
};

static void open_place(struct place *p, const char *ptx)
{
    struct vgpu_config config = {.desc = vgpu_desc_find("a100"), .threads = 1};
    struct lab_err err = {0};
    *p = (struct place){0};
    if (vgpu_open(&config, &p->g, &err) < 0 ||
        vgpu_module_load(p->g, "t.ptx", ptx, strlen(ptx), &p->m, &err) != VGPU_OK ||
        vg_cmd_kernel(p->m, "k", &p->k, &err) < 0) {
        fail_msg("%s", err.msg);
    }
}

static void close_place(struct place *p)
{
    vgpu_module_unload(p->m);
    vgpu_close(p->g);
}

static int make(struct place *p, struct vg_args *a, const char *const *words, struct lab_err *err)
{
    const struct vg_arg_words w = {.at = words, .seed = 42};
    *err = (struct lab_err){0};
    return vg_args_make(a, p->g, p->k, &w, err);
}

/* --- elements --- */

static void every_type_reads_back_what_it_prints(void **state)
{
    (void)state;
    static const struct {
        const char *type, *text;
    } all[] = {{"u8", "255"},          {"i8", "-128"},
               {"s8", "127"},          {"u16", "65535"},
               {"i16", "-32768"},      {"u32", "4294967295"},
               {"i32", "-2147483648"}, {"u64", "18446744073709551615"},
               {"f16", "0.33325"},     {"i64", "-9223372036854775808"},
               {"f32", "0.100000001"}, {"f64", "0.10000000000000001"},
               {"f32", "inf"},         {"f64", "-0"},
               {"f16", "65504"},       {"f32", "1.40129846e-45"}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        enum ptx_type t = vg_element_type(all[i].type, strlen(all[i].type));
        uint8_t bytes[8];
        struct lab_buf out;
        lab_buf_init(&out);
        assert_int_equal(vg_element_parse(t, all[i].text, strlen(all[i].text), bytes), 0);
        vg_element_print(t, bytes, 0, &out);
        assert_string_equal(lab_buf_str(&out), all[i].text);
        lab_buf_fini(&out);
    }
}

static void numbers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"u8", "256"},          {"u8", "-1"},   {"i8", "128"},
        {"i8", "-129"},         {"i32", "1.5"}, {"i32", ""},
        {"i32", "x"},           {"i32", "1x"},  {"u64", "18446744073709551616"},
        {"u32", "0x100000000"}, {"f32", "one"}, {"f32", "1.0f"},
        {"i32", "--1"},         {"u32", " 1"},  {"i64", "-9223372036854775809"},
    };
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        enum ptx_type t = vg_element_type(bad[i][0], strlen(bad[i][0]));
        if (vg_element_parse(t, bad[i][1], strlen(bad[i][1]), bytes) != -1) {
            fail_msg("%s:'%s' was taken", bad[i][0], bad[i][1]);
        }
    }
    assert_int_equal(vg_element_type("f33", 3), PTX_NONE);
    assert_int_equal(vg_element_type("f3", 2), PTX_NONE);
}

static void a_nan_stays_a_nan(void **state)
{
    (void)state;
    uint8_t bytes[8];
    assert_int_equal(vg_element_parse(PTX_F32, "nan", 3, bytes), 0);
    assert_true(isnan(vg_element(PTX_F32, bytes, 0)));
    assert_int_equal(vg_element_parse(PTX_F16, "nan", 3, bytes), 0);
    assert_true(isnan(vg_element(PTX_F16, bytes, 0)));
}

/* --- argument words --- */

static void words_say_what_they_ask_for(void **state)
{
    (void)state;
    struct vg_arg a;
    assert_int_equal(vg_arg_parse("out:f32[1024]", &a, NULL), 0);
    assert_int_equal(a.kind, VG_ARG_BUFFER);
    assert_string_equal(a.name, "out");
    assert_true(a.named);
    assert_int_equal(a.n, 1024);
    assert_null(a.init);
    assert_int_equal(vg_arg_parse("u8[3]=@a b:[c]", &a, NULL), 0);
    assert_string_equal(a.init, "@a b:[c]");
    assert_false(a.named);
    assert_int_equal(vg_arg_parse("i32:-5", &a, NULL), 0);
    assert_int_equal(a.kind, VG_ARG_NUMBER);
    assert_memory_equal(a.value, "\xFB\xFF\xFF\xFF", 4);
    assert_int_equal(vg_arg_parse("ptr:out+16", &a, NULL), 0);
    assert_int_equal(a.kind, VG_ARG_POINTER);
    assert_int_equal(a.offset, 16);
    assert_int_equal(vg_arg_parse("hex:0000803F", &a, NULL), 0);
    assert_int_equal(a.value_bytes, 4);
    assert_memory_equal(a.value, "\x00\x00\x80\x3F", 4);
}

static void words_without_sense_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "f32",
        "f32[",
        "f32[4",
        "f32[]",
        "f32[0]",
        "f32[-1]",
        "f32[1.5]",
        "f32[4]x",
        "g32[4]",
        "f32[4]extra",
        "f32:",
        "f32:x",
        "out:g32[4]",
        "a b:f32[4]",
        ":f32[4]",
        "name:5",
        "ptr:",
        "ptr:a+",
        "ptr:a+x",
        "ptr:a-4",
        "hex:",
        "hex:0",
        "hex:0g",
        "u64[999999999999]",
        "f32[4294967296]",
        "u8[18446744073709551617]",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct vg_arg a;
        struct lab_err err = {0};
        if (vg_arg_parse(bad[i], &a, &err) != -1 || err.kind != LAB_ERR_INPUT) {
            fail_msg("'%s' was taken", bad[i]);
        }
    }
}

/* Law: no text makes the parser read past its end or say nothing. */
static void random_words_never_crash(void **state)
{
    (void)state;
    static const char letters[] = "f32u64i8[]:=@+-0x9.,ptrhex nan";
    long trials = lab_test_trials(20000);
    uint64_t seed = 1;
    for (long k = 0; k < trials; k++) {
        char text[24];
        size_t len = 0;
        for (; len < sizeof(text) - 1; len++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (seed >> 60 == 0) {
                break;
            }
            text[len] = letters[(seed >> 33) % (sizeof(letters) - 1)];
        }
        text[len] = '\0';
        struct vg_arg a;
        struct lab_err err = {0};
        if (vg_arg_parse(text, &a, &err) < 0) {
            assert_int_equal(err.kind, LAB_ERR_INPUT);
            assert_true(err.msg[0] != '\0');
        } else {
            assert_true(a.kind != VG_ARG_BUFFER || a.n >= 1);
        }
    }
}

static void arguments_land_where_the_kernel_looks(void **state)
{
    (void)state;
    static const char *const words[] = {"x:f32[4]=iota", "u8:7",     "f64:0.5",
                                        "ptr:x+8",       "hex:0102", NULL};
    struct place p;
    struct vg_args a;
    struct lab_err err;
    open_place(&p, KERNEL(".param .u64 p0, .param .u8 p1, .param .f64 p2, .param .u64 p3, "
                          ".param .align 2 .b8 p4[2]"));
    assert_int_equal(make(&p, &a, words, &err), 0);
    uint64_t addr;
    double half;
    memcpy(&addr, a.params, 8);
    assert_int_equal(addr, a.at[0].addr);
    assert_int_equal(a.params[8], 7);
    memcpy(&half, a.params + 16, 8);
    assert_true(half == 0.5);
    memcpy(&addr, a.params + 24, 8);
    assert_int_equal(addr, a.at[0].addr + 8);
    assert_memory_equal(a.params + 32, "\x01\x02", 2);
    uint8_t *bytes = vg_args_fetch(&a, vg_args_find(&a, "x"));
    for (uint64_t i = 0; i < 4; i++) {
        assert_true(vg_element(PTX_F32, bytes, i) == (double)i);
    }
    free(bytes);
    assert_null(vg_args_find(&a, "y"));
    vg_args_free(&a);
    close_place(&p);
}

static void arguments_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *words[4];
        const char *part;
    } bad[] = {
        {{"f32[4]"}, "takes 3 parameters (u64 u32 f32), got 1"},
        {{"f32[4]", "i64:1", "f32:1"}, "--arg 2 'i64:1': 8 bytes for a parameter of 4"},
        {{"f32[4]", "f32:1", "f32:1"}, "a number of type f32 for a parameter of type .u32"},
        {{"f32[4]", "i32:1", "i32:1"}, "a number of type s32 for a parameter of type .f32"},
        {{"f32[4]", "f32[4]", "f32:1"}, "8 bytes for a parameter of 4"},
        {{"f32[4]=often", "i32:1", "f32:1"}, "'often' is no contents for f32"},
        {{"u8[4]=256", "i32:1", "f32:1"}, "'256' is no contents for u8"},
        {{"ptr:y", "i32:1", "f32:1"}, "no buffer is called 'y'"},
        {{"f32[4]=@no/such/file", "i32:1", "f32:1"}, "no/such/file"},
    };
    struct place p;
    open_place(&p, KERNEL(".param .u64 p0, .param .u32 p1, .param .f32 p2"));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct vg_args a;
        struct lab_err err;
        assert_int_equal(make(&p, &a, bad[i].words, &err), -1);
        if (strstr(err.msg, bad[i].part) == NULL) {
            fail_msg("'%s' does not say '%s'", err.msg, bad[i].part);
        }
        assert_null(a.at);
    }
    close_place(&p);
}

static void two_buffers_of_one_name_are_refused(void **state)
{
    (void)state;
    static const char *const twice[] = {"x:f32[4]", "x:f32[4]", NULL};
    static const char *const taken[] = {"arg1:f32[4]", "f32[4]", NULL};
    struct place p;
    struct vg_args a;
    struct lab_err err;
    open_place(&p, KERNEL(".param .u64 p0, .param .u64 p1"));
    assert_int_equal(make(&p, &a, twice, &err), -1);
    assert_non_null(strstr(err.msg, "another buffer is called 'x'"));
    assert_int_equal(make(&p, &a, taken, &err), -1);
    close_place(&p);
}

static void files_fill_buffers(void **state)
{
    (void)state;
    struct place p;
    struct vg_args a;
    struct lab_err err;
    char good[512], few[512], many[512], bad[512], path[400];
    const char *words[] = {NULL, NULL};
    open_place(&p, KERNEL(".param .u64 p0"));
    (void)snprintf(path, sizeof(path), "%s/numbers", lab_test_tmpdir());
    assert_int_equal(lab_file_write(path, "1, 2\n-3.5\t4e1\n", 14, &err), 0);
    (void)snprintf(good, sizeof(good), "x:f32[4]=@%s", path);
    (void)snprintf(few, sizeof(few), "x:f32[5]=@%s", path);
    (void)snprintf(many, sizeof(many), "x:f32[3]=@%s", path);
    (void)snprintf(bad, sizeof(bad), "x:i32[4]=@%s", path);
    words[0] = good;
    assert_int_equal(make(&p, &a, words, &err), 0);
    assert_true(vg_element(PTX_F32, a.at[0].initial, 2) == -3.5);
    assert_true(vg_element(PTX_F32, a.at[0].initial, 3) == 40);
    vg_args_free(&a);
    words[0] = few;
    assert_int_equal(make(&p, &a, words, &err), -1);
    assert_non_null(strstr(err.msg, "4 numbers, expected 5"));
    words[0] = many;
    assert_int_equal(make(&p, &a, words, &err), -1);
    assert_non_null(strstr(err.msg, "numbers:2: more than 3 numbers"));
    words[0] = bad;
    assert_int_equal(make(&p, &a, words, &err), -1);
    assert_non_null(strstr(err.msg, "numbers:2: '-3.5' is no number of type s32"));
    close_place(&p);
}

static void random_contents_follow_the_seed(void **state)
{
    (void)state;
    static const char *const words[] = {"f32[64]=rand", "u8[64]=rand", NULL};
    struct place p;
    struct vg_args a, b;
    struct lab_err err;
    open_place(&p, KERNEL(".param .u64 p0, .param .u64 p1"));
    assert_int_equal(make(&p, &a, words, &err), 0);
    assert_int_equal(make(&p, &b, words, &err), 0);
    assert_memory_equal(a.at[0].initial, b.at[0].initial, 256);
    for (uint64_t i = 0; i < 64; i++) {
        double f = vg_element(PTX_F32, a.at[0].initial, i);
        assert_true(f >= 0 && f < 1 && vg_element(PTX_U8, a.at[1].initial, i) < 100);
    }
    vg_args_free(&a);
    vg_args_free(&b);
    close_place(&p);
}

/* --- the command line --- */

static void repeated_options_become_one(void **state)
{
    (void)state;
    char *argv[] = {"vgpu",  "launch", "--arg",   "a",  "f",     "--arg=b", "--print", "x",
                    "--arg", "c=d",    "--argue", "--", "--arg", "e",       NULL};
    static const char *const names[] = {"arg", "print", NULL};
    static const char *const want[] = {"vgpu",    "launch", "--arg=a\nb\nc=d", "f", "--print=x",
                                       "--argue", "--",     "--arg",           "e"};
    struct vg_cmd_line line;
    assert_int_equal(vg_cmd_join(14, argv, names, &line, NULL), 0);
    assert_int_equal(line.argc, 9);
    for (int i = 0; i < line.argc; i++) {
        assert_string_equal(line.argv[i], want[i]);
    }
    vg_cmd_join_free(&line);
}

static void an_option_without_its_value_stays_one(void **state)
{
    (void)state;
    char *last[] = {"vgpu", "--arg", NULL}, *before[] = {"vgpu", "--arg", "--grid", "4", NULL};
    char *broken[] = {"vgpu", "--arg", "a\nb", NULL};
    static const char *const names[] = {"arg", NULL};
    struct vg_cmd_line line;
    struct lab_err err = {0};
    assert_int_equal(vg_cmd_join(2, last, names, &line, NULL), 0);
    assert_string_equal(line.argv[1], "--arg");
    vg_cmd_join_free(&line);
    assert_int_equal(vg_cmd_join(4, before, names, &line, NULL), 0);
    assert_int_equal(line.argc, 4);
    vg_cmd_join_free(&line);
    assert_int_equal(vg_cmd_join(3, broken, names, &line, &err), -1);
    vg_cmd_join_free(&line);
}

static void joined_values_split_again(void **state)
{
    (void)state;
    char *text;
    const char **words;
    vg_cmd_split("a\n\nb c", &text, &words);
    assert_string_equal(words[0], "a");
    assert_string_equal(words[1], "");
    assert_string_equal(words[2], "b c");
    assert_null(words[3]);
    free(text);
    free(words);
    vg_cmd_split(NULL, &text, &words);
    assert_null(words[0]);
    free(text);
    free(words);
}

static void shapes_have_one_to_three_numbers(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "0",  ",",    "1,",  "1,0",        "1,2,3,4", "a",
                                      "1 2", "-1", "1,,2", "1x2", "4294967296", "1.5",     " 1"};
    struct vgpu_dim d;
    assert_int_equal(vg_cmd_dim("grid", "7", &d, NULL), 0);
    assert_true(d.x == 7 && d.y == 1 && d.z == 1);
    assert_int_equal(vg_cmd_dim("grid", "4294967295,2,3", &d, NULL), 0);
    assert_true(d.x == UINT32_MAX && d.y == 2 && d.z == 3);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct lab_err err = {0};
        if (vg_cmd_dim("grid", bad[i], &d, &err) != -1 || strstr(err.msg, "--grid") == NULL) {
            fail_msg("'%s' was taken", bad[i]);
        }
    }
}

static void checks_are_a_list_of_names(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "memo", "me", "mem,", ",mem", "mem race", "mem;race"};
    unsigned c = 9;
    assert_int_equal(vg_cmd_checks(NULL, &c, NULL), 0);
    assert_int_equal(c, 0);
    assert_int_equal(vg_cmd_checks("race,mem", &c, NULL), 0);
    assert_int_equal(c, VGPU_CHECK_RACE | VGPU_CHECK_MEM);
    assert_int_equal(vg_cmd_checks("all", &c, NULL), 0);
    assert_int_equal(c, VGPU_CHECK_ALL);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(vg_cmd_checks(bad[i], &c, NULL), -1);
    }
}

static void every_chip_is_a_choice(void **state)
{
    (void)state;
    size_t n = 0, words = 1;
    const struct vgpu_desc *d = vgpu_desc_list(&n);
    for (const char *s = VG_DEVICES; *s != '\0'; s++) {
        words += *s == '|';
    }
    assert_int_equal(words, n);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(strstr(VG_DEVICES, d[i].key));
        assert_non_null(vg_cmd_device((int)i));
    }
    assert_string_equal(vg_cmd_device(VG_DEVICE_DEFAULT)->key, "a100");
}

static void kernels_are_found_as_they_were_written(void **state)
{
    (void)state;
    static const char ptx[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k() { ret; }\n.visible .entry _Z4scalPfi() { ret; }\n"
        ".visible .entry _Z4twicPf() { ret; }\n.visible .entry _Z4twicPd() { ret; }\n";
    struct place p;
    struct vgpu_kernel *k;
    struct lab_err err = {0};
    open_place(&p, ptx);
    assert_int_equal(vg_cmd_kernel(p.m, "_Z4twicPd", &k, &err), 0);
    assert_int_equal(vg_cmd_kernel(p.m, "scal", &k, &err), 0);
    assert_int_equal(vg_cmd_kernel(p.m, "twic", &k, &err), -1);
    assert_non_null(strstr(err.msg, "several kernels: _Z4twicPf, _Z4twicPd"));
    assert_int_equal(vg_cmd_kernel(p.m, "none", &k, &err), -1);
    assert_non_null(strstr(err.msg, "no kernel 'none', expected one of: k, "));
    close_place(&p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_reads_back_what_it_prints),
        cmocka_unit_test(numbers_that_do_not_fit_are_refused),
        cmocka_unit_test(a_nan_stays_a_nan),
        cmocka_unit_test(words_say_what_they_ask_for),
        cmocka_unit_test(words_without_sense_are_refused),
        cmocka_unit_test(random_words_never_crash),
        cmocka_unit_test(arguments_land_where_the_kernel_looks),
        cmocka_unit_test(arguments_that_do_not_fit_are_refused),
        cmocka_unit_test(two_buffers_of_one_name_are_refused),
        cmocka_unit_test(files_fill_buffers),
        cmocka_unit_test(random_contents_follow_the_seed),
        cmocka_unit_test(repeated_options_become_one),
        cmocka_unit_test(an_option_without_its_value_stays_one),
        cmocka_unit_test(joined_values_split_again),
        cmocka_unit_test(shapes_have_one_to_three_numbers),
        cmocka_unit_test(checks_are_a_list_of_names),
        cmocka_unit_test(every_chip_is_a_choice),
        cmocka_unit_test(kernels_are_found_as_they_were_written),
    };
    return LAB_TEST_MAIN(tests);
}
