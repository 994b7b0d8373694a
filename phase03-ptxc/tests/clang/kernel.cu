/* Compiled by clang's own CUDA front end without any CUDA header: the other maker of PTX. */
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))

typedef int (*function)(int);

DEVICE int table[4] = {1, 2, 3, 4};

static DEVICE __attribute__((noinline)) int plus(int x)
{
    return x + 1;
}
static DEVICE __attribute__((noinline)) int minus(int x)
{
    return x - 1;
}
DEVICE __attribute__((noinline)) int pick(function f, int x)
{
    return f(x);
}

struct wide {
    int a;
    double b[3];
};

extern "C" GLOBAL void work(float *out, const float *in, wide w, int n)
{
    SHARED float tile[256];
    int i = __nvvm_read_ptx_sreg_tid_x() + __nvvm_read_ptx_sreg_ctaid_x() * 256;
    tile[i & 255] = in[i];
    __syncthreads();
    float sum = (float)w.b[n & 1];
    for (int k = 0; k < n; k++) {
        sum += tile[(i + k) & 255] * in[k];
    }
    int x = pick(n > 3 ? plus : minus, i);
    switch (n) {
    case 0: sum += table[w.a & 3]; break;
    case 1: sum *= 3.0f; break;
    case 2: sum = in[x]; break;
    case 3: sum -= table[2]; break;
    case 4: sum /= in[i]; break;
    default: break;
    }
    sum += __nvvm_shfl_sync_bfly_f32(-1, sum, 1, 31);
    out[i] = sum + (float)x;
}
