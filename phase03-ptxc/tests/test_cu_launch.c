/* Launches: parameters, limits, faults and how long they last, what kernels print. */
#include <string.h>

#include "cu_testing.h"

#define ENV(...)                                                                                   \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void body_params(void)
{
    CUmodule m;
    CUdeviceptr a, b, c;
    unsigned n = 1000;
    cut_context();
    m = cut_module();
    a = cut_words(1024, 3);
    b = cut_words(1024, 4);
    c = cut_words(1024, 0);
    CUfunction add = cut_function(m, "add");
    OK(cut_launch(add, 4, 256, (void *[]){&a, &b, &c, &n}));
    REQUIRE(cut_word(c, 0) == 7 && cut_word(c, 999) == 7 && cut_word(c, 1000) == 0);
    struct {
        CUdeviceptr a, b, c;
        unsigned n;
    } block = {a, c, b, 1024};
    size_t bytes = sizeof(block);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, extra));
    REQUIRE(cut_word(b, 0) == 10 && cut_word(b, 1023) == 3);
    bytes = 8;
    RETURNS(CUDA_ERROR_INVALID_VALUE,
            cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, extra));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cut_launch(add, 1, 1, NULL));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cut_launch((CUfunction)&n, 1, 1, NULL));
}

static void parameters_come_as_pointers_or_as_a_block(void **state)
{
    (void)state;
    cut_passes(body_params, NULL);
}

static void body_symbols(void)
{
    CUmodule m;
    CUdeviceptr out, at;
    size_t bytes;
    cut_context();
    m = cut_module();
    out = cut_words(4, 0);
    OK(cut_launch(cut_function(m, "copy_table"), 1, 4, (void *[]){&out}));
    REQUIRE(cut_word(out, 0) == 3 && cut_word(out, 2) == 4);
    OK(cuModuleGetGlobal_v2(&at, &bytes, m, "factor"));
    OK(cuMemsetD32_v2(at, 100, 1));
    OK(cut_launch(cut_function(m, "scale"), 1, 4, (void *[]){&out, &(unsigned){4}}));
    REQUIRE(cut_word(out, 0) == 300 && cut_word(out, 3) == 100);
}

static void the_host_reads_and_writes_a_modules_variables(void **state)
{
    (void)state;
    cut_passes(body_symbols, NULL);
}

static void body_limits(void)
{
    CUmodule m;
    CUdeviceptr out;
    int v;
    unsigned n = 4;
    cut_context();
    m = cut_module();
    out = cut_words(1024, 0);
    CUfunction f = cut_function(m, "fill"), bounded = cut_function(m, "bounded");
    CUfunction reverse = cut_function(m, "reverse");
    void *args[] = {&out, &n, &n};
#define TRY(gx, gy, gz, bx, by, bz, shared)                                                        \
    cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, NULL, args, NULL)
    OK(TRY(1, 65535, 1, 1, 1, 1, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(1, 65536, 1, 1, 1, 1, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(1, 1, 65536, 1, 1, 1, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(0, 1, 1, 1, 1, 1, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(1, 1, 1, 1, 0, 1, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(1, 1, 1, 1025, 1, 1, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(1, 1, 1, 32, 33, 1, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(1, 1, 1, 1, 1, 65, 0));
    OK(TRY(1, 1, 1, 1, 1, 1, 49152));
    RETURNS(CUDA_ERROR_INVALID_VALUE, TRY(1, 1, 1, 1, 1, 1, 49153));
#undef TRY
    RETURNS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, cut_launch(bounded, 1, 65, args));
    OK(cut_launch(bounded, 1, 64, args));
    OK(cuCtxSynchronize()); /* none of it was a fault */

    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded));
    REQUIRE(v == 64);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, reverse));
    REQUIRE(v == 49152);
    OK(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 160000));
    RETURNS(CUDA_ERROR_INVALID_VALUE,
            cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 166913));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_NUM_REGS, 32));
    n = 128;
    OK(cuLaunchKernel(reverse, 1, 1, 1, 128, 1, 1, 160000, NULL, args, NULL));
    REQUIRE(cut_word(out, 0) == 127 && cut_word(out, 127) == 0);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_PTX_VERSION, f));
    REQUIRE(v == 75);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_BINARY_VERSION, f));
    REQUIRE(v == 80);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX, f));
}

static void a_launch_that_cannot_be_is_refused_at_once(void **state)
{
    (void)state;
    cut_passes(body_limits, NULL);
}

