/* What a PTX instruction reads and writes: registers, variables, functions. For the passes that
 * look at a body as a whole (liveness, reachable functions, shared memory, serial kernels). */
#ifndef VG_OPERANDS_H
#define VG_OPERANDS_H

#include "ptx.h"

enum vg_role { VG_READS, VG_WRITES };

/* Calls `visit` for every leaf operand: lists, vectors and pairs are opened; an address is a leaf
 * (its base is read). The guard is not an operand. */
void vg_operands(const struct ptx_insn *in, void *ctx,
                 void (*visit)(void *ctx, const struct ptx_operand *op, enum vg_role role));

/* The function a call names, aliases resolved; NULL for an indirect call or another instruction. */
const struct ptx_func *vg_callee(const struct ptx_insn *in);

#endif
