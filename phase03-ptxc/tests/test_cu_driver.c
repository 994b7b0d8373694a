/* The driver API: devices, contexts, modules, launches. */
#include <string.h>

#include "cu_testing.h"

#define ENV(...)                                                                                   \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* --- devices --- */

static void body_before_init(void)
{
    int n;
    CUcontext c;
    RETURNS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&n));
    RETURNS(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&c));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    OK(cuInit(0));
    OK(cuDriverGetVersion(&n));
    REQUIRE(n == 13000);
    RETURNS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
}

static void nothing_works_before_init(void **state)
{
    (void)state;
    cut_passes(body_before_init, NULL);
}

static void body_device(void)
{
    CUdevice d;
    CUuuid uuid;
    CUdevprop p;
    char name[64], bus[16];
    int a, b;
    size_t bytes;
    OK(cuInit(0));
    OK(cuDeviceGetCount(&a));
    REQUIRE(a == 1);
    RETURNS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&d, 1));
    RETURNS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&d, -1));
    OK(cuDeviceGet(&d, 0));
    OK(cuDeviceGetName(name, sizeof(name), d));
    REQUIRE(strcmp(name, "NVIDIA A100-SXM4-80GB (software)") == 0);
    OK(cuDeviceGetName(name, 7, d));
    REQUIRE(strcmp(name, "NVIDIA") == 0);
    OK(cuDeviceTotalMem_v2(&bytes, d));
    REQUIRE(bytes == 80ull << 30);
    OK(cuDeviceGetUuid_v2(&uuid, d));
    REQUIRE(memcmp(uuid.bytes, "vgpua100\0\0\0\0\0\0\0\0", 16) == 0);
    OK(cuDeviceGetPCIBusId(bus, sizeof(bus), d));
    OK(cuDeviceGetByPCIBusId(&d, bus));
    REQUIRE(d == 0);
    OK(cuDeviceComputeCapability(&a, &b, d));
    REQUIRE(a == 8 && b == 0);
    OK(cuDeviceGetProperties(&p, d));
    REQUIRE(p.SIMDWidth == 32 && p.maxThreadsPerBlock == 1024 && p.maxGridSize[1] == 65535);
    OK(cuDeviceCanAccessPeer(&a, 0, 0));
    REQUIRE(a == 0);
}

static void the_device_describes_itself(void **state)
{
    (void)state;
    cut_passes(body_device, NULL);
}

static void body_attributes(void)
{
    int v;
    OK(cuInit(0));
#define IS(name, want)                                                                             \
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_##name, 0));                                   \
    REQUIRE(v == (want))
    IS(MULTIPROCESSOR_COUNT, 40);
    IS(COMPUTE_CAPABILITY_MAJOR, 7);
    IS(COMPUTE_CAPABILITY_MINOR, 5);
    IS(MAX_THREADS_PER_MULTIPROCESSOR, 1024);
    IS(MAX_SHARED_MEMORY_PER_BLOCK, 49152);
    IS(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 65536);
    IS(WARP_SIZE, 32);
    IS(CLUSTER_LAUNCH, 0);
    IS(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 32);
#undef IS
    for (int a = 1; a < CU_DEVICE_ATTRIBUTE_MAX; a++) {
        OK(cuDeviceGetAttribute(&v, (CUdevice_attribute)a, 0));
    }
    RETURNS(CUDA_ERROR_INVALID_VALUE,
            cuDeviceGetAttribute(&v, (CUdevice_attribute)CU_DEVICE_ATTRIBUTE_MAX, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&v, (CUdevice_attribute)0, 0));
}

static void attributes_are_those_of_the_chip_asked_for(void **state)
{
    (void)state;
    cut_passes(body_attributes, ENV("VGPU_DEVICE=t4"));
}

static void body_no_device(void)
{
    RETURNS(CUDA_ERROR_NO_DEVICE, cuInit(0));
}

static void body_has_device(void)
{
    OK(cuInit(0));
}

static void visible_devices_hide_the_device(void **state)
{
    (void)state;
    cut_passes(body_no_device, ENV("CUDA_VISIBLE_DEVICES="));
    cut_passes(body_no_device, ENV("CUDA_VISIBLE_DEVICES=-1"));
    cut_passes(body_no_device, ENV("CUDA_VISIBLE_DEVICES=1,0"));
    cut_passes(body_no_device, ENV("CUDA_VISIBLE_DEVICES=00"));
    cut_passes(body_has_device, ENV("CUDA_VISIBLE_DEVICES=0"));
    cut_passes(body_has_device, ENV("CUDA_VISIBLE_DEVICES=0,1"));
    cut_passes(body_has_device, ENV("CUDA_VISIBLE_DEVICES=GPU-76677075"));
    cut_passes(body_no_device, ENV("CUDA_VISIBLE_DEVICES=GPU-1"));
}

