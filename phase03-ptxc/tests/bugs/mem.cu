// Kernels with one memory error each. The line of the error carries BUG(kernel).

// One thread an element, but nobody asks whether the element exists.
extern "C" __global__ void tail_guard(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2.0f * x[i]; // BUG(tail_guard)
}

extern "C" __global__ void off_by_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        x[i] = 1.0f; // BUG(off_by_one)
    }
}

// The first element has no left neighbour.
extern "C" __global__ void left_halo(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i - 1]; // BUG(left_halo)
    }
}

// The last element has no right neighbour.
extern "C" __global__ void right_halo(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i + 1]; // BUG(right_halo)
    }
}

// Rows and columns mixed up: harmless in a square matrix, not in this one.
extern "C" __global__ void swapped_sides(const float *a, float *sums, int rows, int columns)
{
    int row = threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < columns; column++) {
        sum += a[row * rows + column]; // BUG(swapped_sides)
    }
    sums[row] = sum;
}

// Launched with a pointer that is no multiple of 16.
extern "C" __global__ void misaligned_float4(const float4 *x, float *y)
{
    float4 v = x[threadIdx.x]; // BUG(misaligned_float4)
    y[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// A double in the middle of a packed record of 12 bytes.
extern "C" __global__ void packed_record(char *records)
{
    *(double *)(records + 12 * threadIdx.x) = 1.0; // BUG(packed_record)
}

// Launched with a pointer that was freed.
extern "C" __global__ void freed(float *x)
{
    x[threadIdx.x] = 0.0f; // BUG(freed)
}

// Launched with a pointer of the host.
extern "C" __global__ void host_pointer(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // BUG(host_pointer)
}

// Launched with a null pointer.
extern "C" __global__ void null_pointer(float *x)
{
    x[threadIdx.x] = 1.0f; // BUG(null_pointer)
}

// The tile has no column for the last lane's neighbour.
extern "C" __global__ void shared_past_end(const float *x, float *y)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x + 1]; // BUG(shared_past_end)
}

// Launched with half of the dynamic shared memory it needs.
extern "C" __global__ void small_dynamic(const float *x, float *y)
{
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = x[threadIdx.x]; // BUG(small_dynamic)
    __syncthreads();
    y[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

// A text of n bytes without an end mark; the byte after it is somebody else's.
extern "C" __global__ void one_byte_past(const char *text, int *length)
{
    int n = 0;
    while (text[n] != 0) { // BUG(one_byte_past)
        n++;
    }
    *length = n;
}

// The largest value has no bin.
extern "C" __global__ void bin_past_end(const unsigned *values, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&bins[values[i]], 1); // BUG(bin_past_end)
    }
}
