/* Memory pools: cuMemAllocAsync and its kin.
 *
 * Model: a pool counts what was allocated from it and hands every request on to the device; freed
 * memory goes back to the device at once, because all work before the free is done. A pool that the
 * program destroys lives on until its last allocation is freed, as CUDA says.
 *
 * Simplified: nothing is kept for reuse, so reserved memory equals used memory, cuMemPoolTrimTo has
 * nothing to do and the release threshold is only remembered. Pools of host memory and sharing
 * between processes are not provided.
 */
#include <stdlib.h>

#include "cu_capture.h"

/* --- pools --- */

static CUmemoryPool pool_new(struct cu_device *d, uint64_t max)
{
    CUmemoryPool p = lab_alloc(1, sizeof(*p));
    p->dev = d;
    p->max = max;
    p->reuse[0] = p->reuse[1] = p->reuse[2] = 1;
    cu_handle_add(p, CU_KIND_POOL);
    return p;
}

static CUmemoryPool default_pool(struct cu_device *d)
{
    if (d->default_pool == NULL) {
        d->default_pool = pool_new(d, 0);
        d->default_pool->built_in = true;
    }
    return d->default_pool;
}

static CUmemoryPool current_pool(struct cu_device *d)
{
    return d->pool != NULL ? d->pool : default_pool(d);
}

void cu_pool_free(CUmemoryPool p)
{
    if (p->dev->pool == p) {
        p->dev->pool = NULL;
    }
    cu_handle_drop(p);
    free(p);
}

void cu_pool_freed(CUmemoryPool p, size_t bytes)
{
    p->used -= bytes;
    p->allocs--;
    if (p->doomed && p->allocs == 0) {
        cu_pool_free(p);
    }
}

static bool is_pool(CUmemoryPool p)
{
    return cu_is(p, CU_KIND_POOL) && !p->doomed;
}

static CUresult pool_create(CUmemoryPool *out, const CUmemPoolProps *props)
{
    struct cu_device *d;
    if (out == NULL || props == NULL || props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (props->handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
        props->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
        return cu_not_supported("a memory pool of host memory or with shareable handles");
    }
    CUresult r = cu_device_get(props->location.id, &d);
    if (r == CUDA_SUCCESS) {
        *out = pool_new(d, props->maxSize);
    }
    return r;
}

static CUresult pool_destroy(CUmemoryPool p)
{
    if (!is_pool(p) || p->built_in) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (p->dev->pool == p) {
        p->dev->pool = NULL;
    }
    p->doomed = true;
    if (p->allocs == 0) {
        cu_pool_free(p);
    }
    return CUDA_SUCCESS;
}

/* --- allocations --- */

static CUresult alloc_now(CUcontext ctx, CUmemoryPool p, size_t bytes, CUdeviceptr *out)
{
    struct cu_memory *m;
    if (p->max != 0 && (bytes > p->max || p->used > p->max - bytes)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult r = cu_memory_new(ctx, CU_MEMORY_POOL, bytes, &m);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    m->pool = p;
    p->allocs++;
    p->used += bytes;
    p->used_high = p->used > p->used_high ? p->used : p->used_high;
    *out = m->at;
    return CUDA_SUCCESS;
}

static CUresult alloc_captured(CUcontext ctx, CUstream s, size_t bytes, CUdeviceptr *out)
{
    struct cu_op op = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    uint64_t at;
    CUresult r = cu_graph_memory_new(ctx, bytes, &at);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    op.alloc.bytesize = bytes;
    op.alloc.dptr = at;
    op.alloc.poolProps = (CUmemPoolProps){
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {CU_MEM_LOCATION_TYPE_DEVICE, cu_device_number(ctx->dev)},
    };
    *out = at;
    return cu_capture_add(s, &op);
}

static CUresult alloc_async(CUcontext ctx, CUdeviceptr *out, size_t bytes, CUmemoryPool p,
                            CUstream h)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || out == NULL || bytes == 0 || !is_pool(p)) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (s->capture != NULL) {
        return alloc_captured(ctx, s, bytes, out);
    }
    r = s->legacy ? cu_capture_legacy(ctx) : CUDA_SUCCESS;
    return r == CUDA_SUCCESS ? alloc_now(ctx, p, bytes, out) : r;
}

