/* Conversions, 8 to 128 bits, the mathematical library in single and double precision. */
#include <cmath>

extern "C" __global__ void integers(long long *out, const signed char *c, const unsigned short *h,
                                    const long long *l, int n)
{
    int i = threadIdx.x;
    __int128 wide = (__int128)l[i] * l[i + 1] + c[i];
    out[i] = (long long)(wide >> 37) + l[i] / n + l[i] % n + h[i] / 7 + c[i] % 5;
    out[i] += __mulhi(n, i) + __umul64hi(l[i], l[i + 1]) + __sad(n, i, 3u) + abs(n) + min(n, i);
    out[i] += __float2int_rn(n * 0.5f) + __double2ll_rz(n * 0.5) + (n > i ? h[i] : c[i]);
    bool odd = c[i] & 1, big = h[i] > 500;
    out[i] += odd != big;
}

extern "C" __global__ void floats(float *out, const float *in)
{
    int i = threadIdx.x;
    float x = in[i];
    out[i] = expf(x) + logf(x) + sinf(x) + cosf(x) + tanhf(x) + sqrtf(x) + powf(x, 2.5f) + x / 3.0f;
    out[i] += __expf(x) + __logf(x) + __sinf(x) + __fdividef(x, 3.0f) + rsqrtf(x) + __tanf(x);
    out[i] += floorf(x) + ceilf(x) + roundf(x) + truncf(x) + rintf(x) + fmodf(x, 2.0f) + erff(x);
    out[i] += __fadd_rz(x, 1.0f) + __fmul_ru(x, 3.0f) + __fmaf_rd(x, x, x) + __saturatef(x);
    out[i] += isnan(x) + isinf(x) + fmaxf(x, 1.0f) + fminf(x, 2.0f) + copysignf(x, 3.0f) + cbrtf(x);
}

extern "C" __global__ void doubles(double *out, const double *in)
{
    int i = threadIdx.x;
    double x = in[i];
    out[i] = exp(x) + log(x) + sin(x) + cos(x) + sqrt(x) + pow(x, 2.5) + x / 3.0 + 1.0 / x;
    out[i] += floor(x) + fabs(x) + fmin(x, 2.0) + tgamma(x) + (float)x + (int)x + rsqrt(x);
}
