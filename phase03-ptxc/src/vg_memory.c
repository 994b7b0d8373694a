/* Two arenas of addresses and a table of what is allocated in them.
 *
 * Problem: device pointers must behave as on a GPU (unique, dereferenced on the host they fault),
 * cost an executor one addition, and come out the same in every run; pinned and managed pointers
 * must work on both sides.
 *
 * Model: an arena is a reserved range of addresses and a list of free extents in it, kept sorted
 * and coalesced; allocation is first fit. Of the device arena nothing is ever accessible: its bytes
 * are a second reservation of the same size, opened for reading and writing by granule as
 * allocations come and go. The host arena is its own bytes. Live (and quarantined) ranges of both
 * and the registered host ranges stand in one array, sorted by start.
 *
 * Invariants: extents and ranges never overlap; `refs` of a granule counts the ranges that touch
 * it, and its bytes are accessible exactly while that is not 0; a fresh granule reads as zero.
 *
 * Simplified: no page tables, no migration, no peer memory; a real driver rounds large allocations
 * up to 2 MiB and keeps some memory for itself.
 */
#include "vg_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lab/buf.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Where the arenas lie when nothing else does: pointers are then the same in every run. 0:
 * anywhere, since ThreadSanitizer has most of the address space for itself. */
#ifdef __SANITIZE_THREAD__
#define DEVICE_BASE 0
#define HOST_BASE   0
#else
#define DEVICE_BASE 0x200000000000ull
#define HOST_BASE   0x300000000000ull
#endif
#define HOST_BYTES (256ull << 30)

struct extent {
    uint64_t start, bytes;
};

struct arena {
    uint64_t base, bytes, delta;
    struct extent *free_list;
    size_t nfree, cap;
    uint32_t *refs; /* by granule */
};

struct vg_memory {
    struct arena device, host;
    struct vg_range *ranges;
    size_t nranges, cap;
    uint64_t used; /* of device and managed memory */
    uint64_t quarantined, frees;
    bool quarantine, init;
};

static void *reserve(uint64_t want, uint64_t bytes, struct lab_err *err)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *p = MAP_FAILED;
    if (want != 0) {
        p = mmap((void *)(uintptr_t)want, bytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (p != MAP_FAILED && (uint64_t)(uintptr_t)p != want) {
            munmap(p, bytes);
            p = MAP_FAILED;
        }
    }
    if (p == MAP_FAILED) {
        /* Granules are counted from the base, so the base is a multiple of them. */
        p = mmap(NULL, bytes + VG_GRANULE, PROT_NONE, flags, -1, 0);
        if (p == MAP_FAILED) {
            lab_err_system(err, "cannot reserve %llu MiB of addresses",
                           (unsigned long long)(bytes >> 20));
            return NULL;
        }
        uint64_t at = (uint64_t)(uintptr_t)p, up = (at + VG_GRANULE - 1) & ~(VG_GRANULE - 1);
        if (up > at) {
            munmap(p, up - at);
        }
        munmap((void *)(uintptr_t)(up + bytes), at + VG_GRANULE - up);
        p = (void *)(uintptr_t)up;
    }
    return p;
}

static int arena_open(struct arena *a, uint64_t want, uint64_t bytes, bool hidden,
                      struct lab_err *err)
{
    bytes = (bytes + VG_GRANULE - 1) & ~(VG_GRANULE - 1);
    void *p = reserve(want, bytes, err);
    if (p == NULL) {
        return -1;
    }
    a->base = (uint64_t)(uintptr_t)p;
    a->bytes = bytes;
    if (hidden) {
        void *backing = reserve(0, bytes, err);
        if (backing == NULL) {
            return -1;
        }
        a->delta = (uint64_t)(uintptr_t)backing - a->base;
    }
    a->refs = lab_alloc(bytes / VG_GRANULE, sizeof(*a->refs));
    a->free_list = lab_alloc(16, sizeof(*a->free_list));
    a->cap = 16;
    a->free_list[a->nfree++] = (struct extent){a->base, bytes};
    return 0;
}

