/* The program's own tables, and the rows that several verbs make. */
#ifndef VG_CMD_TABLES_H
#define VG_CMD_TABLES_H

#include "lab/cli.h"
#include "vg_check.h"
#include "vg_cmd_args.h"

extern const struct lab_table_def vg_table_kernels;   /* the demonstration */
extern const struct lab_table_def vg_table_published; /* published against counted */
extern const struct lab_table_def vg_table_bugs;      /* what the checks find */
extern const struct lab_table_def vg_table_modes;     /* parallel or serial, and why */
extern const struct lab_table_def vg_table_findings;  /* of a launch */
extern const struct lab_table_def vg_table_buffers;   /* --print */
extern const struct lab_table_def vg_table_devices;
extern const struct lab_table_def vg_table_entries; /* of a PTX file */
extern const struct lab_table_def vg_table_bench;

/* "4,4" or "4,4,2"; trailing ones are left out. */
void vg_put_dim(struct lab_table *t, const struct vgpu_dim *d);
/* A ratio, or no value when the whole is 0. */
void vg_put_ratio(struct lab_table *t, double part, uint64_t whole);
void vg_put_int(struct lab_table *t, uint64_t v);
/* "parallel" and no reason, or "serial" and the instruction that makes it so. */
void vg_put_mode(struct lab_table *t, const struct vgpu_kernel *kernel);
/* "sync.cu:11", or the PTX line where no .loc tells. */
void vg_put_place(struct lab_table *t, const struct ptx_func *f, uint32_t pc);
/* "5" or "5,2": a thread's coordinates without trailing zeros. */
void vg_put_thread(struct lab_table *t, const struct vgpu_dim *d);

#endif
