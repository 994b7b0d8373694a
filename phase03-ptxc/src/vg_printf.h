/* Device-side printf. */
#ifndef VG_PRINTF_H
#define VG_PRINTF_H

#include <stddef.h>

#include "vg_exec.h"

/* vprintf(format, arguments): each lane's text goes to its block's output, lowest lane first. */
void vg_op_vprintf(struct vg_warp *w, const struct vg_insn *i);

/* A string at a generic address, cut to fit; returns its length, −1 when there is no string. */
int vg_get_string(struct vg_warp *w, unsigned lane, uint64_t addr, char *out, size_t size);

#endif
