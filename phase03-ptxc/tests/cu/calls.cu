/* Function pointers, recursion, structures by value, a virtual function, tables of addresses. */
struct wide {
    int a;
    float b;
    double c[3];
};

__device__ float twice(float x)
{
    return 2.0f * x;
}
__device__ float square(float x)
{
    return x * x;
}
typedef float (*function)(float);
__device__ function table[2] = {twice, square};
__device__ float values[4] = {1.0f, 2.5f, -3.0f, 0.1f};
__device__ float *middle = &values[2];
__constant__ char text[] = "constant";

__device__ __noinline__ int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

__device__ __noinline__ wide change(wide w, int i)
{
    w.c[i % 3] += w.a * w.b;
    return w;
}

struct shape {
    __device__ virtual float area() const = 0;
};
struct box : shape {
    float w, h;
    __device__ float area() const override
    {
        return w * h;
    }
};

extern "C" __global__ void call(float *out, wide w, int which)
{
    int i = threadIdx.x;
    box b;
    b.w = b.h = out[i];
    const shape *s = &b;
    wide changed = change(w, i);
    out[i] = table[which](out[i]) + factorial(which) + (float)changed.c[1] + s->area() + *middle +
             text[which];
}
