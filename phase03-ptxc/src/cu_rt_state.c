/* Contexts and errors of the runtime API.
 *
 * Model: the runtime works in the context that is current, and makes the primary context of the
 * thread's device current where none is, or where it was reset. The last error is the thread's; one
 * that comes from the context itself (a kernel faulted) stays until the device is reset, so
 * cudaGetLastError returns it again and again.
 */
#include "cu_rt.h"

static __thread int device;
static __thread cudaError_t last;

int rt_device(void)
{
    return device;
}

/* Is c the primary context of a device that was reset or released? */
static bool is_stale(CUcontext c)
{
    CUdevice n;
    unsigned flags;
    int active = 1;
    unsigned version;
    if (cuCtxGetDevice(&n) != CUDA_SUCCESS) {
        return false;
    }
    if (cuCtxGetApiVersion(c, &version) != CUDA_ERROR_CONTEXT_IS_DESTROYED) {
        return false;
    }
    return cuDevicePrimaryCtxGetState(n, &flags, &active) == CUDA_SUCCESS && active == 0;
}

static CUresult use_primary(int n)
{
    CUcontext c;
    CUresult r = cuDevicePrimaryCtxRetain(&c, n);
    return r == CUDA_SUCCESS ? cuCtxSetCurrent(c) : r;
}

cudaError_t rt_enter(void)
{
    CUcontext c = NULL;
    CUresult r = cuCtxGetCurrent(&c);
    if (r == CUDA_ERROR_NOT_INITIALIZED) {
        r = cuInit(0);
        r = r == CUDA_SUCCESS ? cuCtxGetCurrent(&c) : r;
    }
    if (r == CUDA_SUCCESS && (c == NULL || is_stale(c))) {
        r = use_primary(device);
    }
    return (cudaError_t)r;
}

cudaError_t rt_note(cudaError_t e)
{
    if (e != cudaSuccess) {
        last = e;
    }
    return e;
}

/* What the context itself is ill with; cudaSuccess where none is current. */
static cudaError_t fault(void)
{
    CUcontext c = NULL;
    unsigned flags;
    if (cuCtxGetCurrent(&c) != CUDA_SUCCESS || c == NULL || is_stale(c)) {
        return cudaSuccess;
    }
    return (cudaError_t)cuCtxGetFlags(&flags);
}

CU_EXPORT cudaError_t cudaGetLastError(void)
{
    cudaError_t e = fault();
    if (e == cudaSuccess) {
        e = last;
        last = cudaSuccess;
    }
    return e;
}

CU_EXPORT cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t e = fault();
    return e != cudaSuccess ? e : last;
}

/* --- names and messages --- */

struct text {
    cudaError_t code;
    const char *name, *message;
};

static const struct text texts[] = {
#define CU_ERROR_BOTH(number, driver, runtime, message) {runtime, #runtime, message},
#define CU_ERROR_DRIVER(number, driver, message)
#define CU_ERROR_RUNTIME(number, runtime, message) {runtime, #runtime, message},
#include "cu_errors.def"
#undef CU_ERROR_BOTH
#undef CU_ERROR_DRIVER
#undef CU_ERROR_RUNTIME
};

static const struct text *find(cudaError_t code)
{
    for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        if (texts[k].code == code) {
            return &texts[k];
        }
    }
    return NULL;
}

CU_EXPORT const char *cudaGetErrorName(cudaError_t code)
{
    const struct text *t = find(code);
    return t != NULL ? t->name : "unrecognized error code";
}

CU_EXPORT const char *cudaGetErrorString(cudaError_t code)
{
    const struct text *t = find(code);
    return t != NULL ? t->message : "unrecognized error code";
}

/* --- devices of the thread --- */

static cudaError_t use_device(int n)
{
    int count;
    CUresult r = cuInit(0);
    r = r == CUDA_SUCCESS ? cuDeviceGetCount(&count) : r;
    if (r == CUDA_SUCCESS && (n < 0 || n >= count)) {
        r = CUDA_ERROR_INVALID_DEVICE;
    }
    r = r == CUDA_SUCCESS ? use_primary(n) : r;
    if (r == CUDA_SUCCESS) {
        device = n;
    }
    return (cudaError_t)r;
}

CU_EXPORT cudaError_t cudaSetDevice(int n)
{
    return rt_note(use_device(n));
}

CU_EXPORT cudaError_t cudaInitDevice(int n, unsigned device_flags, unsigned flags)
{
    cudaError_t e = use_device(n);
    if (e == cudaSuccess && flags == cudaInitDeviceFlagsAreValid) {
        e = (cudaError_t)cuDevicePrimaryCtxSetFlags_v2(n, device_flags);
    }
    return rt_note(e);
}

CU_EXPORT cudaError_t cudaGetDevice(int *out)
{
    cudaError_t e = (cudaError_t)cuInit(0);
    CUdevice n;
    if (e == cudaSuccess && out == NULL) {
        e = cudaErrorInvalidValue;
    }
    if (e == cudaSuccess) {
        *out = cuCtxGetDevice(&n) == CUDA_SUCCESS ? n : device;
    }
    return rt_note(e);
}

CU_EXPORT cudaError_t cudaDeviceReset(void)
{
    CUresult r = cuInit(0);
    r = r == CUDA_SUCCESS ? cuDevicePrimaryCtxReset_v2(device) : r;
    rt_forget_contexts();
    if (r == CUDA_SUCCESS) {
        last = cudaSuccess;
    }
    return rt_note((cudaError_t)r);
}

CU_EXPORT cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    CUresult r = cuInit(0);
    return rt_note(
        (cudaError_t)(r == CUDA_SUCCESS ? cuDevicePrimaryCtxSetFlags_v2(device, flags) : r));
}

CU_EXPORT cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    int active;
    CUresult r = flags != NULL ? cuInit(0) : CUDA_ERROR_INVALID_VALUE;
    r = r == CUDA_SUCCESS ? cuDevicePrimaryCtxGetState(device, flags, &active) : r;
    if (r == CUDA_SUCCESS) {
        *flags |= cudaDeviceMapHost;
    }
    return rt_note((cudaError_t)r);
}
