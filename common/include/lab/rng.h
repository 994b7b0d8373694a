/* Random numbers that are the same on every machine, compiler and thread count.
 *
 * xoshiro256** 1.0 seeded by splitmix64, both by David Blackman and Sebastiano Vigna (public
 * domain; https://prng.di.unimi.it). Not for cryptography. Thread-safety: one thread at a time per
 * generator; give each thread its own by lab_rng_split.
 */
#ifndef LAB_RNG_H
#define LAB_RNG_H

#include <stddef.h>
#include <stdint.h>

struct lab_rng {
    uint64_t s[4];
};

void lab_rng_seed(struct lab_rng *r, uint64_t seed);
uint64_t lab_rng_u64(struct lab_rng *r);

/* Uniform in [0, n) without bias (Lemire 2019, doi:10.1145/3230636); n ≥ 1. */
uint64_t lab_rng_below(struct lab_rng *r, uint64_t n);

/* Uniform in [0, 1) with 53 random bits. */
double lab_rng_f64(struct lab_rng *r);

/* A generator of its own for one more thread: it goes on where `r` stands, and `r` moves 2^128
 * steps ahead, so that their streams do not overlap. */
struct lab_rng lab_rng_split(struct lab_rng *r);

/* Fisher-Yates shuffle of v[0..n). */
void lab_rng_shuffle(struct lab_rng *r, uint32_t *v, size_t n);

#endif