static void body_occupancy(void)
{
    CUmodule m;
    int blocks, grid, block;
    size_t room;
    cut_context();
    m = cut_module();
    CUfunction f = cut_function(m, "fill"), bounded = cut_function(m, "bounded");
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, 0));
    REQUIRE(blocks == 8); /* 2048 threads */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 0));
    REQUIRE(blocks == 32);
    /* 164 KiB of shared memory, 1 KiB of each block is the system's. */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 40 << 10));
    REQUIRE(blocks == 4);
    RETURNS(CUDA_ERROR_INVALID_VALUE,
            cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 0, 0));
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
    REQUIRE(block == 1024 && grid == 2 * 108);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, bounded, NULL, 0, 0));
    REQUIRE(block == 64 && grid == 32 * 108);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 128));
    REQUIRE(block == 128 && grid == 16 * 108);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&room, f, 4, 256));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, room));
    REQUIRE(blocks >= 4);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, room + 1));
    REQUIRE(blocks < 4);
}

static void occupancy_follows_threads_and_shared_memory(void **state)
{
    (void)state;
    cut_passes(body_occupancy, NULL);
}

static void body_cooperative(void)
{
    CUmodule m;
    CUdeviceptr out;
    unsigned n = 1;
    cut_context();
    m = cut_module();
    out = cut_words(1, 0);
    CUfunction f = cut_function(m, "fill");
    void *args[] = {&out, &n, &n};
    OK(cuLaunchCooperativeKernel(f, 216, 1, 1, 1024, 1, 1, 0, NULL, args));
    RETURNS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
            cuLaunchCooperativeKernel(f, 217, 1, 1, 1024, 1, 1, 0, NULL, args));
    CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    CUlaunchConfig c = {217, 1, 1, 1024, 1, 1, 0, NULL, &a, 1};
    RETURNS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchKernelEx(&c, f, args, NULL));
    a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    a.value.clusterDim.x = a.value.clusterDim.y = a.value.clusterDim.z = 1;
    OK(cuLaunchKernelEx(&c, f, args, NULL));
    a.value.clusterDim.x = 2;
    RETURNS(CUDA_ERROR_NOT_SUPPORTED, cuLaunchKernelEx(&c, f, args, NULL));
    OK(cuCtxSynchronize());
}

static void cooperative_launches_must_fit(void **state)
{
    (void)state;
    cut_passes(body_cooperative, NULL);
}

/* --- faults --- */

/* A fault shows at the next call that waits, then everywhere, until the context goes. */
static void faults(const char *kernel, void **args, CUresult want)
{
    CUcontext ctx = cut_context();
    CUmodule m = cut_module();
    CUdeviceptr a = cut_words(4, 0), b;
    unsigned word = 1;
    CUstream s;
    OK(cut_launch(cut_function(m, kernel), 1, 1, args));
    OK(cuStreamCreate(&s, 0)); /* does not wait */
    OK(cut_launch(cut_function(m, "fill"), 1, 4,
                  (void *[]){&a, &(unsigned){9}, &(unsigned){4}})); /* is not executed */
    OK(cuMemsetD32Async(a, 8, 4, s));
    RETURNS(want, cuCtxSynchronize());
    RETURNS(want, cuCtxSynchronize());
    RETURNS(want, cuMemAlloc_v2(&b, 4));
    RETURNS(want, cuMemcpyDtoH_v2(&word, a, 4));
    RETURNS(want, cuStreamSynchronize(s));
    RETURNS(want, cuStreamDestroy_v2(s));
    RETURNS(want, cuModuleLoadData(&m, cut_ptx));
    REQUIRE(word == 1);
    OK(cuCtxDestroy_v2(ctx));
    cut_context();
    m = cut_module();
    b = cut_words(4, 0);
    OK(cut_launch(cut_function(m, "fill"), 1, 4, (void *[]){&b, &(unsigned){9}, &(unsigned){4}}));
    REQUIRE(cut_word(b, 3) == 9);
}

