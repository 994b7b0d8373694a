/* Reads the name the wrong way round.
 * REJECTED BY: unordered_accesses_are_named_by_what_happened
 */
#include <stdbool.h>

#include "vg_hazard.h"

enum vg_hazard vg_hazard_rule(const struct vg_touch *then, const struct vg_touch *now,
                              uint32_t seen, enum vg_apart apart)
{
    bool both_atomic = then->kind == VG_ATOMIC && now->kind == VG_ATOMIC;
    if (then->thread == now->thread || then->stamp <= seen || both_atomic ||
        apart == VG_ONE_AND_SAME_VALUE) {
        return VG_NO_HAZARD;
    }
    if (then->kind == VG_LOAD) {
        return now->kind == VG_LOAD ? VG_NO_HAZARD : VG_HAZARD_RAW;
    }
    return now->kind == VG_LOAD ? VG_HAZARD_WAR : VG_HAZARD_WAW;
}
