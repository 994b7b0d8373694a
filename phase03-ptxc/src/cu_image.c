/* From what a program hands over as a module to PTX text.
 *
 * An image is PTX text, a fat binary, the wrapper that nvcc puts around one, or machine code (a
 * cubin), which the software GPU cannot run. It comes without a length: text ends in a NUL, a fat
 * binary says how long it is.
 *
 * Simplified: a real driver compiles the text; here the executor decodes it, so the compiler's
 * options (optimisation level, register limit, target) change nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "cu_core.h"
#include "cu_fatbin.h"
#include "lab/file.h"

#define IMAGE_MAX ((size_t)1 << 30) /* bytes of a file that is loaded */

CUresult cu_jit_read(unsigned n, const CUjit_option *options, void **values, struct cu_jit *jit)
{
    *jit = (struct cu_jit){NULL};
    if (n > 0 && (options == NULL || values == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned k = 0; k < n; k++) {
        switch ((int)options[k]) {
        case CU_JIT_INFO_LOG_BUFFER: jit->info = values[k]; break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            jit->info_cap = (unsigned)(uintptr_t)values[k];
            jit->info_used = &values[k];
            break;
        case CU_JIT_ERROR_LOG_BUFFER: jit->error = values[k]; break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            jit->error_cap = (unsigned)(uintptr_t)values[k];
            jit->error_used = &values[k];
            break;
        case CU_JIT_WALL_TIME: jit->wall = &values[k]; break;
        default: break;
        }
    }
    if (jit->info_used != NULL) {
        *jit->info_used = NULL;
    }
    if (jit->error_used != NULL) {
        *jit->error_used = NULL;
    }
    if (jit->info != NULL && jit->info_cap > 0) {
        jit->info[0] = '\0';
    }
    if (jit->error != NULL && jit->error_cap > 0) {
        jit->error[0] = '\0';
    }
    return CUDA_SUCCESS;
}

void cu_jit_error(const struct cu_jit *jit, const char *message)
{
    if (jit == NULL || jit->error == NULL || jit->error_cap == 0) {
        cu_say("%s", message);
        return;
    }
    size_t n = strnlen(message, jit->error_cap - 1);
    memcpy(jit->error, message, n);
    jit->error[n] = '\0';
    if (jit->error_used != NULL) {
        *jit->error_used = (void *)(uintptr_t)(n + 1);
    }
}

/* Why no text came of a fat binary: it is damaged, or it holds nothing for this chip. */
static CUresult no_text(struct cu_fatbin *fb)
{
    struct cu_fatbin_entry e;
    int r;
    do {
        r = cu_fatbin_next(fb, &e, NULL);
    } while (r == 1);
    return r < 0 ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static CUresult from_fatbin(const struct vgpu_desc *d, const void *image, size_t bytes,
                            const struct cu_jit *jit, struct lab_buf *out)
{
    struct lab_err err = {0};
    unsigned arch = d->cc_major * 10 + d->cc_minor;
    struct cu_fatbin fb;
    if (cu_fatbin_open("fat binary", image, bytes, &fb, &err) < 0) {
        cu_jit_error(jit, err.msg);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    if (cu_fatbin_ptx(&fb, arch, out, &err) < 0) {
        cu_jit_error(jit, err.msg);
        return no_text(&fb);
    }
    return CUDA_SUCCESS;
}

CUresult cu_image_ptx(const struct vgpu_desc *d, const void *image, size_t bytes,
                      const struct cu_jit *jit, struct lab_buf *out)
{
    uint32_t magic = 0;
    size_t known = bytes != 0 ? bytes : strnlen(image, sizeof(magic));
    memcpy(&magic, image, known < sizeof(magic) ? known : sizeof(magic));
    if (magic == CU_FATBIN_WRAPPER_MAGIC && bytes == 0) {
        struct lab_err err = {0};
        if (cu_fatbin_unwrap(image, &image, &err) < 0) {
            cu_jit_error(jit, err.msg);
            return CUDA_ERROR_INVALID_IMAGE;
        }
        memcpy(&magic, image, sizeof(magic));
    }
    if (magic == CU_FATBIN_MAGIC) {
        return from_fatbin(d, image, bytes != 0 ? bytes : cu_fatbin_size(image), jit, out);
    }
    if (memcmp(&magic, "\177ELF", 4) == 0) {
        cu_jit_error(jit, "the module is machine code for a GPU (a cubin); the software GPU needs "
                          "PTX: compile with nvcc -ptx, or -gencode arch=compute_75,"
                          "code=compute_75");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    size_t n = bytes != 0 ? strnlen(image, bytes) : strlen(image);
    lab_buf_add(out, image, n);
    return CUDA_SUCCESS;
}

CUresult cu_image_read(const char *path, struct lab_buf *out)
{
    struct lab_err err = {0};
    if (path == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (lab_file_read(path, IMAGE_MAX, out, &err) < 0) {
        cu_say("%s", err.msg);
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    return CUDA_SUCCESS;
}

/* --- the linker's calls, for the one thing they can do: pass a PTX text on --- */

struct CUlinkState_st {
    struct cu_jit jit;
    struct lab_buf ptx; /* empty: nothing was added yet */
};

static CUresult link_create(unsigned n, const CUjit_option *options, void **values,
                            CUlinkState *out)
{
    struct cu_jit jit;
    CUresult r = cu_jit_read(n, options, values, &jit);
    if (r != CUDA_SUCCESS || out == NULL) {
        return r != CUDA_SUCCESS ? r : CUDA_ERROR_INVALID_VALUE;
    }
    *out = lab_alloc(1, sizeof(**out));
    (*out)->jit = jit;
    lab_buf_init(&(*out)->ptx);
    cu_handle_add(*out, CU_KIND_LINK);
    return CUDA_SUCCESS;
}

static CUresult link_add(CUcontext ctx, CUlinkState s, CUjitInputType type, const void *data,
                         size_t bytes)
{
    if (!cu_is(s, CU_KIND_LINK) || data == NULL || bytes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
        cu_jit_error(&s->jit, "only PTX can be linked");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (s->ptx.len > 0) {
        cu_jit_error(&s->jit, "linking several modules is not provided");
        return cu_not_supported("cuLinkAddData of a second module");
    }
    return cu_image_ptx(ctx->dev->desc, data, bytes, &s->jit, &s->ptx);
}

static CUresult link_add_file(CUcontext ctx, CUlinkState s, CUjitInputType type, const char *path)
{
    struct lab_buf file;
    lab_buf_init(&file);
    CUresult r = cu_image_read(path, &file);
    r = r == CUDA_SUCCESS ? link_add(ctx, s, type, lab_buf_str(&file), file.len) : r;
    lab_buf_fini(&file);
    return r;
}

static CUresult link_complete(CUlinkState s, void **out, size_t *bytes)
{
    if (!cu_is(s, CU_KIND_LINK) || out == NULL || s->ptx.len == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = s->ptx.data;
    if (bytes != NULL) {
        *bytes = s->ptx.len + 1;
    }
    return CUDA_SUCCESS;
}

static CUresult link_destroy(CUlinkState s)
{
    if (!cu_is(s, CU_KIND_LINK)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    cu_handle_drop(s);
    lab_buf_fini(&s->ptx);
    free(s);
    return CUDA_SUCCESS;
}

CU_API(cuLinkCreate_v2, (unsigned n, CUjit_option *options, void **values, CUlinkState *out),
       CU_NEED_CONTEXT, link_create(n, options, values, out));
CU_ALSO(cuLinkCreate, cuLinkCreate_v2);
CU_API(cuLinkAddData_v2,
       (CUlinkState s, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned n,
        CUjit_option *options, void **values),
       CU_NEED_CONTEXT,
       ((void)name, (void)n, (void)options, (void)values, link_add(ctx, s, type, data, bytes)));
CU_ALSO(cuLinkAddData, cuLinkAddData_v2);
CU_API(cuLinkAddFile_v2,
       (CUlinkState s, CUjitInputType type, const char *path, unsigned n, CUjit_option *options,
        void **values),
       CU_NEED_CONTEXT, ((void)n, (void)options, (void)values, link_add_file(ctx, s, type, path)));
CU_ALSO(cuLinkAddFile, cuLinkAddFile_v2);
CU_API(cuLinkComplete, (CUlinkState s, void **out, size_t *bytes), CU_NEED_CONTEXT,
       link_complete(s, out, bytes));
CU_API(cuLinkDestroy, (CUlinkState s), CU_NEED_INIT, link_destroy(s));
