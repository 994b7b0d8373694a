/* Exercise e06: decide whether two accesses of one byte of shared memory are a hazard.
 *
 * The contract stands in src/vg_hazard.h. The shadow calls your function for an earlier access
 * (`then`) and the present one (`now`) of the same byte.
 *
 * HINT 1: First ask whether the two are in order. A thread is always in order with itself. Another
 *         thread's access is in order when its stamp is not above `seen`.
 * HINT 2: Of the accesses that are not in order, two loads are harmless, two atomics are, and
 *         so are stores of the same value by lanes of one instruction. One atomic and one plain
 *         access are not harmless.
 *
 * HINT 3: What is left has at least one write. Name it by what happened: `now` first, then what
 *         it came after. A load after a store is VG_HAZARD_RAW, a store after a load
 *         VG_HAZARD_WAR; everything else is VG_HAZARD_WAW. An atomic counts as a store here.
 */
#include "lab/err.h"
#include "vg_hazard.h"

enum vg_hazard vg_hazard_rule(const struct vg_touch *then, const struct vg_touch *now,
                              uint32_t seen, enum vg_apart apart)
{
    (void)then;
    (void)now;
    (void)seen;
    (void)apart;
    LAB_TODO("e06_race");
}
