/* Streams and events.
 *
 * Problem: programs order their work with streams and measure it with events.
 *
 * Model: work is done when it is submitted, so everything submitted before is finished: a stream is
 * idle whenever somebody looks, an event has happened when it was recorded, and waiting waits for
 * nothing. That order is one of those a GPU may choose, so a program whose streams are properly
 * ordered gets the same results. What remains of a stream is its identity, its flags and its
 * capture.
 *
 * Simplified: kernels and copies do not overlap, the time between two events is the host's time for
 * what was submitted between them, and a kernel that waits for the host to write something after
 * the launch waits for ever. Host functions and callbacks run on the calling thread, before the
 * call that adds them returns.
 */
#include <stdlib.h>

#include "cu_capture.h"
#include "lab/clock.h"

/* --- streams --- */

static CUstream stream_new(CUcontext ctx, unsigned flags, int priority)
{
    CUstream s = lab_alloc(1, sizeof(*s));
    s->ctx = ctx;
    s->flags = flags;
    s->priority = priority;
    s->id = ++cu_state.ids;
    LIST_INSERT_HEAD(&ctx->streams, s, link);
    cu_handle_add(s, CU_KIND_STREAM);
    return s;
}

/* The calling thread's own default stream. */
static CUstream per_thread(CUcontext ctx)
{
    CUstream s;
    LIST_FOREACH(s, &ctx->streams, link)
    {
        if (s->per_thread && pthread_equal(s->thread, pthread_self())) {
            return s;
        }
    }
    s = stream_new(ctx, CU_STREAM_DEFAULT, 0);
    s->per_thread = true;
    s->thread = pthread_self();
    return s;
}

CUresult cu_stream_get(CUcontext ctx, CUstream h, CUstream *out)
{
    if (h == NULL || h == CU_STREAM_LEGACY) {
        *out = &ctx->legacy;
    } else if (h == CU_STREAM_PER_THREAD) {
        *out = per_thread(ctx);
    } else if (cu_is(h, CU_KIND_STREAM)) {
        *out = h;
    } else {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return CUDA_SUCCESS;
}

void cu_stream_free(CUstream s)
{
    cu_capture_leave(s);
    LIST_REMOVE(s, link);
    cu_handle_drop(s);
    free(s);
}

static CUresult create(CUcontext ctx, CUstream *out, unsigned flags, int priority)
{
    if (out == NULL || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = stream_new(ctx, flags, priority > 0 ? 0 : priority < -5 ? -5 : priority);
    return CUDA_SUCCESS;
}

static CUresult destroy(CUcontext ctx, CUstream h)
{
    if (!cu_is(h, CU_KIND_STREAM) || h->legacy || h->per_thread) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (h->capture != NULL) {
        cu_capture_invalidate(h->capture);
    }
    (void)ctx;
    cu_stream_free(h);
    return CUDA_SUCCESS;
}

enum question { PRIORITY, FLAGS };

static CUresult ask(CUcontext ctx, CUstream h, enum question q, void *out)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || out == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (q == PRIORITY) {
        *(int *)out = s->priority;
    } else {
        *(unsigned *)out = s->flags;
    }
    return CUDA_SUCCESS;
}

static CUresult id_of(CUcontext ctx, CUstream h, unsigned long long *out)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r == CUDA_SUCCESS) {
        *out = s->id;
    }
    return r;
}

static CUresult context_of(CUcontext ctx, CUstream h, CUcontext *out)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r == CUDA_SUCCESS) {
        *out = s->ctx;
    }
    return r;
}

static CUresult context_of_v2(CUcontext ctx, CUstream h, CUcontext *out, CUgreenCtx *green)
{
    if (green != NULL) {
        *green = NULL;
    }
    return context_of(ctx, h, out);
}

static CUresult device_of(CUcontext ctx, CUstream h, CUdevice *out)
{
    CUcontext c;
    CUresult r = context_of(ctx, h, &c);
    if (r == CUDA_SUCCESS) {
        *out = cu_device_number(c->dev);
    }
    return r;
}

/* Query and synchronize: nothing runs any more. */
static CUresult wait_stream(CUcontext ctx, CUstream h)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    r = r == CUDA_SUCCESS ? cu_capture_stream(s) : r;
    return r == CUDA_SUCCESS ? cu_sync(s->ctx) : r;
}

static CUresult wait_event(CUcontext ctx, CUstream h, CUevent e, unsigned flags)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    r = r == CUDA_SUCCESS ? cu_event_get(e) : r;
    if (r != CUDA_SUCCESS) {
        return r;
    }
    return s->capture != NULL || e->capture != NULL ? cu_capture_wait(s, e, flags) : CUDA_SUCCESS;
}

struct callback {
    CUstreamCallback fn;
    CUstream stream;
    void *data;
};

static void run_callback(void *data)
{
    const struct callback *c = data;
    c->fn(c->stream, CUDA_SUCCESS, c->data);
}

