/* The calls that begin, look at and end a capture. */
#include <stdlib.h>

#include "cu_capture.h"
#include "cu_graph.h"

static CUresult begin(CUcontext ctx, CUstream h, CUgraph g, CUstreamCaptureMode mode, CUstream *out)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || (unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (s->legacy) {
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (s->capture != NULL) {
        return CUDA_ERROR_ILLEGAL_STATE;
    }
    struct cu_capture *c = lab_alloc(1, sizeof(*c));
    c->own_graph = g == NULL;
    c->graph = g != NULL ? g : cu_graph_new(s->ctx);
    c->first = c->graph->nnodes;
    c->origin = s;
    c->mode = mode;
    c->thread = pthread_self();
    c->id = ++cu_state.ids;
    c->refs = 1;
    s->capture = c;
    cu_table_put(&cu_state.captures, (uintptr_t)c, c);
    *out = s;
    return CUDA_SUCCESS;
}

static CUresult begin_new(CUcontext ctx, CUstream h, CUstreamCaptureMode mode)
{
    CUstream s;
    return begin(ctx, h, NULL, mode, &s);
}

struct dependencies {
    const CUgraphNode *nodes;
    size_t n;
};

static CUresult are_nodes_of(CUgraph g, struct dependencies d)
{
    for (size_t k = 0; k < d.n; k++) {
        if (d.nodes == NULL || !cu_is(d.nodes[k], CU_KIND_NODE) || d.nodes[k]->graph != g) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

static CUresult begin_in(CUcontext ctx, CUstream h, CUgraph g, struct dependencies d,
                         CUstreamCaptureMode mode)
{
    CUstream s;
    CUresult r = cu_is(g, CU_KIND_GRAPH) ? are_nodes_of(g, d) : CUDA_ERROR_INVALID_VALUE;
    r = r == CUDA_SUCCESS ? begin(ctx, h, g, mode, &s) : r;
    if (r == CUDA_SUCCESS) {
        cu_capture_set_deps(s, d.nodes, d.n);
    }
    return r;
}

/* Did every stream that joined come back to the origin? Then each last node is the origin's. */
static bool is_joined(const struct cu_capture *c)
{
    for (size_t k = c->first; k < c->graph->nnodes; k++) {
        CUgraphNode n = c->graph->nodes[k];
        bool seen = !cu_node_is_leaf(n);
        for (size_t d = 0; !seen && d < c->origin->ndeps; d++) {
            seen = c->origin->deps[d] == n;
        }
        if (!seen) {
            return false;
        }
    }
    return true;
}

static void leave_all(struct cu_capture *c)
{
    CUcontext ctx;
    CUstream s;
    c->refs++;
    LIST_FOREACH(ctx, &cu_state.contexts, link)
    {
        if (!ctx->alive) {
            continue;
        }
        LIST_FOREACH(s, &ctx->streams, link)
        {
            if (s->capture == c) {
                cu_capture_leave(s);
            }
        }
    }
    cu_capture_unref(c);
}

static CUresult end(CUcontext ctx, CUstream h, CUgraph *out)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || out == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    struct cu_capture *c = s->capture;
    *out = NULL;
    if (c == NULL) {
        return CUDA_ERROR_ILLEGAL_STATE;
    }
    if (c->origin != s) {
        cu_capture_invalidate(c);
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(c->thread, pthread_self())) {
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    }
    r = c->invalid      ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
        : !is_joined(c) ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
                        : CUDA_SUCCESS;
    if (r == CUDA_SUCCESS) {
        *out = c->graph;
    } else if (c->own_graph) {
        cu_graph_free(c->graph);
    }
    c->ended = true;
    leave_all(c);
    return r;
}

static CUstreamCaptureStatus status_of(CUstream s)
{
    return s->capture == NULL    ? CU_STREAM_CAPTURE_STATUS_NONE
           : s->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                 : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

static CUresult is_capturing(CUcontext ctx, CUstream h, CUstreamCaptureStatus *out)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    r = r == CUDA_SUCCESS && s->legacy ? cu_capture_legacy(ctx) : r;
    if (r == CUDA_SUCCESS && out == NULL) {
        r = CUDA_ERROR_INVALID_VALUE;
    }
    if (r == CUDA_SUCCESS) {
        *out = status_of(s);
    }
    return r;
}

struct capture_info {
    CUstreamCaptureStatus *status;
    cuuint64_t *id;
    CUgraph *graph;
    const CUgraphNode **deps;
    size_t *ndeps;
};

static CUresult info(CUcontext ctx, CUstream h, struct capture_info i)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || i.status == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    *i.status = status_of(s);
    if (*i.status != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        return CUDA_SUCCESS;
    }
    if (i.id != NULL) {
        *i.id = s->capture->id;
    }
    if (i.graph != NULL) {
        *i.graph = s->capture->graph;
    }
    if (i.deps != NULL) {
        *i.deps = s->deps;
    }
    if (i.ndeps != NULL) {
        *i.ndeps = s->ndeps;
    }
    return CUDA_SUCCESS;
}

static CUresult info_with_edges(CUcontext ctx, CUstream h, struct capture_info i,
                                const CUgraphEdgeData **edges)
{
    if (edges != NULL) {
        *edges = NULL;
    }
    return info(ctx, h, i);
}

static CUresult update(CUcontext ctx, CUstream h, struct dependencies d, unsigned flags)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r != CUDA_SUCCESS || flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    if (status_of(s) != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        return CUDA_ERROR_ILLEGAL_STATE;
    }
    r = are_nodes_of(s->capture->graph, d);
    if (r == CUDA_SUCCESS && flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) {
        cu_capture_set_deps(s, d.nodes, d.n);
    } else if (r == CUDA_SUCCESS) {
        cu_capture_add_deps(s, d.nodes, d.n);
    }
    return r;
}

