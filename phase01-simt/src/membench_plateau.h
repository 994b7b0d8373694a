/* Plateaus in a latency curve: where it is flat, how high, and up to which size.
 *
 * Pure: the input is the measured curve alone. Nothing here knows the sizes of the caches.
 * Thread-safety: no shared state.
 */
#ifndef MEMBENCH_PLATEAU_H
#define MEMBENCH_PLATEAU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMBENCH_SIZES_MAX    64
#define MEMBENCH_PLATEAUS_MAX 8

/* A curve: for each size, by rising bytes, `reps` repetitions of the latency in ns (all > 0). */
struct membench_curve {
    size_t n; /* sizes, ≤ MEMBENCH_SIZES_MAX */
    int reps; /* repetitions of each, 1 … 64 */
    size_t bytes[MEMBENCH_SIZES_MAX];
    double ns[MEMBENCH_SIZES_MAX][64];
};

/* One flat part. The intervals are 95 % bootstrap percentile intervals over the repetitions (Efron
 * and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13). */
struct membench_plateau {
    size_t first, last;         /* indices of its first and last size */
    double ns, ns_lo, ns_hi;    /* its level: median over its sizes */
    size_t starts;              /* bytes of its first size */
    size_t holds;               /* bytes of its last size: this much still fits */
    size_t spills;              /* bytes of the size after it, 0 when the curve ends first */
    size_t holds_lo, spills_hi; /* 95 % interval of the edge; spills_hi 0: open */
};

struct membench_plateaus {
    size_t n;
    struct membench_plateau at[MEMBENCH_PLATEAUS_MAX];
    double spread;    /* median over the sizes of (p75 − p25) / median */
    double agreement; /* share of the bootstrap curves with the same number of plateaus */
    bool noisy;       /* spread above 20 % or agreement below 50 %: no verdict is possible */
};

/* Find them, in the lower quartiles of the repetitions. The curve is cut so that the sum over
 * segments of squared distances (in ln ns, in units of the noise) plus a penalty per segment is
 * smallest: dynamic programming over all cuts, each segment either flat (a plateau: at least three
 * sizes and a doubling of the size) or a steep straight slope (a transition). Neighbours less than
 * 30 % apart are one plateau. Deterministic for a given seed. */
void membench_plateaus_find(const struct membench_curve *curve, uint64_t seed,
                            struct membench_plateaus *out);

#endif
