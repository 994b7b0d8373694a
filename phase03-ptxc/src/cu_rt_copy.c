/* Copies, sets and symbols of the runtime API.
 *
 * A call that waits is the asynchronous one and a wait for its stream: for programs with a default
 * stream for each thread (the names with _ptds) the thread's own, else the legacy one.
 */
#include <string.h>

#include "cu_rt.h"

#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))

static cudaError_t finish(CUresult r, cudaStream_t s, bool sync)
{
    return (cudaError_t)(r == CUDA_SUCCESS && sync ? cuStreamSynchronize(s) : r);
}

/* --- copies --- */

static bool is_kind(enum cudaMemcpyKind kind)
{
    return (unsigned)kind <= cudaMemcpyDefault;
}

static CUmemorytype source_type(enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDefault                                        ? CU_MEMORYTYPE_UNIFIED
           : kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? CU_MEMORYTYPE_HOST
                                                                            : CU_MEMORYTYPE_DEVICE;
}

static CUmemorytype target_type(enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDefault                                        ? CU_MEMORYTYPE_UNIFIED
           : kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? CU_MEMORYTYPE_HOST
                                                                            : CU_MEMORYTYPE_DEVICE;
}

cudaError_t rt_copy3d(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *out)
{
    if (p == NULL || !is_kind(p->kind)) {
        return p == NULL ? cudaErrorInvalidValue : cudaErrorInvalidMemcpyDirection;
    }
    *out = (CUDA_MEMCPY3D){
        .srcXInBytes = p->srcPos.x,
        .srcY = p->srcPos.y,
        .srcZ = p->srcPos.z,
        .srcMemoryType = p->srcArray != NULL ? CU_MEMORYTYPE_ARRAY : source_type(p->kind),
        .srcHost = p->srcPtr.ptr,
        .srcDevice = ADDRESS(p->srcPtr.ptr),
        .srcPitch = p->srcPtr.pitch,
        .srcHeight = p->srcPtr.ysize,
        .dstXInBytes = p->dstPos.x,
        .dstY = p->dstPos.y,
        .dstZ = p->dstPos.z,
        .dstMemoryType = p->dstArray != NULL ? CU_MEMORYTYPE_ARRAY : target_type(p->kind),
        .dstHost = p->dstPtr.ptr,
        .dstDevice = ADDRESS(p->dstPtr.ptr),
        .dstPitch = p->dstPtr.pitch,
        .dstHeight = p->dstPtr.ysize,
        .WidthInBytes = p->extent.width,
        .Height = p->extent.height,
        .Depth = p->extent.depth,
    };
    return cudaSuccess;
}

cudaError_t rt_copy1d(struct rt_copy c, CUDA_MEMCPY3D *out)
{
    struct cudaMemcpy3DParms p = {
        .srcPtr = {(void *)(uintptr_t)c.from, c.bytes, c.bytes, 1},
        .dstPtr = {c.to, c.bytes, c.bytes, 1},
        .extent = {c.bytes, 1, 1},
        .kind = c.kind,
    };
    return rt_copy3d(&p, out);
}

static cudaError_t copy3d(const struct cudaMemcpy3DParms *p, cudaStream_t s, bool sync)
{
    CUDA_MEMCPY3D c;
    cudaError_t e = rt_copy3d(p, &c);
    return e == cudaSuccess ? finish(cuMemcpy3DAsync_v2(&c, s), s, sync) : e;
}

cudaError_t rt_copy(struct rt_copy c, cudaStream_t s, bool sync)
{
    CUDA_MEMCPY3D all;
    cudaError_t e = rt_copy1d(c, &all);
    return e == cudaSuccess ? finish(cuMemcpy3DAsync_v2(&all, s), s, sync) : e;
}

struct pitched {
    void *to;
    size_t to_pitch;
    const void *from;
    size_t from_pitch, width, height;
    enum cudaMemcpyKind kind;
};

static cudaError_t copy2d(struct pitched c, cudaStream_t s, bool sync)
{
    if (c.width > c.to_pitch || c.width > c.from_pitch) {
        return cudaErrorInvalidPitchValue;
    }
    struct cudaMemcpy3DParms p = {
        .srcPtr = {(void *)(uintptr_t)c.from, c.from_pitch, c.width, c.height},
        .dstPtr = {c.to, c.to_pitch, c.width, c.height},
        .extent = {c.width, c.height, 1},
        .kind = c.kind,
    };
    return copy3d(&p, s, sync);
}

/* --- sets --- */

static CUresult set2d(void *p, size_t pitch, int value, const size_t size[2], cudaStream_t s)
{
    return cuMemsetD2D8Async(ADDRESS(p), pitch, (unsigned char)value, size[0], size[1], s);
}

