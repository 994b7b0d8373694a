/* Counting distinct numbers, at the heart of both memory counters.
 *
 * Problem: 32 lanes ask for up to a few hundred sectors or words; how many different ones?
 * Comparing each with each is quadratic and was the slowest part of a first try at these counters.
 * Model: where the numbers lie close together (within 128 KB of shared or 1 MB of
 * global memory) a bitmap of 65,536 bits answers "seen before?" in one step. Only the bits that
 * were set are cleared afterwards. Numbers further apart are sorted, by merging runs bottom-up.
 * Invariant: the map is all zero between calls.
 * Simplified: nothing; the count is exact. Hardware finds the same number in its coalescing unit.
 */
#include "vg_distinct.h"

#include <string.h>

#include "lab/clones.h"
#include "lab/err.h"

#define MAP_SIZE 32768u

static _Thread_local uint8_t seen[MAP_SIZE];

static uint32_t by_map(uint64_t *keys, uint32_t n, uint64_t least)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = keys[i];
        uint8_t *mark = &seen[key - least];
        keys[count] = key;
        count += *mark == 0;
        *mark = 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        seen[keys[i] - least] = 0;
    }
    return count;
}

static void merge(uint64_t *to, const uint64_t *from, uint32_t middle, uint32_t n)
{
    uint32_t left = 0, right = middle;
    for (uint32_t i = 0; i < n; i++) {
        if (right >= n || (left < middle && from[left] <= from[right])) {
            to[i] = from[left++];
        } else {
            to[i] = from[right++];
        }
    }
}

static uint32_t by_sorting(uint64_t *keys, uint32_t n)
{
    uint64_t scratch[VG_DISTINCT_MAX];
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t i = 0; i < n; i += 2 * width) {
            uint32_t length = n - i < 2 * width ? n - i : 2 * width;
            uint32_t middle = length < width ? length : width;
            merge(scratch + i, keys + i, middle, length);
        }
        memcpy(keys, scratch, n * sizeof(keys[0]));
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (count == 0 || keys[count - 1] != keys[i]) {
            keys[count++] = keys[i];
        }
    }
    return count;
}

struct range {
    uint64_t least, most;
};

LAB_CLONES static struct range range_of(const uint64_t *keys, uint32_t n)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
    }
    return (struct range){least, most};
}

uint32_t vg_distinct(uint64_t *keys, uint32_t n)
{
    LAB_ASSERT(n <= VG_DISTINCT_MAX);
    if (n == 0) {
        return 0;
    }
    struct range range = range_of(keys, n);
    return range.most - range.least < MAP_SIZE ? by_map(keys, n, range.least) : by_sorting(keys, n);
}
