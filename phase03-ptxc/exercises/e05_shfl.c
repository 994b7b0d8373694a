/* Exercise e05: find the lane that a shuffle reads from.
 *
 * The contract stands in src/vg_shfl.h. With it, __shfl_sync, __shfl_up_sync, __shfl_down_sync and
 * __shfl_xor_sync of any width work.
 *
 * HINT 1: Take b & 31 first: a distance of 32 is a distance of 0, and 33 is 1.
 * HINT 2: lane − b can be below 0. Compute in a signed type, or the comparison with the limit goes
 *         wrong.
 * HINT 3: For idx the segment's own bits come from the lane and the others from b:
 *         (lane & segment) | (b & ~segment). Only up is in range from the limit upwards; the three
 *         others are up to the limit.
 */
#include "lab/err.h"
#include "vg_shfl.h"

uint32_t vg_shfl_source(enum vg_collective mode, uint32_t lane, uint32_t b, uint32_t c,
                        bool *in_range)
{
    (void)mode;
    (void)lane;
    (void)b;
    (void)c;
    (void)in_range;
    LAB_TODO("e05_shfl");
}
