/* Lanes that part and meet again.
 *
 * Problem: 32 lanes share one pc only as long as they agree on every branch. When they do not, the
 * arms must run one after the other, and the lanes must come together again as early as possible,
 * or the rest of the program runs once per arm.
 *
 * Model: fragments and groups, as told in vg_machine.h. Groups form a tree towards the warp's root;
 * a fragment's lanes count in the mask of its own group and of every group above.
 *
 *      if (x) {        branch at 3, meets at 9      group G{all, pc 9}
 *          A               fragment {x, 5} in G     after A: its lanes arrive in G
 *      } else {
 *          B               fragment {!x, 7} in G    after B: G is complete, {all, 9} goes on
 *      }
 *
 * Invariants: the masks of a warp's fragments and the `arrived` sets of its groups are disjoint and
 * together are the lanes that have not exited. group->arrived is a subset of group->mask. A group
 * lives while its mask is not empty. Only the top fragment runs, and while it does its fields on
 * the stack are stale.
 *
 * Simplified: hardware keeps convergence barriers in registers that the compiler manages (BSSY,
 * BSYNC), and decides itself when a waiting fragment gets its turn.
 */
#include <stdlib.h>

#include "lab/buf.h"
#include "vg_hook.h"
#include "vg_launch.h"

/* A group of the running fragment's lanes, in its frame, below its group. */
static struct vg_group *group_new(struct vg_warp *w, uint32_t pc)
{
    struct vg_block *b = w->block;
    struct vg_group *g = b->free_groups;
    if (g != NULL) {
        b->free_groups = g->next_free;
    } else {
        g = lab_alloc(1, sizeof(*g));
        g->next_all = b->all_groups;
        b->all_groups = g;
    }
    *g = (struct vg_group){.mask = w->active,
                           .pc = pc,
                           .leaves =
                               pc != PTX_NO_INSN && (w->code->classes[pc] & VG_CLASS_LEAVES) != 0,
                           .frame = w->m->frame,
                           .parent = w->m->group,
                           .next_all = g->next_all};
    return g;
}

static void group_drop(struct vg_warp *w, struct vg_group *g)
{
    if (g->callee != NULL) {
        vg_frame_drop(w, g->callee);
    }
    g->next_free = w->block->free_groups;
    w->block->free_groups = g;
}

/* The running fragment's mask, group and frame changed. */
static void set_lanes(struct vg_warp *w, uint32_t mask)
{
    w->active = mask;
    w->exec = mask;
}

static void set_group(struct vg_warp *w, struct vg_group *g)
{
    w->m->group = g;
    w->m->reconv = g->pc;
}

static void set_frame(struct vg_warp *w, struct vg_frame *f)
{
    w->m->frame = f;
    w->r = f->regs;
    w->code = f->code;
    if (w->m->counts != NULL) {
        const struct vg_worker *wk = w->block->worker;
        w->m->counts = wk->runs[f->code->index];
        w->m->counted = wk->counts.at + wk->counts.first[f->code->index];
    }
}

void vg_frag_save(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    struct vg_frag *f = &m->frags[m->nfrags - 1];
    f->mask = w->active;
    f->pc = w->pc;
    f->frame = m->frame;
    f->group = m->group;
}

static void load(struct vg_warp *w)
{
    struct vg_frag *f = &w->m->frags[w->m->nfrags - 1];
    f->state = VG_FRAG_READY;
    w->pc = f->pc;
    set_lanes(w, f->mask);
    set_group(w, f->group);
    set_frame(w, f->frame);
}

static void push(struct vg_warp *w, uint32_t mask, uint32_t pc, struct vg_frame *frame,
                 struct vg_group *group)
{
    struct vg_machine_warp *m = w->m;
    LAB_ASSERT(m->nfrags < VG_LANES);
    m->frags[m->nfrags++] =
        (struct vg_frag){.mask = mask, .pc = pc, .frame = frame, .group = group};
}

