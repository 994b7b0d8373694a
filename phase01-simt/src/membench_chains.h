/* The loop behind the peak: twelve independent chains of x = x·m + a, in vectors of a given width.
 *
 * Twelve, because a fused multiply-add takes about four cycles and a core starts up to two of them
 * a cycle: eight must be under way to keep both pipes busy, twelve leave room, and twelve sums with
 * two constants still fit the sixteen vector registers of AVX2 (and of SSE2). A macro, because the
 * width and the instruction set are part of the function it stands in.
 */
#ifndef MEMBENCH_CHAINS_H
#define MEMBENCH_CHAINS_H

#define MEMBENCH_CHAINS 12

/* FLOP of `rounds` rounds in vectors of `bytes` bytes. */
static inline double membench_chains_flop(double rounds, double bytes)
{
    return rounds * 2 * MEMBENCH_CHAINS * bytes / sizeof(float);
}

/* Run the chains in vectors of BYTES bytes and store the sum of all in *(SINK). The constants are
 * hidden from the compiler and every chain starts elsewhere: equal chains are computed once. m is
 * below 1, so no chain leaves the normal range. */
#define MEMBENCH_RUN_CHAINS(BYTES, ROUNDS, SINK)                                                   \
    do {                                                                                           \
        typedef float vec __attribute__((vector_size(BYTES)));                                     \
        float m1 = 0.75f, a1 = 0.5f, sum = 0;                                                      \
        __asm__("" : "+r"(m1), "+r"(a1));                                                          \
        vec m = m1 - (vec){0}, a = a1 - (vec){0};                                                  \
        vec c0 = a, c1 = c0 + a, c2 = c1 + a, c3 = c2 + a, c4 = c3 + a, c5 = c4 + a;               \
        vec c6 = c5 + a, c7 = c6 + a, c8 = c7 + a, c9 = c8 + a, c10 = c9 + a, c11 = c10 + a;       \
        for (uint64_t i = 0; i < (ROUNDS); i++) {                                                  \
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
        for (unsigned i = 0; i < (BYTES) / sizeof(float); i++) {                                   \
            sum += c0[i];                                                                          \
        }                                                                                          \
        *(SINK) = sum;                                                                             \
    } while (0)

#endif
