/* Problem: one set of numbers must be readable by a person, by a spreadsheet and by a program, and
 * be checked against a golden, without four descriptions of it. Model: a declaration of columns,
 * and a flat array of cells, row after row. Text output takes two passes: the first finds the
 * widths. Invariants: a cell has its column's kind; output only ever shows whole rows. Simplified:
 * width is counted in code points, so East Asian wide characters would not line up.
 */
#include "lab/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/err.h"

struct cell {
    bool none;
    union {
        char *str;
        int64_t num;
        double real;
    } v;
};

struct lab_table {
    const struct lab_table_def *def;
    struct cell *cells;
    size_t ncells, cap;
};

struct lab_table *lab_table_new(const struct lab_table_def *def)
{
    struct lab_table *t = lab_alloc(1, sizeof(*t));
    t->def = def;
    return t;
}

void lab_table_free(struct lab_table *t)
{
    if (t == NULL) {
        return;
    }
    for (size_t i = 0; i < t->ncells; i++) {
        if (!t->cells[i].none && t->def->cols[i % t->def->ncols].kind == LAB_STR) {
            free(t->cells[i].v.str);
        }
    }
    free(t->cells);
    free(t);
}

static const struct lab_col *column(const struct lab_table *t, size_t cell)
{
    return &t->def->cols[cell % t->def->ncols];
}

static void push(struct lab_table *t, struct cell c)
{
    if (t->ncells == t->cap) {
        t->cap = t->cap == 0 ? 64 : t->cap * 2;
        t->cells = lab_resize(t->cells, t->cap, sizeof(*t->cells));
    }
    t->cells[t->ncells++] = c;
}

void lab_table_str(struct lab_table *t, const char *s)
{
    LAB_ASSERT(column(t, t->ncells)->kind == LAB_STR);
    push(t, (struct cell){.v.str = lab_strdup(s)});
}

void lab_table_int(struct lab_table *t, int64_t v)
{
    LAB_ASSERT(column(t, t->ncells)->kind == LAB_INT);
    push(t, (struct cell){.v.num = v});
}

void lab_table_real(struct lab_table *t, double v)
{
    LAB_ASSERT(column(t, t->ncells)->kind == LAB_REAL);
    push(t, (struct cell){.v.real = v});
}

void lab_table_none(struct lab_table *t)
{
    push(t, (struct cell){.none = true});
}

size_t lab_table_rows(const struct lab_table *t)
{
    size_t ncols = t->def->ncols;
    LAB_ASSERT(ncols > 0);
    return t->ncells / ncols;
}

const struct lab_table_def *lab_table_def_of(const struct lab_table *t)
{
    return t->def;
}

/* One spelling of NaN, and no minus before a zero: a golden must not depend on either sign. */
static void put_real(struct lab_buf *out, double v, int prec)
{
    if (isnan(v)) {
        lab_buf_puts(out, "nan");
        return;
    }
    size_t at = out->len;
    lab_buf_printf(out, "%.*f", prec, v);
    if (out->data[at] == '-' && strspn(out->data + at, "-0.") == out->len - at) {
        memmove(out->data + at, out->data + at + 1, out->len - at);
        out->len--;
    }
}

/* The cell's value as text and CSV both print it; a cell without a value is `none`. */
static void put_value(const struct lab_table *t, size_t i, const char *none, struct lab_buf *out)
{
    const struct lab_col *col = column(t, i);
    const struct cell *c = &t->cells[i];
    if (c->none) {
        lab_buf_puts(out, none);
        return;
    }
    switch (col->kind) {
    case LAB_STR: lab_buf_puts(out, c->v.str); break;
    case LAB_INT: lab_buf_printf(out, "%" PRId64, c->v.num); break;
    case LAB_REAL: put_real(out, c->v.real, col->prec); break;
    }
}

static void put_text(const struct lab_table *t, size_t i, struct lab_buf *out)
{
    size_t at = out->len;
    put_value(t, i, "-", out);
    if (!t->cells[i].none && column(t, i)->suffix != NULL) {
        lab_buf_puts(out, column(t, i)->suffix);
    }
    /* A line break inside a cell would tear the row apart. */
    for (; at < out->len; at++) {
        if ((unsigned char)out->data[at] < 0x20) {
            out->data[at] = '?';
        }
    }
}

/* One cell, padded; blanks after the last column's text are left out. */
static void put_padded(const struct lab_table *t, size_t col, size_t width, const char *s,
                       struct lab_buf *out)
{
    size_t pad = width - lab_utf8_width(s);
    bool left = t->def->cols[col].kind == LAB_STR;
    if (col > 0) {
        lab_buf_puts(out, "  ");
    }
    if (!left) {
        lab_buf_fill(out, ' ', pad);
    }
    lab_buf_puts(out, s);
    if (left) {
        lab_buf_fill(out, ' ', pad);
    }
    if (col + 1 == t->def->ncols) {
        while (out->len > 0 && out->data[out->len - 1] == ' ') {
            out->data[--out->len] = '\0';
        }
        lab_buf_putc(out, '\n');
    }
}

