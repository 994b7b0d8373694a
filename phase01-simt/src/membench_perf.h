/* Cache references and misses from the processor's own counters, where the kernel lets us.
 *
 * Thread-safety: a counter belongs to the thread that opened it.
 */
#ifndef MEMBENCH_PERF_H
#define MEMBENCH_PERF_H

#include <stdint.h>

struct membench_perf {
    int references_fd, misses_fd; /* −1: not open */
    const char *why_not;          /* NULL: both count; else "not permitted", "not supported", … */
};

/* perf_event_open (man 2) for the calling thread in user mode; never an error, see why_not. */
void membench_perf_open(struct membench_perf *p);
void membench_perf_close(struct membench_perf *p);

/* Start from zero; stop and read. Both do nothing when the counters are not open. */
void membench_perf_start(struct membench_perf *p);
void membench_perf_stop(struct membench_perf *p, uint64_t *references, uint64_t *misses);

/* What an errno of perf_event_open means, in two words. */
const char *membench_perf_reason(int errnum);

#endif
