/* Loading a module: its variables get device memory, its functions addresses, its kernels code.
 *
 * Model: every .global and .const variable is an allocation of its own, initialised from the PTX,
 * addresses of other symbols filled in. A function's address is a number in a window of its own
 * that says which module and which function; nothing is stored there. Kernels are decoded at once,
 * but a kernel that cannot be decoded only fails when it is launched, as a GPU's driver does with
 * lazy loading: the module's other kernels work.
 *
 * Simplified: one module cannot use another's symbols (that is the device linker's work).
 */
#include <stdlib.h>
#include <string.h>

#include "vg_kernel.h"
#include "vg_launch.h"

#define CONST_LIMIT 65536u /* bytes of .const a module (PTX ISA, "Constant State Space") */

static int by_var(const void *a, const void *b)
{
    const struct vg_symbol *x = a, *y = b;
    return (uintptr_t)x->var < (uintptr_t)y->var ? -1 : (uintptr_t)x->var > (uintptr_t)y->var;
}

void vg_symbols_sort(struct vg_symbol *s, uint32_t n)
{
    if (n > 1) {
        qsort(s, n, sizeof(*s), by_var);
    }
}

const struct vg_symbol *vg_symbols_find(const struct vg_symbol *s, uint32_t n,
                                        const struct ptx_var *var)
{
    struct vg_symbol key = {var, 0};
    return n == 0 ? NULL : bsearch(&key, s, n, sizeof(key), by_var);
}

uint64_t vg_func_address(const struct vgpu_module *m, uint32_t index)
{
    return VG_CODE_WINDOW + ((uint64_t)m->number << 20 | index) * VG_CODE_STRIDE;
}

uint32_t vg_func_index(const struct vgpu_module *m, const struct ptx_func *f)
{
    for (uint32_t k = 0; k < m->nfuncs; k++) {
        if (m->funcs[k] == f) {
            return k;
        }
    }
    return VG_NO_SLOT;
}

const struct vg_code *vg_code_at(const struct vg_launch_state *l, uint64_t address)
{
    const struct vgpu_module *m = l->kernel->module;
    uint64_t off = address - vg_func_address(m, 0);
    if (off % VG_CODE_STRIDE != 0 || off / VG_CODE_STRIDE >= m->nfuncs) {
        return NULL;
    }
    const struct vg_code *c = l->kernel->codes[off / VG_CODE_STRIDE];
    return c != NULL && c->func->kind == PTX_FUNC ? c : NULL;
}

static bool is_device_var(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST;
}

static enum vgpu_status place_var(struct vgpu_module *m, const struct ptx_var *v)
{
    uint64_t at = 0;
    size_t bytes = v->size != 0 ? v->size : 1;
    enum vgpu_mem_kind kind = v->managed ? VGPU_MEM_MANAGED : VGPU_MEM_DEVICE;
    enum vgpu_status s = vg_mem_alloc(m->g->memory, kind, bytes, &at);
    if (s != VGPU_OK) {
        return s;
    }
    m->symbols = lab_resize(m->symbols, m->nsymbols + 1u, sizeof(*m->symbols));
    m->symbols[m->nsymbols++] = (struct vg_symbol){v, at};
    m->const_bytes += v->space == PTX_SPACE_CONST ? v->size : 0;
    return VGPU_OK;
}

static enum vgpu_status place_list(struct vgpu_module *m, const struct ptx_var *list)
{
    enum vgpu_status s = VGPU_OK;
    for (const struct ptx_var *v = list; v != NULL && s == VGPU_OK; v = v->next) {
        if (is_device_var(v) && !v->is_extern) {
            s = place_var(m, v);
        }
    }
    return s;
}

static enum vgpu_status place_all(struct vgpu_module *m, struct lab_err *err)
{
    enum vgpu_status s = place_list(m, m->ptx->vars);
    for (uint32_t k = 0; k < m->nfuncs && s == VGPU_OK; k++) {
        s = place_list(m, m->funcs[k]->locals);
    }
    vg_symbols_sort(m->symbols, m->nsymbols);
    if (s != VGPU_OK) {
        lab_err_system(err, "%s: its variables do not fit the device's memory", m->ptx->name);
    } else if (m->const_bytes > CONST_LIMIT) {
        lab_err_input(err, "%s: %llu bytes of .const variables, a module has at most %u",
                      m->ptx->name, (unsigned long long)m->const_bytes, CONST_LIMIT);
        s = VGPU_INVALID_PTX;
    }
    return s;
}

static int reloc_value(const struct vgpu_module *m, const struct ptx_reloc *r, uint64_t *value)
{
    if (r->func != NULL) {
        *value = vg_func_address(m, vg_func_index(m, r->func));
    } else {
        const struct vg_symbol *s = vg_symbols_find(m->symbols, m->nsymbols, r->var);
        if (s == NULL) {
            return -1;
        }
        *value = s->value;
    }
    *value = (*value + (uint64_t)r->addend) >> r->shift;
    return 0;
}

