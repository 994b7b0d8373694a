/* The streams and the arithmetic kernels, in gcc's vector extensions.
 *
 * The model: vectors of 64 bytes, four at a time, so that several cache lines are under way; the
 * compiler splits a vector where the machine's are narrower.
 *
 * Invariants: built with -ffp-contract=off like the whole tree, so a multiplication and an addition
 * stay two roundings and the results equal the scalar references; no loop may become a call of
 * memset or memcpy, which would be timed as the C library's choice of store, often a non-temporal
 * one. Simplified: no software prefetch and no tuning per core; a BLAS library gets closer to the
 * peak.
 */
#include "membench_kern.h"

#include <string.h>

#include "lab/clones.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

typedef uint64_t words __attribute__((vector_size(64), aligned(64), may_alias));
typedef float floats __attribute__((vector_size(64), aligned(64), may_alias));

#define WORDS  (sizeof(words) / sizeof(uint64_t))
#define FLOATS (sizeof(floats) / sizeof(float))

LAB_CLONES
uint64_t membench_kern_read(const uint64_t *src, size_t n)
{
    const words *p = (const words *)src;
    words s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (size_t i = 0; i < n / WORDS; i += 4) {
        s0 += p[i];
        s1 += p[i + 1];
        s2 += p[i + 2];
        s3 += p[i + 3];
    }
    uint64_t lane[WORDS], sum = 0;
    s0 += s1 + s2 + s3;
    memcpy(lane, &s0, sizeof(lane));
    for (size_t i = 0; i < WORDS; i++) {
        sum += lane[i];
    }
    return sum;
}

LAB_CLONES
uint64_t membench_kern_read2(const uint64_t *a, const uint64_t *b, size_t n)
{
    const words *p = (const words *)a, *q = (const words *)b;
    words s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (size_t i = 0; i < n / WORDS; i += 4) {
        s0 += p[i] ^ q[i];
        s1 += p[i + 1] ^ q[i + 1];
        s2 += p[i + 2] ^ q[i + 2];
        s3 += p[i + 3] ^ q[i + 3];
    }
    uint64_t lane[WORDS], sum = 0;
    s0 += s1 + s2 + s3;
    memcpy(lane, &s0, sizeof(lane));
    for (size_t i = 0; i < WORDS; i++) {
        sum += lane[i];
    }
    return sum;
}

LAB_CLONES
void membench_kern_write(uint64_t *dst, uint64_t v, size_t n)
{
    words *p = (words *)dst;
    const words w = {v, v, v, v, v, v, v, v};
    for (size_t i = 0; i < n / WORDS; i += 4) {
        p[i] = w;
        p[i + 1] = w;
        p[i + 2] = w;
        p[i + 3] = w;
    }
}

LAB_CLONES
void membench_kern_copy(uint64_t *dst, const uint64_t *src, size_t n)
{
    words *d = (words *)dst;
    const words *s = (const words *)src;
    for (size_t i = 0; i < n / WORDS; i += 2) {
        d[i] = s[i];
        d[i + 1] = s[i + 1];
    }
}

LAB_CLONES
void membench_kern_vector_add(float *c, const float *a, const float *b, size_t n)
{
    floats *z = (floats *)c;
    const floats *x = (const floats *)a, *y = (const floats *)b;
    for (size_t i = 0; i < n / FLOATS; i++) {
        z[i] = x[i] + y[i];
    }
}

LAB_CLONES
void membench_kern_triad(float *c, const float *a, const float *b, float s, size_t n)
{
    floats *z = (floats *)c;
    const floats *x = (const floats *)a, *y = (const floats *)b;
    for (size_t i = 0; i < n / FLOATS; i++) {
        z[i] = x[i] + s * y[i];
    }
}

LAB_CLONES
float membench_kern_dot(const float *a, const float *b, size_t n)
{
    const floats *x = (const floats *)a, *y = (const floats *)b;
    floats s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (size_t i = 0; i < n / FLOATS; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    float lane[FLOATS], sum = 0;
    s0 += s1 + s2 + s3;
    memcpy(lane, &s0, sizeof(lane));
    for (size_t i = 0; i < FLOATS; i++) {
        sum += lane[i];
    }
    return sum;
}

/* One tile of c += a·b: two rows of 64 sums stay in registers while k runs, and share each load of
 * b. */
LAB_CLONES
static void tile(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < MEMBENCH_TILE; i += 2) {
        floats *up = (floats *)(c + i * n), *down = (floats *)(c + (i + 1) * n);
        floats u0 = up[0], u1 = up[1], u2 = up[2], u3 = up[3];
        floats d0 = down[0], d1 = down[1], d2 = down[2], d3 = down[3];
        for (size_t k = 0; k < MEMBENCH_TILE; k++) {
            const floats *from = (const floats *)(b + k * n);
            const float x = a[i * n + k], y = a[(i + 1) * n + k];
            u0 += x * from[0];
            u1 += x * from[1];
            u2 += x * from[2];
            u3 += x * from[3];
            d0 += y * from[0];
            d1 += y * from[1];
            d2 += y * from[2];
            d3 += y * from[3];
        }
        up[0] = u0, up[1] = u1, up[2] = u2, up[3] = u3;
        down[0] = d0, down[1] = d1, down[2] = d2, down[3] = d3;
    }
}

void membench_kern_matmul(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i += MEMBENCH_TILE) {
        for (size_t j = 0; j < n; j += MEMBENCH_TILE) {
            for (size_t k = 0; k < n; k += MEMBENCH_TILE) {
                tile(c + i * n + j, a + i * n + k, b + k * n + j, n);
            }
        }
    }
}
