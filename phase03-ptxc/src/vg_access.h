/* One warp-wide memory access: what the executor tells the counters and the checks.
 *
 * The executor fills one of these per memory instruction when counters or checks are on, before the
 * access is made. Only lanes in `mask` (active, guard true) have a meaningful address. A cp.async
 * is two accesses of kind VG_ASYNC_COPY: the global read and the shared write.
 */
#ifndef VG_ACCESS_H
#define VG_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx.h"

#define VG_LANES 32

enum vg_access_kind { VG_LOAD, VG_STORE, VG_ATOMIC, VG_ASYNC_COPY };

struct vg_access {
    /* shared: offset in the block's shared memory; local: offset in the lane's own; else the device
     * address. First and aligned, so that the counters read what the executor wrote with the same
     * whole vectors. */
    _Alignas(64) uint64_t addr[VG_LANES];
    enum ptx_space space; /* never generic: the addresses resolved it: global, shared, … */
    enum vg_access_kind kind;
    uint32_t mask;  /* lanes that make the access */
    uint32_t bytes; /* per lane, vector included: 1 … 16 */
    const struct ptx_func *func;
    uint32_t pc;
    uint32_t warp;  /* in the block */
    uint64_t block; /* linear index in the grid */
};

#endif
