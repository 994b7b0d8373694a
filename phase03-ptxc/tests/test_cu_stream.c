/* Streams, events, host functions, stream capture, and several threads at once. */
#include <pthread.h>
#include <string.h>

#include "cu_testing.h"

/* --- streams and events --- */

static void body_streams(void)
{
    CUcontext ctx = cut_context(), c;
    CUstream s, t;
    unsigned flags;
    int p, least, greatest;
    unsigned long long id_s, id_t;
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    REQUIRE(least == 0 && greatest == -5);
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&t, 6));
    OK(cuStreamCreateWithPriority(&t, 0, -9));
    OK(cuStreamGetPriority(t, &p));
    REQUIRE(p == greatest);
    OK(cuStreamGetFlags(s, &flags));
    REQUIRE(flags == CU_STREAM_NON_BLOCKING);
    OK(cuStreamGetId(s, &id_s));
    OK(cuStreamGetId(t, &id_t));
    REQUIRE(id_s != id_t);
    OK(cuStreamGetCtx(s, &c));
    REQUIRE(c == ctx);
    OK(cuStreamQuery(s));
    OK(cuStreamQuery(NULL));
    OK(cuStreamQuery(CU_STREAM_PER_THREAD));
    OK(cuStreamSynchronize(CU_STREAM_LEGACY));
    OK(cuStreamDestroy_v2(s));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2(s));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery(s));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2(NULL));
}

static void streams_have_an_identity(void **state)
{
    (void)state;
    cut_passes(body_streams, NULL);
}

static void body_events(void)
{
    CUmodule m;
    CUevent a, b, untimed;
    CUdeviceptr at;
    float ms = -1, whole = -1;
    cut_context();
    m = cut_module();
    at = cut_words(1 << 16, 0);
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC));
    OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&b, 0x80));
    OK(cuEventQuery(a)); /* nothing is pending */
    OK(cuEventRecord(a, NULL));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&ms, a, b)); /* never recorded */
    OK(cut_launch(cut_function(m, "fill"), 256, 256,
                  (void *[]){&at, &(unsigned){1}, &(unsigned){1 << 16}}));
    OK(cuEventRecord(b, NULL));
    OK(cuEventSynchronize(b));
    OK(cuEventElapsedTime_v2(&ms, a, b));
    REQUIRE(ms > 0);
    OK(cuEventElapsedTime_v2(&whole, b, a));
    REQUIRE(whole == -ms);
    OK(cuEventRecord(untimed, NULL));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime_v2(&ms, a, untimed));
    OK(cuStreamWaitEvent(NULL, a, 0));
    OK(cuEventDestroy_v2(a));
    RETURNS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(a, NULL));
}

static void events_measure_what_lies_between(void **state)
{
    (void)state;
    cut_passes(body_events, NULL);
}

static int steps[8], nsteps;

static void step(void *data)
{
    CUcontext c;
    OK(cuCtxGetCurrent(&c)); /* a call in a host function does not hang */
    steps[nsteps++] = *(int *)data;
}

static void step_callback(CUstream s, CUresult status, void *data)
{
    (void)s;
    REQUIRE(status == CUDA_SUCCESS);
    step(data);
}

static void body_host_functions(void)
{
    CUmodule m;
    CUdeviceptr nowhere = 64;
    cut_context();
    m = cut_module();
    OK(cut_launch(cut_function(m, "print"), 1, 1, NULL));
    OK(cuLaunchHostFunc(NULL, step, &(int){1}));
    OK(cuStreamAddCallback(NULL, step_callback, &(int){2}, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(NULL, step_callback, &(int){2}, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(NULL, NULL, NULL));
    REQUIRE(nsteps == 2 && steps[0] == 1 && steps[1] == 2);
    OK(cut_launch(cut_function(m, "store"), 1, 1, (void *[]){&nowhere, &(unsigned){1}}));
    OK(cuLaunchHostFunc(NULL, step, &(int){3})); /* never comes */
    REQUIRE(nsteps == 2);
}

static void host_functions_run_in_order(void **state)
{
    (void)state;
    cut_passes(body_host_functions, NULL);
    assert_string_equal(lab_buf_str(&cut_out), "block 0\n"); /* before the host function */
}

/* --- capture --- */

/* s forks to t and joins again: fill, then two sets side by side, then a copy. */
static CUgraph capture_diamond(CUstream s, CUstream t, CUdeviceptr a, CUfunction fill)
{
    CUgraph g;
    CUevent forked, joined;
    void *args[] = {&a, &(unsigned){7}, &(unsigned){16}};
    OK(cuEventCreate(&forked, 0));
    OK(cuEventCreate(&joined, 0));
    OK(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuLaunchKernel(fill, 1, 1, 1, 16, 1, 1, 0, s, args, NULL));
    OK(cuEventRecord(forked, s));
    OK(cuStreamWaitEvent(t, forked, 0));
    OK(cuMemsetD32Async(a, 1, 4, s));
    OK(cuMemsetD32Async(a + 16, 2, 4, t));
    OK(cuEventRecord(joined, t));
    OK(cuStreamWaitEvent(s, joined, 0));
    OK(cuMemcpyAsync(a + 32, a, 32, s));
    OK(cuStreamEndCapture(s, &g));
    return g;
}

static void body_capture(void)
{
    CUmodule m;
    CUstream s, t;
    CUgraph g;
    CUgraphExec e;
    CUstreamCaptureStatus status;
    CUgraphNode nodes[8];
    size_t n = 8, edges;
    CUdeviceptr a;
    cut_context();
    m = cut_module();
    a = cut_words(16, 0);
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamCreate(&t, 0));
    g = capture_diamond(s, t, a, cut_function(m, "fill"));
    REQUIRE(cut_word(a, 0) == 0); /* nothing ran */
    OK(cuStreamIsCapturing(t, &status));
    REQUIRE(status == CU_STREAM_CAPTURE_STATUS_NONE);
    OK(cuGraphGetNodes(g, nodes, &n));
    OK(cuGraphGetEdges_v2(g, NULL, NULL, NULL, &edges));
    REQUIRE(n == 4 && edges == 4);
    OK(cuGraphGetRootNodes(g, NULL, &n));
    REQUIRE(n == 1);
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    OK(cuGraphDestroy(g)); /* the instance has a copy */
    for (int k = 0; k < 3; k++) {
        OK(cuMemsetD32_v2(a, 0, 16));
        OK(cuGraphLaunch(e, s));
        OK(cuStreamSynchronize(s));
        REQUIRE(cut_word(a, 0) == 1 && cut_word(a, 7) == 2 && cut_word(a, 8) == 1 &&
                cut_word(a, 15) == 2);
    }
    OK(cuGraphExecDestroy(e));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(e, s));
}

