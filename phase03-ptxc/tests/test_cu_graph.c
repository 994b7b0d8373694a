/* Graphs made by hand: nodes of every kind, their parameters, copies, instances and their changes.
 */
#include <string.h>

#include "cu_testing.h"
#include "lab/file.h"

/* A kernel node that fills n words of a. */
static CUDA_KERNEL_NODE_PARAMS fill_params(CUfunction f, void **args)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = f,
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 16,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = args};
}

static CUDA_MEMCPY3D line(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = from,
                           .srcPitch = n,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = to,
                           .dstPitch = n,
                           .WidthInBytes = n,
                           .Height = 1,
                           .Depth = 1};
}

static int called;

static void call(void *data)
{
    called += *(int *)data;
}

static void launch(CUgraphExec e)
{
    OK(cuGraphLaunch(e, NULL));
    OK(cuCtxSynchronize());
}

static void body_nodes(void)
{
    CUgraph g, child;
    CUgraphExec e;
    CUgraphNode kernel, copy, set, host, sub, record, wait, inner;
    CUgraphNodeType type;
    CUevent event;
    CUmodule m;
    CUdeviceptr a;
    unsigned value = 5, n = 16;
    int one = 1;
    float ms;
    cut_context();
    m = cut_module();
    a = cut_words(64, 0);
    void *args[] = {&a, &value, &n};
    CUDA_KERNEL_NODE_PARAMS k = fill_params(cut_function(m, "fill"), args), got;
    CUDA_MEMCPY3D c = line(a + 64, a, 64);
    CUDA_MEMSET_NODE_PARAMS s = {
        .dst = a + 128, .value = 3, .elementSize = 4, .width = 16, .height = 1};
    CUDA_HOST_NODE_PARAMS h = {call, &one};
    OK(cuEventCreate(&event, 0));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphAddMemsetNode(&inner, child, NULL, 0, &s, NULL));
    OK(cuGraphAddKernelNode_v2(&kernel, g, NULL, 0, &k));
    OK(cuGraphAddMemcpyNode(&copy, g, &kernel, 1, &c, NULL));
    s.dst = a;
    OK(cuGraphAddMemsetNode(&set, g, &copy, 1, &s, NULL));
    OK(cuGraphAddHostNode(&host, g, &set, 1, &h));
    OK(cuGraphAddChildGraphNode(&sub, g, &host, 1, child));
    OK(cuGraphAddEventRecordNode(&record, g, &sub, 1, event));
    OK(cuGraphAddEventWaitNode(&wait, g, &record, 1, event));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphAddEmptyNode(&inner, g, &inner, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode_v2(&inner, child, &kernel, 1, &k));
    OK(cuGraphDestroy(child)); /* the node has a copy */
    OK(cuGraphNodeGetType(sub, &type));
    REQUIRE(type == CU_GRAPH_NODE_TYPE_GRAPH);
    OK(cuGraphChildGraphNodeGetGraph(sub, &child));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(child));
    value = 6; /* the node keeps the values of its arguments */
    OK(cuGraphKernelNodeGetParams_v2(kernel, &got));
    REQUIRE(got.func == k.func && got.blockDimX == 16 && *(unsigned *)got.kernelParams[1] == 5);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeGetParams_v2(copy, &got));
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    launch(e);
    launch(e);
    REQUIRE(called == 2);
    REQUIRE(cut_word(a, 0) == 3 && cut_word(a, 16) == 5 && cut_word(a, 32) == 3);
    OK(cuEventRecord(event, NULL));
    OK(cuEventElapsedTime_v2(&ms, event, event));
    REQUIRE(ms == 0);
    OK(cuGraphExecDestroy(e));
    OK(cuGraphDestroy(g));
}

static void nodes_of_every_kind_run_in_order(void **state)
{
    (void)state;
    cut_passes(body_nodes, NULL);
}

