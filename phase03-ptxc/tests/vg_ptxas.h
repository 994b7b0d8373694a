/* ptxas as an oracle that needs no GPU: which instructions it takes, and what it folds instructions
 * with constant operands to. For the generators and the test that runs them again. */
#ifndef VG_PTXAS_H
#define VG_PTXAS_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/err.h"

/* The program: $PTXAS, or one on the path, or /usr/local/cuda/bin/ptxas. NULL: there is none.
 * Borrowed. */
const char *vg_ptxas_path(void);

/* For each of n statements over the registers of vg_one.h, whether `ptxas -arch=compute_100` takes
 * it. */
int vg_ptxas_accepts(const char *const *statements, unsigned n, bool *accepted,
                     struct lab_err *err);

/* One instruction with constant sources. `letters` are the registers' classes, destination first.
 */
struct vg_fold {
    const char *op, *letters, *arch;
    uint64_t source[4];
    uint64_t result;
    bool folded; /* ptxas left one constant to store */
};

/* "add.s32 %r0, %r1, %r2;" */
void vg_fold_statement(const struct vg_fold *f, char *text, unsigned size);
/* Fill in result and folded of n instructions, which all have the same arch. */
int vg_ptxas_fold(struct vg_fold *folds, unsigned n, struct lab_err *err);

#endif
