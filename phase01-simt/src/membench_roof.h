/* Four kernels on this machine's roofline.
 *
 * The roofline (Williams, Waterman and Patterson 2009, doi:10.1145/1498765.1498785): a kernel that
 * does AI floating-point operations per byte moved can reach min(peak, AI · bandwidth). AI is its
 * arithmetic intensity; the AI at which both are equal is the ridge. Thread-safety: no shared
 * state; measures on the calling thread.
 */
#ifndef MEMBENCH_ROOF_H
#define MEMBENCH_ROOF_H

#include <stddef.h>

#include "lab/err.h"
#include "membench_e07.h"
#include "membench_mem.h"

enum membench_kernel {
    MEMBENCH_VECTOR_ADD,
    MEMBENCH_TRIAD,
    MEMBENCH_DOT,
    MEMBENCH_MATMUL,
    MEMBENCH_KERNELS,
};

struct membench_kernel_info {
    const char *name;
    double flop;  /* per unit of work: an element, or a product of two tiles */
    double bytes; /* the program reads and writes, per unit */
    double
        moved; /* over the memory bus, per unit: with the line that an ordinary store reads first */
};

/* f32: vector_add 1 FLOP on 12 bytes (AI 1/12), 16 moved; triad 2 on 12, 16 moved; dot 2 on 8;
 * matmul in tiles of b = 64: 2b³ on three tiles of b² (AI b/6 = 10.7). */
struct membench_kernel_info membench_kernel_info(enum membench_kernel k);

struct membench_roof_config {
    size_t bytes;    /* of each of the three arrays of the streaming kernels */
    size_t matmul_n; /* rows of the square matrices, a multiple of MEMBENCH_TILE */
    enum membench_pages pages;
    int node;
    int reps; /* 1 … MEMBENCH_REPS_MAX, after one that is not counted */
};

struct membench_roof {
    double read_gbs[MEMBENCH_REPS_MAX]; /* moved bytes, 1e9 a second: reading two arrays */
    double copy_gbs[MEMBENCH_REPS_MAX]; /* moved bytes, copying, with the lines that stores read */
    double gflops[MEMBENCH_KERNELS][MEMBENCH_REPS_MAX];
};

/* Measure the two bandwidths and the four kernels in rounds, one thread; each kernel follows the
 * bandwidth it is compared with, so that figures of one round saw the same machine. Each kernel is
 * validated against a scalar reference: vector_add, triad to the bit; matmul to the bit on a sample
 * of rows; dot against a sum in double precision, within 1e-5. */
int membench_roof(const struct membench_roof_config *cfg, struct membench_roof *out,
                  struct lab_err *err);

/* min(peak, ai · bandwidth) and the ridge peak/bandwidth. GFLOP/s, GB/s, FLOP/byte. */
double membench_roof_at(double ai, double gbs, double peak_gflops);
double membench_ridge(double gbs, double peak_gflops);

#endif
