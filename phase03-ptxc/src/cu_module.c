/* Modules and functions.
 *
 * Model: a module is PTX text that the device layer has loaded; its functions get their handles
 * when they are asked for. A module whose kernels were counted or checked stays loaded in the
 * device layer when the program unloads it: the report at the end needs its names and lines.
 */
#include <stdlib.h>
#include <string.h>

#include "cu_capture.h"
#include "cu_report.h"
#include "lab/clock.h"

#define SHARED_DEFAULT 49152u /* what a kernel may use without asking for more */

CUresult cu_module_load(CUcontext ctx, const char *name, const struct lab_buf *ptx,
                        const struct cu_jit *jit, CUmodule *out)
{
    struct vgpu_module *m;
    struct lab_err err = {0};
    uint64_t begin = lab_now_ns();
    vgpu_flush_printf(ctx->dev->g);
    enum vgpu_status s = vgpu_module_load(ctx->dev->g, name, lab_buf_str(ptx), ptx->len, &m, &err);
    if (jit != NULL && jit->wall != NULL) {
        float ms = (float)((double)(lab_now_ns() - begin) / 1e6);
        memcpy(jit->wall, &ms, sizeof(ms));
    }
    if (s != VGPU_OK) {
        cu_jit_error(jit, err.msg[0] != '\0' ? err.msg : vgpu_status_name(s));
        return cu_result(s);
    }
    *out = lab_alloc(1, sizeof(**out));
    (*out)->ctx = ctx;
    (*out)->m = m;
    LIST_INSERT_HEAD(&ctx->modules, *out, link);
    cu_handle_add(*out, CU_KIND_MODULE);
    return CUDA_SUCCESS;
}

void cu_module_free(CUmodule m)
{
    if (!cu_profile_keeps(m)) {
        vgpu_module_unload(m->m);
    }
    while (m->funcs != NULL) {
        CUfunction f = m->funcs;
        m->funcs = f->next;
        cu_handle_drop(f);
        free(f);
    }
    LIST_REMOVE(m, link);
    cu_handle_drop(m);
    free(m);
}

/* --- functions --- */

static CUfunction function_new(CUmodule m, struct vgpu_kernel *k)
{
    CUfunction f = lab_alloc(1, sizeof(*f));
    f->module = m;
    f->kernel = k;
    vgpu_kernel_info(k, &f->info);
    f->max_dynamic =
        f->info.static_shared < SHARED_DEFAULT ? SHARED_DEFAULT - f->info.static_shared : 0;
    f->carveout = -1;
    f->next = m->funcs;
    m->funcs = f;
    cu_handle_add(f, CU_KIND_FUNCTION);
    return f;
}

CUresult cu_module_function(CUmodule m, const char *name, CUfunction *out)
{
    for (CUfunction f = m->funcs; f != NULL; f = f->next) {
        if (strcmp(f->info.name, name) == 0) {
            *out = f;
            return CUDA_SUCCESS;
        }
    }
    struct vgpu_kernel *k = vgpu_module_kernel(m->m, name);
    if (k == NULL) {
        return CUDA_ERROR_NOT_FOUND;
    }
    *out = function_new(m, k);
    return CUDA_SUCCESS;
}

CUresult cu_module_global(CUmodule m, const char *name, CUdeviceptr *at, size_t *bytes)
{
    uint64_t addr;
    size_t n;
    CUresult r = cu_result(vgpu_module_symbol(m->m, name, &addr, &n));
    if (r == CUDA_SUCCESS && at != NULL) {
        *at = addr;
    }
    if (r == CUDA_SUCCESS && bytes != NULL) {
        *bytes = n;
    }
    return r;
}

/* Threads of a block that its registers leave room for. */
static uint32_t max_threads(CUfunction f)
{
    uint32_t n = f->info.max_threads;
    while (n > 32 && vgpu_blocks_per_sm(f->kernel, n, 0) == 0) {
        n -= 32;
    }
    return n;
}

CUresult cu_function_get(CUfunction f, CUfunction_attribute a, int *value)
{
    const struct vgpu_desc *d = f->module->ctx->dev->desc;
    switch (a) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)max_threads(f); break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)f->info.static_shared; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)f->info.const_bytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)f->info.local_bytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)f->info.regs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = (int)vgpu_module_ptx(f->module->m)->target_sm;
        break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = (int)(d->cc_major * 10 + d->cc_minor); break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = (int)f->max_dynamic; break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = f->carveout; break;
    default:
        if ((unsigned)a >= CU_FUNC_ATTRIBUTE_MAX) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        *value = 0;
        break;
    }
    return CUDA_SUCCESS;
}

