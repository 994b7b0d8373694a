/* Matrix products: the fragments' layout as the ISA's figures give it, products against a plain
 * triple loop, integers at their limits, errors. */
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"

#include "vg_f16.h"
#include "vg_one.h"
#include "vg_tensor.h"
#include "vg_wmma.h"

static const struct vg_mma mmas[] = {
    {.m = 16,
     .n = 8,
     .k = 8,
     .a = VG_MMA_F16,
     .b = VG_MMA_F16,
     .c = VG_MMA_F32,
     .d = VG_MMA_F32,
     .na = 2,
     .nb = 1,
     .nc = 4,
     .nd = 4},
    {.m = 16,
     .n = 8,
     .k = 16,
     .a = VG_MMA_F16,
     .b = VG_MMA_F16,
     .c = VG_MMA_F16,
     .d = VG_MMA_F16,
     .na = 4,
     .nb = 2,
     .nc = 2,
     .nd = 2},
    {.m = 16,
     .n = 8,
     .k = 8,
     .a = VG_MMA_TF32,
     .b = VG_MMA_TF32,
     .c = VG_MMA_F32,
     .d = VG_MMA_F32,
     .na = 4,
     .nb = 2,
     .nc = 4,
     .nd = 4},
    {.m = 16,
     .n = 8,
     .k = 32,
     .a = VG_MMA_S8,
     .b = VG_MMA_U8,
     .c = VG_MMA_S32,
     .d = VG_MMA_S32,
     .na = 4,
     .nb = 2,
     .nc = 4,
     .nd = 4},
    {.m = 8,
     .n = 8,
     .k = 16,
     .a = VG_MMA_S8,
     .b = VG_MMA_S8,
     .c = VG_MMA_S32,
     .d = VG_MMA_S32,
     .na = 1,
     .nb = 1,
     .nc = 2,
     .nd = 2},
    {.m = 16,
     .n = 8,
     .k = 64,
     .a = VG_MMA_S4,
     .b = VG_MMA_S4,
     .c = VG_MMA_S32,
     .d = VG_MMA_S32,
     .na = 4,
     .nb = 2,
     .nc = 4,
     .nd = 4},
    {.m = 16,
     .n = 8,
     .k = 256,
     .a = VG_MMA_B1,
     .b = VG_MMA_B1,
     .c = VG_MMA_S32,
     .d = VG_MMA_S32,
     .na = 4,
     .nb = 2,
     .nc = 4,
     .nd = 4},
    {.m = 8,
     .n = 8,
     .k = 4,
     .a = VG_MMA_F64,
     .b = VG_MMA_F64,
     .c = VG_MMA_F64,
     .d = VG_MMA_F64,
     .na = 1,
     .nb = 1,
     .nc = 2,
     .nd = 2},
    {.m = 16,
     .n = 8,
     .k = 16,
     .a = VG_MMA_F64,
     .b = VG_MMA_F64,
     .c = VG_MMA_F64,
     .d = VG_MMA_F64,
     .na = 8,
     .nb = 4,
     .nc = 4,
     .nd = 4},
};

static void count_places(const struct vg_mma *x, char operand, unsigned regs, unsigned bits)
{
    unsigned char seen[16 * 256] = {0};
    uint32_t rows = operand == 'b' ? x->k : x->m, cols = operand == 'a' ? x->k : x->n;
    uint32_t per = bits >= 32 ? 1 : 32 / bits, row, col;
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t e = 0; e < regs * per; e++) {
            vg_mma_place(x, operand, l, e / per, e % per, &row, &col);
            assert_true(row < rows && col < cols);
            seen[row * cols + col]++;
        }
    }
    for (uint32_t k = 0; k < rows * cols; k++) {
        assert_int_equal(seen[k], 1);
    }
}

static void every_entry_lies_in_exactly_one_place(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof(mmas) / sizeof(mmas[0]); k++) {
        const struct vg_mma *x = &mmas[k];
        count_places(x, 'a', x->na, vg_mma_bits(x->a));
        count_places(x, 'b', x->nb, vg_mma_bits(x->b));
        count_places(x, 'c', x->nc, vg_mma_bits(x->c));
        uint32_t words[VG_MMA_HEADER];
        vg_mma_pack(x, words);
        struct vg_mma back = vg_mma_unpack(words);
        assert_true(back.k == x->k && back.a == x->a && back.nd == x->nd && !back.wmma);
    }
}

