/* A kernel and the functions it can reach.
 *
 * Model: from the entry, direct calls are followed; an indirect call may go to any function whose
 * address is taken in the module. Each of these functions is decoded for this kernel. Shared
 * variables that the reached code names are laid out one after the other in order of declaration,
 * static ones first; all extern (dynamic) ones begin where the static ones end. Local memory a lane
 * is that of the deepest chain of calls, and some more where a function can call itself.
 */
#include "vg_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_live.h"
#include "vg_operands.h"

/* Local memory a lane beyond the longest chain without repetition, for recursive functions. */
#define RECURSION_BYTES (64u << 10)

/* Operands of an instruction that name a function, other than as the target of a call. */
static bool takes_address(const struct ptx_insn *in, const struct ptx_func *f)
{
    for (uint32_t k = 0; k < in->nops && in->op != PTX_W_call; k++) {
        if (in->ops[k].kind == PTX_OP_FUNC && in->ops[k].func == f) {
            return true;
        }
    }
    return false;
}

static bool relocs_name(const struct ptx_var *list, const struct ptx_func *f)
{
    for (const struct ptx_var *v = list; v != NULL; v = v->next) {
        for (uint32_t k = 0; k < v->nrelocs; k++) {
            if (v->relocs[k].func == f) {
                return true;
            }
        }
    }
    return false;
}

static bool address_taken(const struct vgpu_module *m, const struct ptx_func *f)
{
    if (relocs_name(m->ptx->vars, f)) {
        return true;
    }
    for (uint32_t k = 0; k < m->nfuncs; k++) {
        for (uint32_t pc = 0; pc < m->funcs[k]->ninsns; pc++) {
            if (takes_address(&m->funcs[k]->insns[pc], f)) {
                return true;
            }
        }
    }
    return false;
}

static bool calls_indirectly(const struct ptx_insn *in)
{
    return in->op == PTX_W_call && vg_callee(in) == NULL;
}

/* Mark what function `index` reaches. */
static void reach(const struct vgpu_module *m, bool *reached, uint32_t index)
{
    const struct ptx_func *f = m->funcs[index];
    if (reached[index] || !f->defined) {
        return;
    }
    reached[index] = true;
    bool indirect = false;
    for (uint32_t pc = 0; pc < f->ninsns; pc++) {
        const struct ptx_func *callee = vg_callee(&f->insns[pc]);
        if (callee != NULL) {
            reach(m, reached, vg_func_index(m, callee));
        }
        indirect = indirect || calls_indirectly(&f->insns[pc]);
    }
    for (uint32_t k = 0; indirect && k < m->nfuncs; k++) {
        if (m->funcs[k]->kind == PTX_FUNC && !reached[k] && address_taken(m, m->funcs[k])) {
            reach(m, reached, k);
        }
    }
}

/* --- shared memory --- */

struct sharing {
    struct vgpu_kernel *k;
};

static void note_shared(void *ctx, const struct ptx_operand *op, enum vg_role role)
{
    (void)role;
    struct vgpu_kernel *k = ((struct sharing *)ctx)->k;
    if ((op->kind != PTX_OP_ADDR && op->kind != PTX_OP_SYM) || op->var == NULL ||
        op->var->space != PTX_SPACE_SHARED) {
        return;
    }
    for (uint32_t n = 0; n < k->nshared; n++) {
        if (k->shared[n].var == op->var) {
            return;
        }
    }
    k->shared = lab_resize(k->shared, k->nshared + 1u, sizeof(*k->shared));
    k->shared[k->nshared++] = (struct vg_symbol){op->var, 0};
}

static uint64_t align_up(uint64_t at, uint32_t align)
{
    return align > 1 ? (at + align - 1) / align * align : at;
}

static bool is_dynamic(const struct ptx_var *v)
{
    return v->is_extern || v->size == 0;
}