void vg_frag_start(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    m->nfrags = 0;
    m->group = NULL;
    m->frame = &m->entry;
    set_lanes(w, w->alive);
    push(w, w->alive, 0, m->frame, group_new(w, PTX_NO_INSN));
    m->stop = VG_STOP_NONE;
    m->patience = 0;
    m->polling = false;
    m->issued_seen = 0;
}

/* Move fragment k to the top, or the top one to the bottom; the others keep their order. */
static void to_top(struct vg_machine_warp *m, uint32_t k)
{
    if (k + 1 == m->nfrags) {
        return;
    }
    struct vg_frag f = m->frags[k];
    for (; k + 1 < m->nfrags; k++) {
        m->frags[k] = m->frags[k + 1];
    }
    m->frags[k] = f;
}

static void to_bottom(struct vg_machine_warp *m)
{
    struct vg_frag f = m->frags[m->nfrags - 1];
    for (uint32_t k = m->nfrags - 1; k > 0; k--) {
        m->frags[k] = m->frags[k - 1];
    }
    m->frags[0] = f;
}

/* Lanes that wait in g go on, as a fragment on top of the stack. g is dropped when they were all
 * that was missing. */
static void group_release(struct vg_warp *w, struct vg_group *g)
{
    uint32_t lanes = g->arrived;
    uint32_t pc = g->pc;
    if (g->callee != NULL) {
        vg_call_results(w, g->callee, lanes);
        pc = (uint32_t)(g->callee->call - g->frame->code->insns) + 1;
    }
    push(w, lanes, pc, g->frame, g->parent);
    g->mask &= ~lanes;
    g->arrived = 0;
    if (g->mask == 0) {
        group_drop(w, g);
    }
}

static struct vg_group *waiting_above(const struct vg_frag *f)
{
    for (struct vg_group *g = f->group; g != NULL; g = g->parent) {
        if (g->arrived != 0) {
            return g;
        }
    }
    return NULL;
}

/* Let lanes that wait in a group go on without the rest: those of the innermost group of the
 * topmost fragment that has any. */
static bool let_go(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    for (uint32_t k = m->nfrags; k-- > 0;) {
        struct vg_group *g = waiting_above(&m->frags[k]);
        if (g != NULL) {
            vg_check_let_go(w, g);
            group_release(w, g);
            return true;
        }
    }
    return false;
}

bool vg_frag_pick(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    for (uint32_t k = m->nfrags; k-- > 0;) {
        if (m->frags[k].state == VG_FRAG_READY) {
            to_top(m, k);
            load(w);
            return true;
        }
        if (!w->block->launch->its) {
            return false;
        }
    }
    if (m->nfrags > 0 && let_go(w)) {
        load(w);
        return true;
    }
    return false;
}

/* The running fragment is gone. */
static void next(struct vg_warp *w)
{
    if (w->m->nfrags == 0) {
        w->m->stop = VG_STOP_DONE;
    } else {
        vg_frag_next(w);
    }
}

/* The group of lanes that part now and meet at reconv: the running fragment's own when that is
 * where it meets anyway, as for every turn of a loop that lanes leave one by one. */
static struct vg_group *part(struct vg_warp *w, uint32_t reconv)
{
    if (reconv != PTX_NO_INSN && reconv != w->m->reconv) {
        set_group(w, group_new(w, reconv));
    }
    return w->m->group;
}

/* `below` waits at pc while the running fragment goes on with the rest of its lanes. */
static void part_below(struct vg_warp *w, uint32_t below, uint32_t pc)
{
    struct vg_machine_warp *m = w->m;
    m->nfrags--;
    push(w, below, pc, m->frame, m->group);
    set_lanes(w, w->active & ~below);
    push(w, w->active, w->pc, m->frame, m->group);
}

/* Lanes have come to where their group meets. In PTX a thread that returns early jumps to the
 * kernel's only ret, where the others join it later; but from here on nobody may wait for it. */
static void arrive(struct vg_warp *w, struct vg_group *g, uint32_t lanes)
{
    g->arrived |= lanes;
    if (g->leaves) {
        w->alive &= ~lanes;
        vg_sync_retry(w);
        vg_barrier_exit(w);
    }
}

