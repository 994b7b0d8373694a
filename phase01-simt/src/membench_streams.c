/* The problem: what does each measured loop ask of the caches, counted instead of timed?
 *
 * The model: the loops of the lab as sequences of addresses, element by element. What a register
 * holds (a sum, a row of sums of a tile) is no access. Invariants: the order of a ring does not
 * change its counts under LRU, so the random and the sequential chase agree to the last miss; the
 * difference a machine shows between them is the prefetcher's alone. Simplified: one access per
 * element, also where a vector instruction fetches sixteen at once.
 */
#include "membench_streams.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "lab/rng.h"

#define KIB        ((size_t)1 << 10)
#define MIB        ((size_t)1 << 20)
#define STRIDE_MEM MIB /* bytes the strides walk over */
#define FLOAT      4

static const struct membench_sim_stream streams[] = {
    {"chase_random", MEMBENCH_SIM_CHASE_RANDOM, 16 * KIB, 0},
    {"chase_random", MEMBENCH_SIM_CHASE_RANDOM, 48 * KIB, 0},
    {"chase_random", MEMBENCH_SIM_CHASE_RANDOM, 50 * KIB, 0},
    {"chase_random", MEMBENCH_SIM_CHASE_RANDOM, 64 * KIB, 0},
    {"chase_random", MEMBENCH_SIM_CHASE_RANDOM, 2 * MIB, 0},
    {"chase_random", MEMBENCH_SIM_CHASE_RANDOM, 4 * MIB, 0},
    {"chase_sequential", MEMBENCH_SIM_CHASE_SEQUENTIAL, 64 * KIB, 0},
    {"chase_sequential", MEMBENCH_SIM_CHASE_SEQUENTIAL, 4 * MIB, 0},
    {"chase_pages", MEMBENCH_SIM_CHASE_PAGES, 64, 0},
    {"chase_pages", MEMBENCH_SIM_CHASE_PAGES, 128, 0},
    {"stride", MEMBENCH_SIM_STRIDE, 1, 0},
    {"stride", MEMBENCH_SIM_STRIDE, 4, 0},
    {"stride", MEMBENCH_SIM_STRIDE, 8, 0},
    {"stride", MEMBENCH_SIM_STRIDE, 16, 0},
    {"stride", MEMBENCH_SIM_STRIDE, 32, 0},
    {"stride", MEMBENCH_SIM_STRIDE, 128, 0},
    {"vector_add", MEMBENCH_SIM_VECTOR_ADD, MIB, 0},
    {"matmul_naive", MEMBENCH_SIM_MATMUL_NAIVE, 192, 0},
    {"matmul_b16", MEMBENCH_SIM_MATMUL_TILED, 192, 16},
    {"matmul_b32", MEMBENCH_SIM_MATMUL_TILED, 192, 32},
    {"matmul_b64", MEMBENCH_SIM_MATMUL_TILED, 192, 64},
};

const struct membench_sim_stream *membench_sim_streams(size_t *n)
{
    *n = sizeof(streams) / sizeof(streams[0]);
    return streams;
}

struct sim {
    struct membench_cache *cache;
    uint64_t accesses;
};

static void load(struct sim *s, uint64_t address)
{
    s->accesses++;
    membench_cache_access(s->cache, address, false);
}

static void store(struct sim *s, uint64_t address)
{
    s->accesses++;
    membench_cache_access(s->cache, address, true);
}

static void chase(struct sim *s, const struct membench_sim_stream *what, size_t line, size_t page,
                  uint64_t seed)
{
    bool pages = what->kind == MEMBENCH_SIM_CHASE_PAGES;
    size_t stride = pages ? page + line : line;
    size_t n = pages ? what->size : what->size / line;
    uint32_t *order = lab_alloc(n, sizeof(*order));
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
    }
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    if (what->kind != MEMBENCH_SIM_CHASE_SEQUENTIAL) {
        lab_rng_shuffle(&rng, order, n);
    }
    for (int pass = 0; pass < 2; pass++) {
        membench_cache_reset_counts(s->cache);
        s->accesses = 0;
        for (size_t i = 0; i < n; i++) {
            load(s, (uint64_t)order[i] * stride);
        }
    }
    free(order);
}

