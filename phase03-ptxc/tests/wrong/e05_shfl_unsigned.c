/* Computes lane − b without a sign: a source below lane 0 looks like one far above the limit.
 * REJECTED BY: up_reads_below_until_lane_0
 */
#include "vg_shfl.h"

uint32_t vg_shfl_source(enum vg_collective mode, uint32_t lane, uint32_t b, uint32_t c,
                        bool *in_range)
{
    uint32_t segment = c >> 8 & 31, limit = (lane & segment) | (c & 31 & ~segment);
    uint32_t from = lane;
    b &= 31;
    switch (mode) {
    case VG_SHFL_UP: from = lane - b; break;
    case VG_SHFL_DOWN: from = lane + b; break;
    case VG_SHFL_BFLY: from = lane ^ b; break;
    default: from = (lane & segment) | (b & ~segment); break;
    }
    *in_range = mode == VG_SHFL_UP ? from >= limit : from <= limit;
    return *in_range ? from % 32 : lane;
}
