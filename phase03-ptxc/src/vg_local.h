/* The lanes' local memory: rows of 4 bytes over the 32 lanes, as the hardware interleaves it, so
 * that lanes that use the same offset touch one line. Byte b of a lane is byte b mod 4 of its word
 * in row b / 4. */
#ifndef VG_LOCAL_H
#define VG_LOCAL_H

#include "vg_machine.h"

/* The row that holds offset `at` (of the lane's whole local memory). */
static inline uint32_t *vg_local_row(const struct vg_warp *w, uint64_t at)
{
    const struct vg_block *b = w->block;
    return (uint32_t *)(void *)(b->local + VG_LANES * (w->id * b->local_bytes + (at & ~3ull)));
}

/* n bytes of one lane, from `at` on: all inside the memory. */
void vg_local_get(const struct vg_warp *w, unsigned lane, uint64_t at, unsigned n, void *out);
void vg_local_put(const struct vg_warp *w, unsigned lane, uint64_t at, unsigned n, const void *in);

/* Read n bytes at a generic address as one lane sees it; false where there is nothing. */
bool vg_generic_get(struct vg_warp *w, unsigned lane, uint64_t addr, unsigned n, void *out);

#endif
