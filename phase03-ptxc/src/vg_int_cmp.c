/* Problem: setp and set of integers, selp and slct.
 * Model: equal, unequal, less and less-or-equal; greater is less with the operands exchanged.
 * Invariants: untyped .b compares only for equality; lo, ls, hi, hs are the unsigned lt, le, gt,
 * ge. Simplified: nothing.
 */
#include "vg_arith.h"
#include "vg_arith_cmp.h"
#include "vg_float_f32.h"
#include "vg_int.h"

VG_COMPARE(eq_16, uint16_t, a == b)
VG_COMPARE(eq_32, uint32_t, a == b)
VG_COMPARE(eq_64, uint64_t, a == b)
VG_COMPARE(ne_16, uint16_t, a != b)
VG_COMPARE(ne_32, uint32_t, a != b)
VG_COMPARE(ne_64, uint64_t, a != b)
VG_COMPARE(lt_u16, uint16_t, a < b)
VG_COMPARE(lt_u32, uint32_t, a < b)
VG_COMPARE(lt_u64, uint64_t, a < b)
VG_COMPARE(lt_s16, uint16_t, vg_s16(a) < vg_s16(b))
VG_COMPARE(lt_s32, uint32_t, vg_s32(a) < vg_s32(b))
VG_COMPARE(lt_s64, uint64_t, vg_s64(a) < vg_s64(b))
VG_COMPARE(le_u16, uint16_t, a <= b)
VG_COMPARE(le_u32, uint32_t, a <= b)
VG_COMPARE(le_u64, uint64_t, a <= b)
VG_COMPARE(le_s16, uint16_t, vg_s16(a) <= vg_s16(b))
VG_COMPARE(le_s32, uint32_t, vg_s32(a) <= vg_s32(b))
VG_COMPARE(le_s64, uint64_t, vg_s64(a) <= vg_s64(b))

enum { EQ, NE, LT, LE };

/* By width (16, 32, 64), signedness and comparison. */
#define FN(name)                                                                                   \
    {                                                                                              \
        h_##name, m_##name, NULL                                                                   \
    }
static const struct vg_cmp_fn table[3][2][4] = {
    {{FN(eq_16), FN(ne_16), FN(lt_u16), FN(le_u16)},
     {FN(eq_16), FN(ne_16), FN(lt_s16), FN(le_s16)}},
    {{FN(eq_32), FN(ne_32), FN(lt_u32), FN(le_u32)},
     {FN(eq_32), FN(ne_32), FN(lt_s32), FN(le_s32)}},
    {{FN(eq_64), FN(ne_64), FN(lt_u64), FN(le_u64)},
     {FN(eq_64), FN(ne_64), FN(lt_s64), FN(le_s64)}},
};

/* The row and whether operands are exchanged; −1: integers have no such comparison. */
static int comparison(enum ptx_word w, bool *swap, bool *unsigned_only)
{
    *swap = w == PTX_W_gt || w == PTX_W_ge || w == PTX_W_hi || w == PTX_W_hs;
    *unsigned_only = w == PTX_W_lo || w == PTX_W_ls || w == PTX_W_hi || w == PTX_W_hs;
    switch (w) {
    case PTX_W_eq: return EQ;
    case PTX_W_ne: return NE;
    case PTX_W_lt:
    case PTX_W_gt:
    case PTX_W_lo:
    case PTX_W_hi: return LT;
    case PTX_W_le:
    case PTX_W_ge:
    case PTX_W_ls:
    case PTX_W_hs: return LE;
    default: return -1;
    }
}

enum kind { NOT_AN_INTEGER, UNTYPED, UNSIGNED, SIGNED };

static enum kind kind_of(enum ptx_type t)
{
    switch (t) {
    case PTX_B16:
    case PTX_B32:
    case PTX_B64: return UNTYPED;
    case PTX_U16:
    case PTX_U32:
    case PTX_U64: return UNSIGNED;
    case PTX_S16:
    case PTX_S32:
    case PTX_S64: return SIGNED;
    default: return NOT_AN_INTEGER;
    }
}

