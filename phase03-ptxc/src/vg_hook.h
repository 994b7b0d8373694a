/* What the counting and checking run loop does before an instruction. */
#ifndef VG_HOOK_H
#define VG_HOOK_H

#include "vg_machine.h"

#define VG_CLASS_HOOKED (VG_CLASS_ACCESS | VG_CLASS_GUARDED | VG_CLASS_BRANCH | VG_CLASS_BARRIER)

/* Count and check. false: a check has stopped the kernel, do not execute the instruction. */
bool vg_hook(struct vg_warp *w, const struct vg_insn *i, uint16_t classes);

/* The block as the checks know it. */
struct vg_check_ctx vg_check_ctx(const struct vg_block *b);

/* File what is wrong with a .sync instruction that `here` lanes execute with these members. */
void vg_check_members(struct vg_warp *w, const struct vg_insn *i, uint32_t here, uint32_t members);
/* File a barrier that only some of the warp's lanes have come to. */
void vg_check_barrier(struct vg_warp *w, const struct vg_insn *i);

#endif
