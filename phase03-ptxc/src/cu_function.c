/* The calls about functions, and the occupancy calculator's. */
#include "cu_core.h"

#define OCCUPANCY_FLAGS                                                                            \
    1u /* CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE: there is no such cache here                       \
        */

static CUresult get(CUcontext ctx, int *value, CUfunction_attribute a, CUfunction h)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, h, &f);
    if (r != CUDA_SUCCESS || value == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    return cu_function_get(f, a, value);
}

static CUresult set(CUcontext ctx, CUfunction h, CUfunction_attribute a, int value)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, h, &f);
    return r == CUDA_SUCCESS ? cu_function_set(f, a, value) : r;
}

static CUresult check(CUcontext ctx, CUfunction h)
{
    CUfunction f;
    return cu_function_of(ctx, h, &f);
}

static CUresult get_module(CUcontext ctx, CUmodule *out, CUfunction h)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, h, &f);
    if (r == CUDA_SUCCESS) {
        *out = f->module;
    }
    return r;
}

static CUresult get_name(CUcontext ctx, const char **out, CUfunction h)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, h, &f);
    if (r == CUDA_SUCCESS) {
        *out = f->info.name;
    }
    return r;
}

static CUresult get_param(CUcontext ctx, CUfunction h, size_t index, size_t *offset, size_t *bytes)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, h, &f);
    return r == CUDA_SUCCESS ? cu_function_param(f, index, offset, bytes) : r;
}

static CUresult is_loaded(CUcontext ctx, CUfunctionLoadingState *out, CUfunction h)
{
    CUresult r = check(ctx, h);
    if (r == CUDA_SUCCESS) {
        *out = CU_FUNCTION_LOADING_STATE_LOADED;
    }
    return r;
}

/* --- occupancy --- */

static int blocks_per_sm(CUfunction f, int threads, size_t dynamic)
{
    if (threads <= 0 || dynamic > UINT32_MAX) {
        return 0;
    }
    return (int)vgpu_blocks_per_sm(f->kernel, (uint32_t)threads, (uint32_t)dynamic);
}

static CUresult max_blocks(CUcontext ctx, int *out, CUfunction h, int threads, size_t dynamic)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, h, &f);
    if (r != CUDA_SUCCESS || out == NULL || threads <= 0) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    *out = blocks_per_sm(f, threads, dynamic);
    return CUDA_SUCCESS;
}

struct potential {
    int *grid, *block;
    CUoccupancyB2DSize dynamic_of; /* NULL: `dynamic` for every size */
    size_t dynamic;
    int limit;
    unsigned flags;
};

struct question {
    CUoccupancyB2DSize fn;
    int threads;
    size_t answer;
};

static void ask(void *data)
{
    struct question *q = data;
    q->answer = q->fn(q->threads);
}

static size_t dynamic_for(const struct potential *p, int threads)
{
    struct question q = {p->dynamic_of, threads, p->dynamic};
    if (q.fn != NULL) {
        cu_call_host(ask, &q);
    }
    return q.answer;
}

/* The largest block, a multiple of a warp, of those that keep the most threads on a
 * multiprocessor. */
static CUresult potential(CUcontext ctx, CUfunction h, struct potential p)
{
    CUfunction f;
    int most = 0, best = 0, best_blocks = 0;
    CUresult r = cu_function_of(ctx, h, &f);
    if (r != CUDA_SUCCESS || p.grid == NULL || p.block == NULL ||
        (p.flags & ~OCCUPANCY_FLAGS) != 0) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    cu_function_get(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most);
    most = p.limit > 0 && p.limit < most ? p.limit : most;
    for (int size = (most + 31) / 32 * 32; size > 0; size -= 32) {
        int threads = size < most ? size : most;
        int blocks = blocks_per_sm(f, threads, dynamic_for(&p, threads));
        if (blocks * threads > best * best_blocks) {
            best = threads;
            best_blocks = blocks;
        }
    }
    *p.block = best;
    *p.grid = best_blocks * (int)ctx->dev->desc->sms;
    return CUDA_SUCCESS;
}

