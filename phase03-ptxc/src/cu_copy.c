/* Copies: one, two and three dimensions, between host and device in every direction.
 *
 * Model: every copy is a CUDA_MEMCPY3D; the one-dimensional calls fill in one row. A side says
 * whether its memory is the host's, the device's or that the address tells ("unified"). What lies
 * in an allocation of the device layer (pinned and managed memory too) is read and written through
 * it, so that the checks know what was written; the rest is the program's own memory.
 *
 * Simplified: CUDA arrays are not provided; a copy to itself that overlaps is done as memmove does,
 * which CUDA leaves undefined.
 */
#include <string.h>

#include "cu_capture.h"

struct side {
    uint64_t base; /* of the first row copied */
    size_t pitch, height;
    bool device; /* lies in an allocation of the device layer */
};

/* One side of a copy as its structure has it. */
struct named {
    CUmemorytype type;
    uint64_t host, device;
    size_t x, y, z, pitch, height;
};

static struct named source(const CUDA_MEMCPY3D *c)
{
    return (struct named){
        c->srcMemoryType, (uintptr_t)c->srcHost, c->srcDevice, c->srcXInBytes, c->srcY,
        c->srcZ,          c->srcPitch,           c->srcHeight};
}

static struct named target(const CUDA_MEMCPY3D *c)
{
    return (struct named){
        c->dstMemoryType, (uintptr_t)c->dstHost, c->dstDevice, c->dstXInBytes, c->dstY,
        c->dstZ,          c->dstPitch,           c->dstHeight};
}

static CUresult find_side(CUcontext ctx, const CUDA_MEMCPY3D *c, const struct named *n,
                          struct side *s)
{
    size_t pitch = n->pitch != 0 ? n->pitch : c->WidthInBytes + n->x;
    size_t height = n->height != 0 ? n->height : c->Height + n->y;
    uint64_t base = n->type == CU_MEMORYTYPE_HOST ? n->host : n->device;
    struct vgpu_range r;
    if (n->type == CU_MEMORYTYPE_ARRAY) {
        return cu_not_supported("a copy to or from a CUDA array");
    }
    if (n->type < CU_MEMORYTYPE_HOST || n->type > CU_MEMORYTYPE_UNIFIED || base == 0 ||
        pitch < c->WidthInBytes + n->x) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *s = (struct side){base + n->x + (n->y + n->z * height) * pitch, pitch, height, false};
    s->device = vgpu_find_range(ctx->dev->g, s->base, &r);
    if (!s->device) {
        return n->type == CU_MEMORYTYPE_DEVICE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    }
    if (n->type == CU_MEMORYTYPE_HOST && r.kind == VGPU_MEM_DEVICE) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    /* A registered range, or an allocation that ends where the program's own memory goes on, may
     * hold only a part; device memory must hold all. */
    size_t last = (c->Height - 1 + (c->Depth - 1) * height) * pitch + c->WidthInBytes;
    bool inside = s->base - r.start <= r.bytes && last <= r.bytes - (s->base - r.start);
    if (!inside && r.registered_host) {
        s->device = false;
        return CUDA_SUCCESS;
    }
    return inside ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool is_empty(const CUDA_MEMCPY3D *c)
{
    return c->WidthInBytes == 0 || c->Height == 0 || c->Depth == 0;
}

CUresult cu_copy_check(CUcontext ctx, const CUDA_MEMCPY3D *c)
{
    struct named from = source(c), to = target(c);
    struct side s;
    if (is_empty(c)) {
        return CUDA_SUCCESS;
    }
    CUresult r = find_side(ctx, c, &from, &s);
    return r == CUDA_SUCCESS ? find_side(ctx, c, &to, &s) : r;
}

static CUresult move(struct vgpu *g, uint64_t to, uint64_t from, size_t n, const bool device[2])
{
    if (device[0] && device[1]) {
        return cu_result(vgpu_copy(g, to, from, n));
    }
    if (device[0]) {
        return cu_result(vgpu_write(g, to, (const void *)(uintptr_t)from, n));
    }
    if (device[1]) {
        return cu_result(vgpu_read(g, (void *)(uintptr_t)to, from, n));
    }
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n);
    return CUDA_SUCCESS;
}

