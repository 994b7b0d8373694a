/* Instantiated graphs.
 *
 * Model: an instantiated graph is a clone of the graph and a topological order of the clone, so
 * that later changes of the graph do not reach it. Launching it does the nodes' work in that order;
 * a launch into a capturing stream becomes a child graph node.
 *
 * Simplified: launches of one graph cannot overlap, so uploading has nothing to do. Device-side
 * launches are not provided.
 */
#include <stdlib.h>

#include "cu_capture.h"
#include "cu_graph.h"

static bool is_exec(CUgraphExec e)
{
    return cu_is(e, CU_KIND_EXEC);
}

static CUresult instantiate(CUcontext ctx, CUgraphExec *out, CUgraph g, unsigned long long flags)
{
    unsigned long long known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                               CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                               CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    CUgraph copy;
    if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) {
        return cu_not_supported("launching a graph from the device");
    }
    if (out == NULL || !cu_is(g, CU_KIND_GRAPH) || (flags & ~known) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = cu_graph_clone(g, &copy);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    CUgraphNode *order = cu_graph_order(copy);
    if (order == NULL) {
        cu_graph_free(copy);
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = lab_alloc(1, sizeof(**out));
    **out = (struct CUgraphExec_st){copy, order, flags, ctx};
    cu_handle_add(*out, CU_KIND_EXEC);
    return CUDA_SUCCESS;
}

static CUresult instantiate_logged(CUcontext ctx, CUgraphExec *out, CUgraph g, CUgraphNode *node,
                                   struct lab_buf log)
{
    if (node != NULL) {
        *node = NULL;
    }
    if (log.data != NULL && log.cap > 0) {
        log.data[0] = '\0';
    }
    return instantiate(ctx, out, g, 0);
}

static CUresult instantiate_with(CUcontext ctx, CUgraphExec *out, CUgraph g,
                                 CUDA_GRAPH_INSTANTIATE_PARAMS *p)
{
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = instantiate(ctx, out, g, p->flags);
    p->hErrNode_out = NULL;
    p->result_out =
        r == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
    return r;
}

void cu_exec_free(CUgraphExec e)
{
    cu_handle_drop(e);
    cu_graph_free(e->graph);
    free(e->order);
    free(e);
}

static CUresult destroy(CUgraphExec e)
{
    if (!is_exec(e)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    cu_exec_free(e);
    return CUDA_SUCCESS;
}

/* --- launching --- */

/* Memory that an earlier launch allocated and nobody freed: freed now, or in the way. */
static CUresult check_memory(CUcontext ctx, CUgraphExec e)
{
    bool auto_free = (e->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
    for (size_t k = 0; k < e->graph->nnodes; k++) {
        const struct cu_op *op = &e->graph->nodes[k]->op;
        struct cu_memory *m =
            op->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ? cu_memory_at(op->alloc.dptr) : NULL;
        if (m == NULL || !m->in_use) {
            continue;
        }
        if (!auto_free) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        cu_graph_memory_use(ctx, m->at, false);
    }
    return CUDA_SUCCESS;
}

static CUresult launch_into(CUstream s, CUgraphExec e)
{
    struct cu_op op = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    CUresult r = cu_graph_clone(e->graph, &op.child);
    return r == CUDA_SUCCESS ? cu_capture_add(s, &op) : r;
}

static CUresult launch(CUcontext ctx, CUgraphExec e, CUstream h)
{
    CUstream s;
    CUresult r = is_exec(e) ? cu_stream_get(ctx, h, &s) : CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS) {
        return r;
    }
    if (s->capture != NULL) {
        return launch_into(s, e);
    }
    r = s->legacy ? cu_capture_legacy(ctx) : CUDA_SUCCESS;
    if (r != CUDA_SUCCESS || ctx->latent != CUDA_SUCCESS) {
        return r;
    }
    r = check_memory(ctx, e);
    return r == CUDA_SUCCESS ? cu_graph_run(ctx, e->graph, e->order) : r;
}

static CUresult upload(CUcontext ctx, CUgraphExec e, CUstream h)
{
    CUstream s;
    return is_exec(e) ? cu_stream_get(ctx, h, &s) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult get_flags(CUgraphExec e, cuuint64_t *out)
{
    if (!is_exec(e) || out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = e->flags;
    return CUDA_SUCCESS;
}

/* --- changing --- */

/* The clone's node of a node of the graph that was instantiated. */
static CUgraphNode node_in(CUgraphExec e, CUgraphNode n)
{
    return is_exec(e) && cu_is(n, CU_KIND_NODE) ? cu_graph_find(e->graph, n) : NULL;
}

static CUresult set(CUgraphExec e, CUgraphNode original, CUresult made, struct cu_op *op)
{
    CUgraphNode n = node_in(e, original);
    if (made != CUDA_SUCCESS) {
        return made;
    }
    if (n == NULL) {
        cu_op_fini(op);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (op->type == CU_GRAPH_NODE_TYPE_KERNEL && n->op.type == op->type) {
        op->launch.cooperative = n->op.launch.cooperative;
    }
    return cu_node_replace(n, op);
}

static bool can_disable(CUgraphNode n)
{
    return n->op.type == CU_GRAPH_NODE_TYPE_KERNEL || n->op.type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           n->op.type == CU_GRAPH_NODE_TYPE_MEMSET;
}

static CUresult get_enabled(CUgraphExec e, CUgraphNode original, unsigned *out)
{
    CUgraphNode n = node_in(e, original);
    if (n == NULL || out == NULL || !can_disable(n)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = !n->disabled;
    return CUDA_SUCCESS;
}

static CUresult set_enabled(CUgraphExec e, CUgraphNode original, unsigned on)
{
    CUgraphNode n = node_in(e, original);
    if (n == NULL || !can_disable(n)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    n->disabled = on == 0;
    return CUDA_SUCCESS;
}

/* --- update from another graph --- */

/* Why node `b` cannot take the place of `a`. */
static CUgraphExecUpdateResult compare(CUgraphNode a, CUgraphNode b)
{
    if (a->op.type != b->op.type) {
        return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    }
    if (a->ndeps != b->ndeps) {
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    }
    for (size_t d = 0; d < a->ndeps; d++) {
        if (a->deps[d]->index != b->deps[d]->index) {
            return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        }
    }
    bool alloc =
        a->op.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || a->op.type == CU_GRAPH_NODE_TYPE_MEM_FREE;
    return alloc ? CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED : CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static CUgraphExecUpdateResultInfo check_update(CUgraph old, CUgraph new)
{
    CUgraphExecUpdateResultInfo info = {CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL, NULL};
    if (old->nnodes != new->nnodes) {
        info.result = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        return info;
    }
    for (size_t k = 0; k < old->nnodes; k++) {
        old->nodes[k]->index = new->nodes[k]->index = k;
    }
    for (size_t k = 0; k < old->nnodes && info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS; k++) {
        info.result = compare(old->nodes[k], new->nodes[k]);
        info.errorNode = info.result != CU_GRAPH_EXEC_UPDATE_SUCCESS ? new->nodes[k] : NULL;
    }
    return info;
}

static CUresult update(CUgraphExec e, CUgraph g, CUgraphExecUpdateResultInfo *out)
{
    if (!is_exec(e) || !cu_is(g, CU_KIND_GRAPH) || out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = check_update(e->graph, g);
    if (out->result != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    }
    for (size_t k = 0; k < g->nnodes; k++) {
        struct cu_op op;
        CUresult r = cu_op_copy(&op, &g->nodes[k]->op);
        r = r == CUDA_SUCCESS ? cu_node_replace(e->graph->nodes[k], &op) : r;
        if (r != CUDA_SUCCESS) {
            out->result = CU_GRAPH_EXEC_UPDATE_ERROR;
            return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
        }
    }
    return CUDA_SUCCESS;
}

/* --- the calls --- */

CU_API(cuGraphInstantiateWithFlags, (CUgraphExec * out, CUgraph g, unsigned long long flags),
       CU_NEED_CONTEXT, instantiate(ctx, out, g, flags));
CU_API(cuGraphInstantiate_v2,
       (CUgraphExec * out, CUgraph g, CUgraphNode *node, char *log, size_t bytes), CU_NEED_CONTEXT,
       instantiate_logged(ctx, out, g, node, (struct lab_buf){log, 0, bytes}));
CU_ALSO(cuGraphInstantiate, cuGraphInstantiate_v2);
CU_API(cuGraphInstantiateWithParams,
       (CUgraphExec * out, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *p), CU_NEED_CONTEXT,
       instantiate_with(ctx, out, g, p));
CU_ALSO(cuGraphInstantiateWithParams_ptsz, cuGraphInstantiateWithParams);
CU_API(cuGraphExecDestroy, (CUgraphExec e), CU_NEED_INIT, destroy(e));
CU_API(cuGraphLaunch, (CUgraphExec e, CUstream s), CU_NEED_CONTEXT, launch(ctx, e, s));
CU_PER_THREAD(cuGraphLaunch, (CUgraphExec e, CUstream s), (e, CU_PT(s)));
CU_API(cuGraphUpload, (CUgraphExec e, CUstream s), CU_NEED_CONTEXT, upload(ctx, e, s));
CU_PER_THREAD(cuGraphUpload, (CUgraphExec e, CUstream s), (e, CU_PT(s)));
CU_API(cuGraphExecGetFlags, (CUgraphExec e, cuuint64_t *out), CU_NEED_INIT, get_flags(e, out));
CU_API(cuGraphNodeGetEnabled, (CUgraphExec e, CUgraphNode n, unsigned *out), CU_NEED_INIT,
       get_enabled(e, n, out));
CU_API(cuGraphNodeSetEnabled, (CUgraphExec e, CUgraphNode n, unsigned on), CU_NEED_INIT,
       set_enabled(e, n, on));
CU_API(cuGraphExecUpdate_v2, (CUgraphExec e, CUgraph g, CUgraphExecUpdateResultInfo *out),
       CU_NEED_CONTEXT, update(e, g, out));

/* A call that changes a node of an instantiated graph: `make` fills in op. */
#define SET_CALL(name, params, make)                                                               \
    CU_EXPORT CUresult name params                                                                 \
    {                                                                                              \
        CUcontext ctx = NULL;                                                                      \
        struct cu_op op;                                                                           \
        CUresult r_ = cu_enter(CU_NEED_CONTEXT, &ctx);                                             \
        return r_ != CUDA_SUCCESS ? r_ : cu_leave(set(e, n, make, &op));                           \
    }                                                                                              \
    struct cu_core_h_semicolon

SET_CALL(cuGraphExecKernelNodeSetParams_v2,
         (CUgraphExec e, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p),
         cu_op_kernel(ctx, p, &op));
SET_CALL(cuGraphExecKernelNodeSetParams,
         (CUgraphExec e, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS_v1 *p),
         cu_op_kernel_v1(ctx, p, &op));
SET_CALL(cuGraphExecMemcpyNodeSetParams,
         (CUgraphExec e, CUgraphNode n, const CUDA_MEMCPY3D *p, CUcontext c),
         ((void)c, cu_op_memcpy(p, &op)));
SET_CALL(cuGraphExecMemsetNodeSetParams,
         (CUgraphExec e, CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext c),
         ((void)c, cu_op_memset(p, &op)));
SET_CALL(cuGraphExecHostNodeSetParams,
         (CUgraphExec e, CUgraphNode n, const CUDA_HOST_NODE_PARAMS *p), cu_op_host(p, &op));
SET_CALL(cuGraphExecChildGraphNodeSetParams, (CUgraphExec e, CUgraphNode n, CUgraph child),
         cu_op_child(child, &op));
SET_CALL(cuGraphExecEventRecordNodeSetEvent, (CUgraphExec e, CUgraphNode n, CUevent event),
         cu_op_event(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, &op));
SET_CALL(cuGraphExecEventWaitNodeSetEvent, (CUgraphExec e, CUgraphNode n, CUevent event),
         cu_op_event(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, &op));
SET_CALL(cuGraphExecNodeSetParams, (CUgraphExec e, CUgraphNode n, CUgraphNodeParams *p),
         cu_op_generic(ctx, p, &op));
