/* Contexts: what a thread works in, what owns memory, modules, streams and events, and what a fault
 * makes useless.
 *
 * Model: each thread has a stack of contexts whose top is current. The primary context of the
 * device is what the runtime API works in; its struct, and so its handle, stays the same over
 * resets. A context that is destroyed is cleared (cu_context_clear) and marked; its struct stays,
 * so that a thread which still has it current gets CUDA_ERROR_CONTEXT_IS_DESTROYED.
 *
 * Simplified: all contexts share one address space, so a pointer of one works in another.
 */
#include <stdlib.h>

#include "cu_capture.h"

/* CUDA's defaults: CUDA C++ Programming Guide and cuCtxSetLimit. */
static const size_t limits_default[CU_LIMITS] = {
    [CU_LIMIT_STACK_SIZE] = 1024,
    [CU_LIMIT_PRINTF_FIFO_SIZE] = 1u << 20,
    [CU_LIMIT_MALLOC_HEAP_SIZE] = 8u << 20,
    [CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2,
    [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
    [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
};

static CUresult open_device(struct cu_device *d)
{
    struct lab_err err = {0};
    if (d->g == NULL && vgpu_open(&cu_state.config.vgpu, &d->g, &err) < 0) {
        cu_say("%s", err.msg);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* A context that was new or cleared comes to life. */
static void start(CUcontext c, unsigned flags)
{
    c->alive = true;
    c->flags = flags;
    c->attached = 1;
    c->latent = c->fault = CUDA_SUCCESS;
    c->id = ++cu_state.ids;
    for (int k = 0; k < CU_LIMITS; k++) {
        c->limits[k] = limits_default[k];
    }
    c->cache = CU_FUNC_CACHE_PREFER_NONE;
    c->banks = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    c->legacy = (struct CUstream_st){.ctx = c, .legacy = true, .id = ++cu_state.ids};
    LIST_INIT(&c->streams);
    LIST_INIT(&c->events);
    LIST_INIT(&c->modules);
    cu_handle_add(&c->legacy, CU_KIND_STREAM);
}

static CUresult context_new(struct cu_device *d, unsigned flags, CUcontext *out)
{
    CUresult r = open_device(d);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    CUcontext c = lab_alloc(1, sizeof(*c));
    c->dev = d;
    LIST_INSERT_HEAD(&cu_state.contexts, c, link);
    cu_handle_add(c, CU_KIND_CONTEXT);
    start(c, flags);
    *out = c;
    return CUDA_SUCCESS;
}

void cu_context_clear(CUcontext c)
{
    while (!LIST_EMPTY(&c->events)) {
        cu_event_free(LIST_FIRST(&c->events));
    }
    while (!LIST_EMPTY(&c->streams)) {
        cu_stream_free(LIST_FIRST(&c->streams));
    }
    cu_capture_leave(&c->legacy);
    cu_libraries_forget(c);
    while (!LIST_EMPTY(&c->modules)) {
        cu_module_free(LIST_FIRST(&c->modules));
    }
    cu_memory_clear(c);
    cu_handle_drop(&c->legacy);
    c->alive = false;
    c->latent = c->fault = CUDA_SUCCESS;
}

/* --- the thread's stack --- */

static CUresult push(CUcontext c)
{
    if (cu_thread.depth == CU_STACK) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    cu_thread.stack[cu_thread.depth++] = c;
    return CUDA_SUCCESS;
}

static CUcontext current(void)
{
    return cu_thread.depth > 0 ? cu_thread.stack[cu_thread.depth - 1] : NULL;
}

/* A context that may be made current: one there was once is told apart from one there never was. */
static CUresult usable(CUcontext c)
{
    if (!cu_is(c, CU_KIND_CONTEXT)) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    return c->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

static CUresult push_current(CUcontext c)
{
    CUresult r = usable(c);
    return r == CUDA_SUCCESS ? push(c) : r;
}

static CUresult pop_current(CUcontext *out)
{
    if (cu_thread.depth == 0) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    CUcontext c = cu_thread.stack[--cu_thread.depth];
    if (out != NULL) {
        *out = c;
    }
    return CUDA_SUCCESS;
}

static CUresult set_current(CUcontext c)
{
    if (c == NULL) {
        cu_thread.depth -= cu_thread.depth > 0;
        return CUDA_SUCCESS;
    }
    CUresult r = usable(c);
    if (r == CUDA_SUCCESS && cu_thread.depth > 0) {
        cu_thread.stack[cu_thread.depth - 1] = c;
    } else if (r == CUDA_SUCCESS) {
        r = push(c);
    }
    return r;
}

static CUresult get_current(CUcontext *out)
{
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = current();
    return CUDA_SUCCESS;
}

/* --- making and destroying --- */

static CUresult create(CUcontext *out, unsigned flags, CUdevice n)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    if (out == NULL || (flags & ~(unsigned)CU_CTX_FLAGS_MASK) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    r = context_new(d, flags, out);
    return r == CUDA_SUCCESS ? push(*out) : r;
}

static CUresult create_with(CUcontext *out, const CUctxCreateParams *p, unsigned flags, CUdevice n)
{
    if (p != NULL && (p->numExecAffinityParams != 0 || p->cigParams != NULL)) {
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    }
    return create(out, flags, n);
}

/* The program ends the context: what its kernels printed appears. */
static void end(CUcontext c)
{
    vgpu_flush_printf(c->dev->g);
    cu_context_clear(c);
}

static CUresult destroy(CUcontext c)
{
    CUresult r = usable(c);
    if (r != CUDA_SUCCESS || c->primary) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_CONTEXT;
    }
    end(c);
    if (current() == c) {
        cu_thread.depth--;
    }
    return CUDA_SUCCESS;
}

static CUresult attach(CUcontext *out, unsigned flags)
{
    CUcontext c = current();
    CUresult r = flags != 0 || out == NULL ? CUDA_ERROR_INVALID_VALUE : usable(c);
    if (r == CUDA_SUCCESS) {
        c->attached++;
        *out = c;
    }
    return r;
}

static CUresult detach(CUcontext c)
{
    CUresult r = usable(c);
    if (r != CUDA_SUCCESS || c != current()) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_CONTEXT;
    }
    return --c->attached > 0 ? CUDA_SUCCESS : destroy(c);
}

/* --- the primary context --- */

CUresult cu_primary_retain(struct cu_device *d, CUcontext *out)
{
    CUresult r = CUDA_SUCCESS;
    if (d->primary == NULL) {
        r = context_new(d, d->primary_flags, &d->primary);
        if (r == CUDA_SUCCESS) {
            d->primary->primary = true;
        }
    } else if (!d->primary->alive) {
        start(d->primary, d->primary_flags);
    }
    if (r == CUDA_SUCCESS) {
        d->primary_refs++;
        *out = d->primary;
    }
    return r;
}

static CUresult primary_retain(CUcontext *out, CUdevice n)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r == CUDA_SUCCESS && out == NULL) {
        r = CUDA_ERROR_INVALID_VALUE;
    }
    return r == CUDA_SUCCESS ? cu_primary_retain(d, out) : r;
}

static CUresult primary_release(CUdevice n)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r == CUDA_SUCCESS && d->primary_refs == 0) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (r == CUDA_SUCCESS && --d->primary_refs == 0 && d->primary->alive) {
        end(d->primary);
    }
    return r;
}

