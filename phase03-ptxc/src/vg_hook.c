/* What the counters and the checks see of an instruction, just before it is executed.
 *
 * The lanes' addresses are computed here once more and handed on as a struct vg_access, one per
 * state space when a generic access mixes them. The mem check also decides whether the instruction
 * may run at all: an access that it refuses becomes a finding and the fault that CUDA would give.
 */
#include "vg_hook.h"

#include <string.h>

#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_matrix.h"
#include "vg_mem.h"
#include "vg_memcheck.h"

struct vg_check_ctx vg_check_ctx(const struct vg_block *b)
{
    const struct vgpu_dim *dim = &b->launch->launch->block;
    return (struct vg_check_ctx){.report = b->launch->g->report,
                                 .block = b->ctaid,
                                 .dim = *dim,
                                 .kernel = b->launch->kernel->info.func};
}

static struct vg_place place_of(const struct vg_warp *w, const struct vg_insn *i)
{
    return (struct vg_place){w->code->func, vg_pc(w, i), w->id};
}

/* Does the kernel's code end at pc? */
static bool ends_at(const struct vg_warp *w, const struct vg_frame *frame, uint32_t pc)
{
    if (frame != &w->m->entry) {
        return false;
    }
    const struct ptx_func *f = frame->code->func;
    if (pc == PTX_NO_INSN || pc >= f->ninsns) {
        return true;
    }
    const struct ptx_insn *in = &f->insns[pc];
    return (in->op == PTX_W_ret || in->op == PTX_W_exit) && in->guard == NULL;
}

/* Lanes of the warp that have not exited but are about to, or wait where the kernel ends. */
static uint32_t leaving_lanes(const struct vg_warp *w)
{
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < w->m->nfrags; k++) {
        const struct vg_frag *f = &w->m->frags[k];
        if (f->state == VG_FRAG_READY && ends_at(w, f->frame, f->pc)) {
            lanes |= f->mask;
        }
        for (const struct vg_group *g = f->group; g != NULL; g = g->parent) {
            lanes |= ends_at(w, g->frame, g->pc) ? g->arrived : 0;
        }
    }
    return lanes;
}

static bool at_barrier(const struct vg_warp *w)
{
    bool yes = false;
    for (uint32_t k = 0; k + 1 < w->m->nfrags; k++) {
        yes |= w->m->frags[k].state == VG_FRAG_BARRIER;
    }
    return yes;
}

void vg_check_barrier(struct vg_warp *w, const struct vg_insn *i)
{
    bool rest_waits = w->block->launch->its && !at_barrier(w);
    if ((w->alive & ~w->exec & ~leaving_lanes(w)) != 0 && !rest_waits) {
        struct vg_check_ctx ctx = vg_check_ctx(w->block);
        struct vg_place at = place_of(w, i);
        vg_find_divergent_barrier(&ctx, &at, w->exec, w->alive);
    }
}

static bool waits_for(const struct vg_group *g, const struct vg_frag *f)
{
    const struct vg_group *above = f->group;
    while (above != NULL && above != g) {
        above = above->parent;
    }
    return above == g;
}

void vg_check_let_go(struct vg_warp *w, const struct vg_group *g)
{
    if ((w->block->launch->checks & VGPU_CHECK_SYNC) == 0 || ends_at(w, g->frame, g->pc)) {
        return;
    }
    for (uint32_t k = 0; k < w->m->nfrags; k++) {
        const struct vg_frag *f = &w->m->frags[k];
        if (f->state == VG_FRAG_BARRIER && vg_bar_is_aligned(f->sync) && waits_for(g, f)) {
            struct vg_check_ctx ctx = vg_check_ctx(w->block);
            struct vg_place at = {f->frame->code->func, (uint32_t)(f->sync - f->frame->code->insns),
                                  w->id};
            vg_find_divergent_barrier(&ctx, &at, f->mask, w->alive);
        }
    }
}

