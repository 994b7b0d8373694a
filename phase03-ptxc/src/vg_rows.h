/* Inside the profile: the counters of a kernel as rows, one a PTX instruction or source line. */
#ifndef VG_ROWS_H
#define VG_ROWS_H

#include "vg_profile.h"

struct vg_row {
    struct vg_counts c;
    const struct ptx_func *func;
    uint32_t pc;         /* of the first instruction of the row */
    uint32_t file, line; /* .loc of a source row; 0: none */
};

struct vg_rows {
    struct vg_row *at; /* owned */
    size_t n;
};

/* In the order asked for, cut to `top`. */
struct vg_rows vg_rows_ptx(const struct vg_profile *p, const struct vg_lines *which);
struct vg_rows vg_rows_source(const struct vg_profile *p, const struct vg_lines *which);
void vg_rows_free(struct vg_rows *rows);

/* NULL when the kernel was never launched. */
const struct vgpu_counters *vg_profile_find(const struct vg_profile *p,
                                            const struct ptx_func *kernel);

/* Sums over kinds of access. */
uint64_t vg_sum_requests(const struct vg_counts *c); /* global and shared */
uint64_t vg_sum_sectors(const struct vg_counts *c);
uint64_t vg_sum_excess(const struct vg_counts *c);
uint64_t vg_sum_wavefronts(const struct vg_counts *c);
uint64_t vg_sum_conflicts(const struct vg_counts *c);

#endif
