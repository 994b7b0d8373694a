/* The demonstration's parts: kernels with their launches, expected results and published figures.
 */
#ifndef VG_DEMO_H
#define VG_DEMO_H

#include "vg_cmd.h"
#include "vg_cmd_args.h"
#include "vg_count.h"

enum { VG_CASE_ARGS = 6 };

/* What a reference may look at: the buffers' contents before the launch, and the numbers. */
struct vg_given {
    const struct vg_case *c;
    const struct vg_args *args;
};

/* One launch of a committed kernel. */
struct vg_case {
    const char *name;          /* unique: the kernel's, and what varies */
    const char *file, *kernel; /* file without folder and ".ptx" */
    struct vgpu_dim grid, block;
    uint32_t shared;                /* dynamic, bytes */
    const char *args[VG_CASE_ARGS]; /* words of vg_cmd_args.h, NULL after the last */
    uint32_t out;                   /* the number of the argument that the kernel writes */
    double (*want)(const struct vg_given *w, uint64_t i); /* its element i afterwards */
};

extern const struct vg_case vg_cases[];
extern const size_t vg_ncases;
size_t vg_case_find(const char *name); /* its number; LAB_ASSERTs that it exists */

/* A device with the PTX files of one folder. */
struct vg_stage {
    struct vgpu *g;
    const char *folder;
    uint64_t seed;
    void (*watch)(void *arg, const struct vg_access *a); /* of vgpu_launch; NULL: nobody */
    void *watch_arg;
    struct vg_stage_file *files; /* owned, each once loaded */
};

int vg_stage_open(struct vg_stage *s, const struct vgpu_config *config, const char *folder,
                  struct lab_err *err);
void vg_stage_close(struct vg_stage *s);

/* What a launch gave. */
struct vg_outcome {
    enum vgpu_status status;
    struct vgpu_fault fault;
    struct vgpu_kernel *kernel; /* until the stage is closed */
    struct vg_counts sum;
    uint64_t hash;            /* of the buffers' bytes and of every instruction's counters */
    uint64_t compared, wrong; /* elements; wrong: not within 1e-3 of the reference, or NaN */
    char first[160];          /* the first wrong one, in words */
};

/* Load, launch, fetch, compare with c->want (NULL: no comparison). A kernel that stops is no error
 * here: look at status; its results are not compared. `counters` may be NULL; else the launch's are
 * added to it. */
int vg_case_run(struct vg_stage *s, const struct vg_case *c, struct vgpu_counters *counters,
                struct vg_outcome *out, struct lab_err *err);

/* --- tables and pictures of the demonstration --- */
void vg_demo_published(struct lab_run *run, const struct vg_outcome *outcomes);
int vg_demo_bugs(struct lab_run *run, struct lab_err *err);
int vg_demo_svg(const struct lab_run *run, struct lab_err *err);

#endif
