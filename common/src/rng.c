/* Problem: a run with seed 42 must give the same numbers on every machine, for every thread count.
 * Model: xoshiro256** 1.0, a linear generator over GF(2) with 256 bits of state and period
 * 2^256 − 1, whose output function hides the linearity; splitmix64 spreads a 64-bit seed over the
 * state. Both from https://prng.di.unimi.it.
 * Invariants: the state is never all zero (splitmix64 is a bijection per step, so four of its
 * outputs are not all 0).
 * Simplified: whoever sees a few outputs can compute the rest; real keys need the kernel's
 * generator.
 */
#include "lab/rng.h"

#include "lab/err.h"

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static uint64_t splitmix64(uint64_t *x)
{
    *x += 0x9e3779b97f4a7c15u;
    uint64_t z = *x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void lab_rng_seed(struct lab_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        r->s[i] = splitmix64(&seed);
    }
}

uint64_t lab_rng_u64(struct lab_rng *r)
{
    uint64_t *s = r->s;
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

/* The product x·n has its result in the high word; of the 2^64 values of x, the 2^64 mod n whose
 * low word falls below that number are thrown away, which leaves each result equally many. */
uint64_t lab_rng_below(struct lab_rng *r, uint64_t n)
{
    LAB_ASSERT(n >= 1);
    unsigned __int128 m = (unsigned __int128)lab_rng_u64(r) * n;
    if ((uint64_t)m < n) {
        uint64_t reject = (0 - n) % n;
        while ((uint64_t)m < reject) {
            m = (unsigned __int128)lab_rng_u64(r) * n;
        }
    }
    return (uint64_t)(m >> 64);
}

double lab_rng_f64(struct lab_rng *r)
{
    return (double)(lab_rng_u64(r) >> 11) * 0x1p-53;
}

/* 2^128 steps at once: the coefficients of x^(2^128) modulo the generator's characteristic
 * polynomial say which of the next 256 states to add up. */
static void jump(struct lab_rng *r)
{
    static const uint64_t poly[4] = {0x180ec6d33cfd0abau, 0xd5a61266f0c9392cu, 0xa9582618e03fc9aau,
                                     0x39abdc4529b1661cu};
    struct lab_rng sum = {{0, 0, 0, 0}};
    for (int bit = 0; bit < 256; bit++) {
        uint64_t take = 0 - ((poly[bit / 64] >> (bit % 64)) & 1);
        for (int i = 0; i < 4; i++) {
            sum.s[i] ^= r->s[i] & take;
        }
        (void)lab_rng_u64(r);
    }
    *r = sum;
}

struct lab_rng lab_rng_split(struct lab_rng *r)
{
    struct lab_rng child = *r;
    jump(r);
    return child;
}

void lab_rng_shuffle(struct lab_rng *r, uint32_t *v, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)lab_rng_below(r, i);
        uint32_t swap = v[i - 1];
        v[i - 1] = v[j];
        v[j] = swap;
    }
}
