// The parts of the runtime that a program of some size uses: symbols, managed and pinned memory,
// streams, events, pools, graphs, host functions, occupancy, cooperative groups, printf.
#include "check.cuh"
#include <cooperative_groups.h>
#include <cstring>

namespace cg = cooperative_groups;

__constant__ float coefficients[4];
__device__ int counter = 100;
__managed__ int managed_counter = 7;

__global__ void polynomial(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = 0;
        for (int k = 3; k >= 0; k--) {
            v = v * x[i] + coefficients[k];
        }
        y[i] = v;
    }
}

__global__ void bump(int by)
{
    counter += by;
    managed_counter += by;
}

__global__ void fill(int *out, int value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = value;
    }
}

__global__ void hello()
{
    printf("block %d says %s, %.2f, %lld\n", blockIdx.x, "hello", 0.5 * blockIdx.x,
           1ll << (32 + blockIdx.x));
}

// Every block adds its number, and after a barrier of the whole grid each knows the sum.
__global__ void grid_sum(int *sum, int *seen)
{
    if (threadIdx.x == 0) {
        atomicAdd(sum, blockIdx.x);
    }
    cg::this_grid().sync();
    if (threadIdx.x == 0) {
        seen[blockIdx.x] = *sum;
    }
}

static void symbols()
{
    const float c[4] = {1, 2, 0, 4};
    float x[5] = {0, 1, 2, 3, 4}, y[5], *dx, *dy;
    int v;
    CHECK(cudaMemcpyToSymbol(coefficients, c, sizeof(c)));
    CHECK(cudaMalloc(&dx, sizeof(x)));
    CHECK(cudaMalloc(&dy, sizeof(y)));
    CHECK(cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice));
    polynomial<<<1, 32>>>(dy, dx, 5);
    CHECK(cudaMemcpy(y, dy, sizeof(y), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 5; i++) {
        EXPECT(y[i] == 1 + 2 * x[i] + 4 * x[i] * x[i] * x[i]);
    }
    managed_counter = 10;
    bump<<<1, 1>>>(5);
    CHECK(cudaMemcpyFromSymbol(&v, counter, sizeof(v)));
    CHECK(cudaDeviceSynchronize());
    EXPECT(v == 105 && managed_counter == 15);
    int *at;
    CHECK(cudaGetSymbolAddress((void **)&at, counter));
    fill<<<1, 1>>>(at, 3, 1);
    CHECK(cudaMemcpyFromSymbol(&v, counter, sizeof(v)));
    EXPECT(v == 3);
}

static void memory()
{
    int *pinned, *managed, *async, host[256];
    CHECK(cudaMallocHost(&pinned, 1024));
    CHECK(cudaMallocManaged(&managed, 1024));
    fill<<<1, 256>>>(pinned, 1, 256);
    fill<<<1, 256>>>(managed, 2, 256);
    CHECK(cudaDeviceSynchronize());
    EXPECT(pinned[255] == 1 && managed[255] == 2);
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaMallocAsync(&async, 1024, s));
    fill<<<2, 128, 0, s>>>(async, 3, 256);
    CHECK(cudaMemcpyAsync(host, async, 1024, cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeAsync(async, s));
    CHECK(cudaStreamSynchronize(s));
    EXPECT(host[0] == 3 && host[255] == 3);
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
}

static void CUDART_CB add_ten(void *data)
{
    *(int *)data += 10;
}

static void streams_and_graphs()
{
    cudaStream_t s, t;
    cudaEvent_t begin, end, fork;
    int *a, host[64], calls = 0;
    float ms = -1;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&t));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaMalloc(&a, sizeof(host)));
    CHECK(cudaEventRecord(begin, s));
    fill<<<1, 64, 0, s>>>(a, 4, 64);
    CHECK(cudaLaunchHostFunc(s, add_ten, &calls));
    CHECK(cudaEventRecord(end, s));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0 && calls == 10);

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    fill<<<1, 32, 0, s>>>(a, 5, 32);
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(t, fork));
    fill<<<1, 32, 0, t>>>(a + 32, 6, 32);
    CHECK(cudaEventRecord(fork, t));
    CHECK(cudaStreamWaitEvent(s, fork));
    CHECK(cudaMemcpyAsync(host, a, sizeof(host), cudaMemcpyDeviceToHost, s));
    CHECK(cudaLaunchHostFunc(s, add_ten, &calls));
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph));
    for (int k = 0; k < 3; k++) {
        std::memset(host, 0, sizeof(host));
        CHECK(cudaGraphLaunch(exec, s));
        CHECK(cudaStreamSynchronize(s));
        EXPECT(host[0] == 5 && host[31] == 5 && host[32] == 6 && host[63] == 6);
    }
    EXPECT(calls == 40);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaStreamDestroy(t));
}

static void occupancy_and_cooperation()
{
    int blocks = 0, size = 0, least = 0, *sum, *seen, host[20];
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
    EXPECT(blocks == 8);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, fill, 0, 0));
    EXPECT(size == 1024 && least == 216);
    CHECK(cudaMalloc(&sum, 4));
    CHECK(cudaMalloc(&seen, sizeof(host)));
    CHECK(cudaMemset(sum, 0, 4));
    void *args[] = {&sum, &seen};
    CHECK(cudaLaunchCooperativeKernel((void *)grid_sum, 20, 64, args));
    CHECK(cudaMemcpy(host, seen, sizeof(host), cudaMemcpyDeviceToHost));
    for (int k = 0; k < 20; k++) {
        EXPECT(host[k] == 190);
    }
    FAILS(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel((void *)grid_sum, 100000, 64, args));
    FAILS(cudaErrorCooperativeLaunchTooLarge, cudaGetLastError());
}

int main()
{
    symbols();
    memory();
    streams_and_graphs();
    occupancy_and_cooperation();
    hello<<<3, 1>>>();
    std::printf("before the wait\n");
    CHECK(cudaDeviceSynchronize());
    std::printf("features: all of them work\n");
}
