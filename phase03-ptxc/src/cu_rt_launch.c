/* Launches, functions and occupancy of the runtime API.
 *
 * kernel<<<grid, block, shared, stream>>>(args) compiles to __cudaPushCallConfiguration, a call of
 * the kernel's host function, and in it __cudaPopCallConfiguration and __cudaLaunchKernel (toolkit
 * header crt/host_runtime.h). A launch whose dimensions no kernel could have is
 * cudaErrorInvalidConfiguration; the driver knows only "invalid value".
 */
#include <string.h>

#include "cu_rt.h"

/* --- the configuration between push and pop --- */

#define CALLS 16 /* an argument of a kernel call may itself call a kernel */

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

static __thread struct configuration calls[CALLS];
static __thread unsigned ncalls;

CU_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                               struct CUstream_st *stream)
{
    if (ncalls == CALLS) {
        rt_note(cudaErrorLaunchOutOfResources);
        return 1;
    }
    calls[ncalls++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

CU_EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                 void *stream)
{
    if (ncalls == 0) {
        return rt_note(cudaErrorMissingConfiguration);
    }
    const struct configuration *c = &calls[--ncalls];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    memcpy(stream, &c->stream, sizeof(c->stream));
    return cudaSuccess;
}

/* --- launches --- */

/* Attributes 2 to 7 are the limits of block and grid, x y z each. */
static bool within(dim3 d, CUdevice_attribute x)
{
    unsigned sizes[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; k++) {
        int most = 0;
        cuDeviceGetAttribute(&most, (CUdevice_attribute)((int)x + k), rt_device());
        if (sizes[k] == 0 || sizes[k] > (unsigned)most) {
            return false;
        }
    }
    return true;
}

static bool is_possible(const struct rt_launch *l)
{
    int most = 0;
    cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, rt_device());
    return within(l->block, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) &&
           within(l->grid, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) &&
           (uint64_t)l->block.x * l->block.y * l->block.z <= (unsigned)most;
}

cudaError_t rt_launch(const struct rt_launch *l)
{
    CUkernel k;
    cudaError_t e = rt_kernel(l->func, &k);
    if (e != cudaSuccess) {
        return e;
    }
    if (!is_possible(l)) {
        return cudaErrorInvalidConfiguration;
    }
    if (l->shared > UINT32_MAX) {
        return cudaErrorInvalidValue;
    }
    CUlaunchConfig c = {
        .gridDimX = l->grid.x,
        .gridDimY = l->grid.y,
        .gridDimZ = l->grid.z,
        .blockDimX = l->block.x,
        .blockDimY = l->block.y,
        .blockDimZ = l->block.z,
        .sharedMemBytes = (unsigned)l->shared,
        .hStream = l->stream,
        .attrs = (CUlaunchAttribute *)(uintptr_t)l->attrs, /* the same bytes */
        .numAttrs = l->nattrs,
    };
    return (cudaError_t)cuLaunchKernelEx(&c, (CUfunction)(void *)k, l->args, NULL);
}

static cudaError_t launch(const void *func, dim3 grid, dim3 block, void **args,
                          const struct configuration *c)
{
    struct rt_launch l = {func, grid, block, args, c->shared, c->stream, NULL, 0};
    return rt_launch(&l);
}

static cudaError_t launch_cooperative(const void *func, dim3 grid, dim3 block, void **args,
                                      const struct configuration *c)
{
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    struct rt_launch l = {func, grid, block, args, c->shared, c->stream, &a, 1};
    return rt_launch(&l);
}

static cudaError_t launch_config(const cudaLaunchConfig_t *c, const void *func, void **args,
                                 cudaStream_t stream)
{
    struct rt_launch l = {func,   c->gridDim, c->blockDim, args, c->dynamicSmemBytes,
                          stream, c->attrs,   c->numAttrs};
    return rt_launch(&l);
}

