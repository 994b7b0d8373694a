/* Streams, events, capture and libraries of the runtime API: the driver's calls under other names.
 */
#include "cu_rt.h"

RT_API(cudaStreamCreate, (cudaStream_t * out), cuStreamCreate(out, 0));
RT_API(cudaStreamCreateWithFlags, (cudaStream_t * out, unsigned flags), cuStreamCreate(out, flags));
RT_API(cudaStreamCreateWithPriority, (cudaStream_t * out, unsigned flags, int priority),
       cuStreamCreateWithPriority(out, flags, priority));
RT_API(cudaStreamDestroy, (cudaStream_t s), cuStreamDestroy_v2(s));
RT_API(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from),
       cuStreamCopyAttributes(to, from));
RT_PER_THREAD(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes,
              (cudaStream_t to, cudaStream_t from), (RT_PT(to), RT_PT(from)));

/* A call whose first parameter is the stream, and its variant for a default stream a thread. */
#define TWO(name, params, args, call)                                                              \
    RT_API(name, params, call);                                                                    \
    RT_PER_THREAD(name##_ptsz, name, params, args)

TWO(cudaStreamGetPriority, (cudaStream_t s, int *out), (RT_PT(s), out),
    cuStreamGetPriority(s, out));
TWO(cudaStreamGetFlags, (cudaStream_t s, unsigned *out), (RT_PT(s), out), cuStreamGetFlags(s, out));
TWO(cudaStreamGetId, (cudaStream_t s, unsigned long long *out), (RT_PT(s), out),
    cuStreamGetId(s, out));
TWO(cudaStreamGetDevice, (cudaStream_t s, int *out), (RT_PT(s), out), cuStreamGetDevice(s, out));
TWO(cudaStreamQuery, (cudaStream_t s), (RT_PT(s)), cuStreamQuery(s));
TWO(cudaStreamSynchronize, (cudaStream_t s), (RT_PT(s)), cuStreamSynchronize(s));
TWO(cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags), (RT_PT(s), e, flags),
    cuStreamWaitEvent(s, e, flags));
TWO(cudaStreamAddCallback, (cudaStream_t s, cudaStreamCallback_t fn, void *data, unsigned flags),
    (RT_PT(s), fn, data, flags), cuStreamAddCallback(s, (CUstreamCallback)(void *)fn, data, flags));
TWO(cudaStreamAttachMemAsync, (cudaStream_t s, void *p, size_t n, unsigned flags),
    (RT_PT(s), p, n, flags), cuStreamAttachMemAsync(s, (uintptr_t)p, n, flags));
TWO(cudaStreamGetAttribute,
    (cudaStream_t s, cudaLaunchAttributeID id, cudaLaunchAttributeValue *out), (RT_PT(s), id, out),
    cuStreamGetAttribute(s, (CUlaunchAttributeID)id, (CUlaunchAttributeValue *)(void *)out));
TWO(cudaStreamSetAttribute,
    (cudaStream_t s, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value),
    (RT_PT(s), id, value),
    cuStreamSetAttribute(s, (CUlaunchAttributeID)id,
                         (const CUlaunchAttributeValue *)(const void *)value));

/* --- events --- */

RT_API(cudaEventCreate, (cudaEvent_t * out), cuEventCreate(out, 0));
RT_API(cudaEventCreateWithFlags, (cudaEvent_t * out, unsigned flags), cuEventCreate(out, flags));
RT_API(cudaEventDestroy, (cudaEvent_t e), cuEventDestroy_v2(e));
RT_API(cudaEventRecord, (cudaEvent_t e, cudaStream_t s), cuEventRecord(e, s));
RT_PER_THREAD(cudaEventRecord_ptsz, cudaEventRecord, (cudaEvent_t e, cudaStream_t s),
              (e, RT_PT(s)));
RT_API(cudaEventRecordWithFlags, (cudaEvent_t e, cudaStream_t s, unsigned flags),
       cuEventRecordWithFlags(e, s, flags));
RT_PER_THREAD(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags,
              (cudaEvent_t e, cudaStream_t s, unsigned flags), (e, RT_PT(s), flags));
RT_API(cudaEventQuery, (cudaEvent_t e), cuEventQuery(e));
RT_API(cudaEventSynchronize, (cudaEvent_t e), cuEventSynchronize(e));
RT_API(cudaEventElapsedTime, (float *ms, cudaEvent_t a, cudaEvent_t b),
       cuEventElapsedTime_v2(ms, a, b));

