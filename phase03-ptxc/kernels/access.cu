/* How the lanes of a warp share 32-byte sectors: copies that differ only in their addresses. */

/* Lane i moves word i · stride: min(32, 4 · stride) sectors a request. */
extern "C" __global__ void copy_strided(float *out, const float *in, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i * stride] = in[i * stride];
    }
}

/* Lane i moves word i + offset: 4 sectors when offset is a multiple of 8, else 5. */
extern "C" __global__ void copy_misaligned(float *out, const float *in, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i + offset] = in[i + offset];
    }
}

/* Every lane reads one word: a broadcast, 1 sector. */
extern "C" __global__ void copy_broadcast(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[0];
    }
}

/* 16 bytes a lane: 16 sectors, all of them used. */
extern "C" __global__ void copy_float4(float4 *out, const float4 *in, int n4)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) {
        out[i] = in[i];
    }
}

/* Each thread sums four consecutive float4, one after the other: neighbouring lanes are 64 bytes
 * apart, 32 sectors a request where 16 would do. */
extern "C" __global__ void sum_float4x4(float4 *out, const float4 *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int k = 0; k < 4; k++) {
            float4 v = in[4 * i + k];
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
        out[i] = sum;
    }
}

struct point {
    float x, y, z;
};

/* One field of an array of structures: 12 sectors a request; of a structure of arrays: 4. */
extern "C" __global__ void scale_aos(point *p, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x *= s;
    }
}

extern "C" __global__ void scale_soa(float *x, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] *= s;
    }
}

struct point3d {
    double x, y, z;
};

/* The same with doubles: 24 sectors a request against 8. */
extern "C" __global__ void add_aos_double3(point3d *p, double d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += d;
    }
}

extern "C" __global__ void add_soa_double(double *x, double d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += d;
    }
}
