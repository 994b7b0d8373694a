/* The profile's tables. */
#include <string.h>

#include "vg_name.h"
#include "vg_profile.h"
#include "vg_rows.h"
#include "vg_source.h"

#define TEXT_MAX 60 /* bytes of a code line that a table shows */

static const struct lab_col execution_cols[] = {
    {.name = "kernel", .kind = LAB_STR, .meaning = "the kernel's name in the source"},
    {.name = "launches", .kind = LAB_INT, .meaning = "how often it was launched"},
    {.name = "warp_inst", .kind = LAB_INT, .meaning = "PTX instructions, each counted once a warp"},
    {.name = "thr/inst",
     .kind = LAB_REAL,
     .prec = 1,
     .meaning = "active lanes a warp instruction, of 32; predicated-off lanes are active"},
    {.name = "pred_on",
     .kind = LAB_REAL,
     .prec = 1,
     .meaning = "lanes a warp instruction whose guard is true, of 32"},
    {.name = "branches", .kind = LAB_INT, .meaning = "warp-wide branch instructions"},
    {.name = "divergent", .kind = LAB_INT, .meaning = "of those, the ones whose lanes parted"},
    {.name = "barriers", .kind = LAB_INT, .meaning = "barrier instructions, once a warp"},
};
const struct lab_table_def vg_table_execution = {
    .id = "execution",
    .title = "instructions",
    .cols = execution_cols,
    .ncols = LAB_NCOLS(execution_cols),
    .note = "PTX instructions are not the machine's: never compare their number with SASS counts.",
};

static const struct lab_col global_cols[] = {
    {.name = "kernel", .kind = LAB_STR, .meaning = "the kernel's name in the source"},
    {.name = "ld_req", .kind = LAB_INT, .meaning = "warp-wide loads with a lane that takes part"},
    {.name = "ld_sect", .kind = LAB_INT, .meaning = "distinct 32-byte sectors they touch"},
    {.name = "ld_s/req", .kind = LAB_REAL, .prec = 2, .meaning = "sectors a load; 4 is 32 floats"},
    {.name = "ld_eff%",
     .kind = LAB_REAL,
     .prec = 2,
     .meaning = "bytes asked for / (32 · sectors); above 100 when lanes share words"},
    {.name = "excess", .kind = LAB_INT, .meaning = "load sectors above the fewest that could do"},
    {.name = "st_req", .kind = LAB_INT, .meaning = "warp-wide stores"},
    {.name = "st_sect", .kind = LAB_INT, .meaning = "distinct sectors they touch"},
    {.name = "st_s/req", .kind = LAB_REAL, .prec = 2, .meaning = "sectors a store"},
    {.name = "st_eff%", .kind = LAB_REAL, .prec = 2, .meaning = "as ld_eff%, of stores"},
    {.name = "atom_req", .kind = LAB_INT, .meaning = "warp-wide atomics and reductions"},
    {.name = "atom_sect", .kind = LAB_INT, .meaning = "distinct sectors they touch"},
};
const struct lab_table_def vg_table_global = {
    .id = "global",
    .title = "global memory",
    .cols = global_cols,
    .ncols = LAB_NCOLS(global_cols),
    .note = "No cache is modelled: every sector counts, hit or miss.",
};

static const struct lab_col shared_cols[] = {
    {.name = "kernel", .kind = LAB_STR, .meaning = "the kernel's name in the source"},
    {.name = "ld_req", .kind = LAB_INT, .meaning = "warp-wide loads of shared memory"},
    {.name = "ld_wave", .kind = LAB_INT, .meaning = "passes over the 32 banks they take"},
    {.name = "ld_confl", .kind = LAB_INT, .meaning = "passes above one a phase"},
    {.name = "st_req", .kind = LAB_INT, .meaning = "warp-wide stores"},
    {.name = "st_wave", .kind = LAB_INT, .meaning = "passes they take"},
    {.name = "st_confl", .kind = LAB_INT, .meaning = "passes above one a phase"},
    {.name = "at_req", .kind = LAB_INT, .meaning = "warp-wide atomics"},
    {.name = "at_wave", .kind = LAB_INT, .meaning = "passes they take"},
    {.name = "n-way",
     .kind = LAB_REAL,
     .prec = 2,
     .suffix = "x",
     .meaning = "passes a request over all of them; 1 is free of conflicts for 4-byte lanes"},
};
const struct lab_table_def vg_table_shared = {
    .id = "shared",
    .title = "shared memory",
    .cols = shared_cols,
    .ncols = LAB_NCOLS(shared_cols),
    .note = "Lanes of 8 bytes take at least 2 passes, of 16 bytes 4.",
};

