/* Exercise e02: count the sectors that one warp-wide access touches.
 *
 * The contract stands in src/vg_sectors.h. Memory moves in aligned chunks of 32 bytes; your
 * function says how many different ones the lanes of an access ask for.
 *
 * HINT 1: Only lanes whose bit is set in a->mask count. The sector of an address is its number
 *         divided by 32: addresses 0 … 31 lie in sector 0, 32 … 63 in sector 1.
 * HINT 2: An access of a->bytes bytes at address x ends at x + a->bytes − 1. If its first and its
 *         last byte lie in different sectors, it touches both.
 * HINT 3: Write all sector numbers into an array of 64 and let vg_distinct (vg_distinct.h) say how
 *         many different ones it holds.
 */
#include "lab/err.h"
#include "vg_sectors.h"

uint32_t vg_sectors(const struct vg_access *a)
{
    (void)a;
    LAB_TODO("e02_sectors");
}
