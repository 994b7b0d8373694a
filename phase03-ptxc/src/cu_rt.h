/* The runtime API's own state: what programs compiled by nvcc register, and each thread's device
 * and last error. Everything else is the driver API's, whose exported calls are all this library
 * uses. Private to libcudart.so.13.
 *
 * Every exported call is RT_API(name, parameters, call): it makes sure that a context is current
 * (the device's primary one unless the program chose another), runs `call`, which is a CUresult or
 * a cudaError_t (the numbers are the same), and notes an error as the thread's last one.
 */
#ifndef CU_RT_H
#define CU_RT_H

#include <stdbool.h>

#include "cu_decl.h"

#define CU_EXPORT __attribute__((visibility("default")))

/* A context is current. */
cudaError_t rt_enter(void);
/* Note the error for cudaGetLastError; returns it. */
cudaError_t rt_note(cudaError_t e);

#define RT_API(name, params, call)                                                                 \
    CU_EXPORT cudaError_t name params                                                              \
    {                                                                                              \
        cudaError_t e_ = rt_enter();                                                               \
        return rt_note(e_ != cudaSuccess ? e_ : (cudaError_t)(call));                              \
    }                                                                                              \
    struct cu_rt_h_semicolon

/* The variant of a call that programs use which are compiled with a default stream for each thread:
 * no stream means the thread's own. */
#define RT_PT(stream) ((stream) != NULL ? (stream) : cudaStreamPerThread)
#define RT_PER_THREAD(other, name, params, args)                                                   \
    CU_EXPORT cudaError_t other params                                                             \
    {                                                                                              \
        return name args;                                                                          \
    }                                                                                              \
    struct cu_rt_h_semicolon

/* The thread's device. */
int rt_device(void);
/* The device was reset: managed variables have no address until they are used again. */
void rt_forget_contexts(void);

/* The kernel a program means: by the address of its host function, by the handle that
 * __cudaGetKernel gave, or by a kernel of a library. cudaErrorInvalidDeviceFunction: none of them.
 * Loads the kernel's binary at the first use. */
cudaError_t rt_kernel(const void *func, CUkernel *out);
/* The kernel's function in the current context. */
cudaError_t rt_function(const void *func, CUfunction *out);
/* The host function of a kernel, or the kernel itself when it has none. */
void *rt_host_function(CUkernel k);
/* A __device__, __constant__ or __managed__ variable in the current context, by the address of its
 * host shadow. cudaErrorInvalidSymbol: there is none. */
cudaError_t rt_symbol(const void *host, CUdeviceptr *at, size_t *bytes);

struct rt_launch {
    const void *func;
    dim3 grid, block;
    void **args;
    size_t shared;
    cudaStream_t stream;
    const cudaLaunchAttribute *attrs;
    unsigned nattrs;
};
cudaError_t rt_launch(const struct rt_launch *l);

/* A linear copy. `sync`: wait for the stream afterwards. */
struct rt_copy {
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
};
cudaError_t rt_copy(struct rt_copy c, cudaStream_t s, bool sync);
/* The driver's structure for a copy; cudaErrorNotSupported for arrays. */
cudaError_t rt_copy3d(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *out);
cudaError_t rt_copy1d(struct rt_copy c, CUDA_MEMCPY3D *out);

#endif
