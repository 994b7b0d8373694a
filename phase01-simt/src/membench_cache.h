/* A small cache simulator: set-associative levels with LRU, write-allocate and write-back, and a
 * TLB. It counts exactly, so it is the deterministic twin of the measurements.
 *
 * Thread-safety: one thread at a time per simulator.
 */
#ifndef MEMBENCH_CACHE_H
#define MEMBENCH_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"

#define MEMBENCH_LEVELS_MAX 4

struct membench_geometry {
    size_t bytes; /* capacity: ways · line · a whole number of sets */
    size_t ways;  /* ≤ 4096; ways = bytes/line is fully associative */
};

struct membench_cache_config {
    size_t nlevels; /* 1 … MEMBENCH_LEVELS_MAX, nearest first */
    struct membench_geometry level[MEMBENCH_LEVELS_MAX];
    size_t line;        /* bytes, a power of two */
    size_t tlb_entries; /* 0: no TLB */
    size_t tlb_ways;
    size_t page; /* bytes, a power of two */
};

struct membench_counts {
    uint64_t hits, misses; /* of demand accesses that reached this level */
    uint64_t writebacks;   /* dirty lines this level sent to the next one, or to memory */
};

struct membench_cache;

/* NULL with an input error when the geometry is impossible. */
struct membench_cache *membench_cache_new(const struct membench_cache_config *cfg,
                                          struct lab_err *err);
void membench_cache_free(struct membench_cache *c);

/* One access of at most a line's length that does not cross a line. */
void membench_cache_access(struct membench_cache *c, uint64_t address, bool write);

/* Counters to zero; what is cached stays. */
void membench_cache_reset_counts(struct membench_cache *c);

struct membench_counts membench_cache_counts(const struct membench_cache *c, size_t level);
struct membench_counts membench_cache_tlb(const struct membench_cache *c);

/* Lines that are dirty somewhere, so would still have to be written to memory. */
uint64_t membench_cache_dirty(const struct membench_cache *c);

/* Bytes to and from memory so far: (misses + writebacks) of the last level, times the line. */
uint64_t membench_cache_memory_bytes(const struct membench_cache *c);

#endif
