// Errors as CUDA reports them: at the launch, at the next wait, and for good.
#include "check.cuh"
#include <cassert>

__global__ void store(int *p, int v)
{
    *p = v;
}

__global__ void claim(int v)
{
    assert(v > 0);
}

__global__ void __launch_bounds__(64) bounded(int *p)
{
    p[threadIdx.x] = threadIdx.x;
}

int main(int argc, char **argv)
{
    int *p, host = 0;
    CHECK(cudaMalloc(&p, 4096));
    // Launches that cannot be.
    store<<<1, 2048>>>(p, 1);
    FAILS(cudaErrorInvalidConfiguration, cudaGetLastError());
    FAILS(cudaSuccess, cudaGetLastError());
    store<<<dim3(1, 70000), 1>>>(p, 1);
    FAILS(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
    FAILS(cudaErrorInvalidConfiguration, cudaGetLastError());
    store<<<1, 1, 1 << 20>>>(p, 1);
    FAILS(cudaErrorInvalidValue, cudaGetLastError());
    bounded<<<1, 128>>>(p);
    EXPECT(cudaGetLastError() != cudaSuccess);
    // Calls that cannot be.
    FAILS(cudaErrorInvalidValue, cudaFree(p + 1));
    FAILS(cudaErrorInvalidValue, cudaMemcpy(p, &host, 8192, cudaMemcpyHostToDevice));
    FAILS(cudaErrorInvalidValue, cudaGetLastError());
    store<<<1, 1>>>(p, 5);
    CHECK(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
    EXPECT(host == 5);
    // A fault: the launch is fine, the wait is not, and then nothing is.
    store<<<1, 1>>>((int *)16, 1);
    FAILS(cudaSuccess, cudaGetLastError());
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    FAILS(cudaErrorIllegalAddress, cudaFree(p));
    FAILS(cudaErrorIllegalAddress, cudaGetLastError());
    FAILS(cudaErrorIllegalAddress, cudaGetLastError());
    CHECK(cudaDeviceReset());
    CHECK(cudaMalloc(&p, 4096));
    store<<<1, 1>>>((int *)((char *)p + 2), 1);
    FAILS(cudaErrorMisalignedAddress, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    claim<<<2, 32>>>(argc - 100);
    FAILS(cudaErrorAssert, cudaDeviceSynchronize());
    std::printf("errors: as they should be\n");
    return argc > 1 ? std::atoi(argv[1]) : 0;
}