static void arena_close(struct arena *a)
{
    if (a->base != 0) {
        munmap((void *)(uintptr_t)a->base, a->bytes);
    }
    if (a->delta != 0) {
        munmap((void *)(uintptr_t)(a->base + a->delta), a->bytes);
    }
    free(a->refs);
    free(a->free_list);
}

int vg_memory_open(uint64_t bytes, unsigned checks, struct vg_memory **out, struct lab_err *err)
{
    struct vg_memory *m = lab_alloc(1, sizeof(*m));
    m->quarantine = (checks & VGPU_CHECK_MEM) != 0;
    m->init = (checks & VGPU_CHECK_INIT) != 0;
    if (arena_open(&m->device, DEVICE_BASE, bytes, true, err) < 0 ||
        arena_open(&m->host, HOST_BASE, HOST_BYTES, false, err) < 0) {
        vg_memory_close(m);
        return -1;
    }
    *out = m;
    return 0;
}

void vg_memory_close(struct vg_memory *m)
{
    if (m == NULL) {
        return;
    }
    for (size_t k = 0; k < m->nranges; k++) {
        vg_initmap_free(m->ranges[k].init);
    }
    free(m->ranges);
    arena_close(&m->device);
    arena_close(&m->host);
    free(m);
}

/* --- extents --- */

static void extent_insert(struct arena *a, size_t at, struct extent e)
{
    if (a->nfree == a->cap) {
        a->cap *= 2;
        a->free_list = lab_resize(a->free_list, a->cap, sizeof(*a->free_list));
    }
    memmove(a->free_list + at + 1, a->free_list + at, (a->nfree - at) * sizeof(e));
    a->free_list[at] = e;
    a->nfree++;
}

static void extent_remove(struct arena *a, size_t at)
{
    a->nfree--;
    memmove(a->free_list + at, a->free_list + at + 1, (a->nfree - at) * sizeof(*a->free_list));
}

/* First fit; 0 when nothing is large enough. */
static uint64_t extent_take(struct arena *a, uint64_t bytes)
{
    for (size_t k = 0; k < a->nfree; k++) {
        struct extent *e = &a->free_list[k];
        if (e->bytes < bytes) {
            continue;
        }
        uint64_t at = e->start;
        e->start += bytes;
        e->bytes -= bytes;
        if (e->bytes == 0) {
            extent_remove(a, k);
        }
        return at;
    }
    return 0;
}

static void extent_give(struct arena *a, struct extent e)
{
    size_t k = 0;
    while (k < a->nfree && a->free_list[k].start < e.start) {
        k++;
    }
    if (k < a->nfree && e.start + e.bytes == a->free_list[k].start) {
        e.bytes += a->free_list[k].bytes;
        extent_remove(a, k);
    }
    if (k > 0 && a->free_list[k - 1].start + a->free_list[k - 1].bytes == e.start) {
        a->free_list[k - 1].bytes += e.bytes;
        return;
    }
    extent_insert(a, k, e);
}

/* --- granules --- */

static int granule_open(const struct arena *a, uint64_t g, bool open)
{
    void *at = (void *)(uintptr_t)(a->base + a->delta + g * VG_GRANULE);
    if (open) {
        madvise(at, VG_GRANULE, MADV_HUGEPAGE);
        return mprotect(at, VG_GRANULE, PROT_READ | PROT_WRITE);
    }
    madvise(at, VG_GRANULE, MADV_DONTNEED);
    return mprotect(at, VG_GRANULE, PROT_NONE);
}

static void granules_drop(struct arena *a, uint64_t first, uint64_t end)
{
    for (uint64_t g = first; g < end; g++) {
        if (--a->refs[g] == 0) {
            LAB_ASSERT(granule_open(a, g, false) == 0);
        }
    }
}

/* Count a range in or out of its granules. −1 when the kernel gives no memory. */
static int granules_count(struct arena *a, uint64_t start, uint64_t bytes, bool in)
{
    uint64_t first = (start - a->base) / VG_GRANULE;
    uint64_t end = (start + bytes - 1 - a->base) / VG_GRANULE + 1;
    if (!in) {
        granules_drop(a, first, end);
        return 0;
    }
    for (uint64_t g = first; g < end; g++) {
        if (a->refs[g] == 0 && granule_open(a, g, true) != 0) {
            granules_drop(a, first, g);
            return -1;
        }
        a->refs[g]++;
    }
    return 0;
}

