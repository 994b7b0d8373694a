/* Exercise 7: measure the latency of one dependent load.
 *
 * A pointer chase follows a ring of nodes: each load's address is the value the load before it
 * returned, so the processor can neither overlap nor guess them, and time divided by steps is the
 * latency of the level of memory that holds the ring. Three mistakes give pretty numbers that mean
 * nothing: a permutation with several cycles (the walk stays in a small one, and in a small cache),
 * a result that nobody uses (the compiler removes the walk), and a single cold pass (page faults
 * and first misses are measured). The functions below are where each would be made.
 *
 * Thread-safety: no shared state; a ring belongs to one thread while it is linked.
 */
#ifndef MEMBENCH_E07_H
#define MEMBENCH_E07_H

#include <stddef.h>
#include <stdint.h>

#include "lab/rng.h"

#define MEMBENCH_REPS_MAX 64

struct membench_node {
    struct membench_node *next;
};

/* n nodes, node i at base + i·stride; stride is a multiple of the pointer's size. */
struct membench_ring {
    char *base;
    size_t n; /* 1 … 2^32 − 1 */
    size_t stride;
};

static inline struct membench_node *membench_ring_at(const struct membench_ring *ring, size_t i)
{
    return (struct membench_node *)(void *)(ring->base + i * ring->stride);
}

/* A clock that can be replaced, so that a test can see when it is read. */
struct membench_clock {
    uint64_t (*now_ns)(void *ctx);
    void *ctx;
};

struct membench_plan {
    uint64_t warm;  /* steps before the clock is read for the first time */
    uint64_t steps; /* steps of one repetition, ≥ 1 */
    int reps;       /* 1 … MEMBENCH_REPS_MAX */
};

struct membench_walk {
    double rep_ns[MEMBENCH_REPS_MAX]; /* per load, for each repetition in order */
    double min_ns;                    /* the smallest of them */
    const struct membench_node *end;  /* where the last step arrived: the sink */
};

/* Link the nodes into one cycle over all of them, in an order drawn from rng, every such cycle
 * equally likely. `order` is room for n numbers; on return it holds the cycle: node order[i] points
 * to node order[i+1], and the last one to order[0]. */
void membench_e07_link(const struct membench_ring *ring, uint32_t *order, struct lab_rng *rng);

/* Walk plan->warm steps from `start` without the clock, then plan->reps times plan->steps steps,
 * each repetition going on where the one before it ended, with exactly two readings of the clock
 * around it: one before its first step, one after its last. The minimum is the estimate: noise only
 * adds. */
struct membench_walk membench_e07_measure(const struct membench_node *start,
                                          const struct membench_plan *plan,
                                          const struct membench_clock *clock);

#endif
