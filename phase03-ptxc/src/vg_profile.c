/* The profile: counters by kernel, and their rows by line.
 *
 * A source row sums the instructions of all functions with the same .loc; code that was inlined
 * counts at the line it was written on, as .loc says.
 */
#include "vg_profile.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_rows.h"

struct entry {
    const struct ptx_func *kernel;
    struct vgpu_counters counters;
};

struct vg_profile {
    struct entry **entries; /* owned, and each of them: their addresses stay */
    size_t n, cap;
};

struct vg_profile *vg_profile_new(void)
{
    return lab_alloc(1, sizeof(struct vg_profile));
}

void vg_profile_free(struct vg_profile *p)
{
    for (size_t i = 0; p != NULL && i < p->n; i++) {
        vgpu_counters_fini(&p->entries[i]->counters);
        free(p->entries[i]);
    }
    if (p != NULL) {
        free(p->entries);
    }
    free(p);
}

const struct vgpu_counters *vg_profile_find(const struct vg_profile *p,
                                            const struct ptx_func *kernel)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->entries[i]->kernel == kernel) {
            return &p->entries[i]->counters;
        }
    }
    return NULL;
}

struct vgpu_counters *vg_profile_counters(struct vg_profile *p, const struct ptx_func *kernel)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->entries[i]->kernel == kernel) {
            return &p->entries[i]->counters;
        }
    }
    if (p->n == p->cap) {
        p->cap = p->cap == 0 ? 8 : 2 * p->cap;
        p->entries = lab_resize(p->entries, p->cap, sizeof(p->entries[0]));
    }
    struct entry *e = lab_alloc(1, sizeof(*e));
    e->kernel = kernel;
    vgpu_counters_init(&e->counters, kernel->module);
    p->entries[p->n++] = e;
    return &e->counters;
}

void vg_profile_add(struct vg_profile *p, const struct ptx_func *kernel,
                    const struct vgpu_counters *launch)
{
    vg_count_merge(vg_profile_counters(p, kernel), launch);
}

const struct ptx_func *vg_profile_kernel(const struct vg_profile *p, size_t i)
{
    return i < p->n ? p->entries[i]->kernel : NULL;
}

uint64_t vg_sum_requests(const struct vg_counts *c)
{
    return c->global_ld_requests + c->global_st_requests + c->global_atom_requests +
           c->shared_ld_requests + c->shared_st_requests + c->shared_atom_requests;
}

uint64_t vg_sum_sectors(const struct vg_counts *c)
{
    return c->global_ld_sectors + c->global_st_sectors + c->global_atom_sectors;
}

uint64_t vg_sum_excess(const struct vg_counts *c)
{
    return vg_sum_sectors(c) - c->global_ld_ideal - c->global_st_ideal - c->global_atom_ideal;
}

uint64_t vg_sum_wavefronts(const struct vg_counts *c)
{
    return c->shared_ld_wavefronts + c->shared_st_wavefronts + c->shared_atom_wavefronts;
}

uint64_t vg_sum_conflicts(const struct vg_counts *c)
{
    return c->shared_ld_conflicts + c->shared_st_conflicts + c->shared_atom_conflicts;
}

static uint64_t key_of(const struct vg_row *r, enum vg_order order)
{
    switch (order) {
    case VG_BY_INSTRUCTIONS: return r->c.inst_executed;
    case VG_BY_EXCESS: return vg_sum_excess(&r->c);
    case VG_BY_CONFLICTS: return vg_sum_conflicts(&r->c);
    default: return 0;
    }
}

struct sortable {
    uint64_t key;
    size_t place; /* equal keys keep the order of lines */
};

static int compare(const void *x, const void *y)
{
    const struct sortable *a = x, *b = y;
    if (a->key != b->key) {
        return a->key > b->key ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

static void order_rows(struct vg_rows *rows, const struct vg_lines *which)
{
    struct sortable *order = lab_alloc(rows->n + 1, sizeof(order[0]));
    struct vg_row *sorted = lab_alloc(rows->n + 1, sizeof(sorted[0]));
    for (size_t i = 0; i < rows->n; i++) {
        order[i] = (struct sortable){key_of(&rows->at[i], which->order), i};
    }
    qsort(order, rows->n, sizeof(order[0]), compare);
    for (size_t i = 0; i < rows->n; i++) {
        sorted[i] = rows->at[order[i].place];
    }
    if (which->top != 0 && which->top < rows->n) {
        rows->n = which->top;
    }
    free(order);
    free(rows->at);
    rows->at = sorted;
}

/* All instructions of the kernel, and those of other functions that ran. */
static struct vg_rows all_rows(const struct vgpu_counters *c, const struct ptx_func *kernel)
{
    struct vg_rows rows = {.at = lab_alloc(c->n + 1, sizeof(rows.at[0]))};
    uint32_t i = 0;
    for (const struct ptx_func *f = c->module->funcs; f != NULL; f = f->next, i++) {
        bool shown = f == kernel || vg_count_sum(c, f).inst_executed > 0;
        for (uint32_t pc = 0; shown && pc < f->ninsns; pc++) {
            rows.at[rows.n++] = (struct vg_row){.c = c->at[c->first[i] + pc],
                                                .func = f,
                                                .pc = pc,
                                                .file = f->insns[pc].loc_file,
                                                .line = f->insns[pc].loc_line};
        }
    }
    return rows;
}

struct vg_rows vg_rows_ptx(const struct vg_profile *p, const struct vg_lines *which)
{
    const struct vgpu_counters *c = vg_profile_find(p, which->kernel);
    if (c == NULL) {
        return (struct vg_rows){0};
    }
    struct vg_rows rows = all_rows(c, which->kernel);
    order_rows(&rows, which);
    return rows;
}

static int compare_places(const void *x, const void *y)
{
    const struct vg_row *a = x, *b = y;
    if (a->file != b->file) {
        return a->file < b->file ? -1 : 1;
    }
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Rows without a .loc are left out: they belong to no source line. */
struct vg_rows vg_rows_source(const struct vg_profile *p, const struct vg_lines *which)
{
    struct vg_lines all = {which->kernel, VG_BY_LINE, 0};
    struct vg_rows rows = vg_rows_ptx(p, &all);
    size_t n = 0;
    qsort(rows.at, rows.n, sizeof(rows.at[0]), compare_places);
    for (size_t i = 0; i < rows.n; i++) {
        if (rows.at[i].line == 0) {
            continue;
        }
        if (n > 0 && compare_places(&rows.at[n - 1], &rows.at[i]) == 0) {
            vg_counts_add(&rows.at[n - 1].c, &rows.at[i].c);
        } else {
            rows.at[n++] = rows.at[i];
        }
    }
    rows.n = n;
    order_rows(&rows, which);
    return rows;
}

void vg_rows_free(struct vg_rows *rows)
{
    free(rows->at);
    *rows = (struct vg_rows){0};
}