static CUresult free_async(CUcontext ctx, CUdeviceptr at, CUstream h)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    struct cu_memory *m = cu_memory_at(at);
    if (r != CUDA_SUCCESS || m == NULL || m->kind == CU_MEMORY_HOST ||
        m->kind == CU_MEMORY_REGISTERED) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (s->capture != NULL) {
        struct cu_op op = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free_at = at};
        if (m->kind != CU_MEMORY_GRAPH) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        cu_graph_memory_ref(at);
        return cu_capture_add(s, &op);
    }
    r = s->legacy ? cu_capture_legacy(ctx) : CUDA_SUCCESS;
    if (r == CUDA_SUCCESS && m->kind == CU_MEMORY_GRAPH) {
        return cu_graph_memory_use(ctx, at, false);
    }
    if (r == CUDA_SUCCESS) {
        cu_memory_drop(m);
    }
    return r;
}

/* --- questions and settings --- */

static CUresult get_attribute(CUmemoryPool p, CUmemPool_attribute a, void *out)
{
    if (!is_pool(p) || out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (a) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: *(int *)out = p->reuse[a - 1]; break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *(cuuint64_t *)out = p->threshold; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *(cuuint64_t *)out = p->used; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *(cuuint64_t *)out = p->used_high; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

static CUresult set_attribute(CUmemoryPool p, CUmemPool_attribute a, const void *value)
{
    if (!is_pool(p) || value == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (a) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        p->reuse[a - 1] = *(const int *)value;
        break;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: p->threshold = *(const cuuint64_t *)value; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (*(const cuuint64_t *)value != 0) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        p->used_high = p->used;
        break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

static CUresult set_access(CUmemoryPool p, const CUmemAccessDesc *list, size_t n)
{
    if (!is_pool(p) || (list == NULL && n > 0)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t k = 0; k < n; k++) {
        const CUmemAccessDesc *d = &list[k];
        if (d->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            d->location.id != cu_device_number(p->dev)) {
            return CUDA_ERROR_INVALID_DEVICE;
        }
        if (d->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

static CUresult get_access(CUmemAccess_flags *out, CUmemoryPool p, const CUmemLocation *where)
{
    if (!is_pool(p) || out == NULL || where == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    bool own = where->type == CU_MEM_LOCATION_TYPE_DEVICE && where->id == cu_device_number(p->dev);
    *out = own ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

static CUresult trim(CUmemoryPool p)
{
    return is_pool(p) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

enum which { DEFAULT, CURRENT };

static CUresult device_pool(CUmemoryPool *out, CUdevice n, enum which which)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r != CUDA_SUCCESS || out == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    *out = which == DEFAULT ? default_pool(d) : current_pool(d);
    return CUDA_SUCCESS;
}

static CUresult set_device_pool(CUdevice n, CUmemoryPool p)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r != CUDA_SUCCESS || !is_pool(p)) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    d->pool = p;
    return CUDA_SUCCESS;
}

/* The device of a location, for the calls that name pools by place. */
static CUresult place(const CUmemLocation *where, CUmemAllocationType type, CUdevice *n)
{
    if (where == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (where->type != CU_MEM_LOCATION_TYPE_DEVICE || type != CU_MEM_ALLOCATION_TYPE_PINNED) {
        return cu_not_supported("a memory pool of host or managed memory");
    }
    *n = where->id;
    return CUDA_SUCCESS;
}

static CUresult pool_at(CUmemoryPool *out, const CUmemLocation *where, CUmemAllocationType type,
                        enum which which)
{
    CUdevice n = CU_DEVICE_INVALID;
    CUresult r = place(where, type, &n);
    return r == CUDA_SUCCESS ? device_pool(out, n, which) : r;
}

static CUresult set_pool_at(const CUmemLocation *where, CUmemAllocationType type, CUmemoryPool p)
{
    CUdevice n = CU_DEVICE_INVALID;
    CUresult r = place(where, type, &n);
    return r == CUDA_SUCCESS ? set_device_pool(n, p) : r;
}

CU_API(cuMemPoolCreate, (CUmemoryPool * out, const CUmemPoolProps *props), CU_NEED_INIT,
       pool_create(out, props));
CU_API(cuMemPoolDestroy, (CUmemoryPool p), CU_NEED_INIT, pool_destroy(p));
CU_API(cuMemPoolTrimTo, (CUmemoryPool p, size_t keep), CU_NEED_INIT, ((void)keep, trim(p)));
CU_API(cuMemPoolGetAttribute, (CUmemoryPool p, CUmemPool_attribute a, void *out), CU_NEED_INIT,
       get_attribute(p, a, out));
CU_API(cuMemPoolSetAttribute, (CUmemoryPool p, CUmemPool_attribute a, void *value), CU_NEED_INIT,
       set_attribute(p, a, value));
CU_API(cuMemPoolSetAccess, (CUmemoryPool p, const CUmemAccessDesc *list, size_t n), CU_NEED_INIT,
       set_access(p, list, n));
CU_API(cuMemPoolGetAccess, (CUmemAccess_flags * out, CUmemoryPool p, CUmemLocation *where),
       CU_NEED_INIT, get_access(out, p, where));
CU_API(cuDeviceGetDefaultMemPool, (CUmemoryPool * out, CUdevice n), CU_NEED_INIT,
       device_pool(out, n, DEFAULT));
CU_API(cuDeviceGetMemPool, (CUmemoryPool * out, CUdevice n), CU_NEED_INIT,
       device_pool(out, n, CURRENT));
CU_API(cuDeviceSetMemPool, (CUdevice n, CUmemoryPool p), CU_NEED_INIT, set_device_pool(n, p));
CU_API(cuMemGetDefaultMemPool, (CUmemoryPool * out, CUmemLocation *where, CUmemAllocationType type),
       CU_NEED_INIT, pool_at(out, where, type, DEFAULT));
CU_API(cuMemGetMemPool, (CUmemoryPool * out, CUmemLocation *where, CUmemAllocationType type),
       CU_NEED_INIT, pool_at(out, where, type, CURRENT));
CU_API(cuMemSetMemPool, (CUmemLocation * where, CUmemAllocationType type, CUmemoryPool p),
       CU_NEED_INIT, set_pool_at(where, type, p));

CU_API(cuMemAllocAsync, (CUdeviceptr * out, size_t bytes, CUstream s), CU_NEED_CONTEXT,
       alloc_async(ctx, out, bytes, current_pool(ctx->dev), s));
CU_PER_THREAD(cuMemAllocAsync, (CUdeviceptr * out, size_t bytes, CUstream s),
              (out, bytes, CU_PT(s)));
CU_API(cuMemAllocFromPoolAsync, (CUdeviceptr * out, size_t bytes, CUmemoryPool p, CUstream s),
       CU_NEED_CONTEXT, alloc_async(ctx, out, bytes, p, s));
CU_PER_THREAD(cuMemAllocFromPoolAsync,
              (CUdeviceptr * out, size_t bytes, CUmemoryPool p, CUstream s),
              (out, bytes, p, CU_PT(s)));
CU_API(cuMemFreeAsync, (CUdeviceptr at, CUstream s), CU_NEED_CONTEXT, free_async(ctx, at, s));
CU_PER_THREAD(cuMemFreeAsync, (CUdeviceptr at, CUstream s), (at, CU_PT(s)));
