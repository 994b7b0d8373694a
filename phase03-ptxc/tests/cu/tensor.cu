/* Half and bfloat16 arithmetic, wmma, and from sm_80 on cp.async, mma and ldmatrix by hand. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void halves(__half *h, __half2 *h2, __nv_bfloat16 *b, float *f)
{
    int i = threadIdx.x;
    h[i] = __hfma(h[i], h[i + 1], __float2half(f[i]));
    h2[i] = __hadd2(__hmul2(h2[i], h2[i + 1]), __floats2half2_rn(f[i], 1.0f));
    b[i] = __float2bfloat16(__bfloat162float(b[i]) + f[i]);
    f[i] = __half2float(h[i]) + __low2float(h2[i]) + (__hgt(h[i], h[i + 1]) ? 1.0f : 0.0f);
}

extern "C" __global__ void wmma16(const __half *a, const __half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

extern "C" __global__ void pipeline(float *out, const float4 *in, int n)
{
    __shared__ float4 stage[2][128];
    for (int k = 0; k < n; k++) {
        __pipeline_memcpy_async(&stage[k & 1][threadIdx.x], &in[k * 128 + threadIdx.x], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[threadIdx.x] += stage[(k + 1) & 1][127 - threadIdx.x].x;
        __syncthreads();
    }
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void by_hand(unsigned *d, const unsigned *s)
{
    __shared__ __align__(16) unsigned tile[256];
    tile[threadIdx.x] = s[threadIdx.x];
    __syncthreads();
    unsigned a0, a1, a2, a3;
    unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x % 16 * 4]);
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3)
                 : "r"(at));
    asm volatile("{ .reg .pred %%p; setp.ne.u32 %%p, %4, 0;\n"
                 "  @!%%p mov.f32 %0, 0f3F800000;\n"
                 "  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3},\n"
                 "    {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}; }"
                 : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(a0), "r"(a1));
    d[threadIdx.x] = __float_as_uint(c0 + c1 + c2 + c3);
}
#endif
