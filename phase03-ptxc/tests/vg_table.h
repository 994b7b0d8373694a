/* The table of folded instructions, tests/data/ptxas-fold.csv. */
#ifndef VG_TABLE_H
#define VG_TABLE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
    char *at = line, *word = strsep(&at, ",");
    snprintf(r->op, sizeof(r->op), "%s", word);
    LAB_ASSERT(at != NULL);
    snprintf(r->letters, sizeof(r->letters), "%s", strsep(&at, ","));
    uint64_t *const numbers[] = {&r->result, &r->source[0], &r->source[1], &r->source[2],
                                 &r->source[3]};
    for (unsigned k = 0; k < 5; k++) {
        LAB_ASSERT(at != NULL);
        *numbers[k] = strtoull(strsep(&at, ","), NULL, 16);
    }
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
