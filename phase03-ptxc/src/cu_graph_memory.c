/* Allocations that belong to graphs: what cuMemAllocAsync gives while a stream captures, and
 * allocation nodes.
 *
 * Model: the address is fixed when the node is made, so the memory is taken then, and given back
 * when no node names it any more. In between it is in use from a launch that runs the allocation
 * node until its free node, or a call of the program, frees it.
 *
 * Simplified: the memory is there before the first launch and stays after it; a driver maps it only
 * in between and lets graphs share it.
 */
#include "cu_op.h"

CUresult cu_graph_memory_new(CUcontext ctx, size_t bytes, uint64_t *at)
{
    struct cu_memory *m;
    CUresult r = cu_memory_new(ctx, CU_MEMORY_GRAPH, bytes, &m);
    if (r == CUDA_SUCCESS) {
        m->refs = 1;
        *at = m->at;
    }
    return r;
}

void cu_graph_memory_ref(uint64_t at)
{
    struct cu_memory *m = cu_memory_at(at);
    if (m != NULL) {
        m->refs++;
    }
}

void cu_graph_memory_unref(uint64_t at)
{
    struct cu_memory *m = cu_memory_at(at);
    if (m != NULL && --m->refs == 0) {
        if (m->in_use) {
            m->ctx->dev->graph_used -= m->bytes;
        }
        cu_memory_drop(m);
    }
}

CUresult cu_graph_memory_use(CUcontext ctx, uint64_t at, bool in_use)
{
    struct cu_memory *m = cu_memory_at(at);
    struct cu_device *d = ctx->dev;
    if (m == NULL || m->kind != CU_MEMORY_GRAPH || m->in_use == in_use) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    m->in_use = in_use;
    d->graph_used = in_use ? d->graph_used + m->bytes : d->graph_used - m->bytes;
    d->graph_high = d->graph_used > d->graph_high ? d->graph_used : d->graph_high;
    return CUDA_SUCCESS;
}

static CUresult get(CUdevice n, CUgraphMem_attribute a, cuuint64_t *out)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r != CUDA_SUCCESS || out == NULL || (unsigned)a > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    bool high = a == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || a == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    *out = high ? d->graph_high : d->graph_used;
    return CUDA_SUCCESS;
}

static CUresult set(CUdevice n, CUgraphMem_attribute a, const cuuint64_t *value)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    bool high = a == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || a == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    if (r != CUDA_SUCCESS || !high || value == NULL || *value != 0) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    d->graph_high = d->graph_used;
    return CUDA_SUCCESS;
}

static CUresult trim(CUdevice n)
{
    struct cu_device *d;
    return cu_device_get(n, &d);
}

CU_API(cuDeviceGetGraphMemAttribute, (CUdevice n, CUgraphMem_attribute a, void *out), CU_NEED_INIT,
       get(n, a, out));
CU_API(cuDeviceSetGraphMemAttribute, (CUdevice n, CUgraphMem_attribute a, void *value),
       CU_NEED_INIT, set(n, a, value));
CU_API(cuDeviceGraphMemTrim, (CUdevice n), CU_NEED_INIT, trim(n));