CUresult cu_function_set(CUfunction f, CUfunction_attribute a, int value)
{
    const struct vgpu_desc *d = f->module->ctx->dev->desc;
    switch (a) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 || (uint64_t)value + f->info.static_shared > d->shared_per_block_optin) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        f->max_dynamic = (uint32_t)value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        if (value < -1 || value > 100) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        f->carveout = value;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        return cu_not_supported("a cluster of blocks");
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cu_function_param(CUfunction f, size_t index, size_t *offset, size_t *bytes)
{
    const struct ptx_var *p = f->info.func->params;
    for (size_t k = 0; p != NULL && k < index; k++) {
        p = p->next;
    }
    if (p == NULL || offset == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *offset = p->param_offset;
    if (bytes != NULL) {
        *bytes = p->size;
    }
    return CUDA_SUCCESS;
}

/* --- the calls --- */

/* PTX of `image` into a module of ctx. */
static CUresult load_image(CUcontext ctx, const char *name, const void *image, size_t bytes,
                           const struct cu_jit *jit, CUmodule *out)
{
    struct lab_buf ptx;
    CUresult r = cu_capture_unsafe();
    if (r != CUDA_SUCCESS || image == NULL || out == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    lab_buf_init(&ptx);
    r = cu_image_ptx(ctx->dev->desc, image, bytes, jit, &ptx);
    r = r == CUDA_SUCCESS ? cu_module_load(ctx, name, &ptx, jit, out) : r;
    lab_buf_fini(&ptx);
    return r;
}

static CUresult load_data(CUcontext ctx, CUmodule *out, const void *image)
{
    return load_image(ctx, "PTX", image, 0, NULL, out);
}

struct jit_options {
    unsigned n;
    const CUjit_option *options;
    void **values;
};

static CUresult load_data_ex(CUcontext ctx, CUmodule *out, const void *image, struct jit_options o)
{
    struct cu_jit jit;
    CUresult r = cu_jit_read(o.n, o.options, o.values, &jit);
    return r == CUDA_SUCCESS ? load_image(ctx, "PTX", image, 0, &jit, out) : r;
}

static CUresult load_file(CUcontext ctx, CUmodule *out, const char *path)
{
    struct lab_buf file;
    lab_buf_init(&file);
    CUresult r = cu_image_read(path, &file);
    r = r == CUDA_SUCCESS ? load_image(ctx, path, lab_buf_str(&file), file.len, NULL, out) : r;
    lab_buf_fini(&file);
    return r;
}

static CUresult unload(CUmodule m)
{
    if (!cu_is(m, CU_KIND_MODULE)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    CUresult r = cu_sync(m->ctx);
    if (r == CUDA_SUCCESS) {
        cu_module_free(m);
    }
    return r;
}

static CUresult get_function(CUfunction *out, CUmodule m, const char *name)
{
    if (!cu_is(m, CU_KIND_MODULE)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return out == NULL || name == NULL ? CUDA_ERROR_INVALID_VALUE
                                       : cu_module_function(m, name, out);
}

static CUresult get_global(CUdeviceptr *at, size_t *bytes, CUmodule m, const char *name)
{
    if (!cu_is(m, CU_KIND_MODULE)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return name == NULL ? CUDA_ERROR_INVALID_VALUE : cu_module_global(m, name, at, bytes);
}

/* The module's kernels, up to n of them, into out (NULL: only count them). */
static CUresult enumerate(CUmodule m, CUfunction *out, unsigned n, unsigned *count)
{
    if (!cu_is(m, CU_KIND_MODULE)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    unsigned k = 0;
    const struct ptx_func *f = vgpu_module_ptx(m->m)->funcs;
    for (; f != NULL; f = f->next) {
        if (f->kind == PTX_ENTRY && f->defined) {
            if (out != NULL && k < n) {
                cu_module_function(m, f->name, &out[k]);
            }
            k++;
        }
    }
    if (count != NULL) {
        *count = k;
    }
    return CUDA_SUCCESS;
}

static CUresult loading_mode(CUmoduleLoadingMode *out)
{
    *out = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

CU_API(cuModuleLoad, (CUmodule * out, const char *path), CU_NEED_CONTEXT,
       load_file(ctx, out, path));
CU_API(cuModuleLoadData, (CUmodule * out, const void *image), CU_NEED_CONTEXT,
       load_data(ctx, out, image));
CU_API(cuModuleLoadFatBinary, (CUmodule * out, const void *image), CU_NEED_CONTEXT,
       load_data(ctx, out, image));
CU_API(cuModuleLoadDataEx,
       (CUmodule * out, const void *image, unsigned n, CUjit_option *options, void **values),
       CU_NEED_CONTEXT, load_data_ex(ctx, out, image, (struct jit_options){n, options, values}));
CU_API(cuModuleUnload, (CUmodule m), CU_NEED_CONTEXT, unload(m));
CU_API(cuModuleGetFunction, (CUfunction * out, CUmodule m, const char *name), CU_NEED_CONTEXT,
       get_function(out, m, name));
CU_API(cuModuleGetGlobal_v2, (CUdeviceptr * at, size_t *bytes, CUmodule m, const char *name),
       CU_NEED_CONTEXT, get_global(at, bytes, m, name));
CU_ALSO(cuModuleGetGlobal, cuModuleGetGlobal_v2);
CU_API(cuModuleGetFunctionCount, (unsigned *count, CUmodule m), CU_NEED_CONTEXT,
       enumerate(m, NULL, 0, count));
CU_API(cuModuleEnumerateFunctions, (CUfunction * out, unsigned n, CUmodule m), CU_NEED_CONTEXT,
       enumerate(m, out, n, NULL));
CU_API(cuModuleGetLoadingMode, (CUmoduleLoadingMode * out), CU_NEED_INIT, loading_mode(out));
