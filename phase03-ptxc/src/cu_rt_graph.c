/* Graphs of the runtime API: the structures of nodes are turned into the driver's and back. */
#include <string.h>

#include "cu_rt.h"

#define ADDRESS(p) ((CUdeviceptr)(uintptr_t)(p))

/* --- structures that differ --- */

static cudaError_t kernel_params(const struct cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *out)
{
    CUkernel k;
    CUcontext ctx = NULL;
    cudaError_t e = p != NULL ? rt_kernel(p->func, &k) : cudaErrorInvalidValue;
    if (e != cudaSuccess) {
        return e;
    }
    cuCtxGetCurrent(&ctx);
    *out = (CUDA_KERNEL_NODE_PARAMS){
        .gridDimX = p->gridDim.x,
        .gridDimY = p->gridDim.y,
        .gridDimZ = p->gridDim.z,
        .blockDimX = p->blockDim.x,
        .blockDimY = p->blockDim.y,
        .blockDimZ = p->blockDim.z,
        .sharedMemBytes = p->sharedMemBytes,
        .kernelParams = p->kernelParams,
        .extra = p->extra,
        .kern = k,
        .ctx = ctx,
    };
    return cudaSuccess;
}

static CUresult get_kernel_params(CUgraphNode n, struct cudaKernelNodeParams *out)
{
    CUDA_KERNEL_NODE_PARAMS p;
    CUresult r = out != NULL ? cuGraphKernelNodeGetParams_v2(n, &p) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS) {
        *out = (struct cudaKernelNodeParams){
            .func = p.kern != NULL ? rt_host_function(p.kern) : (void *)p.func,
            .gridDim = {p.gridDimX, p.gridDimY, p.gridDimZ},
            .blockDim = {p.blockDimX, p.blockDimY, p.blockDimZ},
            .sharedMemBytes = p.sharedMemBytes,
            .kernelParams = p.kernelParams,
            .extra = p.extra,
        };
    }
    return r;
}

static enum cudaMemcpyKind kind_of(const CUDA_MEMCPY3D *c)
{
    if (c->srcMemoryType == CU_MEMORYTYPE_UNIFIED || c->dstMemoryType == CU_MEMORYTYPE_UNIFIED) {
        return cudaMemcpyDefault;
    }
    bool from_host = c->srcMemoryType == CU_MEMORYTYPE_HOST;
    bool to_host = c->dstMemoryType == CU_MEMORYTYPE_HOST;
    return from_host ? to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice
           : to_host ? cudaMemcpyDeviceToHost
                     : cudaMemcpyDeviceToDevice;
}

static void copy_back(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *out)
{
    bool from_host = c->srcMemoryType == CU_MEMORYTYPE_HOST;
    bool to_host = c->dstMemoryType == CU_MEMORYTYPE_HOST;
    void *from = from_host ? (void *)(uintptr_t)c->srcHost : (void *)(uintptr_t)c->srcDevice;
    void *to = to_host ? c->dstHost : (void *)(uintptr_t)c->dstDevice;
    *out = (struct cudaMemcpy3DParms){
        .srcPos = {c->srcXInBytes, c->srcY, c->srcZ},
        .srcPtr = {from, c->srcPitch, c->WidthInBytes, c->srcHeight},
        .dstPos = {c->dstXInBytes, c->dstY, c->dstZ},
        .dstPtr = {to, c->dstPitch, c->WidthInBytes, c->dstHeight},
        .extent = {c->WidthInBytes, c->Height, c->Depth},
        .kind = kind_of(c),
    };
}

static CUresult get_copy(CUgraphNode n, struct cudaMemcpy3DParms *out)
{
    CUDA_MEMCPY3D c;
    CUresult r = out != NULL ? cuGraphMemcpyNodeGetParams(n, &c) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS) {
        copy_back(&c, out);
    }
    return r;
}

/* --- nodes --- */

struct place {
    cudaGraphNode_t *out;
    cudaGraph_t graph;
    const cudaGraphNode_t *deps;
    size_t n;
};

static cudaError_t add_kernel(struct place w, const struct cudaKernelNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;
    cudaError_t e = kernel_params(p, &k);
    return e != cudaSuccess ? e
                            : (cudaError_t)cuGraphAddKernelNode_v2(w.out, w.graph, w.deps, w.n, &k);
}

/* What a call made of a copy, and what is to be done with it. */
static cudaError_t add_copy(struct place w, cudaError_t made, const CUDA_MEMCPY3D *c)
{
    return made != cudaSuccess
               ? made
               : (cudaError_t)cuGraphAddMemcpyNode(w.out, w.graph, w.deps, w.n, c, NULL);
}

