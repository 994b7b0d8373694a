/* The mem and init checks of global memory. */
#ifndef VG_MEMCHECK_H
#define VG_MEMCHECK_H

#include "vg_machine.h"

/* May the access be made? When not, the finding and the fault are filed and the answer is false.
 * Global reads of bytes nobody wrote are findings (init) and may be made. */
bool vg_memcheck(struct vg_warp *w, const struct vg_insn *i, const struct vg_access *a);

/* vg_hook.c: check and count one access of an instruction. */
bool vg_hook_access(struct vg_warp *w, const struct vg_insn *i, struct vg_access *a);
/* vg_async.c: the two accesses of a cp.async. */
bool vg_hook_async(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes);

#endif
