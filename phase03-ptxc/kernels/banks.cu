/* How the lanes of a warp share the 32 banks of shared memory. One warp a block.
 *
 * The loops are not unrolled, and the tile is volatile where the compiler could do without the
 * reads, so that every read of the source is a request. */

/* A 32 × 32 tile, row after row: 32 requests of 1 wavefront. */
extern "C" __global__ void tile_rows(float *out, const float *in)
{
    __shared__ float tile[32][32];
    for (int r = 0; r < 32; r++) {
        tile[r][threadIdx.x] = in[r * 32 + threadIdx.x];
    }
    __syncwarp();
    volatile float *t = &tile[0][0];
    float sum = 0.0f;
#pragma unroll 1
    for (int r = 0; r < 32; r++) {
        sum += t[r * 32 + threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

/* Column after column: every lane's word lies in one bank, 32 requests of 32 wavefronts. */
extern "C" __global__ void tile_columns(float *out, const float *in)
{
    __shared__ float tile[32][32];
    for (int r = 0; r < 32; r++) {
        tile[r][threadIdx.x] = in[r * 32 + threadIdx.x];
    }
    __syncwarp();
    volatile float *t = &tile[0][0];
    float sum = 0.0f;
#pragma unroll 1
    for (int c = 0; c < 32; c++) {
        sum += t[threadIdx.x * 32 + c];
    }
    out[threadIdx.x] = sum;
}

/* The same down columns of a tile with one float of padding a row: 1 wavefront again. */
extern "C" __global__ void tile_columns_padded(float *out, const float *in)
{
    __shared__ float tile[32][33];
    for (int r = 0; r < 32; r++) {
        tile[r][threadIdx.x] = in[r * 32 + threadIdx.x];
    }
    __syncwarp();
    volatile float *t = &tile[0][0];
    float sum = 0.0f;
#pragma unroll 1
    for (int c = 0; c < 32; c++) {
        sum += t[threadIdx.x * 33 + c];
    }
    out[threadIdx.x] = sum;
}

/* Down the columns 16 bytes a lane: 8 requests of 32 wavefronts, 28 of them conflicts. */
extern "C" __global__ void tile_columns_float4(float *out, const float *in)
{
    __shared__ __align__(16) float tile[32][32];
    for (int r = 0; r < 32; r++) {
        tile[r][threadIdx.x] = in[r * 32 + threadIdx.x];
    }
    __syncwarp();
    float sum = 0.0f;
#pragma unroll 1
    for (int c = 0; c < 32; c += 4) {
        float4 v = *(const float4 *)&tile[threadIdx.x][c];
        sum += v.x + v.y + v.z + v.w;
    }
    out[threadIdx.x] = sum;
}

/* `loads` 128-bit loads a warp. Lane l reads float4 number 8 · l: all lanes of a quarter warp meet
 * in the same four banks, 32 wavefronts a request. */
extern "C" __global__ void lds128_bad(float *out, int loads)
{
    __shared__ float4 tile[32 * 8];
    for (int i = threadIdx.x; i < 32 * 8; i += 32) {
        tile[i] = make_float4(i, i, i, i);
    }
    __syncwarp();
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < loads; k++) {
        float4 v = tile[threadIdx.x * 8 + (k & 7)];
        sum += v.x + v.y + v.z + v.w;
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

/* The same data with the float4 of row l stored at column (c XOR l): a quarter warp covers all 32
 * banks, 4 wavefronts a request. */
extern "C" __global__ void lds128_swizzled(float *out, int loads)
{
    __shared__ float4 tile[32 * 8];
    for (int i = threadIdx.x; i < 32 * 8; i += 32) {
        int row = i / 8, col = i % 8;
        tile[row * 8 + (col ^ (row & 7))] = make_float4(i, i, i, i);
    }
    __syncwarp();
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < loads; k++) {
        float4 v = tile[threadIdx.x * 8 + ((k & 7) ^ (threadIdx.x & 7))];
        sum += v.x + v.y + v.z + v.w;
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
