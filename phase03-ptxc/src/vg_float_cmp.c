/* Problem: setp and set of f32, f64, f16, bf16 and the packed halves.
 * Model: five ordered comparisons; greater exchanges the operands, and the unordered forms, true
 * when an operand is a NaN, are the complement of the opposite ordered one: ltu is not (b <= a).
 * Invariants: ordered forms are false on NaN, ne too.
 * Simplified: nothing.
 */
#include "vg_arith_cmp.h"
#include "vg_f16.h"
#include "vg_float.h"
#include "vg_float_f64.h"

#define FIVE(X, name)                                                                              \
    X(name, eq, EQ) X(name, ne, NE) X(name, lt, LT) X(name, le, LE) X(name, num, NUM)

#define F32(name, how, NUMBER)                                                                     \
    VG_COMPARE(how##_##name, uint32_t, vg_compare_float(vg_f32(a), vg_f32(b), VG_CMP_##NUMBER))
#define F32_FTZ(name, how, NUMBER)                                                                 \
    VG_COMPARE(how##_##name, uint32_t,                                                             \
               vg_compare_float(vg_f32_in(a, VG_M_FTZ), vg_f32_in(b, VG_M_FTZ), VG_CMP_##NUMBER))
#define F64(name, how, NUMBER)                                                                     \
    VG_COMPARE(how##_##name, uint64_t, vg_compare_double(vg_f64(a), vg_f64(b), VG_CMP_##NUMBER))
#define HALF(name, how, NUMBER, m)                                                                 \
    VG_COMPARE(how##_##name, uint16_t,                                                             \
               vg_compare_float(vg_half_in(a, m), vg_half_in(b, m), VG_CMP_##NUMBER))              \
    VG_MASK_FN(                                                                                    \
        how##_##name##_low, uint32_t,                                                              \
        vg_compare_float(vg_half_in(a & 0xFFFFu, m), vg_half_in(b & 0xFFFFu, m), VG_CMP_##NUMBER)) \
    VG_MASK_FN(how##_##name##_high, uint32_t,                                                      \
               vg_compare_float(vg_half_in(a >> 16, m), vg_half_in(b >> 16, m), VG_CMP_##NUMBER))
#define F16(name, how, NUMBER)     HALF(name, how, NUMBER, 0)
#define F16_FTZ(name, how, NUMBER) HALF(name, how, NUMBER, VG_M_FTZ)
#define BF16(name, how, NUMBER)    HALF(name, how, NUMBER, VG_M_BF16)

FIVE(F32, f32)
FIVE(F32_FTZ, f32_ftz)
FIVE(F64, f64)
FIVE(F16, f16)
FIVE(F16_FTZ, f16_ftz)
FIVE(BF16, bf16)

enum row { ROW_F32, ROW_F32_FTZ, ROW_F64, ROW_F16, ROW_F16_FTZ, ROW_BF16, ROW_PAIRS, NO_ROW = 9 };

#define FN(name, how, NUMBER) [VG_CMP_##NUMBER] = {h_##how##_##name, m_##how##_##name, NULL},
#define PAIR(name, how, NUMBER)                                                                    \
    [VG_CMP_##NUMBER] = {NULL, m_##how##_##name##_low, m_##how##_##name##_high},
static const struct vg_cmp_fn table[][5] = {
    [ROW_F32] = {FIVE(FN, f32)},          [ROW_F32_FTZ] = {FIVE(FN, f32_ftz)},
    [ROW_F64] = {FIVE(FN, f64)},          [ROW_F16] = {FIVE(FN, f16)},
    [ROW_F16_FTZ] = {FIVE(FN, f16_ftz)},  [ROW_BF16] = {FIVE(FN, bf16)},
    [ROW_PAIRS] = {FIVE(PAIR, f16)},      [ROW_PAIRS + 1] = {FIVE(PAIR, f16_ftz)},
    [ROW_PAIRS + 2] = {FIVE(PAIR, bf16)},
};

static unsigned row_of(enum ptx_type type, bool ftz)
{
    switch (type) {
    case PTX_F32: return ftz ? ROW_F32_FTZ : ROW_F32;
    case PTX_F64: return ftz ? NO_ROW : ROW_F64;
    case PTX_F16: return ftz ? ROW_F16_FTZ : ROW_F16;
    case PTX_BF16: return ftz ? NO_ROW : ROW_BF16;
    case PTX_F16X2: return ROW_PAIRS + (ftz ? 1 : 0);
    case PTX_BF16X2: return ftz ? NO_ROW : ROW_PAIRS + 2;
    default: return NO_ROW;
    }
}

struct how {
    enum ptx_word word;
    enum vg_compare compare;
    bool swap, invert;
};
static const struct how hows[] = {
    {PTX_W_eq, VG_CMP_EQ, false, false},   {PTX_W_ne, VG_CMP_NE, false, false},
    {PTX_W_lt, VG_CMP_LT, false, false},   {PTX_W_le, VG_CMP_LE, false, false},
    {PTX_W_gt, VG_CMP_LT, true, false},    {PTX_W_ge, VG_CMP_LE, true, false},
    {PTX_W_equ, VG_CMP_NE, false, true},   {PTX_W_neu, VG_CMP_EQ, false, true},
    {PTX_W_ltu, VG_CMP_LE, true, true},    {PTX_W_leu, VG_CMP_LT, true, true},
    {PTX_W_gtu, VG_CMP_LE, false, true},   {PTX_W_geu, VG_CMP_LT, false, true},
    {PTX_W_num, VG_CMP_NUM, false, false}, {PTX_W_nan, VG_CMP_NUM, false, true},
};

int vg_decode_compare_float(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                            struct lab_err *err)
{
    struct vg_cmp_words words;
    if (vg_cmp_parse(d, in, &words, err) < 0) {
        return -1;
    }
    enum ptx_type type = words.types[words.ntypes - 1];
    const struct how *how = NULL;
    for (unsigned k = 0; k < sizeof(hows) / sizeof(hows[0]); k++) {
        how = hows[k].word == words.cmp ? &hows[k] : how;
    }
    unsigned row = row_of(type, words.ftz);
    if (how == NULL || row == NO_ROW) {
        return vg_decode_error(d, in, err, "no .%s comparison of .%s%s", ptx_word_text(words.cmp),
                               ptx_type_name(type), words.ftz ? " with .ftz" : "");
    }
    out->mods = how->invert ? VG_CMP_INVERT : 0;
    return vg_cmp_use(&(struct vg_job){d, in, out, err}, &words, &table[row][how->compare],
                      how->swap);
}
