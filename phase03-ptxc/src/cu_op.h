/* One piece of work for a stream: what cuLaunchKernel, cuMemcpyAsync and their kin make, what a
 * capture turns into a graph node, and what a graph runs when it is launched. Private to
 * libcuda.so.1.
 */
#ifndef CU_OP_H
#define CU_OP_H

#include "cu_core.h"

struct cu_launch {
    CUfunction func;
    CUkernel kernel; /* NULL, or the library's kernel that func belongs to */
    struct vgpu_dim grid, block;
    uint32_t shared;
    bool cooperative;
    uint8_t *params; /* owned: the parameter block */
    void **args;     /* owned: a pointer into params for each parameter */
};

struct cu_op {
    CUgraphNodeType type;
    union {
        struct cu_launch launch;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS set;
        CUDA_HOST_NODE_PARAMS host;
        CUgraph child; /* owned */
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc; /* counted in cu_memory.refs */
        CUdeviceptr free_at;              /* the same */
    };
};

/* Is the work possible? What a call refuses at once. */
CUresult cu_op_check(CUcontext ctx, const struct cu_op *op);
/* Do it. Errors that a call returns; a kernel's fault is only left in the context. */
CUresult cu_op_run(CUcontext ctx, const struct cu_op *op);
CUresult cu_op_copy(struct cu_op *to, const struct cu_op *from);
void cu_op_fini(struct cu_op *op);

/* Check, and then run it or, when the stream captures, make it a node. The op is finished
 * (cu_op_fini) in any case. `sync`: the call waits for it. */
CUresult cu_submit(CUcontext ctx, CUstream stream, struct cu_op *op, bool sync);

/* --- kernels, cu_launch.c --- */
struct cu_launch_args {
    unsigned grid[3], block[3], shared;
    void **params, **extra;
    bool cooperative;
};
CUresult cu_launch_make(CUcontext ctx, const void *func, const struct cu_launch_args *a,
                        struct cu_op *op);
CUresult cu_launch_check(const struct cu_launch *l);
CUresult cu_launch_run(CUcontext ctx, const struct cu_launch *l);
CUresult cu_launch_copy(struct cu_launch *to, const struct cu_launch *from);
void cu_launch_fini(struct cu_launch *l);

/* --- copies and sets, cu_copy.c and cu_set.c --- */
CUresult cu_copy_check(CUcontext ctx, const CUDA_MEMCPY3D *c);
CUresult cu_copy_run(CUcontext ctx, const CUDA_MEMCPY3D *c);
CUresult cu_set_check(CUcontext ctx, const CUDA_MEMSET_NODE_PARAMS *s);
CUresult cu_set_run(CUcontext ctx, const CUDA_MEMSET_NODE_PARAMS *s);

/* --- allocations of graphs, cu_graph_memory.c --- */
CUresult cu_graph_memory_new(CUcontext ctx, size_t bytes, uint64_t *at);
void cu_graph_memory_ref(uint64_t at);
void cu_graph_memory_unref(uint64_t at);
CUresult cu_graph_memory_use(CUcontext ctx, uint64_t at, bool in_use);

#endif
