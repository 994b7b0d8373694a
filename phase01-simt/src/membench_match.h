/* Which plateau is which cache: measured plateaus beside what the kernel publishes.
 *
 * Pure; thread-safety: no shared state.
 */
#ifndef MEMBENCH_MATCH_H
#define MEMBENCH_MATCH_H

#include <stddef.h>

#include "membench_plateau.h"
#include "membench_sys.h"

#define MEMBENCH_ROWS 4 /* L1, L2, L3, memory */

enum membench_verdict {
    MEMBENCH_AGREES,    /* the plateau ends within a factor of 2 of the published size */
    MEMBENCH_SHARE,     /* the last level: this much of the published size was obtained */
    MEMBENCH_SLOPE,     /* the last level: memory begins below its size, without a plateau before */
    MEMBENCH_INSIDE,    /* the curve ends inside this level, or what it ends in cannot be told */
    MEMBENCH_UNSEEN,    /* published, but no plateau of its own */
    MEMBENCH_ABSENT,    /* not published */
    MEMBENCH_DIFFERS,   /* a plateau near it, but not within a factor of 2 */
    MEMBENCH_IS_MEMORY, /* the last row: memory */
    MEMBENCH_NOT_REACHED, /* the curve ends before this level, or before memory is flat */
};

struct membench_match_row {
    size_t published; /* bytes; 0: none */
    int plateau;      /* index, or −1 */
    enum membench_verdict verdict;
    size_t below; /* MEMBENCH_SLOPE: the share obtained is less than this many bytes */
};

struct membench_match_in {
    const struct membench_plateaus *found;
    const struct membench_cache_info *caches;
    size_t ncaches;
    size_t largest;   /* last size of the curve, bytes */
    double beyond_ns; /* latency of a ring larger than the last published level; 0: not measured */
};

/* Rows for levels 1, 2, 3 and memory. Each inner level takes the next plateau that ends at no more
 * than twice its size. What is left above them belongs to the last published level and to memory.
 * The highest is memory when the curve reaches past the published size, or when a ring beyond that
 * size takes at most half as long again, or when two are left; then the one before it is the last
 * level, however short: a virtual machine gets a share. A single plateau that none of this holds
 * for is the last level. */
void membench_match(const struct membench_match_in *in,
                    struct membench_match_row rows[MEMBENCH_ROWS]);

const char *membench_verdict_text(enum membench_verdict v);

#endif
