/* Counts the addresses of lanes that do not take part.
 * REJECTED BY: lanes_outside_the_mask_do_not_count
 */
#include "vg_distinct.h"
#include "vg_sectors.h"

uint32_t vg_sectors(const struct vg_access *a)
{
    uint64_t sectors[2 * VG_LANES];
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        sectors[2 * lane] = a->addr[lane] / VG_SECTOR_BYTES;
        sectors[2 * lane + 1] = (a->addr[lane] + a->bytes - 1) / VG_SECTOR_BYTES;
    }
    return vg_distinct(sectors, 2 * VG_LANES);
}
