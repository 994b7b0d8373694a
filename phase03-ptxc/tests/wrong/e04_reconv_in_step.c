/* Moves both fingers at once: on chains of different lengths they pass each other by.
 * REJECTED BY: long_and_short_chains_meet_at_the_first_common_block
 */
#include "ptx_meet.h"

uint32_t ptx_meet(const struct ptx_chains *chains, uint32_t a, uint32_t b)
{
    while (a != b) {
        a = chains->ipdom[a];
        b = chains->ipdom[b];
    }
    return a;
}