static cudaError_t set_copy(cudaGraphNode_t n, cudaError_t made, const CUDA_MEMCPY3D *c)
{
    return made != cudaSuccess ? made : (cudaError_t)cuGraphMemcpyNodeSetParams(n, c);
}

static cudaError_t exec_copy(cudaGraphExec_t e, cudaGraphNode_t n, cudaError_t made,
                             const CUDA_MEMCPY3D *c)
{
    return made != cudaSuccess ? made : (cudaError_t)cuGraphExecMemcpyNodeSetParams(e, n, c, NULL);
}

/* A copy to or from a part of a variable. */
static cudaError_t symbol_copy(const void *symbol, size_t offset, struct rt_copy c,
                               CUDA_MEMCPY3D *out)
{
    CUdeviceptr at;
    size_t bytes;
    cudaError_t e = rt_symbol(symbol, &at, &bytes);
    if (e == cudaSuccess && (offset > bytes || c.bytes > bytes - offset)) {
        e = cudaErrorInvalidValue;
    }
    void *part = e == cudaSuccess ? (void *)(uintptr_t)(at + offset) : NULL;
    c.to = c.to == NULL ? part : c.to;
    c.from = c.from == NULL ? part : c.from;
    return e == cudaSuccess ? rt_copy1d(c, out) : e;
}

static cudaError_t set_kernel(cudaGraphNode_t n, const struct cudaKernelNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;
    cudaError_t e = kernel_params(p, &k);
    return e == cudaSuccess ? (cudaError_t)cuGraphKernelNodeSetParams_v2(n, &k) : e;
}

static cudaError_t exec_kernel(cudaGraphExec_t exec, cudaGraphNode_t n,
                               const struct cudaKernelNodeParams *p)
{
    CUDA_KERNEL_NODE_PARAMS k;
    cudaError_t e = kernel_params(p, &k);
    return e == cudaSuccess ? (cudaError_t)cuGraphExecKernelNodeSetParams_v2(exec, n, &k) : e;
}

/* The generic structure: kernel and copy differ from the driver's, the others are the same bytes.
 */
static cudaError_t generic(const struct cudaGraphNodeParams *p, CUgraphNodeParams *out)
{
    if (p == NULL) {
        return cudaErrorInvalidValue;
    }
    _Static_assert(sizeof(*p) == sizeof(*out), "one structure");
    memcpy(out, p, sizeof(*out));
    if (p->type == cudaGraphNodeTypeKernel) {
        return kernel_params(&p->kernel, &out->kernel);
    }
    if (p->type == cudaGraphNodeTypeMemcpy) {
        memset(&out->memcpy, 0, sizeof(out->memcpy));
        return rt_copy3d(&p->memcpy.copyParams, &out->memcpy.copyParams);
    }
    if (p->type == cudaGraphNodeTypeMemset) {
        out->memset.ctx = NULL;
    }
    return cudaSuccess;
}

static cudaError_t add_generic(struct place w, struct cudaGraphNodeParams *p)
{
    CUgraphNodeParams g;
    cudaError_t e = generic(p, &g);
    if (e == cudaSuccess) {
        e = (cudaError_t)cuGraphAddNode_v2(w.out, w.graph, w.deps, NULL, w.n, &g);
    }
    if (e == cudaSuccess && p->type == cudaGraphNodeTypeMemAlloc) {
        p->alloc.dptr = (void *)(uintptr_t)g.alloc.dptr;
    }
    return e;
}

static cudaError_t set_generic(cudaGraphExec_t exec, cudaGraphNode_t n,
                               const struct cudaGraphNodeParams *p)
{
    CUgraphNodeParams g;
    cudaError_t e = generic(p, &g);
    if (e != cudaSuccess) {
        return e;
    }
    return (cudaError_t)(exec != NULL ? cuGraphExecNodeSetParams(exec, n, &g)
                                      : cuGraphNodeSetParams(n, &g));
}

#define INTO cudaGraphNode_t *out, cudaGraph_t g, const cudaGraphNode_t *deps, size_t n
#define PLACE                                                                                      \
    (struct place)                                                                                 \
    {                                                                                              \
        out, g, deps, n                                                                            \
    }
#define SAME(type, p) ((type *)(void *)(uintptr_t)(p)) /* a structure of the same bytes */

