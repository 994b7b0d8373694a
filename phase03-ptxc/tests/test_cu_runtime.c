/* The runtime API as a program compiled by nvcc uses it: this file does by hand what nvcc's code
 * does, so it needs no toolkit. tests/api has the same in CUDA C++. */
#include <pthread.h>
#include <string.h>

#include "cu_testing.h"

#define ENV(...)                                                                                   \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* --- what nvcc generates --- */

/* Host functions of the kernels, shadows of the variables: only their addresses count. */
static char host_add, host_fill, host_reverse, host_store, host_stop, host_print, host_claim;
static char host_copy_table, host_scale, host_bounded, host_bump, host_missing;
static char shadow_table, shadow_factor;
static void *managed_word;
static struct cut_fatbin binary;
static void **handle;

static void register_kernel(char *host, const char *name)
{
    __cudaRegisterFunction(handle, host, host, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static void register_all(const char *ptx, unsigned arch)
{
    cut_fatbin_init(&binary, ptx, arch);
    handle = __cudaRegisterFatBinary(&binary);
    register_kernel(&host_add, "add");
    register_kernel(&host_fill, "fill");
    register_kernel(&host_reverse, "reverse");
    register_kernel(&host_store, "store");
    register_kernel(&host_stop, "stop");
    register_kernel(&host_print, "print");
    register_kernel(&host_claim, "claim");
    register_kernel(&host_copy_table, "copy_table");
    register_kernel(&host_scale, "scale");
    register_kernel(&host_bounded, "bounded");
    register_kernel(&host_bump, "bump");
    register_kernel(&host_missing, "missing");
    __cudaRegisterVar(handle, &shadow_table, &shadow_table, "table", 0, 16, 0, 0);
    __cudaRegisterVar(handle, &shadow_factor, &shadow_factor, "factor", 0, 4, 1, 0);
    __cudaRegisterManagedVar(handle, &managed_word, (char *)&managed_word, "shared_word", 0, 4, 0,
                             0);
    __cudaRegisterFatBinaryEnd(handle);
}

static void start(void)
{
    register_all(cut_ptx, 75);
}

/* kernel<<<grid, block, shared>>>(args) */
static void call(const char *host, dim3 grid, dim3 block, size_t shared, void **args)
{
    cudaKernel_t k = NULL;
    size_t bytes;
    cudaStream_t stream;
    if (__cudaPushCallConfiguration(grid, block, shared, NULL) != 0) {
        return;
    }
    __cudaGetKernel(&k, host);
    if (__cudaPopCallConfiguration(&grid, &block, &bytes, &stream) == cudaSuccess) {
        (void)__cudaLaunchKernel(k, grid, block, args, bytes, stream);
    }
}

#define ONE  ((dim3){1, 1, 1})
#define X(n) ((dim3){n, 1, 1})

static unsigned *words(size_t n)
{
    void *p;
    OK(cudaMalloc(&p, n * 4));
    OK(cudaMemset(p, 0, n * 4));
    return p;
}

static unsigned word(const unsigned *p, size_t k)
{
    unsigned v;
    OK(cudaMemcpy(&v, p + k, 4, cudaMemcpyDeviceToHost));
    return v;
}

/* --- tests --- */

static void body_vector_add(void)
{
    unsigned in[300], out[300], n = 300;
    start();
    for (unsigned k = 0; k < n; k++) {
        in[k] = k;
    }
    unsigned *a = words(n), *b = words(n), *c = words(n);
    OK(cudaMemcpy(a, in, sizeof(in), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, a, sizeof(in), cudaMemcpyDeviceToDevice));
    call(&host_add, X(3), X(128), 0, (void *[]){&a, &b, &c, &n});
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(out, c, sizeof(out), cudaMemcpyDefault));
    for (unsigned k = 0; k < n; k++) {
        REQUIRE(out[k] == 2 * k);
    }
    OK(cudaLaunchKernel(&host_fill, X(1), X(32), (void *[]){&c, &(unsigned){6}, &n}, 0, NULL));
    REQUIRE(word(c, 31) == 6 && word(c, 32) == 64);
    OK(cudaFree(a));
    RETURNS(cudaErrorInvalidValue, cudaFree(a));
    RETURNS(cudaErrorInvalidValue, cudaGetLastError());
    OK(cudaGetLastError());
    OK(cudaFree(NULL));
    OK(cudaFreeHost(NULL));
    __cudaUnregisterFatBinary(handle);
    cut_fatbin_fini(&binary);
}

static void a_program_like_nvccs_runs(void **state)
{
    (void)state;
    cut_passes(body_vector_add, NULL);
}

/* A configuration that no launch can have is forgotten when it was asked for. */
static void body_configuration(void)
{
    unsigned n = 4;
    struct cudaFuncAttributes a;
    start();
    unsigned *p = words(64);
    void *args[] = {&p, &n, &n};
    call(&host_fill, X(0), X(32), 0, args);
    RETURNS(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
    RETURNS(cudaErrorInvalidConfiguration, cudaGetLastError());
    OK(cudaGetLastError());
    call(&host_fill, ((dim3){1, 65536, 1}), X(1), 0, args);
    RETURNS(cudaErrorInvalidConfiguration, cudaGetLastError());
    call(&host_fill, ((dim3){1, 1, 65536}), X(1), 0, args);
    RETURNS(cudaErrorInvalidConfiguration, cudaGetLastError());
    call(&host_fill, X(1), X(1025), 0, args);
    RETURNS(cudaErrorInvalidConfiguration, cudaGetLastError());
    call(&host_fill, X(1), ((dim3){1, 1, 65}), 0, args);
    RETURNS(cudaErrorInvalidConfiguration, cudaGetLastError());
    call(&host_fill, X(1), X(1), 49153, args);
    RETURNS(cudaErrorInvalidValue, cudaGetLastError());
    call(&host_bounded, X(1), X(128), 0, args);
    RETURNS(cudaErrorLaunchOutOfResources, cudaGetLastError());
    OK(cudaDeviceSynchronize());
    call(&host_missing, ONE, ONE, 0, NULL);
    RETURNS(cudaErrorInvalidDeviceFunction, cudaGetLastError());
    RETURNS(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&n, ONE, ONE, NULL, 0, NULL));
    RETURNS(cudaErrorMissingConfiguration,
            __cudaPopCallConfiguration(&(dim3){0, 0, 0}, &(dim3){0, 0, 0}, &(size_t){0}, &p));
    OK(cudaFuncSetAttribute(&host_reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    OK(cudaFuncGetAttributes(&a, &host_reverse));
    REQUIRE(a.maxDynamicSharedSizeBytes == 100000 && a.ptxVersion == 75 && a.binaryVersion == 80);
    REQUIRE(a.maxThreadsPerBlock == 1024 && a.numRegs > 0);
    n = 64;
    cudaGetLastError();
    call(&host_reverse, ONE, X(64), 100000, args);
    OK(cudaGetLastError());
    REQUIRE(word(p, 0) == 63);
    OK(cudaFuncGetAttributes(&a, &host_bounded));
    REQUIRE(a.maxThreadsPerBlock == 64);
    RETURNS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, &n));
}

static void launch_errors_are_asked_for_and_gone(void **state)
{
    (void)state;
    cut_passes(body_configuration, NULL);
}

static void body_sticky(void)
{
    unsigned *nowhere = (unsigned *)64, v = 1;
    void *p;
    start();
    unsigned *a = words(4);
    call(&host_store, ONE, ONE, 0, (void *[]){&nowhere, &v});
    OK(cudaGetLastError()); /* the launch itself went well */
    OK(cudaPeekAtLastError());
    RETURNS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    RETURNS(cudaErrorIllegalAddress, cudaGetLastError());
    RETURNS(cudaErrorIllegalAddress, cudaGetLastError()); /* it does not go away */
    RETURNS(cudaErrorIllegalAddress, cudaMalloc(&p, 4));
    RETURNS(cudaErrorIllegalAddress, cudaMemcpy(&v, a, 4, cudaMemcpyDeviceToHost));
    RETURNS(cudaErrorIllegalAddress, cudaPeekAtLastError());
    call(&host_fill, ONE, X(4), 0, (void *[]){&a, &v, &v});
    RETURNS(cudaErrorIllegalAddress, cudaGetLastError());
    OK(cudaDeviceReset());
    OK(cudaGetLastError());
    a = words(4); /* a new context, and the kernels are loaded into it */
    call(&host_fill, ONE, X(4), 0, (void *[]){&a, &v, &(unsigned){4}});
    OK(cudaDeviceSynchronize());
    REQUIRE(word(a, 3) == 1);
    call(&host_claim, ONE, ONE, 0, (void *[]){&(unsigned){0}});
    RETURNS(cudaErrorAssert, cudaDeviceSynchronize());
    OK(cudaDeviceReset());
    call(&host_stop, ONE, ONE, 0, NULL);
    RETURNS(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    OK(cudaDeviceReset());
    OK(cudaDeviceSynchronize());
}

static void a_fault_stays_until_the_device_is_reset(void **state)
{
    (void)state;
    cut_passes(body_sticky, NULL);
}

static void body_blocking(void)
{
    unsigned *nowhere = (unsigned *)64, v = 1;
    start();
    call(&host_store, ONE, ONE, 0, (void *[]){&nowhere, &v});
    RETURNS(cudaErrorIllegalAddress, cudaGetLastError());
}

static void launch_blocking_shows_a_fault_at_once(void **state)
{
    (void)state;
    cut_passes(body_blocking, ENV("CUDA_LAUNCH_BLOCKING=1"));
}

static void body_symbols(void)
{
    unsigned table[4] = {9, 8, 7, 6}, got[4];
    void *at;
    size_t bytes;
    start();
    OK(cudaGetSymbolSize(&bytes, &shadow_table));
    REQUIRE(bytes == 16);
    OK(cudaGetSymbolAddress(&at, &shadow_table));
    REQUIRE(word(at, 2) == 4);
    OK(cudaMemcpyToSymbol(&shadow_table, table, 16, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(&shadow_table, table, 4, 12, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(got, &shadow_table, 8, 8, cudaMemcpyDeviceToHost));
    REQUIRE(got[0] == 7 && got[1] == 9);
    RETURNS(cudaErrorInvalidValue,
            cudaMemcpyToSymbol(&shadow_table, table, 16, 4, cudaMemcpyHostToDevice));
    RETURNS(cudaErrorInvalidMemcpyDirection,
            cudaMemcpyToSymbol(&shadow_table, table, 16, 0, cudaMemcpyDeviceToHost));
    RETURNS(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&at, &bytes));
    unsigned *a = words(4);
    OK(cudaMemcpyToSymbolAsync(&shadow_factor, &(unsigned){3}, 4, 0, cudaMemcpyHostToDevice, NULL));
    OK(cudaMemcpy(a, table, 16, cudaMemcpyHostToDevice));
    call(&host_scale, ONE, X(4), 0, (void *[]){&a, &(unsigned){4}});
    REQUIRE(word(a, 0) == 27);
}

static void symbols_are_found_by_their_shadow(void **state)
{
    (void)state;
    cut_passes(body_symbols, NULL);
}

static void body_managed(void)
{
    struct cudaPointerAttributes a;
    start();
    REQUIRE(__cudaInitModule(handle) != 0);
    REQUIRE(managed_word != NULL && *(unsigned *)managed_word == 5);
    *(unsigned *)managed_word = 20;
    call(&host_bump, ONE, ONE, 0, NULL);
    OK(cudaDeviceSynchronize());
    REQUIRE(*(unsigned *)managed_word == 21);
    OK(cudaPointerGetAttributes(&a, managed_word));
    REQUIRE(a.type == cudaMemoryTypeManaged && a.device == 0 && a.hostPointer == managed_word);
    OK(cudaDeviceReset());
    call(&host_bump, ONE, ONE, 0, NULL); /* the variable begins anew */
    OK(cudaDeviceSynchronize());
    REQUIRE(*(unsigned *)managed_word == 6);
}

static void managed_variables_are_shared(void **state)
{
    (void)state;
    cut_passes(body_managed, NULL);
}

static void body_wrong_binary(void)
{
    register_all(cut_ptx, 90);
    call(&host_stop, ONE, ONE, 0, NULL);
    RETURNS(cudaErrorNoKernelImageForDevice, cudaGetLastError());
    OK(cudaDeviceSynchronize());
    call(&host_stop, ONE, ONE, 0, NULL);
    RETURNS(cudaErrorNoKernelImageForDevice, cudaGetLastError());
    REQUIRE(__cudaInitModule(handle) == 0);
}

static void a_binary_for_another_chip_is_no_kernel_image(void **state)
{
    (void)state;
    cut_passes(body_wrong_binary, NULL);
    cut_says(&cut_err, "PTX for sm_90");
}

static void body_graph(void)
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaGraphNode_t node, copy, nodes[4];
    struct cudaKernelNodeParams p;
    unsigned v = 5, n = 16, host[16] = {0};
    size_t count = 4;
    start();
    unsigned *a = words(16);
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaLaunchKernel(&host_fill, ONE, X(16), (void *[]){&a, &v, &n}, 0, s));
    OK(cudaMemcpyAsync(host, a, sizeof(host), cudaMemcpyDeviceToHost, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetNodes(g, nodes, &count));
    REQUIRE(count == 2);
    OK(cudaGraphKernelNodeGetParams(nodes[0], &p));
    REQUIRE(p.func == &host_fill && p.blockDim.x == 16);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    REQUIRE(host[15] == 5);
    v = 6;
    p.kernelParams = (void *[]){&a, &v, &n};
    OK(cudaGraphExecKernelNodeSetParams(e, nodes[0], &p));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    REQUIRE(host[15] == 6);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    /* By hand, with the generic call. */
    struct cudaGraphNodeParams generic = {.type = cudaGraphNodeTypeKernel};
    generic.kernel = p;
    generic.kernel.func = &host_fill;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddNode(&node, g, NULL, NULL, 0, &generic));
    OK(cudaGraphAddMemcpyNode1D(&copy, g, &node, 1, host, a, 8, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&copy, g, &copy, 1, host + 2, &shadow_table, 8, 4,
                                        cudaMemcpyDeviceToHost));
    struct cudaMemcpy3DParms line;
    OK(cudaGraphMemcpyNodeGetParams(copy, &line));
    REQUIRE(line.kind == cudaMemcpyDeviceToHost && line.dstPtr.ptr == host + 2);
    OK(cudaGraphInstantiate(&e, g, 0));
    memset(host, 0, sizeof(host));
    OK(cudaGraphLaunch(e, NULL));
    OK(cudaDeviceSynchronize());
    REQUIRE(host[1] == 6 && host[2] == 1 && host[3] == 4 && host[4] == 0);
}

static void graphs_know_host_functions_and_symbols(void **state)
{
    (void)state;
    cut_passes(body_graph, NULL);
}

static void body_mixed(void)
{
    CUcontext primary, c;
    CUdeviceptr at;
    unsigned v = 3;
    start();
    unsigned *a = words(4); /* the runtime made the primary context current */
    OK(cuCtxGetCurrent(&c));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    REQUIRE(c == primary);
    OK(cuMemsetD32_v2((CUdeviceptr)(uintptr_t)a, 8, 4));
    REQUIRE(word(a, 3) == 8);
    OK(cuMemAlloc_v2(&at, 16));
    call(&host_fill, ONE, X(4), 0, (void *[]){&at, &v, &(unsigned){4}});
    OK(cudaDeviceSynchronize());
    OK(cudaFree((void *)(uintptr_t)at));
    /* A context of the driver's is used as well. */
    OK(cuCtxCreate_v4(&c, NULL, 0, 0));
    a = words(4);
    call(&host_fill, ONE, X(4), 0, (void *[]){&a, &v, &(unsigned){4}});
    REQUIRE(word(a, 0) == 3);
    OK(cuCtxDestroy_v2(c));
    RETURNS(cudaErrorInvalidValue, cudaFree(a));
}

static void runtime_and_driver_share_contexts(void **state)
{
    (void)state;
    cut_passes(body_mixed, NULL);
}

static void *other_thread(void *data)
{
    unsigned *a = *(unsigned **)data, v = 7;
    OK(cudaGetLastError()); /* the other thread's error is not ours */
    call(&host_fill, ONE, X(4), 0, (void *[]){&a, &v, &(unsigned){4}});
    OK(cudaDeviceSynchronize());
    return NULL;
}

static void body_threads(void)
{
    pthread_t t;
    void *p;
    start();
    unsigned *a = words(4);
    RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 50));
    REQUIRE(pthread_create(&t, NULL, other_thread, &a) == 0);
    pthread_join(t, NULL);
    REQUIRE(word(a, 3) == 7);
    RETURNS(cudaErrorMemoryAllocation, cudaGetLastError());
}

static void the_last_error_is_the_threads_own(void **state)
{
    (void)state;
    cut_passes(body_threads, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_program_like_nvccs_runs),
    cmocka_unit_test(launch_errors_are_asked_for_and_gone),
    cmocka_unit_test(a_fault_stays_until_the_device_is_reset),
    cmocka_unit_test(launch_blocking_shows_a_fault_at_once),
    cmocka_unit_test(symbols_are_found_by_their_shadow),
    cmocka_unit_test(managed_variables_are_shared),
    cmocka_unit_test(a_binary_for_another_chip_is_no_kernel_image),
    cmocka_unit_test(graphs_know_host_functions_and_symbols),
    cmocka_unit_test(runtime_and_driver_share_contexts),
    cmocka_unit_test_teardown(the_last_error_is_the_threads_own, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
