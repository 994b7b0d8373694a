/* The run loop of a warp.
 *
 * Problem: most instructions only move numbers between registers, and everything that is done per
 * instruction besides (looking at the pc, counting, asking whether lanes meet here) costs more than
 * the instruction itself.
 *
 * Model: the decoder has cut the code into straight runs. The loop looks at pc, reconvergence and
 * counters once a run and then calls one handler after the other until w->end. An instruction that
 * may change the pc, block or stop is the last of its run, and before it starts w->pc already
 * stands behind the run. A handler that faults moves w->end, so that nothing after it is executed.
 *
 * There are two loops. The second one also counts and checks, before the instruction is executed.
 *
 * Invariants: between instructions w->exec == w->active. A run is counted when it starts; nothing
 * after a fault is reported, so that a run which ends early does no harm.
 */
#include <stdio.h>

#include "vg_hook.h"
#include "vg_launch.h"

void vg_run_guarded(struct vg_warp *w, const struct vg_insn *i)
{
    uint32_t lanes = w->active & vg_guard(w, i);
    if (lanes != 0) {
        w->exec = lanes;
        i->inner(w, i);
        w->exec = w->active;
    }
}

static void run_plain(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    while (m->stop == VG_STOP_NONE) {
        uint32_t pc = w->pc;
        if (pc == m->reconv) {
            vg_frag_arrive(w);
            continue;
        }
        uint32_t n = w->code->run[pc];
        const struct vg_insn *i = w->code->insns + pc;
        w->pc = pc + n;
        w->end = i + n;
        w->issued += n;
        do {
            i->fn(w, i);
            i++;
        } while (i != w->end);
    }
}

static void run_hooked(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    const struct vg_launch_state *l = w->block->launch;
    const bool only_counts = l->checks == 0 && l->launch->watch == NULL;
    const uint16_t again = only_counts ? VG_CLASS_AGAIN : 0;
    while (m->stop == VG_STOP_NONE) {
        uint32_t pc = w->pc;
        if (pc == m->reconv) {
            vg_frag_arrive(w);
            continue;
        }
        uint32_t n = w->code->run[pc];
        const struct vg_insn *i = w->code->insns + pc;
        const uint16_t *classes = w->code->classes + pc;
        w->pc = pc + n;
        w->end = i + n;
        w->issued += n;
        if (m->counts != NULL) {
            m->counts[pc].times++;
            m->counts[pc].lanes += (uint32_t)__builtin_popcount(w->active);
        }
        do {
            if ((*classes & VG_CLASS_HOOKED) == 0 ||
                ((*classes & again) != 0 && vg_count_again(w, i)) || vg_hook(w, i, *classes)) {
                i->fn(w, i);
            }
            i++;
            classes++;
        } while (i != w->end);
    }
}

/* Bring the block's and the launch's number of instructions up to date. */
static void settle(struct vg_warp *w)
{
    uint64_t more = w->issued - w->m->issued_seen;
    w->m->issued_seen = w->issued;
    w->block->issued += more;
    w->block->worker->issued += more;
}

void vg_warp_run(struct vg_warp *w)
{
    struct vg_machine_warp *m = w->m;
    m->stop = VG_STOP_NONE;
    m->slice = VG_SLICE;
    m->polling = false;
    if (!vg_frag_pick(w)) {
        m->stop = VG_STOP_WAIT;
    } else if (w->block->launch->counters || w->block->launch->checks != 0) {
        run_hooked(w);
    } else {
        run_plain(w);
    }
    settle(w);
}

static uint64_t budget_left(const struct vg_block *b)
{
    uint64_t used = b->launch->serial ? b->worker->issued : b->issued;
    return used > b->launch->budget ? 0 : b->launch->budget - used;
}

static bool polls_in_vain(const struct vg_warp *w)
{
    const struct vg_machine_warp *m = w->m;
    return m->polled && m->poll[__builtin_ctz(w->active)].times >= VG_POLLS;
}

void vg_slice_over(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_machine_warp *m = w->m;
    struct vg_block *b = w->block;
    m->slice = VG_SLICE;
    settle(w);
    if (budget_left(b) == 0) {
        vg_fault(w, i, VGPU_TIMEOUT, w->active, 0,
                 "the budget of %llu warp instructions is used up; these lanes still loop here",
                 (unsigned long long)b->launch->budget);
        return;
    }
    vg_take_turns(w, false);
}

void vg_take_turns(struct vg_warp *w, bool asleep)
{
    struct vg_machine_warp *m = w->m;
    bool in_vain = polls_in_vain(w);
    bool let_go = in_vain || ++m->patience % VG_PATIENCE == 0;
    vg_frag_rotate(w, let_go);
    m->polling = in_vain || asleep;
    m->stop = VG_STOP_YIELD;
}

void vg_poll(struct vg_warp *w, uint64_t address, uint64_t value)
{
    struct vg_machine_warp *m = w->m;
    struct vg_poll *p = &m->poll[__builtin_ctz(w->exec)];
    if (!m->polled) {
        m->polled = true;
        for (unsigned l = 0; l < VG_LANES; l++) {
            m->poll[l] = (struct vg_poll){0};
        }
    }
    if (p->address != address || p->value != value) {
        *p = (struct vg_poll){address, value, 0};
    } else if (++p->times >= VG_POLLS) {
        m->slice = 1;
    }
}

void vg_fault(struct vg_warp *w, const struct vg_insn *i, enum vgpu_status status, uint32_t lanes,
              uint64_t address, const char *fmt, ...)
{
    struct vg_worker *wk = w->block->worker;
    w->m->stop = VG_STOP_FAULT;
    w->end = i + 1;
    if (wk->fault_block <= w->block->index) {
        return;
    }
    uint32_t lane = lanes != 0 ? (uint32_t)__builtin_ctz(lanes) : 0;
    struct vg_check_ctx at = vg_check_ctx(w->block);
    wk->fault_block = w->block->index;
    wk->fault = (struct vgpu_fault){
        .status = status,
        .func = w->code->func,
        .pc = vg_pc(w, i),
        .block = w->block->ctaid,
        .thread = vg_thread_of(&at, w->id, lane),
        .warp = w->id,
        .lane = lane,
        .lanes = lanes,
        .address = address,
    };
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(wk->fault.text, sizeof(wk->fault.text), fmt, ap);
    va_end(ap);
}
