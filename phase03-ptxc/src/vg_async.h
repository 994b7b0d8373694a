/* cp.async: copies from global to shared memory that complete later. Private to the executor. */
#ifndef VG_ASYNC_H
#define VG_ASYNC_H

#include "vg_exec.h"

struct vg_async;

void vg_async_free(struct vg_async *a);  /* NULL is fine */
void vg_async_reset(struct vg_async *a); /* the next block starts */

#endif
