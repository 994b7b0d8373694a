/* out = inᵀ for an n × n matrix of floats; n is a multiple of 32, a block is 32 × 8 threads and
 * moves a tile of 32 × 32. The ladder of NVIDIA's matrix transpose example: a copy as the bound,
 * then uncoalesced stores, then a tile in shared memory, then a tile without bank conflicts. */
#define TILE 32
#define ROWS 8

extern "C" __global__ void transpose_copy(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        out[(y + j) * n + x] = in[(y + j) * n + x];
    }
}

extern "C" __global__ void transpose_naive(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        out[x * n + y + j] = in[(y + j) * n + x];
    }
}

/* The row length of the tile decides about bank conflicts: a column of 32 floats lies in one bank,
 * a column of 33 in 32 of them. */
template <int PITCH>
__device__ void transpose_tile(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][PITCH];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

extern "C" __global__ void transpose_tiled(float *out, const float *in, int n)
{
    transpose_tile<TILE>(out, in, n);
}

extern "C" __global__ void transpose_padded(float *out, const float *in, int n)
{
    transpose_tile<TILE + 1>(out, in, n);
}