static void place(const struct vg_mma *x, char operand, uint32_t lane, uint32_t entry, uint32_t row,
                  uint32_t col)
{
    uint32_t per = vg_mma_bits(operand == 'a' ? x->a : operand == 'b' ? x->b : x->c);
    per = per >= 32 ? 1 : 32 / per;
    uint32_t got_row, got_col;
    vg_mma_place(x, operand, lane, entry / per, entry % per, &got_row, &got_col);
    assert_int_equal(got_row, row);
    assert_int_equal(got_col, col);
}

/* Entries a_i, b_i, c_i as the formulas of PTX ISA 9.0, 9.7.14.5, have them. */
static void entries_lie_where_the_formulas_say(void **state)
{
    (void)state;
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t g = l >> 2, t = l % 4;
        for (uint32_t i = 0; i < 8; i++) { /* m16n8k16, f16 */
            bool upper = i < 2 || (i >= 4 && i < 6);
            place(&mmas[1], 'a', l, i, upper ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0));
        }
        for (uint32_t i = 0; i < 4; i++) {
            place(&mmas[1], 'b', l, i, t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g);
            place(&mmas[1], 'c', l, i, i < 2 ? g : g + 8, t * 2 + (i & 1));
            place(&mmas[0], 'a', l, i, i < 2 ? g : g + 8, t * 2 + (i & 1));
            place(&mmas[2], 'a', l, i, i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4);
        }
        for (uint32_t i = 0; i < 16; i++) { /* m16n8k32, 8 bits */
            bool upper = i < 4 || (i >= 8 && i < 12);
            place(&mmas[3], 'a', l, i, upper ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0));
            place(&mmas[4], 'a', l, i % 4, g, t * 4 + i % 4);
        }
        for (uint32_t i = 0; i < 8; i++) {
            place(&mmas[3], 'b', l, i, t * 4 + (i & 3) + (i >= 4 ? 16 : 0), g);
            place(&mmas[8], 'a', l, i, i % 2 == 0 ? g : g + 8, i / 2 * 4 + t);
        }
    }
}

/* --- products --- */

struct matrix {
    double at[32 * 64];
};

struct job {
    const char *statement;
    struct vg_mma x;
    const char *d, *a, *b, *c; /* classes of the operands' registers, and where they begin */
    unsigned d0, a0, b0, c0;
};

static uint64_t encode(enum vg_mma_kind kind, double v)
{
    switch (kind) {
    case VG_MMA_F16: return vg_f16_of_f32(vg_f32_bits((float)v));
    case VG_MMA_BF16: return vg_bf16_of_f32(vg_f32_bits((float)v));
    case VG_MMA_F64: return vg_f64_bits(v);
    case VG_MMA_F32:
    case VG_MMA_TF32: return vg_f32_bits((float)v);
    case VG_MMA_U8:
    case VG_MMA_S8: return (uint8_t)(int)v;
    default: return (uint32_t)(int64_t)v;
    }
}

/* The matrix into the lanes' registers. */
static void spread(struct vg_one *o, const struct vg_mma *x, char operand, const char *class_of,
                   unsigned first, const struct matrix *m)
{
    enum vg_mma_kind kind = operand == 'a' ? x->a : operand == 'b' ? x->b : x->c;
    uint32_t regs = operand == 'a' ? x->na : operand == 'b' ? x->nb : x->nc;
    uint32_t cols = operand == 'a' ? x->k : x->n, row, col;
    unsigned bits = vg_mma_bits(kind), per = bits >= 32 ? 1 : 32 / bits;
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t r = 0; r < regs; r++) {
            char name[8];
            uint64_t word = 0;
            for (uint32_t j = 0; j < per; j++) {
                vg_mma_place(x, operand, l, r, j, &row, &col);
                word |= encode(kind, m->at[row * cols + col]) << (j * bits);
            }
            snprintf(name, sizeof(name), "%%%s%u", class_of, first + r);
            vg_one_set(o, name, l, word);
        }
    }
}

static void check(struct vg_one *o, const struct job *j, const struct matrix *want)
{
    const struct vg_mma *x = &j->x;
    unsigned bits = vg_mma_bits(x->d), per = bits >= 32 ? 1 : 32 / bits;
    uint32_t row, col;
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t e = 0; e < x->nd * per; e++) {
            char name[8];
            vg_mma_place(x, 'd', l, e / per, e % per, &row, &col);
            snprintf(name, sizeof(name), "%%%s%u", j->d, j->d0 + e / per);
            uint64_t word = vg_one_get(o, name, l) >> (e % per * bits);
            uint64_t ones = UINT64_MAX >> (64 - bits);
            assert_true((word & ones) == (encode(x->d, want->at[row * x->n + col]) & ones));
        }
    }
}

