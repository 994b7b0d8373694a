/* Tables: columns declared once, rows added cell by cell, printed as text, CSV or JSON.
 *
 * The declaration is static data; it also feeds `explain` and the rules of a CSV golden, so a
 * column is described in exactly one place. Text output pads to the widest cell (numbers right,
 * strings left, two blanks between columns) and never ends a line with blanks. Thread-safety: one
 * thread at a time per table.
 */
#ifndef LAB_TABLE_H
#define LAB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/buf.h"

enum lab_kind { LAB_STR, LAB_INT, LAB_REAL };

struct lab_col {
    const char *name; /* header, with the unit: "util%", "wait_us" */
    enum lab_kind kind;
    int prec;            /* LAB_REAL: digits after the point, in every format */
    const char *suffix;  /* text only, printed right after the value ("x"); NULL for none */
    const char *rule;    /* how a CSV golden compares it: NULL means "exact"; see lab/expect.h */
    const char *meaning; /* one sentence for `explain` */
};

struct lab_table_def {
    const char *id;    /* short name, unique in the program: "divergence" */
    const char *title; /* printed as "== title ==" above the text table; NULL for none */
    const struct lab_col *cols;
    size_t ncols;
    const char *note; /* for `explain`: the model, the formulas, where figures come from */
};

#define LAB_NCOLS(cols) (sizeof(cols) / sizeof((cols)[0]))

struct lab_table;

/* `def` is borrowed and must outlive the table. */
struct lab_table *lab_table_new(const struct lab_table_def *def);
void lab_table_free(struct lab_table *t);

/* Add the next cell of the row; the kind must be the column's (LAB_ASSERT). A row ends by itself
 * when its last cell is added. `s` is copied. A cell that has no value is lab_table_none ("-" in
 * text, empty in CSV, null in JSON). */
void lab_table_str(struct lab_table *t, const char *s);
void lab_table_int(struct lab_table *t, int64_t v);
void lab_table_real(struct lab_table *t, double v);
void lab_table_none(struct lab_table *t);

size_t lab_table_rows(const struct lab_table *t);
const struct lab_table_def *lab_table_def_of(const struct lab_table *t);

enum lab_format { LAB_FORMAT_TABLE, LAB_FORMAT_CSV, LAB_FORMAT_JSON };

/* Append the table. CSV: "# table: ID", the header, the rows (RFC 4180 quoting). With `rules`, as a
 * golden is written: a "# rules: …" line after the header and "~" in place of machine cells.
 * JSON: one object {"id":…,"columns":[…],"rows":[[…]]}; NaN and infinities become null. */
void lab_table_text(const struct lab_table *t, struct lab_buf *out);
void lab_table_csv(const struct lab_table *t, bool rules, struct lab_buf *out);
void lab_table_json(const struct lab_table *t, struct lab_buf *out);

/* What `explain` prints for a table: title or id, each column with its meaning, the note. */
void lab_table_explain(const struct lab_table_def *def, struct lab_buf *out);

#endif
