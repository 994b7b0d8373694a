/* Forgets the segments: every width is 32.
 * REJECTED BY: segments_keep_to_themselves
 */
#include "vg_shfl.h"

uint32_t vg_shfl_source(enum vg_collective mode, uint32_t lane, uint32_t b, uint32_t c,
                        bool *in_range)
{
    int from = (int)lane, delta = (int)(b & 31);
    (void)c;
    switch (mode) {
    case VG_SHFL_UP: from -= delta; break;
    case VG_SHFL_DOWN: from += delta; break;
    case VG_SHFL_BFLY: from ^= delta; break;
    default: from = delta; break;
    }
    *in_range = from >= 0 && from < 32;
    return *in_range ? (uint32_t)from : lane;
}
