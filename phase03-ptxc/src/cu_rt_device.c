/* Devices, limits and memory pools of the runtime API. */
#include <string.h>

#include "cu_rt.h"

/* --- properties --- */

struct property {
    CUdevice_attribute attribute;
    size_t offset;
    bool wide; /* the member is a size_t */
};

#define P(attribute, field)                                                                        \
    {                                                                                              \
        CU_DEVICE_ATTRIBUTE_##attribute, offsetof(struct cudaDeviceProp, field), false             \
    }
#define W(attribute, field)                                                                        \
    {                                                                                              \
        CU_DEVICE_ATTRIBUTE_##attribute, offsetof(struct cudaDeviceProp, field), true              \
    }

/* Texture and surface limits are 0, and so are the members that are not named here. */
static const struct property property_table[] = {
    W(MAX_SHARED_MEMORY_PER_BLOCK, sharedMemPerBlock),
    P(MAX_REGISTERS_PER_BLOCK, regsPerBlock),
    P(WARP_SIZE, warpSize),
    W(MAX_PITCH, memPitch),
    P(MAX_THREADS_PER_BLOCK, maxThreadsPerBlock),
    P(MAX_BLOCK_DIM_X, maxThreadsDim[0]),
    P(MAX_BLOCK_DIM_Y, maxThreadsDim[1]),
    P(MAX_BLOCK_DIM_Z, maxThreadsDim[2]),
    P(MAX_GRID_DIM_X, maxGridSize[0]),
    P(MAX_GRID_DIM_Y, maxGridSize[1]),
    P(MAX_GRID_DIM_Z, maxGridSize[2]),
    W(TOTAL_CONSTANT_MEMORY, totalConstMem),
    P(COMPUTE_CAPABILITY_MAJOR, major),
    P(COMPUTE_CAPABILITY_MINOR, minor),
    W(TEXTURE_ALIGNMENT, textureAlignment),
    W(TEXTURE_PITCH_ALIGNMENT, texturePitchAlignment),
    P(MULTIPROCESSOR_COUNT, multiProcessorCount),
    P(INTEGRATED, integrated),
    P(CAN_MAP_HOST_MEMORY, canMapHostMemory),
    W(SURFACE_ALIGNMENT, surfaceAlignment),
    P(CONCURRENT_KERNELS, concurrentKernels),
    P(ECC_ENABLED, ECCEnabled),
    P(PCI_BUS_ID, pciBusID),
    P(PCI_DEVICE_ID, pciDeviceID),
    P(PCI_DOMAIN_ID, pciDomainID),
    P(TCC_DRIVER, tccDriver),
    P(ASYNC_ENGINE_COUNT, asyncEngineCount),
    P(UNIFIED_ADDRESSING, unifiedAddressing),
    P(GLOBAL_MEMORY_BUS_WIDTH, memoryBusWidth),
    P(L2_CACHE_SIZE, l2CacheSize),
    P(MAX_PERSISTING_L2_CACHE_SIZE, persistingL2CacheMaxSize),
    P(MAX_THREADS_PER_MULTIPROCESSOR, maxThreadsPerMultiProcessor),
    P(STREAM_PRIORITIES_SUPPORTED, streamPrioritiesSupported),
    P(GLOBAL_L1_CACHE_SUPPORTED, globalL1CacheSupported),
    P(LOCAL_L1_CACHE_SUPPORTED, localL1CacheSupported),
    W(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, sharedMemPerMultiprocessor),
    P(MAX_REGISTERS_PER_MULTIPROCESSOR, regsPerMultiprocessor),
    P(MANAGED_MEMORY, managedMemory),
    P(MULTI_GPU_BOARD, isMultiGpuBoard),
    P(MULTI_GPU_BOARD_GROUP_ID, multiGpuBoardGroupID),
    P(HOST_NATIVE_ATOMIC_SUPPORTED, hostNativeAtomicSupported),
    P(PAGEABLE_MEMORY_ACCESS, pageableMemoryAccess),
    P(CONCURRENT_MANAGED_ACCESS, concurrentManagedAccess),
    P(COMPUTE_PREEMPTION_SUPPORTED, computePreemptionSupported),
    P(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, canUseHostPointerForRegisteredMem),
    P(COOPERATIVE_LAUNCH, cooperativeLaunch),
    W(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, sharedMemPerBlockOptin),
    P(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, pageableMemoryAccessUsesHostPageTables),
    P(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, directManagedMemAccessFromHost),
    P(MAX_BLOCKS_PER_MULTIPROCESSOR, maxBlocksPerMultiProcessor),
    P(MAX_ACCESS_POLICY_WINDOW_SIZE, accessPolicyMaxWindowSize),
    W(RESERVED_SHARED_MEMORY_PER_BLOCK, reservedSharedMemPerBlock),
    P(HOST_REGISTER_SUPPORTED, hostRegisterSupported),
    P(READ_ONLY_HOST_REGISTER_SUPPORTED, hostRegisterReadOnlySupported),
    P(MEMORY_POOLS_SUPPORTED, memoryPoolsSupported),
    P(MEMPOOL_SUPPORTED_HANDLE_TYPES, memoryPoolSupportedHandleTypes),
    P(CLUSTER_LAUNCH, clusterLaunch),
    P(UNIFIED_FUNCTION_POINTERS, unifiedFunctionPointers),
    P(NUMA_CONFIG, deviceNumaConfig),
    P(NUMA_ID, deviceNumaId),
    P(HOST_NUMA_ID, hostNumaId),
};