/* Small integers, so that every sum is exact in every type. */
static void fill(struct lab_rng *rng, struct matrix *m, uint32_t n, bool is_signed)
{
    for (uint32_t k = 0; k < n; k++) {
        m->at[k] = (double)lab_rng_below(rng, 8) - (is_signed ? 4 : 0);
    }
}

static const struct job jobs[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
     "{%r4,%r5}, {%f4,%f5,%f6,%f7};",
     {.m = 16,
      .n = 8,
      .k = 16,
      .a = VG_MMA_F16,
      .b = VG_MMA_F16,
      .c = VG_MMA_F32,
      .d = VG_MMA_F32,
      .na = 4,
      .nb = 2,
      .nc = 4,
      .nd = 4},
     "f",
     "r",
     "r",
     "f",
     0,
     0,
     4,
     4},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r4}, "
     "{%f0,%f1,%f2,%f3};",
     {.m = 16,
      .n = 8,
      .k = 8,
      .a = VG_MMA_BF16,
      .b = VG_MMA_BF16,
      .c = VG_MMA_F32,
      .d = VG_MMA_F32,
      .na = 2,
      .nb = 1,
      .nc = 4,
      .nd = 4},
     "f",
     "r",
     "r",
     "f",
     0,
     0,
     4,
     0},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r6,%r7}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
     "{%r6,%r7};",
     {.m = 16,
      .n = 8,
      .k = 16,
      .a = VG_MMA_F16,
      .b = VG_MMA_F16,
      .c = VG_MMA_F16,
      .d = VG_MMA_F16,
      .na = 4,
      .nb = 2,
      .nc = 2,
      .nd = 2},
     "r",
     "r",
     "r",
     "r",
     6,
     0,
     4,
     6},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
     "{%r4,%r5}, {%f4,%f5,%f6,%f7};",
     {.m = 16,
      .n = 8,
      .k = 8,
      .a = VG_MMA_TF32,
      .b = VG_MMA_TF32,
      .c = VG_MMA_F32,
      .d = VG_MMA_F32,
      .na = 4,
      .nb = 2,
      .nc = 4,
      .nd = 4},
     "f",
     "r",
     "r",
     "f",
     0,
     0,
     4,
     4},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
     "{%r4,%r5}, {%f4,%f5,%f6,%f7};",
     {.m = 16,
      .n = 8,
      .k = 32,
      .a = VG_MMA_S8,
      .b = VG_MMA_U8,
      .c = VG_MMA_S32,
      .d = VG_MMA_S32,
      .na = 4,
      .nb = 2,
      .nc = 4,
      .nd = 4},
     "f",
     "r",
     "r",
     "f",
     0,
     0,
     4,
     4},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%g0,%g1,%g2,%g3}, "
     "{%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, {%g4,%g5,%g6,%g7}, {%g0,%g1,%g2,%g3};",
     {.m = 16,
      .n = 8,
      .k = 16,
      .a = VG_MMA_F64,
      .b = VG_MMA_F64,
      .c = VG_MMA_F64,
      .d = VG_MMA_F64,
      .na = 8,
      .nb = 4,
      .nc = 4,
      .nd = 4},
     "g",
     "d",
     "g",
     "g",
     0,
     0,
     4,
     0},
};

static void run_job(const struct job *j, struct lab_rng *rng)
{
    const struct vg_mma *x = &j->x;
    struct lab_err err = {0};
    static struct matrix a, b, c;
    struct vg_one *o = vg_one_new(j->statement, &err);
    if (o == NULL) {
        fail_msg("%s", err.msg);
    }
    fill(rng, &a, x->m * x->k, x->a != VG_MMA_U8);
    fill(rng, &b, x->k * x->n, x->b != VG_MMA_U8);
    fill(rng, &c, x->m * x->n, true);
    spread(o, x, 'a', j->a, j->a0, &a);
    spread(o, x, 'b', j->b, j->b0, &b);
    spread(o, x, 'c', j->c, j->c0, &c);
    vg_one_run(o, UINT32_MAX);
    for (uint32_t r = 0; r < x->m; r++) {
        for (uint32_t s = 0; s < x->n; s++) {
            for (uint32_t k = 0; k < x->k; k++) {
                c.at[r * x->n + s] += a.at[r * x->k + k] * b.at[k * x->n + s];
            }
        }
    }
    check(o, j, &c);
    vg_one_free(o);
}

