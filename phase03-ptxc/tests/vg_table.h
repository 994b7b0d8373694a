/* The table of folded instructions, tests/data/ptxas-fold.csv. */
#ifndef VG_TABLE_H
#define VG_TABLE_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "vg_ptxas.h"

#define VG_FOLD_TABLE  LAB_PHASE_DIR "/tests/data/ptxas-fold.csv"
#define VG_SPELL_TABLE LAB_PHASE_DIR "/tests/data/ptxas-spellings.txt"

struct vg_table_row {
    char op[40], letters[8];
    uint64_t result, source[4];
};

/* The next row: true, or false at the end. A line that is no row ends the test program. */
static inline bool vg_table_next(FILE *f, struct vg_table_row *r)
{
    char line[256];
    if (fgets(line, sizeof(line), f) == NULL) {
        return false;
    }
    int n = sscanf(line, "%39[^,],%7[^,],%" SCNx64 ",%" SCNx64 ",%" SCNx64 ",%" SCNx64 ",%" SCNx64,
                   r->op, r->letters, &r->result, &r->source[0], &r->source[1], &r->source[2],
                   &r->source[3]);
    LAB_ASSERT(n == 7);
    return true;
}

static inline FILE *vg_table_open(const char *path)
{
    FILE *f = fopen(path, "r");
    char header[256];
    LAB_ASSERT(f != NULL && fgets(header, sizeof(header), f) != NULL);
    return f;
}

#endif
