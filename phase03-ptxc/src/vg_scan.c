/* Must a kernel's blocks run one after the other?
 *
 * Blocks may run on several host threads, in any order, as long as nobody can tell. Blocks can tell
 * when they talk to each other: by atomics or reductions on global memory, by volatile, relaxed,
 * acquire or release accesses (flags, spin loops, grid barriers), or through the device heap. A
 * kernel in whose code, callees included, such an instruction stands runs in block order on one
 * thread, so that its result is the same every time. Generic addresses count as global: what they
 * point to is not known here.
 */
#include <stdio.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_launch.h"
#include "vg_operands.h"

static bool is_one_of(enum ptx_word w, const enum ptx_word *list)
{
    for (; *list != PTX_W_none; list++) {
        if (*list == w) {
            return true;
        }
    }
    return false;
}

static bool is_ordered(const struct ptx_insn *in)
{
    static const enum ptx_word order[] = {PTX_W_volatile, PTX_W_relaxed, PTX_W_acquire,
                                          PTX_W_release,  PTX_W_mmio,    PTX_W_none};
    for (unsigned k = 0; k < in->nmods; k++) {
        if (is_one_of(in->mods[k], order)) {
            return true;
        }
    }
    return false;
}

static bool talks(const struct ptx_insn *in)
{
    enum ptx_space space = ptx_insn_space(in);
    bool global = space == PTX_SPACE_GLOBAL || space == PTX_SPACE_GENERIC;
    const struct ptx_func *callee = vg_callee(in);
    switch (in->op) {
    case PTX_W_atom:
    case PTX_W_red: return global;
    case PTX_W_ld:
    case PTX_W_st: return global && is_ordered(in);
    case PTX_W_call:
        return callee != NULL && !callee->defined &&
               (strcmp(callee->name, "malloc") == 0 || strcmp(callee->name, "free") == 0);
    default: return false;
    }
}

static bool scan(struct vgpu_kernel *k, const struct ptx_func *f)
{
    for (uint32_t pc = 0; pc < f->ninsns; pc++) {
        const struct ptx_insn *in = &f->insns[pc];
        if (!talks(in)) {
            continue;
        }
        struct lab_buf text;
        lab_buf_init(&text);
        lab_buf_puts(&text, ptx_word_text(in->op));
        for (unsigned n = 0; n < in->nmods; n++) {
            lab_buf_printf(&text, ".%s", ptx_word_text(in->mods[n]));
        }
        snprintf(k->serial_why, sizeof(k->serial_why), "%s at line %u", lab_buf_str(&text),
                 in->pos.line);
        lab_buf_fini(&text);
        return true;
    }
    return false;
}

void vg_scan_serial(struct vgpu_kernel *k)
{
    bool found = scan(k, k->info.func);
    for (uint32_t f = 0; f < k->module->nfuncs && !found; f++) {
        found = k->codes[f] != NULL && scan(k, k->module->funcs[f]);
    }
    k->info.serial = found;
    k->info.serial_why = found ? k->serial_why : NULL;
}