#define CONFIGURATION(s)                                                                           \
    &(struct configuration)                                                                        \
    {                                                                                              \
        .shared = shared, .stream = s                                                              \
    }

RT_API(cudaLaunchKernel,
       (const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s),
       launch(func, grid, block, args, CONFIGURATION(s)));
RT_PER_THREAD(cudaLaunchKernel_ptsz, cudaLaunchKernel,
              (const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s),
              (func, grid, block, args, shared, RT_PT(s)));
RT_API(__cudaLaunchKernel,
       (cudaKernel_t k, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s),
       launch(k, grid, block, args, CONFIGURATION(s)));
RT_PER_THREAD(__cudaLaunchKernel_ptsz, __cudaLaunchKernel,
              (cudaKernel_t k, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s),
              (k, grid, block, args, shared, RT_PT(s)));
RT_API(cudaLaunchCooperativeKernel,
       (const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s),
       launch_cooperative(func, grid, block, args, CONFIGURATION(s)));
RT_PER_THREAD(cudaLaunchCooperativeKernel_ptsz, cudaLaunchCooperativeKernel,
              (const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t s),
              (func, grid, block, args, shared, RT_PT(s)));
RT_API(cudaLaunchKernelExC, (const cudaLaunchConfig_t *c, const void *func, void **args),
       c == NULL ? cudaErrorInvalidValue : launch_config(c, func, args, c->stream));
RT_API(cudaLaunchKernelExC_ptsz, (const cudaLaunchConfig_t *c, const void *func, void **args),
       c == NULL ? cudaErrorInvalidValue : launch_config(c, func, args, RT_PT(c->stream)));
RT_API(cudaLaunchHostFunc, (cudaStream_t s, cudaHostFn_t fn, void *data),
       cuLaunchHostFunc(s, fn, data));
RT_PER_THREAD(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc,
              (cudaStream_t s, cudaHostFn_t fn, void *data), (RT_PT(s), fn, data));

/* --- functions --- */

static cudaError_t attributes(struct cudaFuncAttributes *a, const void *func)
{
    static const struct {
        CUfunction_attribute attribute;
        size_t offset;
    } ints[] = {
#define INT(attribute, field)                                                                      \
    {CU_FUNC_ATTRIBUTE_##attribute, offsetof(struct cudaFuncAttributes, field)}
        INT(MAX_THREADS_PER_BLOCK, maxThreadsPerBlock),
        INT(NUM_REGS, numRegs),
        INT(PTX_VERSION, ptxVersion),
        INT(BINARY_VERSION, binaryVersion),
        INT(CACHE_MODE_CA, cacheModeCA),
        INT(MAX_DYNAMIC_SHARED_SIZE_BYTES, maxDynamicSharedSizeBytes),
        INT(PREFERRED_SHARED_MEMORY_CARVEOUT, preferredShmemCarveout),
        INT(CLUSTER_SIZE_MUST_BE_SET, clusterDimMustBeSet),
        INT(REQUIRED_CLUSTER_WIDTH, requiredClusterWidth),
        INT(REQUIRED_CLUSTER_HEIGHT, requiredClusterHeight),
        INT(REQUIRED_CLUSTER_DEPTH, requiredClusterDepth),
        INT(CLUSTER_SCHEDULING_POLICY_PREFERENCE, clusterSchedulingPolicyPreference),
        INT(NON_PORTABLE_CLUSTER_SIZE_ALLOWED, nonPortableClusterSizeAllowed),
#undef INT
    };
    CUfunction f;
    cudaError_t e = rt_function(func, &f);
    if (e != cudaSuccess || a == NULL) {
        return e != cudaSuccess ? e : cudaErrorInvalidValue;
    }
    memset(a, 0, sizeof(*a));
    for (size_t k = 0; k < sizeof(ints) / sizeof(ints[0]); k++) {
        cuFuncGetAttribute((int *)(void *)((char *)a + ints[k].offset), ints[k].attribute, f);
    }
    int n = 0;
    cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
    a->sharedSizeBytes = (size_t)n;
    cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, f);
    a->constSizeBytes = (size_t)n;
    cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, f);
    a->localSizeBytes = (size_t)n;
    return cudaSuccess;
}

