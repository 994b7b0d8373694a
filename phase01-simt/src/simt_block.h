/* A block of warps, its memory and its clock: what runs a program.
 *
 * One instruction of one warp is issued per cycle. After LD a warp is ready again ld_latency cycles
 * later, after anything else in the next cycle.
 */
#ifndef SIMT_BLOCK_H
#define SIMT_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/err.h"
#include "simt_mask.h"
#include "simt_program.h"
#include "simt_reconv.h"

enum { SIMT_WARPS_MAX = 64 };

enum simt_policy {
    SIMT_STACK, /* one pc per warp and a mask stack */
    SIMT_ITS,   /* one pc per lane */
};
enum simt_sched { SIMT_RR, SIMT_GTO };

struct simt_config {
    unsigned warps; /* 1..SIMT_WARPS_MAX */
    enum simt_policy policy;
    enum simt_sched sched;
    uint32_t ld_latency; /* cycles, at least 1 */
    uint32_t mem_words;  /* at least 1 */
    uint64_t budget;     /* issues after which the run counts as hung */
};

/* The values of the command line's options when they are left out. */
enum {
    SIMT_DEFAULT_LD_LATENCY = 40,
    SIMT_DEFAULT_MEM_WORDS = 4096,
    SIMT_DEFAULT_BUDGET = 10000000,
};
extern const struct simt_config simt_config_default;

struct simt_warp {
    _Alignas(64) int32_t r[SIMT_REGS][SIMT_LANES];
    unsigned id;
    uint32_t live;                /* lanes that have not halted */
    struct simt_path path;        /* policy stack */
    uint32_t lane_pc[SIMT_LANES]; /* policy its */
    uint32_t waiting;             /* policy its: lanes that stand at a BAR */
    uint32_t last_pc;             /* policy its: the pc issued last, SIMT_NO_PC before the first */
    struct simt_counters count;
};

/* Which lanes an issue belongs to, for pictures. */
enum simt_side {
    SIMT_WHOLE, /* all live lanes issue together */
    SIMT_FELL,  /* policy stack: the side that falls through, of the top entry */
    SIMT_TOOK,  /* policy stack: the side that takes the branch */
    SIMT_PART,  /* policy its: some of the live lanes */
};

struct simt_event {
    uint64_t cycle;
    unsigned warp;
    uint32_t pc;
    uint32_t active;
    uint32_t live;
    enum simt_side side;
};
typedef void simt_observer(void *arg, const struct simt_event *event);

enum simt_fault { SIMT_FAULT_NONE, SIMT_FAULT_HANG, SIMT_FAULT_PROGRAM };

struct simt_block {
    const struct simt_program *prog; /* borrowed */
    struct simt_config cfg;
    int32_t *mem; /* mem_words words */
    struct simt_warp *warps;

    uint64_t cycle;             /* of the next issue; after the run, the cycles it took */
    uint64_t issues;            /* of all warps */
    uint64_t issues_first_done; /* and cycles, at the moment the first warp ended */
    uint64_t cycles_first_done;

    uint64_t unfinished, ready, stalled, at_bar; /* one bit per warp */
    uint64_t wake[SIMT_WARPS_MAX];               /* cycle at which a stalled warp is ready */
    int last;                                    /* warp that issued last, −1: none */

    enum simt_fault fault; /* why simt_block_run failed */
    uint32_t fault_pc;
    unsigned fault_warp;

    simt_observer *observe; /* called before each issue takes effect; NULL: nobody */
    void *observe_arg;
};

/* A block ready to run, memory and registers 0. Owned by the caller; simt_block_free. */
struct simt_block *simt_block_new(const struct simt_program *prog, const struct simt_config *cfg);
void simt_block_free(struct simt_block *b); /* NULL is allowed */

/* Back to the start: pcs, registers, counters, clock. Memory stays. */
void simt_block_reset(struct simt_block *b);

/* Run until every warp has ended: 0. −1 with an input error that names the place in the source for
 * a program that divides by 0, leaves memory, runs past its last instruction, stands at a BAR with
 * lanes missing, or is not done after cfg.budget issues; then `fault` says which kind and where.
 * Thread-safety: one thread per block. */
int simt_block_run(struct simt_block *b, struct lab_err *err);

/* The counters of all warps together (max_depth: the largest). */
struct simt_counters simt_block_count(const struct simt_block *b);

/* 100 · active_sum / (32 · issues); 0 without issues. */
double simt_util_pct(const struct simt_counters *n);

#endif