static void a_wrong_variable_is_named(void **state)
{
    (void)state;
    cut_passes(body_no_device, ENV("VGPU_DEVICE=a10"));
    cut_says(&cut_err, "vgpu: VGPU_DEVICE=a10: no such chip, expected one of t4, a100");
    cut_passes(body_no_device, ENV("VGPU_CHECK=mem,rice"));
    cut_says(&cut_err, "vgpu: VGPU_CHECK: rice is no check, expected mem, race, sync, init or all");
    cut_passes(body_no_device, ENV("VGPU_THREADS=many"));
    cut_says(&cut_err, "vgpu: VGPU_THREADS=many: expected a number from 0 to 1024");
    cut_passes(body_no_device, ENV("VGPU_REPORT=xml"));
    cut_passes(body_no_device, ENV("VGPU_POLICY=fair"));
    cut_passes(body_no_device, ENV("VGPU_BUDGET=-1"));
}

/* --- errors --- */

static void body_errors(void)
{
    const char *text;
    OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    REQUIRE(strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
    OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    REQUIRE(strcmp(text, "an illegal memory access was encountered") == 0);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
    REQUIRE(text == NULL);
    REQUIRE(strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration),
                   "cudaErrorInvalidConfiguration") == 0);
    REQUIRE(strcmp(cudaGetErrorString(cudaErrorNoDevice), "no CUDA-capable device is detected") ==
            0);
    REQUIRE(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
}

static void errors_have_names_and_messages(void **state)
{
    (void)state;
    cut_passes(body_errors, NULL);
}

static void body_stub(void)
{
    CUresult (*create)(void) = NULL;
    CUdriverProcAddressQueryResult s;
    OK(cuInit(0));
    OK(cuGetProcAddress_v2("cuTexObjectCreate", (void **)&create, 13000, 0, &s));
    REQUIRE(create != NULL);
    RETURNS(CUDA_ERROR_NOT_SUPPORTED, create());
    RETURNS(CUDA_ERROR_NOT_SUPPORTED, create());
    RETURNS(CUDA_ERROR_NOT_SUPPORTED, cuGetExportTable(NULL, NULL));
}

static void what_is_not_provided_says_so_once(void **state)
{
    (void)state;
    cut_passes(body_stub, NULL);
    cut_says(&cut_err, "vgpu: cuTexObjectCreate is not provided by the software GPU\n");
    const char *first = strstr(lab_buf_str(&cut_err), "cuTexObjectCreate");
    assert_null(strstr(first + 1, "cuTexObjectCreate"));
    cut_says(&cut_err, "nvcc -cudart shared");
}

static void body_proc(void)
{
    CUdriverProcAddressQueryResult s;
    void *p = NULL, *old = NULL;
    OK(cuGetProcAddress_v2("cuMemAlloc", &p, 13000, 0, &s));
    REQUIRE(s == CU_GET_PROC_ADDRESS_SUCCESS && p == (void *)cuMemAlloc_v2);
    OK(cuGetProcAddress_v2("cuCtxCreate", &p, 13000, 0, &s));
    REQUIRE(p == (void *)cuCtxCreate_v4);
    OK(cuGetProcAddress_v2("cuCtxCreate", &old, 11000, 0, &s));
    REQUIRE(old == (void *)cuCtxCreate_v2);
    OK(cuGetProcAddress_v2("cuGraphCreate", &p, 9000, 0, &s));
    REQUIRE(s == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT && p == NULL);
    OK(cuGetProcAddress_v2("cuNothing", &p, 13000, 0, &s));
    REQUIRE(s == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && p == NULL);
    RETURNS(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothing", &p, 13000, 0));
    OK(cuGetProcAddress_v2("cuStreamQuery", &p, 13000, 0, &s));
    OK(cuGetProcAddress_v2("cuStreamQuery", &old, 13000,
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &s));
    REQUIRE(p == (void *)cuStreamQuery && old != NULL && old != p);
}

static void calls_are_found_by_name_and_version(void **state)
{
    (void)state;
    cut_passes(body_proc, NULL);
}

/* --- contexts --- */

static void body_contexts(void)
{
    CUcontext a, b, c, primary;
    unsigned flags;
    int active;
    size_t limit;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&a, CU_CTX_SCHED_SPIN, 0));
    OK(cuCtxCreate_v4(&b, NULL, 0, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(&c, 0x1000, 0));
    OK(cuCtxGetCurrent(&c));
    REQUIRE(c == b);
    OK(cuCtxPopCurrent_v2(&c));
    OK(cuCtxGetCurrent(&c));
    REQUIRE(c == a);
    OK(cuCtxGetFlags(&flags));
    REQUIRE(flags == CU_CTX_SCHED_SPIN);
    OK(cuCtxSetCurrent(b));
    OK(cuCtxDestroy_v2(b));
    RETURNS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxDestroy_v2(b));
    RETURNS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxPushCurrent_v2(b));
    RETURNS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent_v2((CUcontext)&flags));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    REQUIRE(active == 0);
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    RETURNS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(primary));
    OK(cuCtxPushCurrent_v2(primary));
    OK(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
    REQUIRE(limit == 8u << 20);
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    OK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    REQUIRE(limit == 4096);
    RETURNS(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(CU_LIMIT_CIG_ENABLED, 1));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    RETURNS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    RETURNS(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    OK(cuDevicePrimaryCtxRetain(&c, 0));
    REQUIRE(c == primary); /* the handle stays */
    OK(cuCtxSynchronize());
}

static void contexts_come_and_go(void **state)
{
    (void)state;
    cut_passes(body_contexts, NULL);
}

static void body_context_owns(void)
{
    CUcontext ctx = cut_context();
    CUmodule m = cut_module();
    CUdeviceptr at = cut_words(1 << 20, 0);
    CUstream s;
    CUevent e;
    size_t before, after, total;
    OK(cuStreamCreate(&s, 0));
    OK(cuEventCreate(&e, 0));
    OK(cuMemGetInfo_v2(&before, &total));
    OK(cuCtxDestroy_v2(ctx));
    cut_context();
    OK(cuMemGetInfo_v2(&after, &total));
    REQUIRE(after >= before + (4u << 20));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(at));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(m));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(s));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuEventSynchronize(e));
}

