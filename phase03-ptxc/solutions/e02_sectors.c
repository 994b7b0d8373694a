/* Sectors of a warp's access: list every sector that a lane touches, count the different ones.
 *
 * Simplified: hardware asks its cache for 128-byte lines and then for sectors of them; the number
 * of sectors is the same.
 */
#include "vg_distinct.h"
#include "vg_sectors.h"

uint32_t vg_sectors(const struct vg_access *a)
{
    uint64_t sectors[2 * VG_LANES];
    uint32_t n = 0;
    for (uint32_t lanes = a->mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t first = a->addr[__builtin_ctz(lanes)];
        uint64_t last = first + a->bytes - 1;
        sectors[n++] = first / VG_SECTOR_BYTES;
        if (last / VG_SECTOR_BYTES != first / VG_SECTOR_BYTES) {
            sectors[n++] = last / VG_SECTOR_BYTES;
        }
    }
    return vg_distinct(sectors, n);
}