int vg_decode_compare_int(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                          struct lab_err *err)
{
    struct vg_cmp_words words;
    if (vg_cmp_parse(d, in, &words, err) < 0) {
        return -1;
    }
    enum ptx_type type = words.types[words.ntypes - 1];
    if (vg_is_float_type(type)) {
        return 0;
    }
    bool swap, unsigned_only;
    int how = comparison(words.cmp, &swap, &unsigned_only);
    enum kind kind = kind_of(type);
    bool fits = kind != NOT_AN_INTEGER && how >= 0 && (kind != UNTYPED || how <= NE) &&
                (kind == UNSIGNED || !unsigned_only);
    if (!fits || words.ftz) {
        return vg_decode_error(d, in, err, "no .%s comparison of .%s%s", ptx_word_text(words.cmp),
                               ptx_type_name(type), words.ftz ? " with .ftz" : "");
    }
    unsigned size = ptx_type_size(type);
    unsigned row = size == 2 ? 0 : size == 4 ? 1 : 2;
    return vg_cmp_use(&(struct vg_job){d, in, out, err}, &words, &table[row][kind == SIGNED][how],
                      swap);
}

/* --- selp, slct --- */

#define SELP_HANDLER(name, T)                                                                      \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        const T *ra = VG_REG(w, i->a, T), *rb = VG_REG(w, i->b, T);                                \
        const uint32_t p = VG_PRED(w, i->c);                                                       \
        VG_STORE_LANES(T, v = VG_BIT(p, l) != 0 ? ra[l] : rb[l]);                                  \
    }
SELP_HANDLER(h_selp_16, uint16_t)
SELP_HANDLER(h_selp_32, uint32_t)
SELP_HANDLER(h_selp_64, uint64_t)

VG_TERNARY(h_slct_16_s32, uint16_t, uint16_t, uint16_t, uint32_t, vg_s32(c) >= 0 ? a : b)
VG_TERNARY(h_slct_32_s32, uint32_t, uint32_t, uint32_t, uint32_t, vg_s32(c) >= 0 ? a : b)
VG_TERNARY(h_slct_64_s32, uint64_t, uint64_t, uint64_t, uint32_t, vg_s32(c) >= 0 ? a : b)
VG_TERNARY(h_slct_16_f32, uint16_t, uint16_t, uint16_t, uint32_t, vg_f32(c) >= 0 ? a : b)
VG_TERNARY(h_slct_32_f32, uint32_t, uint32_t, uint32_t, uint32_t, vg_f32(c) >= 0 ? a : b)
VG_TERNARY(h_slct_64_f32, uint64_t, uint64_t, uint64_t, uint32_t, vg_f32(c) >= 0 ? a : b)
VG_TERNARY(h_slct_16_ftz, uint16_t, uint16_t, uint16_t, uint32_t,
           vg_f32(vg_flush_f32(c)) >= 0 ? a : b)
VG_TERNARY(h_slct_32_ftz, uint32_t, uint32_t, uint32_t, uint32_t,
           vg_f32(vg_flush_f32(c)) >= 0 ? a : b)
VG_TERNARY(h_slct_64_ftz, uint64_t, uint64_t, uint64_t, uint32_t,
           vg_f32(vg_flush_f32(c)) >= 0 ? a : b)

#define ROWS_OF(type, width)                                                                       \
    VG_ROW(selp, type, NONE, 0, "TTTp", h_selp_##width, 0),                                        \
        VG_ROW(slct, type, S32, 0, "TTT2", h_slct_##width##_s32, 0),                               \
        VG_ROW(slct, type, F32, 0, "TTT2", h_slct_##width##_f32, 0),                               \
        VG_ROW(slct, type, F32, VG_F_ftz, "TTT2", h_slct_##width##_ftz, 0)
static const struct vg_row rows[] = {
    ROWS_OF(B16, 16), ROWS_OF(U16, 16), ROWS_OF(S16, 16), ROWS_OF(B32, 32),
    ROWS_OF(U32, 32), ROWS_OF(S32, 32), ROWS_OF(F32, 32), ROWS_OF(B64, 64),
    ROWS_OF(U64, 64), ROWS_OF(S64, 64), ROWS_OF(F64, 64),
};
const struct vg_rows vg_int_pick_rows = VG_ROWS(rows);
