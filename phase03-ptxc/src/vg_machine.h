/* The machine that runs warps: fragments, reconvergence, calls, barriers, blocks. Private to the
 * executor; the contract with the handlers is vg_exec.h.
 *
 * A warp's lanes are split into fragments: sets of lanes that stand at the same pc. The fragments
 * of a warp are a stack, and its top one runs. Where lanes part, a group remembers who parted and
 * the pc where they meet again (the immediate post-dominator of the branch); a lane that gets there
 * waits in the group, and when all of its lanes have come they go on as one fragment. A call makes
 * a group as well: its lanes meet at the function's end. So a group is an entry of the classic
 * reconvergence stack, but one that does not say which arm runs first: that freedom is what
 * independent thread scheduling needs.
 *
 * Policies. VGPU_POLICY_STACK runs the top fragment to the end, as hardware before Volta did.
 * VGPU_POLICY_ITS does the same as long as it makes progress; a fragment that blocks (a barrier, a
 * .sync instruction that waits for other lanes) or loops for long goes to the bottom of the stack,
 * and when nobody else can run, lanes that wait in a group are let go on without the rest.
 *
 * Thread-safety: a block and all of its warps belong to one worker thread.
 */
#ifndef VG_MACHINE_H
#define VG_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx_cfg.h"
#include "vg_check.h"
#include "vg_code.h"
#include "vg_count.h"
#include "vg_exec.h"
#include "vg_memory.h"
#include "vg_shadow.h"
#include "vgpu.h"

#define VG_MAX_WARPS  32   /* of a block: 1024 threads on every chip described */
#define VG_CALL_LIMIT 4096 /* frames deep */
#define VG_SLICE      2048 /* backward branches and calls before others get a turn */
#define VG_PATIENCE   128  /* slices in a row before waiting lanes are let go on without the rest */
#define VG_POLLS      32   /* polls of unchanged memory after which a warp is taken to wait */

/* The registers and the call of one function for some lanes. */
struct vg_frame {
    const struct vg_code *code;
    uint8_t *regs;
    uint32_t local_base; /* of the frame in the lanes' local memory */
    uint32_t depth;
    const struct vg_insn *call; /* in the caller; NULL for the kernel */
    struct vg_frame *caller;    /* NULL for the kernel */
    struct vg_frame *next_free, *next_all;
};

struct vg_group {
    uint32_t mask;           /* lanes that will come: exited and released ones are taken out */
    uint32_t arrived;        /* of them, those that wait here */
    uint32_t pc;             /* where; PTX_NO_INSN: the end of `callee` */
    bool leaves;             /* all that happens there is that the kernel ends for them */
    struct vg_frame *frame;  /* in which they go on */
    struct vg_frame *callee; /* a call's group: the frame they are in; else NULL */
    struct vg_group *parent; /* NULL: the warp's own */
    struct vg_group *next_free, *next_all;
};

enum vg_frag_state {
    VG_FRAG_READY,
    VG_FRAG_BARRIER, /* waits at barrier bar_id */
    VG_FRAG_SYNC,    /* waits for lanes at the .sync instruction before pc */
};

struct vg_frag {
    uint32_t mask, pc;
    struct vg_frame *frame;
    struct vg_group *group;
    enum vg_frag_state state;
    uint32_t bar_id;
    const struct vg_insn *sync; /* VG_FRAG_SYNC, VG_FRAG_BARRIER: where */
    uint32_t members;           /* VG_FRAG_SYNC */
};

/* Why the run loop of a warp came back. */
enum vg_stop {
    VG_STOP_NONE,
    VG_STOP_DONE,  /* every lane exited */
    VG_STOP_WAIT,  /* no fragment can run: barriers, .sync */
    VG_STOP_YIELD, /* others should have a turn */
    VG_STOP_FAULT,
};

/* How often a straight run was started at this pc, and with how many lanes in all. */
struct vg_run_count {
    uint64_t times, lanes;
};

/* What a lane saw when it polled last, and how often in a row it was the same. */
struct vg_poll {
    uint64_t address, value;
    uint32_t times;
};