static uint32_t all_lanes_of(const struct vg_warp *w)
{
    uint32_t n = w->block->launch->nthreads - w->id * VG_LANES;
    return n >= VG_LANES ? VG_FULL : (1u << n) - 1;
}

void vg_check_members(struct vg_warp *w, const struct vg_insn *i, uint32_t here, uint32_t members)
{
    struct vg_check_ctx ctx = vg_check_ctx(w->block);
    struct vg_place at = place_of(w, i);
    vg_find_members(&ctx, &at, here, members, all_lanes_of(w) & ~w->alive);
}

static struct vg_counts *counts_of(struct vg_warp *w, const struct vg_insn *i)
{
    return &w->m->counted[vg_pc(w, i)];
}

static void count_branch(struct vg_warp *w, const struct vg_insn *i, struct vg_counts *c)
{
    uint32_t taken = i->guard != VG_NO_SLOT ? w->active & vg_guard(w, i) : w->active;
    c->branches++;
    c->divergent_branches += taken != 0 && taken != w->active ? 1 : 0;
}

/* What a store writes, lane by lane, for the race check. */
static const void *values_of(const struct vg_warp *w, const struct vg_insn *i, uint8_t *out)
{
    uint64_t v[VG_LANES];
    const unsigned size = vg_mem_size(i), vec = vg_mem_vec(i), bytes = size * vec;
    if (vg_mem_kind(i) != VG_STORE || size > 8 || (i->mods & VG_MEM_MATRIX) != 0) {
        return NULL;
    }
    for (unsigned k = 0; k < vec; k++) {
        vg_mem_get(w, i, vec > 1 ? vg_extra(w, i)[k] : i->d, v);
        for (unsigned l = 0; l < VG_LANES; l++) {
            memcpy(out + l * bytes + k * size, &v[l], size);
        }
    }
    return out;
}

/* Check and count one access; false when it may not be made. */
bool vg_hook_access(struct vg_warp *w, const struct vg_insn *i, struct vg_access *a)
{
    struct vg_block *b = w->block;
    const unsigned checks = b->launch->checks;
    if (a->mask == 0) {
        return true;
    }
    if ((checks & (VGPU_CHECK_MEM | VGPU_CHECK_INIT)) != 0 && !vg_memcheck(w, i, a)) {
        return false;
    }
    if (b->shadow != NULL && a->space == PTX_SPACE_SHARED) {
        uint8_t values[VG_LANES * 32];
        struct vg_check_ctx ctx = vg_check_ctx(b);
        vg_shadow_access(b->shadow, &ctx, a, values_of(w, i, values));
    }
    if (b->launch->counters) {
        const struct vgpu_launch *launch = b->launch->launch;
        vg_count_access(counts_of(w, i), a);
        if (launch->watch != NULL) {
            launch->watch(launch->watch_arg, a);
        }
    }
    return true;
}

static void access_init(const struct vg_warp *w, const struct vg_insn *i, struct vg_access *a)
{
    a->kind = vg_mem_kind(i);
    a->bytes = vg_mem_bytes(i);
    a->func = w->code->func;
    a->pc = vg_pc(w, i);
    a->warp = w->id;
    a->block = w->block->index;
}

/* A generic access: each space's lanes are an access of their own. */
static bool hook_generic(struct vg_warp *w, const struct vg_insn *i, struct vg_access *a,
                         uint32_t lanes)
{
    enum ptx_space space[VG_LANES];
    uint32_t m = lanes;
    VG_FOR_MASK(l, m)
    {
        space[l] = vg_generic_space(a->addr[l], &a->addr[l]);
    }
    while (lanes != 0) {
        a->space = space[__builtin_ctz(lanes)];
        a->mask = 0;
        uint32_t n = lanes;
        VG_FOR_MASK(l, n)
        {
            a->mask |= space[l] == a->space ? 1u << l : 0;
        }
        lanes &= ~a->mask;
        if (!vg_hook_access(w, i, a)) {
            return false;
        }
    }
    return true;
}

