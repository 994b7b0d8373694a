/* The block: who issues in which cycle, and when it is over.
 *
 * Problem: while one warp waits for memory, others can issue. How many does it take to keep the one
 * issue slot busy, and does it matter who goes first? Model: a cycle issues one instruction of one
 * ready warp, chosen by the scheduler. LD takes the warp out of the ready set for ld_latency
 * cycles; BAR until every unfinished warp stands at one. Cycles in which no warp is ready pass
 * without an issue.
 * Invariants: ready, stalled and at_bar are disjoint and together are `unfinished`; at_bar is never
 * all of it. So every cycle either issues or ends a stall, and a run without an end always meets
 * the budget.
 *
 * Simplified: real SMs have four schedulers, dual pipelines, scoreboards that let a warp run on
 * until it needs the loaded value, and a queue of blocks that replace finished ones.
 */
#include "simt_block.h"

#include <stdlib.h>
#include <string.h>

#include "simt_its.h"
#include "simt_pick.h"
#include "simt_warp.h"

const struct simt_config simt_config_default = {
    .warps = 1,
    .policy = SIMT_STACK,
    .sched = SIMT_RR,
    .ld_latency = SIMT_DEFAULT_LD_LATENCY,
    .mem_words = SIMT_DEFAULT_MEM_WORDS,
    .budget = SIMT_DEFAULT_BUDGET,
};

struct simt_block *simt_block_new(const struct simt_program *prog, const struct simt_config *cfg)
{
    LAB_ASSERT(cfg->warps >= 1 && cfg->warps <= SIMT_WARPS_MAX);
    LAB_ASSERT(cfg->ld_latency >= 1 && cfg->mem_words >= 1);
    struct simt_block *b = lab_alloc(1, sizeof(*b));
    b->prog = prog;
    b->cfg = *cfg;
    b->mem = lab_alloc(cfg->mem_words, sizeof(*b->mem));
    size_t bytes = cfg->warps * sizeof(*b->warps);
    b->warps = aligned_alloc(_Alignof(struct simt_warp), bytes);
    LAB_ASSERT(b->warps != NULL);
    simt_block_reset(b);
    return b;
}

void simt_block_free(struct simt_block *b)
{
    if (b == NULL) {
        return;
    }
    free(b->mem);
    free(b->warps);
    free(b);
}

void simt_block_reset(struct simt_block *b)
{
    memset(b->warps, 0, b->cfg.warps * sizeof(*b->warps));
    for (unsigned i = 0; i < b->cfg.warps; i++) {
        simt_warp_init(&b->warps[i], i);
    }
    b->cycle = b->issues = 0;
    b->issues_first_done = b->cycles_first_done = 0;
    b->unfinished = UINT64_MAX >> (SIMT_WARPS_MAX - b->cfg.warps);
    b->ready = b->unfinished;
    b->stalled = b->at_bar = 0;
    b->last = -1;
    b->fault = SIMT_FAULT_NONE;
}

/* Make the warps ready whose load has arrived; the cycle at which the next one does. */
static uint64_t wake(struct simt_block *b)
{
    uint64_t next = UINT64_MAX;
    for (uint64_t todo = b->stalled; todo != 0; todo &= todo - 1) {
        unsigned w = (unsigned)__builtin_ctzll(todo);
        if (b->wake[w] <= b->cycle) {
            b->stalled &= ~(UINT64_C(1) << w);
            b->ready |= UINT64_C(1) << w;
        } else if (b->wake[w] < next) {
            next = b->wake[w];
        }
    }
    return next;
}

/* If every unfinished warp stands at a BAR, all go on. */
static void release_bar(struct simt_block *b)
{
    if (b->at_bar == 0 || b->at_bar != b->unfinished) {
        return;
    }
    for (unsigned i = 0; i < b->cfg.warps; i++) {
        simt_warp_release(&b->warps[i]);
    }
    b->ready |= b->at_bar;
    b->at_bar = 0;
}

static void settle(struct simt_block *b, unsigned w, enum simt_outcome outcome)
{
    uint64_t bit = UINT64_C(1) << w;
    b->ready &= ~bit;
    switch (outcome) {
    case SIMT_LOADS:
        b->stalled |= bit;
        b->wake[w] = b->cycle - 1 + b->cfg.ld_latency;
        break;
    case SIMT_WAITS_BAR: b->at_bar |= bit; break;
    default:
        LAB_ASSERT(outcome == SIMT_ENDED);
        b->unfinished &= ~bit;
        if (b->cycles_first_done == 0) {
            b->cycles_first_done = b->cycle;
            b->issues_first_done = b->issues;
        }
    }
    release_bar(b);
}

