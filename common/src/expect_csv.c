/* Problem: a golden must pin what is deterministic to the digit and still accept another machine's
 * timings, and say in one place which is which.
 * Model: both texts are parsed into tables of cells, and each cell is compared by its column's
 * rule. Invariants: NaN never passes a numeric rule; a golden with a mistake is refused, never half
 * used. Simplified: tables and rows are matched by position, not by key.
 *
 * The parsed form points into a private copy of the text, whose cells are unquoted in place.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expect_impl.h"
#include "lab/expect.h"

struct cell {
    const char *s;
    int line;
};

struct row {
    size_t first, n; /* its cells in doc.cells */
    int line;
};

struct table {
    const char *id;
    int line;
    bool has_rules;
    struct row rules;
    size_t first, n; /* its rows in doc.rows, the header first */
};

struct doc {
    char *text;
    struct cell *cells;
    struct row *rows;
    struct table *tables;
    size_t ncells, nrows, ntables;
};

/* Grows an array of n elements by one, at powers of two. */
static void *grow(void *p, size_t n, size_t size)
{
    return (n & (n - 1)) == 0 ? lab_resize(p, n == 0 ? 1 : n * 2, size) : p;
}

static void free_doc(struct doc *d)
{
    free(d->text);
    free(d->cells);
    free(d->rows);
    free(d->tables);
}

/* One cell from *at, which moves behind the cell's text; counts the line breaks inside quotes. */
static int parse_cell(struct doc *d, char **at, int *line, struct lab_err *err)
{
    char *in = *at;
    char *out = in;
    d->cells = grow(d->cells, d->ncells, sizeof(*d->cells));
    d->cells[d->ncells++] = (struct cell){in, *line};
    if (*in != '"') {
        *at = in + strcspn(in, ",\r\n");
        return 0;
    }
    for (in++; *in != '\0' && (in[0] != '"' || in[1] == '"'); in++) {
        in += *in == '"';
        *line += *in == '\n';
        *out++ = *in;
    }
    if (*in == '\0') {
        return lab_err_input(err, "%d: a quote without its end", d->cells[d->ncells - 1].line);
    }
    *out = '\0';
    *at = in + 1;
    return 0;
}

/* Past the end of a row, "\n" or "\r\n" or the end of the text. False when something else stands
 * there. */
static bool end_of_row(char **at)
{
    char *s = *at;
    if (s[0] == '\r' && (s[1] == '\n' || s[1] == '\0')) {
        *s++ = '\0';
    }
    if (*s == '\n') {
        *s++ = '\0';
    } else if (*s != '\0') {
        return false;
    }
    *at = s;
    return true;
}

/* The cells of one row. Each is ended by a NUL over the comma behind it. */
static int parse_row(struct doc *d, char **at, int *line, struct row *row, struct lab_err *err)
{
    *row = (struct row){d->ncells, 0, *line};
    for (;;) {
        if (parse_cell(d, at, line, err) < 0) {
            return -1;
        }
        row->n++;
        if (**at == ',') {
            *(*at)++ = '\0';
            continue;
        }
        if (end_of_row(at)) {
            *line += 1;
            return 0;
        }
        return lab_err_input(err, "%d: expected a comma or the line's end after cell %zu", *line,
                             row->n);
    }
}

/* A line that starts with '#': a table's name, its rules, or a comment. */
static int parse_directive(struct doc *d, char **at, int *line, struct lab_err *err)
{
    static const char table[] = "# table: ";
    static const char rules[] = "# rules: ";
    if (strncmp(*at, rules, sizeof(rules) - 1) == 0) {
        struct table *t = d->ntables == 0 ? NULL : &d->tables[d->ntables - 1];
        if (t == NULL || t->n != 1 || t->has_rules) {
            return lab_err_input(err, "%d: expected '# rules:' once, right after a header", *line);
        }
        t->has_rules = true;
        *at += sizeof(rules) - 1;
        return parse_row(d, at, line, &t->rules, err);
    }
    bool names = strncmp(*at, table, sizeof(table) - 1) == 0;
    char *id = *at + sizeof(table) - 1;
    *at += strcspn(*at, "\r\n");
    if (!end_of_row(at)) {
        return lab_err_input(err, "%d: a carriage return inside the line", *line);
    }
    if (names) {
        d->tables = grow(d->tables, d->ntables, sizeof(*d->tables));
        d->tables[d->ntables++] = (struct table){.id = id, .line = *line, .first = d->nrows};
    }
    *line += 1;
    return 0;
}