static CUresult add_callback(CUcontext ctx, CUstream h, CUstreamCallback fn, void *data,
                             unsigned flags)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || fn == NULL || flags != 0) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (s->capture != NULL) {
        cu_capture_invalidate(s->capture);
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (ctx->latent != CUDA_SUCCESS) {
        return CUDA_SUCCESS;
    }
    struct callback c = {fn, h, data};
    vgpu_flush_printf(ctx->dev->g);
    cu_call_host(run_callback, &c);
    return CUDA_SUCCESS;
}

/* Attributes of a stream steer what the software GPU does not have; the priority can be read. */
static CUresult get_attribute(CUcontext ctx, CUstream h, CUstreamAttrID id, CUstreamAttrValue *out)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || out == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    *out = (CUstreamAttrValue){.pad = {0}};
    if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
        out->priority = s->priority;
    } else if (id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) {
        out->syncPolicy = CU_SYNC_POLICY_AUTO;
    }
    return CUDA_SUCCESS;
}

static CUresult set_attribute(CUcontext ctx, CUstream h, CUstreamAttrID id,
                              const CUstreamAttrValue *value)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || value == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
        s->priority = value->priority;
    }
    return CUDA_SUCCESS;
}

static CUresult copy_attributes(CUcontext ctx, CUstream to, CUstream from)
{
    CUstream a, b;
    CUresult r = cu_stream_get(ctx, to, &a);
    return r != CUDA_SUCCESS ? r : cu_stream_get(ctx, from, &b);
}

/* --- events --- */

