/* Devices and memory of the runtime API. */
#include <string.h>

#include "cu_testing.h"

#define ENV(...)                                                                                   \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void body_memory(void)
{
    void *p, *q;
    struct cudaPitchedPtr box;
    struct cudaPointerAttributes a;
    unsigned char m[5][6], back[5][6];
    size_t pitch;
    int local;
    OK(cudaMalloc(&p, 0));
    REQUIRE(p == NULL);
    RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 50));
    RETURNS(cudaErrorMemoryAllocation, cudaGetLastError());
    OK(cudaMallocPitch(&p, &pitch, 6, 5));
    for (unsigned k = 0; k < 30; k++) {
        m[k / 6][k % 6] = (unsigned char)k;
    }
    OK(cudaMemcpy2D(p, pitch, m, 6, 6, 5, cudaMemcpyHostToDevice));
    OK(cudaMemset2D((char *)p + 1, pitch, 77, 2, 3));
    OK(cudaMemcpy2D(back, 6, p, pitch, 6, 5, cudaMemcpyDeviceToHost));
    REQUIRE(back[0][0] == 0 && back[2][1] == 77 && back[2][2] == 77 && back[2][3] == 15 &&
            back[3][1] == 19);
    RETURNS(cudaErrorInvalidPitchValue,
            cudaMemcpy2D(back, 5, p, pitch, 6, 5, cudaMemcpyDeviceToHost));
    RETURNS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(back, p, 6, (enum cudaMemcpyKind)7));
    OK(cudaMalloc3D(&box, (struct cudaExtent){6, 5, 2}));
    OK(cudaMemset3D(box, 9, (struct cudaExtent){6, 5, 2}));
    struct cudaMemcpy3DParms copy = {.srcPtr = box,
                                     .srcPos = {0, 1, 1},
                                     .dstPtr = {back, 6, 6, 5},
                                     .extent = {6, 2, 1},
                                     .kind = cudaMemcpyDeviceToHost};
    OK(cudaMemcpy3D(&copy));
    REQUIRE(back[0][5] == 9 && back[1][0] == 9 && back[2][3] == 15);
    OK(cudaHostAlloc(&q, 64, cudaHostAllocMapped));
    OK(cudaPointerGetAttributes(&a, q));
    REQUIRE(a.type == cudaMemoryTypeHost && a.devicePointer == q);
    OK(cudaFreeHost(q));
    OK(cudaPointerGetAttributes(&a, &local));
    REQUIRE(a.type == cudaMemoryTypeUnregistered && a.hostPointer == &local &&
            a.devicePointer == NULL && a.device == -2);
    OK(cudaPointerGetAttributes(&a, p));
    REQUIRE(a.type == cudaMemoryTypeDevice && a.hostPointer == NULL);
    OK(cudaMallocAsync(&q, 128, NULL));
    OK(cudaMemsetAsync(q, 1, 128, NULL));
    OK(cudaFreeAsync(q, NULL));
    OK(cudaMallocManaged(&q, 128, cudaMemAttachGlobal));
    memset(q, 3, 128);
    OK(cudaMemPrefetchAsync(q, 128, (struct cudaMemLocation){cudaMemLocationTypeDevice, 0}, 0,
                            NULL));
    OK(cudaMemcpy(back, q, 4, cudaMemcpyDefault));
    REQUIRE(back[0][3] == 3);
}

static void memory_of_every_kind(void **state)
{
    (void)state;
    cut_passes(body_memory, NULL);
}

static void body_device(void)
{
    struct cudaDeviceProp p;
    int n, v;
    size_t limit;
    OK(cudaGetDeviceCount(&n));
    REQUIRE(n == 1);
    OK(cudaGetDeviceProperties(&p, 0));
    REQUIRE(strstr(p.name, "H100") != NULL);
    REQUIRE(p.major == 9 && p.minor == 0 && p.multiProcessorCount == 132 && p.warpSize == 32);
    REQUIRE(p.sharedMemPerBlockOptin == 232448 && p.maxThreadsPerMultiProcessor == 2048);
    REQUIRE(p.totalGlobalMem == 80ull << 30 && p.managedMemory == 1 && p.cooperativeLaunch == 1);
    OK(cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    REQUIRE(v == 232448);
    RETURNS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 1));
    RETURNS(cudaErrorInvalidDevice, cudaSetDevice(1));
    RETURNS(cudaErrorInvalidDevice, cudaGetLastError());
    OK(cudaSetDevice(0));
    OK(cudaGetDevice(&n));
    REQUIRE(n == 0);
    OK(cudaRuntimeGetVersion(&n));
    REQUIRE(n == 13000);
    OK(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    REQUIRE(limit == 1 << 20);
}

static void properties_are_the_chips(void **state)
{
    (void)state;
    cut_passes(body_device, ENV("VGPU_DEVICE=h100"));
}

static void body_no_device(void)
{
    int n = 5;
    void *p;
    RETURNS(cudaErrorNoDevice, cudaGetDeviceCount(&n));
    REQUIRE(n == 0);
    RETURNS(cudaErrorNoDevice, cudaMalloc(&p, 4));
    RETURNS(cudaErrorNoDevice, cudaGetLastError());
}

static void without_a_device_every_call_says_so(void **state)
{
    (void)state;
    cut_passes(body_no_device, ENV("CUDA_VISIBLE_DEVICES="));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_of_every_kind),
    cmocka_unit_test(properties_are_the_chips),
    cmocka_unit_test_teardown(without_a_device_every_call_says_so, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
