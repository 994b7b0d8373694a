/* Allocations: device, pinned, managed and registered memory.
 *
 * Model: the device layer gives the memory (vgpu.h); the table here remembers what kind of call
 * made an allocation, and for which context, because each must be freed by its own kind of call and
 * all of a context's go with it.
 *
 * Simplified: a pitch is a multiple of 512 bytes; cuMemFree of memory that a faulted kernel used
 * reports that fault, as any call that waits.
 */
#include <stdlib.h>

#include "cu_capture.h"

#define PITCH 512u

struct cu_memory *cu_memory_at(uint64_t at)
{
    return cu_table_get(&cu_state.memory, at);
}

struct cu_memory *cu_memory_of(CUcontext ctx, uint64_t addr)
{
    struct vgpu_range r;
    return vgpu_find_range(ctx->dev->g, addr, &r) ? cu_memory_at(r.start) : NULL;
}

static struct cu_memory *remember(CUcontext ctx, enum cu_memory_kind kind, uint64_t at, size_t n)
{
    struct cu_memory *m = lab_alloc(1, sizeof(*m));
    m->at = at;
    m->bytes = n;
    m->kind = kind;
    m->ctx = ctx;
    m->number = ++cu_state.ids;
    m->place = (CUmemLocation){CU_MEM_LOCATION_TYPE_INVALID, CU_DEVICE_INVALID};
    m->prefetched = m->place;
    cu_table_put(&cu_state.memory, at, m);
    return m;
}

