/* The lock, the handles and the threads' current contexts.
 *
 * Problem: any thread may make any call at any time, with handles that were destroyed long ago.
 *
 * Model: one lock over all state, held for the length of a call. A handle is a pointer, and it is
 * valid while the table of handles has it with the kind asked for; nothing is read through a
 * pointer the table does not know. A context's struct lives until the process ends, so that a
 * thread whose current context another thread destroyed gets an error.
 *
 * Invariant: the lock is not held while code of the program runs (cu_call_host).
 *
 * Simplified: a driver lets threads work at the same time; here a call waits while another thread's
 * kernel runs.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu_core.h"

struct cu_state cu_state;
__thread struct cu_thread cu_thread;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static CUresult find_context(CUcontext *ctx)
{
    CUcontext c = cu_thread.depth > 0 ? cu_thread.stack[cu_thread.depth - 1] : NULL;
    if (c == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (!c->alive) {
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    *ctx = c;
    return c->fault;
}

CUresult cu_enter(enum cu_need need, CUcontext *ctx)
{
    pthread_mutex_lock(&lock);
    CUresult r = CUDA_SUCCESS;
    if (need != CU_NEED_NOTHING && !cu_state.ready) {
        r = CUDA_ERROR_NOT_INITIALIZED;
    } else if (need == CU_NEED_CONTEXT) {
        r = find_context(ctx);
    }
    if (r != CUDA_SUCCESS) {
        pthread_mutex_unlock(&lock);
    }
    return r;
}

CUresult cu_leave(CUresult r)
{
    pthread_mutex_unlock(&lock);
    return r;
}

void cu_call_host(CUhostFn fn, void *data)
{
    pthread_mutex_unlock(&lock);
    fn(data);
    pthread_mutex_lock(&lock);
}

void cu_say(const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    fprintf(stderr, "vgpu: %s\n", text);
}

void cu_handle_add(const void *h, enum cu_kind kind)
{
    cu_table_put(&cu_state.handles, (uintptr_t)h, (void *)(uintptr_t)kind);
}

void cu_handle_drop(const void *h)
{
    cu_table_take(&cu_state.handles, (uintptr_t)h);
}

bool cu_is(const void *h, enum cu_kind kind)
{
    return (uintptr_t)cu_table_get(&cu_state.handles, (uintptr_t)h) == (uintptr_t)kind;
}

CUresult cu_result(enum vgpu_status s)
{
    static const CUresult results[] = {
        [VGPU_OK] = CUDA_SUCCESS,
        [VGPU_INVALID_VALUE] = CUDA_ERROR_INVALID_VALUE,
        [VGPU_OUT_OF_MEMORY] = CUDA_ERROR_OUT_OF_MEMORY,
        [VGPU_INVALID_PTX] = CUDA_ERROR_INVALID_PTX,
        [VGPU_NO_BINARY] = CUDA_ERROR_NO_BINARY_FOR_GPU,
        [VGPU_UNSUPPORTED_PTX] = CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
        [VGPU_NOT_FOUND] = CUDA_ERROR_NOT_FOUND,
        [VGPU_LAUNCH_RESOURCES] = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
        [VGPU_COOPERATIVE_TOO_LARGE] = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
        [VGPU_ILLEGAL_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
        [VGPU_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
        [VGPU_ADDRESS_SPACE] = CUDA_ERROR_INVALID_ADDRESS_SPACE,
        [VGPU_INVALID_PC] = CUDA_ERROR_INVALID_PC,
        [VGPU_ILLEGAL_INSTRUCTION] = CUDA_ERROR_ILLEGAL_INSTRUCTION,
        [VGPU_ASSERT] = CUDA_ERROR_ASSERT,
        [VGPU_TRAP] = CUDA_ERROR_LAUNCH_FAILED,
        [VGPU_TIMEOUT] = CUDA_ERROR_LAUNCH_TIMEOUT,
    };
    return results[s];
}

CUresult cu_sync(CUcontext ctx)
{
    vgpu_flush_printf(ctx->dev->g);
    if (ctx->fault == CUDA_SUCCESS) {
        ctx->fault = ctx->latent;
    }
    return ctx->fault;
}

/* --- calls that are not provided --- */

/* Names that were said; a plain array, because a handful is many. */
static const char *said[256];
static size_t nsaid;
static pthread_mutex_t said_lock = PTHREAD_MUTEX_INITIALIZER;

CUresult cu_not_supported(const char *name)
{
    bool fresh = true;
    pthread_mutex_lock(&said_lock);
    for (size_t k = 0; k < nsaid; k++) {
        fresh = fresh && strcmp(said[k], name) != 0;
    }
    if (fresh && nsaid < sizeof(said) / sizeof(said[0])) {
        said[nsaid++] = name;
    }
    pthread_mutex_unlock(&said_lock);
    if (fresh) {
        cu_say("%s is not provided by the software GPU", name);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}