static void vector_add(struct sim *s, size_t n)
{
    uint64_t b = (uint64_t)n * FLOAT, c = 2 * b;
    for (uint64_t i = 0; i < n; i++) {
        load(s, i * FLOAT);
        load(s, b + i * FLOAT);
        store(s, c + i * FLOAT);
    }
}

static void matmul_naive(struct sim *s, uint64_t n)
{
    uint64_t b = n * n * FLOAT, c = 2 * b;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++) {
            for (uint64_t k = 0; k < n; k++) {
                load(s, (i * n + k) * FLOAT);
                load(s, b + (k * n + j) * FLOAT);
            }
            store(s, c + (i * n + j) * FLOAT);
        }
    }
}

/* One product of two tiles, at rows i0, columns j0, depth k0: membench_kern.c's loop with one row
 * of sums. */
static void tile(struct sim *s, uint64_t n, uint64_t t, const uint64_t at[3])
{
    uint64_t b = n * n * FLOAT, c = 2 * b;
    for (uint64_t i = at[0]; i < at[0] + t; i++) {
        for (uint64_t j = at[1]; j < at[1] + t; j++) {
            load(s, c + (i * n + j) * FLOAT);
        }
        for (uint64_t k = at[2]; k < at[2] + t; k++) {
            load(s, (i * n + k) * FLOAT);
            for (uint64_t j = at[1]; j < at[1] + t; j++) {
                load(s, b + (k * n + j) * FLOAT);
            }
        }
        for (uint64_t j = at[1]; j < at[1] + t; j++) {
            store(s, c + (i * n + j) * FLOAT);
        }
    }
}

static void matmul_tiled(struct sim *s, uint64_t n, uint64_t t)
{
    for (uint64_t i = 0; i < n; i += t) {
        for (uint64_t j = 0; j < n; j += t) {
            for (uint64_t k = 0; k < n; k += t) {
                tile(s, n, t, (const uint64_t[]){i, j, k});
            }
        }
    }
}

static double drive(struct sim *s, const struct membench_sim_stream *what,
                    const struct membench_cache_config *cfg, uint64_t seed)
{
    double n = (double)what->size;
    switch (what->kind) {
    case MEMBENCH_SIM_CHASE_RANDOM:
    case MEMBENCH_SIM_CHASE_SEQUENTIAL:
    case MEMBENCH_SIM_CHASE_PAGES: chase(s, what, cfg->line, cfg->page, seed); return 0;
    case MEMBENCH_SIM_STRIDE:
        for (uint64_t at = 0; at < STRIDE_MEM; at += what->size * FLOAT) {
            load(s, at);
        }
        return 0;
    case MEMBENCH_SIM_VECTOR_ADD: vector_add(s, what->size); return n;
    case MEMBENCH_SIM_MATMUL_NAIVE: matmul_naive(s, what->size); return 2 * n * n * n;
    case MEMBENCH_SIM_MATMUL_TILED: matmul_tiled(s, what->size, what->tile); return 2 * n * n * n;
    }
    return 0;
}

int membench_sim_run(const struct membench_sim_stream *what,
                     const struct membench_cache_config *cfg, uint64_t seed,
                     struct membench_sim_result *out, struct lab_err *err)
{
    struct sim s = {.cache = membench_cache_new(cfg, err)};
    if (s.cache == NULL) {
        return -1;
    }
    *out = (struct membench_sim_result){.flop = drive(&s, what, cfg, seed)};
    out->accesses = s.accesses;
    for (size_t l = 0; l < cfg->nlevels; l++) {
        out->level[l] = membench_cache_counts(s.cache, l);
    }
    out->tlb = membench_cache_tlb(s.cache);
    out->dirty = membench_cache_dirty(s.cache);
    out->memory_bytes = membench_cache_memory_bytes(s.cache) + out->dirty * cfg->line;
    membench_cache_free(s.cache);
    return 0;
}

uint64_t membench_ring_misses(uint64_t lines, uint64_t sets, uint64_t ways)
{
    uint64_t each = lines / sets, fuller = lines % sets; /* `fuller` sets hold one more */
    uint64_t misses = each > ways ? (sets - fuller) * each : 0;
    return misses + (each + 1 > ways ? fuller * (each + 1) : 0);
}
