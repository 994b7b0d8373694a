/* Functions that the device runtime provides: malloc, free, __assertfail (and vprintf,
 * vg_printf.c). nvcc declares them .extern and calls them like any other function.
 *
 * __assertfail prints what CUDA prints and stops the kernel with VGPU_ASSERT (CUDA C++ Programming
 * Guide, "Assertion").
 */
#include <stdio.h>
#include <string.h>

#include "vg_call.h"
#include "vg_hook.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_local.h"
#include "vg_printf.h"

uint64_t vg_arg(const struct vg_warp *w, const struct vg_insn *i, uint32_t k, unsigned lane)
{
    const struct vg_call *call = vg_call_at(w->code, i);
    const struct vg_value *v = &call->args[k];
    uint64_t out = 0;
    unsigned n = v->bytes < 8 ? v->bytes : 8;
    if (!v->in_register) {
        vg_local_get(w, lane, w->m->frame->local_base + v->at, n, &out);
    } else if (n == 8) {
        out = VG_U64(w, v->at)[lane];
    } else if (n == 4) {
        out = VG_U32(w, v->at)[lane];
    } else {
        out = VG_U16(w, v->at)[lane];
    }
    return out;
}

void vg_result(const struct vg_warp *w, const struct vg_insn *i, unsigned lane, uint64_t value)
{
    const struct vg_call *call = vg_call_at(w->code, i);
    if (call->nreturns == 0) {
        return;
    }
    const struct vg_value *v = &call->returns[0];
    unsigned n = v->bytes < 8 ? v->bytes : 8;
    if (!v->in_register) {
        vg_local_put(w, lane, w->m->frame->local_base + v->at, n, &value);
    } else if (n == 8) {
        VG_U64(w, v->at)[lane] = value;
    } else if (n == 4) {
        VG_U32(w, v->at)[lane] = (uint32_t)value;
    } else {
        VG_U16(w, v->at)[lane] = (uint16_t)value;
    }
}

static void op_malloc(struct vg_warp *w, const struct vg_insn *i)
{
    struct vgpu *g = w->block->launch->g;
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        vg_result(w, i, l, vg_heap_alloc(&g->heap, g->memory, vg_arg(w, i, 0, l)));
    }
}

static void op_free(struct vg_warp *w, const struct vg_insn *i)
{
    struct vgpu *g = w->block->launch->g;
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint64_t at = vg_arg(w, i, 0, l);
        if (!vg_heap_free(&g->heap, at)) {
            vg_fault(w, i, VGPU_TRAP, 1u << l, at, "free of an address that malloc did not give");
            return;
        }
    }
}

static void op_assertfail(struct vg_warp *w, const struct vg_insn *i)
{
    unsigned l = (unsigned)__builtin_ctz(w->exec);
    char text[3][200];
    static const uint32_t strings[3] = {0, 1, 3};
    for (int k = 0; k < 3; k++) {
        vg_get_string(w, l, vg_arg(w, i, strings[k], l), text[k], sizeof(text[k]));
    }
    struct vg_check_ctx at = vg_check_ctx(w->block);
    struct vgpu_dim t = vg_thread_of(&at, w->id, l);
    vg_fault(w, i, VGPU_ASSERT, w->exec, 0,
             "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.", text[1],
             (uint32_t)vg_arg(w, i, 2, l), text[2], at.block.x, at.block.y, at.block.z, t.x, t.y,
             t.z, text[0]);
}

struct builtin {
    const char *name;
    vg_handler fn;
};

static const struct builtin builtins[] = {
    {"vprintf", vg_op_vprintf},
    {"malloc", op_malloc},
    {"free", op_free},
    {"__assertfail", op_assertfail},
};

vg_handler vg_builtin_find(const char *name)
{
    for (size_t k = 0; k < sizeof(builtins) / sizeof(builtins[0]); k++) {
        if (strcmp(builtins[k].name, name) == 0) {
            return builtins[k].fn;
        }
    }
    return NULL;
}