static cudaError_t set_attribute(const void *func, enum cudaFuncAttribute a, int value)
{
    CUfunction f;
    CUkernel k;
    cudaError_t e = rt_kernel(func, &k);
    e = e == cudaSuccess ? rt_function(func, &f) : e;
    if (e != cudaSuccess) {
        return e;
    }
    CUresult r = cuKernelSetAttribute((CUfunction_attribute)a, value, k, rt_device());
    return (cudaError_t)(r == CUDA_SUCCESS ? cuFuncSetAttribute(f, (CUfunction_attribute)a, value)
                                           : r);
}

/* Does the kernel exist? For settings that change nothing here. */
static cudaError_t check(const void *func)
{
    CUkernel k;
    return rt_kernel(func, &k);
}

static cudaError_t name(const char **out, const void *func)
{
    CUkernel k;
    cudaError_t e = rt_kernel(func, &k);
    return e == cudaSuccess ? (cudaError_t)cuKernelGetName(out, k) : e;
}

static cudaError_t param(const void *func, size_t index, size_t *offset, size_t *bytes)
{
    CUfunction f;
    cudaError_t e = rt_function(func, &f);
    return e == cudaSuccess ? (cudaError_t)cuFuncGetParamInfo(f, index, offset, bytes) : e;
}

static cudaError_t max_blocks(int *out, const void *func, int threads, size_t dynamic,
                              unsigned flags)
{
    CUfunction f;
    cudaError_t e = rt_function(func, &f);
    return e != cudaSuccess ? e
                            : (cudaError_t)cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                                  out, f, threads, dynamic, flags);
}

static cudaError_t available(size_t *out, const void *func, int blocks, int threads)
{
    CUfunction f;
    cudaError_t e = rt_function(func, &f);
    return e != cudaSuccess
               ? e
               : (cudaError_t)cuOccupancyAvailableDynamicSMemPerBlock(out, f, blocks, threads);
}

RT_API(cudaFuncGetAttributes, (struct cudaFuncAttributes * a, const void *func),
       attributes(a, func));
RT_API(cudaFuncSetAttribute, (const void *func, enum cudaFuncAttribute a, int value),
       set_attribute(func, a, value));
RT_API(cudaFuncSetCacheConfig, (const void *func, enum cudaFuncCache c), ((void)c, check(func)));
RT_API(cudaFuncSetSharedMemConfig, (const void *func, enum cudaSharedMemConfig c),
       ((void)c, check(func)));
RT_API(cudaFuncGetName, (const char **out, const void *func), name(out, func));
RT_API(cudaFuncGetParamInfo, (const void *func, size_t index, size_t *offset, size_t *bytes),
       param(func, index, offset, bytes));
RT_API(cudaGetFuncBySymbol, (cudaFunction_t * out, const void *func), rt_function(func, out));
RT_API(cudaGetKernel, (cudaKernel_t * out, const void *func), rt_kernel(func, out));
RT_API(cudaKernelSetAttributeForDevice,
       (cudaKernel_t k, enum cudaFuncAttribute a, int value, int device),
       cuKernelSetAttribute((CUfunction_attribute)a, value, k, device));
RT_API(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
       (int *out, const void *func, int threads, size_t dynamic),
       max_blocks(out, func, threads, dynamic, 0));
RT_API(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
       (int *out, const void *func, int threads, size_t dynamic, unsigned flags),
       max_blocks(out, func, threads, dynamic, flags));
RT_API(cudaOccupancyAvailableDynamicSMemPerBlock,
       (size_t * out, const void *func, int blocks, int threads),
       available(out, func, blocks, threads));
