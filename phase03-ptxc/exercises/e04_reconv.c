/* Exercise e04: find where the two arms of a branch meet.
 *
 * The contract stands in src/ptx_meet.h. The software GPU asks your function when it works out, for
 * every branch of a kernel, where lanes that part there come together again.
 *
 * HINT 1: Put one finger on a and one on b. While they are on different blocks, one of them must
 *         move on along its chain: a = ipdom[a], or b = ipdom[b].
 * HINT 2: Which one? The block with the lower rank is further from the end, and the other block's
 *         chain only goes to higher ranks, so it can never come by: move that one.
 * HINT 3: Comparing a and b themselves instead of their ranks is wrong: a loop jumps back, so a
 *         block's number says nothing about how far it is from the end.
 */
#include "lab/err.h"
#include "ptx_meet.h"

uint32_t ptx_meet(const struct ptx_chains *chains, uint32_t a, uint32_t b)
{
    (void)chains;
    (void)a;
    (void)b;
    LAB_TODO("e04_reconv");
}