RT_API(cudaGraphAddKernelNode, (INTO, const struct cudaKernelNodeParams *p), add_kernel(PLACE, p));
RT_API(cudaGraphAddMemsetNode, (INTO, const struct cudaMemsetParams *p),
       cuGraphAddMemsetNode(out, g, deps, n, SAME(CUDA_MEMSET_NODE_PARAMS, p), NULL));
RT_API(cudaGraphAddHostNode, (INTO, const struct cudaHostNodeParams *p),
       cuGraphAddHostNode(out, g, deps, n, SAME(CUDA_HOST_NODE_PARAMS, p)));
RT_API(cudaGraphAddEmptyNode, (INTO), cuGraphAddEmptyNode(out, g, deps, n));
RT_API(cudaGraphAddChildGraphNode, (INTO, cudaGraph_t child),
       cuGraphAddChildGraphNode(out, g, deps, n, child));
RT_API(cudaGraphAddEventRecordNode, (INTO, cudaEvent_t e),
       cuGraphAddEventRecordNode(out, g, deps, n, e));
RT_API(cudaGraphAddEventWaitNode, (INTO, cudaEvent_t e),
       cuGraphAddEventWaitNode(out, g, deps, n, e));
RT_API(cudaGraphAddMemAllocNode, (INTO, struct cudaMemAllocNodeParams *p),
       cuGraphAddMemAllocNode(out, g, deps, n, SAME(CUDA_MEM_ALLOC_NODE_PARAMS, p)));
RT_API(cudaGraphAddMemFreeNode, (INTO, void *p),
       cuGraphAddMemFreeNode(out, g, deps, n, ADDRESS(p)));
RT_API(cudaGraphAddNode,
       (cudaGraphNode_t * out, cudaGraph_t g, const cudaGraphNode_t *deps,
        const cudaGraphEdgeData *edges, size_t n, struct cudaGraphNodeParams *p),
       ((void)edges, add_generic(PLACE, p)));
RT_API(cudaGraphNodeSetParams, (cudaGraphNode_t n, struct cudaGraphNodeParams *p),
       set_generic(NULL, n, p));
RT_API(cudaGraphExecNodeSetParams,
       (cudaGraphExec_t e, cudaGraphNode_t n, struct cudaGraphNodeParams *p),
       e == NULL ? cudaErrorInvalidValue : set_generic(e, n, p));

RT_API(cudaGraphKernelNodeGetParams, (cudaGraphNode_t n, struct cudaKernelNodeParams *out),
       get_kernel_params(n, out));
RT_API(cudaGraphKernelNodeSetParams, (cudaGraphNode_t n, const struct cudaKernelNodeParams *p),
       set_kernel(n, p));
RT_API(cudaGraphExecKernelNodeSetParams,
       (cudaGraphExec_t e, cudaGraphNode_t n, const struct cudaKernelNodeParams *p),
       exec_kernel(e, n, p));
RT_API(cudaGraphKernelNodeGetAttribute,
       (cudaGraphNode_t n, cudaLaunchAttributeID id, cudaLaunchAttributeValue *out),
       cuGraphKernelNodeGetAttribute(n, (CUlaunchAttributeID)id,
                                     SAME(CUlaunchAttributeValue, out)));
RT_API(cudaGraphKernelNodeSetAttribute,
       (cudaGraphNode_t n, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value),
       cuGraphKernelNodeSetAttribute(n, (CUlaunchAttributeID)id,
                                     SAME(CUlaunchAttributeValue, value)));
RT_API(cudaGraphKernelNodeCopyAttributes, (cudaGraphNode_t to, cudaGraphNode_t from),
       cuGraphKernelNodeCopyAttributes(to, from));

RT_API(cudaGraphMemsetNodeGetParams, (cudaGraphNode_t n, struct cudaMemsetParams *out),
       cuGraphMemsetNodeGetParams(n, SAME(CUDA_MEMSET_NODE_PARAMS, out)));
RT_API(cudaGraphMemsetNodeSetParams, (cudaGraphNode_t n, const struct cudaMemsetParams *p),
       cuGraphMemsetNodeSetParams(n, SAME(CUDA_MEMSET_NODE_PARAMS, p)));
RT_API(cudaGraphExecMemsetNodeSetParams,
       (cudaGraphExec_t e, cudaGraphNode_t n, const struct cudaMemsetParams *p),
       cuGraphExecMemsetNodeSetParams(e, n, SAME(CUDA_MEMSET_NODE_PARAMS, p), NULL));
RT_API(cudaGraphHostNodeGetParams, (cudaGraphNode_t n, struct cudaHostNodeParams *out),
       cuGraphHostNodeGetParams(n, SAME(CUDA_HOST_NODE_PARAMS, out)));