static void body_illegal(void)
{
    faults("store", (void *[]){&(CUdeviceptr){64}, &(unsigned){1}}, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void body_misaligned(void)
{
    faults("store", (void *[]){&(CUdeviceptr){65}, &(unsigned){1}}, CUDA_ERROR_MISALIGNED_ADDRESS);
}

static void body_trap(void)
{
    faults("stop", NULL, CUDA_ERROR_LAUNCH_FAILED);
}

static void body_assert(void)
{
    faults("claim", (void *[]){&(unsigned){0}}, CUDA_ERROR_ASSERT);
}

static void body_forever(void)
{
    faults("forever", NULL, CUDA_ERROR_LAUNCH_TIMEOUT);
}

static void a_fault_shows_when_somebody_waits_and_stays(void **state)
{
    (void)state;
    cut_passes(body_illegal, NULL);
    cut_says(&cut_err, "vgpu: kernel store stopped, block (0,0,0) thread (0,0,0): ");
    cut_says(&cut_err, "st.global.u32 [%rd1], %r1;");
    cut_passes(body_misaligned, NULL);
    cut_passes(body_trap, NULL);
    cut_passes(body_assert, NULL);
    cut_says(&cut_err,
             "claim.cu:7: claim: block: [0,0,0], thread: [0,0,0] Assertion `v !=0` failed.");
    cut_passes(body_forever, ENV("VGPU_BUDGET=100000"));
    cut_says(&cut_err, "budget of 100000 warp instructions");
}

static void body_blocking(void)
{
    CUdeviceptr nowhere = 64;
    CUmodule m;
    cut_context();
    m = cut_module();
    RETURNS(CUDA_ERROR_ILLEGAL_ADDRESS,
            cut_launch(cut_function(m, "store"), 1, 1, (void *[]){&nowhere, &(unsigned){1}}));
    RETURNS(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc_v2(&nowhere, 4));
}

static void launch_blocking_shows_it_at_the_launch(void **state)
{
    (void)state;
    cut_passes(body_blocking, ENV("CUDA_LAUNCH_BLOCKING=1"));
}

static void body_use_after_free(void)
{
    CUdeviceptr a;
    CUmodule m;
    cut_context();
    m = cut_module();
    a = cut_words(100, 0);
    OK(cuMemFree_v2(a));
    OK(cut_launch(cut_function(m, "store"), 1, 1, (void *[]){&a, &(unsigned){1}}));
    RETURNS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    OK(cuDevicePrimaryCtxReset_v2(0));
}

static void checks_are_made_and_their_findings_printed(void **state)
{
    (void)state;
    cut_passes(body_use_after_free, ENV("VGPU_CHECK=mem"));
    cut_says(&cut_err, "store");
    cut_says(&cut_err, "1 finding");
}

/* --- output --- */

static void body_printf(void)
{
    CUmodule m;
    cut_context();
    m = cut_module();
    CUfunction print = cut_function(m, "print");
    OK(cut_launch(print, 12, 1, NULL));
    fputs("host\n", stdout);
    OK(cuCtxSynchronize());
    fputs("after\n", stdout);
    fflush(stdout);
    OK(cut_launch(print, 1, 1, NULL)); /* nobody waits for this one */
}

static void printed_lines_appear_in_block_order_at_the_wait(void **state)
{
    (void)state;
    cut_passes(body_printf, ENV("VGPU_THREADS=4"));
    assert_string_equal(lab_buf_str(&cut_out),
                        "host\nblock 0\nblock 1\nblock 2\nblock 3\nblock 4\nblock 5\nblock 6\n"
                        "block 7\nblock 8\nblock 9\nblock 10\nblock 11\nafter\n");
}

/* --- the report --- */

static void body_report(void)
{
    CUmodule m;
    CUdeviceptr a;
    cut_context();
    m = cut_module();
    a = cut_words(256, 0);
    CUfunction fill = cut_function(m, "fill");
    void *args[] = {&a, &(unsigned){1}, &(unsigned){256}};
    OK(cut_launch(fill, 2, 128, args));
    OK(cut_launch(fill, 1, 64, args));
    OK(cut_launch(cut_function(m, "count"), 1, 32, args));
    OK(cuModuleUnload(m)); /* its lines are still needed */
}

static void the_report_counts_each_kernel(void **state)
{
    (void)state;
    cut_passes(body_report, ENV("VGPU_REPORT=csv", "VGPU_LINES=2"));
    cut_says(&cut_err, "fill,2,\"2,1,1+\",\"128,1,1+\",0,");
    cut_says(&cut_err, ",spread,\n");
    cut_says(&cut_err, "count,1,\"1,1,1\",\"32,1,1\",0,");
    cut_says(&cut_err, ",serial,atom.global.add.u32");
    /* 10 stores of 32 words: 10 requests of 4 sectors. */
    cut_says(&cut_err, "fill,0,0,,,0,10,40,4.00,100.00,0,0\n");
    cut_says(&cut_err, "# kernel: fill\n# table: ptx");
    assert_null(strstr(lab_buf_str(&cut_err), "# table: shared")); /* no rows */
    cut_passes(body_report, ENV("VGPU_REPORT=json"));
    cut_says(&cut_err, "{\"program\":\"vgpu run\",\"device\":\"a100\",\"tables\":[");
    cut_passes(body_report, NULL);
    assert_int_equal(cut_err.len, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parameters_come_as_pointers_or_as_a_block),
    cmocka_unit_test(the_host_reads_and_writes_a_modules_variables),
    cmocka_unit_test(a_launch_that_cannot_be_is_refused_at_once),
    cmocka_unit_test(occupancy_follows_threads_and_shared_memory),
    cmocka_unit_test(cooperative_launches_must_fit),
    cmocka_unit_test(a_fault_shows_when_somebody_waits_and_stays),
    cmocka_unit_test(launch_blocking_shows_it_at_the_launch),
    cmocka_unit_test(checks_are_made_and_their_findings_printed),
    cmocka_unit_test(printed_lines_appear_in_block_order_at_the_wait),
    cmocka_unit_test_teardown(the_report_counts_each_kernel, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
