/* The stride sweep: how far apart must two words be before they cost two loads from the next level?
 *
 * Thread-safety: no shared state; measures on the calling thread.
 */
#ifndef MEMBENCH_STRIDE_H
#define MEMBENCH_STRIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "membench_e07.h"

#define MEMBENCH_STRIDES_MAX  16
#define MEMBENCH_STRIDE_BLOCK 128 /* elements of 4 bytes: the largest stride */

struct membench_stride_point {
    size_t stride; /* elements of 4 bytes */
    double min_ns; /* per access of the dependent walk */
    double rep_ns[MEMBENCH_REPS_MAX];
    double stream_ns; /* per access of the independent walk that ascends, minimum */
};

struct membench_stride_config {
    size_t chain_bytes;  /* memory of the dependent walk; should lie between the first cache and the
                            second */
    size_t stream_bytes; /* memory of the ascending walk; should be larger than the caches; 0: leave
                            it out */
    int reps;            /* 1 … MEMBENCH_REPS_MAX */
    uint64_t rep_us;     /* how long one repetition should take about */
    uint64_t seed;
};

/* 1, 2, 3, 4, 6, 8, … 128 elements. Returns how many. */
size_t membench_strides(size_t out[MEMBENCH_STRIDES_MAX]);

/* Measure one stride (1 … MEMBENCH_STRIDE_BLOCK). The dependent walk visits blocks of 128 elements
 * in random order and in each block every stride-th element, in random order too: the fewer
 * elements of a line it uses, the more often it pays for a new line. Its end is validated. */
int membench_stride(const struct membench_stride_config *cfg, size_t stride,
                    struct membench_stride_point *out, struct lab_err *err);

struct membench_line_guess {
    size_t bytes;    /* the line size that explains the curve best */
    size_t lo, hi;   /* smallest and largest among 95 % of the bootstrap curves */
    double first_ns; /* the fit: time per access where the line costs nothing … */
    double line_ns;  /* … and what one more line costs */
    double rms;      /* of (measured − fit) / measured */
    double spread;   /* median over strides of (p75 − p25) / median */
};

/* To the lower quartiles, fit t(s) = first + line · min(s, L) / L for L = 4, 8, … 512 bytes by
 * least squares and take the best L. Pure; deterministic for a given seed. reps as in the points.
 */
void membench_line_infer(const struct membench_stride_point *points, size_t n, int reps,
                         uint64_t seed, struct membench_line_guess *out);

#endif
