/* The instructions that are compared with ptxas: every spelling worth trying, and random operands
 * for those it folds. Both lists are the same on every machine. */
#ifndef VG_CASES_H
#define VG_CASES_H

#include "vg_ptxas.h"

struct vg_cases {
    char **statements; /* "add.sat.s32 %r0, %r1, %r2;" */
    unsigned n;
};

/* Some ten thousand spellings, most of them no instruction. Free with vg_cases_free. */
void vg_cases_spellings(struct vg_cases *c);
void vg_cases_free(struct vg_cases *c);

/* Instructions with constant operands, those of one arch together; *n of them, free() the array. */
struct vg_fold *vg_cases_folds(unsigned *n);

#endif
