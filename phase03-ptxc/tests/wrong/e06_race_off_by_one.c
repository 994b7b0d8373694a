/* Takes `seen` for exclusive: the access right before the barrier looks unordered.
 * REJECTED BY: what_a_thread_has_seen_is_in_order
 */
#include <stdbool.h>

#include "vg_hazard.h"

enum vg_hazard vg_hazard_rule(const struct vg_touch *then, const struct vg_touch *now,
                              uint32_t seen, enum vg_apart apart)
{
    bool both_atomic = then->kind == VG_ATOMIC && now->kind == VG_ATOMIC;
    if (then->thread == now->thread || then->stamp < seen || both_atomic ||
        apart == VG_ONE_AND_SAME_VALUE) {
        return VG_NO_HAZARD;
    }
    if (then->kind == VG_LOAD) {
        return now->kind == VG_LOAD ? VG_NO_HAZARD : VG_HAZARD_WAR;
    }
    return now->kind == VG_LOAD ? VG_HAZARD_RAW : VG_HAZARD_WAW;
}