CUresult cu_memory_new(CUcontext ctx, enum cu_memory_kind kind, size_t bytes,
                       struct cu_memory **out)
{
    enum vgpu_mem_kind as = kind == CU_MEMORY_HOST      ? VGPU_MEM_PINNED
                            : kind == CU_MEMORY_MANAGED ? VGPU_MEM_MANAGED
                                                        : VGPU_MEM_DEVICE;
    uint64_t at = 0;
    if (bytes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = cu_result(vgpu_alloc(ctx->dev->g, as, bytes, &at));
    if (r == CUDA_SUCCESS) {
        *out = remember(ctx, kind, at, bytes);
    }
    return r;
}

void cu_memory_drop(struct cu_memory *m)
{
    struct vgpu *g = m->ctx->dev->g;
    cu_table_take(&cu_state.memory, m->at);
    if (m->kind == CU_MEMORY_REGISTERED) {
        vgpu_unregister_host(g, (void *)(uintptr_t)m->at);
    } else {
        vgpu_free(g, m->at);
    }
    if (m->pool != NULL) {
        cu_pool_freed(m->pool, m->bytes);
    }
    free(m);
}

void cu_memory_clear(CUcontext ctx)
{
    size_t n = 0, at = 0;
    uint64_t key;
    void *value;
    struct cu_memory **gone = lab_alloc(cu_state.memory.n + 1, sizeof(struct cu_memory *));
    while (cu_table_next(&cu_state.memory, &at, &key, &value)) {
        struct cu_memory *m = value;
        if (m->ctx == ctx && m->kind != CU_MEMORY_GRAPH) {
            gone[n++] = m;
        }
    }
    for (size_t k = 0; k < n; k++) {
        cu_memory_drop(gone[k]);
    }
    free(gone);
}

/* --- allocation --- */

static CUresult alloc_as(CUcontext ctx, enum cu_memory_kind kind, size_t bytes, unsigned flags,
                         void *out)
{
    struct cu_memory *m;
    CUresult r = cu_capture_unsafe();
    if (r == CUDA_SUCCESS && out == NULL) {
        r = CUDA_ERROR_INVALID_VALUE;
    }
    r = r == CUDA_SUCCESS ? cu_memory_new(ctx, kind, bytes, &m) : r;
    if (r == CUDA_SUCCESS) {
        m->flags = flags;
        *(uint64_t *)out = m->at;
    }
    return r;
}

static CUresult alloc_pitch(CUcontext ctx, CUdeviceptr *out, size_t *pitch, const size_t dims[2],
                            unsigned element)
{
    size_t width = dims[0], height = dims[1];
    if (pitch == NULL || width == 0 || height == 0 || width > SIZE_MAX - PITCH ||
        (element != 4 && element != 8 && element != 16)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    size_t p = (width + PITCH - 1) / PITCH * PITCH;
    if (p > SIZE_MAX / height) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult r = alloc_as(ctx, CU_MEMORY_DEVICE, p * height, 0, out);
    if (r == CUDA_SUCCESS) {
        *pitch = p;
    }
    return r;
}

static CUresult alloc_host(CUcontext ctx, void **out, size_t bytes, unsigned flags)
{
    unsigned known =
        CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    if ((flags & ~known) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return alloc_as(ctx, CU_MEMORY_HOST, bytes, flags | CU_MEMHOSTALLOC_DEVICEMAP, out);
}

static CUresult alloc_managed(CUcontext ctx, CUdeviceptr *out, size_t bytes, unsigned flags)
{
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return alloc_as(ctx, CU_MEMORY_MANAGED, bytes, flags, out);
}

/* --- freeing --- */

static CUresult free_device(CUcontext ctx, CUdeviceptr at)
{
    CUresult r = cu_capture_unsafe();
    r = r == CUDA_SUCCESS ? cu_sync(ctx) : r;
    if (r != CUDA_SUCCESS || at == 0) {
        return r;
    }
    struct cu_memory *m = cu_memory_at(at);
    if (m == NULL || m->kind == CU_MEMORY_HOST || m->kind == CU_MEMORY_REGISTERED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (m->kind == CU_MEMORY_GRAPH) {
        return cu_graph_memory_use(ctx, at, false);
    }
    cu_memory_drop(m);
    return CUDA_SUCCESS;
}

static CUresult free_host(CUcontext ctx, void *p)
{
    CUresult r = cu_capture_unsafe();
    r = r == CUDA_SUCCESS ? cu_sync(ctx) : r;
    struct cu_memory *m = cu_memory_at((uintptr_t)p);
    if (r == CUDA_SUCCESS && (m == NULL || m->kind != CU_MEMORY_HOST)) {
        r = CUDA_ERROR_INVALID_VALUE;
    }
    if (r == CUDA_SUCCESS) {
        cu_memory_drop(m);
    }
    return r;
}

/* --- host memory of the program --- */

static CUresult register_host(CUcontext ctx, void *p, size_t bytes, unsigned flags)
{
    unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                     CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;
    if (p == NULL || bytes == 0 || (flags & ~known) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if ((flags & CU_MEMHOSTREGISTER_IOMEMORY) != 0) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    if (vgpu_register_host(ctx->dev->g, p, bytes) != VGPU_OK) {
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    }
    remember(ctx, CU_MEMORY_REGISTERED, (uintptr_t)p, bytes)->flags =
        flags | CU_MEMHOSTREGISTER_DEVICEMAP;
    return CUDA_SUCCESS;
}

static CUresult unregister_host(CUcontext ctx, void *p)
{
    struct cu_memory *m = cu_memory_at((uintptr_t)p);
    CUresult r = p == NULL ? CUDA_ERROR_INVALID_VALUE : cu_sync(ctx);
    if (r == CUDA_SUCCESS && (m == NULL || m->kind != CU_MEMORY_REGISTERED)) {
        r = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    }
    if (r == CUDA_SUCCESS) {
        cu_memory_drop(m);
    }
    return r;
}

static struct cu_memory *host_memory(CUcontext ctx, const void *p)
{
    struct cu_memory *m = cu_memory_of(ctx, (uintptr_t)p);
    bool host = m != NULL && (m->kind == CU_MEMORY_HOST || m->kind == CU_MEMORY_REGISTERED);
    return host ? m : NULL;
}

static CUresult device_pointer(CUcontext ctx, CUdeviceptr *out, void *p, unsigned flags)
{
    if (out == NULL || flags != 0 || host_memory(ctx, p) == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = (uintptr_t)p;
    return CUDA_SUCCESS;
}

static CUresult host_flags(CUcontext ctx, unsigned *out, void *p)
{
    const struct cu_memory *m = host_memory(ctx, p);
    if (out == NULL || m == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = m->flags;
    return CUDA_SUCCESS;
}

/* --- questions --- */

static CUresult info(CUcontext ctx, size_t *free_bytes, size_t *total_bytes)
{
    uint64_t f, t;
    vgpu_mem_info(ctx->dev->g, &f, &t);
    if (free_bytes != NULL) {
        *free_bytes = f;
    }
    if (total_bytes != NULL) {
        *total_bytes = t;
    }
    return CUDA_SUCCESS;
}

static CUresult address_range(CUcontext ctx, CUdeviceptr *base, size_t *bytes, CUdeviceptr addr)
{
    struct vgpu_range r;
    if (!vgpu_find_range(ctx->dev->g, addr, &r)) {
        return CUDA_ERROR_NOT_FOUND;
    }
    if (base != NULL) {
        *base = r.start;
    }
    if (bytes != NULL) {
        *bytes = r.bytes;
    }
    return CUDA_SUCCESS;
}

CU_API(cuMemAlloc_v2, (CUdeviceptr * out, size_t bytes), CU_NEED_CONTEXT,
       alloc_as(ctx, CU_MEMORY_DEVICE, bytes, 0, out));
CU_ALSO(cuMemAlloc, cuMemAlloc_v2);
CU_API(cuMemAllocPitch_v2,
       (CUdeviceptr * out, size_t *pitch, size_t width, size_t height, unsigned element),
       CU_NEED_CONTEXT, alloc_pitch(ctx, out, pitch, (size_t[2]){width, height}, element));
CU_ALSO(cuMemAllocPitch, cuMemAllocPitch_v2);
CU_API(cuMemAllocManaged, (CUdeviceptr * out, size_t bytes, unsigned flags), CU_NEED_CONTEXT,
       alloc_managed(ctx, out, bytes, flags));
CU_API(cuMemHostAlloc, (void **out, size_t bytes, unsigned flags), CU_NEED_CONTEXT,
       alloc_host(ctx, out, bytes, flags));
CU_API(cuMemAllocHost_v2, (void **out, size_t bytes), CU_NEED_CONTEXT,
       alloc_host(ctx, out, bytes, 0));
CU_ALSO(cuMemAllocHost, cuMemAllocHost_v2);
CU_API(cuMemFree_v2, (CUdeviceptr at), CU_NEED_CONTEXT, free_device(ctx, at));
CU_ALSO(cuMemFree, cuMemFree_v2);
CU_API(cuMemFreeHost, (void *p), CU_NEED_CONTEXT, free_host(ctx, p));
CU_API(cuMemHostRegister_v2, (void *p, size_t bytes, unsigned flags), CU_NEED_CONTEXT,
       register_host(ctx, p, bytes, flags));
CU_ALSO(cuMemHostRegister, cuMemHostRegister_v2);
CU_API(cuMemHostUnregister, (void *p), CU_NEED_CONTEXT, unregister_host(ctx, p));
CU_API(cuMemHostGetDevicePointer_v2, (CUdeviceptr * out, void *p, unsigned flags), CU_NEED_CONTEXT,
       device_pointer(ctx, out, p, flags));
CU_ALSO(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2);
CU_API(cuMemHostGetFlags, (unsigned *out, void *p), CU_NEED_CONTEXT, host_flags(ctx, out, p));
CU_API(cuMemGetInfo_v2, (size_t * free_bytes, size_t *total), CU_NEED_CONTEXT,
       info(ctx, free_bytes, total));
CU_ALSO(cuMemGetInfo, cuMemGetInfo_v2);
CU_API(cuMemGetAddressRange_v2, (CUdeviceptr * base, size_t *bytes, CUdeviceptr addr),
       CU_NEED_CONTEXT, address_range(ctx, base, bytes, addr));
CU_ALSO(cuMemGetAddressRange, cuMemGetAddressRange_v2);
