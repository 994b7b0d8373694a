/* Random floating-point bit patterns that find trouble: special values, neighbours of powers of
 * two, subnormals, numbers close to each other. */
#ifndef VG_NUMBERS_H
#define VG_NUMBERS_H

#include <stdint.h>

#include "lab/rng.h"

/* A pattern of a format with `bits` in all and `fraction` fraction bits. */
static inline uint64_t vg_number(struct lab_rng *rng, unsigned bits, unsigned fraction)
{
    unsigned exponent_bits = bits - 1 - fraction;
    uint64_t top = (1ull << exponent_bits) - 1, ones = (1ull << fraction) - 1;
    uint64_t sign = lab_rng_below(rng, 2) << (bits - 1), f = lab_rng_u64(rng) & ones, e;
    switch (lab_rng_below(rng, 8)) {
    case 0: e = 0; break;
    case 1: e = top; break;
    case 2: e = top - 1 - lab_rng_below(rng, 3); break;
    case 3: e = 1 + lab_rng_below(rng, fraction + 3); break;
    case 4:
    case 5: e = (top >> 1) + lab_rng_below(rng, 5) - 2; break;
    default: e = lab_rng_below(rng, top + 1); break;
    }
    switch (lab_rng_below(rng, 6)) {
    case 0: f = lab_rng_below(rng, 3); break;
    case 1: f = ones - lab_rng_below(rng, 3); break;
    case 2: f &= ones << lab_rng_below(rng, fraction); break;
    case 3: f = 1ull << lab_rng_below(rng, fraction); break;
    default: break;
    }
    return sign | (e & top) << fraction | (f & ones);
}

static inline uint32_t vg_number_f32(struct lab_rng *rng)
{
    return (uint32_t)vg_number(rng, 32, 23);
}
static inline uint64_t vg_number_f64(struct lab_rng *rng)
{
    return vg_number(rng, 64, 52);
}

#endif
