/* Graphs of the runtime API: the calls that are the driver's under other names, and the calls that
 * are not provided. */
#include <stdio.h>

#include "cu_rt.h"

#define EDGES(p)      ((const CUgraphEdgeData *)(const void *)(p))
#define INTO_EDGES(p) ((CUgraphEdgeData *)(void *)(p))

RT_API(cudaGraphCreate, (cudaGraph_t * out, unsigned flags), cuGraphCreate(out, flags));
RT_API(cudaGraphDestroy, (cudaGraph_t g), cuGraphDestroy(g));
RT_API(cudaGraphClone, (cudaGraph_t * out, cudaGraph_t g), cuGraphClone(out, g));
RT_API(cudaGraphNodeFindInClone, (cudaGraphNode_t * out, cudaGraphNode_t original, cudaGraph_t g),
       cuGraphNodeFindInClone(out, original, g));
RT_API(cudaGraphDestroyNode, (cudaGraphNode_t n), cuGraphDestroyNode(n));
RT_API(cudaGraphNodeGetType, (cudaGraphNode_t n, enum cudaGraphNodeType *out),
       cuGraphNodeGetType(n, (CUgraphNodeType *)(void *)out));
RT_API(cudaGraphAddDependencies,
       (cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
        const cudaGraphEdgeData *edges, size_t n),
       cuGraphAddDependencies_v2(g, from, to, EDGES(edges), n));
RT_API(cudaGraphRemoveDependencies,
       (cudaGraph_t g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
        const cudaGraphEdgeData *edges, size_t n),
       cuGraphRemoveDependencies_v2(g, from, to, EDGES(edges), n));
RT_API(cudaGraphGetNodes, (cudaGraph_t g, cudaGraphNode_t *out, size_t *n),
       cuGraphGetNodes(g, out, n));
RT_API(cudaGraphGetRootNodes, (cudaGraph_t g, cudaGraphNode_t *out, size_t *n),
       cuGraphGetRootNodes(g, out, n));
RT_API(cudaGraphGetEdges,
       (cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
        size_t *n),
       cuGraphGetEdges_v2(g, from, to, INTO_EDGES(edges), n));
RT_API(cudaGraphNodeGetDependencies,
       (cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges, size_t *n),
       cuGraphNodeGetDependencies_v2(node, out, INTO_EDGES(edges), n));
RT_API(cudaGraphNodeGetDependentNodes,
       (cudaGraphNode_t node, cudaGraphNode_t *out, cudaGraphEdgeData *edges, size_t *n),
       cuGraphNodeGetDependentNodes_v2(node, out, INTO_EDGES(edges), n));
RT_API(cudaGraphDebugDotPrint, (cudaGraph_t g, const char *path, unsigned flags),
       cuGraphDebugDotPrint(g, path, flags));
RT_API(cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t n, cudaGraph_t *out),
       cuGraphChildGraphNodeGetGraph(n, out));
RT_API(cudaGraphEventRecordNodeGetEvent, (cudaGraphNode_t n, cudaEvent_t *out),
       cuGraphEventRecordNodeGetEvent(n, out));
RT_API(cudaGraphEventRecordNodeSetEvent, (cudaGraphNode_t n, cudaEvent_t e),
       cuGraphEventRecordNodeSetEvent(n, e));
RT_API(cudaGraphEventWaitNodeGetEvent, (cudaGraphNode_t n, cudaEvent_t *out),
       cuGraphEventWaitNodeGetEvent(n, out));
RT_API(cudaGraphEventWaitNodeSetEvent, (cudaGraphNode_t n, cudaEvent_t e),
       cuGraphEventWaitNodeSetEvent(n, e));

/* --- instantiated graphs --- */

static CUresult update(cudaGraphExec_t e, cudaGraph_t g, cudaGraphExecUpdateResultInfo *out)
{
    return cuGraphExecUpdate_v2(e, g, (CUgraphExecUpdateResultInfo *)(void *)out);
}

