/* Barriers of a block: bar.sync, bar.arrive, bar.red and their barrier.* spellings.
 *
 * Model: a barrier collects lanes. It opens when, without a thread count, every lane of the block
 * that has not exited is here; with a count, when the warps that are here with all of their
 * remaining lanes, 32 threads each, are as many as asked (the PTX ISA counts whole warps). Then
 * every fragment that waits at it goes on, and bar.red has its result.
 *
 * Under VGPU_POLICY_STACK a warp arrives as a whole, whichever lanes execute the barrier: that is
 * what hardware before Volta does, and why a barrier in one arm of a branch is a bug.
 *
 * Simplified: clusters have one block, so barrier.cluster is not provided.
 */
#include "vg_hook.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_warpops.h"

/* vg_insn.mods */
enum { BAR_ARRIVE = 1, BAR_POPC = 2, BAR_AND = 4, BAR_OR = 8, BAR_NEGATED = 16, BAR_ALIGNED = 32 };
#define BAR_RED (BAR_POPC | BAR_AND | BAR_OR)

bool vg_bar_is_aligned(const struct vg_insn *i)
{
    return (i->mods & BAR_ALIGNED) != 0;
}

static bool is_full(const struct vg_block *b, const struct vg_barrier *bar)
{
    if (bar->expected == 0) {
        return (b->live & ~bar->full) == 0;
    }
    return (uint32_t)__builtin_popcount(bar->full) * VG_LANES >= bar->expected;
}

/* Is all of the warp that has not exited at the barrier? */
static void note_full(struct vg_barrier *bar, const struct vg_warp *w)
{
    if ((w->alive & ~bar->lanes[w->id]) == 0) {
        bar->full |= 1u << w->id;
    }
}

/* A fragment that waited gets the result of bar.red, in its own registers. */
static void deliver(const struct vg_barrier *bar, const struct vg_frag *f)
{
    const struct vg_insn *i = f->sync;
    uint32_t m = f->mask;
    if ((i->mods & BAR_POPC) != 0) {
        uint32_t *d = (uint32_t *)(void *)(f->frame->regs + i->d);
        VG_FOR_MASK(l, m)
        {
            d[l] = bar->votes;
        }
    } else if ((i->mods & BAR_RED) != 0) {
        uint32_t *p = (uint32_t *)(void *)(f->frame->regs + i->d);
        bool yes = (i->mods & BAR_AND) != 0 ? bar->votes == bar->voters : bar->votes != 0;
        *p = yes ? *p | m : *p & ~m;
    }
}

static void tell_shadow(struct vg_block *b, uint32_t id)
{
    const struct vg_barrier *bar = &b->bars[id];
    if (b->shadow == NULL) {
        return;
    }
    if (bar->passing != 0) {
        vg_shadow_barrier_id(b->shadow, id, bar->warps & ~bar->passing);
    } else {
        vg_shadow_barrier(b->shadow, bar->expected == 0 ? 0 : bar->warps);
    }
}

static void open_barrier(struct vg_block *b, uint32_t id)
{
    struct vg_barrier *bar = &b->bars[id];
    uint32_t warps = bar->warps;
    tell_shadow(b, id);
    VG_FOR_MASK(k, warps)
    {
        struct vg_machine_warp *m = &b->mwarps[k];
        for (uint32_t n = 0; n < m->nfrags; n++) {
            struct vg_frag *f = &m->frags[n];
            if (f->state == VG_FRAG_BARRIER && f->bar_id == id) {
                deliver(bar, f);
                f->state = VG_FRAG_READY;
            }
        }
        bar->lanes[k] = 0;
    }
    bar->expected = bar->warps = bar->full = bar->passing = bar->votes = bar->voters = 0;
    b->bars_used &= ~(1u << id);
}

void vg_barrier_exit(struct vg_warp *w)
{
    struct vg_block *b = w->block;
    uint32_t used = b->bars_used;
    if (w->alive == 0) {
        b->live &= ~(1u << w->id);
    }
    VG_FOR_MASK(id, used)
    {
        if (VG_BIT(b->bars[id].warps, w->id) != 0) {
            note_full(&b->bars[id], w);
        }
        if (is_full(b, &b->bars[id])) {
            open_barrier(b, id);
        }
    }
}

