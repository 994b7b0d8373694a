/* Device memory: one range of addresses that programs see and the host cannot touch, host memory
 * that both sides see, and how the executor gets from an address to bytes.
 *
 *   device  addresses [base, base + size): reserved, never accessible. The bytes lie elsewhere in
 *           the process: bytes = address + delta.
 *   host    pinned and managed allocations, and registered ranges: bytes = address.
 *
 * Memory is legal for a kernel in granules of 2 MiB, as with a GPU's pages: a granule that holds a
 * live allocation may be accessed anywhere; registered ranges to the byte. The mem check asks
 * vg_mem_range and is exact.
 *
 * Thread-safety: the owner (struct vgpu) holds its mutex over every call that changes something.
 * While a launch runs nothing changes, so its workers look up without a lock.
 */
#ifndef VG_MEMORY_H
#define VG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "vg_initmap.h"
#include "vgpu.h"

#define VG_GRANULE   (2ull << 20)
#define VG_MEM_ALIGN 256u

struct vg_memory;

/* An allocation, live or (in quarantine, for the mem check) freed. */
struct vg_range {
    uint64_t start, bytes; /* as asked for */
    uint64_t held;         /* bytes taken from the arena: rounded up */
    enum vgpu_mem_kind kind;
    bool registered, freed;
    uint64_t freed_at;       /* order of frees */
    struct vg_initmap *init; /* with the init check: which bytes were written */
};

/* A stretch of legal addresses, the one that a worker found last. */
struct vg_mem_view {
    uint64_t lo, bytes; /* addresses [lo, lo + bytes) */
    uint64_t delta;     /* to the bytes, modulo 2^64 */
    const struct vg_memory *memory;
};

/* `bytes` of device memory; `checks` decides about quarantine and init maps. */
int vg_memory_open(uint64_t bytes, unsigned checks, struct vg_memory **out, struct lab_err *err);
void vg_memory_close(struct vg_memory *m);

enum vgpu_status vg_mem_alloc(struct vg_memory *m, enum vgpu_mem_kind kind, size_t bytes,
                              uint64_t *addr);
enum vgpu_status vg_mem_free(struct vg_memory *m, uint64_t addr);
enum vgpu_status vg_mem_register(struct vg_memory *m, void *host, size_t bytes);
enum vgpu_status vg_mem_unregister(struct vg_memory *m, void *host);
void vg_mem_totals(const struct vg_memory *m, uint64_t *free_bytes, uint64_t *total_bytes);

/* The range that holds addr or, with `near`, else the closest one below it. NULL: none. Freed ones
 * in quarantine are found as well. */
const struct vg_range *vg_mem_range(const struct vg_memory *m, uint64_t addr, bool near);

/* The host's pointer to [addr, addr + n), NULL unless all of it lies in one live range. */
void *vg_mem_host(const struct vg_memory *m, uint64_t addr, size_t n);

/* The bytes of [addr, addr + n), all in one range, are written from now on (init check). */
void vg_mem_written(const struct vg_memory *m, uint64_t addr, size_t n);

/* Make *v the stretch that holds addr; false when no granule or registered range does. */
bool vg_mem_find(const struct vg_memory *m, uint64_t addr, struct vg_mem_view *v);

/* The bytes of a kernel's access, NULL when it is not legal. */
static inline uint8_t *vg_mem_at(struct vg_mem_view *v, uint64_t addr, uint64_t n)
{
    uint64_t off = addr - v->lo;
    if (off >= v->bytes || v->bytes - off < n) {
        if (!vg_mem_find(v->memory, addr, v) || v->bytes - (addr - v->lo) < n) {
            return NULL;
        }
    }
    return (uint8_t *)(uintptr_t)(addr + v->delta);
}

#endif
