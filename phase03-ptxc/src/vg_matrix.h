/* Matrix fragments between memory and registers. Private to the memory family. */
#ifndef VG_MATRIX_H
#define VG_MATRIX_H

#include "vg_decode.h"
#include "vg_machine.h"

int vg_decode_matrix(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                     struct lab_err *err);
/* The accesses of a wmma.load or wmma.store, for counters and checks. */
bool vg_hook_matrix(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes);

#endif