#define LINE_COLS                                                                                  \
    {.name = "warp_inst", .kind = LAB_INT, .meaning = "how often a warp executed it"},             \
        {.name = "thr/inst", .kind = LAB_REAL, .prec = 1, .meaning = "lanes with a true guard"},   \
        {.name = "diverg", .kind = LAB_INT, .meaning = "branches whose lanes parted"},             \
        {.name = "requests", .kind = LAB_INT, .meaning = "accesses of global or shared memory"},   \
        {.name = "sectors", .kind = LAB_INT, .meaning = "32-byte sectors of global memory"},       \
        {.name = "excess", .kind = LAB_INT, .meaning = "sectors above the fewest that could do"},  \
        {.name = "passes", .kind = LAB_INT, .meaning = "wavefronts of shared memory"},             \
    {                                                                                              \
        .name = "confl", .kind = LAB_INT, .meaning = "passes above one a phase"                    \
    }

static const struct lab_col ptx_cols[] = {
    {.name = "line", .kind = LAB_INT, .meaning = "line of the PTX text"},
    LINE_COLS,
    {.name = "source", .kind = LAB_STR, .meaning = "the source line it was made from"},
    {.name = "ptx", .kind = LAB_STR, .meaning = "the instruction"},
};
const struct lab_table_def vg_table_ptx = {
    .id = "ptx",
    .title = "PTX lines",
    .cols = ptx_cols,
    .ncols = LAB_NCOLS(ptx_cols),
};

static const struct lab_col source_cols[] = {
    {.name = "source", .kind = LAB_STR, .meaning = "file and line"},
    LINE_COLS,
    {.name = "text", .kind = LAB_STR, .meaning = "the line, where the file is at hand"},
};
const struct lab_table_def vg_table_source = {
    .id = "source",
    .title = "source lines",
    .cols = source_cols,
    .ncols = LAB_NCOLS(source_cols),
    .note = "An inlined call counts at the line it was written on.",
};

static void put_int(struct lab_table *t, uint64_t v)
{
    lab_table_int(t, (int64_t)v);
}

static void put_ratio(struct lab_table *t, double part, uint64_t whole)
{
    if (whole == 0) {
        lab_table_none(t);
    } else {
        lab_table_real(t, part / (double)whole);
    }
}

static void put_name(struct lab_table *t, const struct ptx_func *kernel)
{
    struct lab_buf name;
    lab_buf_init(&name);
    vg_name_print(kernel->name, &name);
    lab_table_str(t, lab_buf_str(&name));
    lab_buf_fini(&name);
}

static void execution_row(struct lab_table *t, const struct vg_counts *c, uint64_t launches)
{
    put_int(t, launches);
    put_int(t, c->inst_executed);
    put_ratio(t, (double)c->thread_inst_executed, c->inst_executed);
    put_ratio(t, (double)c->thread_inst_pred_on, c->inst_executed);
    put_int(t, c->branches);
    put_int(t, c->divergent_branches);
    put_int(t, c->barriers);
}

static void global_row(struct lab_table *t, const struct vg_counts *c)
{
    put_int(t, c->global_ld_requests);
    put_int(t, c->global_ld_sectors);
    put_ratio(t, (double)c->global_ld_sectors, c->global_ld_requests);
    put_ratio(t, 100 * (double)c->global_ld_bytes, VG_SECTOR_BYTES * c->global_ld_sectors);
    put_int(t, c->global_ld_sectors - c->global_ld_ideal);
    put_int(t, c->global_st_requests);
    put_int(t, c->global_st_sectors);
    put_ratio(t, (double)c->global_st_sectors, c->global_st_requests);
    put_ratio(t, 100 * (double)c->global_st_bytes, VG_SECTOR_BYTES * c->global_st_sectors);
    put_int(t, c->global_atom_requests);
    put_int(t, c->global_atom_sectors);
}