static CUresult properties(struct cudaDeviceProp *p, int n)
{
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    memset(p, 0, sizeof(*p));
    CUresult r = cuDeviceGetName(p->name, sizeof(p->name), n);
    r = r == CUDA_SUCCESS ? cuDeviceGetUuid_v2(&p->uuid, n) : r;
    r = r == CUDA_SUCCESS ? cuDeviceTotalMem_v2(&p->totalGlobalMem, n) : r;
    for (size_t k = 0; r == CUDA_SUCCESS && k < sizeof(property_table) / sizeof(property_table[0]);
         k++) {
        const struct property *q = &property_table[k];
        int value;
        r = cuDeviceGetAttribute(&value, q->attribute, n);
        if (q->wide) {
            *(size_t *)(void *)((char *)p + q->offset) = (size_t)value;
        } else {
            *(int *)(void *)((char *)p + q->offset) = value;
        }
    }
    return r;
}

/* Calls about devices need no context. */
#define RT_DEVICE(name, params, call)                                                              \
    CU_EXPORT cudaError_t name params                                                              \
    {                                                                                              \
        CUresult r_ = cuInit(0);                                                                   \
        return rt_note((cudaError_t)(r_ != CUDA_SUCCESS ? r_ : (CUresult)(call)));                 \
    }                                                                                              \
    struct cu_rt_h_semicolon

CU_EXPORT cudaError_t cudaGetDeviceCount(int *count)
{
    CUresult r = count != NULL ? cuInit(0) : CUDA_ERROR_INVALID_VALUE;
    if (count != NULL) {
        *count = 0;
    }
    return rt_note((cudaError_t)(r == CUDA_SUCCESS ? cuDeviceGetCount(count) : r));
}

