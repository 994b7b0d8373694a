/* Divides the bytes asked for by 32: right only when they lie side by side and start on a sector.
 * REJECTED BY: a_row_that_starts_one_word_late_touches_five
 */
#include "vg_sectors.h"

uint32_t vg_sectors(const struct vg_access *a)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t lanes = a->mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t at = a->addr[__builtin_ctz(lanes)];
        low = at < low ? at : low;
        high = at + a->bytes > high ? at + a->bytes : high;
    }
    uint64_t span = low < high ? high - low : 0;
    return (uint32_t)((span + VG_SECTOR_BYTES - 1) / VG_SECTOR_BYTES);
}
