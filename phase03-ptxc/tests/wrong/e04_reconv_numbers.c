/* Compares the blocks' numbers instead of their ranks.
 * REJECTED BY: long_and_short_chains_meet_at_the_first_common_block
 */
#include "ptx_meet.h"

uint32_t ptx_meet(const struct ptx_chains *chains, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a < b) {
            a = chains->ipdom[a];
        } else {
            b = chains->ipdom[b];
        }
    }
    return a;
}
