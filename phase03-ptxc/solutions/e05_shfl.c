/* The source lane of a shuffle, mode by mode; a lane below 0 is below every limit. */
#include "vg_shfl.h"

uint32_t vg_shfl_source(enum vg_collective mode, uint32_t lane, uint32_t b, uint32_t c,
                        bool *in_range)
{
    const uint32_t delta = b & 31, clamp = c & 31, segment = (c >> 8) & 31;
    const int32_t limit = (int32_t)((lane & segment) | (clamp & ~segment));
    int32_t from = (int32_t)lane;
    switch (mode) {
    case VG_SHFL_UP: from -= (int32_t)delta; break;
    case VG_SHFL_DOWN: from += (int32_t)delta; break;
    case VG_SHFL_BFLY: from ^= (int32_t)delta; break;
    default: from = (int32_t)((lane & segment) | (delta & ~segment)); break;
    }
    *in_range = mode == VG_SHFL_UP ? from >= limit : from <= limit;
    return *in_range ? (uint32_t)from : lane;
}
