/* The heap of device-side malloc and free: one stretch of device memory, handed out by first fit.
 *
 * CUDA's heap has 8 MiB unless cudaLimitMallocHeapSize says otherwise (CUDA C++ Programming Guide,
 * "Dynamic Global Memory Allocation"), and so has this one. Allocations outlive the kernel.
 * Thread-safety: kernels that call malloc run on one thread, under the device's lock.
 */
#ifndef VG_HEAP_H
#define VG_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "vg_memory.h"

#define VG_HEAP_BYTES (8ull << 20)

struct vg_heap_block {
    uint64_t start, bytes;
};

struct vg_heap {
    uint64_t base;              /* device address; 0: not made yet */
    struct vg_heap_block *held; /* sorted by start */
    size_t n, cap;
};

/* Address of n bytes aligned to 16, 0 when there is no room. The first call makes the heap. */
uint64_t vg_heap_alloc(struct vg_heap *h, struct vg_memory *m, uint64_t n);
/* false when addr is nothing that vg_heap_alloc gave and that is still held. 0 is fine. */
bool vg_heap_free(struct vg_heap *h, uint64_t addr);
void vg_heap_fini(struct vg_heap *h);

#endif