/* What the access cost, for those like it that follow: `before` are the counts without it. */
static void remember(struct vg_warp *w, const struct vg_insn *i, const struct vg_counts *before)
{
    const struct vg_counts *c = counts_of(w, i);
    struct vg_memo *k = &w->m->memos[i->target];
    const bool load = vg_mem_kind(i) == VG_LOAD;
    *k = (struct vg_memo){.mods = i->mods, .imm = i->imm};
    if (vg_mem_space(i) == PTX_SPACE_SHARED) {
        k->mask = 3;
        k->passes = load ? c->shared_ld_wavefronts - before->shared_ld_wavefronts
                         : c->shared_st_wavefronts - before->shared_st_wavefronts;
        k->other = load ? c->shared_ld_conflicts - before->shared_ld_conflicts
                        : c->shared_st_conflicts - before->shared_st_conflicts;
        k->bytes = load ? c->shared_ld_bytes - before->shared_ld_bytes
                        : c->shared_st_bytes - before->shared_st_bytes;
    } else {
        k->mask = 31;
        k->passes = load ? c->global_ld_sectors - before->global_ld_sectors
                         : c->global_st_sectors - before->global_st_sectors;
        k->other = load ? c->global_ld_ideal - before->global_ld_ideal
                        : c->global_st_ideal - before->global_st_ideal;
        k->bytes = load ? c->global_ld_bytes - before->global_ld_bytes
                        : c->global_st_bytes - before->global_st_bytes;
    }
}

/* Plain accesses that have a line, in the spaces that vg_count_again knows. */
static bool has_line(const struct vg_warp *w, const struct vg_insn *i)
{
    enum ptx_space space = vg_mem_space(i);
    return w->block->launch->counters && i->target < VG_LINES - 1 && i->inner == NULL &&
           (space == PTX_SPACE_SHARED || space == PTX_SPACE_GLOBAL) &&
           (vg_mem_kind(i) == VG_LOAD || vg_mem_kind(i) == VG_STORE);
}

static bool hook_access(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes)
{
    struct vg_access a;
    if (vg_mem_kind(i) == VG_ASYNC_COPY) {
        return vg_hook_async(w, i, lanes);
    }
    if ((i->mods & VG_MEM_MATRIX) != 0) {
        return vg_hook_matrix(w, i, lanes);
    }
    if (lanes == 0 || vg_mem_space(i) == PTX_SPACE_PARAM) {
        return true;
    }
    access_init(w, i, &a);
    vg_mem_addresses(w, i, a.addr);
    if (vg_mem_space(i) == PTX_SPACE_GENERIC) {
        return hook_generic(w, i, &a, lanes);
    }
    a.space = vg_mem_space(i);
    a.mask = i->reconv != 0 ? lanes & i->reconv : lanes;
    if (!has_line(w, i)) {
        return vg_hook_access(w, i, &a);
    }
    const struct vg_counts before = *counts_of(w, i);
    bool fine = vg_hook_access(w, i, &a);
    remember(w, i, &before);
    return fine;
}

bool vg_hook(struct vg_warp *w, const struct vg_insn *i, uint16_t classes)
{
    uint32_t lanes = w->active;
    if ((classes & VG_CLASS_GUARDED) != 0) {
        lanes &= vg_guard(w, i);
    }
    if (w->block->launch->counters) {
        struct vg_counts *c = counts_of(w, i);
        if ((classes & VG_CLASS_GUARDED) != 0) {
            c->thread_inst_pred_on += (uint32_t)__builtin_popcount(lanes);
        }
        if ((classes & VG_CLASS_BRANCH) != 0) {
            count_branch(w, i, c);
        }
        c->barriers += (classes & VG_CLASS_BARRIER) != 0 ? 1 : 0;
    }
    return (classes & VG_CLASS_ACCESS) == 0 || hook_access(w, i, lanes);
}
