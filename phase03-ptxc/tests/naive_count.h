/* Sectors, ideal sectors and wavefronts by looking at every byte: slow, and obviously right. */
#ifndef NAIVE_COUNT_H
#define NAIVE_COUNT_H

#include <stdbool.h>

#include "vg_access.h"

#define NAIVE_MAX 512

static inline bool naive_insert(uint64_t *set, uint32_t *n, uint64_t value)
{
    for (uint32_t i = 0; i < *n; i++) {
        if (set[i] == value) {
            return false;
        }
    }
    set[(*n)++] = value;
    return true;
}

/* Distinct values of (byte address / unit) over the lanes of `lanes`. */
static inline uint32_t naive_units(const struct vg_access *a, uint32_t lanes, uint64_t unit,
                                   uint64_t *set)
{
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        for (uint32_t byte = 0; (lanes >> lane & 1) != 0 && byte < a->bytes; byte++) {
            naive_insert(set, &n, (a->addr[lane] + byte) / unit);
        }
    }
    return n;
}

static inline uint32_t naive_sectors(const struct vg_access *a)
{
    uint64_t set[NAIVE_MAX];
    return naive_units(a, a->mask, 32, set);
}

static inline uint32_t naive_ideal(const struct vg_access *a)
{
    uint64_t set[NAIVE_MAX];
    return (naive_units(a, a->mask, 1, set) + 31) / 32;
}

static inline uint32_t naive_wavefronts(const struct vg_access *a, uint32_t *phases)
{
    uint32_t n_phases = a->bytes <= 4 ? 1 : a->bytes <= 8 ? 2 : 4, wavefronts = 0;
    *phases = 0;
    for (uint32_t p = 0; p < n_phases; p++) {
        uint64_t set[NAIVE_MAX];
        uint32_t lanes = 0, in_bank[32] = {0}, most = 0;
        for (uint32_t lane = 0; lane < VG_LANES; lane++) {
            lanes |= lane / (VG_LANES / n_phases) == p ? a->mask & 1u << lane : 0;
        }
        uint32_t n = naive_units(a, lanes, 4, set);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t count = ++in_bank[set[i] % 32];
            most = count > most ? count : most;
        }
        wavefronts += most;
        *phases += lanes != 0;
    }
    return wavefronts;
}

#endif
