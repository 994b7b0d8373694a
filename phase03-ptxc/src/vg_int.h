/* The integer instructions' tables, by file. Private to the integer family (vg_decode_int). */
#ifndef VG_INT_H
#define VG_INT_H

#include "vg_arith_row.h"

extern const struct vg_rows vg_int_alu_rows;   /* add, sub, mul, mad, min, max, abs, neg */
extern const struct vg_rows vg_int_more_rows;  /* div, rem, sad, mul24, dp4a, dp2a, 16x2 */
extern const struct vg_rows vg_int_carry_rows; /* add.cc and its kin */
extern const struct vg_rows vg_int_bits_rows;  /* logic, shifts, fields, counts, prmt */
extern const struct vg_rows vg_int_pick_rows;  /* selp, slct */

/* lop3, which has a form with a predicate: 1, or −1. */
int vg_decode_lop3(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err);
/* setp and set of integers: 1, −1, or 0 when they compare floats. */
int vg_decode_compare_int(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                          struct lab_err *err);

#endif