static void body_edges(void)
{
    CUgraph g, other;
    CUgraphNode n[4], from[8], to[8], list[8], foreign;
    CUgraphExec e;
    size_t count = 8;
    cut_context();
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphCreate(&other, 0));
    OK(cuGraphAddEmptyNode(&foreign, other, NULL, 0));
    for (int k = 0; k < 4; k++) {
        OK(cuGraphAddEmptyNode(&n[k], g, NULL, 0));
    }
    CUgraphNode a[] = {n[3], n[2], n[1]}, b[] = {n[2], n[1], n[0]};
    OK(cuGraphAddDependencies_v2(g, a, b, NULL, 3));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies_v2(g, a, b, NULL, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies_v2(g, &n[0], &n[3], NULL, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies_v2(g, &n[0], &foreign, NULL, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphAddDependencies_v2(g, &n[0], &n[0], NULL, 1));
    OK(cuGraphGetEdges_v2(g, from, to, NULL, &count));
    REQUIRE(count == 3);
    OK(cuGraphNodeGetDependencies_v2(n[1], list, NULL, (count = 8, &count)));
    REQUIRE(count == 1 && list[0] == n[2] && list[1] == NULL);
    OK(cuGraphNodeGetDependentNodes_v2(n[1], list, NULL, (count = 1, &count)));
    REQUIRE(count == 1 && list[0] == n[0]);
    OK(cuGraphGetRootNodes(g, list, (count = 8, &count)));
    REQUIRE(count == 1 && list[0] == n[3]);
    OK(cuGraphRemoveDependencies_v2(g, a, b, NULL, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphRemoveDependencies_v2(g, a, b, NULL, 1));
    OK(cuGraphDestroyNode(n[2]));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(n[2]));
    OK(cuGraphGetEdges_v2(g, NULL, NULL, NULL, &count));
    REQUIRE(count == 1);
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    launch(e);
    OK(cuGraphExecDestroy(e));
    OK(cuGraphDestroy(g));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithFlags(&e, g, 0));
    RETURNS(CUDA_ERROR_NOT_SUPPORTED,
            cuGraphInstantiateWithFlags(&e, other, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
    OK(cuGraphDestroy(other));
}

static void edges_are_kept_without_cycles(void **state)
{
    (void)state;
    cut_passes(body_edges, NULL);
}

static void body_changes(void)
{
    CUgraph g, copy, other;
    CUgraphExec e;
    CUgraphNode kernel, set, twin;
    CUmodule m;
    CUdeviceptr a;
    unsigned value = 5, n = 16, on;
    cut_context();
    m = cut_module();
    a = cut_words(64, 0);
    void *args[] = {&a, &value, &n};
    CUDA_KERNEL_NODE_PARAMS k = fill_params(cut_function(m, "fill"), args);
    CUDA_MEMSET_NODE_PARAMS s = {.dst = a, .value = 3, .elementSize = 4, .width = 4, .height = 1};
    CUgraphExecUpdateResultInfo info;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddKernelNode_v2(&kernel, g, NULL, 0, &k));
    OK(cuGraphAddMemsetNode(&set, g, &kernel, 1, &s, NULL));
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    /* A change of the graph does not reach the instance, one of the instance does. */
    value = 6;
    OK(cuGraphKernelNodeSetParams_v2(kernel, &k));
    launch(e);
    REQUIRE(cut_word(a, 4) == 5);
    value = 7;
    OK(cuGraphExecKernelNodeSetParams_v2(e, kernel, &k));
    launch(e);
    REQUIRE(cut_word(a, 4) == 7 && cut_word(a, 0) == 3);
    s.value = 9;
    OK(cuGraphExecMemsetNodeSetParams(e, set, &s, NULL));
    OK(cuGraphNodeSetEnabled(e, kernel, 0));
    OK(cuGraphNodeGetEnabled(e, kernel, &on));
    REQUIRE(on == 0);
    OK(cuMemsetD32_v2(a, 0, 16));
    launch(e);
    REQUIRE(cut_word(a, 0) == 9 && cut_word(a, 4) == 0);
    OK(cuGraphNodeSetEnabled(e, kernel, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphExecMemsetNodeSetParams(e, kernel, &s, NULL));
    /* The graph as it is now (value 6). */
    OK(cuGraphExecUpdate_v2(e, g, &info));
    REQUIRE(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    launch(e);
    REQUIRE(cut_word(a, 4) == 6);
    OK(cuGraphClone(&copy, g));
    OK(cuGraphNodeFindInClone(&twin, kernel, copy));
    REQUIRE(twin != kernel);
    OK(cuGraphDestroyNode(twin));
    RETURNS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(e, copy, &info));
    REQUIRE(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    OK(cuGraphCreate(&other, 0));
    OK(cuGraphAddMemsetNode(&twin, other, NULL, 0, &s, NULL));
    OK(cuGraphAddKernelNode_v2(&twin, other, &twin, 1, &k));
    RETURNS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate_v2(e, other, &info));
    REQUIRE(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED && info.errorNode != NULL);
    launch(e); /* unharmed */
    REQUIRE(cut_word(a, 4) == 6);
}

static void instances_are_changed_apart_from_their_graph(void **state)
{
    (void)state;
    cut_passes(body_changes, NULL);
}

static void body_memory(void)
{
    CUgraph g;
    CUgraphExec e, kept;
    CUgraphNode set, free_node;
    CUstream s;
    CUdeviceptr a;
    cuuint64_t used;
    cut_context();
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemAllocAsync(&a, 4096, s));
    OK(cuMemsetD32Async(a, 5, 1024, s));
    OK(cuMemFreeAsync(a, s));
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    launch(e);
    launch(e);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    REQUIRE(used == 0);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
    REQUIRE(used == 4096);
    OK(cuGraphExecDestroy(e));
    OK(cuGraphDestroy(g));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(a));
    /* Memory that the graph does not free. */
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
                                    .bytesize = 64};
    CUgraphNode alloc;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    CUDA_MEMSET_NODE_PARAMS fill = {
        .dst = p.dptr, .value = 8, .elementSize = 4, .width = 16, .height = 1};
    OK(cuGraphAddMemsetNode(&set, g, &alloc, 1, &fill, NULL));
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    OK(cuGraphInstantiateWithFlags(&kept, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    launch(e);
    REQUIRE(cut_word(p.dptr, 15) == 8);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(e, s));
    OK(cuMemFreeAsync(p.dptr, s));
    launch(e);
    launch(kept);
    launch(kept);
    OK(cuMemFree_v2(p.dptr));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(p.dptr));
    OK(cuGraphAddMemFreeNode(&free_node, g, &set, 1, p.dptr));
    RETURNS(CUDA_ERROR_INVALID_VALUE,
            cuGraphAddMemFreeNode(&free_node, g, &set, 1, cut_words(1, 0)));
}

