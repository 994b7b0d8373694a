/* From the lanes' addresses to bytes of the host, lane by lane.
 *
 * This is the careful way, for any space, mask and mixture; the usual patterns are caught before,
 * in vg_ldst_fast.c. It is also where an access that is not allowed is refused: the lanes at fault
 * are collected, and the lowest names the address.
 *
 * Rules: an access must be aligned to its whole size, vectors included (PTX ISA, "Alignment").
 * Shared memory ends where the block's ends, local memory where the lane's does, a kernel's
 * parameters where they do; global memory is legal by granules (vg_memory.h).
 */
#include <stdio.h>

#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_local.h"
#include "vg_mem.h"

LAB_CLONES void vg_mem_addresses(const struct vg_warp *w, const struct vg_insn *i, uint64_t *out)
{
    uint64_t imm = (uint64_t)i->imm;
    if ((i->mods & VG_MEM_ADDR64) != 0) {
        const uint64_t *a = VG_U64(w, i->a);
        VG_SIMD VG_FOR_LANES(l)
        {
            out[l] = a[l] + imm;
        }
    } else {
        const uint32_t *a = VG_U32(w, i->a);
        VG_SIMD VG_FOR_LANES(l)
        {
            out[l] = (uint32_t)(a[l] + (uint32_t)imm);
        }
    }
}

enum ptx_space vg_generic_space(uint64_t addr, uint64_t *offset)
{
    uint64_t window = addr & ~(VG_WINDOW_BYTES - 1);
    *offset = addr;
    enum ptx_space space = window == VG_SHARED_WINDOW  ? PTX_SPACE_SHARED
                           : window == VG_LOCAL_WINDOW ? PTX_SPACE_LOCAL
                           : window == VG_PARAM_WINDOW ? PTX_SPACE_PARAM
                                                       : PTX_SPACE_GLOBAL;
    if (space != PTX_SPACE_GLOBAL) {
        *offset = addr - window;
    }
    return space;
}

static const char *space_name(enum ptx_space s)
{
    switch (s) {
    case PTX_SPACE_GLOBAL: return "global";
    case PTX_SPACE_SHARED: return "shared";
    case PTX_SPACE_LOCAL: return "local";
    case PTX_SPACE_CONST: return "constant";
    case PTX_SPACE_PARAM: return "parameter";
    default: return "generic";
    }
}

void vg_mem_describe(const struct vg_insn *i, enum ptx_space space, char *out, size_t n)
{
    static const char *const kinds[] = {"load", "store", "atomic", "copy"};
    snprintf(out, n, "%s %s of %u bytes", space_name(space), kinds[vg_mem_kind(i)],
             vg_mem_bytes(i));
}

/* One lane's place, NULL when it has none. */
static uint8_t *place(struct vg_warp *w, enum ptx_space space, uint64_t at, unsigned lane,
                      unsigned bytes)
{
    struct vg_block *b = w->block;
    switch (space) {
    case PTX_SPACE_SHARED:
        return at + bytes <= b->shared_limit && at + bytes > at ? b->shared + at : NULL;
    case PTX_SPACE_LOCAL:
        if (at >= b->local_bytes || b->local_bytes - at < bytes) {
            return NULL;
        }
        return (uint8_t *)(vg_local_row(w, at) + lane) + (at & 3);
    case PTX_SPACE_PARAM: {
        const struct vg_launch_state *s = b->launch;
        if (at >= s->param_bytes || s->param_bytes - at < bytes) {
            return NULL;
        }
        return (uint8_t *)(uintptr_t)(s->params + at);
    }
    default: return vg_mem_at(&b->mem, at, bytes);
    }
}

struct refusal {
    uint32_t nowhere, crooked;
    uint64_t address;
    enum ptx_space space;
};

static void refuse(struct vg_warp *w, const struct vg_insn *i, const struct vg_insn *spec,
                   const struct refusal *r)
{
    char what[80];
    vg_mem_describe(spec, r->space, what, sizeof(what));
    bool crooked = r->nowhere == 0;
    if (crooked) {
        vg_fault(w, i, VGPU_MISALIGNED, r->crooked, r->address,
                 "%s at 0x%llx: the address is not a multiple of %u", what,
                 (unsigned long long)r->address, vg_mem_bytes(spec));
    } else if (r->space == PTX_SPACE_SHARED) {
        vg_fault(w, i, VGPU_ILLEGAL_ADDRESS, r->nowhere, r->address,
                 "%s at offset 0x%llx: the block has %u bytes of shared memory", what,
                 (unsigned long long)r->address, w->block->launch->shared_bytes);
    } else {
        vg_fault(w, i, VGPU_ILLEGAL_ADDRESS, r->nowhere, r->address,
                 "%s at 0x%llx: nothing is allocated there", what, (unsigned long long)r->address);
    }
}

/* The extremes of 32 addresses, and every bit that is set in one. */
struct extremes {
    uint64_t low, high, bits;
};