CUresult cu_event_get(CUevent e)
{
    return cu_is(e, CU_KIND_EVENT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

void cu_event_free(CUevent e)
{
    cu_event_uncapture(e);
    LIST_REMOVE(e, link);
    cu_handle_drop(e);
    free(e);
}

static CUresult event_create(CUcontext ctx, CUevent *out, unsigned flags)
{
    unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    if (out == NULL || (flags & ~known) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if ((flags & CU_EVENT_INTERPROCESS) != 0) {
        return cu_not_supported("an interprocess event");
    }
    CUevent e = lab_alloc(1, sizeof(*e));
    e->ctx = ctx;
    e->flags = flags;
    LIST_INSERT_HEAD(&ctx->events, e, link);
    cu_handle_add(e, CU_KIND_EVENT);
    *out = e;
    return CUDA_SUCCESS;
}

static CUresult event_destroy(CUevent e)
{
    CUresult r = cu_event_get(e);
    if (r == CUDA_SUCCESS) {
        cu_event_free(e);
    }
    return r;
}

static CUresult event_record(CUcontext ctx, CUevent e, CUstream h, unsigned flags)
{
    CUstream s;
    CUresult r = cu_event_get(e);
    r = r == CUDA_SUCCESS ? cu_stream_get(ctx, h, &s) : r;
    if (r != CUDA_SUCCESS) {
        return r;
    }
    if (s->ctx != e->ctx) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (s->capture != NULL) {
        return cu_capture_record(s, e, flags);
    }
    cu_event_uncapture(e);
    e->recorded = true;
    e->time_ns = lab_now_ns();
    return CUDA_SUCCESS;
}

static CUresult event_wait(CUevent e, bool unsafe)
{
    CUresult r = cu_event_get(e);
    r = r == CUDA_SUCCESS && unsafe ? cu_capture_unsafe() : r;
    if (r == CUDA_SUCCESS && e->capture != NULL) {
        cu_capture_invalidate(e->capture);
        return CUDA_ERROR_CAPTURED_EVENT;
    }
    return r == CUDA_SUCCESS ? cu_sync(e->ctx) : r;
}

static CUresult elapsed(float *ms, CUevent a, CUevent b)
{
    CUresult r = cu_event_get(a);
    r = r == CUDA_SUCCESS ? cu_event_get(b) : r;
    if (r != CUDA_SUCCESS || ms == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (a->capture != NULL || b->capture != NULL) {
        return CUDA_ERROR_CAPTURED_EVENT;
    }
    if (((a->flags | b->flags) & CU_EVENT_DISABLE_TIMING) != 0 || !a->recorded || !b->recorded) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *ms = (float)((double)((int64_t)b->time_ns - (int64_t)a->time_ns) / 1e6);
    return CUDA_SUCCESS;
}

CU_API(cuStreamCreate, (CUstream * out, unsigned flags), CU_NEED_CONTEXT,
       create(ctx, out, flags, 0));
CU_API(cuStreamCreateWithPriority, (CUstream * out, unsigned flags, int priority), CU_NEED_CONTEXT,
       create(ctx, out, flags, priority));
CU_API(cuStreamDestroy_v2, (CUstream s), CU_NEED_CONTEXT, destroy(ctx, s));
CU_ALSO(cuStreamDestroy, cuStreamDestroy_v2);
CU_API(cuStreamGetPriority, (CUstream s, int *out), CU_NEED_CONTEXT, ask(ctx, s, PRIORITY, out));
CU_PER_THREAD(cuStreamGetPriority, (CUstream s, int *out), (CU_PT(s), out));
CU_API(cuStreamGetFlags, (CUstream s, unsigned *out), CU_NEED_CONTEXT, ask(ctx, s, FLAGS, out));
CU_PER_THREAD(cuStreamGetFlags, (CUstream s, unsigned *out), (CU_PT(s), out));
CU_API(cuStreamGetId, (CUstream s, unsigned long long *out), CU_NEED_CONTEXT, id_of(ctx, s, out));
CU_PER_THREAD(cuStreamGetId, (CUstream s, unsigned long long *out), (CU_PT(s), out));
CU_API(cuStreamGetCtx, (CUstream s, CUcontext *out), CU_NEED_CONTEXT, context_of(ctx, s, out));
CU_PER_THREAD(cuStreamGetCtx, (CUstream s, CUcontext *out), (CU_PT(s), out));
CU_API(cuStreamGetCtx_v2, (CUstream s, CUcontext *out, CUgreenCtx *green), CU_NEED_CONTEXT,
       context_of_v2(ctx, s, out, green));
CU_PER_THREAD(cuStreamGetCtx_v2, (CUstream s, CUcontext *out, CUgreenCtx *green),
              (CU_PT(s), out, green));
CU_API(cuStreamGetDevice, (CUstream s, CUdevice *out), CU_NEED_CONTEXT, device_of(ctx, s, out));
CU_PER_THREAD(cuStreamGetDevice, (CUstream s, CUdevice *out), (CU_PT(s), out));
CU_API(cuStreamQuery, (CUstream s), CU_NEED_CONTEXT, wait_stream(ctx, s));
CU_PER_THREAD(cuStreamQuery, (CUstream s), (CU_PT(s)));
CU_API(cuStreamSynchronize, (CUstream s), CU_NEED_CONTEXT, wait_stream(ctx, s));
CU_PER_THREAD(cuStreamSynchronize, (CUstream s), (CU_PT(s)));
CU_API(cuStreamWaitEvent, (CUstream s, CUevent e, unsigned flags), CU_NEED_CONTEXT,
       wait_event(ctx, s, e, flags));
CU_PER_THREAD(cuStreamWaitEvent, (CUstream s, CUevent e, unsigned flags), (CU_PT(s), e, flags));
CU_API(cuStreamAddCallback, (CUstream s, CUstreamCallback fn, void *data, unsigned flags),
       CU_NEED_CONTEXT, add_callback(ctx, s, fn, data, flags));
CU_PER_THREAD(cuStreamAddCallback, (CUstream s, CUstreamCallback fn, void *data, unsigned flags),
              (CU_PT(s), fn, data, flags));
CU_API(cuStreamGetAttribute, (CUstream s, CUstreamAttrID id, CUstreamAttrValue *out),
       CU_NEED_CONTEXT, get_attribute(ctx, s, id, out));
CU_PER_THREAD(cuStreamGetAttribute, (CUstream s, CUstreamAttrID id, CUstreamAttrValue *out),
              (CU_PT(s), id, out));
CU_API(cuStreamSetAttribute, (CUstream s, CUstreamAttrID id, const CUstreamAttrValue *value),
       CU_NEED_CONTEXT, set_attribute(ctx, s, id, value));
CU_PER_THREAD(cuStreamSetAttribute, (CUstream s, CUstreamAttrID id, const CUstreamAttrValue *value),
              (CU_PT(s), id, value));
CU_API(cuStreamCopyAttributes, (CUstream to, CUstream from), CU_NEED_CONTEXT,
       copy_attributes(ctx, to, from));
CU_PER_THREAD(cuStreamCopyAttributes, (CUstream to, CUstream from), (CU_PT(to), CU_PT(from)));

CU_API(cuEventCreate, (CUevent * out, unsigned flags), CU_NEED_CONTEXT,
       event_create(ctx, out, flags));
CU_API(cuEventDestroy_v2, (CUevent e), CU_NEED_CONTEXT, event_destroy(e));
CU_ALSO(cuEventDestroy, cuEventDestroy_v2);
CU_API(cuEventRecord, (CUevent e, CUstream s), CU_NEED_CONTEXT, event_record(ctx, e, s, 0));
CU_PER_THREAD(cuEventRecord, (CUevent e, CUstream s), (e, CU_PT(s)));
CU_API(cuEventRecordWithFlags, (CUevent e, CUstream s, unsigned flags), CU_NEED_CONTEXT,
       event_record(ctx, e, s, flags));
CU_PER_THREAD(cuEventRecordWithFlags, (CUevent e, CUstream s, unsigned flags),
              (e, CU_PT(s), flags));
CU_API(cuEventQuery, (CUevent e), CU_NEED_CONTEXT, event_wait(e, true));
CU_API(cuEventSynchronize, (CUevent e), CU_NEED_CONTEXT, event_wait(e, false));
CU_API(cuEventElapsedTime_v2, (float *ms, CUevent a, CUevent b), CU_NEED_CONTEXT,
       elapsed(ms, a, b));
CU_ALSO(cuEventElapsedTime, cuEventElapsedTime_v2);
