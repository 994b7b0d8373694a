/* A kernel that stopped, told in one paragraph. */
#ifndef VG_CMD_FAULT_H
#define VG_CMD_FAULT_H

#include "lab/buf.h"
#include "vgpu.h"

/* Did the launch never begin (a wrong shape, too many resources, an instruction that is not
 * implemented)? That is the caller's input; anything else is the kernel's doing. */
bool vg_fault_is_input(enum vgpu_status s);

/* What happened, in which thread, and the lines of PTX and source. No newline at the end. */
void vg_fault_print(const struct vgpu_fault *f, struct lab_buf *out);

#endif
