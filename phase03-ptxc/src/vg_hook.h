/* What the counting and checking run loop does before an instruction. */
#ifndef VG_HOOK_H
#define VG_HOOK_H

#include "vg_machine.h"
#include "vg_mem.h"

#define VG_CLASS_HOOKED (VG_CLASS_ACCESS | VG_CLASS_GUARDED | VG_CLASS_BRANCH | VG_CLASS_BARRIER)

/* Count an access through a line as the one before it, when it costs the same; false when it has to
 * be looked at. */
static inline bool vg_count_again(struct vg_warp *w, const struct vg_insn *i)
{
    const struct vg_memo *k = &w->m->memos[i->target];
    if (k->mods != i->mods || ((i->imm - k->imm) & k->mask) != 0) {
        return false;
    }
    struct vg_counts *c = &w->m->counted[vg_pc(w, i)];
    const bool load = vg_mem_kind(i) == VG_LOAD;
    if (k->mask == 3) {
        *(load ? &c->shared_ld_requests : &c->shared_st_requests) += 1;
        *(load ? &c->shared_ld_wavefronts : &c->shared_st_wavefronts) += k->passes;
        *(load ? &c->shared_ld_conflicts : &c->shared_st_conflicts) += k->other;
        *(load ? &c->shared_ld_bytes : &c->shared_st_bytes) += k->bytes;
    } else {
        *(load ? &c->global_ld_requests : &c->global_st_requests) += 1;
        *(load ? &c->global_ld_sectors : &c->global_st_sectors) += k->passes;
        *(load ? &c->global_ld_ideal : &c->global_st_ideal) += k->other;
        *(load ? &c->global_ld_bytes : &c->global_st_bytes) += k->bytes;
    }
    return true;
}

/* Count and check. false: a check has stopped the kernel, do not execute the instruction. */
bool vg_hook(struct vg_warp *w, const struct vg_insn *i, uint16_t classes);

/* The block as the checks know it. */
struct vg_check_ctx vg_check_ctx(const struct vg_block *b);

/* File what is wrong with a .sync instruction that `here` lanes execute with these members. */
void vg_check_members(struct vg_warp *w, const struct vg_insn *i, uint32_t here, uint32_t members);
/* File a barrier of whole warps (bar.sync) that only some of the warp's lanes have come to: when
 * the rest has gone to another barrier, or (stack policy) cannot come any more. Lanes that have
 * nothing left but to exit are no finding: a thread may return before a barrier. */
void vg_check_barrier(struct vg_warp *w, const struct vg_insn *i);
/* The same for lanes that wait in group g for some that are at a barrier, and are now let go on
 * without them. */
void vg_check_let_go(struct vg_warp *w, const struct vg_group *g);

#endif
