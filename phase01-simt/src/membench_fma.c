/* Peak with fused multiply-add: one instruction, one rounding, two operations.
 *
 * This file alone is built with -ffp-contract=fast (phase01-simt/CMakeLists.txt), so that x·m + a
 * becomes one instruction where the machine has it. Its results are compared by bound, never bit by
 * bit.
 */
#include "membench_chains.h"
#include "membench_kern.h"

#if defined(__x86_64__)
__attribute__((target("avx512f,fma"))) static double chains512(uint64_t rounds, float *sink)
{
    MEMBENCH_RUN_CHAINS(64, rounds, sink);
    return membench_chains_flop((double)rounds, 64);
}

__attribute__((target("avx2,fma"))) static double chains256(uint64_t rounds, float *sink)
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

double membench_flops_fma(uint64_t rounds, float *sink)
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
