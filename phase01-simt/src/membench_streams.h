/* The lab's access streams, sent through the cache simulator instead of the machine.
 *
 * Deterministic: the same configuration and seed give the same counts everywhere. Memory addresses
 * are the program's own, starting at 0, so no allocator plays a part. Thread-safety: no shared
 * state.
 */
#ifndef MEMBENCH_STREAMS_H
#define MEMBENCH_STREAMS_H

#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "membench_cache.h"

enum membench_sim_kind {
    MEMBENCH_SIM_CHASE_RANDOM,     /* size: bytes of the ring, one node a line */
    MEMBENCH_SIM_CHASE_SEQUENTIAL, /* the same */
    MEMBENCH_SIM_CHASE_PAGES,      /* size: nodes, one on each page, on changing lines */
    MEMBENCH_SIM_STRIDE,           /* size: elements of 4 bytes between two accesses */
    MEMBENCH_SIM_VECTOR_ADD,       /* size: elements */
    MEMBENCH_SIM_MATMUL_NAIVE,     /* size: rows; i, j, k */
    MEMBENCH_SIM_MATMUL_TILED,     /* size: rows; tile: rows of a tile */
};

struct membench_sim_stream {
    const char *name;
    enum membench_sim_kind kind;
    size_t size, tile;
};

struct membench_sim_result {
    uint64_t accesses;
    struct membench_counts level[MEMBENCH_LEVELS_MAX];
    struct membench_counts tlb;
    uint64_t dirty;        /* lines still dirty at the end */
    uint64_t memory_bytes; /* to and from memory, the dirty lines included */
    double flop;           /* of the algorithm; 0 for the chases and strides */
};

/* The streams of `membench model`, in order; *n of them. */
const struct membench_sim_stream *membench_sim_streams(size_t *n);

/* Run one through a cache of its own. The chases make one pass to warm up and count a second one;
 * the others start cold, so their compulsory misses count. */
int membench_sim_run(const struct membench_sim_stream *s, const struct membench_cache_config *cfg,
                     uint64_t seed, struct membench_sim_result *out, struct lab_err *err);

/* Closed form for a ring in steady state under LRU: of `lines` lines at stride 1 spread over `sets`
 * sets of `ways`, a set with more lines than ways misses on every step (each line comes back only
 * after all others of its set), a set with at most `ways` never does. Returns the misses of one
 * pass. */
uint64_t membench_ring_misses(uint64_t lines, uint64_t sets, uint64_t ways);

#endif
