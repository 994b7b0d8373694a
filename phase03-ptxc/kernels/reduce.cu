/* The sum of n floats: each block leaves its partial sum in out[blockIdx.x]. */

/* In place in global memory: neighbours first, so that ever fewer lanes of every warp work. */
extern "C" __global__ void reduce_neighbored(float *in, float *out, int n)
{
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float *data = in + blockIdx.x * blockDim.x;
    if (i >= n) {
        return;
    }
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0) {
            data[tid] += data[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = data[0];
    }
}

/* In place in global memory: halves, so that the working lanes stay together. */
extern "C" __global__ void reduce_interleaved(float *in, float *out, int n)
{
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float *data = in + blockIdx.x * blockDim.x;
    if (i >= n) {
        return;
    }
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            data[tid] += data[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = data[0];
    }
}

/* In shared memory, sequential addresses; blockDim.x floats of dynamic shared memory. */
extern "C" __global__ void reduce_shared(const float *in, float *out, int n)
{
    extern __shared__ float data[];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            data[tid] += data[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        out[blockIdx.x] = data[0];
    }
}

/* Warps sum by shuffles, the first warp sums the warps' sums. */
extern "C" __global__ void reduce_shuffle(const float *in, float *out, int n)
{
    __shared__ float sums[32];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffffu, v, d);
    }
    if (lane == 0) {
        sums[warp] = v;
    }
    __syncthreads();
    if (warp == 0) {
        v = lane < blockDim.x / 32 ? sums[lane] : 0.0f;
        for (int d = 16; d > 0; d /= 2) {
            v += __shfl_down_sync(0xffffffffu, v, d);
        }
        if (lane == 0) {
            out[blockIdx.x] = v;
        }
    }
}