static void products_are_what_the_triple_loop_gives(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 5);
    for (unsigned k = 0; k < 20 * sizeof(jobs) / sizeof(jobs[0]); k++) {
        run_job(&jobs[k % (sizeof(jobs) / sizeof(jobs[0]))], &rng);
    }
}

/* One half of a register, all registers alike: every entry of A and B is 1, so each sum is k. */
static void wmma_takes_every_entry_once(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        unsigned nd, nc, nab;
        bool half;
    } cases[] = {
        {"m16n16k16.f32.f32", 8, 8, 8, false},
        {"m32n8k16.f32.f32", 8, 8, 8, false},
        {"m8n32k16.f16.f16", 4, 4, 8, true},
    };
    const char *eight = "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}";
    for (unsigned k = 0; k < 3; k++) {
        char text[400];
        const char *sums =
            cases[k].half ? "{%r0,%r1,%r2,%r3}" : "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}";
        const char *add = cases[k].half ? "{%r4,%r5,%r6,%r7}" : sums;
        snprintf(text, sizeof(text), "wmma.mma.sync.aligned.row.col.%s %s, %s, %s, %s;",
                 cases[k].head, sums, eight, eight, add);
        struct vg_one *o = vg_one_new(text, NULL);
        assert_non_null(o);
        for (unsigned r = 0; r < 8; r++) {
            char name[] = {'%', 'r', (char)('0' + r), '\0'};
            vg_one_fill(o, name, 0x3C003C00);
            name[1] = 'f';
            vg_one_fill(o, name, vg_f32_bits(0.5f));
        }
        vg_one_run(o, UINT32_MAX);
        for (unsigned l = 0; l < 32; l++) {
            assert_int_equal(vg_one_get(o, cases[k].half ? "%r3" : "%f7", l),
                             cases[k].half ? 0x4C404C40 : vg_f32_bits(16.5f));
        }
        vg_one_free(o);
    }
}

/* D of a wmma against the triple loop, through the layout of vg_wmma.h. */
static void wmma_multiplies_its_fragments(void **state)
{
    (void)state;
    static struct matrix a, b, want;
    struct lab_rng rng;
    lab_rng_seed(&rng, 6);
    fill(&rng, &a, 256, true);
    fill(&rng, &b, 256, true);
    struct vg_one *o = vg_one_new("wmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32.satfinite "
                                  "{%r0,%r1,%r2,%r3,%f0,%f1,%f2,%f3}, {%r4,%r5}, {%r6,%r7}, "
                                  "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};",
                                  NULL);
    assert_non_null(o);
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t e = 0; e < 8; e++) {
            uint32_t entry = vg_wmma_entry(l, e, 8, 256);
            uint64_t byte = (uint8_t)(int)a.at[entry], other = (uint8_t)(int)b.at[entry];
            const char *ra = e < 4 ? "%r4" : "%r5", *rb = e < 4 ? "%r6" : "%r7";
            vg_one_set(o, ra, l, vg_one_get(o, ra, l) | byte << (e % 4 * 8));
            vg_one_set(o, rb, l, vg_one_get(o, rb, l) | other << (e % 4 * 8));
        }
    }
    vg_one_run(o, UINT32_MAX);
    for (uint32_t k = 0; k < 4096; k++) {
        want.at[k / 256 * 16 + k % 16] += a.at[k / 256 * 16 + k / 16 % 16] * b.at[k % 256];
    }
    static const char *const d[] = {"%r0", "%r1", "%r2", "%r3", "%f0", "%f1", "%f2", "%f3"};
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t e = 0; e < 8; e++) {
            int32_t got = (int32_t)vg_one_get(o, d[e], l);
            assert_int_equal(got, (int)want.at[vg_wmma_entry(l, e, 8, 256)]);
        }
    }
    vg_one_free(o);
}

static void integer_sums_wrap_or_saturate(void **state)
{
    (void)state;
    for (unsigned sat = 0; sat < 2; sat++) {
        char text[200];
        snprintf(text, sizeof(text),
                 "mma.sync.aligned.m8n8k16.row.col%s.s32.u8.s8.s32 {%%r0,%%r1}, {%%r2}, {%%r3}, "
                 "{%%r4,%%r5};",
                 sat != 0 ? ".satfinite" : "");
        struct vg_one *o = vg_one_new(text, NULL);
        assert_non_null(o);
        vg_one_fill(o, "%r2", 0xFFFFFFFF); /* 255 */
        vg_one_fill(o, "%r3", 0x7F7F7F7F);
        vg_one_fill(o, "%r4", 0x7FFFFFFF);
        vg_one_run(o, UINT32_MAX);
        uint32_t sum = 16 * 255 * 127;
        assert_int_equal(vg_one_get(o, "%r0", 9), sat != 0 ? 0x7FFFFFFF : 0x7FFFFFFFu + sum);
        assert_int_equal(vg_one_get(o, "%r1", 9), sum);
        vg_one_free(o);
    }
}

