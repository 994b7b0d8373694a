// Correct kernels: tiles of shared memory.

#define T 16

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[T][T], tb[T][T];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n; t += T) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < T; k++) {
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void transpose_padded(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int row = threadIdx.y; row < 32; row += blockDim.y) {
        tile[row][threadIdx.x] = in[(y + row) * n + x + threadIdx.x];
    }
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += blockDim.y) {
        out[(x + row) * n + y + threadIdx.x] = tile[threadIdx.x][row];
    }
}

// A stencil whose tile has its halo, and whose last block has a tail.
extern "C" __global__ void stencil(const float *x, float *y, int n)
{
    __shared__ float s[130];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x + 1] = i < n ? x[i] : 0.0f;
    if (threadIdx.x == 0) {
        s[0] = i > 0 ? x[i - 1] : 0.0f;
    }
    if (threadIdx.x == 127) {
        s[129] = i + 1 < n ? x[i + 1] : 0.0f;
    }
    __syncthreads();
    if (i < n) {
        y[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
    }
}

// Two buffers and one barrier a step.
extern "C" __global__ void double_buffer(const float *x, float *y, int steps)
{
    __shared__ float buffer[2][64];
    float sum = 0.0f;
    for (int step = 0; step < steps; step++) {
        buffer[step % 2][threadIdx.x] = x[step * 64 + threadIdx.x];
        __syncthreads();
        sum += buffer[step % 2][63 - threadIdx.x];
    }
    y[threadIdx.x] = sum;
}

// Three arrays in one piece of dynamic shared memory, one of them of bytes.
extern "C" __global__ void dynamic_arrays(const float *x, float *y)
{
    extern __shared__ float floats[];
    unsigned short *halves = (unsigned short *)(floats + 64);
    unsigned char *bytes = (unsigned char *)(halves + 64);
    floats[threadIdx.x] = x[threadIdx.x];
    halves[threadIdx.x] = (unsigned short)threadIdx.x;
    bytes[threadIdx.x] = (unsigned char)(63 - threadIdx.x);
    __syncthreads();
    y[threadIdx.x] = floats[bytes[threadIdx.x]] + halves[bytes[threadIdx.x]];
}

extern "C" __global__ void copy_float4(const float4 *x, float4 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}

// Odd-even pairs, sorted in place: a barrier every step.
extern "C" __global__ void bitonic_sort(int *x)
{
    __shared__ int s[128];
    int i = threadIdx.x;
    s[i] = x[i];
    for (int size = 2; size <= 128; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            __syncthreads();
            int other = i ^ distance;
            if (other > i && (s[i] > s[other]) == ((i & size) == 0)) {
                int keep = s[i];
                s[i] = s[other];
                s[other] = keep;
            }
        }
    }
    __syncthreads();
    x[i] = s[i];
}
