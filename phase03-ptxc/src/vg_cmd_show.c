/* vgpu devices, vgpu ptx FILE: what can be described, and what a file holds. */
#include <string.h>

#include "vg_cmd.h"
#include "vg_cmd_tables.h"

/* Where a chip's multiprocessors, clocks, memory and L2 stand; the rest is the Programming Guide's.
 */
static const struct {
    const char *key, *text;
} sources[] = {
    {"t4", "NVIDIA Turing GPU Architecture, T4 data sheet"},
    {"a100", "NVIDIA A100 Tensor Core GPU Architecture"},
    {"l4", "NVIDIA L4 data sheet"},
    {"h100", "NVIDIA H100 Tensor Core GPU Architecture (SXM5)"},
    {"h200", "NVIDIA H200 data sheet"},
};

static const char *source_of(const char *key)
{
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        if (strcmp(sources[i].key, key) == 0) {
            return sources[i].text;
        }
    }
    return "";
}

int vg_cmd_devices(struct lab_run *run, struct lab_err *err)
{
    size_t n = 0;
    const struct vgpu_desc *d = vgpu_desc_list(&n);
    struct lab_table *t = lab_run_table(run, &vg_table_devices);
    (void)err;
    for (size_t i = 0; i < n; i++, d++) {
        struct lab_buf cc;
        lab_buf_init(&cc);
        lab_buf_printf(&cc, "%u.%u", d->cc_major, d->cc_minor);
        lab_table_str(t, d->key);
        lab_table_str(t, d->name);
        lab_table_str(t, lab_buf_str(&cc));
        lab_table_int(t, d->sms);
        vg_put_int(t, d->memory_bytes >> 30);
        vg_put_int(t, 2ull * d->memory_clock_khz * d->bus_bits / 8 / 1000000);
        lab_table_int(t, d->l2_bytes >> 20);
        lab_table_int(t, d->shared_per_sm >> 10);
        lab_table_int(t, d->shared_per_block_optin >> 10);
        lab_table_int(t, d->max_threads_per_sm);
        lab_table_int(t, d->max_blocks_per_sm);
        lab_table_str(t, source_of(d->key));
        lab_buf_fini(&cc);
    }
    return 0;
}

static void put_params(struct lab_table *t, const struct ptx_func *f)
{
    struct lab_buf text;
    lab_buf_init(&text);
    for (const struct ptx_var *p = f->params; p != NULL; p = p->next) {
        lab_buf_printf(&text, "%s%s", p == f->params ? "" : " ", ptx_type_name(p->type));
        if (p->elements != 1) {
            lab_buf_printf(&text, "[%llu]", (unsigned long long)p->elements);
        }
    }
    lab_table_str(t, lab_buf_str(&text));
    lab_buf_fini(&text);
}

static void put_entry(struct lab_table *t, const struct vgpu_kernel *k)
{
    struct vgpu_kernel_info info;
    vgpu_kernel_info(k, &info);
    const char *why = vgpu_kernel_error(k);
    lab_table_str(t, info.name);
    put_params(t, info.func);
    lab_table_int(t, info.func->ninsns);
    lab_table_int(t, info.regs);
    lab_table_int(t, info.static_shared);
    lab_table_int(t, info.local_bytes);
    lab_table_int(t, vgpu_blocks_per_sm(k, 256, 0));
    if (why != NULL) {
        lab_table_str(t, why);
        lab_table_none(t);
    } else {
        vg_put_mode(t, k);
    }
}

int vg_cmd_ptx(struct lab_run *run, struct lab_err *err)
{
    const struct vg_opts *o = run->opts;
    struct vgpu_config config = {.desc = vg_cmd_device(o->device), .threads = 1};
    struct vgpu *g = NULL;
    struct vgpu_module *m = NULL;
    if (vgpu_open(&config, &g, err) < 0) {
        return -1;
    }
    int rc = vg_cmd_load(g, run->operands[0], &m, err);
    if (rc == 0) {
        const struct ptx_module *ptx = vgpu_module_ptx(m);
        struct lab_table *t = lab_run_table(run, &vg_table_entries);
        lab_run_note(run, "%s: PTX %u.%u for %s, %u lines", ptx->name, ptx->version_major,
                     ptx->version_minor, ptx->target, ptx->nlines);
        for (const struct ptx_func *f = ptx->funcs; f != NULL; f = f->next) {
            struct vgpu_kernel *k = f->kind == PTX_ENTRY ? vgpu_module_kernel(m, f->name) : NULL;
            if (k != NULL) {
                put_entry(t, k);
            }
        }
        vgpu_module_unload(m);
    }
    vgpu_close(g);
    return rc;
}
