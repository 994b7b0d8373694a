/* Memory of the runtime API. Where the driver refuses zero bytes, the runtime gives a null pointer
 * and succeeds, and freeing a null pointer does nothing. */
#include <string.h>

#include "cu_rt.h"

#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))

/* --- allocation --- */

static CUresult device(void **out, size_t bytes)
{
    CUdeviceptr at = 0;
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = bytes == 0 ? CUDA_SUCCESS : cuMemAlloc_v2(&at, bytes);
    if (r == CUDA_SUCCESS) {
        *out = (void *)(uintptr_t)at;
    }
    return r;
}

static CUresult pitched(void **out, size_t *pitch, size_t width, size_t height)
{
    CUdeviceptr at = 0;
    if (out == NULL || pitch == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *pitch = 0;
    CUresult r = width == 0 || height == 0 ? CUDA_SUCCESS
                                           : cuMemAllocPitch_v2(&at, pitch, width, height, 16);
    if (r == CUDA_SUCCESS) {
        *out = (void *)(uintptr_t)at;
    }
    return r;
}

static CUresult pitched3d(struct cudaPitchedPtr *out, struct cudaExtent e)
{
    if (out == NULL || (e.depth > 0 && e.height > SIZE_MAX / e.depth)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = (struct cudaPitchedPtr){.xsize = e.width, .ysize = e.height};
    return pitched(&out->ptr, &out->pitch, e.width, e.height * e.depth);
}

static CUresult host(void **out, size_t bytes, unsigned flags)
{
    if (out == NULL || bytes == 0) {
        return out == NULL ? CUDA_ERROR_INVALID_VALUE : (*out = NULL, CUDA_SUCCESS);
    }
    return cuMemHostAlloc(out, bytes, flags);
}

static CUresult managed(void **out, size_t bytes, unsigned flags)
{
    CUdeviceptr at;
    if (out == NULL || bytes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = cuMemAllocManaged(&at, bytes, flags);
    if (r == CUDA_SUCCESS) {
        *out = (void *)(uintptr_t)at;
    }
    return r;
}

static CUresult async(void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t s)
{
    CUdeviceptr at = 0;
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = bytes == 0     ? CUDA_SUCCESS
                 : pool == NULL ? cuMemAllocAsync(&at, bytes, s)
                                : cuMemAllocFromPoolAsync(&at, bytes, pool, s);
    if (r == CUDA_SUCCESS) {
        *out = (void *)(uintptr_t)at;
    }
    return r;
}

static CUresult device_pointer(void **out, void *p, unsigned flags)
{
    CUdeviceptr at;
    CUresult r =
        out != NULL ? cuMemHostGetDevicePointer_v2(&at, p, flags) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS) {
        *out = (void *)(uintptr_t)at;
    }
    return r;
}

/* --- what a pointer is --- */

static CUresult attributes(struct cudaPointerAttributes *a, const void *p)
{
    unsigned type = 0, is_managed = 0;
    int n = cudaInvalidDeviceId;
    CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *values[] = {&type, &is_managed, &n};
    if (a == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = cuPointerGetAttributes(3, names, values, ADDRESS(p));
    if (r != CUDA_SUCCESS) {
        return r;
    }
    memset(a, 0, sizeof(*a));
    a->device = n;
    a->type = is_managed != 0                ? cudaMemoryTypeManaged
              : type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice
              : type == CU_MEMORYTYPE_HOST   ? cudaMemoryTypeHost
                                             : cudaMemoryTypeUnregistered;
    if (a->type != cudaMemoryTypeUnregistered) {
        a->devicePointer = (void *)(uintptr_t)p;
    }
    if (a->type != cudaMemoryTypeDevice) {
        a->hostPointer = (void *)(uintptr_t)p;
    }
    return CUDA_SUCCESS;
}

/* --- advice --- */

static CUmemLocation place(struct cudaMemLocation where)
{
    return (CUmemLocation){(CUmemLocationType)where.type, where.id};
}

RT_API(cudaMalloc, (void **out, size_t bytes), device(out, bytes));
RT_API(cudaMallocPitch, (void **out, size_t *pitch, size_t width, size_t height),
       pitched(out, pitch, width, height));
RT_API(cudaMalloc3D, (struct cudaPitchedPtr * out, struct cudaExtent e), pitched3d(out, e));
RT_API(cudaMallocHost, (void **out, size_t bytes), host(out, bytes, 0));
RT_API(cudaHostAlloc, (void **out, size_t bytes, unsigned flags), host(out, bytes, flags));
RT_API(cudaMallocManaged, (void **out, size_t bytes, unsigned flags), managed(out, bytes, flags));
RT_API(cudaFree, (void *p), cuMemFree_v2(ADDRESS(p)));
RT_API(cudaFreeHost, (void *p), p == NULL ? CUDA_SUCCESS : cuMemFreeHost(p));
RT_API(cudaHostRegister, (void *p, size_t bytes, unsigned flags),
       cuMemHostRegister_v2(p, bytes, flags));
RT_API(cudaHostUnregister, (void *p), cuMemHostUnregister(p));
RT_API(cudaHostGetDevicePointer, (void **out, void *p, unsigned flags),
       device_pointer(out, p, flags));
RT_API(cudaHostGetFlags, (unsigned *out, void *p), cuMemHostGetFlags(out, p));
RT_API(cudaMemGetInfo, (size_t * free_bytes, size_t *total), cuMemGetInfo_v2(free_bytes, total));
RT_API(cudaPointerGetAttributes, (struct cudaPointerAttributes * a, const void *p),
       attributes(a, p));

RT_API(cudaMallocAsync, (void **out, size_t bytes, cudaStream_t s), async(out, bytes, NULL, s));
RT_PER_THREAD(cudaMallocAsync_ptsz, cudaMallocAsync, (void **out, size_t bytes, cudaStream_t s),
              (out, bytes, RT_PT(s)));
RT_API(cudaMallocFromPoolAsync, (void **out, size_t bytes, cudaMemPool_t p, cudaStream_t s),
       p == NULL ? CUDA_ERROR_INVALID_VALUE : async(out, bytes, p, s));
RT_PER_THREAD(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync,
              (void **out, size_t bytes, cudaMemPool_t p, cudaStream_t s),
              (out, bytes, p, RT_PT(s)));
RT_API(cudaFreeAsync, (void *p, cudaStream_t s),
       p == NULL ? CUDA_SUCCESS : cuMemFreeAsync(ADDRESS(p), s));
RT_PER_THREAD(cudaFreeAsync_ptsz, cudaFreeAsync, (void *p, cudaStream_t s), (p, RT_PT(s)));

RT_API(cudaMemPrefetchAsync,
       (const void *p, size_t n, struct cudaMemLocation where, unsigned flags, cudaStream_t s),
       cuMemPrefetchAsync_v2(ADDRESS(p), n, place(where), flags, s));
RT_PER_THREAD(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync,
              (const void *p, size_t n, struct cudaMemLocation where, unsigned flags,
               cudaStream_t s),
              (p, n, where, flags, RT_PT(s)));
RT_API(cudaMemAdvise,
       (const void *p, size_t n, enum cudaMemoryAdvise a, struct cudaMemLocation where),
       cuMemAdvise_v2(ADDRESS(p), n, (CUmem_advise)a, place(where)));
RT_API(cudaMemRangeGetAttribute,
       (void *out, size_t size, enum cudaMemRangeAttribute a, const void *p, size_t n),
       cuMemRangeGetAttribute(out, size, (CUmem_range_attribute)a, ADDRESS(p), n));
RT_API(cudaMemRangeGetAttributes,
       (void **out, size_t *sizes, enum cudaMemRangeAttribute *a, size_t count, const void *p,
        size_t n),
       cuMemRangeGetAttributes(out, sizes, (CUmem_range_attribute *)(void *)a, count, ADDRESS(p),
                               n));
