/* Stream capture.
 *
 * Problem: code that submits work to streams becomes a graph without being rewritten, and calls
 * that would have to look at work that has not run must be refused.
 *
 * Model: a capture has a graph and an origin stream. Each stream of it knows the nodes its next
 * node depends on: the last one it captured and those of events it waited for. Recording an event
 * notes these nodes; waiting for such an event adds them, and lets another stream join the capture.
 * The rules about what may be called meanwhile are those of cuThreadExchangeStreamCaptureMode.
 *
 * Invariant: a capture lives while a stream captures in it or an event was recorded in it (refs).
 */
#include <stdlib.h>
#include <string.h>

#include "cu_capture.h"
#include "cu_graph.h"

/* --- life of a capture --- */

void cu_capture_unref(struct cu_capture *c)
{
    if (--c->refs == 0) {
        if (!c->ended && c->own_graph) {
            cu_graph_free(c->graph);
        }
        cu_table_take(&cu_state.captures, (uintptr_t)c);
        free(c);
    }
}

void cu_capture_invalidate(struct cu_capture *c)
{
    c->invalid = true;
}

void cu_capture_leave(CUstream s)
{
    struct cu_capture *c = s->capture;
    free(s->deps);
    s->deps = NULL;
    s->ndeps = 0;
    s->capture = NULL;
    if (c != NULL) {
        cu_capture_unref(c);
    }
}

void cu_event_uncapture(CUevent e)
{
    struct cu_capture *c = e->capture;
    free(e->deps);
    e->deps = NULL;
    e->ndeps = 0;
    e->capture = NULL;
    if (c != NULL) {
        cu_capture_unref(c);
    }
}

static void set_deps(CUgraphNode **deps, size_t *ndeps, const CUgraphNode *from, size_t n)
{
    CUgraphNode *copy = lab_alloc(n + 1, sizeof(*copy));
    if (n > 0) {
        memcpy(copy, from, n * sizeof(*copy));
    }
    free(*deps);
    *deps = copy;
    *ndeps = n;
}

void cu_capture_set_deps(CUstream s, const CUgraphNode *deps, size_t n)
{
    set_deps(&s->deps, &s->ndeps, deps, n);
}

void cu_capture_add_deps(CUstream s, const CUgraphNode *from, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        bool known = false;
        for (size_t d = 0; d < s->ndeps; d++) {
            known = known || s->deps[d] == from[k];
        }
        if (!known) {
            s->deps = lab_resize(s->deps, s->ndeps + 1, sizeof(*s->deps));
            s->deps[s->ndeps++] = from[k];
        }
    }
}

/* --- capturing --- */

CUresult cu_capture_add(CUstream s, struct cu_op *op)
{
    CUgraphNode n;
    struct cu_capture *c = s->capture;
    if (c->invalid) {
        cu_op_fini(op);
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    CUresult r = cu_graph_add(c->graph, s->deps, s->ndeps, op, &n);
    if (r == CUDA_SUCCESS) {
        set_deps(&s->deps, &s->ndeps, &n, 1);
    }
    return r;
}

static CUresult add_event_node(CUstream s, CUgraphNodeType type, CUevent e)
{
    struct cu_op op = {.type = type, .event = e};
    return cu_capture_add(s, &op);
}

CUresult cu_capture_record(CUstream s, CUevent e, unsigned flags)
{
    if (s->capture->invalid) {
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    if ((flags & CU_EVENT_RECORD_EXTERNAL) != 0) {
        return add_event_node(s, CU_GRAPH_NODE_TYPE_EVENT_RECORD, e);
    }
    s->capture->refs++;
    cu_event_uncapture(e);
    e->capture = s->capture;
    set_deps(&e->deps, &e->ndeps, s->deps, s->ndeps);
    return CUDA_SUCCESS;
}

static CUresult join(CUstream s, CUevent e)
{
    if (s->legacy) {
        cu_capture_invalidate(e->capture);
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (e->capture->ended) {
        return CUDA_ERROR_CAPTURED_EVENT;
    }
    s->capture = e->capture;
    s->capture->refs++;
    set_deps(&s->deps, &s->ndeps, e->deps, e->ndeps);
    return CUDA_SUCCESS;
}

CUresult cu_capture_wait(CUstream s, CUevent e, unsigned flags)
{
    if (s->capture == NULL) {
        return join(s, e);
    }
    if (s->capture->invalid) {
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    if ((flags & CU_EVENT_WAIT_EXTERNAL) != 0) {
        return add_event_node(s, CU_GRAPH_NODE_TYPE_WAIT_EVENT, e);
    }
    if (e->capture == NULL) {
        cu_capture_invalidate(s->capture);
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (e->capture != s->capture) {
        cu_capture_invalidate(s->capture);
        cu_capture_invalidate(e->capture);
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    cu_capture_add_deps(s, e->deps, e->ndeps);
    return CUDA_SUCCESS;
}

/* --- what must not be called meanwhile --- */

CUresult cu_capture_legacy(CUcontext ctx)
{
    CUresult r = CUDA_SUCCESS;
    CUstream s;
    LIST_FOREACH(s, &ctx->streams, link)
    {
        if (s->capture != NULL && (s->flags & CU_STREAM_NON_BLOCKING) == 0) {
            cu_capture_invalidate(s->capture);
            r = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        }
    }
    return r;
}

static bool forbids(const struct cu_capture *c)
{
    bool own = pthread_equal(c->thread, pthread_self());
    if (c->ended || c->mode == CU_STREAM_CAPTURE_MODE_RELAXED ||
        cu_thread.mode == CU_STREAM_CAPTURE_MODE_RELAXED) {
        return false;
    }
    return own || (c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                   cu_thread.mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cu_capture_unsafe(void)
{
    CUresult r = CUDA_SUCCESS;
    size_t at = 0;
    uint64_t key;
    void *value;
    while (cu_table_next(&cu_state.captures, &at, &key, &value)) {
        if (forbids(value)) {
            cu_capture_invalidate(value);
            r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
    }
    return r;
}

CUresult cu_capture_context(CUcontext ctx)
{
    CUresult r = CUDA_SUCCESS;
    CUstream s;
    LIST_FOREACH(s, &ctx->streams, link)
    {
        if (s->capture != NULL) {
            cu_capture_invalidate(s->capture);
            r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
    }
    return r;
}

CUresult cu_capture_stream(CUstream s)
{
    if (s->capture == NULL) {
        return s->legacy ? cu_capture_legacy(s->ctx) : CUDA_SUCCESS;
    }
    cu_capture_invalidate(s->capture);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}