/* What an address register held: each half warp's addresses as first + k · step. */
struct vg_line {
    uint64_t first[2];
    int64_t step[2];
    uint64_t low, span; /* the lowest of all 32, and from it to the highest */
    uint64_t bits;      /* every bit that is set in one of firsts and steps: for alignment */
    bool is_line;
};

/* What the last counted access through a line cost: the same again for one that differs only by an
 * offset which keeps banks or sectors apart as they were. */
struct vg_memo {
    uint32_t mods; /* of the access; 0: nothing is known */
    uint32_t mask; /* bits in which the offsets may not differ: 3 in shared memory, else 31 */
    int64_t imm;
    uint64_t passes; /* wavefronts or sectors */
    uint64_t other;  /* conflicts or ideal sectors */
    uint64_t bytes;
};

#define VG_LINES 16 /* a warp keeps so many; the last one is for accesses that keep nothing */

struct vg_machine_warp {
    enum vg_stop stop;
    uint32_t reconv; /* the pc of the running fragment's group */
    uint32_t slice;  /* backward branches left before others get a turn */
    uint32_t nfrags;
    struct vg_frag frags[VG_LANES]; /* the last one runs */
    struct vg_frame *frame;         /* of the running fragment */
    struct vg_group *group;
    struct vg_run_count *counts; /* of the running function, by pc; NULL: counters are off */
    struct vg_frame entry;       /* the kernel's frame */
    uint64_t issued_seen;        /* of w->issued, what the block's budget has counted */
    uint32_t patience;           /* slices in a row with lanes waiting */
    struct vg_line lines[VG_LINES];
    struct vg_memo memos[VG_LINES]; /* by line */
    struct vg_counts *counted;      /* records of the running function, by pc; NULL with counts */
    struct vg_poll poll[VG_LANES];  /* by the lowest lane that polls */
    bool polled;                    /* an entry of `poll` is in use */
    bool polling;                   /* in its last turn it only found unchanged memory */
    bool entry_ready;               /* constants of the kernel's frame are written */
};

struct vg_barrier {
    uint32_t expected;            /* threads; 0: all of the block */
    uint32_t warps;               /* bit per warp with a lane here */
    uint32_t full;                /* of them, those with all lanes that have not exited */
    uint32_t passing;             /* of them, those that only arrived and went on (bar.arrive) */
    uint32_t votes, voters;       /* bar.red: lanes whose predicate is true, and lanes */
    uint32_t lanes[VG_MAX_WARPS]; /* lanes of each warp that are here */
};

struct vg_launch_state;
struct vg_worker;

/* A block that runs. Its memory is used again for the next one. */
struct vg_block {
    uint8_t *shared;
    uint64_t shared_limit; /* bytes an access may reach */
    uint8_t *local;        /* warp by warp: rows of 4 bytes over the 32 lanes */
    uint64_t local_bytes;  /* a lane, all frames; a multiple of 16 */
    struct vg_mem_view mem;
    struct vg_worker *worker;
    const struct vg_launch_state *launch;
    struct vgpu_dim ctaid;
    uint64_t index; /* linear, x fastest */
    uint32_t nwarps, done_warps;
    uint32_t live;   /* bit per warp with a lane that has not exited */
    uint64_t issued; /* as the budget has seen it */
    struct vg_warp *warps;
    struct vg_machine_warp *mwarps;
    uint8_t *frames; /* the kernel's registers, warp by warp */
    struct vg_barrier bars[VG_BARRIERS];
    uint32_t bars_used; /* bit per barrier somebody waits at */
    struct vg_frame *all_frames, *free_frames;
    struct vg_group *all_groups, *free_groups;
    struct vg_shadow *shadow; /* NULL: no check wants it */
    struct lab_buf printed;
    struct vg_async *async; /* cp.async copies under way, by warp; NULL: none ever */
    struct vg_block *next;
};

/* --- handlers that the decoder itself needs --- */
void vg_run_guarded(struct vg_warp *w, const struct vg_insn *i);

