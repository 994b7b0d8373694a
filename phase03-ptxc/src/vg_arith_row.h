/* How an arithmetic instruction is found: one row of a table for each spelling that exists.
 *
 * A row says opcode, type, modifiers, operands and handler. An instruction that no row spells is a
 * named error, so a modifier is never ignored: the tables are the list of what is implemented.
 * Read-only data: any thread.
 */
#ifndef VG_ARITH_ROW_H
#define VG_ARITH_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "vg_exec.h"

/* Modifiers as a set. The order in which they are written does not matter, as for ptxas. */
/* clang-format off */
#define VG_FLAGS(X) \
    X(rn) X(rz) X(rm) X(rp) X(ftz) X(sat) X(approx) X(full) X(relu) X(NaN) X(xorsign) X(abs) X(lo) \
    X(hi) X(wide) X(cc) X(clamp) X(wrap) X(l) X(r) X(shiftamt) X(f4e) X(b4e) X(rc8) X(ecl) X(ecr) \
    X(rc16) X(finite) X(infinite) X(number) X(notanumber) X(normal) X(subnormal) X(and) X(or) \
    X(xor) X(satfinite) X(rna) X(rni) X(rzi) X(rmi) X(rpi) X(to)
/* clang-format on */

#define VG_FLAG_INDEX(w) VG_I_##w,
enum vg_flag_index { VG_FLAGS(VG_FLAG_INDEX) VG_FLAG_COUNT };
#undef VG_FLAG_INDEX
#define VG_FLAG_BIT(w) VG_F_##w = 1ull << VG_I_##w,
enum vg_flag { VG_F_none = 0, VG_FLAGS(VG_FLAG_BIT) };
#undef VG_FLAG_BIT

/* The modifiers of an instruction, sorted out. */
struct vg_spelling {
    uint64_t flags;
    enum ptx_type type, type2; /* PTX_NONE: not given */
    unsigned ntypes;
    enum ptx_word unknown; /* the first modifier that is neither flag nor type; PTX_W_none: none */
    enum ptx_word twice;   /* a flag that is given twice */
};
void vg_spell(const struct ptx_insn *in, struct vg_spelling *s);

/* `operands` has a letter for each, destination first; they go to d, a, b, c, e of vg_insn:
 *   T the row's type, 2 its second type, W twice as wide as T, u .u32, p .pred, i a constant that
 *   goes to imm. */
struct vg_row {
    enum ptx_word op;
    enum ptx_type type, type2;
    uint32_t mods; /* for the handler */
    uint64_t flags;
    const char *operands;
    vg_handler fn;
};
#define VG_ROW(op_, type_, type2_, flags_, operands_, fn_, mods_)                                  \
    {                                                                                              \
        .op = PTX_W_##op_, .type = PTX_##type_, .type2 = PTX_##type2_, .mods = (mods_),            \
        .flags = (flags_), .operands = (operands_), .fn = (fn_)                                    \
    }

struct vg_rows {
    const struct vg_row *rows;
    unsigned n;
};
#define VG_ROWS(array)                                                                             \
    {                                                                                              \
        array, sizeof(array) / sizeof((array)[0])                                                  \
    }

/* One instruction on its way from the front end's form to the executor's. */
struct vg_job {
    struct vg_decoder *d;
    const struct ptx_insn *in;
    struct vg_insn *out;
    struct lab_err *err;
};

bool vg_is_float_type(enum ptx_type t); /* f16 to f64, packed and bf16 as well */

/* The row that spells this instruction, or NULL. Where spellings differ in the number of operands
 * only (min with two or three sources), the one that fits; else any of them. */
const struct vg_row *vg_row_find(const struct vg_rows *lists, unsigned nlists,
                                 const struct ptx_insn *in, const struct vg_spelling *s);
bool vg_row_has_op(const struct vg_rows *lists, unsigned nlists, enum ptx_word op);
/* Fill `out` from the row: 1, or −1 with an error. */
int vg_row_use(struct vg_decoder *d, const struct ptx_insn *in, const struct vg_row *row,
               struct vg_insn *out, struct lab_err *err);
/* The named error for an instruction no row spells. */
int vg_row_error(struct vg_decoder *d, const struct ptx_insn *in, const struct vg_spelling *s,
                 struct lab_err *err);
/* A destination: a register of the type; constants and addresses are errors. */
uint32_t vg_dest(struct vg_decoder *d, const struct ptx_insn *in, const struct ptx_operand *op,
                 enum ptx_type type, struct lab_err *err);

#endif
