/* Atomics and reductions: each operation, the order of the lanes, the spaces. */
#include <stdio.h>
#include <string.h>

#include "vg_atom.h"
#include "vgt.h"

/* vg_atomic with its two operands side by side. */
#define APPLY(op, type, bytes, old, b, c) vg_atomic(op, type, bytes, old, (const uint64_t[2]){b, c})

static void integer_operations_follow_the_manual(void **state)
{
    (void)state;
    const enum vg_atomic_type u = VG_ATOM_BITS, s = VG_ATOM_SIGNED;
    assert_int_equal(APPLY(VG_ATOM_EXCH, u, 4, 5, 9, 0), 9);
    assert_int_equal(APPLY(VG_ATOM_CAS, u, 4, 5, 5, 7), 7);
    assert_int_equal(APPLY(VG_ATOM_CAS, u, 4, 5, 6, 7), 5);
    assert_int_equal(APPLY(VG_ATOM_ADD, u, 4, 0xFFFFFFFF, 2, 0), 1);
    assert_int_equal(APPLY(VG_ATOM_ADD, u, 8, 0xFFFFFFFF, 2, 0), 0x100000001);
    assert_int_equal(APPLY(VG_ATOM_MIN, u, 4, 0xFFFFFFFF, 1, 0), 1);
    assert_int_equal(APPLY(VG_ATOM_MIN, s, 4, 0xFFFFFFFF, 1, 0), 0xFFFFFFFF);
    assert_int_equal(APPLY(VG_ATOM_MAX, s, 4, 0xFFFFFFFF, 1, 0), 1);
    assert_int_equal(APPLY(VG_ATOM_MAX, s, 8, UINT64_MAX, 1, 0), 1);
    assert_int_equal(APPLY(VG_ATOM_INC, u, 4, 4, 5, 0), 5);
    assert_int_equal(APPLY(VG_ATOM_INC, u, 4, 5, 5, 0), 0);
    assert_int_equal(APPLY(VG_ATOM_INC, u, 4, 9, 5, 0), 0);
    assert_int_equal(APPLY(VG_ATOM_DEC, u, 4, 4, 5, 0), 3);
    assert_int_equal(APPLY(VG_ATOM_DEC, u, 4, 0, 5, 0), 5);
    assert_int_equal(APPLY(VG_ATOM_DEC, u, 4, 6, 5, 0), 5);
    assert_int_equal(APPLY(VG_ATOM_XOR, u, 4, 6, 5, 0), 3);
}

static void floating_adds_round_once(void **state)
{
    (void)state;
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_F32, 4, 0x3F800000, 0x40000000, 0), 0x40400000);
    /* subnormal: kept in shared memory, flushed in global */
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_F32, 4, 0x00000001, 0x00000001, 0), 2);
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_F32_FTZ, 4, 0x80000001, 0x80000001, 0), 0x80000000);
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_F64, 8, 0x3FF0000000000000, 0x4000000000000000, 0),
                     0x4008000000000000);
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_F16, 2, 0x3C00, 0x3C00, 0), 0x4000);
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_F16X2, 4, 0x3C003C00, 0x40003C00, 0), 0x42004000);
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_BF16, 2, 0x3F80, 0x3F80, 0), 0x4000);
    /* 1 + 2^-8 is a tie in bf16: to even */
    assert_int_equal(APPLY(VG_ATOM_ADD, VG_ATOM_BF16, 2, 0x3F80, 0x3B80, 0), 0x3F80);
}

static void lanes_act_in_order(void **state)
{
    (void)state;
    uint32_t w[65];
    vgt_run(VGT_KERNEL("atom.global.add.u32 %r1, [%rd26+256], 1; st.global.u32 [%rd30], %r1;\n"), 1,
            64, w, 65);
    for (uint32_t k = 0; k < 64; k++) {
        assert_int_equal(w[k], k);
    }
    assert_int_equal(w[64], 64);
}

static void blocks_act_in_order_on_any_number_of_threads(void **state)
{
    (void)state;
    static const char text[] = VGT_KERNEL("atom.global.add.u32 %r1, [%rd26+40000], 1;\n"
                                          "st.global.u32 [%rd30], %r1;\n");
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct vgpu_config c = {.threads = threads};
        uint32_t w[40 * 64];
        struct vgt *t = vgt_new(&c, text);
        vgt_words(t, 40, 64, w, 40 * 64);
        for (uint32_t k = 0; k < 40 * 64; k++) {
            assert_int_equal(w[k], k);
        }
        vgt_free(t);
    }
}