void vg_frag_branch(struct vg_warp *w, uint32_t taken, uint32_t target, uint32_t reconv)
{
    struct vg_group *g = part(w, reconv);
    if (target == g->pc) {
        arrive(w, g, taken);
        set_lanes(w, w->active & ~taken);
    } else if (w->pc == g->pc) {
        arrive(w, g, w->active & ~taken);
        set_lanes(w, taken);
        w->pc = target;
    } else {
        part_below(w, taken, target);
    }
}

void vg_frag_split(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes)
{
    part(w, vg_pc(w, i) + 1);
    part_below(w, lanes, vg_pc(w, i));
}

void vg_frag_arrive(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    struct vg_group *g = m->group;
    arrive(w, g, w->active);
    if (g->arrived == g->mask) {
        set_lanes(w, g->mask);
        set_group(w, g->parent);
        group_drop(w, g);
        return;
    }
    m->nfrags--;
    next(w);
}

/* Take lanes of the running fragment out of the groups from its own up to, not including, `end`.
 * Where all that are left wait already, they go on. */
static void leave_groups(struct vg_warp *w, uint32_t lanes, struct vg_group *end)
{
    struct vg_group *g = w->m->group;
    while (g != end) {
        struct vg_group *parent = g->parent;
        g->mask &= ~lanes;
        if (g->mask == 0) {
            group_drop(w, g);
        } else if (g->mask == g->arrived) {
            group_release(w, g);
        }
        g = parent;
    }
}

/* The running fragment loses lanes; false when none is left and it was taken off the stack. */
static bool lose_lanes(struct vg_warp *w, uint32_t lanes)
{
    set_lanes(w, w->active & ~lanes);
    if (w->active == 0) {
        w->m->nfrags--;
        return false;
    }
    return true;
}

void vg_frag_exit(struct vg_warp *w, uint32_t lanes)
{
    w->alive &= ~lanes;
    bool stays = lose_lanes(w, lanes);
    leave_groups(w, lanes, NULL);
    vg_sync_retry(w);
    vg_barrier_exit(w);
    if (!stays) {
        next(w);
    }
}

void vg_frag_return(struct vg_warp *w, uint32_t lanes)
{
    struct vg_group *g = w->m->group;
    while (g->callee == NULL) {
        g = g->parent;
        if (g == NULL) {
            vg_frag_exit(w, lanes);
            return;
        }
    }
    bool stays = lose_lanes(w, lanes);
    leave_groups(w, lanes, g);
    g->arrived |= lanes;
    if (g->arrived == g->mask) {
        group_release(w, g);
    }
    if (!stays) {
        next(w);
    }
}

void vg_frag_call(struct vg_warp *w, struct vg_frame *callee)
{
    struct vg_group *g = group_new(w, PTX_NO_INSN);
    g->callee = callee;
    set_group(w, g);
    set_frame(w, callee);
    w->pc = 0;
}

void vg_frag_hold(struct vg_warp *w, enum vg_frag_state why, const struct vg_insn *i)
{
    vg_frag_save(w);
    struct vg_frag *f = &w->m->frags[w->m->nfrags - 1];
    f->state = why;
    f->sync = i;
}

void vg_frag_next(struct vg_warp *w)
{
    if (!vg_frag_pick(w)) {
        w->m->stop = VG_STOP_WAIT;
    }
}

void vg_frag_skip(struct vg_warp *w, const struct vg_insn *i)
{
    uint32_t others = w->active & ~w->exec;
    if (others != 0) {
        vg_frag_branch(w, others, vg_pc(w, i) + 1, vg_pc(w, i) + 1);
    }
}

void vg_frag_rotate(struct vg_warp *w, bool release)
{
    struct vg_machine_warp *m = w->m;
    vg_frag_save(w);
    if (!w->block->launch->its) {
        return;
    }
    to_bottom(m);
    if (release) {
        let_go(w);
    }
    LAB_ASSERT(vg_frag_pick(w));
    vg_frag_save(w);
}