static void what_a_context_owns_goes_with_it(void **state)
{
    (void)state;
    cut_passes(body_context_owns, NULL);
}

/* --- modules --- */

static void body_modules(void)
{
    CUmodule m;
    CUfunction f, all[20];
    CUdeviceptr at;
    const char *name;
    unsigned n;
    size_t bytes;
    cut_context();
    m = cut_module();
    RETURNS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, m, "nothing"));
    f = cut_function(m, "add");
    OK(cuFuncGetName(&name, f));
    REQUIRE(strcmp(name, "add") == 0);
    OK(cuFuncGetParamInfo(f, 3, &bytes, NULL));
    REQUIRE(bytes == 24);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(f, 4, &bytes, NULL));
    OK(cuModuleGetGlobal_v2(&at, &bytes, m, "table"));
    REQUIRE(bytes == 16 && cut_word(at, 2) == 4);
    RETURNS(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&at, &bytes, m, "chair"));
    OK(cuModuleGetFunctionCount(&n, m));
    REQUIRE(n == 13);
    OK(cuModuleEnumerateFunctions(all, n, m));
    REQUIRE(all[0] == f);
    OK(cuModuleUnload(m));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(m));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cut_launch(f, 1, 1, NULL));
}

static void modules_have_functions_and_variables(void **state)
{
    (void)state;
    cut_passes(body_modules, NULL);
}

static void body_bad_ptx(void)
{
    char log[256];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof(log)};
    CUmodule m;
    cut_context();
    RETURNS(
        CUDA_ERROR_INVALID_PTX,
        cuModuleLoadDataEx(&m, ".version 7.0\n.target sm_75\n.entri k() { }", 2, options, values));
    REQUIRE(strstr(log, "PTX:3:1:") != NULL);
    REQUIRE((size_t)(uintptr_t)values[1] == strlen(log) + 1);
    values[1] = (void *)(uintptr_t)10;
    RETURNS(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, "nonsense", 2, options, values));
    REQUIRE(strlen(log) == 9);
    RETURNS(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&m, ""));
    RETURNS(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n"));
    RETURNS(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&m, "/nowhere/k.ptx"));
    RETURNS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&m, "\177ELF and so on"));
}

static void bad_modules_are_refused_with_a_reason(void **state)
{
    (void)state;
    cut_passes(body_bad_ptx, NULL);
    cut_says(&cut_err, "/nowhere/k.ptx");
    cut_says(&cut_err, "machine code for a GPU");
}

static void body_fatbin(void)
{
    struct cut_fatbin f;
    CUmodule m;
    CUlibrary lib;
    cut_context();
    cut_fatbin_init(&f, cut_ptx, 75);
    OK(cuModuleLoadData(&m, &f)); /* the wrapper */
    cut_function(m, "add");
    OK(cuModuleLoadFatBinary(&m, f.data));
    cut_function(m, "fill");
    OK(cuLibraryLoadData(&lib, f.data, NULL, NULL, 0, NULL, NULL, 0));
    cut_fatbin_fini(&f);
    cut_fatbin_init(&f, cut_ptx, 90);
    RETURNS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&m, &f));
    f.bytes.data[16] = 1;
    f.bytes.data[20] = (char)0xff; /* the entry's header is longer than the file */
    RETURNS(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&m, &f));
    cut_fatbin_fini(&f);
}

