/* Libraries and their kernels.
 *
 * Model: a library keeps its PTX text and the tree the front end made of it, which knows the
 * kernels' names and parameters. A context that uses one of its kernels or variables gets a module
 * of its own, loaded at the first use.
 */
#include <stdlib.h>
#include <string.h>

#include "cu_library.h"

struct loaded {
    CUcontext ctx;
    CUmodule module;
    struct loaded *next;
};

struct CUlib_st {
    LIST_ENTRY(CUlib_st) link;
    char *name; /* in messages */
    struct lab_buf ptx;
    struct ptx_module *tree;
    struct CUkern_st *kernels; /* all of them, in the text's order */
    unsigned nkernels;
    struct loaded *loaded;
};

static LIST_HEAD(, CUlib_st) libraries = LIST_HEAD_INITIALIZER(libraries);

/* --- modules of contexts --- */

CUresult cu_library_module(CUlibrary lib, CUcontext ctx, CUmodule *out)
{
    for (struct loaded *l = lib->loaded; l != NULL; l = l->next) {
        if (l->ctx == ctx) {
            *out = l->module;
            return CUDA_SUCCESS;
        }
    }
    CUresult r = cu_module_load(ctx, lib->name, &lib->ptx, NULL, out);
    if (r == CUDA_SUCCESS) {
        struct loaded *l = lab_alloc(1, sizeof(*l));
        *l = (struct loaded){ctx, *out, lib->loaded};
        lib->loaded = l;
    }
    return r;
}

void cu_libraries_forget(CUcontext ctx)
{
    CUlibrary lib;
    LIST_FOREACH(lib, &libraries, link)
    {
        struct loaded **p = &lib->loaded;
        while (*p != NULL) {
            struct loaded *l = *p;
            if (l->ctx == ctx) {
                *p = l->next;
                free(l);
            } else {
                p = &l->next;
            }
        }
    }
}

CUresult cu_kernel_function(CUkernel k, CUcontext ctx, CUfunction *out)
{
    CUmodule m;
    CUresult r = cu_library_module(k->lib, ctx, &m);
    r = r == CUDA_SUCCESS ? cu_module_function(m, k->func->name, out) : r;
    if (r == CUDA_SUCCESS && k->max_dynamic >= 0) {
        r = cu_function_set(*out, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k->max_dynamic);
    }
    if (r == CUDA_SUCCESS && k->carveout >= 0) {
        r = cu_function_set(*out, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, k->carveout);
    }
    return r;
}

