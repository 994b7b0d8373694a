// Sum by a tree in shared memory, finished by a warp's shuffles and one atomic a block.
#include "check.cuh"
#include <vector>

__global__ void reduce(const int *in, int *out, int n)
{
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s >= 32; s /= 2) {
        if (threadIdx.x < s) {
            part[threadIdx.x] += part[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        int sum = part[threadIdx.x];
        for (int d = 16; d > 0; d /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, d);
        }
        if (threadIdx.x == 0) {
            atomicAdd(out, sum);
        }
    }
}

int main()
{
    const int n = 10000, block = 128, grid = (n + block - 1) / block;
    std::vector<int> in(n);
    long want = 0;
    for (int i = 0; i < n; i++) {
        in[i] = i % 1000;
        want += in[i];
    }
    int *din, *dout, got;
    CHECK(cudaMalloc(&din, n * sizeof(int)));
    CHECK(cudaMalloc(&dout, sizeof(int)));
    CHECK(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dout, 0, sizeof(int)));
    reduce<<<grid, block, block * sizeof(int)>>>(din, dout, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, dout, sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(got == want);
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    std::printf("reduce: the sum is %d\n", got);
}