static CUresult set3d(struct cudaPitchedPtr p, int value, struct cudaExtent e, cudaStream_t s)
{
    CUresult r = CUDA_SUCCESS;
    const size_t size[2] = {e.width, e.height};
    for (size_t z = 0; r == CUDA_SUCCESS && z < e.depth; z++) {
        r = set2d((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, size, s);
    }
    return r;
}

/* --- symbols --- */

/* The part of a variable that a copy names. */
static cudaError_t part(const void *symbol, size_t offset, size_t n, void **out)
{
    CUdeviceptr at;
    size_t bytes;
    cudaError_t e = rt_symbol(symbol, &at, &bytes);
    if (e == cudaSuccess && (offset > bytes || n > bytes - offset)) {
        e = cudaErrorInvalidValue;
    }
    if (e == cudaSuccess) {
        *out = (void *)(uintptr_t)(at + offset);
    }
    return e;
}

struct symbol_copy {
    const void *symbol;
    size_t offset;
    struct rt_copy copy; /* its other side, the bytes and the kind */
};

static cudaError_t to_symbol(struct symbol_copy c, cudaStream_t s, bool sync)
{
    bool allowed = c.copy.kind == cudaMemcpyHostToDevice ||
                   c.copy.kind == cudaMemcpyDeviceToDevice || c.copy.kind == cudaMemcpyDefault;
    cudaError_t e = part(c.symbol, c.offset, c.copy.bytes, &c.copy.to);
    if (e == cudaSuccess && !allowed) {
        e = cudaErrorInvalidMemcpyDirection;
    }
    return e == cudaSuccess ? rt_copy(c.copy, s, sync) : e;
}

static cudaError_t from_symbol(struct symbol_copy c, cudaStream_t s, bool sync)
{
    bool allowed = c.copy.kind == cudaMemcpyDeviceToHost ||
                   c.copy.kind == cudaMemcpyDeviceToDevice || c.copy.kind == cudaMemcpyDefault;
    void *at = NULL;
    cudaError_t e = part(c.symbol, c.offset, c.copy.bytes, &at);
    if (e == cudaSuccess && !allowed) {
        e = cudaErrorInvalidMemcpyDirection;
    }
    c.copy.from = at;
    return e == cudaSuccess ? rt_copy(c.copy, s, sync) : e;
}

static cudaError_t symbol_address(void **out, const void *symbol)
{
    return out != NULL ? part(symbol, 0, 0, out) : cudaErrorInvalidValue;
}

static cudaError_t symbol_size(size_t *out, const void *symbol)
{
    CUdeviceptr at;
    return out != NULL ? rt_symbol(symbol, &at, out) : cudaErrorInvalidValue;
}

/* --- the calls --- */

/* NAME waits for the legacy stream, NAME_ptds for the thread's own; NAMEAsync and NAMEAsync_ptsz
 * take a stream. `call` gets the stream and whether to wait. */
#define FOUR(name, call, ...)                                                                      \
    RT_API(name, (__VA_ARGS__), call(NULL, true));                                                 \
    RT_API(name##_ptds, (__VA_ARGS__), call(cudaStreamPerThread, true));                           \
    RT_API(name##Async, (__VA_ARGS__, cudaStream_t s), call(s, false));                            \
    RT_API(name##Async_ptsz, (__VA_ARGS__, cudaStream_t s), call(RT_PT(s), false))

#define COPY1(s, sync) rt_copy((struct rt_copy){to, from, n, kind}, s, sync)
FOUR(cudaMemcpy, COPY1, void *to, const void *from, size_t n, enum cudaMemcpyKind kind);

#define COPY2(s, sync)                                                                             \
    copy2d((struct pitched){to, to_pitch, from, from_pitch, width, height, kind}, s, sync)
FOUR(cudaMemcpy2D, COPY2, void *to, size_t to_pitch, const void *from, size_t from_pitch,
     size_t width, size_t height, enum cudaMemcpyKind kind);

#define COPY3(s, sync) copy3d(p, s, sync)
FOUR(cudaMemcpy3D, COPY3, const struct cudaMemcpy3DParms *p);

#define COPY_TO(s, sync)                                                                           \
    to_symbol((struct symbol_copy){symbol, offset, {NULL, from, n, kind}}, s, sync)
FOUR(cudaMemcpyToSymbol, COPY_TO, const void *symbol, const void *from, size_t n, size_t offset,
     enum cudaMemcpyKind kind);

#define COPY_FROM(s, sync)                                                                         \
    from_symbol((struct symbol_copy){symbol, offset, {to, NULL, n, kind}}, s, sync)
FOUR(cudaMemcpyFromSymbol, COPY_FROM, void *to, const void *symbol, size_t n, size_t offset,
     enum cudaMemcpyKind kind);

/* Setting device memory does not make the host wait. */
#define SET1(s, sync) cuMemsetD8Async(ADDRESS(p), (unsigned char)value, n, s)
FOUR(cudaMemset, SET1, void *p, int value, size_t n);

#define SET2(s, sync) set2d(p, pitch, value, (const size_t[2]){width, height}, s)
FOUR(cudaMemset2D, SET2, void *p, size_t pitch, int value, size_t width, size_t height);

#define SET3(s, sync) set3d(p, value, e, s)
FOUR(cudaMemset3D, SET3, struct cudaPitchedPtr p, int value, struct cudaExtent e);

/* There is one device. */
static cudaError_t peer(struct rt_copy c, const int devices[2], cudaStream_t s, bool sync)
{
    bool one = devices[0] == rt_device() && devices[1] == rt_device();
    c.kind = cudaMemcpyDeviceToDevice;
    return one ? rt_copy(c, s, sync) : cudaErrorInvalidDevice;
}

RT_API(cudaMemcpyPeer, (void *to, int a, const void *from, int b, size_t n),
       peer((struct rt_copy){to, from, n, cudaMemcpyDefault}, (int[2]){a, b}, NULL, true));
RT_API(cudaMemcpyPeerAsync, (void *to, int a, const void *from, int b, size_t n, cudaStream_t s),
       peer((struct rt_copy){to, from, n, cudaMemcpyDefault}, (int[2]){a, b}, s, false));

RT_API(cudaGetSymbolAddress, (void **out, const void *symbol), symbol_address(out, symbol));
RT_API(cudaGetSymbolSize, (size_t * out, const void *symbol), symbol_size(out, symbol));
