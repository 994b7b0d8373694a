/* Cache operators, volatile and scoped accesses, all spaces, big local arrays, launch bounds. */
#include <cuda/atomic>

__constant__ float weights[16];
__device__ volatile int flag;

extern "C" __global__ void __launch_bounds__(256, 2)
    spaces(float *out, const float *__restrict__ in, int n)
{
    extern __shared__ float dynamic[];
    __shared__ float fixed[32][33];
    float local[64];
    for (int k = 0; k < 64; k++) {
        local[k] = in[k * n] * weights[k & 15];
    }
    dynamic[threadIdx.x] = __ldg(&in[threadIdx.x]);
    fixed[threadIdx.x / 32][threadIdx.x % 32] = __ldcg(&in[n]);
    __syncthreads();
    __stcs(&out[threadIdx.x], local[n & 63] + dynamic[n] + fixed[n & 31][n & 15]);
    flag = n;
}

extern "C" __global__ void scoped(int *data, float4 *v)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> a(data[0]);
    cuda::atomic_ref<int, cuda::thread_scope_block> b(data[1]);
    a.fetch_add(1, cuda::memory_order_relaxed);
    b.store(a.load(cuda::memory_order_acquire), cuda::memory_order_release);
    float4 x = v[threadIdx.x];
    switch (data[threadIdx.x] & 7) {
    case 0: x.x = 1; break;
    case 1: x.y *= x.z; break;
    case 2: x.z = data[x.x > 0]; break;
    case 3: x.w -= x.y; break;
    case 4: x.x += 4; break;
    case 5: x.y = sqrtf(x.y); break;
    default: break;
    }
    v[threadIdx.x] = x;
    asm volatile("prefetch.global.L2 [%0]; discard.global.L2 [%0], 128;" ::"l"(v));
    asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1; fence.acq_rel.gpu;" ::"l"(data));
}