int simt_fail(struct simt_block *b, const struct simt_warp *w, uint32_t pc)
{
    b->fault = SIMT_FAULT_PROGRAM;
    b->fault_pc = pc;
    b->fault_warp = w->id;
    return -1;
}

int simt_broken(struct simt_block *b, const struct simt_warp *w, uint32_t pc, struct lab_err *err,
                const char *what)
{
    (void)lab_err_check(err, "warp %u at pc %u: %s", w->id, pc, what);
    return simt_fail(b, w, pc);
}

static void mask_text(uint32_t mask, char text[SIMT_LANES + 1])
{
    for (int i = 0; i < SIMT_LANES; i++) {
        text[i] = (mask >> i & 1) != 0 ? '#' : '.';
    }
    text[SIMT_LANES] = '\0';
}

/* The warp that issued last is the one that goes round in circles; say where and who waits. */
static int hang(struct simt_block *b, struct lab_err *err)
{
    const struct simt_warp *w = &b->warps[b->last < 0 ? 0 : b->last];
    bool stack = b->cfg.policy == SIMT_STACK;
    uint32_t pc = stack ? w->path.pc : w->last_pc;
    uint32_t active = stack ? w->path.active : w->live & ~w->waiting;
    char running[SIMT_LANES + 1];
    char waiting[SIMT_LANES + 1];
    mask_text(active, running);
    mask_text(w->live & ~active, waiting);
    (void)simt_error_at(b->prog, pc, err,
                        "no end after %llu issues: warp %u is at pc %u, active lanes %s, waiting "
                        "lanes %s; expected every lane to reach HALT",
                        (unsigned long long)b->issues, w->id, pc, running, waiting);
    (void)simt_fail(b, w, pc);
    b->fault = SIMT_FAULT_HANG;
    return -1;
}

/* The warp to issue from; −1 when the scheduler chose one that is not ready. */
static int pick(const struct simt_block *b)
{
    int w = b->cfg.sched == SIMT_RR ? simt_pick_rr(b->ready, b->last)
                                    : simt_pick_gto(b->ready, b->last);
    return w >= 0 && w < SIMT_WARPS_MAX && (b->ready >> w & 1) != 0 ? w : -1;
}

/* Issue from this warp: once, or, as long as there is no choice to make, until something changes.
 */
static int issue(struct simt_block *b, struct simt_warp *w, struct lab_err *err)
{
    bool alone = (b->ready & (b->ready - 1)) == 0 && b->stalled == 0;
    int outcome = SIMT_GOES_ON;
    do {
        outcome =
            b->cfg.policy == SIMT_STACK ? simt_step_stack(b, w, err) : simt_step_its(b, w, err);
        b->cycle += outcome >= 0;
    } while (outcome == SIMT_GOES_ON && alone && b->issues < b->cfg.budget);
    return outcome;
}

int simt_block_run(struct simt_block *b, struct lab_err *err)
{
    while (b->unfinished != 0) {
        uint64_t next = b->stalled != 0 ? wake(b) : 0;
        if (b->ready == 0) {
            LAB_ASSERT(next > b->cycle && next != UINT64_MAX);
            b->cycle = next;
            continue;
        }
        if (b->issues >= b->cfg.budget) {
            return hang(b, err);
        }
        int w = pick(b);
        if (w < 0) {
            return simt_broken(b, &b->warps[0], 0, err,
                               "the scheduler chose a warp that is not ready");
        }
        b->last = w;
        int outcome = issue(b, &b->warps[w], err);
        if (outcome < 0) {
            return -1;
        }
        if (outcome != SIMT_GOES_ON) {
            settle(b, (unsigned)w, (enum simt_outcome)outcome);
        }
    }
    return 0;
}

struct simt_counters simt_block_count(const struct simt_block *b)
{
    struct simt_counters sum = {0};
    for (unsigned i = 0; i < b->cfg.warps; i++) {
        const struct simt_counters *n = &b->warps[i].count;
        sum.issues += n->issues;
        sum.active_sum += n->active_sum;
        sum.body += n->body;
        sum.loads += n->loads;
        sum.max_depth = n->max_depth > sum.max_depth ? n->max_depth : sum.max_depth;
    }
    return sum;
}

double simt_util_pct(const struct simt_counters *n)
{
    return n->issues == 0 ? 0 : 100.0 * (double)n->active_sum / (double)(SIMT_LANES * n->issues);
}