void lab_table_text(const struct lab_table *t, struct lab_buf *out)
{
    size_t ncols = t->def->ncols;
    size_t whole = lab_table_rows(t) * ncols;
    size_t *width = lab_alloc(ncols, sizeof(*width));
    struct lab_buf cell;
    lab_buf_init(&cell);
    for (size_t i = 0; i < ncols; i++) {
        width[i] = lab_utf8_width(t->def->cols[i].name);
    }
    for (size_t i = 0; i < whole; i++) {
        lab_buf_clear(&cell);
        put_text(t, i, &cell);
        size_t w = lab_utf8_width(lab_buf_str(&cell));
        width[i % ncols] = w > width[i % ncols] ? w : width[i % ncols];
    }
    if (t->def->title != NULL) {
        lab_buf_printf(out, "== %s ==\n", t->def->title);
    }
    for (size_t i = 0; i < ncols; i++) {
        put_padded(t, i, width[i], t->def->cols[i].name, out);
    }
    for (size_t i = 0; i < whole; i++) {
        lab_buf_clear(&cell);
        put_text(t, i, &cell);
        put_padded(t, i % ncols, width[i % ncols], lab_buf_str(&cell), out);
    }
    lab_buf_fini(&cell);
    free(width);
}

/* RFC 4180, and quotes also where a reader of the line could take the cell for something else: a
 * comment, or (in a table of one column) a blank line. */
static void put_csv(const struct lab_table *t, size_t col, const char *s, struct lab_buf *out)
{
    bool quote = strpbrk(s, ",\"\r\n") != NULL || s[0] == '#' || s[0] == ' ' ||
                 (s[0] == '\0' && t->def->ncols == 1);
    if (col > 0) {
        lab_buf_putc(out, ',');
    }
    if (!quote) {
        lab_buf_puts(out, s);
    } else {
        lab_buf_putc(out, '"');
        for (; *s != '\0'; s++) {
            if (*s == '"') {
                lab_buf_putc(out, '"');
            }
            lab_buf_putc(out, *s);
        }
        lab_buf_putc(out, '"');
    }
    if (col + 1 == t->def->ncols) {
        lab_buf_putc(out, '\n');
    }
}

static void put_rules(const struct lab_table_def *def, struct lab_buf *out)
{
    lab_buf_puts(out, "# rules: ");
    for (size_t i = 0; i < def->ncols; i++) {
        const char *rule = def->cols[i].rule;
        lab_buf_printf(out, "%s%s", i == 0 ? "" : ",", rule == NULL ? "exact" : rule);
    }
    lab_buf_putc(out, '\n');
}

void lab_table_csv(const struct lab_table *t, bool rules, struct lab_buf *out)
{
    size_t ncols = t->def->ncols;
    struct lab_buf cell;
    lab_buf_init(&cell);
    lab_buf_printf(out, "# table: %s\n", t->def->id);
    for (size_t i = 0; i < ncols; i++) {
        put_csv(t, i, t->def->cols[i].name, out);
    }
    if (rules) {
        put_rules(t->def, out);
    }
    for (size_t i = 0; i < lab_table_rows(t) * ncols; i++) {
        const char *rule = column(t, i)->rule;
        bool machine = rule != NULL && strcmp(rule, "machine") == 0;
        lab_buf_clear(&cell);
        if (rules && machine && !t->cells[i].none) {
            lab_buf_putc(&cell, '~');
        } else {
            put_value(t, i, "", &cell);
        }
        put_csv(t, i % ncols, lab_buf_str(&cell), out);
    }
    lab_buf_fini(&cell);
}

static void put_json(const struct lab_table *t, size_t i, struct lab_buf *out)
{
    const struct lab_col *col = column(t, i);
    const struct cell *c = &t->cells[i];
    if (c->none || (col->kind == LAB_REAL && !isfinite(c->v.real))) {
        lab_buf_puts(out, "null");
    } else if (col->kind == LAB_STR) {
        lab_buf_json(out, c->v.str);
    } else if (col->kind == LAB_INT) {
        lab_buf_printf(out, "%" PRId64, c->v.num);
    } else {
        put_real(out, c->v.real, col->prec);
    }
}

void lab_table_json(const struct lab_table *t, struct lab_buf *out)
{
    size_t ncols = t->def->ncols;
    lab_buf_puts(out, "{\"id\":");
    lab_buf_json(out, t->def->id);
    lab_buf_puts(out, ",\"columns\":[");
    for (size_t i = 0; i < ncols; i++) {
        lab_buf_puts(out, i == 0 ? "" : ",");
        lab_buf_json(out, t->def->cols[i].name);
    }
    lab_buf_puts(out, "],\"rows\":[");
    for (size_t i = 0; i < lab_table_rows(t) * ncols; i++) {
        lab_buf_puts(out, i == 0 ? "[" : i % ncols == 0 ? "],[" : ",");
        put_json(t, i, out);
    }
    lab_buf_puts(out, lab_table_rows(t) > 0 ? "]]}" : "]}");
}

/* The note's own line breaks stay; longer lines are wrapped. */
static void put_note(const char *note, struct lab_buf *out)
{
    char *copy = lab_strdup(note);
    char *rest = copy;
    lab_buf_putc(out, '\n');
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        lab_buf_wrap(out, line, 0, 0);
    }
    free(copy);
}

void lab_table_explain(const struct lab_table_def *def, struct lab_buf *out)
{
    size_t width = 0;
    for (size_t i = 0; i < def->ncols; i++) {
        size_t w = lab_utf8_width(def->cols[i].name);
        width = w > width ? w : width;
    }
    lab_buf_printf(out, "== %s ==\n", def->title != NULL ? def->title : def->id);
    for (size_t i = 0; i < def->ncols; i++) {
        const struct lab_col *col = &def->cols[i];
        lab_buf_printf(out, "  %s", col->name);
        lab_buf_fill(out, ' ', width - lab_utf8_width(col->name) + 2);
        lab_buf_wrap(out, col->meaning == NULL ? "" : col->meaning, width + 4, width + 4);
    }
    if (def->note != NULL) {
        put_note(def->note, out);
    }
}
