/* What nvcc's code registers before main: fat binaries, kernels, variables.
 *
 * Model: a fat binary becomes a library of the driver API when one of its kernels or variables is
 * first used; the driver loads a library into each context that uses it. Kernels and variables are
 * known by the address of their host function or shadow variable.
 *
 * The order of calls in a program: __cudaRegisterFatBinary, one __cudaRegister… for each entity,
 * __cudaRegisterFatBinaryEnd, all from a constructor; __cudaUnregisterFatBinary from an exit
 * handler (toolkit header crt/host_runtime.h).
 *
 * Simplified: textures, surfaces and programs that are linked on the device (nvcc -rdc=true, whose
 * executables hold machine code only) are not provided.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cu_rt.h"
#include "cu_table.h"
#include "lab/buf.h"

struct binary {
    void *self; /* what the program holds: &self */
    const void *wrapper;
    CUlibrary lib; /* NULL: not loaded yet */
    cudaError_t error;
    bool tried;
    bool managed_ready; /* the managed variables' host pointers are set */
    struct variable *variables;
};

struct kernel {
    struct binary *binary;
    const void *host;
    const char *name;
    CUkernel kernel; /* NULL: not looked up yet */
};

struct variable {
    struct binary *binary;
    const void *host; /* the shadow; of a managed variable the pointer to it */
    const char *name;
    void **managed; /* NULL: not managed */
    struct variable *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cu_table binaries;  /* struct binary → itself */
static struct cu_table kernels;   /* host function → struct kernel */
static struct cu_table handles;   /* struct kernel → itself */
static struct cu_table variables; /* shadow → struct variable */

static uint64_t key(const void *p)
{
    return (uintptr_t)p;
}

/* --- registering --- */

CU_EXPORT void **__cudaRegisterFatBinary(void *wrapper)
{
    struct binary *b = lab_alloc(1, sizeof(*b));
    b->wrapper = wrapper;
    pthread_mutex_lock(&lock);
    cu_table_put(&binaries, key(b), b);
    pthread_mutex_unlock(&lock);
    return &b->self;
}

static struct binary *binary_of(void **handle)
{
    return handle != NULL ? (struct binary *)(void *)handle : NULL;
}

CU_EXPORT void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* The compiler's calls have more arguments than are looked at. */
#define FUNCTION_ARGUMENTS                                                                         \
    void **handle, const char *host, char *device_name, const char *name, int thread_limit,        \
        uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp_size
#define VARIABLE_ARGUMENTS(type)                                                                   \
    void **handle, type host, char *device_address, const char *name, int ext, size_t size,        \
        int constant, int global

CU_EXPORT void __cudaRegisterFunction(FUNCTION_ARGUMENTS)
{
    struct kernel *k = lab_alloc(1, sizeof(*k));
    (void)device_name, (void)thread_limit, (void)tid, (void)bid;
    (void)block, (void)grid, (void)warp_size;
    *k = (struct kernel){binary_of(handle), host, name, NULL};
    pthread_mutex_lock(&lock);
    struct kernel *old = cu_table_take(&kernels, key(host));
    cu_table_take(&handles, key(old));
    free(old);
    cu_table_put(&kernels, key(host), k);
    cu_table_put(&handles, key(k), k);
    pthread_mutex_unlock(&lock);
}

static void add_variable(void **handle, const void *host, const char *name, void **managed)
{
    struct variable *v = lab_alloc(1, sizeof(*v));
    struct binary *b = binary_of(handle);
    pthread_mutex_lock(&lock);
    *v = (struct variable){b, host, name, managed, b->variables};
    b->variables = v;
    cu_table_put(&variables, key(host), v);
    pthread_mutex_unlock(&lock);
}

CU_EXPORT void __cudaRegisterVar(VARIABLE_ARGUMENTS(char *))
{
    (void)device_address, (void)ext, (void)size, (void)constant, (void)global;
    add_variable(handle, host, name, NULL);
}

CU_EXPORT void __cudaRegisterManagedVar(VARIABLE_ARGUMENTS(void **))
{
    (void)device_address, (void)ext, (void)size, (void)constant, (void)global;
    add_variable(handle, host, name, host);
}

/* Take the entries of a binary out of a table; each is a struct whose first member names it. */
static void drop_kernels(const struct binary *b)
{
    size_t at = 0;
    uint64_t k;
    void *value;
    while (cu_table_next(&handles, &at, &k, &value)) {
        struct kernel *kernel = value;
        if (kernel->binary == b) {
            cu_table_take(&handles, k);
            cu_table_take(&kernels, key(kernel->host));
            free(kernel);
            at = 0;
        }
    }
}

CU_EXPORT void __cudaUnregisterFatBinary(void **handle)
{
    struct binary *b = binary_of(handle);
    pthread_mutex_lock(&lock);
    if (b != NULL && cu_table_take(&binaries, key(b)) != NULL) {
        drop_kernels(b);
        while (b->variables != NULL) {
            struct variable *v = b->variables;
            b->variables = v->next;
            cu_table_take(&variables, key(v->host));
            free(v);
        }
        if (b->lib != NULL) {
            cuLibraryUnload(b->lib);
        }
        free(b);
    }
    pthread_mutex_unlock(&lock);
}

/* --- loading --- */

static cudaError_t load(struct binary *b)
{
    if (!b->tried) {
        b->tried = true;
        b->error =
            (cudaError_t)cuLibraryLoadData(&b->lib, b->wrapper, NULL, NULL, 0, NULL, NULL, 0);
    }
    return b->error;
}

/* Give the managed variables' host pointers their values in the current context. */
static cudaError_t place_managed(struct binary *b)
{
    cudaError_t e = cudaSuccess;
    for (struct variable *v = b->variables; v != NULL && e == cudaSuccess; v = v->next) {
        CUdeviceptr at;
        size_t bytes;
        if (v->managed != NULL) {
            e = (cudaError_t)cuLibraryGetManaged(&at, &bytes, b->lib, v->name);
            *v->managed = e == cudaSuccess ? (void *)(uintptr_t)at : *v->managed;
        }
    }
    b->managed_ready = e == cudaSuccess;
    return e;
}

static cudaError_t prepare(struct binary *b)
{
    cudaError_t e = load(b);
    return e == cudaSuccess && !b->managed_ready ? place_managed(b) : e;
}

void rt_forget_contexts(void)
{
    size_t at = 0;
    uint64_t k;
    void *value;
    pthread_mutex_lock(&lock);
    while (cu_table_next(&binaries, &at, &k, &value)) {
        ((struct binary *)value)->managed_ready = false;
    }
    pthread_mutex_unlock(&lock);
}

CU_EXPORT char __cudaInitModule(void **handle)
{
    struct binary *b = binary_of(handle);
    cudaError_t e = rt_enter();
    pthread_mutex_lock(&lock);
    if (e == cudaSuccess && b != NULL) {
        e = prepare(b);
    }
    pthread_mutex_unlock(&lock);
    rt_note(e);
    return e == cudaSuccess;
}

/* --- finding --- */

static cudaError_t find_kernel(struct kernel *k, CUkernel *out)
{
    cudaError_t e = prepare(k->binary);
    if (e == cudaSuccess && k->kernel == NULL) {
        CUresult r = cuLibraryGetKernel(&k->kernel, k->binary->lib, k->name);
        e = r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : (cudaError_t)r;
    }
    *out = k->kernel;
    return e;
}

cudaError_t rt_kernel(const void *func, CUkernel *out)
{
    cudaError_t e = cudaErrorInvalidDeviceFunction;
    CUlibrary lib;
    pthread_mutex_lock(&lock);
    struct kernel *k = cu_table_get(&kernels, key(func));
    k = k != NULL ? k : cu_table_get(&handles, key(func));
    if (k != NULL) {
        e = find_kernel(k, out);
    } else if (cuKernelGetLibrary(&lib, (CUkernel)(uintptr_t)func) == CUDA_SUCCESS) {
        *out = (CUkernel)(uintptr_t)func;
        e = cudaSuccess;
    }
    pthread_mutex_unlock(&lock);
    return e;
}

cudaError_t rt_function(const void *func, CUfunction *out)
{
    CUkernel k;
    cudaError_t e = rt_kernel(func, &k);
    return e == cudaSuccess ? (cudaError_t)cuKernelGetFunction(out, k) : e;
}

void *rt_host_function(CUkernel kernel)
{
    void *host = kernel;
    size_t at = 0;
    uint64_t k;
    void *value;
    pthread_mutex_lock(&lock);
    while (cu_table_next(&handles, &at, &k, &value)) {
        struct kernel *candidate = value;
        if (kernel != NULL && candidate->kernel == kernel) {
            host = (void *)(uintptr_t)candidate->host;
        }
    }
    pthread_mutex_unlock(&lock);
    return host;
}

/* A managed variable is named by its value's address as well: `&v` in the program is what the
 * pointer holds. */
static struct variable *find_variable(const void *host)
{
    struct variable *v = cu_table_get(&variables, key(host));
    size_t at = 0;
    uint64_t k;
    void *value;
    while (v == NULL && cu_table_next(&variables, &at, &k, &value)) {
        struct variable *candidate = value;
        bool own = candidate->managed != NULL && candidate->binary->managed_ready;
        v = own && *candidate->managed == host ? candidate : NULL;
    }
    return v;
}

cudaError_t rt_symbol(const void *host, CUdeviceptr *at, size_t *bytes)
{
    cudaError_t e = cudaErrorInvalidSymbol;
    pthread_mutex_lock(&lock);
    struct variable *v = find_variable(host);
    if (v != NULL) {
        e = prepare(v->binary);
        if (e == cudaSuccess) {
            CUresult r = cuLibraryGetGlobal(at, bytes, v->binary->lib, v->name);
            e = r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)r;
        }
    }
    pthread_mutex_unlock(&lock);
    return e;
}

/* --- handles of kernels --- */

CU_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t *out, const void *func)
{
    pthread_mutex_lock(&lock);
    struct kernel *k = cu_table_get(&kernels, key(func));
    pthread_mutex_unlock(&lock);
    *out = (cudaKernel_t)(void *)k;
    return k != NULL ? cudaSuccess : rt_note(cudaErrorInvalidDeviceFunction);
}

__attribute__((destructor)) static void finish(void)
{
    size_t at = 0;
    uint64_t k;
    void *value;
    while (cu_table_next(&binaries, &at, &k, &value)) {
        __cudaUnregisterFatBinary(&((struct binary *)value)->self);
        at = 0;
    }
    cu_table_fini(&binaries);
    cu_table_fini(&kernels);
    cu_table_fini(&handles);
    cu_table_fini(&variables);
}
