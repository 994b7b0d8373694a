/* Rows of buffers and findings. */
#ifndef VG_CMD_PRINT_H
#define VG_CMD_PRINT_H

#include "lab/cli.h"
#include "vg_check.h"
#include "vg_cmd_args.h"

/* `prints` ends with NULL; each is NAME or NAME:A-B, elements A to B. */
int vg_print_check(const struct vg_args *a, const char *const *prints, struct lab_err *err);
/* The ranges asked for, which vg_print_check has accepted. Without any, the first 8 elements of
 * each buffer the user named; no such buffer, no table. */
void vg_print_buffers(const struct vg_args *a, const char *const *prints, struct lab_run *run);

/* A row of vg_table_findings each. */
void vg_print_findings(const struct vg_finding *list, size_t n, struct lab_table *t);

#endif
