/* The shadow of one block's shared memory: what the race and init checks remember about each byte.
 *
 * Race: a hazard (RAW, WAR, WAW) is an access by another thread to the same byte that no barrier
 * and no __syncwarp orders after the first one, unless both only read or both are atomic; lanes of
 * one warp instruction that store the same value to a byte are no hazard. The rule is
 * vg_hazard.h's. Detection is exact for the execution that ran: the first hazard on a byte is
 * always found, in whatever order the warps ran, and an ordered program has none. Init: a bit per
 * byte; a load or atomic of a byte nobody stored since the block started is found.
 *
 * Thread-safety: one shadow belongs to one block at a time, so to one host thread.
 */
#ifndef VG_SHADOW_H
#define VG_SHADOW_H

#include "vg_check.h"

#define VG_BARRIERS 16 /* a block's hardware barriers, ids 0 … 15 (PTX ISA, bar) */

struct vg_shadow;

/* `checks`: of VGPU_CHECK_RACE and VGPU_CHECK_INIT, others are ignored. shared_bytes may be 0;
 * threads is 1 … 1024. */
struct vg_shadow *vg_shadow_new(uint32_t shared_bytes, uint32_t threads, unsigned checks);
void vg_shadow_free(struct vg_shadow *s);
void vg_shadow_reset(struct vg_shadow *s); /* the next block starts */
/* The kernel has barriers for some of its warps (a bar with a thread count, or bar.arrive): call it
 * before the first access, and hazards across such barriers are tracked exactly, at some cost. A
 * partial barrier that was not announced switches it on from then. */
void vg_shadow_partial(struct vg_shadow *s);
/* Calls it when any function of the module has such a barrier. */
void vg_shadow_scan(struct vg_shadow *s, const struct ptx_module *m);

/* A shared access; those of other spaces are ignored. Call it before the access is made. `values`:
 * what a store writes, 32 × a->bytes bytes (lane l's at l · a->bytes); NULL: not known, then two
 * lanes of one store to the same byte are taken to differ. Bytes past the shared memory are not
 * looked at: the mem check reports those. */
void vg_shadow_access(struct vg_shadow *s, const struct vg_check_ctx *ctx,
                      const struct vg_access *a, const void *values);

/* A barrier completed: all accesses of the warps in `warps` (bit per warp; 0: all warps of the
 * block) made so far are ordered before all that these warps make from now on. Threads that exited
 * count as having arrived. */
void vg_shadow_barrier(struct vg_shadow *s, uint64_t warps);
/* bar.arrive: the warp's accesses so far will be ordered before what follows the completion of
 * barrier `id`, and the warp goes on. */
void vg_shadow_arrive(struct vg_shadow *s, unsigned id, uint32_t warp);
/* As vg_shadow_barrier for a barrier some warps only arrived at: `warps` are those that waited. */
void vg_shadow_barrier_id(struct vg_shadow *s, unsigned id, uint64_t warps);
/* bar.warp.sync: orders the accesses of the named lanes of one warp. shfl, vote and match do not
 * (CUDA C++ Programming Guide, "Warp Shuffle Functions": no memory ordering). */
void vg_shadow_warp_sync(struct vg_shadow *s, uint32_t warp, uint32_t lanes);

#endif
