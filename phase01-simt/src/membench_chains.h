/* The loop behind the peak: twelve independent chains of x = x·m + a, in vectors of a given width.
 *
 * Twelve, because a fused multiply-add takes about four cycles and a core starts up to two of them
 * a cycle: eight must be under way to keep both pipes busy, twelve leave room, and twelve sums with
 * two constants still fit the sixteen vector registers of AVX2 (and of SSE2). A macro, because the
 * width and the instruction set are part of the function's type.
 */
#ifndef MEMBENCH_CHAINS_H
#define MEMBENCH_CHAINS_H

#include <stdint.h>

#define MEMBENCH_CHAINS 12

/* Define NAME(rounds, sink): vectors of BYTES bytes, compiled with the attributes ATTR. The
 * constants are hidden from the compiler and every chain starts elsewhere: equal chains are
 * computed once. m is below 1, so no chain leaves the normal range. */
#define MEMBENCH_DEFINE_CHAINS(NAME, BYTES, ATTR)                                                  \
    typedef float NAME##_vec __attribute__((vector_size(BYTES)));                                  \
    ATTR static double NAME(uint64_t rounds, float *sink)                                          \
    {                                                                                              \
        float m1 = 0.75f, a1 = 0.5f;                                                               \
        __asm__("" : "+r"(m1), "+r"(a1));                                                          \
        NAME##_vec m = m1 - (NAME##_vec){0}, a = a1 - (NAME##_vec){0};                             \
        NAME##_vec c0 = a, c1 = c0 + a, c2 = c1 + a, c3 = c2 + a, c4 = c3 + a, c5 = c4 + a;        \
        NAME##_vec c6 = c5 + a, c7 = c6 + a, c8 = c7 + a, c9 = c8 + a, c10 = c9 + a,               \
                   c11 = c10 + a;                                                                  \
        for (uint64_t i = 0; i < rounds; i++) {                                                    \
            c0 = c0 * m + a;                                                                       \
            c1 = c1 * m + a;                                                                       \
            c2 = c2 * m + a;                                                                       \
            c3 = c3 * m + a;                                                                       \
            c4 = c4 * m + a;                                                                       \
            c5 = c5 * m + a;                                                                       \
            c6 = c6 * m + a;                                                                       \
            c7 = c7 * m + a;                                                                       \
            c8 = c8 * m + a;                                                                       \
            c9 = c9 * m + a;                                                                       \
            c10 = c10 * m + a;                                                                     \
            c11 = c11 * m + a;                                                                     \
        }                                                                                          \
        c0 += c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11;                              \
        float sum = 0;                                                                             \
        for (unsigned i = 0; i < (BYTES) / 4; i++) {                                               \
            sum += c0[i];                                                                          \
        }                                                                                          \
        *sink = sum;                                                                               \
        return (double)rounds * 2 * MEMBENCH_CHAINS * ((BYTES) / 4.0);                             \
    }

#endif