static CUresult exchange(CUstreamCaptureMode *mode)
{
    if (mode == NULL || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUstreamCaptureMode old = cu_thread.mode;
    cu_thread.mode = *mode;
    *mode = old;
    return CUDA_SUCCESS;
}

#define DEPS                                                                                       \
    (struct dependencies)                                                                          \
    {                                                                                              \
        deps, n                                                                                    \
    }
#define INFO                                                                                       \
    (struct capture_info)                                                                          \
    {                                                                                              \
        status, id, graph, deps, n                                                                 \
    }

CU_API(cuStreamBeginCapture_v2, (CUstream s, CUstreamCaptureMode mode), CU_NEED_CONTEXT,
       begin_new(ctx, s, mode));
CU_PER_THREAD(cuStreamBeginCapture_v2, (CUstream s, CUstreamCaptureMode mode), (CU_PT(s), mode));
CU_API(cuStreamBeginCaptureToGraph,
       (CUstream s, CUgraph g, const CUgraphNode *deps, const CUgraphEdgeData *edges, size_t n,
        CUstreamCaptureMode mode),
       CU_NEED_CONTEXT, ((void)edges, begin_in(ctx, s, g, DEPS, mode)));
CU_PER_THREAD(cuStreamBeginCaptureToGraph,
              (CUstream s, CUgraph g, const CUgraphNode *deps, const CUgraphEdgeData *edges,
               size_t n, CUstreamCaptureMode mode),
              (CU_PT(s), g, deps, edges, n, mode));
CU_API(cuStreamEndCapture, (CUstream s, CUgraph *out), CU_NEED_CONTEXT, end(ctx, s, out));
CU_PER_THREAD(cuStreamEndCapture, (CUstream s, CUgraph *out), (CU_PT(s), out));
CU_API(cuStreamIsCapturing, (CUstream s, CUstreamCaptureStatus *out), CU_NEED_CONTEXT,
       is_capturing(ctx, s, out));
CU_PER_THREAD(cuStreamIsCapturing, (CUstream s, CUstreamCaptureStatus *out), (CU_PT(s), out));
CU_API(cuStreamGetCaptureInfo_v2,
       (CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
        const CUgraphNode **deps, size_t *n),
       CU_NEED_CONTEXT, info(ctx, s, INFO));
CU_PER_THREAD(cuStreamGetCaptureInfo_v2,
              (CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
               const CUgraphNode **deps, size_t *n),
              (CU_PT(s), status, id, graph, deps, n));
CU_API(cuStreamGetCaptureInfo_v3,
       (CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
        const CUgraphNode **deps, const CUgraphEdgeData **edges, size_t *n),
       CU_NEED_CONTEXT, info_with_edges(ctx, s, INFO, edges));
CU_PER_THREAD(cuStreamGetCaptureInfo_v3,
              (CUstream s, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
               const CUgraphNode **deps, const CUgraphEdgeData **edges, size_t *n),
              (CU_PT(s), status, id, graph, deps, edges, n));
CU_API(cuStreamUpdateCaptureDependencies, (CUstream s, CUgraphNode *deps, size_t n, unsigned flags),
       CU_NEED_CONTEXT, update(ctx, s, DEPS, flags));
CU_PER_THREAD(cuStreamUpdateCaptureDependencies,
              (CUstream s, CUgraphNode *deps, size_t n, unsigned flags),
              (CU_PT(s), deps, n, flags));
CU_API(cuStreamUpdateCaptureDependencies_v2,
       (CUstream s, CUgraphNode *deps, const CUgraphEdgeData *edges, size_t n, unsigned flags),
       CU_NEED_CONTEXT, ((void)edges, update(ctx, s, DEPS, flags)));
CU_PER_THREAD(cuStreamUpdateCaptureDependencies_v2,
              (CUstream s, CUgraphNode *deps, const CUgraphEdgeData *edges, size_t n,
               unsigned flags),
              (CU_PT(s), deps, edges, n, flags));
CU_API(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode * mode), CU_NEED_INIT,
       exchange(mode));