static CUresult primary_reset(CUdevice n)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r == CUDA_SUCCESS && d->primary != NULL && d->primary->alive) {
        end(d->primary);
    }
    if (r == CUDA_SUCCESS) {
        d->primary_refs = 0;
    }
    return r;
}

static CUresult primary_flags(CUdevice n, unsigned flags)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r == CUDA_SUCCESS && (flags & ~(unsigned)CU_CTX_FLAGS_MASK) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (r == CUDA_SUCCESS) {
        d->primary_flags = flags;
        if (d->primary != NULL) {
            d->primary->flags = flags;
        }
    }
    return r;
}

static CUresult primary_state(CUdevice n, unsigned *flags, int *active)
{
    struct cu_device *d;
    CUresult r = cu_device_get(n, &d);
    if (r == CUDA_SUCCESS) {
        *flags = d->primary_flags;
        *active = d->primary != NULL && d->primary->alive;
    }
    return r;
}

/* --- questions and settings --- */

static CUresult get_device(CUdevice *out)
{
    CUcontext c = current();
    if (c == NULL || out == NULL) {
        return c == NULL ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    }
    *out = cu_device_number(c->dev);
    return CUDA_SUCCESS;
}

static CUresult device_of(CUdevice *out, CUcontext c)
{
    if (c == NULL) {
        return get_device(out);
    }
    CUresult r = usable(c);
    if (r == CUDA_SUCCESS) {
        *out = cu_device_number(c->dev);
    }
    return r;
}

