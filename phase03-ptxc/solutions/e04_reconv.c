/* Two fingers: the one that is further from the end goes on along its chain. */
#include "ptx_meet.h"

uint32_t ptx_meet(const struct ptx_chains *chains, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (chains->rank[a] < chains->rank[b]) {
            a = chains->ipdom[a];
        } else {
            b = chains->ipdom[b];
        }
    }
    return a;
}
