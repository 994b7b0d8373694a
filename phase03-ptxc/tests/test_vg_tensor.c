/* Matrix products: the fragments' layout as the ISA's figures give it, products against a plain
 * triple loop, integers at their limits, errors. */
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"

#include "vg_f16.h"
#include "vg_one.h"
#include "vg_tensor.h"
#include "vg_wmma.h"

/* m, n, k; the kinds of a, b and of c and d; registers of a, b and of c and d. */
#define MMA(m_, n_, k_, a_, b_, c_, na_, nb_, nc_)                                                 \
    {                                                                                              \
        .m = (m_), .n = (n_), .k = (k_), .a = VG_MMA_##a_, .b = VG_MMA_##b_, .c = VG_MMA_##c_,     \
        .d = VG_MMA_##c_, .na = (na_), .nb = (nb_), .nc = (nc_), .nd = (nc_)                       \
    }

static const struct vg_mma mmas[] = {
    MMA(16, 8, 8, F16, F16, F32, 2, 1, 4),   MMA(16, 8, 16, F16, F16, F16, 4, 2, 2),
    MMA(16, 8, 8, TF32, TF32, F32, 4, 2, 4), MMA(16, 8, 32, S8, U8, S32, 4, 2, 4),
    MMA(8, 8, 16, S8, S8, S32, 1, 1, 2),     MMA(16, 8, 64, S4, S4, S32, 4, 2, 4),
    MMA(16, 8, 256, B1, B1, S32, 4, 2, 4),   MMA(8, 8, 4, F64, F64, F64, 1, 1, 2),
    MMA(16, 8, 16, F64, F64, F64, 8, 4, 4),
};

static void count_cells(const struct vg_mma *x, char operand, unsigned regs, unsigned bits)
{
    unsigned char seen[16 * 256] = {0};
    uint32_t rows = operand == 'b' ? x->k : x->m, cols = operand == 'a' ? x->k : x->n;
    uint32_t per = bits >= 32 ? 1 : 32 / bits;
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t e = 0; e < regs * per; e++) {
            struct vg_cell at = vg_mma_cell(x, operand, l, e);
            assert_true(at.row < rows && at.col < cols);
            seen[at.row * cols + at.col]++;
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
        count_cells(x, 'a', x->na, vg_mma_bits(x->a));
        count_cells(x, 'b', x->nb, vg_mma_bits(x->b));
        count_cells(x, 'c', x->nc, vg_mma_bits(x->c));
        uint32_t words[VG_MMA_HEADER];
        vg_mma_pack(x, words);
        struct vg_mma back = vg_mma_unpack(words);
        assert_true(back.k == x->k && back.a == x->a && back.nd == x->nd && !back.wmma);
    }
}

static const struct vg_mma *the_mma;
static uint32_t the_lane;

static void place(char operand, uint32_t e, uint32_t row, uint32_t col)
{
    struct vg_cell at = vg_mma_cell(the_mma, operand, the_lane, e);
    assert_int_equal(at.row, row);
    assert_int_equal(at.col, col);
}

/* Entries a_i, b_i, c_i as the formulas of PTX ISA 9.0, 9.7.14.5, have them. */
static void entries_lie_where_the_formulas_say(void **state)
{
    (void)state;
    for (the_lane = 0; the_lane < 32; the_lane++) {
        uint32_t g = the_lane >> 2, t = the_lane % 4;
        the_mma = &mmas[1];
        for (uint32_t i = 0; i < 8; i++) { /* m16n8k16, f16 */
            bool upper = i < 2 || (i >= 4 && i < 6);
            place('a', i, upper ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0));
        }
        for (uint32_t i = 0; i < 4; i++) {
            place('b', i, t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g);
            place('c', i, i < 2 ? g : g + 8, t * 2 + (i & 1));
        }
        the_mma = &mmas[2];
        for (uint32_t i = 0; i < 4; i++) { /* m16n8k8, tf32 */
            place('a', i, i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4);
        }
        the_mma = &mmas[3];
        for (uint32_t i = 0; i < 16; i++) { /* m16n8k32, 8 bits */
            bool upper = i < 4 || (i >= 8 && i < 12);
            place('a', i, upper ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0));
            place('b', i % 8, t * 4 + (i & 3) + (i % 8 >= 4 ? 16 : 0), g);
        }
        the_mma = &mmas[8];
        for (uint32_t i = 0; i < 8; i++) { /* m16n8k16, f64 */
            place('a', i, i % 2 == 0 ? g : g + 8, i / 2 * 4 + t);
        }
    }
}

