/* Instructions in which lanes exchange something, and those that wait for each other to do it.
 *
 * Problem: shfl.sync names the lanes that take part. On sm_70 and later these need not stand at the
 * same instruction: some may be in another arm of a branch, or still on the way. A reconvergence
 * stack that runs the instruction with whoever is here gives wrong results.
 *
 * Model: when all named lanes that have not exited are in the running fragment, the instruction is
 * done at once. Else the fragment waits, other fragments of the warp run, and when fragments that
 * wait at the same operation with the same member mask cover it, each brings its operands from its
 * own registers, the operation is computed once, and each takes its results home. Masks may differ
 * between lanes: lanes with the same mask then form a party of their own.
 *
 * Without a mask (the forms before sm_70), and under VGPU_POLICY_STACK, whoever executes takes
 * part.
 *
 * Invariants: a waiting fragment's pc stands behind its instruction.
 */
#include "vg_hook.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_warpops.h"

static uint32_t op_of(const struct vg_insn *i)
{
    return i->mods & VG_COLL_OP;
}

/* Operands of `lanes`, from these registers. */
static void bring(const uint8_t *regs, const struct vg_insn *i, uint32_t lanes,
                  struct vg_exchange *x)
{
    const uint32_t *a32 = (const uint32_t *)(const void *)(regs + i->a);
    const uint64_t *a64 = (const uint64_t *)(const void *)(regs + i->a);
    const uint32_t *b = (const uint32_t *)(const void *)(regs + i->b);
    const uint32_t *c = (const uint32_t *)(const void *)(regs + i->c);
    uint32_t pred = 0;
    if ((i->mods & VG_COLL_PRED_A) != 0) {
        pred = (i->mods & VG_COLL_NEGATED) != 0 ? ~*a32 : *a32;
    }
    VG_FOR_MASK(l, lanes)
    {
        if ((i->mods & VG_COLL_PRED_A) != 0) {
            x->a[l] = VG_BIT(pred, l);
        } else if (i->a != VG_NO_SLOT) {
            x->a[l] = (i->mods & VG_COLL_WIDE_A) != 0 ? a64[l] : a32[l];
        }
        x->b[l] = i->b != VG_NO_SLOT ? b[l] : 0;
        x->c[l] = i->c != VG_NO_SLOT ? c[l] : 0;
    }
}

static void take_home(uint8_t *regs, const struct vg_insn *i, uint32_t lanes,
                      const struct vg_exchange *x)
{
    if ((i->mods & VG_COLL_PRED_D) != 0 && i->d != VG_NO_SLOT) {
        uint32_t *p = (uint32_t *)(void *)(regs + i->d);
        *p = (*p & ~lanes) | (x->p & lanes);
    } else if (i->d != VG_NO_SLOT) {
        uint32_t *d = (uint32_t *)(void *)(regs + i->d);
        uint32_t m = lanes;
        VG_FOR_MASK(l, m)
        {
            d[l] = x->d[l];
        }
    }
    if (i->e != VG_NO_SLOT) {
        uint32_t *p = (uint32_t *)(void *)(regs + i->e);
        *p = (*p & ~lanes) | (x->p & lanes);
    }
}

static void finish(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes)
{
    if (op_of(i) == VG_WARP_BARRIER && w->block->shadow != NULL) {
        vg_shadow_warp_sync(w->block->shadow, w->id, lanes);
    }
}

/* Lanes that execute without being named (PTX leaves that undefined) get a result and give nothing,
 * unless nobody is named. */
static uint32_t partakers(uint32_t lanes, uint32_t members)
{
    return (lanes & members) != 0 ? lanes & members : lanes;
}

/* All that take part are here. */
static void exchange_here(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes,
                          uint32_t members)
{
    struct vg_exchange x;
    x.lanes = partakers(lanes, members);
    bring(w->r, i, VG_FULL, &x);
    vg_collective((enum vg_collective)op_of(i), &x);
    take_home(w->r, i, lanes, &x);
    finish(w, i, lanes);
}

