/* Accesses of a warp for the tests of counters and checks. */
#ifndef ACCESS_OF_H
#define ACCESS_OF_H

#include "vg_access.h"

#define ALL_LANES UINT32_MAX

/* Every lane at base + lane · stride. */
static inline struct vg_access access_of(enum ptx_space space, uint64_t base, int64_t stride,
                                         uint32_t bytes)
{
    struct vg_access a = {.space = space, .kind = VG_LOAD, .mask = ALL_LANES, .bytes = bytes};
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.addr[lane] = base + (uint64_t)(lane * stride);
    }
    return a;
}

static inline struct vg_access global_of(uint64_t base, int64_t stride, uint32_t bytes)
{
    return access_of(PTX_SPACE_GLOBAL, base, stride, bytes);
}

static inline struct vg_access shared_of(uint64_t base, int64_t stride, uint32_t bytes)
{
    return access_of(PTX_SPACE_SHARED, base, stride, bytes);
}

#endif