static uint64_t shared_requests(const struct vg_counts *c)
{
    return c->shared_ld_requests + c->shared_st_requests + c->shared_atom_requests;
}

static void shared_row(struct lab_table *t, const struct vg_counts *c)
{
    put_int(t, c->shared_ld_requests);
    put_int(t, c->shared_ld_wavefronts);
    put_int(t, c->shared_ld_conflicts);
    put_int(t, c->shared_st_requests);
    put_int(t, c->shared_st_wavefronts);
    put_int(t, c->shared_st_conflicts);
    put_int(t, c->shared_atom_requests);
    put_int(t, c->shared_atom_wavefronts);
    put_ratio(t, (double)vg_sum_wavefronts(c), shared_requests(c));
}

struct lab_table *vg_profile_table(const struct vg_profile *p, const struct lab_table_def *def)
{
    struct lab_table *t = lab_table_new(def);
    const struct ptx_func *kernel = NULL;
    for (size_t i = 0; (kernel = vg_profile_kernel(p, i)) != NULL; i++) {
        const struct vgpu_counters *counters = vg_profile_find(p, kernel);
        struct vg_counts c = vg_count_sum(counters, NULL);
        if (def == &vg_table_execution) {
            put_name(t, kernel);
            execution_row(t, &c, counters->launches);
        } else if (def == &vg_table_global && vg_sum_sectors(&c) > 0) {
            put_name(t, kernel);
            global_row(t, &c);
        } else if (def == &vg_table_shared && shared_requests(&c) > 0) {
            put_name(t, kernel);
            shared_row(t, &c);
        }
    }
    return t;
}

static void line_cells(struct lab_table *t, const struct vg_counts *c)
{
    put_int(t, c->inst_executed);
    put_ratio(t, (double)c->thread_inst_pred_on, c->inst_executed);
    put_int(t, c->divergent_branches);
    put_int(t, vg_sum_requests(c));
    put_int(t, vg_sum_sectors(c));
    put_int(t, vg_sum_excess(c));
    put_int(t, vg_sum_wavefronts(c));
    put_int(t, vg_sum_conflicts(c));
}

static void put_text(struct lab_table *t, const char *text, size_t len)
{
    struct lab_buf line;
    lab_buf_init(&line);
    vg_line_print(text, len, TEXT_MAX, &line);
    lab_table_str(t, lab_buf_str(&line));
    lab_buf_fini(&line);
}

static void put_place(struct lab_table *t, const struct vg_row *r)
{
    const char *path = vg_source_path(r->func->module, r->file);
    if (r->line == 0) {
        lab_table_none(t);
        return;
    }
    struct lab_buf place;
    lab_buf_init(&place);
    lab_buf_printf(&place, "%s:%u", path == NULL ? "?" : vg_source_name(path), r->line);
    lab_table_str(t, lab_buf_str(&place));
    lab_buf_fini(&place);
}

struct lab_table *vg_profile_ptx(const struct vg_profile *p, const struct vg_lines *which)
{
    struct lab_table *t = lab_table_new(&vg_table_ptx);
    struct vg_rows rows = vg_rows_ptx(p, which);
    for (size_t i = 0; i < rows.n; i++) {
        const struct vg_row *r = &rows.at[i];
        size_t len;
        const char *text = vg_ptx_line(r->func, r->pc, &len);
        lab_table_int(t, r->func->insns[r->pc].pos.line);
        line_cells(t, &r->c);
        put_place(t, r);
        put_text(t, text, len);
    }
    vg_rows_free(&rows);
    return t;
}

struct lab_table *vg_profile_source(const struct vg_profile *p, const struct vg_lines *which)
{
    struct lab_table *t = lab_table_new(&vg_table_source);
    struct vg_rows rows = vg_rows_source(p, which);
    struct vg_source *source = vg_source_new();
    for (size_t i = 0; i < rows.n; i++) {
        const struct vg_row *r = &rows.at[i];
        size_t len = 0;
        const char *text = vg_source_line(source, r->func, r->pc, &len);
        put_place(t, r);
        line_cells(t, &r->c);
        put_text(t, text == NULL ? "" : text, text == NULL ? 0 : len);
    }
    vg_source_free(source);
    vg_rows_free(&rows);
    return t;
}