static CUresult choose(int *out, const struct cudaDeviceProp *p)
{
    if (out == NULL || p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = 0; /* the only one is the best one */
    return CUDA_SUCCESS;
}

static CUresult valid_devices(const int *list, int n)
{
    int count;
    CUresult r = cuDeviceGetCount(&count);
    for (int k = 0; r == CUDA_SUCCESS && k < n; k++) {
        r = list == NULL                      ? CUDA_ERROR_INVALID_VALUE
            : list[k] < 0 || list[k] >= count ? CUDA_ERROR_INVALID_DEVICE
                                              : CUDA_SUCCESS;
    }
    return r;
}

static CUresult entry_point(const char *symbol, void **fn, unsigned version,
                            unsigned long long flags, enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult s;
    CUresult r = cuGetProcAddress_v2(symbol, fn, (int)version, flags, &s);
    if (r == CUDA_SUCCESS && status != NULL) {
        *status = (enum cudaDriverEntryPointQueryResult)s;
    }
    return r == CUDA_SUCCESS && status == NULL && *fn == NULL ? CUDA_ERROR_NOT_FOUND : r;
}

static CUresult runtime_version(int *out)
{
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = 13000;
    return CUDA_SUCCESS;
}

CU_EXPORT cudaError_t cudaRuntimeGetVersion(int *out)
{
    return rt_note((cudaError_t)runtime_version(out));
}

CU_EXPORT cudaError_t cudaDriverGetVersion(int *out)
{
    return rt_note((cudaError_t)cuDriverGetVersion(out));
}

CU_EXPORT cudaError_t cudaGetExportTable(const void **out, const cudaUUID_t *id)
{
    return rt_note((cudaError_t)cuGetExportTable(out, id));
}

RT_DEVICE(cudaGetDeviceProperties, (struct cudaDeviceProp * p, int n), properties(p, n));
RT_DEVICE(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr a, int n),
          cuDeviceGetAttribute(value, (CUdevice_attribute)a, n));
RT_DEVICE(cudaDeviceGetPCIBusId, (char *out, int len, int n), cuDeviceGetPCIBusId(out, len, n));
RT_DEVICE(cudaDeviceGetByPCIBusId, (int *out, const char *id), cuDeviceGetByPCIBusId(out, id));
RT_DEVICE(cudaDeviceCanAccessPeer, (int *can, int a, int b), cuDeviceCanAccessPeer(can, a, b));
RT_DEVICE(cudaDeviceGetP2PAttribute, (int *value, enum cudaDeviceP2PAttr a, int from, int to),
          cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)a, from, to));
RT_DEVICE(cudaChooseDevice, (int *out, const struct cudaDeviceProp *p), choose(out, p));
RT_DEVICE(cudaSetValidDevices, (int *list, int n), valid_devices(list, n));
RT_DEVICE(cudaDeviceGetDefaultMemPool, (cudaMemPool_t * out, int n),
          cuDeviceGetDefaultMemPool(out, n));
RT_DEVICE(cudaDeviceGetMemPool, (cudaMemPool_t * out, int n), cuDeviceGetMemPool(out, n));
RT_DEVICE(cudaDeviceSetMemPool, (int n, cudaMemPool_t p), cuDeviceSetMemPool(n, p));
RT_DEVICE(cudaDeviceGetGraphMemAttribute, (int n, enum cudaGraphMemAttributeType a, void *out),
          cuDeviceGetGraphMemAttribute(n, (CUgraphMem_attribute)a, out));
RT_DEVICE(cudaDeviceSetGraphMemAttribute, (int n, enum cudaGraphMemAttributeType a, void *value),
          cuDeviceSetGraphMemAttribute(n, (CUgraphMem_attribute)a, value));
RT_DEVICE(cudaDeviceGraphMemTrim, (int n), cuDeviceGraphMemTrim(n));
RT_DEVICE(cudaGetDriverEntryPoint,
          (const char *symbol, void **fn, unsigned long long flags,
           enum cudaDriverEntryPointQueryResult *status),
          entry_point(symbol, fn, 13000, flags, status));
RT_DEVICE(cudaGetDriverEntryPoint_ptsz,
          (const char *symbol, void **fn, unsigned long long flags,
           enum cudaDriverEntryPointQueryResult *status),
          entry_point(symbol, fn, 13000,
                      flags != 0 ? flags : CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, status));
RT_DEVICE(cudaGetDriverEntryPointByVersion,
          (const char *symbol, void **fn, unsigned version, unsigned long long flags,
           enum cudaDriverEntryPointQueryResult *status),
          entry_point(symbol, fn, version, flags, status));
RT_DEVICE(cudaGetDriverEntryPointByVersion_ptsz,
          (const char *symbol, void **fn, unsigned version, unsigned long long flags,
           enum cudaDriverEntryPointQueryResult *status),
          entry_point(symbol, fn, version,
                      flags != 0 ? flags : CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, status));