RT_API(cudaGraphHostNodeSetParams, (cudaGraphNode_t n, const struct cudaHostNodeParams *p),
       cuGraphHostNodeSetParams(n, SAME(CUDA_HOST_NODE_PARAMS, p)));
RT_API(cudaGraphExecHostNodeSetParams,
       (cudaGraphExec_t e, cudaGraphNode_t n, const struct cudaHostNodeParams *p),
       cuGraphExecHostNodeSetParams(e, n, SAME(CUDA_HOST_NODE_PARAMS, p)));
RT_API(cudaGraphMemAllocNodeGetParams, (cudaGraphNode_t n, struct cudaMemAllocNodeParams *out),
       cuGraphMemAllocNodeGetParams(n, SAME(CUDA_MEM_ALLOC_NODE_PARAMS, out)));
RT_API(cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t n, void *out),
       cuGraphMemFreeNodeGetParams(n, out));

/* A call that makes a copy in c and passes it on. */
#define COPY_CALL(name, params, make, pass)                                                        \
    CU_EXPORT cudaError_t name params                                                              \
    {                                                                                              \
        CUDA_MEMCPY3D c;                                                                           \
        cudaError_t made = rt_enter();                                                             \
        made = made == cudaSuccess ? make : made;                                                  \
        return rt_note(pass);                                                                      \
    }                                                                                              \
    struct cu_rt_h_semicolon

#define LINEAR const void *from, size_t bytes, enum cudaMemcpyKind kind
#define PART   size_t bytes, size_t offset, enum cudaMemcpyKind kind
#define LINE   rt_copy1d((struct rt_copy){to, from, bytes, kind}, &c)
#define TO     symbol_copy(symbol, offset, (struct rt_copy){NULL, from, bytes, kind}, &c)
#define FROM   symbol_copy(symbol, offset, (struct rt_copy){to, NULL, bytes, kind}, &c)

COPY_CALL(cudaGraphAddMemcpyNode, (INTO, const struct cudaMemcpy3DParms *p), rt_copy3d(p, &c),
          add_copy(PLACE, made, &c));
COPY_CALL(cudaGraphAddMemcpyNode1D, (INTO, void *to, LINEAR), LINE, add_copy(PLACE, made, &c));
COPY_CALL(cudaGraphAddMemcpyNodeToSymbol, (INTO, const void *symbol, const void *from, PART), TO,
          add_copy(PLACE, made, &c));
COPY_CALL(cudaGraphAddMemcpyNodeFromSymbol, (INTO, void *to, const void *symbol, PART), FROM,
          add_copy(PLACE, made, &c));
COPY_CALL(cudaGraphMemcpyNodeSetParams, (cudaGraphNode_t n, const struct cudaMemcpy3DParms *p),
          rt_copy3d(p, &c), set_copy(n, made, &c));
COPY_CALL(cudaGraphMemcpyNodeSetParams1D, (cudaGraphNode_t n, void *to, LINEAR), LINE,
          set_copy(n, made, &c));
COPY_CALL(cudaGraphMemcpyNodeSetParamsToSymbol,
          (cudaGraphNode_t n, const void *symbol, const void *from, PART), TO,
          set_copy(n, made, &c));
COPY_CALL(cudaGraphMemcpyNodeSetParamsFromSymbol,
          (cudaGraphNode_t n, void *to, const void *symbol, PART), FROM, set_copy(n, made, &c));
COPY_CALL(cudaGraphExecMemcpyNodeSetParams,
          (cudaGraphExec_t e, cudaGraphNode_t n, const struct cudaMemcpy3DParms *p),
          rt_copy3d(p, &c), exec_copy(e, n, made, &c));
COPY_CALL(cudaGraphExecMemcpyNodeSetParams1D,
          (cudaGraphExec_t e, cudaGraphNode_t n, void *to, LINEAR), LINE,
          exec_copy(e, n, made, &c));
COPY_CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol,
          (cudaGraphExec_t e, cudaGraphNode_t n, const void *symbol, const void *from, PART), TO,
          exec_copy(e, n, made, &c));
COPY_CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
          (cudaGraphExec_t e, cudaGraphNode_t n, void *to, const void *symbol, PART), FROM,
          exec_copy(e, n, made, &c));
RT_API(cudaGraphMemcpyNodeGetParams, (cudaGraphNode_t n, struct cudaMemcpy3DParms *out),
       get_copy(n, out));
