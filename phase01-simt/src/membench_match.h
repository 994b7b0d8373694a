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
    MEMBENCH_AGREES,      /* the plateau ends within a factor of 2 of the published size */
    MEMBENCH_SHARE,       /* the last level: this much of the published size was obtained */
    MEMBENCH_INSIDE,      /* the curve ends inside this level */
    MEMBENCH_UNSEEN,      /* published, but no plateau of its own */
    MEMBENCH_ABSENT,      /* not published */
    MEMBENCH_DIFFERS,     /* a plateau near it, but not within a factor of 2 */
    MEMBENCH_IS_MEMORY,   /* the last row: memory */
    MEMBENCH_NOT_REACHED, /* the last row: the curve ends before memory is flat */
};

struct membench_match_row {
    size_t published; /* bytes; 0: none */
    int plateau;      /* index, or −1 */
    enum membench_verdict verdict;
};

/* Rows for levels 1, 2, 3 and memory. Each inner level takes the plateau whose edge is nearest to
 * its size, within a factor of 3. What is left above them belongs to the last published level and
 * to memory: with two or more plateaus left the lowest is the last level (however short: a virtual
 * machine gets a share) and the highest is memory; a single one is memory, unless the curve ended
 * before it could leave the last level. `largest` is the last size of the curve. */
void membench_match(const struct membench_plateaus *p, const struct membench_cache_info *caches,
                    size_t ncaches, size_t largest, struct membench_match_row rows[MEMBENCH_ROWS]);

const char *membench_verdict_text(enum membench_verdict v);

#endif
