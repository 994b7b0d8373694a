/* C = A·B for n × n matrices of floats in rows, from the slowest kernel to shared-memory tiles. */

/* threadIdx.x walks down a column: the lanes of a warp are n floats apart in A and C. */
extern "C" __global__ void matmul_uncoalesced(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = sum;
    }
}

/* threadIdx.x walks along a row: B and C are read and written in whole sectors. */
extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) {
            sum += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = sum;
    }
}

/* A block of T × T threads loads a tile of A and one of B into shared memory, so that every float
 * read from global memory is used T times. */
template <int T>
__device__ void matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[T][T];
    __shared__ float tb[T][T];
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n; t += T) {
        int ka = t + threadIdx.x;
        int kb = t + threadIdx.y;
        ta[threadIdx.y][threadIdx.x] = row < n && ka < n ? a[row * n + ka] : 0.0f;
        tb[threadIdx.y][threadIdx.x] = kb < n && col < n ? b[kb * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++) {
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < n && col < n) {
        c[row * n + col] = sum;
    }
}

extern "C" __global__ void matmul_tiled16(const float *a, const float *b, float *c, int n)
{
    matmul_tiled<16>(a, b, c, n);
}

extern "C" __global__ void matmul_tiled32(const float *a, const float *b, float *c, int n)
{
    matmul_tiled<32>(a, b, c, n);
}
