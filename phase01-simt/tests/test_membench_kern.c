/* Every kernel against the plainest loop that computes the same. */
#include "membench_kern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/rng.h"
#include "lab/test.h"

#define N ((size_t)4096)

static void *aligned(size_t bytes)
{
    void *p = aligned_alloc(64, bytes);
    assert_non_null(p);
    memset(p, 0, bytes);
    return p;
}

static void words_of(uint64_t *v, size_t n, uint64_t seed)
{
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        v[i] = lab_rng_u64(&rng);
    }
}

static void floats_of(float *v, size_t n, uint64_t seed)
{
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++) {
        v[i] = (float)lab_rng_f64(&rng) - 0.5f;
    }
}

static void reading_sums_every_word(void **state)
{
    (void)state;
    uint64_t *a = aligned(N * 8), *b = aligned(N * 8);
    words_of(a, N, 1);
    words_of(b, N, 2);
    for (size_t n = MEMBENCH_KERN_MULTIPLE; n <= N; n *= 2) {
        uint64_t sum_a = 0, both = 0;
        for (size_t i = 0; i < n; i++) {
            sum_a += a[i];
            both += a[i] ^ b[i];
        }
        assert_true(membench_kern_read(a, n) == sum_a);
        assert_true(membench_kern_read2(a, b, n) == both);
    }
    free(a);
    free(b);
}

/* Each store covers exactly n words: the word behind them keeps its value. */
static void writing_and_copying_cover_exactly_their_words(void **state)
{
    (void)state;
    uint64_t *src = aligned(N * 8), *dst = aligned((N + 8) * 8);
    words_of(src, N, 3);
    dst[N] = 99;
    membench_kern_write(dst, 7, N);
    assert_true(dst[0] == 7 && dst[N / 2] == 7 && dst[N - 1] == 7 && dst[N] == 99);
    membench_nt_write(dst, 8, N);
    assert_true(dst[0] == 8 && dst[N - 1] == 8 && dst[N] == 99);
    membench_kern_copy(dst, src, N);
    assert_memory_equal(dst, src, N * 8);
    membench_kern_write(dst, 0, N);
    membench_nt_copy(dst, src, N);
    assert_memory_equal(dst, src, N * 8);
    assert_true(dst[N] == 99);
    free(src);
    free(dst);
}

static void vector_add_and_triad_equal_the_scalar_loop_to_the_bit(void **state)
{
    (void)state;
    float *a = aligned(N * 4), *b = aligned(N * 4), *c = aligned(N * 4);
    floats_of(a, N, 4);
    floats_of(b, N, 5);
    membench_kern_vector_add(c, a, b, N);
    for (size_t i = 0; i < N; i++) {
        float want = a[i] + b[i];
        assert_memory_equal(&c[i], &want, 4);
    }
    membench_kern_triad(c, a, b, 3.0f, N);
    for (size_t i = 0; i < N; i++) {
        float product = 3.0f * b[i];
        float want = a[i] + product;
        assert_memory_equal(&c[i], &want, 4);
    }
    free(a);
    free(b);
    free(c);
}

static void dot_is_close_to_the_sum_in_double(void **state)
{
    (void)state;
    float *a = aligned(N * 4), *b = aligned(N * 4);
    floats_of(a, N, 6);
    floats_of(b, N, 7);
    double want = 0, size = 0;
    for (size_t i = 0; i < N; i++) {
        want += (double)a[i] * (double)b[i];
        size += fabs((double)a[i] * (double)b[i]);
    }
    assert_true(fabs((double)membench_kern_dot(a, b, N) - want) <= 1e-5 * size);
    free(a);
    free(b);
}

/* Element (i, j) of the product, by the plain loop. */
static float element(const float *a, const float *b, size_t n, size_t i, size_t j)
{
    float sum = 0;
    for (size_t k = 0; k < n; k++) {
        float product = a[i * n + k] * b[k * n + j];
        sum += product;
    }
    return sum;
}

static void matmul_equals_the_triple_loop_to_the_bit(void **state)
{
    (void)state;
    for (size_t n = MEMBENCH_TILE; n <= 3 * MEMBENCH_TILE; n += MEMBENCH_TILE) {
        float *a = aligned(n * n * 4), *b = aligned(n * n * 4), *c = aligned(n * n * 4);
        floats_of(a, n * n, 8);
        floats_of(b, n * n, 9);
        membench_kern_matmul(c, a, b, n);
        for (size_t i = 0; i < n * n; i++) {
            float want = element(a, b, n, i / n, i % n);
            assert_memory_equal(&c[i], &want, 4);
        }
        free(a);
        free(b);
        free(c);
    }
}

static void matmul_adds_to_what_is_there(void **state)
{
    (void)state;
    size_t n = MEMBENCH_TILE;
    float *a = aligned(n * n * 4), *b = aligned(n * n * 4), *c = aligned(n * n * 4);
    for (size_t i = 0; i < n; i++) {
        a[i * n + i] = 1; /* the identity */
    }
    for (size_t i = 0; i < n * n; i++) {
        b[i] = (float)i;
        c[i] = 10;
    }
    membench_kern_matmul(c, a, b, n);
    for (size_t i = 0; i < n * n; i++) {
        assert_true(c[i] == (float)i + 10);
    }
    free(a);
    free(b);
    free(c);
}

/* Chains x = 0.75 x + 0.5 from 0.5, 1.0, … 6.0: after one round their sum is 12·0.5 + 0.75·39 per
 * lane. */
static void chains_compute_what_they_say(void **state)
{
    (void)state;
    int lanes = membench_flops_lanes();
    assert_true(lanes == 4 || lanes == 8 || lanes == 16);
    float fused, separate;
    assert_true(membench_flops_fma(1, &fused) == 24.0 * lanes);
    assert_true(membench_flops_muladd(1, &separate) == 24.0 * lanes);
    assert_true(fused == 35.25f * (float)lanes);
    assert_true(separate == 35.25f * (float)lanes);
    assert_true(membench_flops_muladd(1000, &separate) == 24000.0 * lanes);
    assert_true(fabsf(separate - 24.0f * (float)lanes) < 0.01f * (float)lanes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_sums_every_word),
        cmocka_unit_test(writing_and_copying_cover_exactly_their_words),
        cmocka_unit_test(vector_add_and_triad_equal_the_scalar_loop_to_the_bit),
        cmocka_unit_test(dot_is_close_to_the_sum_in_double),
        cmocka_unit_test(matmul_equals_the_triple_loop_to_the_bit),
        cmocka_unit_test(matmul_adds_to_what_is_there),
        cmocka_unit_test(chains_compute_what_they_say),
    };
    return LAB_TEST_MAIN(tests);
}
