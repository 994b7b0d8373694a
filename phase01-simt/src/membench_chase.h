/* The latency curve: the pointer chase of exercise 7 over rings of rising size.
 *
 * Thread-safety: the functions share no state and run on the calling thread; pin it first.
 */
#ifndef MEMBENCH_CHASE_H
#define MEMBENCH_CHASE_H

#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "membench_e07.h"
#include "membench_mem.h"
#include "membench_plateau.h"

#define MEMBENCH_LINE                                                                              \
    64 /* bytes between two nodes: one node a line, on every machine common today */

enum membench_order {
    MEMBENCH_RANDOM,     /* one random cycle: no prefetcher can guess the next line */
    MEMBENCH_SEQUENTIAL, /* each node points to the next line: what a prefetcher is built for */
};

struct membench_chase_config {
    enum membench_order order;
    enum membench_pages pages;
    int node;        /* MEMBENCH_ANY_NODE or a NUMA node */
    size_t stride;   /* bytes from one node to the next, ≥ 8 */
    int reps;        /* 1 … MEMBENCH_REPS_MAX */
    uint64_t rep_us; /* how long one repetition should take about */
    uint64_t seed;
};

struct membench_latency {
    double min_ns;
    double rep_ns[MEMBENCH_REPS_MAX];
    double huge_share; /* of the ring's memory that lay on huge pages; −1 unknown */
};

/* Measure one ring of `nodes` nodes. The walk is validated: after all its steps it must stand on
 * the node that the ring's order says, else a check error. Errors of membench_map_init besides. */
int membench_chase(const struct membench_chase_config *cfg, size_t nodes,
                   struct membench_latency *out, struct lab_err *err);

/* Link and measure in memory that is already mapped, with something to run before and after the
 * timed part (a counter, say). Either hook may be NULL. */
struct membench_hooks {
    void (*before)(void *ctx);
    void (*after)(void *ctx, uint64_t loads);
    void *ctx;
};
int membench_chase_in(const struct membench_chase_config *cfg, const struct membench_ring *ring,
                      const struct membench_hooks *hooks, struct membench_latency *out,
                      struct lab_err *err);

/* Sizes min, …, max: powers of two, and 3/2 of each where `halves`. Returns how many were stored,
 * at most MEMBENCH_SIZES_MAX. */
size_t membench_chase_sizes(size_t min, size_t max, size_t halves_up_to,
                            size_t out[MEMBENCH_SIZES_MAX]);

#endif