static int by_place(const void *a, const void *b)
{
    const struct ptx_pos *x = &((const struct vg_symbol *)a)->var->pos;
    const struct ptx_pos *y = &((const struct vg_symbol *)b)->var->pos;
    if (x->line != y->line) {
        return x->line < y->line ? -1 : 1;
    }
    return x->col < y->col ? -1 : x->col > y->col;
}

static void layout_shared(struct vgpu_kernel *k, const bool *reached)
{
    const struct vgpu_module *m = k->module;
    struct sharing s = {k};
    for (uint32_t f = 0; f < m->nfuncs; f++) {
        for (uint32_t pc = 0; reached[f] && pc < m->funcs[f]->ninsns; pc++) {
            vg_operands(&m->funcs[f]->insns[pc], &s, note_shared);
        }
    }
    if (k->nshared > 1) {
        qsort(k->shared, k->nshared, sizeof(*k->shared), by_place);
    }
    uint64_t at = 0, dynamic = 0;
    for (uint32_t n = 0; n < k->nshared; n++) {
        const struct ptx_var *v = k->shared[n].var;
        if (!is_dynamic(v)) {
            k->shared[n].value = align_up(at, v->align);
            at = k->shared[n].value + v->size;
        }
    }
    for (uint32_t n = 0; n < k->nshared; n++) {
        const struct ptx_var *v = k->shared[n].var;
        if (is_dynamic(v) && align_up(at, v->align) > dynamic) {
            dynamic = align_up(at, v->align);
        }
    }
    for (uint32_t n = 0; n < k->nshared; n++) {
        if (is_dynamic(k->shared[n].var)) {
            k->shared[n].value = dynamic;
        }
    }
    uint64_t total = dynamic > at ? dynamic : at;
    k->info.static_shared = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
    vg_symbols_sort(k->shared, k->nshared);
}

/* --- symbols for the decoder --- */

static int symbol_var(void *ctx, const struct ptx_var *var, uint64_t *value)
{
    const struct vgpu_kernel *k = ctx;
    const struct vg_symbol *s = var->space == PTX_SPACE_SHARED
                                    ? vg_symbols_find(k->shared, k->nshared, var)
                                    : vg_symbols_find(k->module->symbols, k->module->nsymbols, var);
    if (s == NULL) {
        return -1;
    }
    *value = s->value;
    return 0;
}

static uint32_t symbol_index(void *ctx, const struct ptx_func *f)
{
    const struct vgpu_kernel *k = ctx;
    return vg_func_index(k->module, f);
}

static int symbol_func(void *ctx, const struct ptx_func *f, uint64_t *value)
{
    const struct vgpu_kernel *k = ctx;
    while (f->alias != NULL) {
        f = f->alias;
    }
    if (!f->defined) {
        return -1;
    }
    *value = vg_func_address(k->module, vg_func_index(k->module, f));
    return 0;
}

/* --- local memory --- */

struct depth {
    const struct vgpu_kernel *k;
    uint8_t *state; /* 0 new, 1 on the path, 2 done */
    uint64_t *bytes;
    bool recursive;
};

static uint64_t deepest(struct depth *d, uint32_t index);

static uint64_t deepest_callee(struct depth *d, const struct ptx_insn *in)
{
    const struct vgpu_module *m = d->k->module;
    const struct ptx_func *callee = vg_callee(in);
    uint64_t most = 0;
    if (callee != NULL) {
        return deepest(d, vg_func_index(m, callee));
    }
    for (uint32_t n = 0; calls_indirectly(in) && n < m->nfuncs; n++) {
        if (d->k->codes[n] != NULL && m->funcs[n]->kind == PTX_FUNC) {
            uint64_t below = deepest(d, n);
            most = below > most ? below : most;
        }
    }
    return most;
}

