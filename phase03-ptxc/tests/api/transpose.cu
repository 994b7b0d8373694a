// Three transposes of a 64 x 64 matrix: straight, with a tile, and with a padded tile.
#include "check.cuh"
#include <vector>

#define TILE 32

__global__ void straight(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

template <int PAD> __global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

template <typename K> static void run(const char *name, K kernel)
{
    const int n = 64;
    std::vector<float> in(n * n), out(n * n);
    float *din, *dout;
    for (int i = 0; i < n * n; i++) {
        in[i] = i;
    }
    CHECK(cudaMalloc(&din, n * n * sizeof(float)));
    CHECK(cudaMalloc(&dout, n * n * sizeof(float)));
    CHECK(cudaMemcpy(din, in.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    kernel<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(dout, din, n);
    CHECK(cudaMemcpy(out.data(), dout, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n * n; i++) {
        EXPECT(out[i] == in[i % n * n + i / n]);
    }
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    std::printf("%s: right\n", name);
}

int main()
{
    run("straight", straight);
    run("tiled", tiled<0>);
    run("padded", tiled<1>);
}