CUresult cu_function_of(CUcontext ctx, const void *h, CUfunction *out)
{
    if (cu_is(h, CU_KIND_KERNEL)) {
        return cu_kernel_function((CUkernel)(uintptr_t)h, ctx, out);
    }
    if (!cu_is(h, CU_KIND_FUNCTION)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *out = (CUfunction)(uintptr_t)h;
    return CUDA_SUCCESS;
}

/* --- loading --- */

static void add_kernels(CUlibrary lib)
{
    struct CUkern_st **end = &lib->kernels;
    for (const struct ptx_func *f = lib->tree->funcs; f != NULL; f = f->next) {
        if (f->kind != PTX_ENTRY || !f->defined) {
            continue;
        }
        CUkernel k = lab_alloc(1, sizeof(*k));
        *k = (struct CUkern_st){lib, f, -1, -1, NULL};
        cu_handle_add(k, CU_KIND_KERNEL);
        *end = k;
        end = &k->next;
        lib->nkernels++;
    }
}

void cu_library_free(CUlibrary lib)
{
    if (cu_is(lib, CU_KIND_LIBRARY)) {
        LIST_REMOVE(lib, link);
        cu_handle_drop(lib);
    }
    while (lib->kernels != NULL) {
        CUkernel k = lib->kernels;
        lib->kernels = k->next;
        cu_handle_drop(k);
        free(k);
    }
    while (lib->loaded != NULL) {
        struct loaded *l = lib->loaded;
        lib->loaded = l->next;
        cu_module_free(l->module);
        free(l);
    }
    ptx_module_free(lib->tree);
    lab_buf_fini(&lib->ptx);
    free(lib->name);
    free(lib);
}

/* The chip whose code an image is searched for: that of the current context, or the only one. */
static const struct vgpu_desc *chip(void)
{
    return cu_state.devices[0].desc;
}

struct image {
    const char *name;
    const void *data;
    size_t bytes; /* 0: the data say it */
};

static CUresult load(CUlibrary *out, struct image image, const struct cu_jit *jit)
{
    struct lab_err err = {0};
    if (out == NULL || image.data == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUlibrary lib = lab_alloc(1, sizeof(*lib));
    lib->name = lab_strdup(image.name);
    lab_buf_init(&lib->ptx);
    CUresult r = cu_image_ptx(chip(), image.data, image.bytes, jit, &lib->ptx);
    if (r == CUDA_SUCCESS &&
        ptx_parse(lib->name, lab_buf_str(&lib->ptx), lib->ptx.len, &lib->tree, &err) < 0) {
        cu_jit_error(jit, err.msg);
        r = CUDA_ERROR_INVALID_PTX;
    }
    if (r != CUDA_SUCCESS) {
        cu_library_free(lib);
        return r;
    }
    add_kernels(lib);
    LIST_INSERT_HEAD(&libraries, lib, link);
    cu_handle_add(lib, CU_KIND_LIBRARY);
    *out = lib;
    return CUDA_SUCCESS;
}

struct jit_options {
    unsigned n;
    const CUjit_option *options;
    void **values;
};

static CUresult load_data(CUlibrary *out, const void *code, struct jit_options o)
{
    struct cu_jit jit;
    CUresult r = cu_jit_read(o.n, o.options, o.values, &jit);
    return r == CUDA_SUCCESS ? load(out, (struct image){"PTX", code, 0}, &jit) : r;
}

static CUresult load_file(CUlibrary *out, const char *path, struct jit_options o)
{
    struct cu_jit jit;
    struct lab_buf file;
    lab_buf_init(&file);
    CUresult r = cu_jit_read(o.n, o.options, o.values, &jit);
    r = r == CUDA_SUCCESS ? cu_image_read(path, &file) : r;
    if (r == CUDA_SUCCESS) {
        r = load(out, (struct image){path, lab_buf_str(&file), file.len}, &jit);
    }
    lab_buf_fini(&file);
    return r;
}

static CUresult unload(CUlibrary lib)
{
    if (!cu_is(lib, CU_KIND_LIBRARY)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    cu_library_free(lib);
    return CUDA_SUCCESS;
}

/* --- questions --- */

static CUresult get_kernel(CUkernel *out, CUlibrary lib, const char *name)
{
    if (!cu_is(lib, CU_KIND_LIBRARY)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (out == NULL || name == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUkernel k = lib->kernels;
    while (k != NULL && strcmp(k->func->name, name) != 0) {
        k = k->next;
    }
    *out = k;
    return k != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static CUresult enumerate(CUlibrary lib, CUkernel *out, unsigned n, unsigned *count)
{
    if (!cu_is(lib, CU_KIND_LIBRARY)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    CUkernel kernel = lib->kernels;
    for (unsigned k = 0; out != NULL && k < n && kernel != NULL; k++) {
        out[k] = kernel;
        kernel = kernel->next;
    }
    if (count != NULL) {
        *count = lib->nkernels;
    }
    return CUDA_SUCCESS;
}

static CUresult get_module(CUcontext ctx, CUmodule *out, CUlibrary lib)
{
    if (!cu_is(lib, CU_KIND_LIBRARY)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return out != NULL ? cu_library_module(lib, ctx, out) : CUDA_ERROR_INVALID_VALUE;
}

struct variable {
    CUdeviceptr *at;
    size_t *bytes;
    const char *name;
    bool managed;
};

static CUresult get_variable(CUcontext ctx, CUlibrary lib, struct variable v)
{
    CUmodule m;
    CUresult r = get_module(ctx, &m, lib);
    if (r != CUDA_SUCCESS || v.name == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    const struct ptx_var *var = ptx_find_var(vgpu_module_ptx(m->m), v.name);
    if (var == NULL || (v.managed && !var->managed)) {
        return CUDA_ERROR_NOT_FOUND;
    }
    return cu_module_global(m, v.name, v.at, v.bytes);
}

/* --- kernels --- */

static CUresult get_function(CUcontext ctx, CUfunction *out, CUkernel k)
{
    if (!cu_is(k, CU_KIND_KERNEL)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return out != NULL ? cu_kernel_function(k, ctx, out) : CUDA_ERROR_INVALID_VALUE;
}

/* The kernel's function where an attribute for a device is read or set: in the device's primary
 * context, or in the current one when that is the only one alive. */
static CUresult function_on(CUkernel k, CUdevice n, CUfunction *out)
{
    struct cu_device *d;
    CUcontext ctx = NULL;
    CUresult r = cu_device_get(n, &d);
    if (r != CUDA_SUCCESS || !cu_is(k, CU_KIND_KERNEL)) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_HANDLE;
    }
    if (d->primary != NULL && d->primary->alive) {
        ctx = d->primary;
    } else if (cu_thread.depth > 0 && cu_thread.stack[cu_thread.depth - 1]->alive) {
        ctx = cu_thread.stack[cu_thread.depth - 1];
    } else {
        r = cu_primary_retain(d, &ctx);
    }
    return r == CUDA_SUCCESS ? cu_kernel_function(k, ctx, out) : r;
}

static CUresult kernel_get(int *value, CUfunction_attribute a, CUkernel k, CUdevice n)
{
    CUfunction f;
    CUresult r = value != NULL ? function_on(k, n, &f) : CUDA_ERROR_INVALID_VALUE;
    return r == CUDA_SUCCESS ? cu_function_get(f, a, value) : r;
}

static CUresult kernel_set(CUfunction_attribute a, int value, CUkernel k, CUdevice n)
{
    CUfunction f;
    CUresult r = function_on(k, n, &f);
    r = r == CUDA_SUCCESS ? cu_function_set(f, a, value) : r;
    if (r == CUDA_SUCCESS && a == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        k->max_dynamic = value;
    } else if (r == CUDA_SUCCESS && a == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        k->carveout = value;
    }
    return r;
}

static CUresult kernel_check(CUkernel k, const void *out)
{
    if (!cu_is(k, CU_KIND_KERNEL)) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return out != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult kernel_library(CUlibrary *out, CUkernel k)
{
    CUresult r = kernel_check(k, out);
    if (r == CUDA_SUCCESS) {
        *out = k->lib;
    }
    return r;
}

static CUresult kernel_name(const char **out, CUkernel k)
{
    CUresult r = kernel_check(k, out);
    if (r == CUDA_SUCCESS) {
        *out = k->func->name;
    }
    return r;
}

static CUresult kernel_param(CUcontext ctx, CUkernel k, size_t index, size_t where[2])
{
    CUfunction f;
    CUresult r = kernel_check(k, where);
    r = r == CUDA_SUCCESS ? cu_kernel_function(k, ctx, &f) : r;
    return r == CUDA_SUCCESS ? cu_function_param(f, index, &where[0], &where[1]) : r;
}

static CUresult kernel_param_info(CUcontext ctx, CUkernel k, size_t index, size_t *offset,
                                  size_t *bytes)
{
    size_t where[2];
    CUresult r = kernel_param(ctx, k, index, where);
    if (r == CUDA_SUCCESS && offset != NULL) {
        *offset = where[0];
    }
    if (r == CUDA_SUCCESS && bytes != NULL) {
        *bytes = where[1];
    }
    return r;
}

CU_API(cuLibraryLoadData,
       (CUlibrary * out, const void *code, CUjit_option *jit, void **values, unsigned n,
        CUlibraryOption *options, void **option_values, unsigned noptions),
       CU_NEED_INIT,
       ((void)options, (void)option_values, (void)noptions,
        load_data(out, code, (struct jit_options){n, jit, values})));
CU_API(cuLibraryLoadFromFile,
       (CUlibrary * out, const char *path, CUjit_option *jit, void **values, unsigned n,
        CUlibraryOption *options, void **option_values, unsigned noptions),
       CU_NEED_INIT,
       ((void)options, (void)option_values, (void)noptions,
        load_file(out, path, (struct jit_options){n, jit, values})));
CU_API(cuLibraryUnload, (CUlibrary lib), CU_NEED_INIT, unload(lib));
CU_API(cuLibraryGetKernel, (CUkernel * out, CUlibrary lib, const char *name), CU_NEED_INIT,
       get_kernel(out, lib, name));
CU_API(cuLibraryGetKernelCount, (unsigned *count, CUlibrary lib), CU_NEED_INIT,
       enumerate(lib, NULL, 0, count));
CU_API(cuLibraryEnumerateKernels, (CUkernel * out, unsigned n, CUlibrary lib), CU_NEED_INIT,
       enumerate(lib, out, n, NULL));
CU_API(cuLibraryGetModule, (CUmodule * out, CUlibrary lib), CU_NEED_CONTEXT,
       get_module(ctx, out, lib));
CU_API(cuLibraryGetGlobal, (CUdeviceptr * at, size_t *bytes, CUlibrary lib, const char *name),
       CU_NEED_CONTEXT, get_variable(ctx, lib, (struct variable){at, bytes, name, false}));
CU_API(cuLibraryGetManaged, (CUdeviceptr * at, size_t *bytes, CUlibrary lib, const char *name),
       CU_NEED_CONTEXT, get_variable(ctx, lib, (struct variable){at, bytes, name, true}));
CU_API(cuKernelGetFunction, (CUfunction * out, CUkernel k), CU_NEED_CONTEXT,
       get_function(ctx, out, k));
CU_API(cuKernelGetLibrary, (CUlibrary * out, CUkernel k), CU_NEED_INIT, kernel_library(out, k));
CU_API(cuKernelGetName, (const char **out, CUkernel k), CU_NEED_INIT, kernel_name(out, k));
CU_API(cuKernelGetAttribute, (int *value, CUfunction_attribute a, CUkernel k, CUdevice n),
       CU_NEED_INIT, kernel_get(value, a, k, n));
CU_API(cuKernelSetAttribute, (CUfunction_attribute a, int value, CUkernel k, CUdevice n),
       CU_NEED_INIT, kernel_set(a, value, k, n));
CU_API(cuKernelSetCacheConfig, (CUkernel k, CUfunc_cache config, CUdevice n), CU_NEED_INIT,
       ((void)config, (void)n, kernel_check(k, k)));
CU_API(cuKernelGetParamInfo, (CUkernel k, size_t index, size_t *offset, size_t *bytes),
       CU_NEED_CONTEXT, kernel_param_info(ctx, k, index, offset, bytes));
