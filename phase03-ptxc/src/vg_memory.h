/* Device memory: one range of addresses that programs see and the host cannot touch, host memory
 * that both sides see, and how the executor gets from an address to bytes.
 *
 *   device     addresses [base, base + size): reserved, never accessible. The bytes lie elsewhere
 * in the process: bytes = address + delta. host       pinned and managed allocations, and
 * registered ranges: bytes = address.
 *
 * Memory is legal for a kernel in granules of 2 MiB, as with a GPU's pages: a granule that holds a
 * live allocation may be accessed anywhere. The mem check is exact to the byte.
 *
 * Thread-safety: the device's mutex guards every change; while a launch runs nothing changes, so
 * workers look up without a lock.
 */
#ifndef VG_MEMORY_H
#define VG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vgpu.h"

#define VG_GRANULE_SHIFT 21
#define VG_GRANULE       (1ull << VG_GRANULE_SHIFT)

struct vg_memory;

/* A stretch of legal addresses, as found last: the one a worker tries first. */
struct vg_mem_view {
    uint64_t lo, bytes; /* addresses [lo, lo + bytes) */
    uint64_t delta;     /* to the bytes */
    const struct vg_memory *memory;
};

#endif
