/* What the two kinds of comparison share: a report that stays short. */
#ifndef LAB_EXPECT_IMPL_H
#define LAB_EXPECT_IMPL_H

#include <stddef.h>

#include "lab/buf.h"

struct lab_diffs {
    struct lab_buf *report;
    int count;
};

/* Count one difference; the first 20 also get their line in the report. */
void lab_diffs_add(struct lab_diffs *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Say how many were left out, and return the count. */
int lab_diffs_end(struct lab_diffs *d);

/* Append n bytes in quotes, cut when long, with control bytes as \xNN. */
void lab_diffs_quote(struct lab_buf *out, const char *s, size_t n);

#endif
