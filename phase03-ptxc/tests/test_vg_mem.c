/* Loads and stores: every width, extension, vector, space, address pattern and mask against a plain
 * model, and the faults. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/rng.h"
#include "vgt.h"

/* --- extension --- */

static void narrow_loads_extend_by_their_type(void **state)
{
    (void)state;
    uint32_t w[12];
    static const uint8_t bytes[8] = {0x81, 0x92, 0xA3, 0xB4, 0xC5, 0xD6, 0xE7, 0xF8};
    struct vgt *t = vgt_new(
        NULL, VGT_KERNEL("ld.global.s8 %r1, [%rd27]; st.global.u32 [%rd26], %r1;\n"
                         "ld.global.u8 %r1, [%rd27+1]; st.global.u32 [%rd26+4], %r1;\n"
                         "ld.global.s16 %r1, [%rd27+2]; st.global.u32 [%rd26+8], %r1;\n"
                         "ld.global.u16 %r1, [%rd27+4]; st.global.u32 [%rd26+12], %r1;\n"
                         "ld.global.s32 %rd1, [%rd27+4]; st.global.u64 [%rd26+16], %rd1;\n"
                         "ld.global.u32 %rd1, [%rd27+4]; st.global.u64 [%rd26+24], %rd1;\n"
                         "ld.global.s8 %rs1, [%rd27+7]; st.global.u16 [%rd26+32], %rs1;\n"
                         "ld.global.u8 %rs1, [%rd27+7]; st.global.u16 [%rd26+34], %rs1;\n"
                         "ld.global.b64 %rd1, [%rd27]; st.global.u8 [%rd26+36], %rd1;\n"
                         "ld.global.s8 %rd1, [%rd27+6]; st.global.b64 [%rd26+40], %rd1;\n"));
    const uint64_t abc[3] = {vgt_buffer(t, bytes, 8), 0, 0};
    assert_int_equal(vgt_launch(t, "k", 1, 1, abc), VGPU_OK);
    assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
    static const uint32_t want[12] = {0xFFFFFF81, 0x92, 0xFFFFB4A3, 0xD6C5, 0xF8E7D6C5, 0xFFFFFFFF,
                                      0xF8E7D6C5, 0,    0x00F8FFF8, 0x81,   0xFFFFFFE7, 0xFFFFFFFF};
    assert_memory_equal(w, want, sizeof(want));
    vgt_free(t);
}

/* --- patterns --- */

/* One access form: how elements of `size` bytes, `vec` of them, get in or out of a space. */
struct form {
    const char *space, *type, *reg;
    unsigned size, vec;
};

static const struct form forms[] = {
    {"global", "u8", "%rs", 1, 1},  {"global", "u16", "%rs", 2, 1}, {"global", "b32", "%r", 4, 1},
    {"global", "b64", "%rd", 8, 1}, {"global", "b32", "%r", 4, 2},  {"global", "b32", "%r", 4, 4},
    {"global", "b64", "%rd", 8, 2}, {"global", "u8", "%rs", 1, 4},  {"shared", "u8", "%rs", 1, 1},
    {"shared", "u16", "%rs", 2, 1}, {"shared", "b32", "%r", 4, 1},  {"shared", "b64", "%rd", 8, 1},
    {"shared", "b32", "%r", 4, 2},  {"shared", "b32", "%r", 4, 4},  {"local", "b32", "%r", 4, 1},
    {"local", "b64", "%rd", 8, 1},  {"local", "u16", "%rs", 2, 2},  {"local", "b32", "%r", 4, 4},
};

#define FORMS     (sizeof(forms) / sizeof(forms[0]))
#define ARENA     4096u /* bytes that the accesses stay in */
#define MAX_BYTES 16u

/* The operand: {r1, r2} or r1; destinations of a load are 5 further on. */
static void operand(struct lab_buf *b, const struct form *f, unsigned first)
{
    lab_buf_puts(b, f->vec > 1 ? "{" : "");
    for (unsigned k = 0; k < f->vec; k++) {
        lab_buf_printf(b, "%s%s%u", k > 0 ? ", " : "", f->reg, first + k);
    }
    lab_buf_puts(b, f->vec > 1 ? "}" : "");
}

