// Kernels with one hazard in shared memory each. One of its two accesses carries BUG(kernel).

#define T 16

// No barrier between loading a tile and using it.
extern "C" __global__ void matmul_first(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[T][T], tb[T][T];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n; t += T) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column]; // BUG(matmul_first)
        for (int k = 0; k < T; k++) {
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// No barrier between using a tile and loading the next.
extern "C" __global__ void matmul_second(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[T][T], tb[T][T];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n; t += T) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column]; // BUG(matmul_second)
        __syncthreads();
        for (int k = 0; k < T; k++) {
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        }
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void reduce_steps(const float *x, float *sum)
{
    __shared__ float s[128];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (i < half) {
            s[i] += s[i + half]; // BUG(reduce_steps)
        }
    }
    if (i == 0) {
        *sum = s[0];
    }
}

// Before Volta the lanes of a warp kept in step; volatile is not enough any more.
extern "C" __global__ void reduce_warp(const float *x, float *sum)
{
    __shared__ volatile float s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    s[i + 32] = 0.0f;
    __syncthreads();
    s[i] += s[i + 16]; // BUG(reduce_warp)
    s[i] += s[i + 8];  // BUG(reduce_warp)
    s[i] += s[i + 4];  // BUG(reduce_warp)
    s[i] += s[i + 2];  // BUG(reduce_warp)
    s[i] += s[i + 1];  // BUG(reduce_warp)
    if (i == 0) {
        *sum = s[0];
    }
}

// Bins are counted in before they are cleared.
extern "C" __global__ void histogram_clear(const unsigned *x, unsigned *bins)
{
    __shared__ unsigned s[64];
    s[threadIdx.x % 64] = 0; // BUG(histogram_clear)
    atomicAdd(&s[x[threadIdx.x] % 64], 1);
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
    }
}

// Bins are read before all have counted.
extern "C" __global__ void histogram_flush(const unsigned *x, unsigned *bins)
{
    __shared__ unsigned s[64];
    if (threadIdx.x < 64) {
        s[threadIdx.x] = 0;
    }
    __syncthreads();
    atomicAdd(&s[x[threadIdx.x] % 64], 1);
    if (threadIdx.x < 64) {
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]); // BUG(histogram_flush)
    }
}

extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    for (int row = threadIdx.y; row < 32; row += blockDim.y) {
        tile[row][threadIdx.x] = in[row * n + threadIdx.x];
    }
    for (int row = threadIdx.y; row < 32; row += blockDim.y) {
        out[row * n + threadIdx.x] = tile[threadIdx.x][row]; // BUG(transpose)
    }
}

// One thread fetches a factor for all.
extern "C" __global__ void broadcast(const float *factor, float *x)
{
    __shared__ float f;
    if (threadIdx.x == 0) {
        f = *factor;
    }
    x[threadIdx.x] *= f; // BUG(broadcast)
}

// A scan in place: the second barrier of a step is missing.
extern "C" __global__ void scan_in_place(const int *x, int *y)
{
    __shared__ int s[128];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int left = i >= step ? s[i - step] : 0; // BUG(scan_in_place)
        s[i] += left; // BUG(scan_in_place)
        __syncthreads();
    }
    y[i] = s[i];
}

// Two buffers, but the index never changes.
extern "C" __global__ void one_buffer(const float *x, float *y, int steps)
{
    __shared__ float buffer[2][64];
    float sum = 0.0f;
    for (int step = 0; step < steps; step++) {
        buffer[0][threadIdx.x] = x[step * 64 + threadIdx.x]; // BUG(one_buffer)
        __syncthreads();
        sum += buffer[0][63 - threadIdx.x];
    }
    y[threadIdx.x] = sum;
}

// Two neighbours share a slot.
extern "C" __global__ void shared_slot(const float *x, float *y)
{
    __shared__ float s[32];
    s[threadIdx.x / 2] = x[threadIdx.x]; // BUG(shared_slot)
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x / 2];
}

// Everybody moves one to the left, over what the neighbour still has to read.
extern "C" __global__ void shift_left(float *x)
{
    __shared__ float s[65];
    s[threadIdx.x] = x[threadIdx.x];
    s[64] = 0.0f;
    __syncthreads();
    s[threadIdx.x] = s[threadIdx.x + 1]; // BUG(shift_left)
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x];
}

// Bytes are written by one warp and read four at a time by another.
extern "C" __global__ void packed_bytes(const unsigned char *x, unsigned *y)
{
    __shared__ unsigned words[16];
    ((unsigned char *)words)[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x >= 48) {
        y[threadIdx.x - 48] = words[threadIdx.x - 48]; // BUG(packed_bytes)
    }
}

// The barrier is for the first two warps; the third reads as well.
extern "C" __global__ void half_a_barrier(const float *x, float *y)
{
    __shared__ float s[64];
    if (threadIdx.x < 64) {
        s[threadIdx.x] = x[threadIdx.x];
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    y[threadIdx.x] = s[(threadIdx.x + 1) % 64]; // BUG(half_a_barrier)
}
