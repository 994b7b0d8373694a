/* The conversion family, by file. Private to vg_decode_cvt. */
#ifndef VG_CVT_H
#define VG_CVT_H

#include "vg_arith_row.h"
#include "vg_cvt_core.h"

/* Conversions that have a loop of their own: rows of opcode cvt, operands "T2". */
extern const struct vg_rows vg_cvt_fast_rows;

/* The conversion that the words of a cvt spell, checked against what the ISA has. `pair`: two
 * sources packed into one register, or two packed values converted apart. 0, or −1 with an error.
 */
struct vg_cvt_plan {
    struct vg_cvt cvt;
    enum ptx_type to, from; /* types of the operands: .f16x2 is F16X2, .e4m3x2 B16 */
    bool pack, unpack;      /* d = {a, b}; both halves of a */
};
int vg_cvt_parse(struct vg_decoder *d, const struct ptx_insn *in, struct vg_cvt_plan *plan,
                 struct lab_err *err);

/* mov, with packing and unpacking: 1, or −1. */
int vg_decode_mov(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err);
/* cvt.pack: 1, or −1. */
int vg_decode_pack(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err);
/* cvta and isspacep: 1, or −1. */
int vg_decode_address(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err);

#endif