RT_API(cudaGraphInstantiate, (cudaGraphExec_t * out, cudaGraph_t g, unsigned long long flags),
       cuGraphInstantiateWithFlags(out, g, flags));
RT_API(cudaGraphInstantiateWithFlags,
       (cudaGraphExec_t * out, cudaGraph_t g, unsigned long long flags),
       cuGraphInstantiateWithFlags(out, g, flags));
RT_API(cudaGraphInstantiateWithParams,
       (cudaGraphExec_t * out, cudaGraph_t g, cudaGraphInstantiateParams *p),
       cuGraphInstantiateWithParams(out, g, (CUDA_GRAPH_INSTANTIATE_PARAMS *)(void *)p));
RT_PER_THREAD(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams,
              (cudaGraphExec_t * out, cudaGraph_t g, cudaGraphInstantiateParams *p), (out, g, p));
RT_API(cudaGraphLaunch, (cudaGraphExec_t e, cudaStream_t s), cuGraphLaunch(e, s));
RT_PER_THREAD(cudaGraphLaunch_ptsz, cudaGraphLaunch, (cudaGraphExec_t e, cudaStream_t s),
              (e, RT_PT(s)));
RT_API(cudaGraphUpload, (cudaGraphExec_t e, cudaStream_t s), cuGraphUpload(e, s));
RT_PER_THREAD(cudaGraphUpload_ptsz, cudaGraphUpload, (cudaGraphExec_t e, cudaStream_t s),
              (e, RT_PT(s)));
RT_API(cudaGraphExecDestroy, (cudaGraphExec_t e), cuGraphExecDestroy(e));
RT_API(cudaGraphExecGetFlags, (cudaGraphExec_t e, unsigned long long *out),
       cuGraphExecGetFlags(e, (cuuint64_t *)(void *)out));
RT_API(cudaGraphExecUpdate, (cudaGraphExec_t e, cudaGraph_t g, cudaGraphExecUpdateResultInfo *out),
       update(e, g, out));
RT_API(cudaGraphExecChildGraphNodeSetParams,
       (cudaGraphExec_t e, cudaGraphNode_t n, cudaGraph_t child),
       cuGraphExecChildGraphNodeSetParams(e, n, child));
RT_API(cudaGraphExecEventRecordNodeSetEvent,
       (cudaGraphExec_t e, cudaGraphNode_t n, cudaEvent_t event),
       cuGraphExecEventRecordNodeSetEvent(e, n, event));
RT_API(cudaGraphExecEventWaitNodeSetEvent,
       (cudaGraphExec_t e, cudaGraphNode_t n, cudaEvent_t event),
       cuGraphExecEventWaitNodeSetEvent(e, n, event));
RT_API(cudaGraphNodeGetEnabled, (cudaGraphExec_t e, cudaGraphNode_t n, unsigned *out),
       cuGraphNodeGetEnabled(e, n, out));
RT_API(cudaGraphNodeSetEnabled, (cudaGraphExec_t e, cudaGraphNode_t n, unsigned on),
       cuGraphNodeSetEnabled(e, n, on));

/* --- objects --- */

RT_API(cudaUserObjectCreate,
       (cudaUserObject_t * out, void *ptr, cudaHostFn_t fn, unsigned refs, unsigned flags),
       cuUserObjectCreate(out, ptr, fn, refs, flags));
RT_API(cudaUserObjectRetain, (cudaUserObject_t o, unsigned count), cuUserObjectRetain(o, count));
RT_API(cudaUserObjectRelease, (cudaUserObject_t o, unsigned count), cuUserObjectRelease(o, count));
RT_API(cudaGraphRetainUserObject,
       (cudaGraph_t g, cudaUserObject_t o, unsigned count, unsigned flags),
       cuGraphRetainUserObject(g, o, count, flags));
RT_API(cudaGraphReleaseUserObject, (cudaGraph_t g, cudaUserObject_t o, unsigned count),
       cuGraphReleaseUserObject(g, o, count));
