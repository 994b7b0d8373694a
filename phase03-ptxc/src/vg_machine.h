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

#include "vg_check.h"
#include "vg_code.h"
#include "vg_count.h"
#include "vg_exec.h"
#include "vg_memory.h"
#include "vgpu.h"

#define VG_BARRIERS   16
#define VG_MAX_WARPS  64   /* of a block: 2048 threads; no chip takes more than 1024 */
#define VG_CALL_LIMIT 512  /* frames deep */
#define VG_SLICE      4096 /* backward branches and calls before others get a turn */

/* The registers and the call of one function for some lanes. */
struct vg_frame {
    const struct vg_code *code;
    uint8_t *regs;
    uint32_t local_base; /* of the frame in the lanes' local memory */
    uint32_t depth;
    uint64_t block_serial;      /* for which block its special registers were written */
    const struct vg_insn *call; /* in the caller; NULL for the kernel */
    struct vg_frame *caller;    /* NULL for the kernel */
    struct vg_frame *next_free;
};

struct vg_group {
    uint32_t mask;           /* lanes that will come: exited and released ones are taken out */
    uint32_t arrived;        /* of them, those that wait here */
    uint32_t pc;             /* where; PTX_NO_INSN: the end of `callee` */
    struct vg_frame *callee; /* a call's group: its frame; else NULL */
    struct vg_group *parent; /* NULL: the warp's own */
    struct vg_group *next_free;
};

enum vg_frag_state {
    VG_FRAG_READY,
    VG_FRAG_BARRIER, /* waits at bar_id */
    VG_FRAG_SYNC,    /* waits for lanes at the .sync instruction before pc */
};

struct vg_frag {
    uint32_t mask, pc;
    struct vg_frame *frame;
    struct vg_group *group;
    enum vg_frag_state state;
    uint32_t bar_id;
    const struct vg_insn *sync; /* VG_FRAG_SYNC */
    uint32_t sync_mask;
};

/* Why the run loop of a warp came back. */
enum vg_stop {
    VG_STOP_NONE,
    VG_STOP_DONE,  /* every lane exited */
    VG_STOP_WAIT,  /* no fragment can run: barriers, .sync */
    VG_STOP_YIELD, /* the slice is over, or it polls memory that nobody has changed */
    VG_STOP_FAULT,
};

struct vg_machine_warp {
    enum vg_stop stop;
    uint32_t reconv; /* the pc of the running fragment's group */
    uint32_t slice;  /* backward branches left before others get a turn */
    uint32_t nfrags;
    struct vg_frag frags[VG_LANES]; /* the last one runs */
    struct vg_frame *frame;         /* of the running fragment */
    struct vg_group *group;
    struct vg_frame *free_frames;
    struct vg_group *free_groups;
    struct vg_run_count *counts; /* of the running function, by pc; NULL: counters are off */
    uint32_t polls;              /* times in a row that polled memory had not changed */
    uint64_t poll_value, poll_address;
    bool waits;                  /* in this turn it only polled or waited */
    uint32_t cp_open, cp_groups; /* cp.async: copies since the last commit, groups in flight */
};

/* How often a straight run was started at this pc, and with how many lanes in all. */
struct vg_run_count {
    uint64_t times, lanes;
};

struct vg_barrier {
    uint32_t arrived;   /* threads, in whole warps as they complete */
    uint32_t expected;  /* threads; 0: nobody has come yet, or all of the block */
    uint64_t warps;     /* warps with a lane here */
    uint32_t red_count; /* bar.red: lanes whose predicate is true */
    uint32_t red_lanes; /* … and how many lanes voted */
    uint32_t lanes[VG_MAX_WARPS];
    bool all; /* the barrier is for the whole block */
};

struct vg_launch_state; /* vg_launch.h: what all blocks of a launch share */
struct vg_worker;       /* vg_launch.h: one host thread */

struct vg_block {
    uint8_t *shared;
    uint32_t shared_limit; /* bytes an access may reach */
    uint32_t local_bytes;  /* a lane, all frames */
    uint8_t *local;        /* warp by warp: rows of 4 bytes over the 32 lanes */
    struct vg_mem_view mem;
    struct vg_worker *worker;
    const struct vg_launch_state *launch;
    struct vgpu_dim ctaid;
    uint64_t index;  /* linear, x fastest */
    uint64_t serial; /* unlike that of any other block this memory was used for */
    uint32_t nwarps, nthreads, done_warps;
    uint64_t issued; /* of warps that are done */
    struct vg_warp *warps;
    struct vg_machine_warp *mwarps;
    uint8_t *frames; /* the kernel's frames, one a warp */
    struct vg_barrier bars[VG_BARRIERS];
    struct vg_shadow *shadow; /* NULL: no check wants it */
    struct vg_block *next;
};

/* --- handlers that the decoder itself needs --- */
void vg_run_guarded(struct vg_warp *w, const struct vg_insn *i);
void vg_op_ret(struct vg_warp *w, const struct vg_insn *i);

/* --- vg_machine.c --- */
/* Run the warp until it stops; the reason is in w->m->stop. */
void vg_warp_run(struct vg_warp *w);
/* The instruction's index in its function. */
static inline uint32_t vg_pc(const struct vg_warp *w, const struct vg_insn *i)
{
    return (uint32_t)(i - w->code->insns);
}

/* --- vg_frag.c: fragments and groups --- */
/* All lanes of `alive` at the kernel's first instruction. */
void vg_frag_start(struct vg_warp *w, struct vg_frame *frame);
/* The running fragment parts: `taken` goes to target, the rest to the instruction after i; they
 * meet at reconv. The rest runs first. */
void vg_frag_branch(struct vg_warp *w, uint32_t taken, uint32_t target, uint32_t reconv);
/* The running fragment has reached its group's pc. */
void vg_frag_arrive(struct vg_warp *w);
/* These lanes of the running fragment are gone: exited, or returned from the function. */
void vg_frag_exit(struct vg_warp *w, uint32_t lanes);
void vg_frag_return(struct vg_warp *w, uint32_t lanes);
/* The running fragment goes on in a function that was just called. */
void vg_frag_call(struct vg_warp *w, struct vg_frame *callee);
/* Split `lanes` off the running fragment; they stay at this instruction and run after it. All meet
 * again after the instruction. */
void vg_frag_split(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes);
/* The running fragment cannot go on: run another one, or stop the warp. */
void vg_frag_block(struct vg_warp *w);
/* It has run for long: the others first (ITS), other warps as well. */
void vg_frag_yield(struct vg_warp *w);
/* Pick up the top fragment that can run; false when there is none. */
bool vg_frag_pick(struct vg_warp *w);
void vg_frag_free(struct vg_warp *w);

/* --- vg_call.c: frames --- */
struct vg_frame *vg_frame_new(struct vg_warp *w, const struct vg_code *code);
void vg_frame_drop(struct vg_warp *w, struct vg_frame *f);
/* Write what depends on block, warp and place in local memory. */
void vg_frame_fill(struct vg_warp *w, struct vg_frame *f);
/* Copy the results of `lanes` from the callee to where its caller reads them. */
void vg_call_results(struct vg_warp *w, struct vg_frame *callee, uint32_t lanes);

/* --- vg_bar.c --- */
/* Lanes of a warp have exited: barriers that only waited for them open. */
void vg_barrier_exit(struct vg_warp *w);

#endif