static bool same_operation(const struct vg_frag *a, const struct vg_frag *b)
{
    return a->members == b->members &&
           ((a->sync->mods ^ b->sync->mods) & ~(uint32_t)VG_GUARD_NEG) == 0;
}

/* Do the operation that fragment k and its like wait for, if they are complete. */
static bool exchange_across(struct vg_warp *w, uint32_t k)
{
    struct vg_machine_warp *m = w->m;
    const struct vg_frag like = m->frags[k];
    struct vg_exchange x = {.lanes = 0};
    for (uint32_t n = 0; n < m->nfrags; n++) {
        if (m->frags[n].state == VG_FRAG_SYNC && same_operation(&m->frags[n], &like)) {
            x.lanes |= m->frags[n].mask;
            bring(m->frags[n].frame->regs, m->frags[n].sync, m->frags[n].mask, &x);
        }
    }
    if ((like.members & w->alive & ~x.lanes) != 0) {
        return false;
    }
    x.lanes = partakers(x.lanes, like.members);
    vg_collective((enum vg_collective)op_of(like.sync), &x);
    for (uint32_t n = 0; n < m->nfrags; n++) {
        struct vg_frag *f = &m->frags[n];
        if (f->state == VG_FRAG_SYNC && same_operation(f, &like)) {
            take_home(f->frame->regs, f->sync, f->mask, &x);
            f->state = VG_FRAG_READY;
        }
    }
    finish(w, like.sync, x.lanes);
    return true;
}

void vg_sync_retry(struct vg_warp *w)
{
    for (uint32_t k = 0; k < w->m->nfrags; k++) {
        if (w->m->frags[k].state == VG_FRAG_SYNC) {
            exchange_across(w, k);
        }
    }
}

static void wait_for(struct vg_warp *w, const struct vg_insn *i, uint32_t members)
{
    struct vg_machine_warp *m = w->m;
    vg_frag_skip(w, i);
    vg_frag_hold(w, VG_FRAG_SYNC, i);
    uint32_t k = m->nfrags - 1;
    m->frags[k].members = members;
    if (!exchange_across(w, k)) {
        vg_frag_next(w);
    }
}

/* Lanes of `lanes` that bring the same mask as the lowest of them. */
static uint32_t party(const uint32_t *masks, uint32_t lanes)
{
    uint32_t members = masks[__builtin_ctz(lanes)], same = 0;
    VG_FOR_MASK(l, lanes)
    {
        same |= masks[l] == members ? 1u << l : 0;
    }
    return same;
}

/* Several parties, of which `waiting` cannot go on: they come back to this instruction one by one.
 */
static void wait_in_parties(struct vg_warp *w, const struct vg_insn *i, const uint32_t *masks,
                            uint32_t waiting)
{
    uint32_t first = party(masks, waiting);
    if (waiting != w->exec) {
        vg_frag_split(w, i, waiting);
        return;
    }
    vg_frag_split(w, i, waiting & ~first);
    w->exec = first;
    wait_for(w, i, masks[__builtin_ctz(first)]);
}

void vg_op_collective(struct vg_warp *w, const struct vg_insn *i)
{
    if ((i->mods & VG_COLL_SYNC) == 0 || !w->block->launch->its) {
        exchange_here(w, i, w->exec, VG_FULL);
        return;
    }
    const uint32_t *masks = VG_U32(w, i->extra);
    uint32_t todo = w->exec, waiting = 0, members = 0;
    while (todo != 0) {
        uint32_t lanes = party(masks, todo);
        uint32_t named = masks[__builtin_ctz(lanes)];
        todo &= ~lanes;
        if ((w->block->launch->checks & VGPU_CHECK_SYNC) != 0) {
            vg_check_members(w, i, lanes, named);
        }
        if ((named & w->alive & ~lanes) == 0) {
            exchange_here(w, i, lanes, named);
        } else {
            waiting |= lanes;
            members = named;
        }
    }
    if (waiting != 0 && party(masks, waiting) == w->exec) {
        wait_for(w, i, members);
    } else if (waiting != 0) {
        wait_in_parties(w, i, masks, waiting);
    }
}
