/* Special registers: what each lane reads. */
#ifndef VG_SREG_H
#define VG_SREG_H

#include "vg_machine.h"

/* Write the special register that fill p names, for the warp's block, to a slot. */
void vg_sreg_fill(const struct vg_warp *w, uint8_t *slot, const struct vg_fill *p);
/* The warp's block changes: is this one of those that change with it? */
bool vg_sreg_of_block(enum ptx_sreg r);

#endif
