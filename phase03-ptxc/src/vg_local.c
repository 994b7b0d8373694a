/* One lane's local memory, byte by byte, and what a lane sees at a generic address. For the odd
 * accesses (printf, mixed generic loads): the common ones take whole rows, vg_ldst.c. */
#include "vg_local.h"

#include <string.h>

#include "vg_launch.h"

static uint8_t *byte_at(const struct vg_warp *w, unsigned lane, uint64_t at)
{
    return (uint8_t *)(vg_local_row(w, at) + lane) + (at & 3);
}

void vg_local_get(const struct vg_warp *w, unsigned lane, uint64_t at, unsigned n, void *out)
{
    for (unsigned k = 0; k < n; k++) {
        ((uint8_t *)out)[k] = *byte_at(w, lane, at + k);
    }
}

void vg_local_put(const struct vg_warp *w, unsigned lane, uint64_t at, unsigned n, const void *in)
{
    for (unsigned k = 0; k < n; k++) {
        *byte_at(w, lane, at + k) = ((const uint8_t *)in)[k];
    }
}

bool vg_generic_get(struct vg_warp *w, unsigned lane, uint64_t addr, unsigned n, void *out)
{
    struct vg_block *b = w->block;
    uint64_t window = addr & ~(VG_WINDOW_BYTES - 1), at = addr - window;
    const uint8_t *from = NULL;
    if (window == VG_LOCAL_WINDOW) {
        if (at + n > b->local_bytes) {
            return false;
        }
        vg_local_get(w, lane, at, n, out);
        return true;
    }
    if (window == VG_SHARED_WINDOW) {
        from = at + n <= b->shared_limit ? b->shared + at : NULL;
    } else if (window == VG_PARAM_WINDOW) {
        from = at + n <= b->launch->param_bytes ? b->launch->params + at : NULL;
    } else {
        from = vg_mem_at(&b->mem, addr, n);
    }
    if (from != NULL) {
        memcpy(out, from, n);
    }
    return from != NULL;
}
