/* cp.async and the matrix instructions that move data. */
#include <string.h>

#include "vg_wmma.h"
#include "vgt.h"

/* 16 bytes a thread: unseen before the wait, there after it. */
static void copies_arrive_when_they_are_waited_for(void **state)
{
    (void)state;
    uint32_t in[128], w[64];
    for (uint32_t k = 0; k < 128; k++) {
        in[k] = k + 1;
    }
    struct vgt *t = vgt_new(
        NULL,
        VGT_KERNEL(".shared .align 16 .b8 sh[512]; mov.u32 %r1, sh; shl.b32 %r2, %r61, 4;\n"
                   "add.u32 %r3, %r1, %r2; cvt.u64.u32 %rd1, %r2; add.s64 %rd2, %rd27, %rd1;\n"
                   "cp.async.cg.shared.global [%r3], [%rd2], 16; cp.async.commit_group;\n"
                   "ld.shared.u32 %r4, [%r3+4]; cp.async.wait_group 0;\n"
                   "ld.shared.u32 %r5, [%r3+4]; st.global.u32 [%rd30], %r4;\n"
                   "st.global.u32 [%rd30+128], %r5;\n"));
    const uint64_t abc[3] = {vgt_buffer(t, in, sizeof(in)), 0, 0};
    assert_int_equal(vgt_launch(t, "k", 1, 32, abc), VGPU_OK);
    assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 0);
        assert_int_equal(w[32 + l], 4 * l + 2);
    }
    vgt_free(t);
}

static void groups_complete_oldest_first(void **state)
{
    (void)state;
    uint32_t w[4];
    static const uint32_t in[4] = {11, 22, 33, 44};
    struct vgt *t = vgt_new(
        NULL, VGT_KERNEL(".shared .align 16 .b8 sh[16]; mov.u32 %r1, sh;\n"
                         "cp.async.ca.shared.global [%r1], [%rd27], 4; cp.async.commit_group;\n"
                         "cp.async.ca.shared.global [%r1+4], [%rd27+4], 4; cp.async.commit_group;\n"
                         "cp.async.ca.shared.global [%r1+8], [%rd27+8], 4;\n"
                         "cp.async.wait_group 1; ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r1];\n"
                         "cp.async.wait_all; ld.shared.u32 %r6, [%r1+8];\n"
                         "st.global.v4.u32 [%rd26], {%r2, %r3, %r4, %r6};\n"));
    const uint64_t abc[3] = {vgt_buffer(t, in, sizeof(in)), 0, 0};
    assert_int_equal(vgt_launch(t, "k", 1, 1, abc), VGPU_OK);
    assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
    assert_int_equal(w[0], 11);
    assert_int_equal(w[1], 0);
    assert_int_equal(w[2], 0);
    assert_int_equal(w[3], 33);
    vgt_free(t);
}

/* A source size below the copy's leaves zeros; with 0 the source need not exist. */
static void short_sources_are_filled_with_zeros(void **state)
{
    (void)state;
    uint32_t w[12];
    static const uint32_t in[4] = {11, 22, 33, 44};
    struct vgt *t = vgt_new(
        NULL, VGT_KERNEL(".shared .align 16 .b8 sh[48]; mov.u32 %r1, sh; mov.u64 %rd1, 64;\n"
                         "st.shared.u32 [%r1+16], 7; mov.u32 %r2, 0; setp.eq.u32 %p1, %r2, 0;\n"
                         "cp.async.cg.shared.global [%r1], [%rd27], 16, 8;\n"
                         "cp.async.cg.shared.global [%r1+16], [%rd1], 16, %r2;\n"
                         "cp.async.ca.shared.global [%r1+32], [%rd27], 4, %p1; cp.async.wait_all;\n"
                         "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1];\n"
                         "st.global.v4.u32 [%rd26], {%r3, %r4, %r5, %r6};\n"
                         "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r1+16];\n"
                         "st.global.v4.u32 [%rd26+16], {%r3, %r4, %r5, %r6};\n"));
    const uint64_t abc[3] = {vgt_buffer(t, in, sizeof(in)), 0, 0};
    if (vgt_launch(t, "k", 1, 1, abc) != VGPU_OK) {
        fail_msg("%s", t->fault.text);
    }
    assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
    static const uint32_t want[8] = {11, 22, 0, 0, 0, 0, 0, 0};
    assert_memory_equal(w, want, sizeof(want));
    vgt_free(t);
}