static void captured_work_becomes_a_graph(void **state)
{
    (void)state;
    cut_passes(body_capture, NULL);
}

static void body_capture_rules(void)
{
    CUstream s, t, free_stream;
    CUevent e, outside;
    CUgraph g;
    CUdeviceptr a, b;
    CUstreamCaptureStatus status;
    CUstreamCaptureMode mode;
    cut_context();
    a = cut_words(16, 0);
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamCreate(&t, 0));
    OK(cuStreamCreate(&free_stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    OK(cuEventCreate(&outside, 0));
    OK(cuEventRecord(outside, t));
#define BEGIN(stream, mode) OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_##mode))
#define END(want)                                                                                  \
    RETURNS(want, cuStreamEndCapture(s, &g));                                                      \
    REQUIRE((g == NULL) == ((want) != CUDA_SUCCESS))
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
            cuStreamBeginCapture_v2(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    RETURNS(CUDA_ERROR_ILLEGAL_STATE, cuStreamEndCapture(s, &g));
    BEGIN(s, GLOBAL);
    RETURNS(CUDA_ERROR_ILLEGAL_STATE, cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    END(CUDA_SUCCESS);
    OK(cuGraphDestroy(g));
    /* A stream that never comes back. */
    BEGIN(s, GLOBAL);
    OK(cuMemsetD32Async(a, 1, 4, s));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(t, e, 0));
    OK(cuMemsetD32Async(a, 2, 4, t));
    END(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    OK(cuStreamQuery(t)); /* which is free again */
    /* Asking a capturing stream or event. */
    BEGIN(s, GLOBAL);
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(s));
    OK(cuStreamIsCapturing(s, &status));
    REQUIRE(status == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuMemsetD32Async(a, 1, 4, s));
    END(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    BEGIN(s, GLOBAL);
    OK(cuEventRecord(e, s));
    RETURNS(CUDA_ERROR_CAPTURED_EVENT, cuEventSynchronize(e));
    END(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    /* Depending on work that is not captured, or captured elsewhere. */
    BEGIN(s, GLOBAL);
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(s, outside, 0));
    END(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    BEGIN(s, RELAXED);
    BEGIN(t, RELAXED);
    OK(cuEventRecord(e, t));
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_MERGE, cuStreamWaitEvent(s, e, 0));
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(t, &g));
    END(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    /* The legacy stream waits for blocking streams, so it must not be used. */
    BEGIN(s, RELAXED);
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuMemsetD32_v2(a, 1, 4));
    END(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    BEGIN(free_stream, RELAXED);
    OK(cuMemsetD32_v2(a, 1, 4));
    OK(cuStreamEndCapture(free_stream, &g));
    OK(cuGraphDestroy(g));
    /* Calls that could hide a wait. */
    BEGIN(s, GLOBAL);
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc_v2(&b, 4));
    END(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    BEGIN(s, GLOBAL);
    mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    REQUIRE(mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
    OK(cuMemAlloc_v2(&b, 4));
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    END(CUDA_SUCCESS);
    OK(cuGraphDestroy(g));
    BEGIN(s, RELAXED);
    OK(cuMemFree_v2(b));
    END(CUDA_SUCCESS);
    OK(cuGraphDestroy(g));
    /* Ended in another stream. */
    BEGIN(s, RELAXED);
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(t, e, 0));
    RETURNS(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(t, &g));
    END(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
#undef BEGIN
#undef END
}

static void captures_refuse_what_cannot_be_captured(void **state)
{
    (void)state;
    cut_passes(body_capture_rules, NULL);
}

static void body_capture_info(void)
{
    CUstream s;
    CUgraph g, seen;
    CUgraphNode first;
    const CUgraphNode *deps;
    CUstreamCaptureStatus status;
    cuuint64_t id;
    size_t n;
    CUdeviceptr a;
    cut_context();
    a = cut_words(16, 0);
    OK(cuStreamCreate(&s, 0));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&first, g, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(s, g, &first, NULL, 1, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuStreamGetCaptureInfo_v3(s, &status, &id, &seen, &deps, NULL, &n));
    REQUIRE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && seen == g && n == 1 &&
            deps[0] == first);
    OK(cuMemsetD32Async(a, 1, 4, s));
    OK(cuStreamUpdateCaptureDependencies_v2(s, &first, NULL, 1,
                                            CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    OK(cuMemsetD32Async(a, 2, 4, s));
    OK(cuStreamEndCapture(s, &seen));
    REQUIRE(seen == g);
    OK(cuGraphGetEdges_v2(g, NULL, NULL, NULL, &n));
    REQUIRE(n == 3);
    OK(cuGraphDestroy(g));
}

static void a_capture_can_be_looked_at_and_steered(void **state)
{
    (void)state;
    cut_passes(body_capture_info, NULL);
}

/* Programs with a default stream for each thread may capture theirs. */
static void body_per_thread(void)
{
    CUresult (*begin)(CUstream, CUstreamCaptureMode), (*end)(CUstream, CUgraph *);
    CUresult (*set)(CUdeviceptr, unsigned, size_t, CUstream);
    CUdeviceptr a;
    CUgraph g;
    size_t n;
    cut_context();
    a = cut_words(4, 0);
    OK(cuGetProcAddress_v2("cuStreamBeginCapture", (void **)&begin, 13000,
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL));
    OK(cuGetProcAddress_v2("cuStreamEndCapture", (void **)&end, 13000,
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL));
    OK(cuGetProcAddress_v2("cuMemsetD32Async", (void **)&set, 13000,
                           CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL));
    OK(begin(NULL, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(set(a, 1, 4, NULL));
    OK(end(NULL, &g));
    OK(cuGraphGetNodes(g, NULL, &n));
    REQUIRE(n == 1 && cut_word(a, 0) == 0);
}

static void a_thread_has_a_default_stream_of_its_own(void **state)
{
    (void)state;
    cut_passes(body_per_thread, NULL);
}

/* --- threads --- */

#define THREADS 8
#define ROUNDS  30

struct job {
    CUcontext ctx;
    CUfunction fill, count;
    CUdeviceptr total;
    unsigned id;
};

static void *work(void *data)
{
    struct job *j = data;
    OK(cuCtxSetCurrent(j->ctx));
    for (unsigned k = 0; k < ROUNDS; k++) {
        CUstream s;
        CUdeviceptr a;
        unsigned value = j->id * 1000 + k, got[64];
        OK(cuStreamCreate(&s, 0));
        OK(cuMemAlloc_v2(&a, sizeof(got)));
        OK(cuLaunchKernel(j->fill, 1, 1, 1, 64, 1, 1, 0, s, (void *[]){&a, &value, &(unsigned){64}},
                          NULL));
        OK(cuLaunchKernel(j->count, 1, 1, 1, 64, 1, 1, 0, s, (void *[]){&j->total}, NULL));
        OK(cuMemcpyDtoHAsync_v2(got, a, sizeof(got), s));
        OK(cuStreamSynchronize(s));
        REQUIRE(got[0] == value && got[63] == value);
        OK(cuMemFree_v2(a));
        OK(cuStreamDestroy_v2(s));
    }
    return NULL;
}

static void body_threads(void)
{
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    CUcontext ctx = cut_context();
    CUmodule m = cut_module();
    CUdeviceptr total = cut_words(1, 0);
    for (unsigned k = 0; k < THREADS; k++) {
        jobs[k] = (struct job){ctx, cut_function(m, "fill"), cut_function(m, "count"), total, k};
        REQUIRE(pthread_create(&threads[k], NULL, work, &jobs[k]) == 0);
    }
    for (unsigned k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
    }
    REQUIRE(cut_word(total, 0) == THREADS * ROUNDS * 64);
}

static void threads_may_call_at_the_same_time(void **state)
{
    (void)state;
    cut_passes(body_threads, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(streams_have_an_identity),
    cmocka_unit_test(events_measure_what_lies_between),
    cmocka_unit_test(host_functions_run_in_order),
    cmocka_unit_test(captured_work_becomes_a_graph),
    cmocka_unit_test(captures_refuse_what_cannot_be_captured),
    cmocka_unit_test(a_capture_can_be_looked_at_and_steered),
    cmocka_unit_test(a_thread_has_a_default_stream_of_its_own),
    cmocka_unit_test_teardown(threads_may_call_at_the_same_time, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
