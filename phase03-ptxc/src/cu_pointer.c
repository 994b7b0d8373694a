/* What a pointer is, and advice about managed memory.
 *
 * Model: an address inside an allocation gets that allocation's answers; a module's variables are
 * device memory without an entry in the table. Advice is remembered so that it can be asked for.
 *
 * Simplified: managed memory has one place, which host and device reach alike: prefetching and
 * advice change nothing that a program could measure.
 */
#include <string.h>

#include "cu_capture.h"

/* An allocation, or a module's variable as if it were one. */
static bool describe(CUcontext ctx, uint64_t addr, struct cu_memory *m)
{
    struct vgpu_range r;
    if (!vgpu_find_range(ctx->dev->g, addr, &r)) {
        return false;
    }
    const struct cu_memory *known = cu_memory_at(r.start);
    enum cu_memory_kind kind = r.kind == VGPU_MEM_MANAGED ? CU_MEMORY_MANAGED : CU_MEMORY_DEVICE;
    *m = known != NULL ? *known
                       : (struct cu_memory){.at = r.start,
                                            .bytes = r.bytes,
                                            .kind = kind,
                                            .ctx = ctx,
                                            .flags = CU_MEM_ATTACH_GLOBAL};
    return true;
}

static bool on_host(const struct cu_memory *m)
{
    return m->kind == CU_MEMORY_HOST || m->kind == CU_MEMORY_REGISTERED;
}

#define ANSWER(type, value) (*(type *)out = (type)(value), CUDA_SUCCESS)