static CUresult synchronize(CUcontext ctx)
{
    CUresult r = cu_capture_context(ctx);
    return r != CUDA_SUCCESS ? r : cu_sync(ctx);
}

static CUresult synchronize_other(CUcontext ctx, CUcontext c)
{
    CUresult r = c != NULL ? usable(c) : CUDA_SUCCESS;
    return r == CUDA_SUCCESS ? synchronize(c != NULL ? c : ctx) : r;
}

static CUresult set_limit(CUcontext ctx, CUlimit limit, size_t value)
{
    if ((unsigned)limit >= CU_LIMITS) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (limit >= CU_LIMIT_PERSISTING_L2_CACHE_SIZE) {
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    }
    ctx->limits[limit] = value;
    return CUDA_SUCCESS;
}

static CUresult get_limit(CUcontext ctx, size_t *value, CUlimit limit)
{
    if ((unsigned)limit >= CU_LIMITS || value == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) {
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    }
    *value = ctx->limits[limit];
    return CUDA_SUCCESS;
}

static CUresult priorities(int *least, int *greatest)
{
    if (least != NULL) {
        *least = 0;
    }
    if (greatest != NULL) {
        *greatest = -5;
    }
    return CUDA_SUCCESS;
}

static CUresult id_of(CUcontext ctx, CUcontext c, unsigned long long *out)
{
    CUresult r = c != NULL ? usable(c) : CUDA_SUCCESS;
    if (r == CUDA_SUCCESS) {
        *out = c != NULL ? c->id : ctx->id;
    }
    return r;
}

static CUresult api_version(CUcontext c, unsigned *out)
{
    CUresult r = c != NULL ? usable(c) : CUDA_SUCCESS;
    *out = 3020; /* what every driver since CUDA 3.2 answers */
    return r;
}

#define SET(place, value) ((place) = (value), CUDA_SUCCESS)

CU_API(cuCtxCreate_v4, (CUcontext * out, CUctxCreateParams *p, unsigned flags, CUdevice n),
       CU_NEED_INIT, create_with(out, p, flags, n));
CU_API(cuCtxCreate_v2, (CUcontext * out, unsigned flags, CUdevice n), CU_NEED_INIT,
       create(out, flags, n));
