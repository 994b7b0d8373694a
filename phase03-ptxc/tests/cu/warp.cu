/* Warp-wide operations, votes, barriers, atomics of all spaces and types. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void warp_ops(unsigned *out, const unsigned *in)
{
    unsigned lane = threadIdx.x % 32, v = in[threadIdx.x];
    v += __shfl_sync(~0u, v, lane ^ 1) + __shfl_up_sync(~0u, v, 1) + __shfl_down_sync(~0u, v, 2);
    v += __shfl_xor_sync(~0u, v, 16);
    v += __ballot_sync(~0u, v > 3) + __any_sync(~0u, v) + __all_sync(~0u, v) + __activemask();
    v += __match_any_sync(~0u, v);
    __syncwarp();
    v += __syncthreads_count(v) + __syncthreads_and(v) + __syncthreads_or(v);
    v += __popc(v) + __clz(v) + __brev(v) + __ffs(v) + __byte_perm(v, lane, 0x3210);
    out[threadIdx.x] = v + __funnelshift_l(v, lane, 3);
}

extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    __shared__ unsigned s;
    s = 0;
    __syncthreads();
    atomicAdd(i, 1);
    atomicSub(i, 1);
    atomicMin(i, 3);
    atomicMax(i, 4);
    atomicAnd(u, 5);
    atomicOr(u, 6);
    atomicXor(u, 7);
    atomicInc(u, 8);
    atomicDec(u, 9);
    atomicExch(u, 1);
    atomicCAS(u, 2, 3);
    atomicCAS(l, 2, 3);
    atomicAdd(l, 1);
    atomicAdd(f, 1.0f);
    atomicAdd(d, 1.0);
    atomicAdd(&s, 1);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    u[threadIdx.x] = s;
}

extern "C" __global__ void groups(float *out, const float *in)
{
    cg::grid_group grid = cg::this_grid();
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = cg::reduce(tile, in[threadIdx.x], cg::plus<float>());
    grid.sync();
    if (tile.thread_rank() == 0) {
        out[blockIdx.x] = sum;
    }
}