static void single_bits_are_counted(void **state)
{
    (void)state;
    static const char *const ops[] = {"xor", "and"};
    for (unsigned k = 0; k < 2; k++) {
        char text[200];
        snprintf(text, sizeof(text),
                 "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.%s.popc {%%r0,%%r1,%%f0,%%f1}, "
                 "{%%r2,%%r3}, {%%r4}, {%%r5,%%r6,%%f2,%%f3};",
                 ops[k]);
        struct vg_one *o = vg_one_new(text, NULL);
        assert_non_null(o);
        vg_one_fill(o, "%r2", 0xFF00FF00);
        vg_one_fill(o, "%r3", 0xFFFFFFFF);
        vg_one_fill(o, "%r4", 0xF0F0F0F0);
        vg_one_fill(o, "%r5", 1000);
        vg_one_run(o, UINT32_MAX);
        assert_int_equal(vg_one_get(o, "%r0", 17), k == 0 ? 1000 + 4 * 16 : 1000 + 4 * 8);
        assert_int_equal(vg_one_get(o, "%f1", 17), k == 0 ? 4 * 16 : 4 * 16);
        vg_one_free(o);
    }
}

static void sums_are_rounded_once_and_nan_is_the_one_nan(void **state)
{
    (void)state;
    struct vg_one *o = vg_one_new(jobs[0].statement, NULL);
    assert_non_null(o);
    vg_one_fill(o, "%r0", 0x00003C00); /* row g: 1 at columns 2t, a single product each */
    vg_one_fill(o, "%r4", 0x00000001); /* 2^-24 at rows 2t */
    vg_one_fill(o, "%f4", 0x3F800000);
    vg_one_run(o, UINT32_MAX);
    /* 1 + 4·2^-24: four terms, each alone lost in f32. */
    assert_int_equal(vg_one_get(o, "%f0", 0), 0x3F800002);
    vg_one_fill(o, "%r0", 0x00007C00);
    vg_one_fill(o, "%f4", 0xFF800000);
    vg_one_run(o, 1);
    assert_int_equal(vg_one_get(o, "%f0", 0), 0x7FFFFFFF);
    assert_int_equal(vg_one_get(o, "%f0", 4), 0x3F800002);
    vg_one_free(o);
}

static void what_is_no_product_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "mma.sync.aligned.m16n8k16.row.row.f16.f16.f16.f16 {%r0,%r1}, {%r0,%r1,%r2,%r3}, "
        "{%r4,%r5}, "
        "{%r6,%r7};",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 {%r0,%r1}, {%r0,%r1,%r2,%r3}, "
        "{%r4,%r5}, "
        "{%f4,%f5,%f6,%f7};",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r0,%r1}, {%r0,%r1}, {%r4,%r5}, "
        "{%r6,%r7};",
        "mma.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r0,%r1}, {%r0,%r1}, {%r4}, {%r6,%r7};",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, "
        "{%r0,%r1}, {%r2,%r3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};",
        "mma.sync.aligned.m16n8k8.row.col.satfinite.f16.f16.f16.f16 {%r0,%r1}, {%r0,%r1}, {%r4}, "
        "{%r6,%r7};",
        "wmma.mma.sync.aligned.row.col.m16n16k8.f32.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, "
        "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, "
        "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};",
        "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r0,%r1}, {%r0,%r1}, {%r4,%r5}, "
        "{%r6,%r7}, %r1, 0;",
    };
    for (unsigned k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
        if (!vg_one_refuses(bad[k])) {
            fail_msg("accepted: %s", bad[k]);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_lies_in_exactly_one_place),
        cmocka_unit_test(entries_lie_where_the_formulas_say),
        cmocka_unit_test(products_are_what_the_triple_loop_gives),
        cmocka_unit_test(wmma_takes_every_entry_once),
        cmocka_unit_test(wmma_multiplies_its_fragments),
        cmocka_unit_test(integer_sums_wrap_or_saturate),
        cmocka_unit_test(single_bits_are_counted),
        cmocka_unit_test(sums_are_rounded_once_and_nan_is_the_one_nan),
        cmocka_unit_test(what_is_no_product_is_refused),
    };
    return LAB_TEST_MAIN(tests);
}
