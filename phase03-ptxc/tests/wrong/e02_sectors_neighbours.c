/* Counts changes from lane to lane, which is the number of sectors only for addresses that rise.
 * REJECTED BY: lanes_that_share_a_sector_in_any_order_count_once
 */
#include "vg_sectors.h"

uint32_t vg_sectors(const struct vg_access *a)
{
    uint64_t before = UINT64_MAX;
    uint32_t n = 0;
    for (uint32_t lanes = a->mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t first = a->addr[__builtin_ctz(lanes)] / VG_SECTOR_BYTES;
        uint64_t last = (a->addr[__builtin_ctz(lanes)] + a->bytes - 1) / VG_SECTOR_BYTES;
        n += first != before ? 1 : 0;
        n += last != first ? 1 : 0;
        before = last;
    }
    return n;
}
