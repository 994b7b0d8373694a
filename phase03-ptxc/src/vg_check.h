/* The checks of compute-sanitizer, on the software GPU: mem, race, sync, init.
 *
 * The executor calls in at every access and barrier when a check is on. A finding names kernel,
 * block, thread, lane, address, the PTX line and, where .loc tells, the source line. Findings at
 * the same instruction with the same reason are counted and the first is kept; mem findings also
 * stop the kernel with the status CUDA would give.
 *
 * Shared memory: a shadow of one record per byte of the block's shared memory holds the last writer
 * and the readers since the last barrier that covers them. A hazard (RAW, WAR, WAW) is an access by
 * another thread to the same byte in the same barrier interval, unless both are atomics; lanes of
 * one warp in one instruction that store the same value to the same byte are no hazard. __syncwarp
 * orders the lanes it names. Initialisation: a bit per byte, of shared memory per block and of
 * device allocations (set by copies, memset and stores).
 *
 * Thread-safety: struct vg_shadow belongs to one block, so to one worker; the report takes a lock.
 */
#ifndef VG_CHECK_H
#define VG_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/buf.h"
#include "vg_access.h"
#include "vgpu.h"

struct vg_finding {
    enum vgpu_check check;
    char what[96]; /* "read-after-write hazard", "out of bounds by 4 bytes past an allocation of
                      400" */
    const struct ptx_func *func; /* borrowed from the module: print before it is unloaded */
    uint32_t pc;
    struct vgpu_dim block, thread;
    uint32_t lane;
    uint64_t address;
    uint32_t other_pc; /* the other access of a hazard; UINT32_MAX: none */
    struct vgpu_dim other_thread;
    uint64_t count; /* how often this reason was found at this instruction */
};

struct vg_report; /* owned by the device */

struct vg_report *vg_report_new(void);
void vg_report_free(struct vg_report *r);
void vg_report_add(struct vg_report *r, const struct vg_finding *f);
/* Sorted by function, pc, reason, so the text is the same for any thread count. Borrowed. */
const struct vg_finding *vg_report_list(struct vg_report *r, size_t *n);
/* One paragraph a finding, as a tired learner would want to read it. */
void vg_report_print(struct vg_report *r, struct lab_buf *out);
struct vg_report *vgpu_report(struct vgpu *g);

/* --- shadow of one block's shared memory --- */
struct vg_shadow;

struct vg_shadow *vg_shadow_new(uint32_t shared_bytes, uint32_t threads, unsigned checks);
void vg_shadow_free(struct vg_shadow *s);
void vg_shadow_reset(struct vg_shadow *s); /* the next block starts */

/* The block and report a finding is filed under. `dim` is the block's shape. */
struct vg_check_ctx {
    struct vg_report *report;
    struct vgpu_dim block, dim;
};

/* A shared access. `values` points to 32 × a->bytes bytes that a store writes, NULL otherwise. */
void vg_shadow_access(struct vg_shadow *s, const struct vg_check_ctx *ctx,
                      const struct vg_access *a, const void *values);
/* bar.sync with all threads (count 0), or with the threads in `warps` (bit per warp). */
void vg_shadow_barrier(struct vg_shadow *s, uint64_t warps);
/* bar.warp.sync or another .sync that orders memory among lanes of one warp. */
void vg_shadow_warp_sync(struct vg_shadow *s, uint32_t warp, uint32_t lanes);

#endif
