/* Blocks that talk to each other through atomics: they run in block order on the software GPU, so
 * that every run gives the same result. */

/* Counts of 64 values, straight into global memory. */
extern "C" __global__ void histogram_global(const unsigned *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&bins[in[i] % 64], 1u);
    }
}

/* The same through a histogram a block in shared memory; at least 64 threads a block. */
extern "C" __global__ void histogram_shared(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned own[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 64) {
        own[threadIdx.x] = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&own[in[i] % 64], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
    }
}