static void copies_are_counted_on_both_sides(void **state)
{
    (void)state;
    static uint32_t in[128];
    struct vgpu_config c = {.counters = true, .checks = VGPU_CHECK_ALL};
    struct vgt *t = vgt_new(
        &c, VGT_KERNEL(".shared .align 16 .b8 sh[512]; mov.u32 %r1, sh; shl.b32 %r2, %r61, 4;\n"
                       "add.u32 %r3, %r1, %r2; cvt.u64.u32 %rd1, %r2; add.s64 %rd2, %rd27, %rd1;\n"
                       "cp.async.cg.shared.global [%r3], [%rd2], 16; cp.async.wait_all;\n"));
    const uint64_t abc[3] = {vgt_buffer(t, in, sizeof(in)), 0, 0};
    assert_int_equal(vgt_launch(t, "k", 1, 32, abc), VGPU_OK);
    struct vg_counts s = vg_count_sum(&t->counters, NULL);
    assert_int_equal(s.global_ld_sectors, 16);
    assert_int_equal(s.global_ld_bytes, 512);
    assert_int_equal(s.shared_st_wavefronts, 4);
    vgt_free(t);
}

/* --- matrices --- */

/* Four 8 x 8 matrices of 16-bit numbers, row r of matrix j at 64 j + 8 r. */
static void ldmatrix_deals_rows_to_lanes(void **state)
{
    (void)state;
    uint16_t in[256];
    uint32_t w[32 * 8];
    for (uint32_t k = 0; k < 256; k++) {
        in[k] = (uint16_t)(1000 + k);
    }
    struct vgt *t = vgt_new(
        NULL,
        VGT_KERNEL(".shared .align 16 .b8 sh[512]; mov.u32 %r1, sh; shl.b32 %r2, %r61, 4;\n"
                   "add.u32 %r3, %r1, %r2; cvt.u64.u32 %rd1, %r2; add.s64 %rd2, %rd27, %rd1;\n"
                   "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd2];\n"
                   "st.shared.v4.u32 [%r3], {%r10, %r11, %r12, %r13}; bar.warp.sync -1;\n"
                   "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r3];\n"
                   "st.global.u32 [%rd30], %r10; st.global.u32 [%rd30+128], %r11;\n"
                   "st.global.u32 [%rd30+256], %r12; st.global.u32 [%rd30+384], %r13;\n"
                   "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r10}, [%r3];\n"
                   "st.global.u32 [%rd30+512], %r10;\n"
                   "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10;\n"
                   "st.global.u32 [%rd30+640], %r11;\n"));
    const uint64_t abc[3] = {vgt_buffer(t, in, sizeof(in)), 0, 0};
    assert_int_equal(vgt_launch(t, "k", 1, 32, abc), VGPU_OK);
    assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t first = 1000 + 64 * j + 8 * (l / 4) + 2 * (l % 4);
            assert_int_equal(w[32 * j + l], first | (first + 1) << 16);
        }
        uint32_t top = 1000 + 8 * (2 * (l % 4)) + l / 4;
        assert_int_equal(w[128 + l], top | (top + 8) << 16);
        assert_int_equal(w[160 + l], w[l]);
    }
    vgt_free(t);
}

