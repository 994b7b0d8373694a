/* Nodes of graphs: making them, and asking and changing what they do. */
#include <string.h>

#include "cu_graph.h"

/* --- from the calls' structures to an op --- */

CUresult cu_op_kernel(CUcontext ctx, const CUDA_KERNEL_NODE_PARAMS *p, struct cu_op *op)
{
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cu_launch_args a = {{p->gridDimX, p->gridDimY, p->gridDimZ},
                               {p->blockDimX, p->blockDimY, p->blockDimZ},
                               p->sharedMemBytes,
                               p->kernelParams,
                               p->extra,
                               false};
    const void *func = p->func != NULL ? (const void *)p->func : (const void *)p->kern;
    CUresult r = cu_launch_make(p->ctx != NULL ? p->ctx : ctx, func, &a, op);
    if (r == CUDA_SUCCESS && (r = cu_launch_check(&op->launch)) != CUDA_SUCCESS) {
        cu_launch_fini(&op->launch);
    }
    return r;
}

CUresult cu_op_kernel_v1(CUcontext ctx, const CUDA_KERNEL_NODE_PARAMS_v1 *p, struct cu_op *op)
{
    CUDA_KERNEL_NODE_PARAMS all = {0};
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(&all, p, sizeof(*p));
    return cu_op_kernel(ctx, &all, op);
}

CUresult cu_op_memcpy(const CUDA_MEMCPY3D *p, struct cu_op *op)
{
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_MEMCPY, .copy = *p};
    return CUDA_SUCCESS;
}

CUresult cu_op_memset(const CUDA_MEMSET_NODE_PARAMS *p, struct cu_op *op)
{
    if (p == NULL || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_MEMSET, .set = *p};
    return CUDA_SUCCESS;
}

CUresult cu_op_host(const CUDA_HOST_NODE_PARAMS *p, struct cu_op *op)
{
    if (p == NULL || p->fn == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_HOST, .host = *p};
    return CUDA_SUCCESS;
}

CUresult cu_op_child(CUgraph child, struct cu_op *op)
{
    *op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_GRAPH};
    if (!cu_is(child, CU_KIND_GRAPH)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return cu_graph_clone(child, &op->child);
}

CUresult cu_op_event(CUgraphNodeType type, CUevent e, struct cu_op *op)
{
    *op = (struct cu_op){.type = type, .event = e};
    return cu_event_get(e) == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cu_op_alloc(CUcontext ctx, CUDA_MEM_ALLOC_NODE_PARAMS *p, struct cu_op *op)
{
    uint64_t at;
    if (p == NULL || p->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        p->poolProps.location.id != cu_device_number(ctx->dev)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = cu_graph_memory_new(ctx, p->bytesize, &at);
    if (r == CUDA_SUCCESS) {
        p->dptr = at;
        *op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = *p};
        op->alloc.accessDescs = NULL;
        op->alloc.accessDescCount = 0;
    }
    return r;
}

CUresult cu_op_free(CUdeviceptr at, struct cu_op *op)
{
    const struct cu_memory *m = cu_memory_at(at);
    if (m == NULL || m->kind != CU_MEMORY_GRAPH) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    cu_graph_memory_ref(at);
    *op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free_at = at};
    return CUDA_SUCCESS;
}

CUresult cu_op_generic(CUcontext ctx, CUgraphNodeParams *p, struct cu_op *op)
{
    if (p == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cu_op_kernel(ctx, &p->kernel, op);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return cu_op_memcpy(&p->memcpy.copyParams, op);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return cu_op_memset((const CUDA_MEMSET_NODE_PARAMS *)(const void *)&p->memset, op);
    case CU_GRAPH_NODE_TYPE_HOST: return cu_op_host(&p->host, op);
    case CU_GRAPH_NODE_TYPE_GRAPH: return cu_op_child(p->graph.graph, op);
    case CU_GRAPH_NODE_TYPE_EMPTY: *op = (struct cu_op){.type = p->type}; return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return cu_op_event(p->type, p->eventWait.event, op);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return cu_op_event(p->type, p->eventRecord.event, op);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return cu_op_alloc(ctx, &p->alloc, op);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return cu_op_free(p->free.dptr, op);
    default: return cu_not_supported("a graph node of an external semaphore, batch or condition");
    }
}

