/* Exact checks of the lanes' addresses: the allocation to the byte, alignment, use after free, host
 * pointers; and reads of device memory nobody wrote.
 *
 * The first lane that is wrong decides what is reported; the kernel stops with the status that CUDA
 * would give. An address far from any allocation that the host could own is called a host pointer.
 */
#include "vg_memcheck.h"

#include <inttypes.h>
#include <stdio.h>

#include "vg_hook.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_mem.h"

/* An allocation this near is taken to be the one that was meant. */
#define NEAR (1ull << 20)

struct wrong {
    enum vg_reason reason;
    char text[96];
};

static bool off_by(const struct vg_range *r, uint64_t addr, uint32_t bytes, struct wrong *x)
{
    uint64_t past = addr + bytes - (r->start + r->bytes);
    x->reason = VG_OUT_OF_BOUNDS;
    snprintf(x->text, sizeof(x->text),
             "ends %" PRIu64 " bytes past an allocation of %" PRIu64 " bytes", past, r->bytes);
    return false;
}

/* Does the mapping look like memory of this process? The windows and arenas are ours. */
static bool looks_like_host(uint64_t addr)
{
    uint64_t here = (uint64_t)(uintptr_t)&addr;
    uint64_t code = (uint64_t)(uintptr_t)&looks_like_host;
    return (addr >> 40) == (here >> 40) || (addr >> 40) == (code >> 40);
}

static bool global_fits(const struct vg_memory *m, uint64_t addr, uint32_t bytes, struct wrong *x)
{
    const struct vg_range *r = vg_mem_range(m, addr, true);
    if (r != NULL && addr - r->start < r->bytes) {
        if (r->freed) {
            x->reason = VG_FREED_MEMORY;
            snprintf(x->text, sizeof(x->text),
                     "%" PRIu64 " bytes into an allocation of %" PRIu64 " that was freed",
                     addr - r->start, r->bytes);
            return false;
        }
        return r->bytes - (addr - r->start) >= bytes ? true : off_by(r, addr, bytes, x);
    }
    if (r != NULL && !r->freed && addr - (r->start + r->bytes) < NEAR) {
        return off_by(r, addr, bytes, x);
    }
    const struct vg_range *next = vg_mem_range(m, addr + NEAR, true);
    if (next != NULL && next != r && next->start > addr && next->start - addr <= NEAR) {
        x->reason = VG_OUT_OF_BOUNDS;
        snprintf(x->text, sizeof(x->text),
                 "%" PRIu64 " bytes before an allocation of %" PRIu64 " bytes", next->start - addr,
                 next->bytes);
        return false;
    }
    x->reason = looks_like_host(addr) ? VG_HOST_POINTER : VG_OUT_OF_BOUNDS;
    snprintf(x->text, sizeof(x->text), "%s",
             x->reason == VG_HOST_POINTER ? "a host pointer: this memory is not the device's"
             : addr < 4096                ? "a null pointer"
                                          : "no allocation is near this address");
    return false;
}

static bool window_fits(uint64_t at, uint32_t bytes, uint64_t limit, const char *what,
                        struct wrong *x)
{
    if (at < limit && limit - at >= bytes) {
        return true;
    }
    x->reason = VG_OUT_OF_BOUNDS;
    snprintf(x->text, sizeof(x->text), "%" PRIu64 " bytes past the %" PRIu64 " bytes of %s memory",
             at + bytes - limit, limit, what);
    return false;
}

static bool lane_fits(const struct vg_block *b, const struct vg_access *a, unsigned l,
                      struct wrong *x)
{
    const struct vg_launch_state *s = b->launch;
    if (a->addr[l] % a->bytes != 0) {
        x->reason = VG_MISALIGNED;
        snprintf(x->text, sizeof(x->text), "the address is not a multiple of %u", a->bytes);
        return false;
    }
    switch (a->space) {
    case PTX_SPACE_SHARED: return window_fits(a->addr[l], a->bytes, s->shared_bytes, "shared", x);
    case PTX_SPACE_LOCAL: return window_fits(a->addr[l], a->bytes, b->local_bytes, "local", x);
    case PTX_SPACE_PARAM: return window_fits(a->addr[l], a->bytes, s->param_bytes, "parameter", x);
    default: return global_fits(s->g->memory, a->addr[l], a->bytes, x);
    }
}

/* Lane l reads device memory: has somebody written it? A write makes it written. */
static void check_init(const struct vg_block *b, const struct vg_check_ctx *ctx,
                       const struct vg_access *a, unsigned l)
{
    const struct vg_range *r = vg_mem_range(b->launch->g->memory, a->addr[l], false);
    size_t first = 0;
    if (r == NULL || r->init == NULL) {
        return;
    }
    size_t at = a->addr[l] - r->start;
    bool reads = a->kind != VG_STORE;
    if (reads && !vg_initmap_test(r->init, at, a->bytes, &first)) {
        struct vg_wrong unwritten = {a, l, VG_UNWRITTEN_GLOBAL};
        vg_find_access(ctx, &unwritten,
                       "byte %zu of an allocation of %" PRIu64 " bytes was never written", first,
                       r->bytes);
    }
    if (a->kind == VG_STORE || a->kind == VG_ATOMIC) {
        vg_initmap_set(r->init, at, a->bytes);
    }
}

bool vg_memcheck(struct vg_warp *w, const struct vg_insn *i, const struct vg_access *a)
{
    const unsigned checks = w->block->launch->checks;
    struct vg_check_ctx ctx = vg_check_ctx(w->block);
    uint32_t m = a->mask;
    VG_FOR_MASK(l, m)
    {
        struct wrong x;
        if ((checks & VGPU_CHECK_MEM) != 0 && !lane_fits(w->block, a, l, &x)) {
            char what[80];
            vg_mem_describe(i, a->space, what, sizeof(what));
            struct vg_wrong bad = {a, l, x.reason};
            vg_find_access(&ctx, &bad, "%s", x.text);
            vg_fault(w, i, x.reason == VG_MISALIGNED ? VGPU_MISALIGNED : VGPU_ILLEGAL_ADDRESS,
                     1u << l, a->addr[l], "%s at 0x%" PRIx64 ": %s", what, a->addr[l], x.text);
            return false;
        }
        if ((checks & VGPU_CHECK_INIT) != 0 && a->space == PTX_SPACE_GLOBAL) {
            check_init(w->block, &ctx, a, l);
        }
    }
    return true;
}
