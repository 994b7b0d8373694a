/* The report when the process ends, and what is said when a kernel stops.
 *
 * Model: the profile (vg_profile.h) has a set of counters for each kernel; here stands beside it
 * how the kernel was launched. The report goes to stderr or a file, never to stdout, which is the
 * program's.
 *
 * Simplified: counters of a launch that faulted are not kept; nothing is reported when the process
 * ends by a signal or _exit.
 */
#include "cu_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/file.h"
#include "vg_check.h"
#include "vg_name.h"
#include "vg_profile.h"
#include "vg_source.h"

/* How a kernel was launched. */
struct cu_profile {
    struct lab_buf name;
    uint64_t launches;
    struct vgpu_dim grid, block;
    uint32_t shared;
    bool various; /* not always with the same shape */
    uint32_t regs, blocks_per_sm;
    const char *serial_why; /* NULL: its blocks are spread over threads */
    struct cu_profile *next;
};

static struct vg_profile *profile;
static struct cu_profile *launched, **last = &launched;

struct vgpu_counters *cu_profile_counters(CUfunction f)
{
    if (!cu_state.config.report) {
        return NULL;
    }
    if (profile == NULL) {
        profile = vg_profile_new();
    }
    return vg_profile_counters(profile, f->info.func);
}

static struct cu_profile *profile_of(CUfunction f)
{
    if (f->profile == NULL) {
        struct cu_profile *p = lab_alloc(1, sizeof(*p));
        lab_buf_init(&p->name);
        vg_name_print(f->info.name, &p->name);
        p->regs = f->info.regs;
        p->serial_why = f->info.serial_why;
        *last = p;
        last = &p->next;
        f->profile = p;
    }
    return f->profile;
}