CUresult cu_node_of(CUgraphNode n, CUgraphNodeType type)
{
    return cu_is(n, CU_KIND_NODE) && n->op.type == type ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* --- adding --- */

struct place {
    CUgraphNode *out;
    CUgraph graph;
    const CUgraphNode *deps;
    size_t n;
};

/* `made`: how making the op went. */
static CUresult add(struct place p, CUresult made, struct cu_op *op)
{
    if (made != CUDA_SUCCESS) {
        return made;
    }
    if (p.out == NULL || !cu_is(p.graph, CU_KIND_GRAPH)) {
        cu_op_fini(op);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return cu_graph_add(p.graph, p.deps, p.n, op, p.out);
}

/* --- changing --- */

static CUresult replace(CUgraphNode n, CUresult made, struct cu_op *op)
{
    if (made != CUDA_SUCCESS) {
        return made;
    }
    if (!cu_is(n, CU_KIND_NODE)) {
        cu_op_fini(op);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (op->type == CU_GRAPH_NODE_TYPE_KERNEL && n->op.type == op->type) {
        op->launch.cooperative = n->op.launch.cooperative;
    }
    return cu_node_replace(n, op);
}

/* --- asking --- */

static CUresult get_kernel(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS *p)
{
    CUresult r = cu_node_of(n, CU_GRAPH_NODE_TYPE_KERNEL);
    if (r != CUDA_SUCCESS || p == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    const struct cu_launch *l = &n->op.launch;
    *p = (CUDA_KERNEL_NODE_PARAMS){
        .func = l->func,
        .gridDimX = l->grid.x,
        .gridDimY = l->grid.y,
        .gridDimZ = l->grid.z,
        .blockDimX = l->block.x,
        .blockDimY = l->block.y,
        .blockDimZ = l->block.z,
        .sharedMemBytes = l->shared,
        .kernelParams = l->args,
        .kern = l->kernel,
        .ctx = cu_is(l->func, CU_KIND_FUNCTION) ? l->func->module->ctx : NULL,
    };
    return CUDA_SUCCESS;
}

static CUresult get_kernel_v1(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS_v1 *p)
{
    CUDA_KERNEL_NODE_PARAMS all;
    CUresult r = p != NULL ? get_kernel(n, &all) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS) {
        memcpy(p, &all, sizeof(*p));
    }
    return r;
}

#define GET(type, field)                                                                           \
    (cu_node_of(n, type) != CUDA_SUCCESS || out == NULL ? CUDA_ERROR_INVALID_VALUE                 \
                                                        : (*out = n->op.field, CUDA_SUCCESS))

/* Of the attributes of a kernel node only the cooperative one means something here. */
static CUresult get_attribute(CUgraphNode n, CUkernelNodeAttrID id, CUkernelNodeAttrValue *out)
{
    CUresult r = cu_node_of(n, CU_GRAPH_NODE_TYPE_KERNEL);
    if (r != CUDA_SUCCESS || out == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    *out = (CUkernelNodeAttrValue){.pad = {0}};
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
        out->cooperative = n->op.launch.cooperative;
    }
    return CUDA_SUCCESS;
}

static CUresult set_attribute(CUgraphNode n, CUkernelNodeAttrID id,
                              const CUkernelNodeAttrValue *value)
{
    CUresult r = cu_node_of(n, CU_GRAPH_NODE_TYPE_KERNEL);
    if (r == CUDA_SUCCESS && id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
        n->op.launch.cooperative = value->cooperative != 0;
    }
    return r;
}

static CUresult copy_attributes(CUgraphNode to, CUgraphNode from)
{
    CUresult r = cu_node_of(to, CU_GRAPH_NODE_TYPE_KERNEL);
    r = r == CUDA_SUCCESS ? cu_node_of(from, CU_GRAPH_NODE_TYPE_KERNEL) : r;
    if (r == CUDA_SUCCESS) {
        to->op.launch.cooperative = from->op.launch.cooperative;
    }
    return r;
}

/* Calls that add a node, and calls that change one: `make` fills in op. */
#define NODE_CALL(name, params, done)                                                              \
    CU_EXPORT CUresult name params                                                                 \
    {                                                                                              \
        CUcontext ctx = NULL;                                                                      \
        struct cu_op op;                                                                           \
        CUresult r_ = cu_enter(CU_NEED_CONTEXT, &ctx);                                             \
        return r_ != CUDA_SUCCESS ? r_ : cu_leave(done);                                           \
    }                                                                                              \
    struct cu_core_h_semicolon

#define INTO      CUgraphNode *out, CUgraph g, const CUgraphNode *deps, size_t n
#define ADD(make) add((struct place){out, g, deps, n}, make, &op)
#define SET(make) replace(node, make, &op)

NODE_CALL(cuGraphAddKernelNode_v2, (INTO, const CUDA_KERNEL_NODE_PARAMS *p),
          ADD(cu_op_kernel(ctx, p, &op)));
NODE_CALL(cuGraphAddKernelNode, (INTO, const CUDA_KERNEL_NODE_PARAMS_v1 *p),
          ADD(cu_op_kernel_v1(ctx, p, &op)));
NODE_CALL(cuGraphAddMemcpyNode, (INTO, const CUDA_MEMCPY3D *p, CUcontext c),
          ((void)c, ADD(cu_op_memcpy(p, &op))));
NODE_CALL(cuGraphAddMemsetNode, (INTO, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext c),
          ((void)c, ADD(cu_op_memset(p, &op))));
NODE_CALL(cuGraphAddHostNode, (INTO, const CUDA_HOST_NODE_PARAMS *p), ADD(cu_op_host(p, &op)));
NODE_CALL(cuGraphAddEmptyNode, (INTO),
          ADD((op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_EMPTY}, CUDA_SUCCESS)));
NODE_CALL(cuGraphAddChildGraphNode, (INTO, CUgraph child), ADD(cu_op_child(child, &op)));
NODE_CALL(cuGraphAddEventRecordNode, (INTO, CUevent e),
          ADD(cu_op_event(CU_GRAPH_NODE_TYPE_EVENT_RECORD, e, &op)));
NODE_CALL(cuGraphAddEventWaitNode, (INTO, CUevent e),
          ADD(cu_op_event(CU_GRAPH_NODE_TYPE_WAIT_EVENT, e, &op)));
NODE_CALL(cuGraphAddMemAllocNode, (INTO, CUDA_MEM_ALLOC_NODE_PARAMS *p),
          ADD(cu_op_alloc(ctx, p, &op)));
NODE_CALL(cuGraphAddMemFreeNode, (INTO, CUdeviceptr at), ADD(cu_op_free(at, &op)));
NODE_CALL(cuGraphAddNode, (INTO, CUgraphNodeParams *p), ADD(cu_op_generic(ctx, p, &op)));
NODE_CALL(cuGraphAddNode_v2,
          (CUgraphNode * out, CUgraph g, const CUgraphNode *deps, const CUgraphEdgeData *edges,
           size_t n, CUgraphNodeParams *p),
          ((void)edges, ADD(cu_op_generic(ctx, p, &op))));

NODE_CALL(cuGraphKernelNodeSetParams_v2, (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p),
          SET(cu_op_kernel(ctx, p, &op)));
NODE_CALL(cuGraphKernelNodeSetParams, (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *p),
          SET(cu_op_kernel_v1(ctx, p, &op)));
NODE_CALL(cuGraphMemcpyNodeSetParams, (CUgraphNode node, const CUDA_MEMCPY3D *p),
          SET(cu_op_memcpy(p, &op)));
NODE_CALL(cuGraphMemsetNodeSetParams, (CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p),
          SET(cu_op_memset(p, &op)));
NODE_CALL(cuGraphHostNodeSetParams, (CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p),
          SET(cu_op_host(p, &op)));
NODE_CALL(cuGraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent e),
          SET(cu_op_event(CU_GRAPH_NODE_TYPE_EVENT_RECORD, e, &op)));
NODE_CALL(cuGraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent e),
          SET(cu_op_event(CU_GRAPH_NODE_TYPE_WAIT_EVENT, e, &op)));
