/* Compares after moving both: an arm that is itself the meeting point is passed over.
 * REJECTED BY: an_empty_arm_meets_at_the_other_ones_end
 */
#include "ptx_meet.h"

uint32_t ptx_meet(const struct ptx_chains *chains, uint32_t a, uint32_t b)
{
    if (a != b) {
        a = chains->ipdom[a];
        b = chains->ipdom[b];
    }
    while (a != b) {
        if (chains->rank[a] < chains->rank[b]) {
            a = chains->ipdom[a];
        } else {
            b = chains->ipdom[b];
        }
    }
    return a;
}
