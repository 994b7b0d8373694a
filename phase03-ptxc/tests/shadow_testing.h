/* A shadow and its report for tests that drive it by hand. */
#ifndef SHADOW_TESTING_H
#define SHADOW_TESTING_H

#include "access_of.h"
#include "lab/test.h"
#include "vg_shadow.h"

static struct ptx_func func = {.name = "kernel"};
static struct vg_report *report;
static struct vg_shadow *shadow;
static struct vg_check_ctx ctx;

static inline void begin(uint32_t shared_bytes, uint32_t threads, unsigned checks)
{
    report = vg_report_new();
    shadow = vg_shadow_new(shared_bytes, threads, checks);
    ctx = (struct vg_check_ctx){.report = report, .dim = {threads, 1, 1}, .kernel = &func};
}

/* How many hazards or unwritten reads of this kind were found; and the end of the test. */
static inline uint64_t count_of(enum vg_reason reason)
{
    size_t n;
    uint64_t count = 0;
    const struct vg_finding *list = vg_report_list(report, &n);
    for (size_t i = 0; i < n; i++) {
        count += list[i].reason == reason ? list[i].count : 0;
    }
    return count;
}

static inline uint64_t findings(void)
{
    size_t n;
    (void)vg_report_list(report, &n);
    return n;
}

static inline void end(void)
{
    vg_shadow_free(shadow);
    vg_report_free(report);
}

static inline void access_by(uint32_t warp, uint32_t pc, struct vg_access a,
                             enum vg_access_kind kind)
{
    uint8_t values[VG_LANES * 16];
    for (uint32_t i = 0; i < sizeof(values); i++) {
        values[i] = (uint8_t)(i / a.bytes); /* each lane another value */
    }
    a.func = &func;
    a.pc = pc;
    a.warp = warp;
    a.kind = kind;
    vg_shadow_access(shadow, &ctx, &a, kind == VG_LOAD ? NULL : values);
}

static inline void load(uint32_t warp, uint32_t pc, struct vg_access a)
{
    access_by(warp, pc, a, VG_LOAD);
}

static inline void store(uint32_t warp, uint32_t pc, struct vg_access a)
{
    access_by(warp, pc, a, VG_STORE);
}

static inline struct vg_access only(struct vg_access a, uint32_t mask)
{
    a.mask = mask;
    return a;
}

#endif