static void modifiers(struct lab_buf *b, const char *op, const char *space, const struct form *f)
{
    lab_buf_printf(b, "%s.%s", op, space);
    if (f->vec > 1) {
        lab_buf_printf(b, ".v%u", f->vec);
    }
    lab_buf_printf(b, ".%s ", f->type);
}

/* Lanes of the mask (a register: one bit a lane) move their element from `from` + from_at[lane] in
 * global memory to the space's place to_at[lane], then back from there to out. The shared or local
 * arena starts as a copy of the buffer b. */
static char *program(const struct form *f, const char *base)
{
    struct lab_buf b;
    lab_buf_init(&b);
    lab_buf_puts(&b, VGT_HEAD ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b,"
                              ".param .u64 c) {\n.shared .align 16 .b8 sh[4096];\n"
                              ".local .align 16 .b8 lo[4096];\n" VGT_REGS);
    /* %rd11 this lane's word of offsets; %rd12 base of the arena in its space */
    lab_buf_puts(&b, "mul.wide.u32 %rd11, %r61, 4; add.s64 %rd11, %rd27, %rd11;\n"
                     "ld.global.u32 %rd13, [%rd11];\n"
                     "ld.global.u32 %r40, [%rd27+128]; shr.u32 %r41, %r40, %r61;\n"
                     "and.b32 %r41, %r41, 1; setp.eq.u32 %p1, %r41, 1;\n");
    lab_buf_printf(&b, "%s", base);
    lab_buf_puts(&b, "mul.wide.u32 %rd14, %r61, 16; add.s64 %rd14, %rd28, %rd14;\n"
                     "mul.wide.u32 %rd15, %r61, 16; add.s64 %rd15, %rd26, %rd15;\n"
                     "add.s64 %rd16, %rd12, %rd13; cvt.u32.u64 %r42, %rd16;\n"
                     "@!%p1 bra SKIP;\n");
    const char *at = strcmp(f->space, "shared") == 0 ? "%r42" : "%rd16";
    modifiers(&b, "ld", "global", f);
    operand(&b, f, 1);
    lab_buf_puts(&b, ", [%rd14+512];\nbar.warp.sync %r40;\n");
    modifiers(&b, "st", f->space, f);
    lab_buf_printf(&b, "[%s+16], ", at);
    operand(&b, f, 1);
    lab_buf_puts(&b, ";\nbar.warp.sync %r40;\n");
    modifiers(&b, "ld", f->space, f);
    operand(&b, f, 6);
    lab_buf_printf(&b, ", [%s+16];\n", at);
    modifiers(&b, "st", "global", f);
    lab_buf_puts(&b, "[%rd15], ");
    operand(&b, f, 6);
    lab_buf_puts(&b, ";\nSKIP:\nret; }\n");
    return b.data;
}

enum pattern { LINE, UNIFORM, STRIDE, BACK, HALVES, RANDOM, PATTERNS };

static uint32_t offset_of(enum pattern p, uint32_t lane, uint32_t bytes, struct lab_rng *rng)
{
    switch (p) {
    case LINE: return lane * bytes;
    case UNIFORM: return 5 * bytes;
    case STRIDE: return lane * bytes * 3;
    case BACK: return (31 - lane) * bytes;
    case HALVES: return (lane % 16 + lane / 16 * 40) * bytes;
    default: return (uint32_t)lab_rng_below(rng, (ARENA - 64) / bytes) * bytes;
    }
}

/* What the lanes must read back: the highest lane that stored to a byte wins. */
static void model(const struct form *f, const uint32_t *at, uint32_t mask, const uint8_t *from,
                  uint8_t *out)
{
    static uint8_t arena[32][ARENA + 64];
    const unsigned n = f->size * f->vec;
    const bool own = strcmp(f->space, "local") == 0;
    for (unsigned l = 0; l < 32; l++) {
        if ((mask >> l & 1) != 0) {
            memcpy(&arena[own ? l : 0][at[l]], from + 16 * l, n);
        }
    }
    for (unsigned l = 0; l < 32; l++) {
        if ((mask >> l & 1) != 0) {
            memcpy(out + 16 * l, &arena[own ? l : 0][at[l]], n);
        }
    }
}

