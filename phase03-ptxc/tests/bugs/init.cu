// Kernels that read memory nobody wrote. The read carries BUG(kernel).

// The halo left and right of the tile is never loaded.
extern "C" __global__ void missing_halo(const float *x, float *y)
{
    __shared__ float s[66];
    s[threadIdx.x + 1] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 2]; // BUG(missing_halo)
}

// Half of the block loads, all of it reads.
extern "C" __global__ void half_loaded(const float *x, float *y)
{
    __shared__ float s[128];
    if (threadIdx.x < 64) {
        s[threadIdx.x] = x[threadIdx.x];
    }
    __syncthreads();
    y[threadIdx.x] = s[127 - threadIdx.x]; // BUG(half_loaded)
}

// The bins of a shared histogram start as garbage.
extern "C" __global__ void bins_not_cleared(const unsigned *x, unsigned *bins)
{
    __shared__ unsigned s[64];
    atomicAdd(&s[x[threadIdx.x] % 64], 1); // BUG(bins_not_cleared)
    __syncthreads();
    bins[threadIdx.x] = s[threadIdx.x % 64]; // BUG(bins_not_cleared)
}

// What another block wrote is not there.
extern "C" __global__ void from_other_block(const float *x, float *y)
{
    __shared__ float s[32];
    if (blockIdx.x == 0) {
        s[threadIdx.x] = x[threadIdx.x];
    }
    __syncthreads();
    y[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x]; // BUG(from_other_block)
}

// Added to, but never set to 0.
extern "C" __global__ void accumulate(const float *x, float *y)
{
    y[threadIdx.x] += x[threadIdx.x]; // BUG(accumulate)
}

// Only the first half was copied to the device.
extern "C" __global__ void half_copied(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[n - 1 - i]; // BUG(half_copied)
    }
}

// A counter that cudaMalloc does not clear.
extern "C" __global__ void counter(unsigned *count, const int *x)
{
    if (x[threadIdx.x] > 2) {
        atomicAdd(count, 1); // BUG(counter)
    }
}