/* The most dynamic shared memory with which `blocks` blocks still fit on a multiprocessor. */
static CUresult available(CUcontext ctx, size_t *out, CUfunction h, int blocks, int threads)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, h, &f);
    if (r != CUDA_SUCCESS || out == NULL || blocks <= 0 || threads <= 0) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (blocks_per_sm(f, threads, 0) < blocks) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    size_t lo = 0, hi = ctx->dev->desc->shared_per_block_optin;
    while (lo < hi) {
        size_t mid = lo + (hi - lo + 1) / 2;
        if (blocks_per_sm(f, threads, mid) >= blocks) {
            lo = mid;
        } else {
            hi = mid - 1;
        }
    }
    *out = lo;
    return CUDA_SUCCESS;
}

CU_API(cuFuncGetAttribute, (int *value, CUfunction_attribute a, CUfunction f), CU_NEED_CONTEXT,
       get(ctx, value, a, f));
CU_API(cuFuncSetAttribute, (CUfunction f, CUfunction_attribute a, int value), CU_NEED_CONTEXT,
       set(ctx, f, a, value));
CU_API(cuFuncSetCacheConfig, (CUfunction f, CUfunc_cache config), CU_NEED_CONTEXT,
       ((void)config, check(ctx, f)));
CU_API(cuFuncSetSharedMemConfig, (CUfunction f, CUsharedconfig config), CU_NEED_CONTEXT,
       ((void)config, check(ctx, f)));
CU_API(cuFuncGetModule, (CUmodule * out, CUfunction f), CU_NEED_CONTEXT, get_module(ctx, out, f));
CU_API(cuFuncGetName, (const char **out, CUfunction f), CU_NEED_CONTEXT, get_name(ctx, out, f));
CU_API(cuFuncGetParamInfo, (CUfunction f, size_t index, size_t *offset, size_t *bytes),
       CU_NEED_CONTEXT, get_param(ctx, f, index, offset, bytes));
CU_API(cuFuncIsLoaded, (CUfunctionLoadingState * out, CUfunction f), CU_NEED_CONTEXT,
       is_loaded(ctx, out, f));
CU_API(cuFuncLoad, (CUfunction f), CU_NEED_CONTEXT, check(ctx, f));
CU_API(cuOccupancyMaxActiveBlocksPerMultiprocessor,
       (int *out, CUfunction f, int threads, size_t dynamic), CU_NEED_CONTEXT,
       max_blocks(ctx, out, f, threads, dynamic));
CU_API(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
       (int *out, CUfunction f, int threads, size_t dynamic, unsigned flags), CU_NEED_CONTEXT,
       (flags & ~OCCUPANCY_FLAGS) != 0 ? CUDA_ERROR_INVALID_VALUE
                                       : max_blocks(ctx, out, f, threads, dynamic));
CU_API(cuOccupancyMaxPotentialBlockSize,
       (int *grid, int *block, CUfunction f, CUoccupancyB2DSize fn, size_t dynamic, int limit),
       CU_NEED_CONTEXT, potential(ctx, f, (struct potential){grid, block, fn, dynamic, limit, 0}));
CU_API(cuOccupancyMaxPotentialBlockSizeWithFlags,
       (int *grid, int *block, CUfunction f, CUoccupancyB2DSize fn, size_t dynamic, int limit,
        unsigned flags),
       CU_NEED_CONTEXT,
       potential(ctx, f, (struct potential){grid, block, fn, dynamic, limit, flags}));
CU_API(cuOccupancyAvailableDynamicSMemPerBlock,
       (size_t * out, CUfunction f, int blocks, int threads), CU_NEED_CONTEXT,
       available(ctx, out, f, blocks, threads));