static void try_form(const struct form *f, enum pattern p, uint32_t mask, struct lab_rng *rng)
{
    const char *base = strcmp(f->space, "shared") == 0  ? "mov.u64 %rd12, sh;\n"
                       : strcmp(f->space, "local") == 0 ? "mov.u64 %rd12, lo;\n"
                                                        : "mov.u64 %rd12, %rd29;\n";
    char *text = program(f, base);
    struct vgt *t = vgt_new(NULL, text);
    uint32_t head[160] = {0};
    uint8_t from[32 * 16], want[32 * 16] = {0}, got[32 * 16];
    for (unsigned l = 0; l < 32; l++) {
        head[l] = offset_of(p, l, f->size * f->vec, rng);
    }
    head[32] = mask;
    for (size_t k = 0; k < sizeof(from); k++) {
        from[k] = (uint8_t)lab_rng_u64(rng);
    }
    uint8_t source[512 + sizeof(from)] = {0};
    memcpy(source + 512, from, sizeof(from));
    uint8_t *zero = calloc(1, ARENA + 64);
    const uint64_t abc[3] = {vgt_buffer(t, head, sizeof(head)),
                             vgt_buffer(t, source, sizeof(source)),
                             vgt_buffer(t, zero, ARENA + 64)};
    assert_int_equal(vgpu_set(t->g, t->out, 0, 4, 128), VGPU_OK);
    if (vgt_launch(t, "k", 1, 32, abc) != VGPU_OK) {
        fail_msg("%s: %s", t->fault.text, text);
    }
    assert_int_equal(vgpu_read(t->g, got, t->out, sizeof(got)), VGPU_OK);
    model(f, head, mask, from, want);
    assert_memory_equal(got, want, sizeof(got));
    vgt_free(t);
    free(zero);
    free(text);
}

static void every_form_moves_its_bytes(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 7);
    static const uint32_t masks[] = {0xFFFFFFFF, 0x0000FFFF, 0x80000001, 0x00FF0F10};
    for (size_t f = 0; f < FORMS; f++) {
        for (int p = 0; p < PATTERNS; p++) {
            for (size_t m = 0; m < 4; m++) {
                try_form(&forms[f], (enum pattern)p, masks[m], &rng);
            }
        }
    }
}

/* --- generic addresses --- */

static void windows_and_conversions_agree(void **state)
{
    (void)state;
    uint32_t w[32 * 6];
    vgt_run(VGT_KERNEL(
                ".shared .align 4 .b8 sh[128]; .local .align 4 .b8 lo[16];\n"
                "mov.u64 %rd1, sh; mul.wide.u32 %rd2, %r61, 4; add.s64 %rd1, %rd1, %rd2;\n"
                "cvta.shared.u64 %rd3, %rd1; mov.u64 %rd4, lo; cvta.local.u64 %rd5, %rd4;\n"
                "add.u32 %r1, %r61, 500; st.u32 [%rd3], %r1; ld.shared.u32 %r2, [%rd1];\n"
                "add.u32 %r1, %r61, 700; st.local.u32 [%rd4+8], %r1; ld.u32 %r3, [%rd5+8];\n"
                "cvta.to.shared.u64 %rd6, %rd3; setp.eq.u64 %p1, %rd6, %rd1;\n"
                "isspacep.shared %p2, %rd3; isspacep.local %p3, %rd5;\n"
                "isspacep.global %p4, %rd26; isspacep.global %p5, %rd3;\n"
                "selp.u32 %r4, 1, 0, %p1; selp.u32 %r5, 2, 0, %p2; or.b32 %r4, %r4, %r5;\n"
                "selp.u32 %r5, 4, 0, %p3; or.b32 %r4, %r4, %r5;\n"
                "selp.u32 %r5, 8, 0, %p4; or.b32 %r4, %r4, %r5;\n"
                "selp.u32 %r5, 16, 0, %p5; or.b32 %r4, %r4, %r5;\n"
                "and.b32 %r6, %r61, 1; setp.eq.u32 %p6, %r6, 0; selp.b64 %rd7, %rd3, %rd5, %p6;\n"
                "add.s64 %rd8, %rd7, 8; selp.b64 %rd7, %rd7, %rd8, %p6;\n"
                "ld.u32 %r7, [%rd7];\n" /* even lanes shared, odd lanes local */
                "st.global.u32 [%rd30], %r2; st.global.u32 [%rd30+128], %r3;\n"
                "st.global.u32 [%rd30+256], %r4; st.global.u32 [%rd30+384], %r7;\n"),
            1, 32, w, 32 * 4);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(w[l], 500 + l);
        assert_int_equal(w[32 + l], 700 + l);
        assert_int_equal(w[64 + l], 15);
        assert_int_equal(w[96 + l], (l & 1) == 0 ? 500 + l : 700 + l);
    }
}

