/* The floating-point instructions' tables, by file. Private to the float family (vg_decode_float).
 */
#ifndef VG_FLOAT_H
#define VG_FLOAT_H

#include "vg_arith_row.h"

extern const struct vg_rows vg_float_f32_rows; /* add, sub, mul, fma, mad, min, max, abs, neg … */
extern const struct vg_rows vg_float_div_rows; /* div, rcp, sqrt; f32 and f64 */
extern const struct vg_rows vg_float_f64_rows; /* the rest of f64; testp, copysign */
extern const struct vg_rows vg_float_x2_rows;  /* f32x2 */
extern const struct vg_rows vg_float_approx_rows; /* ex2, lg2, sin, cos, tanh, rsqrt, … */
extern const struct vg_rows vg_f16_rows;          /* f16, f16x2, bf16, bf16x2 */
extern const struct vg_rows vg_f16_fma_rows;      /* their fma, and f32 with half operands */

/* setp and set of floats: 1, or −1. */
int vg_decode_compare_float(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                            struct lab_err *err);

/* fma.rn.f32 where the host cannot fuse: the handler that does it in f64, for one that fuses. */
vg_handler vg_fma_for_host(vg_handler fused);

/* The sixteen ways of add, sub, mul and fma.f32: X(op, name, rounding, flags, m). */
/* clang-format off */
#define VG_F32_MODES(X, op) \
    VG_F32_MODES_OF(X, op, rn, VG_RN) \
    VG_F32_MODES_OF(X, op, rz, VG_RZ) \
    VG_F32_MODES_OF(X, op, rm, VG_RM) \
    VG_F32_MODES_OF(X, op, rp, VG_RP)
#define VG_F32_MODES_OF(X, op, r, number) \
    X(op, r, VG_F_##r, number) \
    X(op, r##_ftz, VG_F_##r | VG_F_ftz, (number) | VG_M_FTZ) \
    X(op, r##_sat, VG_F_##r | VG_F_sat, (number) | VG_M_SAT) \
    X(op, r##_ftz_sat, VG_F_##r | VG_F_ftz | VG_F_sat, (number) | VG_M_FTZ | VG_M_SAT)
/* clang-format on */

#endif