/* --- products --- */

struct matrix {
    double at[32 * 64];
};

/* A statement, and of d, a, b and c the class and number of the first register. */
struct job {
    const char *statement;
    struct vg_mma x;
    const char *d, *a, *b, *c;
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

static unsigned entries_of(enum vg_mma_kind kind)
{
    return vg_mma_bits(kind) >= 32 ? 1 : 32 / vg_mma_bits(kind);
}

/* "%r2" for register 2 after "r0". */
static void name_of(char name[8], const char *first, uint32_t r)
{
    snprintf(name, 8, "%%%c%u", first[0], (unsigned)(first[1] - '0') + r);
}

/* The matrix into the lanes' registers. */
static void spread(struct vg_one *o, const struct job *j, char operand, const struct matrix *m)
{
    const struct vg_mma *x = &j->x;
    const enum vg_mma_kind kind = operand == 'a' ? x->a : operand == 'b' ? x->b : x->c;
    const uint32_t regs = operand == 'a' ? x->na : operand == 'b' ? x->nb : x->nc;
    const char *first = operand == 'a' ? j->a : operand == 'b' ? j->b : j->c;
    const uint32_t cols = operand == 'a' ? x->k : x->n, per = entries_of(kind);
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t e = 0; e < regs * per; e++) {
            char name[8];
            struct vg_cell at = vg_mma_cell(x, operand, l, e);
            uint64_t bits = encode(kind, m->at[at.row * cols + at.col]);
            name_of(name, first, e / per);
            uint64_t word = e % per == 0 ? 0 : vg_one_get(o, name, l);
            vg_one_set(o, name, l, word | bits << (e % per * (64 / per / 2)));
        }
    }
}

static void check(struct vg_one *o, const struct job *j, const struct matrix *want)
{
    const struct vg_mma *x = &j->x;
    const unsigned bits = vg_mma_bits(x->d), per = entries_of(x->d);
    const uint64_t ones = UINT64_MAX >> (64 - bits);
    for (uint32_t l = 0; l < 32; l++) {
        for (uint32_t e = 0; e < x->nd * per; e++) {
            char name[8];
            struct vg_cell at = vg_mma_cell(x, 'd', l, e);
            name_of(name, j->d, e / per);
            uint64_t word = vg_one_get(o, name, l) >> (e % per * bits);
            uint64_t right = encode(x->d, want->at[at.row * x->n + at.col]);
            assert_true((word & ones) == (right & ones));
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
     MMA(16, 8, 16, F16, F16, F32, 4, 2, 4), "f0", "r0", "r4", "f4"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r4}, "
     "{%f0,%f1,%f2,%f3};",
     MMA(16, 8, 8, BF16, BF16, F32, 2, 1, 4), "f0", "r0", "r4", "f0"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r6,%r7}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
     "{%r6,%r7};",
     MMA(16, 8, 16, F16, F16, F16, 4, 2, 2), "r6", "r0", "r4", "r6"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
     "{%r4,%r5}, {%f4,%f5,%f6,%f7};",
     MMA(16, 8, 8, TF32, TF32, F32, 4, 2, 4), "f0", "r0", "r4", "f4"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
     "{%r4,%r5}, {%f4,%f5,%f6,%f7};",
     MMA(16, 8, 32, S8, U8, S32, 4, 2, 4), "f0", "r0", "r4", "f4"},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%g0,%g1,%g2,%g3}, "
     "{%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, {%g4,%g5,%g6,%g7}, {%g0,%g1,%g2,%g3};",
     MMA(16, 8, 16, F64, F64, F64, 8, 4, 4), "g0", "d0", "g4", "g0"},
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
    spread(o, j, 'a', &a);
    spread(o, j, 'b', &b);
    spread(o, j, 'c', &c);
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
        assert_int_equal(vg_one_get(o, "%f1", 17), 4 * 16);
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
