/* Memory sets: 8, 16 and 32 bits wide, one and two dimensions. */
#include "cu_capture.h"

static CUresult check(CUcontext ctx, const CUDA_MEMSET_NODE_PARAMS *s)
{
    size_t width = s->width * s->elementSize;
    size_t pitch = s->height > 1 ? s->pitch : width;
    struct vgpu_range r;
    if (s->elementSize != 1 && s->elementSize != 2 && s->elementSize != 4) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (s->width == 0 || s->height == 0) {
        return CUDA_SUCCESS;
    }
    if (s->dst % s->elementSize != 0 || pitch % s->elementSize != 0 || pitch < width ||
        width / s->elementSize != s->width || !vgpu_find_range(ctx->dev->g, s->dst, &r)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    size_t last = (s->height - 1) * pitch + width;
    return last <= r.bytes - (s->dst - r.start) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cu_set_check(CUcontext ctx, const CUDA_MEMSET_NODE_PARAMS *s)
{
    return check(ctx, s);
}

CUresult cu_set_run(CUcontext ctx, const CUDA_MEMSET_NODE_PARAMS *s)
{
    CUresult r = check(ctx, s);
    for (size_t y = 0; r == CUDA_SUCCESS && s->width > 0 && y < s->height; y++) {
        r = cu_result(
            vgpu_set(ctx->dev->g, s->dst + y * s->pitch, s->value, s->elementSize, s->width));
    }
    return r;
}

static CUresult set(CUcontext ctx, const CUDA_MEMSET_NODE_PARAMS *s, CUstream stream)
{
    struct cu_op op = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .set = *s};
    return cu_submit(ctx, stream, &op, false);
}

#define ROW(v, bytes)                                                                              \
    &(CUDA_MEMSET_NODE_PARAMS)                                                                     \
    {                                                                                              \
        .dst = to, .value = v, .elementSize = bytes, .width = n, .height = 1                       \
    }
#define ROWS(v, bytes)                                                                             \
    &(CUDA_MEMSET_NODE_PARAMS)                                                                     \
    {                                                                                              \
        .dst = to, .pitch = pitch, .value = v, .elementSize = bytes, .width = w, .height = h       \
    }

/* The call, its variant for a default stream for each thread, and the two that take a stream. */
#define SET1(name, async, type, bytes)                                                             \
    CU_API(name##_v2, (CUdeviceptr to, type v, size_t n), CU_NEED_CONTEXT,                         \
           set(ctx, ROW(v, bytes), NULL));                                                         \
    CU_ALSO(name, name##_v2);                                                                      \
    CU_API(name##_v2_ptds, (CUdeviceptr to, type v, size_t n), CU_NEED_CONTEXT,                    \
           set(ctx, ROW(v, bytes), CU_STREAM_PER_THREAD));                                         \
    CU_API(async, (CUdeviceptr to, type v, size_t n, CUstream s), CU_NEED_CONTEXT,                 \
           set(ctx, ROW(v, bytes), s));                                                            \
    CU_PER_THREAD(async, (CUdeviceptr to, type v, size_t n, CUstream s), (to, v, n, CU_PT(s)))

#define SET2(name, async, type, bytes)                                                             \
    CU_API(name##_v2, (CUdeviceptr to, size_t pitch, type v, size_t w, size_t h), CU_NEED_CONTEXT, \
           set(ctx, ROWS(v, bytes), NULL));                                                        \
    CU_ALSO(name, name##_v2);                                                                      \
    CU_API(name##_v2_ptds, (CUdeviceptr to, size_t pitch, type v, size_t w, size_t h),             \
           CU_NEED_CONTEXT, set(ctx, ROWS(v, bytes), CU_STREAM_PER_THREAD));                       \
    CU_API(async, (CUdeviceptr to, size_t pitch, type v, size_t w, size_t h, CUstream s),          \
           CU_NEED_CONTEXT, set(ctx, ROWS(v, bytes), s));                                          \
    CU_PER_THREAD(async, (CUdeviceptr to, size_t pitch, type v, size_t w, size_t h, CUstream s),   \
                  (to, pitch, v, w, h, CU_PT(s)))

SET1(cuMemsetD8, cuMemsetD8Async, unsigned char, 1);
SET1(cuMemsetD16, cuMemsetD16Async, unsigned short, 2);
SET1(cuMemsetD32, cuMemsetD32Async, unsigned int, 4);
SET2(cuMemsetD2D8, cuMemsetD2D8Async, unsigned char, 1);
SET2(cuMemsetD2D16, cuMemsetD2D16Async, unsigned short, 2);
SET2(cuMemsetD2D32, cuMemsetD2D32Async, unsigned int, 4);
