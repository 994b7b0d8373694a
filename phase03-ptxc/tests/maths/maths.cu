/* One kernel for each function of CUDA's mathematical library that test_vg_maths compares. */
#define KERNEL(prefix, T, name, expression)                                                        \
    extern "C" __global__ void prefix##name(T *out, const T *a, const T *b)                        \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        T x = a[i], y = b[i];                                                                      \
        out[i] = expression + 0 * y;                                                               \
    }
#define F(name, expression) KERNEL(f_, float, name, expression)
#define D(name, expression) KERNEL(d_, double, name, expression)

F(exp, expf(x))
F(exp2, exp2f(x))
F(expm1, expm1f(x))
F(log, logf(x))
F(log1p, log1pf(x))
F(sin, sinf(x))
F(cos, cosf(x))
F(tan, tanf(x))
F(tanh, tanhf(x))
F(sinh, sinhf(x))
F(erf, erff(x))
F(sqrt, sqrtf(x))
F(rsqrt, rsqrtf(x))
F(cbrt, cbrtf(x))
F(pow, powf(x, y))
F(atan2, atan2f(x, y))
F(hypot, hypotf(x, y))
F(fmod, fmodf(x, y))
F(div, x / y)
D(exp, exp(x))
D(log, log(x))
D(sin, sin(x))
D(tanh, tanh(x))
D(erf, erf(x))
D(sqrt, sqrt(x))
D(rsqrt, rsqrt(x))
D(cbrt, cbrt(x))
D(pow, pow(x, y))
D(atan2, atan2(x, y))
D(fmod, fmod(x, y))
D(div, x / y)