static uint64_t deepest(struct depth *d, uint32_t index)
{
    const struct vg_code *c = d->k->codes[index];
    if (c == NULL || d->state[index] == 2) {
        return c == NULL ? 0 : d->bytes[index];
    }
    if (d->state[index] == 1) {
        d->recursive = true;
        return 0;
    }
    d->state[index] = 1;
    uint64_t most = 0;
    for (uint32_t pc = 0; pc < c->func->ninsns; pc++) {
        uint64_t below = deepest_callee(d, &c->func->insns[pc]);
        most = below > most ? below : most;
    }
    d->state[index] = 2;
    d->bytes[index] = most + c->local_bytes;
    return d->bytes[index];
}

static void size_local(struct vgpu_kernel *k, uint32_t index)
{
    uint32_t n = k->module->nfuncs;
    struct depth d = {k, lab_alloc(n + 1u, 1), lab_alloc(n + 1u, sizeof(uint64_t)), false};
    uint64_t bytes = deepest(&d, index);
    bytes += d.recursive ? RECURSION_BYTES : 0;
    k->local_bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
    free(d.state);
    free(d.bytes);
}

/* --- the kernel --- */

static int build_codes(struct vgpu_kernel *k, const bool *reached, struct lab_err *err)
{
    const struct vgpu_module *m = k->module;
    const struct vg_symbols symbols = {k, symbol_var, symbol_func, symbol_index};
    for (uint32_t f = 0; f < m->nfuncs; f++) {
        if (!reached[f]) {
            continue;
        }
        if (vg_code_build(m->ptx, m->funcs[f], &symbols, &k->codes[f], err) < 0) {
            return -1;
        }
        k->codes[f]->index = f;
        k->info.regs =
            k->codes[f]->live_regs > k->info.regs ? k->codes[f]->live_regs : k->info.regs;
    }
    return 0;
}

static uint32_t thread_limit(const struct vgpu_kernel *k)
{
    const struct ptx_func *f = k->info.func;
    const struct vgpu_desc *desc = k->module->g->config.desc;
    const uint32_t *dims = f->maxntid[0] != 0 ? f->maxntid : f->reqntid;
    uint64_t n = 1;
    for (int d = 0; d < 3; d++) {
        n *= dims[d] != 0 ? dims[d] : 1;
    }
    return dims[0] != 0 && n < desc->max_threads_per_block ? (uint32_t)n
                                                           : desc->max_threads_per_block;
}

void vg_kernel_build(struct vgpu_module *m, struct vgpu_kernel *k, uint32_t index)
{
    struct lab_err err = {0};
    bool *reached = lab_alloc(m->nfuncs + 1u, sizeof(*reached));
    const struct ptx_func *f = m->funcs[index];
    k->module = m;
    k->info = (struct vgpu_kernel_info){.name = f->name,
                                        .func = f,
                                        .param_bytes = f->param_bytes,
                                        .nparams = f->nparams,
                                        .const_bytes = (uint32_t)m->const_bytes};
    k->codes = lab_alloc(m->nfuncs + 1u, sizeof(struct vg_code *));
    k->info.max_threads = thread_limit(k);
    reach(m, reached, index);
    layout_shared(k, reached);
    if (build_codes(k, reached, &err) < 0) {
        snprintf(k->error, sizeof(k->error), "%s", err.msg);
    } else {
        k->entry = k->codes[index];
        size_local(k, index);
        k->info.local_bytes = k->local_bytes;
        vg_scan_serial(k);
    }
    free(reached);
}

void vg_kernel_fini(struct vgpu_kernel *k)
{
    for (uint32_t f = 0; f < k->module->nfuncs; f++) {
        vg_code_free(k->codes[f]);
    }
    free(k->codes);
    free(k->shared);
}

void vgpu_kernel_info(const struct vgpu_kernel *k, struct vgpu_kernel_info *out)
{
    *out = k->info;
}

const char *vgpu_kernel_error(const struct vgpu_kernel *k)
{
    return k->error[0] != '\0' ? k->error : NULL;
}
