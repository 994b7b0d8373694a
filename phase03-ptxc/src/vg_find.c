/* Findings made from what the executor knows: who, where, and in words what is wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "vg_check.h"

enum vgpu_check vg_check_of(enum vg_reason r)
{
    switch (r) {
    case VG_READ_AFTER_WRITE:
    case VG_WRITE_AFTER_READ:
    case VG_WRITE_AFTER_WRITE: return VGPU_CHECK_RACE;
    case VG_DIVERGENT_BARRIER:
    case VG_MISSING_MEMBERS:
    case VG_NOT_A_MEMBER: return VGPU_CHECK_SYNC;
    case VG_UNWRITTEN_SHARED:
    case VG_UNWRITTEN_GLOBAL: return VGPU_CHECK_INIT;
    default: return VGPU_CHECK_MEM;
    }
}

const char *vg_check_name(enum vgpu_check c)
{
    switch (c) {
    case VGPU_CHECK_MEM: return "mem";
    case VGPU_CHECK_RACE: return "race";
    case VGPU_CHECK_SYNC: return "sync";
    case VGPU_CHECK_INIT: return "init";
    default: return "all";
    }
}

struct vgpu_dim vg_thread_of(const struct vg_check_ctx *ctx, uint32_t warp, uint32_t lane)
{
    uint32_t x = ctx->dim.x == 0 ? 1 : ctx->dim.x, y = ctx->dim.y == 0 ? 1 : ctx->dim.y;
    uint32_t linear = VG_LANES * warp + lane;
    return (struct vgpu_dim){linear % x, linear / x % y, linear / x / y};
}

static struct vg_finding start(const struct vg_check_ctx *ctx, const struct vg_place *at,
                               uint32_t lane, enum vg_reason reason)
{
    return (struct vg_finding){
        .reason = reason,
        .kernel = ctx->kernel,
        .func = at->func,
        .pc = at->pc,
        .block = ctx->block,
        .thread = vg_thread_of(ctx, at->warp, lane == VG_NO_LANE ? 0 : lane),
        .warp = at->warp,
        .lane = lane,
        .other_pc = VG_NO_PC,
        .count = 1,
    };
}

static struct vg_finding start_access(const struct vg_check_ctx *ctx, const struct vg_wrong *wrong)
{
    const struct vg_access *a = wrong->a;
    struct vg_place at = {a->func, a->pc, a->warp};
    struct vg_finding f = start(ctx, &at, wrong->lane, wrong->reason);
    f.space = a->space;
    f.kind = a->kind;
    f.address = a->addr[wrong->lane];
    f.bytes = a->bytes;
    return f;
}

void vg_find_access(const struct vg_check_ctx *ctx, const struct vg_wrong *wrong, const char *fmt,
                    ...)
{
    struct vg_finding f = start_access(ctx, wrong);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f.what, sizeof(f.what), fmt, ap);
    va_end(ap);
    vg_report_add(ctx->report, &f);
}

void vg_find_hazard(const struct vg_check_ctx *ctx, const struct vg_wrong *wrong,
                    const struct vg_other *other)
{
    static const char *const names[VG_REASON_COUNT] = {
        [VG_READ_AFTER_WRITE] = "read-after-write hazard",
        [VG_WRITE_AFTER_READ] = "write-after-read hazard",
        [VG_WRITE_AFTER_WRITE] = "write-after-write hazard",
    };
    struct vg_finding f = start_access(ctx, wrong);
    snprintf(f.what, sizeof(f.what), "%s", names[wrong->reason]);
    f.other_func = other->func;
    f.other_pc = other->func == NULL ? VG_NO_PC : other->pc;
    f.other_thread = other->thread;
    f.count = other->count;
    vg_report_add(ctx->report, &f);
}

void vg_find_divergent_barrier(const struct vg_check_ctx *ctx, const struct vg_place *at,
                               uint32_t arrived, uint32_t alive)
{
    uint32_t lane = arrived == 0 ? VG_NO_LANE : (uint32_t)__builtin_ctz(arrived);
    struct vg_finding f = start(ctx, at, lane, VG_DIVERGENT_BARRIER);
    snprintf(f.what, sizeof(f.what),
             "barrier in divergent code: %d of the warp's %d lanes (mask 0x%08x) came to it",
             __builtin_popcount(arrived), __builtin_popcount(alive), arrived);
    vg_report_add(ctx->report, &f);
}

void vg_find_members(const struct vg_check_ctx *ctx, const struct vg_place *at, uint32_t here,
                     uint32_t members, uint32_t exited)
{
    uint32_t outside = here & ~members, gone = members & exited, missing = members & ~here;
    uint32_t lanes = outside != 0 ? outside : gone != 0 ? gone : missing;
    if (here == 0 || lanes == 0) {
        return;
    }
    enum vg_reason reason = outside != 0 ? VG_NOT_A_MEMBER : VG_MISSING_MEMBERS;
    uint32_t first = (uint32_t)__builtin_ctz(lanes);
    struct vg_finding f =
        start(ctx, at, outside != 0 ? first : (uint32_t)__builtin_ctz(here), reason);
    if (outside != 0) {
        snprintf(f.what, sizeof(f.what), "the member mask 0x%08x leaves out lane %u, which is here",
                 members, first);
    } else {
        snprintf(f.what, sizeof(f.what), "the member mask 0x%08x names lane %u, which %s", members,
                 first, gone != 0 ? "has exited" : "never comes here");
    }
    vg_report_add(ctx->report, &f);
}
