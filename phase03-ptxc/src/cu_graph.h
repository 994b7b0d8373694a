/* Graphs: nodes with edges, and what an instantiated graph runs. Private to libcuda.so.1. */
#ifndef CU_GRAPH_H
#define CU_GRAPH_H

#include "cu_op.h"

struct CUgraphNode_st {
    CUgraph graph;
    struct cu_op op;
    CUgraphNode *deps; /* nodes that run before this one, each once */
    size_t ndeps;
    CUgraphNode origin; /* in a clone: the node it was copied from; else NULL */
    bool disabled;      /* in an instantiated graph */
    size_t index;       /* in graph->nodes, set by who uses it */
};

struct CUgraph_st {
    CUgraphNode *nodes; /* in order of creation */
    size_t nnodes, cap;
    CUcontext ctx;
    CUgraph origin;     /* of a clone */
    CUgraphNode parent; /* of a child graph: its node owns it */
    struct cu_object_ref {
        CUuserObject object;
        unsigned count;
    } * objects;
    size_t nobjects;
};

struct CUgraphExec_st {
    CUgraph graph;      /* owned: a clone, whose nodes' origins are those of the graph given */
    CUgraphNode *order; /* a topological order of it */
    unsigned long long flags;
    CUcontext ctx;
};

struct CUuserObject_st {
    void *ptr;
    CUhostFn destroy;
    unsigned refs;
};

CUgraph cu_graph_new(CUcontext ctx);
void cu_graph_free(CUgraph g);
CUresult cu_graph_clone(CUgraph g, CUgraph *out);
CUgraphNode cu_graph_find(CUgraph clone, CUgraphNode original);

/* Add a node; takes over what op owns, also when it fails. */
CUresult cu_graph_add(CUgraph g, const CUgraphNode *deps, size_t ndeps, struct cu_op *op,
                      CUgraphNode *out);
void cu_graph_remove(CUgraphNode n);
/* CUDA_ERROR_INVALID_VALUE for a node of another graph or an edge that is there. */
CUresult cu_node_depend(CUgraphNode to, CUgraphNode from);
CUresult cu_node_forget(CUgraphNode to, CUgraphNode from);
bool cu_node_depends(CUgraphNode to, CUgraphNode from);
bool cu_node_is_leaf(CUgraphNode n);
/* Replace what the node does by `op`, of the same type; takes over what op owns. */
CUresult cu_node_replace(CUgraphNode n, struct cu_op *op);

/* The nodes so that each comes after those it depends on. NULL when there is a cycle. free() it. */
CUgraphNode *cu_graph_order(CUgraph g);
CUresult cu_graph_run(CUcontext ctx, CUgraph g, CUgraphNode const *order);

void cu_exec_free(CUgraphExec e);
CUresult cu_object_release(CUuserObject o, unsigned count);

/* --- cu_node.c: what a node does, from and to the structures of the calls --- */
CUresult cu_op_kernel(CUcontext ctx, const CUDA_KERNEL_NODE_PARAMS *p, struct cu_op *op);
/* The structure as programs before CUDA 12 have it. */
CUresult cu_op_kernel_v1(CUcontext ctx, const CUDA_KERNEL_NODE_PARAMS_v1 *p, struct cu_op *op);
CUresult cu_op_memcpy(const CUDA_MEMCPY3D *p, struct cu_op *op);
CUresult cu_op_memset(const CUDA_MEMSET_NODE_PARAMS *p, struct cu_op *op);
CUresult cu_op_host(const CUDA_HOST_NODE_PARAMS *p, struct cu_op *op);
CUresult cu_op_child(CUgraph child, struct cu_op *op);
CUresult cu_op_event(CUgraphNodeType type, CUevent e, struct cu_op *op);
/* Also writes the address to p->dptr. */
CUresult cu_op_alloc(CUcontext ctx, CUDA_MEM_ALLOC_NODE_PARAMS *p, struct cu_op *op);
CUresult cu_op_free(CUdeviceptr at, struct cu_op *op);
CUresult cu_op_generic(CUcontext ctx, CUgraphNodeParams *p, struct cu_op *op);
/* Is it a node, and of this type? */
CUresult cu_node_of(CUgraphNode n, CUgraphNodeType type);

#endif
