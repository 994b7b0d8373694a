// Correct kernels: what threads of a block and of a warp tell each other.

#define ALL 0xffffffffu

extern "C" __global__ void reduce_block(const float *x, float *sum)
{
    __shared__ float s[128];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    for (int half = 64; half >= 32; half /= 2) {
        if (i < half) {
            s[i] += s[i + half];
        }
        __syncthreads();
    }
    if (i < 32) {
        for (int half = 16; half > 0; half /= 2) {
            float other = s[i + half];
            __syncwarp();
            s[i] += other;
            __syncwarp();
        }
    }
    if (i == 0) {
        *sum = s[0];
    }
}

extern "C" __global__ void reduce_shuffle(const float *x, float *sum)
{
    __shared__ float s[4];
    float v = x[threadIdx.x];
    for (int half = 16; half > 0; half /= 2) {
        v += __shfl_down_sync(ALL, v, half);
    }
    if (threadIdx.x % 32 == 0) {
        s[threadIdx.x / 32] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < 4 ? s[threadIdx.x] : 0.0f;
        for (int half = 2; half > 0; half /= 2) {
            v += __shfl_xor_sync(ALL, v, half);
        }
        if (threadIdx.x == 0) {
            *sum = v;
        }
    }
}

extern "C" __global__ void scan(const int *x, int *y)
{
    __shared__ int s[2][128];
    int i = threadIdx.x, from = 0;
    s[0][i] = x[i];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        s[1 - from][i] = s[from][i] + (i >= step ? s[from][i - step] : 0);
        from = 1 - from;
        __syncthreads();
    }
    y[i] = s[from][i];
}

extern "C" __global__ void histogram(const unsigned *x, unsigned *bins, int n)
{
    __shared__ unsigned s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 64) {
        s[threadIdx.x] = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&s[x[i] % 64], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
    }
}

// Threads 40 … 63 leave before the barrier: the rest must not wait for them.
extern "C" __global__ void early_exit(const float *x, float *sum)
{
    __shared__ float s[64];
    if (threadIdx.x >= 40) {
        return;
    }
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (int i = 0; i < 40; i++) {
            total += s[i];
        }
        *sum = total;
    }
}

// The first warp produces, the second consumes: barrier 1 says full, barrier 2 says empty.
extern "C" __global__ void producer_consumer(const float *x, float *y, int rounds)
{
    __shared__ float s[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < rounds; i++) {
            if (i > 0) {
                asm volatile("bar.sync 2, 64;" ::: "memory");
            }
            s[lane] = x[32 * i + lane];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
    } else {
        float sum = 0.0f;
        for (int i = 0; i < rounds; i++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += s[31 - lane];
            if (i + 1 < rounds) {
                asm volatile("bar.arrive 2, 64;" ::: "memory");
            }
        }
        y[lane] = sum;
    }
}

// Every thread that finds something sets the same flag to the same value.
extern "C" __global__ void any_seven(const int *x, int *found)
{
    __shared__ int flag;
    if (threadIdx.x == 0) {
        flag = 0;
    }
    __syncthreads();
    if (x[threadIdx.x] == 7) {
        flag = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        *found = flag;
    }
}

// Groups of eight lanes, each with a mask and a piece of shared memory of its own.
extern "C" __global__ void groups_of_eight(const int *x, int *y)
{
    __shared__ int s[32];
    int lane = threadIdx.x % 8;
    unsigned mask = 0xffu << (threadIdx.x / 8 * 8);
    s[threadIdx.x] = x[threadIdx.x];
    __syncwarp(mask);
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += s[threadIdx.x - lane + i];
    }
    y[threadIdx.x] = __shfl_xor_sync(mask, sum, 1, 8);
}

// The lanes that take the branch elect one of them to add for all.
extern "C" __global__ void aggregated_count(const int *x, unsigned *count)
{
    if (x[threadIdx.x] % 3 == 0) {
        unsigned here = __activemask();
        if ((int)(threadIdx.x % 32) == __ffs(here) - 1) {
            atomicAdd(count, __popc(here));
        }
    }
}

// The last block to finish adds up what all blocks left.
extern "C" __global__ void last_block(const float *x, float *partial, unsigned *done, float *sum)
{
    __shared__ bool last;
    float v = x[blockIdx.x * 32 + threadIdx.x];
    for (int half = 16; half > 0; half /= 2) {
        v += __shfl_down_sync(ALL, v, half);
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0.0f;
        for (unsigned i = 0; i < gridDim.x; i++) {
            total += ((volatile float *)partial)[i];
        }
        *sum = total;
    }
}

// The largest value and the sum of exponentials of a row in one pass, joined by shuffles.
extern "C" __global__ void softmax_row(const float *x, float *y, int n)
{
    float most = -INFINITY, sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += 32) {
        float larger = fmaxf(most, x[i]);
        sum = sum * expf(most - larger) + expf(x[i] - larger);
        most = larger;
    }
    for (int half = 16; half > 0; half /= 2) {
        float other = __shfl_xor_sync(ALL, most, half);
        float other_sum = __shfl_xor_sync(ALL, sum, half), larger = fmaxf(most, other);
        sum = sum * expf(most - larger) + other_sum * expf(other - larger);
        most = larger;
    }
    for (int i = threadIdx.x; i < n; i += 32) {
        y[i] = expf(x[i] - most) / sum;
    }
}