static void fat_binaries_are_searched_for_ptx(void **state)
{
    (void)state;
    cut_passes(body_fatbin, NULL);
    cut_says(&cut_err, "PTX for sm_90, expected PTX for sm_80 or older");
}

static void body_link(void)
{
    CUlinkState s;
    CUmodule m;
    void *image;
    size_t bytes;
    cut_context();
    OK(cuLinkCreate_v2(0, NULL, NULL, &s));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(s, &image, &bytes));
    OK(cuLinkAddData_v2(s, CU_JIT_INPUT_PTX, (void *)(uintptr_t)cut_ptx, strlen(cut_ptx) + 1, "a",
                        0, NULL, NULL));
    OK(cuLinkComplete(s, &image, &bytes));
    OK(cuModuleLoadData(&m, image));
    cut_function(m, "add");
    RETURNS(CUDA_ERROR_NOT_SUPPORTED,
            cuLinkAddData_v2(s, CU_JIT_INPUT_PTX, (void *)(uintptr_t)cut_ptx, strlen(cut_ptx) + 1,
                             "b", 0, NULL, NULL));
    OK(cuLinkDestroy(s));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuLinkDestroy(s));
}

static void linking_passes_one_text_on(void **state)
{
    (void)state;
    cut_passes(body_link, NULL);
}

static void body_library(void)
{
    CUlibrary lib;
    CUkernel k, all[20];
    CUfunction f;
    CUdeviceptr at, managed;
    unsigned n;
    int value;
    size_t bytes;
    const char *name;
    void *args[] = {&at, &(unsigned){9}, &(unsigned){4}};
    OK(cuInit(0));
    OK(cuLibraryLoadData(&lib, cut_ptx, NULL, NULL, 0, NULL, NULL, 0)); /* needs no context */
    OK(cuLibraryGetKernelCount(&n, lib));
    OK(cuLibraryEnumerateKernels(all, n, lib));
    OK(cuLibraryGetKernel(&k, lib, "add"));
    REQUIRE(n == 13 && all[0] == k);
    OK(cuLibraryGetKernel(&k, lib, "fill"));
    RETURNS(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&k, lib, "nothing"));
    OK(cuLibraryGetKernel(&k, lib, "fill"));
    OK(cuKernelGetName(&name, k));
    REQUIRE(strcmp(name, "fill") == 0);
    cut_context();
    at = cut_words(4, 0);
    OK(cut_launch((CUfunction)k, 1, 4, args)); /* a kernel is launched like a function */
    REQUIRE(cut_word(at, 3) == 9);
    OK(cuKernelGetFunction(&f, k));
    OK(cut_launch(f, 1, 4, args));
    OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, k, 0));
    OK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 0));
    REQUIRE(value == 100000);
    OK(cuLibraryGetGlobal(&at, &bytes, lib, "table"));
    RETURNS(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&managed, &bytes, lib, "table"));
    OK(cuLibraryGetManaged(&managed, &bytes, lib, "shared_word"));
    REQUIRE(*(unsigned *)(uintptr_t)managed == 5); /* the host reads it */
    OK(cuLibraryGetKernel(&k, lib, "bump"));
    OK(cut_launch((CUfunction)k, 1, 1, NULL));
    OK(cuCtxSynchronize());
    REQUIRE(*(unsigned *)(uintptr_t)managed == 6);
    OK(cuLibraryUnload(lib));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuKernelGetName(&name, k));
}

static void libraries_work_in_any_context(void **state)
{
    (void)state;
    cut_passes(body_library, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_works_before_init),
    cmocka_unit_test(the_device_describes_itself),
    cmocka_unit_test(attributes_are_those_of_the_chip_asked_for),
    cmocka_unit_test(visible_devices_hide_the_device),
    cmocka_unit_test(a_wrong_variable_is_named),
    cmocka_unit_test(errors_have_names_and_messages),
    cmocka_unit_test(what_is_not_provided_says_so_once),
    cmocka_unit_test(calls_are_found_by_name_and_version),
    cmocka_unit_test(contexts_come_and_go),
    cmocka_unit_test(what_a_context_owns_goes_with_it),
    cmocka_unit_test(modules_have_functions_and_variables),
    cmocka_unit_test(bad_modules_are_refused_with_a_reason),
    cmocka_unit_test(fat_binaries_are_searched_for_ptx),
    cmocka_unit_test(linking_passes_one_text_on),
    cmocka_unit_test_teardown(libraries_work_in_any_context, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
