/* Takes all bits of the distance.
 * REJECTED BY: distances_count_modulo_32
 */
#include "vg_shfl.h"

uint32_t vg_shfl_source(enum vg_collective mode, uint32_t lane, uint32_t b, uint32_t c,
                        bool *in_range)
{
    uint32_t segment = c >> 8 & 31;
    int limit = (int)((lane & segment) | (c & 31 & ~segment)), from = (int)lane;
    switch (mode) {
    case VG_SHFL_UP: from -= (int)b; break;
    case VG_SHFL_DOWN: from += (int)b; break;
    case VG_SHFL_BFLY: from ^= (int)b; break;
    default: from = (int)((lane & segment) | (b & ~segment)); break;
    }
    *in_range = mode == VG_SHFL_UP ? from >= limit : from <= limit;
    return *in_range ? (uint32_t)from & 31 : lane;
}
