/* Which registers are alive where: how many a thread needs, and which it reads unset. */
#ifndef VG_LIVE_H
#define VG_LIVE_H

#include "ptx_cfg.h"

/* Instructions [first, last] from the first to the last at which a register may be alive. */
struct vg_span {
    uint32_t first, last;
};

struct vg_live {
    uint32_t regs;   /* the most 32-bit registers alive at once; predicates are not among them */
    uint64_t *unset; /* a bit per register that some path reads before it writes it */
    struct vg_span *spans; /* by register */
};

/* For bodies too large to analyse every register counts as unset, alive everywhere, and regs is
 * 255. */
void vg_live(const struct ptx_func *f, const struct ptx_cfg *cfg, struct vg_live *out);
void vg_live_fini(struct vg_live *l);

static inline bool vg_live_unset(const struct vg_live *l, uint32_t reg)
{
    return ((l->unset[reg / 64] >> (reg % 64)) & 1) != 0;
}

#endif