LAB_CLONES static void survey(uint64_t *addr, uint32_t exec, struct extremes *x)
{
    const uint64_t first = addr[__builtin_ctz(exec)];
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    VG_SIMD VG_FOR_LANES(l)
    {
        uint64_t a = VG_BIT(exec, l) ? addr[l] : first;
        addr[l] = a;
        low = a < low ? a : low;
        high = a > high ? a : high;
        bits |= a;
    }
    *x = (struct extremes){low, high, bits};
}

LAB_CLONES static void place_all(struct vg_at *at, const uint64_t *addr, uint64_t delta)
{
    VG_SIMD VG_FOR_LANES(l)
    {
        at->ptr[l] = (uint8_t *)(uintptr_t)(addr[l] + delta);
        at->step[l] = 4;
    }
    at->scattered = false;
}

/* Word k of lane l is at word 32 k + l of the warp's local memory. */
LAB_CLONES static void place_rows(struct vg_at *at, const uint64_t *addr, uint64_t window,
                                  uint32_t *first)
{
    VG_SIMD VG_FOR_LANES(l)
    {
        uint64_t off = addr[l] - window;
        uint64_t byte = (off >> 2) * (4 * VG_LANES) + 4 * l + (off & 3);
        at->ptr[l] = (uint8_t *)(uintptr_t)((uint64_t)(uintptr_t)first + byte);
        at->step[l] = 4 * VG_LANES;
    }
    at->scattered = true;
}

/* All lanes in one stretch of global memory, in shared or in local memory: one look-up for all.
 * Afterwards idle lanes have the address of an executing one. */
static bool resolve_together(struct vg_warp *w, const struct vg_insn *spec, uint64_t *addr,
                             struct vg_at *at)
{
    struct vg_block *b = w->block;
    const unsigned bytes = vg_mem_bytes(spec);
    enum ptx_space space = vg_mem_space(spec);
    struct extremes x;
    uint64_t window = 0;
    survey(addr, w->exec, &x);
    if (space == PTX_SPACE_GENERIC) {
        uint64_t off = 0;
        space = vg_generic_space(x.low, &off);
        window = x.low - off;
    }
    if ((spec->mods & VG_MEM_FRAME) != 0) {
        space = PTX_SPACE_LOCAL;
    }
    if ((x.bits & (bytes - 1)) != 0) {
        return false;
    }
    if (space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL) {
        const uint64_t limit = space == PTX_SPACE_SHARED ? b->shared_limit : b->local_bytes;
        const uint64_t end = x.high - window + bytes;
        if (end > limit || end < bytes) {
            return false;
        }
        if (space == PTX_SPACE_SHARED) {
            place_all(at, addr, (uint64_t)(uintptr_t)b->shared - window);
        } else {
            place_rows(at, addr, window, vg_local_row(w, 0));
        }
        return true;
    }
    if ((space != PTX_SPACE_GLOBAL && space != PTX_SPACE_CONST) ||
        vg_mem_at(&b->mem, x.low, x.high - x.low + bytes) == NULL) {
        return false;
    }
    place_all(at, addr, b->mem.delta);
    return true;
}

/* One by one: mixed spaces, local memory, scattered allocations, and whatever is not allowed. */
static bool resolve_each(struct vg_warp *w, const struct vg_insn *i, const struct vg_insn *spec,
                         const uint64_t *addr, struct vg_at *at)
{
    const unsigned bytes = vg_mem_bytes(spec);
    struct refusal r = {0, 0, 0, vg_mem_space(spec)};
    at->scattered = false;
    for (unsigned l = 0; l < VG_LANES; l++) {
        uint64_t off = addr[l];
        enum ptx_space space = vg_mem_space(spec);
        if (space == PTX_SPACE_GENERIC) {
            space = vg_generic_space(addr[l], &off);
        }
        if ((spec->mods & VG_MEM_FRAME) != 0) {
            space = PTX_SPACE_LOCAL;
        }
        bool crooked = (off & (bytes - 1)) != 0;
        at->ptr[l] = crooked ? NULL : place(w, space, off, l, bytes);
        at->step[l] = space == PTX_SPACE_LOCAL ? 4 * VG_LANES : 4;
        at->scattered = at->scattered || space == PTX_SPACE_LOCAL;
        if (at->ptr[l] == NULL && VG_BIT(w->exec, l) != 0) {
            if ((r.nowhere | r.crooked) == 0) {
                r.address = off;
                r.space = space;
            }
            *(crooked ? &r.crooked : &r.nowhere) |= 1u << l;
        }
    }
    if ((r.nowhere | r.crooked) != 0) {
        refuse(w, i, spec, &r);
        return false;
    }
    return true;
}

bool vg_mem_resolve(struct vg_warp *w, const struct vg_insn *i, const struct vg_insn *spec,
                    struct vg_at *at)
{
    uint64_t addr[VG_LANES];
    vg_mem_addresses(w, spec, addr);
    return resolve_together(w, spec, addr, at) || resolve_each(w, i, spec, addr, at);
}