RT_API(cudaDeviceSynchronize, (void), cuCtxSynchronize());
RT_API(cudaDeviceSetLimit, (enum cudaLimit limit, size_t value),
       cuCtxSetLimit((CUlimit)limit, value));
RT_API(cudaDeviceGetLimit, (size_t * value, enum cudaLimit limit),
       cuCtxGetLimit(value, (CUlimit)limit));
RT_API(cudaDeviceGetCacheConfig, (enum cudaFuncCache * out),
       cuCtxGetCacheConfig((CUfunc_cache *)(void *)out));
RT_API(cudaDeviceSetCacheConfig, (enum cudaFuncCache config),
       cuCtxSetCacheConfig((CUfunc_cache)config));
RT_API(cudaDeviceGetSharedMemConfig, (enum cudaSharedMemConfig * out),
       cuCtxGetSharedMemConfig((CUsharedconfig *)(void *)out));
RT_API(cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig config),
       cuCtxSetSharedMemConfig((CUsharedconfig)config));
RT_API(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest),
       cuCtxGetStreamPriorityRange(least, greatest));
RT_API(cudaDeviceEnablePeerAccess, (int peer, unsigned flags),
       ((void)flags,
        peer == rt_device() ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported));
RT_API(cudaDeviceDisablePeerAccess, (int peer), ((void)peer, cudaErrorPeerAccessNotEnabled));
RT_API(cudaCtxResetPersistingL2Cache, (void), cuCtxResetPersistingL2Cache());
RT_API(cudaProfilerStart, (void), cuProfilerStart());
RT_API(cudaProfilerStop, (void), cuProfilerStop());

/* --- pools --- */

#define PLACE(where) ((CUmemLocation *)(void *)(where)) /* the same bytes */

RT_API(cudaMemPoolCreate, (cudaMemPool_t * out, const struct cudaMemPoolProps *props),
       cuMemPoolCreate(out, (const CUmemPoolProps *)(const void *)props));
RT_API(cudaMemPoolDestroy, (cudaMemPool_t p), cuMemPoolDestroy(p));
RT_API(cudaMemPoolTrimTo, (cudaMemPool_t p, size_t keep), cuMemPoolTrimTo(p, keep));
RT_API(cudaMemPoolGetAttribute, (cudaMemPool_t p, enum cudaMemPoolAttr a, void *out),
       cuMemPoolGetAttribute(p, (CUmemPool_attribute)a, out));
RT_API(cudaMemPoolSetAttribute, (cudaMemPool_t p, enum cudaMemPoolAttr a, void *value),
       cuMemPoolSetAttribute(p, (CUmemPool_attribute)a, value));
RT_API(cudaMemPoolSetAccess, (cudaMemPool_t p, const struct cudaMemAccessDesc *list, size_t n),
       cuMemPoolSetAccess(p, (const CUmemAccessDesc *)(const void *)list, n));
RT_API(cudaMemPoolGetAccess,
       (enum cudaMemAccessFlags * out, cudaMemPool_t p, struct cudaMemLocation *where),
       cuMemPoolGetAccess((CUmemAccess_flags *)(void *)out, p, PLACE(where)));
RT_API(cudaMemGetDefaultMemPool,
       (cudaMemPool_t * out, struct cudaMemLocation *where, enum cudaMemAllocationType type),
       cuMemGetDefaultMemPool(out, PLACE(where), (CUmemAllocationType)type));
RT_API(cudaMemGetMemPool,
       (cudaMemPool_t * out, struct cudaMemLocation *where, enum cudaMemAllocationType type),
       cuMemGetMemPool(out, PLACE(where), (CUmemAllocationType)type));
RT_API(cudaMemSetMemPool,
       (struct cudaMemLocation * where, enum cudaMemAllocationType type, cudaMemPool_t p),
       cuMemSetMemPool(PLACE(where), (CUmemAllocationType)type, p));