static int parse_line(struct doc *d, char **at, int *line, struct lab_err *err)
{
    if (**at == '#') {
        return parse_directive(d, at, line, err);
    }
    if (**at == '\n' || (**at == '\r' && (*at)[1] == '\n')) {
        (void)end_of_row(at);
        *line += 1;
        return 0;
    }
    if (d->ntables == 0) {
        return lab_err_input(err, "%d: expected '# table: NAME' first", *line);
    }
    struct table *t = &d->tables[d->ntables - 1];
    struct row row;
    if (parse_row(d, at, line, &row, err) < 0) {
        return -1;
    }
    d->rows = grow(d->rows, d->nrows, sizeof(*d->rows));
    d->rows[d->nrows++] = row;
    t->n++;
    return 0;
}

static int parse(struct doc *d, const char *text, struct lab_err *err)
{
    *d = (struct doc){.text = lab_strdup(text)};
    char *at = d->text;
    int line = 1;
    while (*at != '\0') {
        if (parse_line(d, &at, &line, err) < 0) {
            return -1;
        }
    }
    return 0;
}

static const struct row *row_of(const struct doc *d, const struct table *t, size_t i)
{
    return &d->rows[t->first + i];
}

static const char *cell_of(const struct doc *d, const struct row *row, size_t i)
{
    return d->cells[row->first + i].s;
}

/* The whole text is one number; NaN and infinities count as numbers here. */
static bool number(const char *s, double *v)
{
    char *end = NULL;
    if (*s == '\0' || strchr(" \t\n\v\f\r", *s) != NULL) {
        return false;
    }
    *v = strtod(s, &end);
    return *end == '\0';
}

enum how { EXACT, ABS, REL, MACHINE };

struct rule {
    enum how how;
    double bound;
};

static int parse_rule(const char *s, struct rule *rule)
{
    *rule = (struct rule){EXACT, 0};
    if (strcmp(s, "exact") == 0) {
        return 0;
    }
    if (strcmp(s, "machine") == 0) {
        rule->how = MACHINE;
        return 0;
    }
    rule->how = strncmp(s, "abs:", 4) == 0 ? ABS : REL;
    if (rule->how == REL && strncmp(s, "rel:", 4) != 0) {
        return -1;
    }
    return number(s + 4, &rule->bound) && isfinite(rule->bound) && rule->bound >= 0 ? 0 : -1;
}

/* Can this golden cell be compared by this rule at all? */
static bool fits(const struct rule *rule, const char *want)
{
    double v = 0;
    switch (rule->how) {
    case EXACT: return true;
    case MACHINE: return want[0] == '\0' || strcmp(want, "~") == 0;
    case ABS:
    case REL: return want[0] == '\0' || number(want, &v);
    }
    return false;
}

static bool passes(const struct rule *rule, const char *want, const char *got)
{
    double w = 0;
    double g = 0;
    if (rule->how == EXACT || want[0] == '\0') {
        return strcmp(want, got) == 0;
    }
    if (rule->how == MACHINE) {
        return got[0] != '\0' && (!number(got, &g) || isfinite(g));
    }
    if (!number(want, &w) || !number(got, &g) || !isfinite(w) || !isfinite(g)) {
        return false;
    }
    double bound = rule->how == ABS ? rule->bound : rule->bound * fabs(w);
    return fabs(g - w) <= bound;
}

/* A golden's mistakes, before anything is compared. */
static int check_table(const struct doc *d, const struct table *t, struct lab_err *err)
{
    if (t->n == 0 || !t->has_rules) {
        return lab_err_input(err, "%d: table '%s' has no %s", t->line, t->id,
                             t->n == 0 ? "header" : "'# rules:' line after its header");
    }
    size_t ncols = row_of(d, t, 0)->n;
    if (t->rules.n != ncols) {
        return lab_err_input(err, "%d: %zu rules for %zu columns", t->rules.line, t->rules.n,
                             ncols);
    }
    for (size_t i = 1; i < t->n; i++) {
        const struct row *row = row_of(d, t, i);
        if (row->n != ncols) {
            return lab_err_input(err, "%d: %zu cells, expected %zu", row->line, row->n, ncols);
        }
    }
    for (size_t c = 0; c < ncols; c++) {
        struct rule rule;
        const char *text = cell_of(d, &t->rules, c);
        if (parse_rule(text, &rule) < 0) {
            return lab_err_input(err, "%d: rule '%s', expected exact, abs:X, rel:X or machine",
                                 t->rules.line, text);
        }
        for (size_t i = 1; i < t->n; i++) {
            const struct row *row = row_of(d, t, i);
            if (!fits(&rule, cell_of(d, row, c))) {
                return lab_err_input(err, "%d: '%s' in column '%s', expected %s for rule '%s'",
                                     row->line, cell_of(d, row, c), cell_of(d, row_of(d, t, 0), c),
                                     rule.how == MACHINE ? "'~'" : "a number", text);
            }
        }
    }
    return 0;
}