static CUresult answer(const struct cu_memory *m, uint64_t addr, CUpointer_attribute a, void *out)
{
    bool host = on_host(m), managed = m->kind == CU_MEMORY_MANAGED;
    switch (a) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return ANSWER(CUcontext, m->ctx);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return ANSWER(unsigned, host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return ANSWER(CUdeviceptr, addr);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return host || managed ? ANSWER(uint64_t, addr) : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return ANSWER(unsigned, m->sync_memops);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: return ANSWER(unsigned long long, m->number);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return ANSWER(unsigned, managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return ANSWER(int, cu_device_number(m->ctx->dev));
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return ANSWER(CUdeviceptr, m->at);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return ANSWER(size_t, m->bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: return ANSWER(unsigned, 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return ANSWER(cuuint64_t, 0);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return ANSWER(int, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return ANSWER(CUmemoryPool, m->pool);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: return ANSWER(unsigned, 0);
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult get(CUcontext ctx, void *out, CUpointer_attribute a, uint64_t addr)
{
    struct cu_memory m;
    if (out == NULL || !describe(ctx, addr, &m)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return answer(&m, addr, a, out);
}

/* What the plural call says about an attribute that the pointer does not have. */
static void nothing(CUpointer_attribute a, void *out)
{
    switch (a) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: *(unsigned *)out = 0; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)out = CU_DEVICE_INVALID; break;
    default: *(uint64_t *)out = 0; break;
    }
}

static CUresult get_all(CUcontext ctx, unsigned n, const CUpointer_attribute *a, void **out,
                        uint64_t addr)
{
    if (n > 0 && (a == NULL || out == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned k = 0; k < n; k++) {
        if (a[k] < CU_POINTER_ATTRIBUTE_CONTEXT || a[k] > CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE ||
            a[k] == CU_POINTER_ATTRIBUTE_P2P_TOKENS || out[k] == NULL) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        if (get(ctx, out[k], a[k], addr) != CUDA_SUCCESS) {
            nothing(a[k], out[k]);
        }
    }
    return CUDA_SUCCESS;
}

static CUresult set(CUcontext ctx, const void *value, CUpointer_attribute a, uint64_t addr)
{
    struct cu_memory *m = cu_memory_of(ctx, addr);
    if (value == NULL || m == NULL || a != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    m->sync_memops = *(const unsigned *)value != 0;
    return CUDA_SUCCESS;
}

/* --- managed memory --- */

/* The managed allocation that holds all of [addr, addr + n). Pinned memory may be prefetched too.
 */
static struct cu_memory *managed(CUcontext ctx, uint64_t addr, size_t n)
{
    struct cu_memory *m = cu_memory_of(ctx, addr);
    bool held = m != NULL && n > 0 && n <= m->bytes - (addr - m->at);
    return held && m->kind == CU_MEMORY_MANAGED ? m : NULL;
}

static bool is_module_variable(CUcontext ctx, uint64_t addr)
{
    struct cu_memory m;
    return describe(ctx, addr, &m) && m.kind == CU_MEMORY_MANAGED && cu_memory_at(m.at) == NULL;
}

static CUresult check_place(CUmemLocation where)
{
    struct cu_device *d;
    if (where.type == CU_MEM_LOCATION_TYPE_DEVICE) {
        return cu_device_get(where.id, &d);
    }
    bool host = where.type >= CU_MEM_LOCATION_TYPE_HOST &&
                where.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    return host ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult prefetch(CUcontext ctx, uint64_t addr, size_t n, CUmemLocation where, CUstream h)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    r = r == CUDA_SUCCESS ? check_place(where) : r;
    if (r != CUDA_SUCCESS) {
        return r;
    }
    struct cu_memory *m = managed(ctx, addr, n);
    if (m == NULL) {
        return is_module_variable(ctx, addr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (s->capture != NULL) {
        cu_capture_invalidate(s->capture);
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    m->prefetched = where;
    return CUDA_SUCCESS;
}

static CUresult advise(CUcontext ctx, uint64_t addr, size_t n, CUmem_advise a, CUmemLocation where)
{
    struct cu_memory *m = managed(ctx, addr, n);
    if (a < CU_MEM_ADVISE_SET_READ_MOSTLY || a > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (m == NULL) {
        return is_module_variable(ctx, addr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    bool placed = a >= CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    CUresult r = placed ? check_place(where) : CUDA_SUCCESS;
    if (r != CUDA_SUCCESS) {
        return r;
    }
    bool on = a % 2 == 1; /* each SET is odd and its UNSET the next number */
    unsigned bit = 1u << (on ? a : a - 1);
    m->advice = on ? m->advice | bit : m->advice & ~bit;
    if (a == CU_MEM_ADVISE_SET_PREFERRED_LOCATION) {
        m->place = where;
    }
    return CUDA_SUCCESS;
}

static int place_id(CUmemLocation l)
{
    return l.type == CU_MEM_LOCATION_TYPE_DEVICE    ? l.id
           : l.type == CU_MEM_LOCATION_TYPE_INVALID ? CU_DEVICE_INVALID
                                                    : CU_DEVICE_CPU;
}

static int range_value(const struct cu_memory *m, CUmem_range_attribute a)
{
    bool preferred = (m->advice & 1u << CU_MEM_ADVISE_SET_PREFERRED_LOCATION) != 0;
    CUmemLocation none = {CU_MEM_LOCATION_TYPE_INVALID, CU_DEVICE_INVALID};
    CUmemLocation place = preferred ? m->place : none;
    switch (a) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        return (m->advice & 1u << CU_MEM_ADVISE_SET_READ_MOSTLY) != 0;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: return place_id(place);
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        return (m->advice & 1u << CU_MEM_ADVISE_SET_ACCESSED_BY) != 0
                   ? cu_device_number(m->ctx->dev)
                   : CU_DEVICE_INVALID;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: return place_id(m->prefetched);
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: return (int)place.type;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: return place_id(place);
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: return (int)m->prefetched.type;
    default: return place_id(m->prefetched);
    }
}

struct range {
    uint64_t addr;
    size_t bytes;
};

static CUresult range_get(CUcontext ctx, void *out, size_t size, CUmem_range_attribute a,
                          struct range where)
{
    const struct cu_memory *m = managed(ctx, where.addr, where.bytes);
    if (out == NULL || m == NULL || size < sizeof(int) || size % sizeof(int) != 0 ||
        a < CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY ||
        a > CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    int *values = out;
    values[0] = range_value(m, a);
    for (size_t k = 1; k < size / sizeof(int); k++) {
        values[k] = CU_DEVICE_INVALID; /* the list of devices that access it ends */
    }
    return CUDA_SUCCESS;
}

struct range_question {
    void **out;
    const size_t *sizes;
    const CUmem_range_attribute *attributes;
    size_t n;
};

static CUresult range_get_all(CUcontext ctx, struct range_question q, struct range where)
{
    if (q.out == NULL || q.sizes == NULL || q.attributes == NULL || q.n == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = CUDA_SUCCESS;
    for (size_t k = 0; r == CUDA_SUCCESS && k < q.n; k++) {
        r = range_get(ctx, q.out[k], q.sizes[k], q.attributes[k], where);
    }
    return r;
}

static CUresult attach(CUcontext ctx, CUstream h, uint64_t addr, unsigned flags)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    struct cu_memory m;
    if (r != CUDA_SUCCESS || flags > CU_MEM_ATTACH_SINGLE || !describe(ctx, addr, &m) ||
        m.kind != CU_MEMORY_MANAGED) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* The place that the calls of CUDA 12 and before name by a device number. */
static CUmemLocation old_place(CUdevice n)
{
    return n == CU_DEVICE_CPU ? (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0}
                              : (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, n};
}

CU_API(cuPointerGetAttribute, (void *out, CUpointer_attribute a, CUdeviceptr addr), CU_NEED_CONTEXT,
       get(ctx, out, a, addr));
CU_API(cuPointerGetAttributes, (unsigned n, CUpointer_attribute *a, void **out, CUdeviceptr addr),
       CU_NEED_CONTEXT, get_all(ctx, n, a, out, addr));
CU_API(cuPointerSetAttribute, (const void *value, CUpointer_attribute a, CUdeviceptr addr),
       CU_NEED_CONTEXT, set(ctx, value, a, addr));
CU_API(cuMemPrefetchAsync_v2,
       (CUdeviceptr addr, size_t n, CUmemLocation where, unsigned flags, CUstream s),
       CU_NEED_CONTEXT, ((void)flags, prefetch(ctx, addr, n, where, s)));
CU_PER_THREAD(cuMemPrefetchAsync_v2,
              (CUdeviceptr addr, size_t n, CUmemLocation where, unsigned flags, CUstream s),
              (addr, n, where, flags, CU_PT(s)));
CU_API(cuMemPrefetchAsync, (CUdeviceptr addr, size_t n, CUdevice to, CUstream s), CU_NEED_CONTEXT,
       prefetch(ctx, addr, n, old_place(to), s));
CU_PER_THREAD(cuMemPrefetchAsync, (CUdeviceptr addr, size_t n, CUdevice to, CUstream s),
              (addr, n, to, CU_PT(s)));
CU_API(cuMemAdvise_v2, (CUdeviceptr addr, size_t n, CUmem_advise a, CUmemLocation where),
       CU_NEED_CONTEXT, advise(ctx, addr, n, a, where));
CU_API(cuMemAdvise, (CUdeviceptr addr, size_t n, CUmem_advise a, CUdevice to), CU_NEED_CONTEXT,
       advise(ctx, addr, n, a, old_place(to)));
CU_API(cuMemRangeGetAttribute,
       (void *out, size_t size, CUmem_range_attribute a, CUdeviceptr addr, size_t n),
       CU_NEED_CONTEXT, range_get(ctx, out, size, a, (struct range){addr, n}));
CU_API(cuMemRangeGetAttributes,
       (void **out, size_t *sizes, CUmem_range_attribute *a, size_t count, CUdeviceptr addr,
        size_t n),
       CU_NEED_CONTEXT,
       range_get_all(ctx, (struct range_question){out, sizes, a, count}, (struct range){addr, n}));
CU_API(cuStreamAttachMemAsync, (CUstream s, CUdeviceptr addr, size_t n, unsigned flags),
       CU_NEED_CONTEXT, ((void)n, attach(ctx, s, addr, flags)));
CU_PER_THREAD(cuStreamAttachMemAsync, (CUstream s, CUdeviceptr addr, size_t n, unsigned flags),
              (CU_PT(s), addr, n, flags));
