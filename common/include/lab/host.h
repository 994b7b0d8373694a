/* What machine and build this is, in one line: the context of every measured number. */
#ifndef LAB_HOST_H
#define LAB_HOST_H

#include <stdbool.h>

#include "lab/buf.h"

/* "Intel(R) Xeon(R) Processor, 2 CPUs, Linux 6.1.0 x86_64, gcc 12.2.0 RelWithDebInfo". */
void lab_host_line(struct lab_buf *out);

/* Was this program compiled with optimisation and without a sanitizer? Timings mean nothing
 * otherwise. */
bool lab_host_optimised(void);

#endif
