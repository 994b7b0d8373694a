/* The checks of compute-sanitizer, on the software GPU: mem, race, sync, init.
 *
 * The executor calls in at every access and barrier when a check is on. A finding names kernel,
 * block, thread, lane, address, the PTX line and, where .loc tells, the source line. Findings at
 * the same instruction with the same reason are counted and one of them is kept: that of the lowest
 * block, and in it the first, so the report is the same for any number of host threads. Mem
 * findings also stop the kernel with the status CUDA would give.
 *
 * Shared memory: vg_shadow.h. Device memory nobody wrote: vg_initmap.h.
 * Thread-safety: the report takes a lock.
 */
#ifndef VG_CHECK_H
#define VG_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/buf.h"
#include "vg_access.h"
#include "vgpu.h"

/* Why a finding was made: with the instruction, what makes two findings one. */
enum vg_reason {
    VG_OUT_OF_BOUNDS,
    VG_MISALIGNED,
    VG_FREED_MEMORY,
    VG_HOST_POINTER,
    VG_WRONG_SPACE,
    VG_READ_AFTER_WRITE,
    VG_WRITE_AFTER_READ,
    VG_WRITE_AFTER_WRITE,
    VG_DIVERGENT_BARRIER, /* some of a warp's lanes came to a barrier the others cannot reach */
    VG_MISSING_MEMBERS,   /* a .sync names lanes that exited or wait somewhere else for good */
    VG_NOT_A_MEMBER,      /* a lane executes a .sync whose mask leaves it out */
    VG_UNWRITTEN_SHARED,
    VG_UNWRITTEN_GLOBAL,
    VG_REASON_COUNT,
};

enum vgpu_check vg_check_of(enum vg_reason r);
const char *vg_check_name(enum vgpu_check c); /* "mem", "race", "sync", "init" */

#define VG_NO_PC   UINT32_MAX
#define VG_NO_LANE UINT32_MAX

struct vg_finding {
    enum vg_reason reason;
    char what[96]; /* "read-after-write hazard", "out of bounds by 4 bytes past an allocation of
                      400" */
    const struct ptx_func *kernel; /* the entry that was launched; NULL: func itself */
    const struct ptx_func *func;   /* borrowed from the module: print before it is unloaded */
    uint32_t pc;
    struct vgpu_dim block, thread;
    uint32_t warp, lane; /* lane VG_NO_LANE: the whole warp, named by its first thread */
    enum ptx_space space;
    enum vg_access_kind kind;
    uint64_t address; /* shared: offset in the block's shared memory */
    uint32_t bytes;   /* of the access; 0: the finding has no address */
    /* The other access of a hazard: NULL and VG_NO_PC when there is none. */
    const struct ptx_func *other_func;
    uint32_t other_pc;
    struct vgpu_dim other_thread;
    uint64_t count; /* how often this reason was found at this instruction */
};

struct vg_report; /* owned by the device */

struct vg_report *vg_report_new(void);
void vg_report_free(struct vg_report *r);
/* Copies *f; its count is added (0 counts as 1). Beyond 4,096 different findings only their number
 * is kept. */
void vg_report_add(struct vg_report *r, const struct vg_finding *f);
/* Sorted by kernel, function, pc, reason. Borrowed until the next add. */
const struct vg_finding *vg_report_list(struct vg_report *r, size_t *n);
/* One paragraph a finding, as a tired learner would want to read it, and a last line with the
 * number of findings ("no findings" when there are none). Source lines are read from the files the
 * module's .file directives name, where those exist. */
void vg_report_print(struct vg_report *r, struct lab_buf *out);
void vg_report_clear(struct vg_report *r);
struct vg_report *vgpu_report(struct vgpu *g);

/* --- making findings --- */

/* The block that runs and the report its findings are filed under. `dim` is the block's shape. */
struct vg_check_ctx {
    struct vg_report *report;
    struct vgpu_dim block, dim;
    const struct ptx_func *kernel;
};

/* The thread of a lane: x fastest, then y, then z (CUDA C++ Programming Guide, "Thread
 * Hierarchy"). */
struct vgpu_dim vg_thread_of(const struct vg_check_ctx *ctx, uint32_t warp, uint32_t lane);

/* What is wrong with which lane's access. */
struct vg_wrong {
    const struct vg_access *a;
    uint32_t lane;
    enum vg_reason reason;
};

/* A finding about one lane's access: everything but the text is filled in from it. */
void vg_find_access(const struct vg_check_ctx *ctx, const struct vg_wrong *wrong, const char *fmt,
                    ...) __attribute__((format(printf, 3, 4)));

/* The earlier access of a hazard. */
struct vg_other {
    const struct ptx_func *func; /* NULL: not known */
    uint32_t pc;
    struct vgpu_dim thread;
    uint64_t count; /* how many such hazards this warp instruction has */
};

/* A hazard of one lane's access. */
void vg_find_hazard(const struct vg_check_ctx *ctx, const struct vg_wrong *wrong,
                    const struct vg_other *other);

/* A place in the code and a warp there. */
struct vg_place {
    const struct ptx_func *func;
    uint32_t pc;
    uint32_t warp;
};

/* A bar.sync that only `arrived` of the warp's `alive` lanes reached while the others went on
 * elsewhere. */
void vg_find_divergent_barrier(const struct vg_check_ctx *ctx, const struct vg_place *at,
                               uint32_t arrived, uint32_t alive);
/* A .sync instruction (shfl, vote, match, bar.warp, …) that `here` lanes execute with member mask
 * `members`; `exited` lanes have returned. Files one finding: a lane of `here` outside the mask,
 * else members that exited, else members that never come; none when all is well. */
void vg_find_members(const struct vg_check_ctx *ctx, const struct vg_place *at, uint32_t here,
                     uint32_t members, uint32_t exited);

#endif
