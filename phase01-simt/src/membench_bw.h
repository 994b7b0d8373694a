/* Bandwidth of read, write and copy, with ordinary and with non-temporal stores.
 *
 * Thread-safety: no shared state; the team's threads work on disjoint parts.
 */
#ifndef MEMBENCH_BW_H
#define MEMBENCH_BW_H

#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "membench_e07.h"
#include "membench_mem.h"
#include "membench_sys.h"

enum membench_stream {
    MEMBENCH_READ,
    MEMBENCH_WRITE,
    MEMBENCH_NT_WRITE,
    MEMBENCH_COPY,
    MEMBENCH_NT_COPY,
    MEMBENCH_STREAMS,
};

const char *membench_stream_name(enum membench_stream s);

/* What one byte of the array costs: bytes the program reads and writes (1 for read and write, 2 for
 * copy), and bytes that cross the memory bus: an ordinary store also reads the line it will
 * overwrite (write-allocate), so write moves 2 and copy 3; a non-temporal store does not. */
int membench_stream_useful(enum membench_stream s);
int membench_stream_moved(enum membench_stream s);

struct membench_bw_config {
    size_t bytes; /* of each of the two arrays, all threads together */
    int threads;
    const struct membench_cpus *cpus; /* thread i runs on the i-th, round robin */
    enum membench_pages pages;
    int node; /* MEMBENCH_ANY_NODE or a NUMA node */
    int reps; /* 1 … MEMBENCH_REPS_MAX, after one that is not counted */
};

struct membench_bw {
    double gbs[MEMBENCH_STREAMS]
              [MEMBENCH_REPS_MAX]; /* useful bytes, 1e9 bytes a second, per repetition */
};

/* Measure all streams in turn, `reps` rounds of them. The results are validated: the read's sum,
 * and the contents of the target after each writing stream. GB/s are of useful bytes; multiply by
 * moved/useful for the bus. */
int membench_bw(const struct membench_bw_config *cfg, struct membench_bw *out, struct lab_err *err);

/* Read bandwidth alone: cfg->reps figures in GB/s of reading one array of cfg->bytes on the calling
 * thread; threads and cpus are not looked at. The sum that is read is validated. */
int membench_bw_read(const struct membench_bw_config *cfg, double *gbs, struct lab_err *err);

#endif