/* --- capture --- */

TWO(cudaStreamBeginCapture, (cudaStream_t s, enum cudaStreamCaptureMode mode), (RT_PT(s), mode),
    cuStreamBeginCapture_v2(s, (CUstreamCaptureMode)mode));
TWO(cudaStreamBeginCaptureToGraph,
    (cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t *deps, const cudaGraphEdgeData *edges,
     size_t n, enum cudaStreamCaptureMode mode),
    (RT_PT(s), g, deps, edges, n, mode),
    cuStreamBeginCaptureToGraph(s, g, deps, (const CUgraphEdgeData *)(const void *)edges, n,
                                (CUstreamCaptureMode)mode));
TWO(cudaStreamEndCapture, (cudaStream_t s, cudaGraph_t *out), (RT_PT(s), out),
    cuStreamEndCapture(s, out));
TWO(cudaStreamIsCapturing, (cudaStream_t s, enum cudaStreamCaptureStatus *out), (RT_PT(s), out),
    cuStreamIsCapturing(s, (CUstreamCaptureStatus *)(void *)out));
TWO(cudaStreamGetCaptureInfo,
    (cudaStream_t s, enum cudaStreamCaptureStatus *status, unsigned long long *id,
     cudaGraph_t *graph, const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges, size_t *n),
    (RT_PT(s), status, id, graph, deps, edges, n),
    cuStreamGetCaptureInfo_v3(s, (CUstreamCaptureStatus *)(void *)status, (cuuint64_t *)(void *)id,
                              graph, deps, (const CUgraphEdgeData **)(void *)edges, n));
TWO(cudaStreamUpdateCaptureDependencies,
    (cudaStream_t s, cudaGraphNode_t *deps, const cudaGraphEdgeData *edges, size_t n,
     unsigned flags),
    (RT_PT(s), deps, edges, n, flags),
    cuStreamUpdateCaptureDependencies_v2(s, deps, (const CUgraphEdgeData *)(const void *)edges, n,
                                         flags));
RT_API(cudaThreadExchangeStreamCaptureMode, (enum cudaStreamCaptureMode * mode),
       cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode *)(void *)mode));

/* --- libraries --- */

static CUresult variable(void **out, size_t *bytes, cudaLibrary_t lib, const char *name,
                         CUresult (*get)(CUdeviceptr *, size_t *, CUlibrary, const char *))
{
    CUdeviceptr at = 0;
    CUresult r = get(&at, bytes, lib, name);
    if (r == CUDA_SUCCESS && out != NULL) {
        *out = (void *)(uintptr_t)at;
    }
    return r;
}

#define OPTIONS                                                                                    \
    enum cudaJitOption *jit, void **jit_values, unsigned njit, enum cudaLibraryOption *options,    \
        void **option_values, unsigned noptions
#define DRIVER_OPTIONS                                                                             \
    (CUjit_option *)(void *)jit, jit_values, njit, (CUlibraryOption *)(void *)options,             \
        option_values, noptions

RT_API(cudaLibraryLoadData, (cudaLibrary_t * out, const void *code, OPTIONS),
       cuLibraryLoadData(out, code, DRIVER_OPTIONS));
RT_API(cudaLibraryLoadFromFile, (cudaLibrary_t * out, const char *path, OPTIONS),
       cuLibraryLoadFromFile(out, path, DRIVER_OPTIONS));
RT_API(cudaLibraryUnload, (cudaLibrary_t lib), cuLibraryUnload(lib));
RT_API(cudaLibraryGetKernel, (cudaKernel_t * out, cudaLibrary_t lib, const char *name),
       cuLibraryGetKernel(out, lib, name));
RT_API(cudaLibraryGetKernelCount, (unsigned *count, cudaLibrary_t lib),
       cuLibraryGetKernelCount(count, lib));
RT_API(cudaLibraryEnumerateKernels, (cudaKernel_t * out, unsigned n, cudaLibrary_t lib),
       cuLibraryEnumerateKernels(out, n, lib));
RT_API(cudaLibraryGetGlobal, (void **out, size_t *bytes, cudaLibrary_t lib, const char *name),
       variable(out, bytes, lib, name, cuLibraryGetGlobal));
RT_API(cudaLibraryGetManaged, (void **out, size_t *bytes, cudaLibrary_t lib, const char *name),
       variable(out, bytes, lib, name, cuLibraryGetManaged));
