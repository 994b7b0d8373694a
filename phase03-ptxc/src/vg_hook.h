/* What the counting and checking run loop does before an instruction. */
#ifndef VG_HOOK_H
#define VG_HOOK_H

#include "vg_machine.h"

#define VG_CLASS_HOOKED (VG_CLASS_ACCESS | VG_CLASS_GUARDED | VG_CLASS_BRANCH | VG_CLASS_BARRIER)

/* Count and check. false: a check has stopped the kernel, do not execute the instruction. */
bool vg_hook(struct vg_warp *w, const struct vg_insn *i, uint8_t classes);

/* The block as the checks know it. */
struct vg_check_ctx vg_check_ctx(const struct vg_block *b);

/* Warp instructions the launch may still execute, as far as this block knows. */
uint64_t vg_budget_left(const struct vg_block *b);

#endif