CU_ALSO(cuCtxCreate, cuCtxCreate_v2);
CU_API(cuCtxDestroy_v2, (CUcontext c), CU_NEED_INIT, destroy(c));
CU_ALSO(cuCtxDestroy, cuCtxDestroy_v2);
CU_API(cuCtxAttach, (CUcontext * out, unsigned flags), CU_NEED_INIT, attach(out, flags));
CU_API(cuCtxDetach, (CUcontext c), CU_NEED_INIT, detach(c));
CU_API(cuCtxPushCurrent_v2, (CUcontext c), CU_NEED_INIT, push_current(c));
CU_ALSO(cuCtxPushCurrent, cuCtxPushCurrent_v2);
CU_API(cuCtxPopCurrent_v2, (CUcontext * out), CU_NEED_INIT, pop_current(out));
CU_ALSO(cuCtxPopCurrent, cuCtxPopCurrent_v2);
CU_API(cuCtxSetCurrent, (CUcontext c), CU_NEED_INIT, set_current(c));
CU_API(cuCtxGetCurrent, (CUcontext * out), CU_NEED_INIT, get_current(out));
CU_API(cuCtxGetDevice, (CUdevice * out), CU_NEED_INIT, get_device(out));
CU_API(cuCtxGetDevice_v2, (CUdevice * out, CUcontext c), CU_NEED_INIT, device_of(out, c));
CU_API(cuCtxGetFlags, (unsigned *out), CU_NEED_CONTEXT, SET(*out, ctx->flags));
CU_API(cuCtxSetFlags, (unsigned flags), CU_NEED_CONTEXT, SET(ctx->flags, flags));
CU_API(cuCtxGetId, (CUcontext c, unsigned long long *out), CU_NEED_CONTEXT, id_of(ctx, c, out));
CU_API(cuCtxGetApiVersion, (CUcontext c, unsigned *out), CU_NEED_INIT, api_version(c, out));
CU_API(cuCtxSynchronize, (void), CU_NEED_CONTEXT, synchronize(ctx));
CU_API(cuCtxSynchronize_v2, (CUcontext c), CU_NEED_CONTEXT, synchronize_other(ctx, c));
CU_API(cuCtxSetLimit, (CUlimit limit, size_t value), CU_NEED_CONTEXT, set_limit(ctx, limit, value));
CU_API(cuCtxGetLimit, (size_t * out, CUlimit limit), CU_NEED_CONTEXT, get_limit(ctx, out, limit));
CU_API(cuCtxGetCacheConfig, (CUfunc_cache * out), CU_NEED_CONTEXT, SET(*out, ctx->cache));
CU_API(cuCtxSetCacheConfig, (CUfunc_cache config), CU_NEED_CONTEXT, SET(ctx->cache, config));
CU_API(cuCtxGetSharedMemConfig, (CUsharedconfig * out), CU_NEED_CONTEXT, SET(*out, ctx->banks));
CU_API(cuCtxSetSharedMemConfig, (CUsharedconfig config), CU_NEED_CONTEXT, SET(ctx->banks, config));
CU_API(cuCtxGetStreamPriorityRange, (int *least, int *greatest), CU_NEED_CONTEXT,
       priorities(least, greatest));
CU_API(cuCtxResetPersistingL2Cache, (void), CU_NEED_CONTEXT, CUDA_SUCCESS);
CU_API(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags), CU_NEED_CONTEXT,
       ((void)peer, (void)flags, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED));
CU_API(cuCtxDisablePeerAccess, (CUcontext peer), CU_NEED_CONTEXT,
       ((void)peer, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED));
CU_API(cuDevicePrimaryCtxRetain, (CUcontext * out, CUdevice n), CU_NEED_INIT,
       primary_retain(out, n));
CU_API(cuDevicePrimaryCtxRelease_v2, (CUdevice n), CU_NEED_INIT, primary_release(n));
CU_ALSO(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
CU_API(cuDevicePrimaryCtxReset_v2, (CUdevice n), CU_NEED_INIT, primary_reset(n));
CU_ALSO(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);
CU_API(cuDevicePrimaryCtxSetFlags_v2, (CUdevice n, unsigned flags), CU_NEED_INIT,
       primary_flags(n, flags));
CU_ALSO(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);
CU_API(cuDevicePrimaryCtxGetState, (CUdevice n, unsigned *flags, int *active), CU_NEED_INIT,
       primary_state(n, flags, active));
