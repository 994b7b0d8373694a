/* How many different numbers stand in a small list: what sectors and banks are counted with. */
#ifndef VG_DISTINCT_H
#define VG_DISTINCT_H

#include <stdint.h>

/* The most numbers an access can give: every byte of 32 lanes of 16 in a place of its own. */
#define VG_DISTINCT_MAX 512

/* Moves the distinct values of keys[0 … n) to its front, in no particular order, and returns how
 * many there are. n ≤ VG_DISTINCT_MAX. Time is O(n) where the keys span less than 32,768, else
 * O(n log n). Thread-safety: any thread (the scratch memory is the thread's own). */
uint32_t vg_distinct(uint64_t *keys, uint32_t n);

#endif