CUresult cu_copy_run(CUcontext ctx, const CUDA_MEMCPY3D *c)
{
    struct named from_named = source(c), to_named = target(c);
    struct side from, to;
    if (is_empty(c)) {
        return CUDA_SUCCESS;
    }
    CUresult r = find_side(ctx, c, &from_named, &from);
    r = r == CUDA_SUCCESS ? find_side(ctx, c, &to_named, &to) : r;
    if (r != CUDA_SUCCESS) {
        return r;
    }
    size_t width = c->WidthInBytes, rows = c->Height;
    if (from.pitch == width && to.pitch == width) {
        width *= rows; /* the rows of a layer lie side by side */
        rows = 1;
    }
    const bool device[2] = {to.device, from.device};
    for (size_t k = 0; r == CUDA_SUCCESS && k < rows * c->Depth; k++) {
        size_t z = k / rows, y = k % rows;
        r = move(ctx->dev->g, to.base + (y + z * to.height) * to.pitch,
                 from.base + (y + z * from.height) * from.pitch, width, device);
    }
    return r;
}

/* --- the calls --- */

static CUresult copy3d(CUcontext ctx, const CUDA_MEMCPY3D *c, CUstream s, bool sync)
{
    struct cu_op op = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    if (c == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    op.copy = *c;
    return cu_submit(ctx, s, &op, sync);
}

static CUresult copy2d(CUcontext ctx, const CUDA_MEMCPY2D *c, CUstream s, bool sync)
{
    if (c == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUDA_MEMCPY3D all = {
        .srcXInBytes = c->srcXInBytes,
        .srcY = c->srcY,
        .srcMemoryType = c->srcMemoryType,
        .srcHost = c->srcHost,
        .srcDevice = c->srcDevice,
        .srcArray = c->srcArray,
        .srcPitch = c->srcPitch,
        .dstXInBytes = c->dstXInBytes,
        .dstY = c->dstY,
        .dstMemoryType = c->dstMemoryType,
        .dstHost = c->dstHost,
        .dstDevice = c->dstDevice,
        .dstArray = c->dstArray,
        .dstPitch = c->dstPitch,
        .WidthInBytes = c->WidthInBytes,
        .Height = c->Height,
        .Depth = 1,
    };
    return copy3d(ctx, &all, s, sync);
}

/* Which sides are the device's. */
enum direction { HTOD, DTOH, DTOD, ANY };

struct linear {
    enum direction direction;
    uint64_t to, from;
    size_t bytes;
};

static CUresult copy1d(CUcontext ctx, struct linear l, CUstream s, bool sync)
{
    CUDA_MEMCPY3D c = {
        .srcMemoryType = l.direction == HTOD  ? CU_MEMORYTYPE_HOST
                         : l.direction == ANY ? CU_MEMORYTYPE_UNIFIED
                                              : CU_MEMORYTYPE_DEVICE,
        .srcHost = (const void *)(uintptr_t)l.from,
        .srcDevice = l.from,
        .srcPitch = l.bytes,
        .dstMemoryType = l.direction == DTOH  ? CU_MEMORYTYPE_HOST
                         : l.direction == ANY ? CU_MEMORYTYPE_UNIFIED
                                              : CU_MEMORYTYPE_DEVICE,
        .dstHost = (void *)(uintptr_t)l.to,
        .dstDevice = l.to,
        .dstPitch = l.bytes,
        .WidthInBytes = l.bytes,
        .Height = 1,
        .Depth = 1,
    };
    return copy3d(ctx, &c, s, sync);
}

#define LINEAR(direction, to, from, n)                                                             \
    ((struct linear){direction, (uint64_t)(uintptr_t)(to), (uint64_t)(uintptr_t)(from), n})

/* A call that waits, and its variant for programs with a default stream for each thread. */
#define WAITS(name, ptds, params, call)                                                            \
    CU_API(name, params, CU_NEED_CONTEXT, call(NULL));                                             \
    CU_API(ptds, params, CU_NEED_CONTEXT, call(CU_STREAM_PER_THREAD))

#define D2D(s)   copy1d(ctx, LINEAR(DTOD, to, from, n), s, true)
#define H2D(s)   copy1d(ctx, LINEAR(HTOD, to, from, n), s, true)
#define D2H(s)   copy1d(ctx, LINEAR(DTOH, to, from, n), s, true)
#define U2U(s)   copy1d(ctx, LINEAR(ANY, to, from, n), s, true)
#define TWO(s)   copy2d(ctx, c, s, true)
#define THREE(s) copy3d(ctx, c, s, true)

WAITS(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds, (CUdeviceptr to, const void *from, size_t n), H2D);
CU_ALSO(cuMemcpyHtoD, cuMemcpyHtoD_v2);
WAITS(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds, (void *to, CUdeviceptr from, size_t n), D2H);
CU_ALSO(cuMemcpyDtoH, cuMemcpyDtoH_v2);
WAITS(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds, (CUdeviceptr to, CUdeviceptr from, size_t n), D2D);
CU_ALSO(cuMemcpyDtoD, cuMemcpyDtoD_v2);
WAITS(cuMemcpy, cuMemcpy_ptds, (CUdeviceptr to, CUdeviceptr from, size_t n), U2U);
WAITS(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds, (const CUDA_MEMCPY2D *c), TWO);
CU_ALSO(cuMemcpy2D, cuMemcpy2D_v2);
WAITS(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned_v2_ptds, (const CUDA_MEMCPY2D *c), TWO);
CU_ALSO(cuMemcpy2DUnaligned, cuMemcpy2DUnaligned_v2);
WAITS(cuMemcpy3D_v2, cuMemcpy3D_v2_ptds, (const CUDA_MEMCPY3D *c), THREE);
CU_ALSO(cuMemcpy3D, cuMemcpy3D_v2);

/* All contexts share one device's memory. */
#define PEER(s) ((void)a, (void)b, copy1d(ctx, LINEAR(DTOD, to, from, n), s, true))
WAITS(cuMemcpyPeer, cuMemcpyPeer_ptds,
      (CUdeviceptr to, CUcontext a, CUdeviceptr from, CUcontext b, size_t n), PEER);
CU_API(cuMemcpyPeerAsync,
       (CUdeviceptr to, CUcontext a, CUdeviceptr from, CUcontext b, size_t n, CUstream s),
       CU_NEED_CONTEXT, ((void)a, (void)b, copy1d(ctx, LINEAR(DTOD, to, from, n), s, false)));
CU_PER_THREAD(cuMemcpyPeerAsync,
              (CUdeviceptr to, CUcontext a, CUdeviceptr from, CUcontext b, size_t n, CUstream s),
              (to, a, from, b, n, CU_PT(s)));

CU_API(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t n, CUstream s),
       CU_NEED_CONTEXT, copy1d(ctx, LINEAR(HTOD, to, from, n), s, false));
CU_ALSO(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2);
CU_PER_THREAD(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t n, CUstream s),
              (to, from, n, CU_PT(s)));