static void constants_and_initialised_variables_are_there(void **state)
{
    (void)state;
    uint32_t w[3];
    vgt_run(VGT_HEAD ".const .align 4 .u32 cv[2] = {11, 22}; .global .align 4 .u32 g = 33;\n"
                     ".global .align 8 .u64 p = generic(g);\n"
                     ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b,"
                     ".param .u64 c) {\n" VGT_REGS
                     "ld.const.u32 %r1, [cv+4]; st.global.u32 [%rd26], %r1;\n"
                     "ld.global.u64 %rd1, [p]; ld.u32 %r2, [%rd1]; st.global.u32 [%rd26+4], %r2;\n"
                     "mov.u64 %rd2, cv; ld.const.u32 %r3, [%rd2]; st.global.u32 [%rd26+8], %r3;\n"
                     "ret; }\n",
            1, 1, w, 3);
    assert_int_equal(w[0], 22);
    assert_int_equal(w[1], 33);
    assert_int_equal(w[2], 11);
}

static void kernel_parameters_can_be_indexed(void **state)
{
    (void)state;
    uint32_t w[32];
    struct vgt *t = vgt_new(
        NULL, VGT_KERNEL("and.b32 %r1, %r61, 1; mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, a;\n"
                         "add.s64 %rd2, %rd2, %rd1; ld.param.u32 %r2, [%rd2];\n"
                         "st.global.u32 [%rd30], %r2;\n"));
    const uint64_t abc[3] = {77, 88, 99};
    assert_int_equal(vgt_launch(t, "k", 1, 32, abc), VGPU_OK);
    assert_int_equal(vgpu_read(t->g, w, t->out, sizeof(w)), VGPU_OK);
    assert_int_equal(w[0], 77);
    assert_int_equal(w[1], 88);
    vgt_free(t);
}

static void dynamic_shared_memory_follows_the_static(void **state)
{
    (void)state;
    uint32_t w[2];
    struct vgt *t =
        vgt_new(NULL, VGT_HEAD ".extern .shared .align 16 .b8 dyn[];\n"
                               ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b,"
                               ".param .u64 c) {\n.shared .align 4 .b8 st[20];\n" VGT_REGS
                               "mov.u32 %r1, st; mov.u32 %r2, dyn; st.shared.u32 [%r1], 1;\n"
                               "st.shared.u32 [%r2+60], 2; mov.u32 %r3, %dynamic_smem_size;\n"
                               "sub.u32 %r2, %r2, %r1; st.global.u32 [%rd26], %r2;\n"
                               "st.global.u32 [%rd26+4], %r3; ret; }\n");
    struct vgpu_launch l = {.kernel = vgpu_module_kernel(t->m, "k"),
                            .grid = {1, 1, 1},
                            .block = {1, 1, 1},
                            .dynamic_shared = 64,
                            .params = (const uint64_t[4]){t->out, 0, 0, 0}};
    assert_int_equal(vgpu_run(t->g, &l, NULL, &t->fault), VGPU_OK);
    assert_int_equal(vgpu_read(t->g, w, t->out, 8), VGPU_OK);
    assert_int_equal(w[0], 32);
    assert_int_equal(w[1], 64);
    vgt_free(t);
}