/* --- ranges --- */

/* Index of the first range that starts above addr. */
static size_t range_above(const struct vg_memory *m, uint64_t addr)
{
    size_t lo = 0, hi = m->nranges;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (m->ranges[mid].start <= addr) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static struct vg_range *range_find(const struct vg_memory *m, uint64_t addr)
{
    size_t k = range_above(m, addr);
    if (k == 0 || addr - m->ranges[k - 1].start >= m->ranges[k - 1].bytes) {
        return NULL;
    }
    return &m->ranges[k - 1];
}

static void range_insert(struct vg_memory *m, struct vg_range r)
{
    if (m->nranges == m->cap) {
        m->cap = m->cap != 0 ? m->cap * 2 : 64;
        m->ranges = lab_resize(m->ranges, m->cap, sizeof(*m->ranges));
    }
    /* What the host writes by itself is not seen, so only memory it cannot touch has a map. */
    if (m->init && r.kind == VGPU_MEM_DEVICE && !r.registered) {
        r.init = vg_initmap_new(r.bytes);
    }
    size_t k = range_above(m, r.start);
    memmove(m->ranges + k + 1, m->ranges + k, (m->nranges - k) * sizeof(r));
    m->ranges[k] = r;
    m->nranges++;
}

static void range_remove(struct vg_memory *m, struct vg_range *r)
{
    vg_initmap_free(r->init);
    size_t k = (size_t)(r - m->ranges);
    m->nranges--;
    memmove(m->ranges + k, m->ranges + k + 1, (m->nranges - k) * sizeof(*r));
}

static struct arena *arena_of(struct vg_memory *m, enum vgpu_mem_kind kind)
{
    return kind == VGPU_MEM_DEVICE ? &m->device : &m->host;
}

static void range_release(struct vg_memory *m, struct vg_range *r)
{
    struct arena *a = arena_of(m, r->kind);
    extent_give(a, (struct extent){r->start, r->held});
    if (r->freed) {
        m->quarantined -= r->held;
    } else {
        granules_count(a, r->start, r->held, false);
    }
    range_remove(m, r);
}

/* Give up the range that was freed first; false when none is in quarantine. */
static bool quarantine_evict(struct vg_memory *m)
{
    struct vg_range *oldest = NULL;
    for (size_t k = 0; m->quarantined > 0 && k < m->nranges; k++) {
        struct vg_range *r = &m->ranges[k];
        if (r->freed && (oldest == NULL || r->freed_at < oldest->freed_at)) {
            oldest = r;
        }
    }
    if (oldest == NULL) {
        return false;
    }
    range_release(m, oldest);
    return true;
}

enum vgpu_status vg_mem_alloc(struct vg_memory *m, enum vgpu_mem_kind kind, size_t bytes,
                              uint64_t *addr)
{
    struct arena *a = arena_of(m, kind);
    if (bytes == 0 || addr == NULL) {
        return VGPU_INVALID_VALUE;
    }
    if (bytes > a->bytes || (kind != VGPU_MEM_PINNED && bytes > m->device.bytes - m->used)) {
        return VGPU_OUT_OF_MEMORY;
    }
    uint64_t held = (bytes + VG_MEM_ALIGN - 1) & ~(uint64_t)(VG_MEM_ALIGN - 1);
    uint64_t at = extent_take(a, held);
    while (at == 0 && quarantine_evict(m)) {
        at = extent_take(a, held);
    }
    if (at == 0) {
        return VGPU_OUT_OF_MEMORY;
    }
    if (granules_count(a, at, held, true) < 0) {
        extent_give(a, (struct extent){at, held});
        return VGPU_OUT_OF_MEMORY;
    }
    if (kind != VGPU_MEM_PINNED) {
        m->used += held;
    }
    range_insert(m, (struct vg_range){.start = at, .bytes = bytes, .held = held, .kind = kind});
    *addr = at;
    return VGPU_OK;
}

enum vgpu_status vg_mem_free(struct vg_memory *m, uint64_t addr)
{
    struct vg_range *r = range_find(m, addr);
    if (r == NULL || r->start != addr || r->registered || r->freed) {
        return VGPU_INVALID_VALUE;
    }
    if (r->kind != VGPU_MEM_PINNED) {
        m->used -= r->held;
    }
    if (!m->quarantine) {
        range_release(m, r);
        return VGPU_OK;
    }
    granules_count(arena_of(m, r->kind), r->start, r->held, false);
    r->freed = true;
    r->freed_at = m->frees++;
    m->quarantined += r->held;
    return VGPU_OK;
}

enum vgpu_status vg_mem_register(struct vg_memory *m, void *host, size_t bytes)
{
    uint64_t at = (uint64_t)(uintptr_t)host;
    if (at == 0 || bytes == 0 || at + bytes < at) {
        return VGPU_INVALID_VALUE;
    }
    size_t k = range_above(m, at + bytes - 1);
    if (k > 0 && m->ranges[k - 1].start + m->ranges[k - 1].bytes > at) {
        return VGPU_INVALID_VALUE;
    }
    range_insert(m, (struct vg_range){.start = at,
                                      .bytes = bytes,
                                      .held = bytes,
                                      .kind = VGPU_MEM_PINNED,
                                      .registered = true});
    return VGPU_OK;
}

enum vgpu_status vg_mem_unregister(struct vg_memory *m, void *host)
{
    struct vg_range *r = range_find(m, (uint64_t)(uintptr_t)host);
    if (r == NULL || r->start != (uint64_t)(uintptr_t)host || !r->registered) {
        return VGPU_INVALID_VALUE;
    }
    range_remove(m, r);
    return VGPU_OK;
}

void vg_mem_totals(const struct vg_memory *m, uint64_t *free_bytes, uint64_t *total_bytes)
{
    *total_bytes = m->device.bytes;
    *free_bytes = m->device.bytes - m->used;
}

const struct vg_range *vg_mem_range(const struct vg_memory *m, uint64_t addr, bool near)
{
    size_t k = range_above(m, addr);
    if (k == 0) {
        return NULL;
    }
    const struct vg_range *r = &m->ranges[k - 1];
    return near || addr - r->start < r->bytes ? r : NULL;
}

void *vg_mem_host(const struct vg_memory *m, uint64_t addr, size_t n)
{
    const struct vg_range *r = range_find(m, addr);
    if (r == NULL || r->freed || r->bytes - (addr - r->start) < n) {
        return NULL;
    }
    uint64_t delta = r->kind == VGPU_MEM_DEVICE ? m->device.delta : 0;
    return (void *)(uintptr_t)(addr + delta);
}

void vg_mem_written(const struct vg_memory *m, uint64_t addr, size_t n)
{
    const struct vg_range *r = range_find(m, addr);
    if (r != NULL && r->init != NULL) {
        vg_initmap_set(r->init, addr - r->start, n);
    }
}

/* The run of open granules around addr, up to 1 GiB each way. A worker asks once and keeps it. */
static bool arena_find(const struct arena *a, uint64_t addr, struct vg_mem_view *v)
{
    uint64_t off = addr - a->base;
    uint64_t n = a->bytes / VG_GRANULE;
    if (off >= a->bytes || a->refs[off / VG_GRANULE] == 0) {
        return false;
    }
    uint64_t at = off / VG_GRANULE, first = at, end = at + 1;
    while (first > 0 && at - first < 512 && a->refs[first - 1] != 0) {
        first--;
    }
    while (end < n && end - at < 512 && a->refs[end] != 0) {
        end++;
    }
    v->lo = a->base + first * VG_GRANULE;
    v->bytes = (end - first) * VG_GRANULE;
    v->delta = a->delta;
    return true;
}

bool vg_mem_find(const struct vg_memory *m, uint64_t addr, struct vg_mem_view *v)
{
    if (arena_find(&m->device, addr, v) || arena_find(&m->host, addr, v)) {
        return true;
    }
    const struct vg_range *r = range_find(m, addr);
    if (r == NULL || !r->registered) {
        return false;
    }
    v->lo = r->start;
    v->bytes = r->bytes;
    v->delta = 0;
    return true;
}
