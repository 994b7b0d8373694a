// Kernels with one synchronisation error each. Its line carries BUG(kernel).

#define ALL 0xffffffffu

extern "C" __global__ void barrier_in_if(float *x)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x % 32 < 16) {
        x[threadIdx.x] = 0.0f;
        __syncthreads(); // BUG(barrier_in_if)
        x[threadIdx.x] = s[threadIdx.x + 16];
    }
    x[threadIdx.x] *= 2.0f;
}

// Each arm has its own barrier: the lanes of a warp never meet at one.
extern "C" __global__ void barrier_in_both_arms(float *x)
{
    __shared__ float s[64];
    if (threadIdx.x % 2 == 0) {
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads(); // BUG(barrier_in_both_arms)
        x[threadIdx.x] = s[threadIdx.x] + 1.0f;
    } else {
        s[threadIdx.x] = -x[threadIdx.x];
        __syncthreads(); // BUG(barrier_in_both_arms)
        x[threadIdx.x] = s[threadIdx.x] * 2.0f;
    }
}

// Threads make different numbers of rounds.
extern "C" __global__ void barrier_in_loop(float *x, const int *rounds)
{
    float sum = 0.0f;
    for (int i = 0; i < rounds[threadIdx.x]; i++) {
        sum += x[threadIdx.x];
        __syncthreads(); // BUG(barrier_in_loop)
    }
    x[threadIdx.x] = sum;
}

// Lanes past the end return, and the shuffle still names them.
extern "C" __global__ void shuffle_after_return(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (i >= n) {
        return;
    }
    y[i] = x[i] + __shfl_down_sync(ALL, x[i], 1); // BUG(shuffle_after_return)
}

// Only one arm votes; the mask names both.
extern "C" __global__ void ballot_in_branch(unsigned *votes, const int *x)
{
    int i = threadIdx.x;
    if (x[i] > 0) {
        votes[i] = __ballot_sync(ALL, x[i] > 1); // BUG(ballot_in_branch)
    } else {
        votes[i] = 0;
    }
}

// The mask of the lower half, executed by all.
extern "C" __global__ void syncwarp_outside(float *x)
{
    __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncwarp(0x0000ffff); // BUG(syncwarp_outside)
    x[threadIdx.x] = s[threadIdx.x ^ 1];
}

// A mask that was right for eight lanes.
extern "C" __global__ void shuffle_small_mask(float *x)
{
    float v = x[threadIdx.x];
    x[threadIdx.x] = v + __shfl_xor_sync(0xff, v, 4); // BUG(shuffle_small_mask)
}

// The lanes that left the loop are still in the mask.
extern "C" __global__ void vote_after_break(const int *x, int *y)
{
    int i = threadIdx.x, n = 0;
    while (n < x[i]) {
        if (__any_sync(ALL, x[i] == 3)) { // BUG(vote_after_break)
            n += 2;
        }
        n++;
    }
    y[i] = n;
}