static void stmatrix_is_the_way_back(void **state)
{
    (void)state;
    uint16_t got[128];
    struct vgt *t = vgt_new(
        NULL, VGT_KERNEL(".shared .align 16 .b8 sh[256]; mov.u32 %r1, sh; and.b32 %r2, %r61, 15;\n"
                         "shl.b32 %r2, %r2, 4; add.u32 %r3, %r1, %r2;\n"
                         "shl.b32 %r4, %r61, 1; add.u32 %r5, %r4, 1; shl.b32 %r5, %r5, 16;\n"
                         "or.b32 %r4, %r4, %r5; add.u32 %r6, %r4, 0x00400040;\n"
                         "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r3], {%r4, %r6};\n"
                         "bar.warp.sync -1; shl.b32 %r7, %r61, 3; add.u32 %r8, %r1, %r7;\n"
                         "ld.shared.v2.u32 {%r9, %r10}, [%r8]; cvt.u64.u32 %rd1, %r7;\n"
                         "add.s64 %rd2, %rd26, %rd1; st.global.v2.u32 [%rd2], {%r9, %r10};\n"));
    assert_int_equal(vgt_launch(t, "k", 1, 32, NULL), VGPU_OK);
    assert_int_equal(vgpu_read(t->g, got, t->out, sizeof(got)), VGPU_OK);
    for (uint32_t k = 0; k < 128; k++) {
        assert_int_equal(got[k], k);
    }
    vgt_free(t);
}

/* D = A·B + 0 by wmma, A in rows, B in columns, and D stored in columns. */
static void wmma_loads_multiplies_and_stores(void **state)
{
    (void)state;
    uint16_t a[256], b[256];
    float d[256];
    for (uint32_t k = 0; k < 256; k++) {
        a[k] = (uint16_t)(0x3C00 + (k % 3) * 0x400); /* 1, 2, 4 */
        b[k] = (uint16_t)(k % 5 == 0 ? 0x3C00 : 0);  /* 1 or 0 */
    }
    struct vgt *t = vgt_new(
        NULL, VGT_HEAD
        ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c) {\n"
        ".reg .b32 %a<8>; .reg .b32 %b<8>; .reg .f32 %c<8>; .reg .b64 %rd<4>;\n"
        "ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];\n"
        "mov.f32 %c0, 0f00000000; mov.f32 %c1, %c0; mov.f32 %c2, %c0; mov.f32 %c3, %c0;\n"
        "mov.f32 %c4, %c0; mov.f32 %c5, %c0; mov.f32 %c6, %c0; mov.f32 %c7, %c0;\n"
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7},"
        " [%rd1], 16;\n"
        "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7},"
        " [%rd2];\n"
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7},"
        " {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, {%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7},"
        " {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7};\n"
        "wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%rd0],"
        " {%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}, 16;\nret; }\n");
    const uint64_t abc[3] = {vgt_buffer(t, a, sizeof(a)), vgt_buffer(t, b, sizeof(b)), 0};
    if (vgt_launch(t, "k", 1, 32, abc) != VGPU_OK) {
        fail_msg("%s", t->fault.text);
    }
    assert_int_equal(vgpu_read(t->g, d, t->out, sizeof(d)), VGPU_OK);
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t j = 0; j < 16; j++) {
            float sum = 0;
            for (uint32_t k = 0; k < 16; k++) {
                sum += (float)(1 << (i * 16 + k) % 3) * (b[j * 16 + k] != 0 ? 1.0f : 0.0f);
            }
            assert_true(d[j * 16 + i] == sum);
        }
    }
    vgt_free(t);
}

/* Law: a fragment holds every entry, each equally often. */
static void fragments_hold_every_entry(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{16, 256}, {8, 256}, {4, 128}, {8, 128}, {2, 64}};
    for (size_t s = 0; s < 5; s++) {
        uint32_t seen[256] = {0};
        for (uint32_t l = 0; l < 32; l++) {
            for (uint32_t e = 0; e < sizes[s][0]; e++) {
                seen[vg_wmma_entry(l, e, sizes[s][0], sizes[s][1])]++;
            }
        }
        for (uint32_t k = 0; k < sizes[s][1]; k++) {
            assert_int_equal(seen[k], 32 * sizes[s][0] / sizes[s][1]);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_arrive_when_they_are_waited_for),
        cmocka_unit_test(groups_complete_oldest_first),
        cmocka_unit_test(short_sources_are_filled_with_zeros),
        cmocka_unit_test(copies_are_counted_on_both_sides),
        cmocka_unit_test(ldmatrix_deals_rows_to_lanes),
        cmocka_unit_test(stmatrix_is_the_way_back),
        cmocka_unit_test(wmma_loads_multiplies_and_stores),
        cmocka_unit_test(fragments_hold_every_entry),
    };
    return LAB_TEST_MAIN(tests);
}