CU_API(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t n, CUstream s), CU_NEED_CONTEXT,
       copy1d(ctx, LINEAR(DTOH, to, from, n), s, false));
CU_ALSO(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2);
CU_PER_THREAD(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t n, CUstream s),
              (to, from, n, CU_PT(s)));
CU_API(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s),
       CU_NEED_CONTEXT, copy1d(ctx, LINEAR(DTOD, to, from, n), s, false));
CU_ALSO(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2);
CU_PER_THREAD(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s),
              (to, from, n, CU_PT(s)));
CU_API(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s), CU_NEED_CONTEXT,
       copy1d(ctx, LINEAR(ANY, to, from, n), s, false));
CU_PER_THREAD(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s),
              (to, from, n, CU_PT(s)));
CU_API(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *c, CUstream s), CU_NEED_CONTEXT,
       copy2d(ctx, c, s, false));
CU_ALSO(cuMemcpy2DAsync, cuMemcpy2DAsync_v2);
CU_PER_THREAD(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *c, CUstream s), (c, CU_PT(s)));
CU_API(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *c, CUstream s), CU_NEED_CONTEXT,
       copy3d(ctx, c, s, false));
CU_ALSO(cuMemcpy3DAsync, cuMemcpy3DAsync_v2);
CU_PER_THREAD(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *c, CUstream s), (c, CU_PT(s)));
