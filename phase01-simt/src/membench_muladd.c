/* Peak without fusing: a multiplication and an addition, two instructions and two roundings. It is
 * the ceiling of code that must give the same bits everywhere, which is how this tree is built
 * (-ffp-contract=off), and so the roof over the lab's own matmul.
 */
#include "membench_chains.h"
#include "membench_kern.h"

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static double chains512(uint64_t rounds, float *sink)
{
    MEMBENCH_RUN_CHAINS(64, rounds, sink);
    return membench_chains_flop((double)rounds, 64);
}

__attribute__((target("avx2"))) static double chains256(uint64_t rounds, float *sink)
{
    MEMBENCH_RUN_CHAINS(32, rounds, sink);
    return membench_chains_flop((double)rounds, 32);
}
#endif

static double chains128(uint64_t rounds, float *sink)
{
    MEMBENCH_RUN_CHAINS(16, rounds, sink);
    return membench_chains_flop((double)rounds, 16);
}

int membench_flops_lanes(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return 16;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return 8;
    }
#endif
    return 4;
}

double membench_flops_muladd(uint64_t rounds, float *sink)
{
#if defined(__x86_64__)
    if (membench_flops_lanes() == 16) {
        return chains512(rounds, sink);
    }
    if (membench_flops_lanes() == 8) {
        return chains256(rounds, sink);
    }
#endif
    return chains128(rounds, sink);
}