/* Barrier number and thread count; false after a fault. */
static bool operands(struct vg_warp *w, const struct vg_insn *i, uint32_t *id, uint32_t *count)
{
    unsigned l = (unsigned)__builtin_ctz(w->exec);
    *id = VG_U32(w, i->a)[l];
    *count = i->b != VG_NO_SLOT ? VG_U32(w, i->b)[l] : 0;
    if (*id >= VG_BARRIERS) {
        vg_fault(w, i, VGPU_ILLEGAL_INSTRUCTION, w->exec, *id, "barrier %u; a block has 16", *id);
        return false;
    }
    if (*count % VG_LANES != 0) {
        vg_fault(w, i, VGPU_ILLEGAL_INSTRUCTION, w->exec, *count,
                 "a barrier for %u threads; the count is a multiple of 32", *count);
        return false;
    }
    return true;
}

static void join(struct vg_warp *w, const struct vg_insn *i, uint32_t id, uint32_t count)
{
    struct vg_block *b = w->block;
    struct vg_barrier *bar = &b->bars[id];
    bar->expected = count;
    bar->warps |= 1u << w->id;
    bar->lanes[w->id] |= b->launch->its ? w->exec : w->alive;
    b->bars_used |= 1u << id;
    note_full(bar, w);
    if ((i->mods & BAR_RED) != 0) {
        uint32_t p = VG_PRED(w, i->c);
        p = (i->mods & BAR_NEGATED) != 0 ? ~p : p;
        bar->votes += (uint32_t)__builtin_popcount(p & w->exec);
        bar->voters += (uint32_t)__builtin_popcount(w->exec);
    }
}

static void op_bar(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_block *b = w->block;
    uint32_t id = 0, count = 0;
    if (!operands(w, i, &id, &count)) {
        return;
    }
    if ((b->launch->checks & VGPU_CHECK_SYNC) != 0 && (i->mods & BAR_ALIGNED) != 0) {
        vg_check_barrier(w, i);
    }
    if ((i->mods & BAR_ARRIVE) != 0) {
        join(w, i, id, count);
        b->bars[id].passing |= 1u << w->id;
        if (b->shadow != NULL) {
            vg_shadow_arrive(b->shadow, id, w->id);
        }
        if (is_full(b, &b->bars[id])) {
            open_barrier(b, id);
        }
        return;
    }
    vg_frag_skip(w, i);
    join(w, i, id, count);
    vg_frag_hold(w, VG_FRAG_BARRIER, i);
    w->m->frags[w->m->nfrags - 1].bar_id = id;
    if (is_full(b, &b->bars[id])) {
        open_barrier(b, id);
    } else {
        vg_frag_next(w);
    }
}

/* --- decoding --- */

static int decode_red(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    if (in->nops < 3 || in->nops > 4) {
        return vg_decode_error(d, in, err, "expected a result, a barrier and a predicate");
    }
    const struct ptx_operand *p = &in->ops[in->nops - 1];
    out->mods |= ptx_has(in, PTX_W_popc) ? BAR_POPC : ptx_has(in, PTX_W_and) ? BAR_AND : BAR_OR;
    out->mods |= p->negated ? BAR_NEGATED : 0;
    out->d = vg_slot(d, &in->ops[0], (out->mods & BAR_POPC) != 0 ? PTX_U32 : PTX_PRED, err);
    out->c = vg_slot(d, p, PTX_PRED, err);
    return out->d == VG_NO_SLOT || out->c == VG_NO_SLOT ? -1 : 0;
}

int vg_decode_bar(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err)
{
    const bool red = ptx_has(in, PTX_W_red);
    const unsigned first = red ? 1 : 0, last = in->nops - (red ? 1u : 0u);
    if (ptx_has(in, PTX_W_cluster)) {
        return vg_decode_error(d, in, err, "barriers of a cluster are not supported");
    }
    if (!red && (in->nops < 1 || in->nops > 2)) {
        return vg_decode_error(d, in, err, "expected a barrier and perhaps a number of threads");
    }
    out->fn = op_bar;
    out->mods = ptx_has(in, PTX_W_arrive) ? BAR_ARRIVE : 0;
    out->mods |= in->op == PTX_W_bar || ptx_has(in, PTX_W_aligned) ? BAR_ALIGNED : 0;
    if (red && decode_red(d, in, out, err) < 0) {
        return -1;
    }
    out->a = vg_slot(d, &in->ops[first], PTX_U32, err);
    if (out->a == VG_NO_SLOT) {
        return -1;
    }
    if (last - first == 2) {
        out->b = vg_slot(d, &in->ops[first + 1], PTX_U32, err);
        if (out->b == VG_NO_SLOT) {
            return -1;
        }
    }
    vg_decode_mark(d, VG_CLASS_ENDS | VG_CLASS_BARRIER);
    return 1;
}