/* --- faults --- */

static void fault_of(const char *body, enum vgpu_status want, const char *part, uint32_t lanes)
{
    char text[4096];
    snprintf(text, sizeof(text), "%s%s%s",
             VGT_HEAD ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b,"
                      ".param .u64 c) {\n.shared .align 4 .b8 sh[128];\n" VGT_REGS
                      "mov.u32 %r59, sh;\n",
             body, "ret; }\n");
    struct vgt *t = vgt_new(NULL, text);
    vgt_fails(t, 1, 32, want, part);
    assert_int_equal(t->fault.lanes, lanes);
    assert_int_equal(t->fault.thread.x, (uint32_t)__builtin_ctz(lanes));
    vgt_free(t);
}

static void accesses_to_nowhere_are_faults(void **state)
{
    (void)state;
    fault_of("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1];\n", VGPU_ILLEGAL_ADDRESS,
             "global load of 4 bytes at 0x0: nothing is allocated there", 0xFFFFFFFF);
    fault_of("setp.eq.u32 %p1, %r61, 9; mov.u64 %rd1, 4096; selp.b64 %rd2, %rd1, %rd30, %p1;\n"
             "st.global.u32 [%rd2], %r1;\n",
             VGPU_ILLEGAL_ADDRESS, "global store of 4 bytes at 0x1000", 1u << 9);
    fault_of("add.s64 %rd1, %rd30, 0x40000000; ld.global.u32 %r1, [%rd1];\n", VGPU_ILLEGAL_ADDRESS,
             "nothing is allocated", 0xFFFFFFFF);
    fault_of("shl.b32 %r1, %r61, 3; st.shared.u32 [%r1], %r1;\n", VGPU_ILLEGAL_ADDRESS,
             "the block has 128 bytes of shared memory", 0xFFFF0000);
    fault_of("mov.u64 %rd1, 0x100000080; ld.u32 %r1, [%rd1];\n", VGPU_ILLEGAL_ADDRESS,
             "shared load of 4 bytes at offset 0x80", 0xFFFFFFFF);
    fault_of("mov.u64 %rd1, 0x200000000; ld.u32 %r1, [%rd1];\n", VGPU_ILLEGAL_ADDRESS, "local load",
             0xFFFFFFFF);
}

static void crooked_accesses_are_faults(void **state)
{
    (void)state;
    fault_of("add.s64 %rd1, %rd30, 2; ld.global.u32 %r1, [%rd1];\n", VGPU_MISALIGNED,
             "not a multiple of 4", 0xFFFFFFFF);
    fault_of("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd30];\n", VGPU_MISALIGNED,
             "global load of 16 bytes", 0xEEEEEEEE);
    fault_of("mov.u32 %r1, 3; ld.shared.u16 %rs1, [%r1];\n", VGPU_MISALIGNED, "shared load of 2",
             0xFFFFFFFF);
}

/* Nothing behind the faulting instruction happens. */
static void a_fault_stops_the_warp_on_the_spot(void **state)
{
    (void)state;
    uint32_t w[1];
    struct vgt *t = vgt_new(NULL, VGT_KERNEL("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1];\n"
                                             "st.global.u32 [%rd26], 5;\n"));
    vgt_fails(t, 1, 32, VGPU_ILLEGAL_ADDRESS, "load");
    assert_int_equal(vgpu_read(t->g, w, t->out, 4), VGPU_OK);
    assert_int_equal(w[0], 0);
    vgt_free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_loads_extend_by_their_type),
        cmocka_unit_test(every_form_moves_its_bytes),
        cmocka_unit_test(windows_and_conversions_agree),
        cmocka_unit_test(constants_and_initialised_variables_are_there),
        cmocka_unit_test(kernel_parameters_can_be_indexed),
        cmocka_unit_test(dynamic_shared_memory_follows_the_static),
        cmocka_unit_test(accesses_to_nowhere_are_faults),
        cmocka_unit_test(crooked_accesses_are_faults),
        cmocka_unit_test(a_fault_stops_the_warp_on_the_spot),
    };
    return LAB_TEST_MAIN(tests);
}