static void every_space_takes_atomics(void **state)
{
    (void)state;
    uint32_t w[8];
    vgt_run(VGT_KERNEL(".shared .align 8 .b8 sh[16]; .local .align 4 .b8 lo[8];\n"
                       "mov.u32 %r1, sh; setp.eq.u32 %p1, %r61, 0; @%p1 st.shared.u64 [%r1], 0;\n"
                       "@%p1 st.shared.u64 [%r1+8], 0; bar.sync 0;\n"
                       "red.shared.add.u32 [%r1], 2; atom.shared.max.s32 %r2, [%r1+4], %r61;\n"
                       "mov.u64 %rd1, 3; atom.shared.add.u64 %rd2, [%r1+8], %rd1; bar.sync 0;\n"
                       "mov.u64 %rd3, sh; cvta.shared.u64 %rd4, %rd3; atom.or.b32 %r3, [%rd4], 1;\n"
                       "mov.u64 %rd5, lo; cvta.local.u64 %rd6, %rd5; st.local.u32 [%rd5], %r61;\n"
                       "atom.exch.b32 %r4, [%rd6], 99; ld.local.u32 %r5, [%rd5]; bar.sync 0;\n"
                       "setp.ne.u32 %p2, %r61, 7; @%p2 bra END;\n"
                       "ld.shared.u32 %r6, [%r1]; ld.shared.u32 %r7, [%r1+4];\n"
                       "ld.shared.u32 %r8, [%r1+8];\n"
                       "st.global.u32 [%rd26], %r6; st.global.u32 [%rd26+4], %r7;\n"
                       "st.global.u32 [%rd26+8], %r8; st.global.u32 [%rd26+12], %r4;\n"
                       "st.global.u32 [%rd26+16], %r5;\nEND:\n"),
            1, 64, w, 8);
    static const uint32_t want[5] = {129, 63, 192, 7, 99};
    assert_memory_equal(w, want, sizeof(want));
}

static void vectors_and_halves_add(void **state)
{
    (void)state;
    uint32_t w[6];
    vgt_run(
        VGT_KERNEL("mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;\n"
                   "red.global.v2.f32.add [%rd26], {%f1, %f2};\n"
                   "mov.b16 %rs1, 0x3C00; atom.global.add.noftz.f16 %rs2, [%rd26+8], %rs1;\n"
                   "mov.b32 %r1, 0x3C003C00; red.global.add.noftz.f16x2 [%rd26+12], %r1;\n"
                   "mov.b16 %rs3, 0; mov.b16 %rs4, 9; atom.global.cas.b16 %rs5, [%rd26+16], %rs3,"
                   " %rs4;\n"),
        1, 4, w, 6);
    assert_int_equal(w[0], 0x40800000);
    assert_int_equal(w[1], 0x41000000);
    assert_int_equal(w[2], 0x4400);
    assert_int_equal(w[3], 0x44004400);
    assert_int_equal(w[4], 9);
}

static void masked_lanes_do_not_act(void **state)
{
    (void)state;
    uint32_t w[2];
    vgt_run(VGT_KERNEL("setp.lt.u32 %p1, %r61, 5; @%p1 red.global.add.u32 [%rd26], 1;\n"
                       "@!%p1 atom.global.inc.u32 %r1, [%rd26+4], 100;\n"),
            1, 32, w, 2);
    assert_int_equal(w[0], 5);
    assert_int_equal(w[1], 27);
}

static void unsupported_forms_are_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"atom.global.min.f32 %f1, [%rd26], %f2;", "min"},
        {"atom.global.add.u16 %rs1, [%rd26], %rs2;", "u16"},
        {"atom.global.cas.b32 %r1, [%rd26], %r2;", "expected 4 operands"},
        {"red.async.global.add.u32 [%rd26], %r2;", "async"},
    };
    for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
        char text[4096];
        snprintf(text, sizeof(text), "%s%s%s",
                 VGT_HEAD ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b,"
                          ".param .u64 c) {\n" VGT_REGS,
                 bad[k][0], "\nret; }\n");
        struct vgt *t = vgt_new(NULL, text);
        const char *error = vgpu_kernel_error(vgpu_module_kernel(t->m, "k"));
        assert_non_null(error);
        assert_non_null(strstr(error, bad[k][1]));
        vgt_free(t);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_operations_follow_the_manual),
        cmocka_unit_test(floating_adds_round_once),
        cmocka_unit_test(lanes_act_in_order),
        cmocka_unit_test(blocks_act_in_order_on_any_number_of_threads),
        cmocka_unit_test(every_space_takes_atomics),
        cmocka_unit_test(vectors_and_halves_add),
        cmocka_unit_test(masked_lanes_do_not_act),
        cmocka_unit_test(unsupported_forms_are_named),
    };
    return LAB_TEST_MAIN(tests);
}