NODE_CALL(cuGraphNodeSetParams, (CUgraphNode node, CUgraphNodeParams *p),
          SET(cu_op_generic(ctx, p, &op)));

CU_API(cuGraphKernelNodeGetParams_v2, (CUgraphNode n, CUDA_KERNEL_NODE_PARAMS *out),
       CU_NEED_CONTEXT, get_kernel(n, out));
CU_API(cuGraphKernelNodeGetParams, (CUgraphNode n, CUDA_KERNEL_NODE_PARAMS_v1 *out),
       CU_NEED_CONTEXT, get_kernel_v1(n, out));
CU_API(cuGraphMemcpyNodeGetParams, (CUgraphNode n, CUDA_MEMCPY3D *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_MEMCPY, copy));
CU_API(cuGraphMemsetNodeGetParams, (CUgraphNode n, CUDA_MEMSET_NODE_PARAMS *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_MEMSET, set));
CU_API(cuGraphHostNodeGetParams, (CUgraphNode n, CUDA_HOST_NODE_PARAMS *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_HOST, host));
CU_API(cuGraphChildGraphNodeGetGraph, (CUgraphNode n, CUgraph *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_GRAPH, child));
CU_API(cuGraphEventRecordNodeGetEvent, (CUgraphNode n, CUevent *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
CU_API(cuGraphEventWaitNodeGetEvent, (CUgraphNode n, CUevent *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
CU_API(cuGraphMemAllocNodeGetParams, (CUgraphNode n, CUDA_MEM_ALLOC_NODE_PARAMS *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_MEM_ALLOC, alloc));
CU_API(cuGraphMemFreeNodeGetParams, (CUgraphNode n, CUdeviceptr *out), CU_NEED_INIT,
       GET(CU_GRAPH_NODE_TYPE_MEM_FREE, free_at));
CU_API(cuGraphKernelNodeGetAttribute,
       (CUgraphNode n, CUkernelNodeAttrID id, CUkernelNodeAttrValue *out), CU_NEED_INIT,
       get_attribute(n, id, out));
CU_API(cuGraphKernelNodeSetAttribute,
       (CUgraphNode n, CUkernelNodeAttrID id, const CUkernelNodeAttrValue *value), CU_NEED_INIT,
       set_attribute(n, id, value));
CU_API(cuGraphKernelNodeCopyAttributes, (CUgraphNode to, CUgraphNode from), CU_NEED_INIT,
       copy_attributes(to, from));
