/* The verbs of the program vgpu and their options. */
#ifndef VG_CMD_H
#define VG_CMD_H

#include "cu_run.h"
#include "lab/cli.h"
#include "vgpu.h"

/* For LAB_OPT_CHOICE; the words are the keys of vgpu_desc_list. */
#define VG_DEVICES  "t4|a100|l4|h100|h200"
#define VG_POLICIES "its|stack"
#define VG_REPORTS  "table|csv|json|off"
#define VG_PICTURES "lines|sectors"
#define VG_ORDERS   "inst|excess|conflicts" /* VG_BY_INSTRUCTIONS and on */

enum vg_picture { VG_PICTURE_LINES, VG_PICTURE_SECTORS };
enum { VG_REPORT_OFF = 3, VG_DEVICE_DEFAULT = 1, VG_THREADS_MAX = 1024 };
#define VG_BUDGET_DEFAULT 2000000000 /* warp instructions: some seconds to half a minute */

struct vg_opts {
    struct vgpu_run_opts run; /* of the verb `run`; first, as cu_run.h asks */
    int device, policy, report, picture, order;
    int64_t threads, smem, budget, lines, picture_line;
    const char *grid, *block, *check;
    const char *arg, *print; /* every --arg and --print, one a line (vg_cmd_join) */
    bool cooperative;
    const char *kernels; /* folder of the committed kernels */
    const char *bugs;    /* folder of the kernels with a seeded bug each */
};

int vg_cmd_demo(struct lab_run *run, struct lab_err *err);
int vg_cmd_launch(struct lab_run *run, struct lab_err *err);
int vg_cmd_ptx(struct lab_run *run, struct lab_err *err);
int vg_cmd_devices(struct lab_run *run, struct lab_err *err);
int vg_cmd_bench(struct lab_run *run, struct lab_err *err);

/* Every table of the program, for `explain`; ends with NULL. */
extern const struct lab_table_def *const vg_cmd_tables[];

/* --- what the verbs share (vg_cmd_words.c) --- */

/* An option that may be repeated becomes one, its values one a line: `names` (ends with NULL) lists
 * such options without their dashes. Returns a new argv of *argc words; free the words with
 * vg_cmd_join_free. Borrowed words stay argv's. Values hold no line end: one is refused. */
struct vg_cmd_line {
    int argc;
    char **argv;   /* owned */
    char **joined; /* owned: the words made here */
    int njoined;
};
int vg_cmd_join(int argc, char **argv, const char *const *names, struct vg_cmd_line *out,
                struct lab_err *err);
void vg_cmd_join_free(struct vg_cmd_line *line);
/* The lines of such a value as a NULL-terminated array; free(*words) and free(*text). */
void vg_cmd_split(const char *joined, char **text, const char ***words);

/* "16", "16,4" or "16,4,2", each at least 1. `what` is the option's name. */
int vg_cmd_dim(const char *what, const char *text, struct vgpu_dim *out, struct lab_err *err);
/* "mem,race" as bits of enum vgpu_check; NULL is none. */
int vg_cmd_checks(const char *text, unsigned *out, struct lab_err *err);
/* The chip of a --device choice. */
const struct vgpu_desc *vg_cmd_device(int choice);
/* How many threads `--threads n` means: 0 all CPUs. */
unsigned vg_cmd_threads(int64_t n);

/* A file with PTX as a module of the device. */
int vg_cmd_load(struct vgpu *g, const char *path, struct vgpu_module **out, struct lab_err *err);
/* The kernel of that name, as PTX spells it or as the source does, if that is one only. */
int vg_cmd_kernel(struct vgpu_module *m, const char *name, struct vgpu_kernel **out,
                  struct lab_err *err);
/* Hand a table made elsewhere to the run. */
void vg_cmd_adopt(struct lab_run *run, struct lab_table *t);

#endif