struct pair {
    const struct doc *want, *got;
    const struct table *w, *g;
    struct lab_diffs *diffs;
};

static void report_cell(const struct pair *p, size_t r, size_t c)
{
    const struct row *want = row_of(p->want, p->w, r);
    const char *a = cell_of(p->want, want, c);
    const char *b = cell_of(p->got, row_of(p->got, p->g, r), c);
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_puts(&text, "expected ");
    lab_diffs_quote(&text, a, strlen(a));
    lab_buf_puts(&text, ", got ");
    lab_diffs_quote(&text, b, strlen(b));
    if (r == 0) {
        lab_diffs_add(p->diffs, "line %d: table '%s' column %zu: name: %s", want->line, p->w->id,
                      c + 1, lab_buf_str(&text));
    } else {
        lab_diffs_add(p->diffs, "line %d: table '%s' row %zu column '%s': %s (rule %s)", want->line,
                      p->w->id, r, cell_of(p->want, row_of(p->want, p->w, 0), c),
                      lab_buf_str(&text), cell_of(p->want, &p->w->rules, c));
    }
    lab_buf_fini(&text);
}

static void compare_row(const struct pair *p, size_t r)
{
    const struct row *want = row_of(p->want, p->w, r);
    const struct row *got = row_of(p->got, p->g, r);
    if (want->n != got->n) {
        lab_diffs_add(p->diffs, "line %d: table '%s' row %zu: expected %zu cells, got %zu",
                      want->line, p->w->id, r, want->n, got->n);
        return;
    }
    for (size_t c = 0; c < want->n; c++) {
        struct rule rule = {EXACT, 0};
        if (r > 0) {
            (void)parse_rule(cell_of(p->want, &p->w->rules, c), &rule);
        }
        if (!passes(&rule, cell_of(p->want, want, c), cell_of(p->got, got, c))) {
            report_cell(p, r, c);
        }
    }
}

static void compare_table(const struct pair *p)
{
    if (strcmp(p->w->id, p->g->id) != 0) {
        lab_diffs_add(p->diffs, "line %d: expected table '%s', got '%s'", p->w->line, p->w->id,
                      p->g->id);
        return;
    }
    if (p->w->n != p->g->n) {
        lab_diffs_add(p->diffs, "line %d: table '%s': expected %zu rows, got %zu", p->w->line,
                      p->w->id, p->w->n - 1, p->g->n == 0 ? 0 : p->g->n - 1);
    }
    for (size_t r = 0; r < p->w->n && r < p->g->n; r++) {
        compare_row(p, r);
    }
}

static void compare(const struct doc *want, const struct doc *got, struct lab_diffs *diffs)
{
    if (want->ntables != got->ntables) {
        lab_diffs_add(diffs, "line 1: expected %zu tables, got %zu", want->ntables, got->ntables);
    }
    for (size_t i = 0; i < want->ntables && i < got->ntables; i++) {
        struct pair p = {want, got, &want->tables[i], &got->tables[i], diffs};
        compare_table(&p);
    }
}

int lab_expect_csv(const char *name, const char *want, const char *got, struct lab_buf *report,
                   struct lab_err *err)
{
    struct doc w;
    struct doc g = {0};
    struct lab_diffs diffs = {report, 0};
    struct lab_err bad = {0};
    int rc = parse(&w, want, &bad);
    if (rc == 0 && w.ntables == 0) {
        rc = lab_err_input(&bad, "1: expected '# table: NAME', the golden has no table");
    }
    for (size_t i = 0; rc == 0 && i < w.ntables; i++) {
        rc = check_table(&w, &w.tables[i], &bad);
    }
    if (rc < 0) {
        (void)lab_err_input(err, "%s:%s", name, bad.msg);
    } else {
        if (parse(&g, got, &bad) < 0) {
            lab_diffs_add(&diffs, "the output is no table: line %s", bad.msg);
        } else {
            compare(&w, &g, &diffs);
        }
        rc = lab_diffs_end(&diffs);
    }
    free_doc(&w);
    free_doc(&g);
    return rc;
}
