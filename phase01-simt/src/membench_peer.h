/* The public peer: likwid-bench of the LIKWID suite (T. Röhl et al.,
 * https://github.com/RRZE-HPC/likwid), which reads memory with hand-written assembly and knows
 * nothing of this lab.
 *
 * Thread-safety: no shared state; starts a child process and waits for it.
 */
#ifndef MEMBENCH_PEER_H
#define MEMBENCH_PEER_H

#include <stddef.h>

#include "lab/err.h"

#define MEMBENCH_PEER_BYTES ((size_t)512000000) /* what likwid-bench calls 512MB */

/* Its load kernel for this machine's widest vectors: "load_avx512", "load_avx", "load_sse" or
 * "load". */
const char *membench_peer_kernel(void);

/* Run `program` (normally "likwid-bench", looked up in PATH) once on one thread over 512 MB: iters
 * passes. Stores GB/s (1e9). Errors: skip kind when the program is not installed; system kind when
 * it fails or says nothing that can be read. It fills its array without advice on pages, so it gets
 * base pages unless the kernel is set to `always`. */
int membench_peer_read(const char *program, int iters, double *gbs, struct lab_err *err);

/* The figure after "MByte/s:" in its output (1e6 bytes a second), or −1. */
double membench_peer_parse(const char *text);

/* Does the kernel hand out huge pages without being asked (transparent_hugepage/enabled is always)?
 */
int membench_thp_always(void);

#endif
