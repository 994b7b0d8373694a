/* What the device asks of the host: printf, assert, malloc, trap, managed memory. */
#include <cassert>
#include <cstdio>

__managed__ int counter;

extern "C" __global__ void talk(const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    printf("block %d thread %d of %d: %f %s\n", blockIdx.x, threadIdx.x, n, i * 0.5, "text");
    assert(i < n);
    int *copy = (int *)malloc(n * sizeof(int));
    if (copy == nullptr) {
        __trap();
    }
    for (int k = 0; k < n; k++) {
        copy[k] = in[k];
    }
    counter += copy[i];
    free(copy);
    if (clock64() < 0) {
        __brkpt();
    }
    __nanosleep(100);
}