/* --- vg_machine.c --- */
/* Run the warp until it stops; the reason is in w->m->stop. */
void vg_warp_run(struct vg_warp *w);
/* A backward branch or a call: see VG_SLICE. */
void vg_slice_over(struct vg_warp *w, const struct vg_insn *i);
static inline void vg_back_edge(struct vg_warp *w, const struct vg_insn *i)
{
    if (--w->m->slice == 0) {
        vg_slice_over(w, i);
    }
}
/* The others' turn: `asleep` when the warp itself says that it waits. */
void vg_take_turns(struct vg_warp *w, bool asleep);
/* A load or atomic that may be polling saw `value` at `address` (its first lane's). */
void vg_poll(struct vg_warp *w, uint64_t address, uint64_t value);
/* The instruction's index in its function. */
static inline uint32_t vg_pc(const struct vg_warp *w, const struct vg_insn *i)
{
    return (uint32_t)(i - w->code->insns);
}
/* The guard's lanes among all 32. */
static inline uint32_t vg_guard(const struct vg_warp *w, const struct vg_insn *i)
{
    uint32_t p = VG_PRED(w, i->guard);
    return (i->mods & VG_GUARD_NEG) != 0 ? ~p : p;
}

/* --- vg_frag.c: fragments and groups --- */
/* All lanes of w->alive at the kernel's first instruction. */
void vg_frag_start(struct vg_warp *w);
/* The running fragment parts: `taken` goes to target, the rest to w->pc; they meet at reconv. */
void vg_frag_branch(struct vg_warp *w, uint32_t taken, uint32_t target, uint32_t reconv);
/* The running fragment has reached its group's pc. */
void vg_frag_arrive(struct vg_warp *w);
/* These lanes of the running fragment are gone: exited, or returned from the function. */
void vg_frag_exit(struct vg_warp *w, uint32_t lanes);
void vg_frag_return(struct vg_warp *w, uint32_t lanes);
/* The running fragment goes on in a function that is called. */
void vg_frag_call(struct vg_warp *w, struct vg_frame *callee);
/* Split `lanes` off the running fragment; they stay at instruction i and run after it. All meet
 * again after the instruction. */
void vg_frag_split(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes);
/* The running fragment cannot go on, for this reason, at instruction i: it is saved so. Then either
 * somebody makes it ready again at once, or vg_frag_next runs another one or stops the warp. */
void vg_frag_hold(struct vg_warp *w, enum vg_frag_state why, const struct vg_insn *i);
void vg_frag_next(struct vg_warp *w);
/* Under a guard the lanes whose guard is false go past instruction i and wait behind it, so that
 * the rest may block. */
void vg_frag_skip(struct vg_warp *w, const struct vg_insn *i);
/* It has run for long: the others first (ITS). With `let_go`, lanes that wait in a group as well.
 */
void vg_frag_rotate(struct vg_warp *w, bool let_go);
/* Write the running fragment back to the stack. */
void vg_frag_save(struct vg_warp *w);
/* Take up the top fragment that can run; false when there is none. */
bool vg_frag_pick(struct vg_warp *w);

/* --- vg_call.c: frames --- */
struct vg_frame *vg_frame_push(struct vg_warp *w, const struct vg_code *code,
                               const struct vg_insn *i);
void vg_frame_drop(struct vg_warp *w, struct vg_frame *f);
/* Write the slots that depend on launch, block, warp and the frame's place in local memory. */
void vg_frame_fill(struct vg_warp *w, struct vg_frame *f);
/* Copy the results of `lanes` from the callee to where its caller reads them. */
void vg_call_results(struct vg_warp *w, struct vg_frame *callee, uint32_t lanes);

/* --- vg_bar.c --- */
/* Lanes of the warp have exited: barriers that only waited for them open. */
void vg_barrier_exit(struct vg_warp *w);
/* bar.sync, or barrier.sync.aligned: all lanes of a warp execute it together. */
bool vg_bar_is_aligned(const struct vg_insn *i);

/* --- vg_sync.c --- */
/* Lanes exited or arrived: .sync instructions of the warp that now have all members go on. */
void vg_sync_retry(struct vg_warp *w);

#endif