/* Write a variable's first value, with the addresses it holds. */
static int init_var(const struct vgpu_module *m, const struct vg_symbol *s, struct lab_err *err)
{
    const struct ptx_var *v = s->var;
    size_t bytes = v->size != 0 ? v->size : 1;
    uint8_t *host = vg_mem_host(m->g->memory, s->value, bytes);
    memset(host, 0, bytes);
    if (v->init != NULL) {
        memcpy(host, v->init, v->size);
    }
    for (uint32_t k = 0; k < v->nrelocs; k++) {
        const struct ptx_reloc *r = &v->relocs[k];
        uint64_t value = 0;
        if (reloc_value(m, r, &value) < 0) {
            return lab_err_input(err, "%s:%u:%u: '%s' holds the address of '%s', which has none",
                                 m->ptx->name, v->pos.line, v->pos.col, v->name, r->symbol);
        }
        memcpy(host + r->offset, &value, r->bytes);
    }
    vg_mem_written(m->g->memory, s->value, bytes);
    return 0;
}

static void list_funcs(struct vgpu_module *m)
{
    uint32_t kernels = 0;
    for (const struct ptx_func *f = m->ptx->funcs; f != NULL; f = f->next) {
        m->funcs = lab_resize(m->funcs, m->nfuncs + 1u, sizeof(*m->funcs));
        m->funcs[m->nfuncs++] = f;
        kernels += f->kind == PTX_ENTRY && f->defined ? 1 : 0;
    }
    m->kernels = lab_alloc(kernels + 1u, sizeof(*m->kernels));
}

static void module_free(struct vgpu_module *m)
{
    for (uint32_t k = 0; k < m->nkernels; k++) {
        vg_kernel_fini(&m->kernels[k]);
    }
    for (uint32_t k = 0; k < m->nsymbols; k++) {
        vg_mem_free(m->g->memory, m->symbols[k].value);
    }
    free(m->kernels);
    free(m->symbols);
    free(m->funcs);
    ptx_module_free(m->ptx);
    free(m);
}

static enum vgpu_status module_build(struct vgpu_module *m, struct lab_err *err)
{
    const struct vgpu_desc *desc = m->g->config.desc;
    uint32_t sm = desc->cc_major * 10 + desc->cc_minor;
    if (m->ptx->target_sm > sm) {
        lab_err_input(err, "%s: .target %s is above the device's sm_%u", m->ptx->name,
                      m->ptx->target, sm);
        return VGPU_UNSUPPORTED_PTX;
    }
    list_funcs(m);
    enum vgpu_status s = place_all(m, err);
    if (s != VGPU_OK) {
        return s;
    }
    for (uint32_t k = 0; k < m->nsymbols; k++) {
        if (init_var(m, &m->symbols[k], err) < 0) {
            return VGPU_INVALID_PTX;
        }
    }
    for (uint32_t k = 0; k < m->nfuncs; k++) {
        if (m->funcs[k]->kind == PTX_ENTRY && m->funcs[k]->defined) {
            vg_kernel_build(m, &m->kernels[m->nkernels++], k);
        }
    }
    return VGPU_OK;
}

enum vgpu_status vgpu_module_load(struct vgpu *g, const char *name, const char *ptx, size_t len,
                                  struct vgpu_module **out, struct lab_err *err)
{
    struct vgpu_module *m = lab_alloc(1, sizeof(*m));
    m->g = g;
    if (ptx_parse(name, ptx, len, &m->ptx, err) < 0) {
        free(m);
        return VGPU_INVALID_PTX;
    }
    pthread_mutex_lock(&g->lock);
    m->number = ++g->next_module;
    enum vgpu_status s = module_build(m, err);
    if (s != VGPU_OK) {
        module_free(m);
    } else {
        m->next = g->modules;
        g->modules = m;
        *out = m;
    }
    pthread_mutex_unlock(&g->lock);
    return s;
}

void vg_module_drop_all(struct vgpu *g)
{
    while (g->modules != NULL) {
        struct vgpu_module *m = g->modules;
        g->modules = m->next;
        module_free(m);
    }
}

void vgpu_module_unload(struct vgpu_module *m)
{
    if (m == NULL) {
        return;
    }
    struct vgpu *g = m->g;
    pthread_mutex_lock(&g->lock);
    struct vgpu_module **p = &g->modules;
    while (*p != m) {
        p = &(*p)->next;
    }
    *p = m->next;
    module_free(m);
    pthread_mutex_unlock(&g->lock);
}

const struct ptx_module *vgpu_module_ptx(const struct vgpu_module *m)
{
    return m->ptx;
}

struct vgpu_kernel *vgpu_module_kernel(struct vgpu_module *m, const char *name)
{
    for (uint32_t k = 0; k < m->nkernels; k++) {
        if (strcmp(m->kernels[k].info.name, name) == 0) {
            return &m->kernels[k];
        }
    }
    return NULL;
}

enum vgpu_status vgpu_module_symbol(struct vgpu_module *m, const char *name, uint64_t *addr,
                                    size_t *bytes)
{
    const struct ptx_var *v = ptx_find_var(m->ptx, name);
    const struct vg_symbol *s = v != NULL ? vg_symbols_find(m->symbols, m->nsymbols, v) : NULL;
    if (s == NULL) {
        return VGPU_NOT_FOUND;
    }
    *addr = s->value;
    *bytes = v->size;
    return VGPU_OK;
}
