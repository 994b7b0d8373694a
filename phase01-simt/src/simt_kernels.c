/* What the kernels compute, thread by thread, without masks or warps.
 *
 * Problem: counting issues says nothing about whether the lanes computed the right thing.
 * Model: for each kernel a function from thread number to the word it must leave; written from the
 * kernel's description, not from its instructions.
 */
#include "simt_kernels.h"

#include <string.h>

struct kernel {
    const char *name;
    uint32_t at; /* thread t's result is in word at + t */
    int32_t (*want)(const int32_t *mem, int32_t t);
};

static int32_t triangular(const int32_t *mem, int32_t t)
{
    (void)mem;
    return t * (t + 1) / 2;
}

static int32_t half_if_even(const int32_t *mem, int32_t t)
{
    (void)mem;
    return t % 2 == 0 ? t / 2 : t;
}

static int32_t half_in_warp_0(const int32_t *mem, int32_t t)
{
    (void)mem;
    return t < SIMT_LANES ? t / 2 : t;
}

static int32_t three_times(const int32_t *mem, int32_t t)
{
    (void)mem;
    return t < SIMT_LANES ? 3 * t : 0;
}

static int32_t mod_4(const int32_t *mem, int32_t t)
{
    (void)mem;
    return t % 4;
}

static int32_t mod_8(const int32_t *mem, int32_t t)
{
    (void)mem;
    return t % 8;
}

/* Warp 0 alone: its two divisors are found in the same round, so leaving early changes nothing. */
static int32_t divisor(const int32_t *mem, int32_t t)
{
    (void)mem;
    for (int32_t d = t + 2; d < 300; d += SIMT_LANES) {
        if (8051 % d == 0) {
            return d;
        }
    }
    return 0;
}

static int32_t checksum(const int32_t *mem, int32_t t)
{
    uint32_t sum = 0;
    for (uint32_t round = 64; round > 0; round--) {
        sum = ((((sum + (uint32_t)mem[t]) * 5) ^ round) + 7) & 0xffffff;
    }
    return (int32_t)sum;
}

static int32_t neighbour_square(const int32_t *mem, int32_t t)
{
    (void)mem;
    return (t ^ SIMT_LANES) * (t ^ SIMT_LANES);
}

static const struct kernel kernels[] = {
    {"uniform", 0, triangular},
    {"warp_uniform", 0, half_in_warp_0},
    {"even_odd", 0, half_if_even},
    {"even_odd_selp", 0, half_if_even},
    {"max_divergent", 0, three_times},
    {"nested2", 0, mod_4},
    {"nested3", 0, mod_8},
    {"vote_none", 0, divisor},
    {"vote_any", 0, divisor},
    {"latency", 2048, checksum},
    {"barrier", 2048, neighbour_square},
};

static bool wrong_at(uint32_t word, uint32_t *at)
{
    if (at != NULL) {
        *at = word;
    }
    return false;
}

static bool per_thread(const struct kernel *k, const struct simt_block *b, uint32_t *at)
{
    for (uint32_t t = 0; t < b->cfg.warps * SIMT_LANES; t++) {
        if (b->mem[k->at + t] != k->want(b->mem, (int32_t)t)) {
            return wrong_at(k->at + t, at);
        }
    }
    return true;
}

static bool warp_sums(const struct simt_block *b, uint32_t *at)
{
    for (uint32_t w = 0; w < b->cfg.warps; w++) {
        /* 32 numbers in a row, beginning at 32w. */
        if (b->mem[w] !=
            (int32_t)(SIMT_LANES * SIMT_LANES * w + SIMT_LANES * (SIMT_LANES - 1) / 2)) {
            return wrong_at(w, at);
        }
    }
    return true;
}

static bool counter(const struct simt_block *b, uint32_t *at)
{
    if (b->mem[0] != 0) {
        return wrong_at(0, at);
    }
    return b->mem[1] == (int32_t)(b->cfg.warps * SIMT_LANES) || wrong_at(1, at);
}

bool simt_kernel_holds(const char *name, const struct simt_block *b, uint32_t *at)
{
    if (strcmp(name, "reduce") == 0) {
        return warp_sums(b, at);
    }
    if (strcmp(name, "spinlock") == 0) {
        return counter(b, at);
    }
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
        if (strcmp(name, kernels[i].name) == 0) {
            return per_thread(&kernels[i], b, at);
        }
    }
    return false;
}
