/* The kernels that come with the lab, and what each must leave in memory, computed in plain C. */
#ifndef SIMT_KERNELS_H
#define SIMT_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_block.h"

/* After a kernel has run, are its results in memory right, for all threads of all warps? `name` is
 * a kernel's file name without .simt, or even_odd_selp. False for a name that is not known. The
 * first wrong word goes to *at (may be NULL). Thread-safety: no shared state. */
bool simt_kernel_holds(const char *name, const struct simt_block *b, uint32_t *at);

#endif