static bool same(struct vgpu_dim a, struct vgpu_dim b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void cu_profile_launch(CUfunction f, const struct cu_launch *l)
{
    if (!cu_state.config.report) {
        return;
    }
    struct cu_profile *p = profile_of(f);
    if (p->launches++ == 0) {
        p->grid = l->grid;
        p->block = l->block;
        p->shared = l->shared;
        p->blocks_per_sm =
            vgpu_blocks_per_sm(f->kernel, l->block.x * l->block.y * l->block.z, l->shared);
    } else if (!same(p->grid, l->grid) || !same(p->block, l->block) || p->shared != l->shared) {
        p->various = true;
    }
}

bool cu_profile_keeps(const struct CUmod_st *m)
{
    if (cu_state.config.vgpu.checks != 0) {
        return true;
    }
    for (CUfunction f = m->funcs; f != NULL; f = f->next) {
        if (f->profile != NULL) {
            return true;
        }
    }
    return false;
}

/* --- the table of launches --- */

static const struct lab_col launch_cols[] = {
    {"kernel", LAB_STR, 0, NULL, NULL, "the kernel's name without its parameter types"},
    {"launches", LAB_INT, 0, NULL, NULL, "launches that ended without a fault"},
    {"grid", LAB_STR, 0, NULL, NULL, "blocks, x,y,z, of the first launch; + others differed"},
    {"block", LAB_STR, 0, NULL, NULL, "threads of a block, x,y,z, of the first launch"},
    {"dynamic_B", LAB_INT, 0, NULL, NULL, "dynamic shared memory a block, of the first launch"},
    {"regs", LAB_INT, 0, NULL, NULL, "registers a thread, estimated (ptxas decides on a GPU)"},
    {"blocks/SM", LAB_INT, 0, NULL, NULL, "blocks a multiprocessor holds at a time"},
    {"order", LAB_STR, 0, NULL, NULL,
     "spread: blocks run on any host thread; serial: in index order on one"},
    {"why", LAB_STR, 0, NULL, NULL, "what makes the order serial"},
};

static const struct lab_table_def launch_table = {
    "launches", "launches", launch_cols, LAB_NCOLS(launch_cols),
    "Blocks run in index order on one thread where the kernel could see the order of others: "
    "global atomics, volatile, relaxed or acquire accesses, grid barriers."};

static void put_dim(struct lab_table *t, struct vgpu_dim d, bool various)
{
    char text[48];
    snprintf(text, sizeof(text), "%u,%u,%u%s", d.x, d.y, d.z, various ? "+" : "");
    lab_table_str(t, text);
}

static struct lab_table *launches(void)
{
    struct lab_table *t = lab_table_new(&launch_table);
    for (const struct cu_profile *p = launched; p != NULL; p = p->next) {
        lab_table_str(t, lab_buf_str(&p->name));
        lab_table_int(t, (int64_t)p->launches);
        put_dim(t, p->grid, p->various);
        put_dim(t, p->block, p->various);
        lab_table_int(t, p->shared);
        lab_table_int(t, p->regs);
        lab_table_int(t, p->blocks_per_sm);
        lab_table_str(t, p->serial_why != NULL ? "serial" : "spread");
        lab_table_str(t, p->serial_why != NULL ? p->serial_why : "");
    }
    return t;
}

/* --- writing --- */

/* Append the table, and free it; one without rows is left out. */
static void put_table(struct lab_table *t, bool *first, struct lab_buf *out)
{
    if (lab_table_rows(t) > 0) {
        bool json = cu_state.config.format == LAB_FORMAT_JSON;
        lab_buf_puts(out, *first ? "" : json ? "," : "\n");
        *first = false;
        switch (cu_state.config.format) {
        case LAB_FORMAT_TABLE: lab_table_text(t, out); break;
        case LAB_FORMAT_CSV: lab_table_csv(t, false, out); break;
        case LAB_FORMAT_JSON: lab_table_json(t, out); break;
        }
    }
    lab_table_free(t);
}

/* The busiest lines of one kernel. */
static void put_lines(const struct ptx_func *kernel, bool first, struct lab_buf *out)
{
    struct vg_lines which = {kernel, VG_BY_INSTRUCTIONS, cu_state.config.lines};
    struct lab_buf name;
    bool none = true;
    lab_buf_init(&name);
    vg_name_print(kernel->name, &name);
    switch (cu_state.config.format) {
    case LAB_FORMAT_TABLE: lab_buf_printf(out, "\nkernel %s\n", lab_buf_str(&name)); break;
    case LAB_FORMAT_CSV: lab_buf_printf(out, "\n# kernel: %s\n", lab_buf_str(&name)); break;
    case LAB_FORMAT_JSON:
        lab_buf_puts(out, first ? "{\"kernel\":" : ",{\"kernel\":");
        lab_buf_json(out, lab_buf_str(&name));
        lab_buf_puts(out, ",\"tables\":[");
        break;
    }
    put_table(vg_profile_source(profile, &which), &none, out);
    put_table(vg_profile_ptx(profile, &which), &none, out);
    lab_buf_puts(out, cu_state.config.format == LAB_FORMAT_JSON ? "]}" : "");
    lab_buf_fini(&name);
}

static void put_counters(struct lab_buf *out)
{
    const struct lab_table_def *const defs[] = {&vg_table_execution, &vg_table_global,
                                                &vg_table_shared};
    bool json = cu_state.config.format == LAB_FORMAT_JSON;
    bool first = true;
    if (json) {
        lab_buf_puts(out, "{\"program\":\"vgpu run\",\"device\":");
        lab_buf_json(out, cu_state.config.vgpu.desc->key);
        lab_buf_puts(out, ",\"tables\":[");
    }
    put_table(launches(), &first, out);
    for (size_t k = 0; k < 3; k++) {
        put_table(vg_profile_table(profile, defs[k]), &first, out);
    }
    lab_buf_puts(out, json ? "],\"lines\":[" : "");
    const struct ptx_func *kernel;
    for (size_t k = 0; cu_state.config.lines > 0 && (kernel = vg_profile_kernel(profile, k)); k++) {
        put_lines(kernel, k == 0, out);
    }
    lab_buf_puts(out, json ? "]}\n" : "");
}

static void deliver(const struct lab_buf *out)
{
    struct lab_err err = {0};
    const char *path = cu_state.config.report_file;
    if (path == NULL) {
        fwrite(lab_buf_str(out), 1, out->len, stderr);
    } else if (lab_file_write(path, lab_buf_str(out), out->len, &err) < 0) {
        cu_say("%s", err.msg);
    }
}

static void forget(void)
{
    vg_profile_free(profile);
    profile = NULL;
    while (launched != NULL) {
        struct cu_profile *p = launched;
        launched = p->next;
        lab_buf_fini(&p->name);
        free(p);
    }
    last = &launched;
}

void cu_report_write(void)
{
    struct lab_buf out;
    struct vgpu *g = cu_state.devices[0].g;
    lab_buf_init(&out);
    if (profile != NULL) {
        put_counters(&out);
    } else if (cu_state.config.report) {
        cu_say("no kernel was launched");
    }
    if (out.len > 0) {
        deliver(&out);
    }
    if (g != NULL && cu_state.config.vgpu.checks != 0) {
        lab_buf_clear(&out);
        vg_report_print(vgpu_report(g), &out);
        fwrite(lab_buf_str(&out), 1, out.len, stderr);
    }
    lab_buf_fini(&out);
    forget();
}

/* --- faults --- */

static void put_place(const struct vgpu_fault *fault, struct lab_buf *out)
{
    const struct ptx_func *f = fault->func;
    if (f == NULL || f->module == NULL || fault->pc >= f->ninsns) {
        return;
    }
    const struct ptx_insn *i = &f->insns[fault->pc];
    size_t len;
    const char *line = vg_ptx_line(f, fault->pc, &len);
    lab_buf_printf(out, "  %s:%u: ", f->module->name, i->pos.line);
    vg_line_print(line, len, 100, out);
    lab_buf_putc(out, '\n');
    const char *path = i->loc_line != 0 ? vg_source_path(f->module, i->loc_file) : NULL;
    if (path != NULL) {
        struct vg_source *source = vg_source_new();
        line = vg_source_line(source, f, fault->pc, &len);
        lab_buf_printf(out, "  %s:%u: ", vg_source_name(path), i->loc_line);
        vg_line_print(line != NULL ? line : "", line != NULL ? len : 0, 100, out);
        lab_buf_putc(out, '\n');
        vg_source_free(source);
    }
}

void cu_fault_say(CUfunction f, const struct vgpu_fault *fault)
{
    struct lab_buf out;
    lab_buf_init(&out);
    if (fault->status == VGPU_ASSERT) {
        lab_buf_printf(&out, "%s\n", fault->text);
    } else {
        lab_buf_puts(&out, "vgpu: kernel ");
        vg_name_print(f->info.name, &out);
        lab_buf_printf(&out, " stopped, block (%u,%u,%u) thread (%u,%u,%u): %s\n", fault->block.x,
                       fault->block.y, fault->block.z, fault->thread.x, fault->thread.y,
                       fault->thread.z, fault->text);
        put_place(fault, &out);
    }
    fputs(lab_buf_str(&out), stderr);
    lab_buf_fini(&out);
}

void cu_refusal_say(CUfunction f, const struct vgpu_fault *fault)
{
    struct lab_buf name;
    lab_buf_init(&name);
    vg_name_print(f->info.name, &name);
    cu_say("kernel %s was not launched: %s", lab_buf_str(&name), fault->text);
    lab_buf_fini(&name);
}