static void graphs_allocate_and_free(void **state)
{
    (void)state;
    cut_passes(body_memory, NULL);
}

static void body_objects(void)
{
    CUgraph g, copy;
    CUuserObject o;
    int ten = 10;
    cut_context();
    OK(cuGraphCreate(&g, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuUserObjectCreate(&o, &ten, call, 1, 0));
    OK(cuUserObjectCreate(&o, &ten, call, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphClone(&copy, g));
    OK(cuUserObjectRelease(o, 1));
    OK(cuGraphDestroy(g));
    REQUIRE(called == 0); /* the copy still has it */
    OK(cuGraphDestroy(copy));
    REQUIRE(called == 10);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuUserObjectRelease(o, 1));
}

static void objects_live_as_long_as_their_graphs(void **state)
{
    (void)state;
    cut_passes(body_objects, NULL);
}

static char dot_path[300];

static void body_dot(void)
{
    CUgraph g;
    CUgraphNode a, b;
    CUmodule m;
    CUdeviceptr at;
    unsigned n = 1;
    cut_context();
    m = cut_module();
    at = cut_words(1, 0);
    void *args[] = {&at, &n, &n};
    CUDA_KERNEL_NODE_PARAMS k = fill_params(cut_function(m, "fill"), args);
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddKernelNode_v2(&a, g, NULL, 0, &k));
    OK(cuGraphAddEmptyNode(&b, g, &a, 1));
    OK(cuGraphDebugDotPrint(g, dot_path, 0));
    RETURNS(CUDA_ERROR_OPERATING_SYSTEM, cuGraphDebugDotPrint(g, "/nowhere/x.dot", 0));
}

static void a_graph_can_be_drawn(void **state)
{
    struct lab_buf dot;
    (void)state;
    lab_buf_init(&dot);
    snprintf(dot_path, sizeof(dot_path), "%s/g.dot", lab_test_tmpdir());
    cut_passes(body_dot, NULL);
    assert_int_equal(lab_file_read(dot_path, 1u << 16, &dot, NULL), 0);
    assert_string_equal(lab_buf_str(&dot), "digraph graph_1 {\n    node [shape=box];\n"
                                           "    n0 [label=\"kernel fill\"];\n"
                                           "    n1 [label=\"empty\"];\n    n0 -> n1;\n}\n");
    lab_buf_fini(&dot);
}

static void body_fault(void)
{
    CUgraph g;
    CUgraphExec e;
    CUgraphNode a, b;
    CUmodule m;
    CUdeviceptr nowhere = 64;
    unsigned v = 1;
    int one = 1;
    cut_context();
    m = cut_module();
    void *args[] = {&nowhere, &v};
    CUDA_KERNEL_NODE_PARAMS k = fill_params(cut_function(m, "store"), args);
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddKernelNode_v2(&a, g, NULL, 0, &k));
    OK(cuGraphAddHostNode(&b, g, &a, 1, &(CUDA_HOST_NODE_PARAMS){call, &one}));
    OK(cuGraphInstantiateWithFlags(&e, g, 0));
    OK(cuGraphLaunch(e, NULL));
    REQUIRE(called == 0); /* what depends on the kernel does not run */
    RETURNS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
}

static void a_fault_ends_the_launch_of_a_graph(void **state)
{
    (void)state;
    cut_passes(body_fault, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nodes_of_every_kind_run_in_order),
    cmocka_unit_test(edges_are_kept_without_cycles),
    cmocka_unit_test(instances_are_changed_apart_from_their_graph),
    cmocka_unit_test(graphs_allocate_and_free),
    cmocka_unit_test(objects_live_as_long_as_their_graphs),
    cmocka_unit_test(a_graph_can_be_drawn),
    cmocka_unit_test_teardown(a_fault_ends_the_launch_of_a_graph, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
