/* Work for a stream: checked, then done at once or turned into a graph node. */
#include <stdlib.h>

#include "cu_capture.h"
#include "cu_graph.h"
#include "lab/clock.h"

CUresult cu_op_check(CUcontext ctx, const struct cu_op *op)
{
    switch (op->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cu_launch_check(&op->launch);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return cu_copy_check(ctx, &op->copy);
    case CU_GRAPH_NODE_TYPE_MEMSET: return cu_set_check(ctx, &op->set);
    case CU_GRAPH_NODE_TYPE_HOST:
        return op->host.fn != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return cu_event_get(op->event);
    default: return CUDA_SUCCESS;
    }
}

static CUresult run_graph(CUcontext ctx, CUgraph g)
{
    CUgraphNode *order = cu_graph_order(g);
    if (order == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = cu_graph_run(ctx, g, order);
    free(order);
    return r;
}

CUresult cu_op_run(CUcontext ctx, const struct cu_op *op)
{
    switch (op->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cu_launch_run(ctx, &op->launch);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return cu_copy_run(ctx, &op->copy);
    case CU_GRAPH_NODE_TYPE_MEMSET: return cu_set_run(ctx, &op->set);
    case CU_GRAPH_NODE_TYPE_HOST:
        vgpu_flush_printf(ctx->dev->g);
        cu_call_host(op->host.fn, op->host.userData);
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH: return run_graph(ctx, op->child);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        if (cu_event_get(op->event) != CUDA_SUCCESS) {
            return CUDA_ERROR_INVALID_HANDLE;
        }
        cu_event_uncapture(op->event);
        op->event->recorded = true;
        op->event->time_ns = lab_now_ns();
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return cu_graph_memory_use(ctx, op->alloc.dptr, true);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return cu_graph_memory_use(ctx, op->free_at, false);
    default: return CUDA_SUCCESS;
    }
}

CUresult cu_op_copy(struct cu_op *to, const struct cu_op *from)
{
    *to = *from;
    switch (from->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cu_launch_copy(&to->launch, &from->launch);
    case CU_GRAPH_NODE_TYPE_GRAPH: return cu_graph_clone(from->child, &to->child);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: cu_graph_memory_ref(from->alloc.dptr); break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: cu_graph_memory_ref(from->free_at); break;
    default: break;
    }
    return CUDA_SUCCESS;
}

void cu_op_fini(struct cu_op *op)
{
    switch (op->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: cu_launch_fini(&op->launch); break;
    case CU_GRAPH_NODE_TYPE_GRAPH: cu_graph_free(op->child); break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: cu_graph_memory_unref(op->alloc.dptr); break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: cu_graph_memory_unref(op->free_at); break;
    default: break;
    }
    op->type = CU_GRAPH_NODE_TYPE_EMPTY;
}

/* The stream does not capture. */
static CUresult run_now(CUcontext ctx, CUstream s, const struct cu_op *op, bool sync)
{
    CUresult r = s->legacy ? cu_capture_legacy(ctx) : CUDA_SUCCESS;
    r = r == CUDA_SUCCESS ? cu_op_check(ctx, op) : r;
    if (r == CUDA_SUCCESS && ctx->latent == CUDA_SUCCESS) {
        r = cu_op_run(ctx, op);
    }
    if (r == CUDA_SUCCESS && sync) {
        r = cu_sync(ctx);
    }
    return r;
}

CUresult cu_submit(CUcontext ctx, CUstream h, struct cu_op *op, bool sync)
{
    CUstream s;
    CUresult r = cu_stream_get(ctx, h, &s);
    if (r == CUDA_SUCCESS && s->ctx != ctx) {
        r = CUDA_ERROR_INVALID_HANDLE;
    }
    if (r == CUDA_SUCCESS && s->capture == NULL) {
        r = run_now(ctx, s, op, sync);
    } else if (r == CUDA_SUCCESS && sync) {
        cu_capture_invalidate(s->capture);
        r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    } else if (r == CUDA_SUCCESS && (r = cu_op_check(ctx, op)) == CUDA_SUCCESS) {
        return cu_capture_add(s, op);
    }
    cu_op_fini(op);
    return r;
}
