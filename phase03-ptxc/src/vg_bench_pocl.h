/* PoCL as a peer: the same matrix product in OpenCL C, compiled by PoCL for this CPU, in a child
 * process of its own for each way of making work groups.
 *
 * The library is opened at run time (libOpenCL.so.1), so that nothing of it is needed to build.
 * Start all children before any thread is made. Thread-safety: one thread at a time.
 */
#ifndef VG_BENCH_POCL_H
#define VG_BENCH_POCL_H

#include <stdint.h>
#include <sys/types.h>

#include "lab/err.h"

struct vg_pocl {
    pid_t pid;
    int to, from; /* pipes; −1: closed */
};

/* What is multiplied: n × n floats, a and b borrowed; the product is compared with `want`. */
struct vg_pocl_work {
    uint32_t n;
    const float *a, *b, *want;
    const char *method; /* POCL_WORK_GROUP_METHOD; NULL: PoCL's own choice */
};

/* Fork a child that compiles the kernel, runs it once and compares. −1 of kind skip when there is
 * no OpenCL or no PoCL, of kind check when the product is wrong. */
int vg_pocl_start(struct vg_pocl *p, const struct vg_pocl_work *work, struct lab_err *err);
/* One launch; its milliseconds. */
int vg_pocl_time(struct vg_pocl *p, double *ms, struct lab_err *err);
/* End the child. A zeroed or failed *p is fine. */
void vg_pocl_stop(struct vg_pocl *p);

#endif
