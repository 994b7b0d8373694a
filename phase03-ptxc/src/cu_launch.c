/* Launches of kernels.
 *
 * Model: the pointers to the arguments become the parameter block of the PTX ABI when the call is
 * made, so the program may change its variables afterwards. A launch that cannot be (dimensions,
 * shared memory, registers) is refused by the call itself and changes nothing. A kernel that faults
 * leaves the fault in the context (cu_core.h), and says on stderr where it stopped.
 *
 * Simplified: of the launch attributes the cooperative one counts; a cluster of more than one block
 * is refused; the others would change only the time.
 */
#include <stdlib.h>
#include <string.h>

#include "cu_capture.h"
#include "cu_report.h"

/* --- making one --- */

static void copy_args(struct cu_launch *l, void **params)
{
    const struct ptx_func *f = l->func->info.func;
    uint32_t k = 0;
    for (const struct ptx_var *p = f->params; p != NULL; p = p->next, k++) {
        l->args[k] = l->params + p->param_offset;
        if (params != NULL) {
            memcpy(l->args[k], params[k], p->size);
        }
    }
}

/* CU_LAUNCH_PARAM_…: the program laid the block out itself. */
static CUresult copy_extra(struct cu_launch *l, void **extra)
{
    const void *block = NULL;
    const size_t *bytes = NULL;
    for (size_t k = 0; extra[k] != CU_LAUNCH_PARAM_END; k += 2) {
        if (extra[k] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            block = extra[k + 1];
        } else if (extra[k] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
            bytes = extra[k + 1];
        } else {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    if (block == NULL || bytes == NULL || *bytes < l->func->info.param_bytes) {
        return l->func->info.param_bytes == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(l->params, block, l->func->info.param_bytes);
    copy_args(l, NULL);
    return CUDA_SUCCESS;
}

static void make_room(struct cu_launch *l)
{
    l->params = lab_alloc(l->func->info.param_bytes + 1u, 1);
    l->args = lab_alloc(l->func->info.nparams + 1u, sizeof(*l->args));
}

CUresult cu_launch_make(CUcontext ctx, const void *func, const struct cu_launch_args *a,
                        struct cu_op *op)
{
    CUfunction f;
    CUresult r = cu_function_of(ctx, func, &f);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    if (f->module->ctx != ctx) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if ((a->params != NULL && a->extra != NULL) ||
        (a->params == NULL && a->extra == NULL && f->info.nparams > 0)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *op = (struct cu_op){.type = CU_GRAPH_NODE_TYPE_KERNEL};
    op->launch = (struct cu_launch){
        .func = f,
        .kernel = cu_is(func, CU_KIND_KERNEL) ? (CUkernel)(uintptr_t)func : NULL,
        .grid = {a->grid[0], a->grid[1], a->grid[2]},
        .block = {a->block[0], a->block[1], a->block[2]},
        .shared = a->shared,
        .cooperative = a->cooperative,
    };
    make_room(&op->launch);
    if (a->extra != NULL) {
        r = copy_extra(&op->launch, a->extra);
    } else {
        copy_args(&op->launch, a->params);
    }
    if (r != CUDA_SUCCESS) {
        cu_launch_fini(&op->launch);
    }
    return r;
}

CUresult cu_launch_copy(struct cu_launch *to, const struct cu_launch *from)
{
    if (!cu_is(from->func, CU_KIND_FUNCTION)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *to = *from;
    make_room(to);
    memcpy(to->params, from->params, from->func->info.param_bytes);
    copy_args(to, NULL);
    return CUDA_SUCCESS;
}

void cu_launch_fini(struct cu_launch *l)
{
    free(l->params);
    free(l->args);
    l->params = NULL;
    l->args = NULL;
}

/* --- running one --- */

static bool fits(struct vgpu_dim d, const uint32_t *most)
{
    return d.x > 0 && d.y > 0 && d.z > 0 && d.x <= most[0] && d.y <= most[1] && d.z <= most[2];
}

CUresult cu_launch_check(const struct cu_launch *l)
{
    if (!cu_is(l->func, CU_KIND_FUNCTION)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    const struct vgpu_desc *d = l->func->module->ctx->dev->desc;
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    if (!fits(l->grid, d->max_grid) || !fits(l->block, d->max_block) ||
        threads > d->max_threads_per_block) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return l->shared <= l->func->max_dynamic ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cu_launch_run(CUcontext ctx, const struct cu_launch *l)
{
    CUresult r = cu_launch_check(l);
    if (r != CUDA_SUCCESS) {
        return r;
    }
    struct vgpu_launch launch = {
        .kernel = l->func->kernel,
        .grid = l->grid,
        .block = l->block,
        .dynamic_shared = l->shared,
        .cooperative = l->cooperative,
        .params = l->params,
    };
    struct vgpu_fault fault;
    enum vgpu_status s = vgpu_run(ctx->dev->g, &launch, cu_profile_counters(l->func), &fault);
    if (s == VGPU_OK) {
        cu_profile_launch(l->func, l);
    } else if (s >= VGPU_ILLEGAL_ADDRESS) {
        cu_fault_say(l->func, &fault);
        ctx->latent = cu_result(s);
    } else {
        cu_refusal_say(l->func, &fault);
        return cu_result(s);
    }
    if (cu_state.config.launch_blocking) {
        return cu_sync(ctx);
    }
    return CUDA_SUCCESS;
}

/* --- the calls --- */

static CUresult launch(CUcontext ctx, CUfunction f, const struct cu_launch_args *a, CUstream s)
{
    struct cu_op op;
    CUresult r = cu_launch_make(ctx, f, a, &op);
    return r == CUDA_SUCCESS ? cu_submit(ctx, s, &op, false) : r;
}

static CUresult read_attributes(const CUlaunchConfig *c, struct cu_launch_args *a)
{
    for (unsigned k = 0; k < c->numAttrs; k++) {
        const CUlaunchAttributeValue *v = &c->attrs[k].value;
        if (c->attrs[k].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
            a->cooperative = v->cooperative != 0;
        } else if (c->attrs[k].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
                   (uint64_t)v->clusterDim.x * v->clusterDim.y * v->clusterDim.z > 1) {
            return cu_not_supported("a launch with a cluster of blocks");
        }
    }
    return CUDA_SUCCESS;
}

static CUresult launch_ex(CUcontext ctx, const CUlaunchConfig *c, CUfunction f, void **params,
                          void **extra)
{
    if (c == NULL || (c->attrs == NULL && c->numAttrs > 0)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cu_launch_args a = {{c->gridDimX, c->gridDimY, c->gridDimZ},
                               {c->blockDimX, c->blockDimY, c->blockDimZ},
                               c->sharedMemBytes,
                               params,
                               extra,
                               false};
    CUresult r = read_attributes(c, &a);
    return r == CUDA_SUCCESS ? launch(ctx, f, &a, c->hStream) : r;
}

static CUresult host_func(CUcontext ctx, CUstream s, CUhostFn fn, void *data)
{
    struct cu_op op = {.type = CU_GRAPH_NODE_TYPE_HOST, .host = {fn, data}};
    return fn != NULL ? cu_submit(ctx, s, &op, false) : CUDA_ERROR_INVALID_VALUE;
}

#define ARGS(extra, coop)                                                                          \
    &(struct cu_launch_args)                                                                       \
    {                                                                                              \
        {gx, gy, gz}, {bx, by, bz}, shared, params, extra, coop                                    \
    }

CU_API(cuLaunchKernel,
       (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
        unsigned shared, CUstream s, void **params, void **extra),
       CU_NEED_CONTEXT, launch(ctx, f, ARGS(extra, false), s));
CU_PER_THREAD(cuLaunchKernel,
              (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
               unsigned bz, unsigned shared, CUstream s, void **params, void **extra),
              (f, gx, gy, gz, bx, by, bz, shared, CU_PT(s), params, extra));
CU_API(cuLaunchCooperativeKernel,
       (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
        unsigned shared, CUstream s, void **params),
       CU_NEED_CONTEXT, launch(ctx, f, ARGS(NULL, true), s));
CU_PER_THREAD(cuLaunchCooperativeKernel,
              (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
               unsigned bz, unsigned shared, CUstream s, void **params),
              (f, gx, gy, gz, bx, by, bz, shared, CU_PT(s), params));
CU_API(cuLaunchKernelEx, (const CUlaunchConfig *c, CUfunction f, void **params, void **extra),
       CU_NEED_CONTEXT, launch_ex(ctx, c, f, params, extra));

CU_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *c, CUfunction f, void **params,
                                         void **extra)
{
    if (c == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUlaunchConfig own = *c;
    own.hStream = CU_PT(c->hStream);
    return cuLaunchKernelEx(&own, f, params, extra);
}

CU_API(cuLaunchHostFunc, (CUstream s, CUhostFn fn, void *data), CU_NEED_CONTEXT,
       host_func(ctx, s, fn, data));
CU_PER_THREAD(cuLaunchHostFunc, (CUstream s, CUhostFn fn, void *data), (CU_PT(s), fn, data));
