// Runtime and driver API in one program, and a kernel by its host address in the driver's hands.
#include "check.cuh"
#include <cuda.h>

__global__ void twice(int *p)
{
    p[threadIdx.x] *= 2;
}

int main()
{
    CUdeviceptr at;
    int host[32];
    cudaKernel_t kernel;
    CUcontext before, now;
    CHECK(cudaFree(0));
    EXPECT(cuCtxGetCurrent(&before) == CUDA_SUCCESS && before != nullptr);
    EXPECT(cuMemAlloc(&at, sizeof(host)) == CUDA_SUCCESS);
    EXPECT(cuMemsetD32(at, 21, 32) == CUDA_SUCCESS);
    twice<<<1, 32>>>((int *)at);
    CHECK(cudaGetKernel(&kernel, (const void *)twice));
    void *args[] = {&at};
    EXPECT(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr) ==
           CUDA_SUCCESS);
    CHECK(cudaMemcpy(host, (void *)at, sizeof(host), cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 84 && host[31] == 84);
    EXPECT(cuCtxGetCurrent(&now) == CUDA_SUCCESS && now == before);
    CHECK(cudaFree((void *)at));
    std::printf("driver: both work on the same memory\n");
}
