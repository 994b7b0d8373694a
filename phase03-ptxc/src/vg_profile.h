/* What a profiler shows of a program's launches: tables per kernel, per PTX line and per source
 * line, and two pictures.
 *
 * A profile keeps one set of counters a kernel; vgpu_run adds each launch to it. What is printed is
 * deterministic: no times. The kernels' modules must stay loaded until the profile has been
 * printed. Meanings of the figures: vg_count.h and each column's own text (lab_table_explain).
 * Thread-safety: one thread at a time.
 */
#ifndef VG_PROFILE_H
#define VG_PROFILE_H

#include "lab/buf.h"
#include "lab/table.h"
#include "vg_count.h"

struct vg_profile;

struct vg_profile *vg_profile_new(void);
void vg_profile_free(struct vg_profile *p);

/* The counters of a kernel, made at the first call; pass them to vgpu_run. Owned by the profile. */
struct vgpu_counters *vg_profile_counters(struct vg_profile *p, const struct ptx_func *kernel);
/* Add counters gathered elsewhere. */
void vg_profile_add(struct vg_profile *p, const struct ptx_func *kernel,
                    const struct vgpu_counters *launch);
/* Kernel number i in the order of first use; NULL past the last. */
const struct ptx_func *vg_profile_kernel(const struct vg_profile *p, size_t i);

/* --- one row a kernel --- */
extern const struct lab_table_def vg_table_execution; /* instructions, lanes, branches */
extern const struct lab_table_def vg_table_global;    /* requests, sectors, efficiency */
extern const struct lab_table_def vg_table_shared;    /* requests, wavefronts, conflicts */

/* A table of one of these three; free it with lab_table_free. Kernels without a request in the
 * table's memory have no row. */
struct lab_table *vg_profile_table(const struct vg_profile *p, const struct lab_table_def *def);

/* --- one row a line --- */
extern const struct lab_table_def vg_table_ptx;    /* PTX instructions */
extern const struct lab_table_def vg_table_source; /* lines of the .cu file, by .loc */

enum vg_order {
    VG_BY_LINE,
    VG_BY_INSTRUCTIONS, /* most warp instructions first */
    VG_BY_EXCESS,       /* most sectors above the ideal first */
    VG_BY_CONFLICTS,    /* most shared-memory conflicts first */
};

struct vg_lines {
    const struct ptx_func *kernel;
    enum vg_order order;
    size_t top; /* rows at most; 0: all */
};

/* Functions the kernel calls are included where they were executed. */
struct lab_table *vg_profile_ptx(const struct vg_profile *p, const struct vg_lines *which);
struct lab_table *vg_profile_source(const struct vg_profile *p, const struct vg_lines *which);

/* --- pictures: whole SVG documents --- */
/* A heat map: PTX lines by counters, each column shaded by its own maximum. `which` as above; with
 * more than 60 rows the most executed 60 are shown, in the order of lines. */
void vg_heat_svg(const struct vg_profile *p, const struct vg_lines *which, struct lab_buf *out);
/* The sectors one warp's access touches: a row per 128-byte line, a cell per word with the lane
 * that asks for it. At most 64 rows are drawn. */
void vg_access_svg(const struct vg_access *a, const char *title, struct lab_buf *out);

#endif
