/* Problem: decode the floating-point instructions.
 * Model: tables of rows by file, and the comparisons on their own.
 * Invariants: asked after the integer family, so an opcode both have comes here only with a float
 * type. A missing rounding of add, sub and mul means .rn, as the ISA says.
 * Simplified: nothing.
 */
#include "vg_float.h"

static bool rounds_by_default(enum ptx_word op)
{
    return op == PTX_W_add || op == PTX_W_sub || op == PTX_W_mul;
}

/* .f32x2: what vg_spell took for an unknown word is the type. */
static const struct vg_row *find_x2(const struct ptx_insn *in, struct vg_spelling *s)
{
    if (s->unknown != PTX_W_f32x2 || s->ntypes != 0) {
        return NULL;
    }
    struct vg_spelling x = *s;
    x.unknown = PTX_W_none;
    x.type = PTX_B64;
    return vg_row_find(&vg_float_x2_rows, 1, in, &x);
}

int vg_decode_float(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                    struct lab_err *err)
{
    if (in->op == PTX_W_setp || in->op == PTX_W_set) {
        return vg_decode_compare_float(d, in, out, err);
    }
    const struct vg_rows lists[] = {vg_float_f32_rows, vg_float_div_rows,    vg_float_f64_rows,
                                    vg_f16_rows,       vg_float_approx_rows, vg_f16_fma_rows};
    const unsigned n = sizeof(lists) / sizeof(lists[0]);
    struct vg_spelling s;
    vg_spell(in, &s);
    const uint64_t roundings = VG_F_rn | VG_F_rz | VG_F_rm | VG_F_rp;
    if (rounds_by_default(in->op) && (s.flags & roundings) == 0) {
        s.flags |= VG_F_rn;
    }
    const struct vg_row *row = vg_row_find(lists, n, in, &s);
    row = row != NULL ? row : find_x2(in, &s);
    if (row != NULL) {
        int got = vg_row_use(d, in, row, out, err);
        out->fn = got > 0 ? vg_fma_for_host(out->fn) : out->fn;
        return got;
    }
    return vg_row_has_op(lists, n, in->op) ? vg_row_error(d, in, &s, err) : 0;
}
