/* Published figures of accelerators, and what the roofline says of them without a measurement.
 *
 * All rates are dense: vendors also print figures for 2:4 structured sparsity, twice as high, which
 * no dense model reaches. Thread-safety: constant data.
 */
#ifndef MEMBENCH_SPEC_H
#define MEMBENCH_SPEC_H

#include <stddef.h>

struct membench_figure {
    double value;
    const char *source; /* document of the vendor, and what it says where that needs a word */
};

struct membench_chip {
    const char *name;
    struct membench_figure bf16_tflops; /* dense BF16 with tensor or matrix cores, 1e12 FLOP/s */
    struct membench_figure mem_gb;      /* capacity, 1e9 bytes */
    struct membench_figure mem_gbs;     /* bandwidth, 1e9 bytes/s */
    struct membench_figure link_gbs;    /* to other chips, both directions together, 1e9 bytes/s */
    struct membench_figure power_w;     /* maximum */
};

const struct membench_chip *membench_chips(size_t *n);

/* By name, case ignored; NULL when there is none. */
const struct membench_chip *membench_chip_find(const char *name);

/* FLOP/byte at which compute and memory take equally long. */
double membench_chip_ridge(const struct membench_chip *c);

/* Tokens a second that decoding one sequence cannot exceed: every weight is read once per token. */
double membench_decode_ceiling(const struct membench_chip *c, double weights_gb);

#endif
