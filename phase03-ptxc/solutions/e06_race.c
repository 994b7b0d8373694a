/* The rule of the race check: in order? harmless? else which hazard? */
#include <stdbool.h>

#include "vg_hazard.h"

enum vg_hazard vg_hazard_rule(const struct vg_touch *then, const struct vg_touch *now,
                              uint32_t seen, enum vg_apart apart)
{
    bool in_order = then->thread == now->thread || then->stamp <= seen;
    bool both_atomic = then->kind == VG_ATOMIC && now->kind == VG_ATOMIC;
    if (in_order || both_atomic || apart == VG_ONE_AND_SAME_VALUE) {
        return VG_NO_HAZARD;
    }
    if (then->kind == VG_LOAD) {
        return now->kind == VG_LOAD ? VG_NO_HAZARD : VG_HAZARD_WAR;
    }
    return now->kind == VG_LOAD ? VG_HAZARD_RAW : VG_HAZARD_WAW;
}
