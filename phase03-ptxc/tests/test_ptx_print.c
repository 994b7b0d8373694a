/* Printing: single instructions as written, whole modules so that they parse to the same print. */
#include "ptx_testing.h"

#include <glob.h>

static void check_insn(const char *declarations, const char *text, const char *want)
{
    struct lab_buf body, printed;
    lab_buf_init(&body);
    lab_buf_init(&printed);
    lab_buf_printf(&body, "%s\n%s;", declarations, text);
    struct ptx_module *m = ptx_kernel(lab_buf_str(&body));
    ptx_insn_print(&ptx_find_func(m, "k")->insns[0], &printed);
    assert_string_equal(lab_buf_str(&printed), want);
    ptx_module_free(m);
    lab_buf_fini(&body);
    lab_buf_fini(&printed);
}

static void instructions_print_as_they_are_written(void **state)
{
    (void)state;
    static const char declarations[] =
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .b16 %rs<3>;"
        ".shared .b32 s[9];";
    static const char *const same[] = {
        "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4+16]",
        "@!%p1 st.shared::cta.b32 [s+4], %r1",
        "shfl.sync.down.b32 %r1|%p2, %r2, 16, 31, -1",
        "setp.eq.and.f32 %p1|%p2, %f1, 0f3F800000, !%p3",
        "mov.b32 %r1, {%rs1, %rs2}",
        "mov.u32 %r1, %tid.x",
        "mov.u32 %r1, %envreg3",
        "mov.u64 %rd1, s+8",
        "ld.global.f32 %f1, [%rd1+-4]",
        "ld.local.f32 %f1, [16]",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, _}, {%rd3}, {%rd4}, {%rd1, _}",
        "vadd.s32.u32.s32.sat %r1, %r2.b0, %r3.h1",
        "vmad.s32.s32.u32.sat %r0, %r1, %r2, -%r3",
        "cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16",
        "bar.sync 0",
        "ret",
        "lop3.and.b32 _|%p1, %r1, %r2, %r3, 63, %p2",
    };
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        check_insn(declarations, same[i], same[i]);
    }
    check_insn(declarations, "mov.f32  %f1 , 1.5", "mov.f32 %f1, 0f3FC00000");
    check_insn(declarations, "mov.u32 %r1, (1<<4)-1", "mov.u32 %r1, 15");
    check_insn(declarations, "st.shared.b32 [s-4+8], 0x10", "st.shared.b32 [s+4], 16");
}

static void names_of_types_and_special_registers_are_complete(void **state)
{
    (void)state;
    for (int t = 1; t <= PTX_SURFREF; t++) {
        const char *name = ptx_type_name((enum ptx_type)t);
        assert_int_equal(ptx_type_of_word(ptx_word_find(name, strlen(name))), t);
        assert_in_range(ptx_type_size((enum ptx_type)t), 1, 16);
    }
    assert_int_equal(ptx_type_of_word(PTX_W_add), PTX_NONE);
    assert_int_equal(ptx_type_size(PTX_NONE), 0);
    assert_string_equal(ptx_sreg_name(PTX_TID_X), "%tid.x");
    for (int r = 0; r < PTX_SREG_COUNT; r++) {
        assert_int_equal(ptx_sreg_name((enum ptx_sreg)r)[0], '%');
    }
    assert_string_equal(ptx_sreg_name(PTX_SREG_COUNT), "");
}

static void instructions_answer_about_their_modifiers(void **state)
{
    (void)state;
    struct ptx_module *m = ptx_kernel(".reg .b32 %r<3>; .reg .b64 a; .reg .f64 d;\n"
                                      "ld.relaxed.gpu.shared::cta.v2.b32 {%r1, %r2}, [a];\n"
                                      "cvt.rn.f64.s32 d, %r1; bar.sync 0;");
    const struct ptx_insn *i = ptx_find_func(m, "k")->insns;
    assert_int_equal(ptx_insn_space(&i[0]), PTX_SPACE_SHARED);
    assert_int_equal(ptx_insn_type(&i[0]), PTX_B32);
    assert_true(ptx_has(&i[0], PTX_W_v2));
    assert_false(ptx_has(&i[0], PTX_W_shared));
    assert_int_equal(ptx_insn_type(&i[1]), PTX_S32);
    assert_int_equal(ptx_insn_space(&i[1]), PTX_SPACE_GENERIC);
    assert_int_equal(ptx_insn_type(&i[2]), PTX_NONE);
    ptx_module_free(m);
}

static void a_module_with_everything_survives_the_round_trip(void **state)
{
    (void)state;
    struct lab_buf text;
    lab_buf_init(&text);
    ptx_read_file(LAB_PHASE_DIR "/tests/ptx/everything.ptx", &text);
    ptx_module_free(ptx_round_trip("everything.ptx", lab_buf_str(&text), text.len));
    lab_buf_fini(&text);
}

static void the_committed_kernels_survive_the_round_trip(void **state)
{
    (void)state;
    glob_t files;
    struct lab_buf text;
    lab_buf_init(&text);
    assert_int_equal(glob(LAB_PHASE_DIR "/kernels/*.ptx", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 6);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        ptx_read_file(files.gl_pathv[i], &text);
        assert_null(strstr(lab_buf_str(&text), "/work"));
        struct ptx_module *m = ptx_round_trip(files.gl_pathv[i], lab_buf_str(&text), text.len);
        assert_int_equal(m->target_sm, 75);
        assert_non_null(m->funcs);
        ptx_module_free(m);
    }
    globfree(&files);
    lab_buf_fini(&text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_print_as_they_are_written),
        cmocka_unit_test(names_of_types_and_special_registers_are_complete),
        cmocka_unit_test(instructions_answer_about_their_modifiers),
        cmocka_unit_test(a_module_with_everything_survives_the_round_trip),
        cmocka_unit_test(the_committed_kernels_survive_the_round_trip),
    };
    return LAB_TEST_MAIN(tests);
}
