/* Problem: every program of the labs must behave the same: where output goes, what the exit code
 * means, how --help looks, what happens on a full disk. Model: read the command line, run one verb,
 * which fills tables and records checks, and only then print, compare and turn all of it into one
 * exit code. Invariants: stdout stays empty unless the verb succeeded; an exit code of 0 means that
 * the output arrived, every check held and the expected file matched. Simplified: tables are held
 * in memory until the end.
 */
#include "lab/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli_impl.h"
#include "lab/expect.h"
#include "lab/file.h"

enum { HELP_COLUMN = 26, GOLDEN_MAX = 64 << 20 };

struct lab_table *lab_run_table(struct lab_run *run, const struct lab_table_def *def)
{
    struct lab_table *t = lab_table_new(def);
    run->tables = lab_resize(run->tables, run->ntables + 1, sizeof(struct lab_table *));
    run->tables[run->ntables++] = t;
    return t;
}

bool lab_run_check(struct lab_run *run, bool holds, const char *fmt, ...)
{
    run->checks_held += holds;
    run->checks_failed += !holds;
    if (holds && !run->verbose) {
        return true;
    }
    struct lab_buf text;
    lab_buf_init(&text);
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: %s: %s\n", run->prog->name, holds ? "holds" : "FAILED",
            lab_buf_str(&text));
    lab_buf_fini(&text);
    return holds;
}

void lab_run_note(const struct lab_run *run, const char *fmt, ...)
{
    if (run->quiet) {
        return;
    }
    struct lab_buf text;
    lab_buf_init(&text);
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: %s\n", run->prog->name, lab_buf_str(&text));
    lab_buf_fini(&text);
}

static int explain(struct lab_run *run, struct lab_err *err)
{
    (void)err;
    struct lab_buf text;
    lab_buf_init(&text);
    for (size_t i = 0; run->prog->tables[i] != NULL; i++) {
        lab_buf_puts(&text, i == 0 ? "" : "\n");
        lab_table_explain(run->prog->tables[i], &text);
    }
    (void)fputs(lab_buf_str(&text), run->out);
    lab_buf_fini(&text);
    return 0;
}

const struct lab_verb lab_cli_explain = {
    .name = "explain",
    .help = "Say what each column of the tables means.",
    .run = explain,
};

static void put_default(const struct lab_program *prog, const struct lab_opt *o,
                        struct lab_buf *out)
{
    const char *field = (const char *)prog->opts_default + o->offset;
    int64_t i = 0;
    double d = 0;
    int word = 0;
    const char *s = NULL;
    switch (o->kind) {
    case LAB_OPT_FLAG: return;
    case LAB_OPT_INT:
    case LAB_OPT_SIZE:
        memcpy(&i, field, sizeof(i));
        for (int unit = 0; o->kind == LAB_OPT_SIZE && i != 0 && i % 1024 == 0 && unit < 3; unit++) {
            i /= 1024;
            word = unit + 1;
        }
        lab_buf_printf(out, " (default %" PRId64 "%.1s)", i, &"\0KMG"[word]);
        return;
    case LAB_OPT_REAL:
        memcpy(&d, field, sizeof(d));
        lab_buf_printf(out, " (default %g)", d);
        return;
    case LAB_OPT_STR:
        memcpy(&s, field, sizeof(s));
        if (s != NULL) {
            lab_buf_printf(out, " (default %s)", s);
        }
        return;
    case LAB_OPT_CHOICE:
        memcpy(&word, field, sizeof(word));
        for (s = o->arg; word > 0; word--) {
            s += strcspn(s, "|") + 1;
        }
        lab_buf_printf(out, " (default %.*s)", (int)strcspn(s, "|"), s);
    }
}

/* "  left     text", the text in its column, on the next line when `left` reaches into it. */
static void put_entry(struct lab_buf *out, const char *left, const char *text)
{
    size_t n = strlen(left) + 2;
    lab_buf_printf(out, "  %s", left);
    if (n + 2 > HELP_COLUMN) {
        lab_buf_putc(out, '\n');
        n = 0;
    }
    lab_buf_fill(out, ' ', HELP_COLUMN - n);
    lab_buf_wrap(out, text, HELP_COLUMN, HELP_COLUMN);
}

static void put_option(const struct lab_program *prog, const struct lab_opt *o, char letter,
                       struct lab_buf *out)
{
    struct lab_buf left;
    struct lab_buf text;
    lab_buf_init(&left);
    lab_buf_init(&text);
    if (letter != 0) {
        lab_buf_printf(&left, "-%c, ", letter);
    }
    lab_buf_printf(&left, "--%s%s%s", o->name, o->arg == NULL ? "" : " ",
                   o->arg == NULL ? "" : o->arg);
    lab_buf_puts(&text, o->help == NULL ? "" : o->help);
    if (prog != NULL) {
        put_default(prog, o, &text);
    }
    put_entry(out, lab_buf_str(&left), lab_buf_str(&text));
    lab_buf_fini(&left);
    lab_buf_fini(&text);
}

static void put_options(const struct lab_program *prog, const struct lab_verb *verb,
                        struct lab_buf *out)
{
    bool several = verb == &prog->demo && lab_cli_verb(prog, 0) != NULL;
    lab_buf_puts(out, several ? "\noptions without a verb:\n" : "\noptions:\n");
    for (const struct lab_opt *o = verb->opts; o != NULL && o->name != NULL; o++) {
        put_option(prog, o, 0, out);
    }
    char letter = 0;
    for (size_t i = 0; lab_cli_common(verb, i, &letter) != NULL; i++) {
        put_option(NULL, lab_cli_common(verb, i, &letter), letter, out);
    }
}

static void put_usage(const struct lab_program *prog, const struct lab_verb *verb,
                      struct lab_buf *out)
{
    lab_buf_printf(out, "usage: %s%s%s [OPTION...]%s%s\n", prog->name,
                   verb->name == NULL ? "" : " ", verb->name == NULL ? "" : verb->name,
                   verb->operands == NULL ? "" : " ", verb->operands == NULL ? "" : verb->operands);
    if (verb == &prog->demo && lab_cli_verb(prog, 0) != NULL) {
        lab_buf_printf(out, "       %s VERB [OPTION...] [OPERAND...]\n", prog->name);
    }
}

static void put_verbs(const struct lab_program *prog, struct lab_buf *out)
{
    lab_buf_puts(out, "\nverbs:\n");
    put_entry(out, "(none)", prog->demo.help == NULL ? "the demonstration" : prog->demo.help);
    for (size_t i = 0; lab_cli_verb(prog, i) != NULL; i++) {
        const struct lab_verb *v = lab_cli_verb(prog, i);
        struct lab_buf left;
        lab_buf_init(&left);
        lab_buf_printf(&left, "%s%s%s", v->name, v->operands == NULL ? "" : " ",
                       v->operands == NULL ? "" : v->operands);
        put_entry(out, lab_buf_str(&left), v->help == NULL ? "" : v->help);
        lab_buf_fini(&left);
    }
    lab_buf_printf(out, "\n'%s VERB --help' names the options of a verb.\n", prog->name);
}

static void put_help(const struct lab_program *prog, const struct lab_verb *verb,
                     struct lab_buf *out)
{
    put_usage(prog, verb, out);
    if (verb != &prog->demo) {
        lab_buf_printf(out, "\n%s\n", verb->help == NULL ? "" : verb->help);
        put_options(prog, verb, out);
        return;
    }
    lab_buf_printf(out, "\n%s\n", prog->summary);
    if (lab_cli_verb(prog, 0) != NULL) {
        put_verbs(prog, out);
    }
    put_options(prog, verb, out);
    lab_buf_puts(out,
                 "\nexit codes:\n"
                 "  0 every check holds, 1 a check failed or the output differs, 2 wrong usage or\n"
                 "  bad input, 3 could not run, 4 an exercise not implemented, 77 skipped\n");
    if (prog->epilog != NULL) {
        lab_buf_printf(
            out, "\n%s%s", prog->epilog,
            prog->epilog[0] != '\0' && prog->epilog[strlen(prog->epilog) - 1] == '\n' ? "" : "\n");
    }
}

static void render(const struct lab_run *run, enum lab_format format, bool rules,
                   struct lab_buf *out)
{
    if (format == LAB_FORMAT_JSON) {
        lab_buf_puts(out, "{\"program\":");
        lab_buf_json(out, run->prog->name);
        if (run->verb->takes & LAB_TAKES_SEED) {
            lab_buf_printf(out, ",\"seed\":%" PRIu64, run->seed);
        }
        lab_buf_puts(out, ",\"tables\":[");
    }
    for (size_t i = 0; i < run->ntables; i++) {
        switch (format) {
        case LAB_FORMAT_TABLE:
            lab_buf_puts(out, i == 0 ? "" : "\n");
            lab_table_text(run->tables[i], out);
            break;
        case LAB_FORMAT_CSV:
            lab_buf_puts(out, i == 0 ? "" : "\n");
            lab_table_csv(run->tables[i], rules, out);
            break;
        case LAB_FORMAT_JSON:
            lab_buf_puts(out, i == 0 ? "" : ",");
            lab_table_json(run->tables[i], out);
            break;
        }
    }
    if (format == LAB_FORMAT_JSON) {
        lab_buf_puts(out, "]}\n");
    }
}

/* Write to stdout and be sure that it arrived. */
static int print(const char *text, size_t n, struct lab_err *err)
{
    errno = 0;
    if (fwrite(text, 1, n, stdout) != n || fflush(stdout) != 0 || ferror(stdout)) {
        return lab_err_system(err, "cannot write the output");
    }
    return 0;
}

/* A report's lines, each with the program's name in front, to stderr. */
static void show(const struct lab_run *run, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        fprintf(stderr, "%s:   %.*s\n", run->prog->name, (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static int read_golden(const struct lab_run *run, struct lab_buf *golden, struct lab_err *err)
{
    if (access(run->expect_path, F_OK) < 0 && errno == ENOENT) {
        return lab_err_input(err, "%s: no such file; --bless would write it", run->expect_path);
    }
    if (lab_file_read(run->expect_path, GOLDEN_MAX, golden, err) < 0) {
        return -1;
    }
    if (strlen(lab_buf_str(golden)) != golden->len) {
        return lab_err_input(err, "%s: holds a NUL byte, expected text", run->expect_path);
    }
    return 0;
}

/* Number of differences, the report appended; −1 when the golden is unusable. */
static int compare(const struct lab_run *run, const char *golden, struct lab_buf *report,
                   struct lab_err *err)
{
    bool csv = lab_expect_is_csv(run->expect_path);
    struct lab_buf got;
    lab_buf_init(&got);
    render(run, csv ? LAB_FORMAT_CSV : LAB_FORMAT_TABLE, false, &got);
    int rc = csv ? lab_expect_csv(run->expect_path, golden, lab_buf_str(&got), report, err)
                 : lab_expect_text(run->expect_path, golden, lab_buf_str(&got), report, err);
    lab_buf_fini(&got);
    return rc;
}

static int bless(const struct lab_run *run, struct lab_err *err)
{
    if (run->checks_failed > 0) {
        return lab_err_check(err, "a check failed, so %s stays as it was", run->expect_path);
    }
    struct lab_buf golden;
    struct lab_buf text;
    struct lab_err why = {0};
    lab_buf_init(&golden);
    lab_buf_init(&text);
    if (read_golden(run, &golden, &why) < 0 ||
        compare(run, lab_buf_str(&golden), &text, &why) < 0) {
        lab_run_note(run, "nothing to compare with: %s", why.msg);
    }
    show(run, lab_buf_str(&text));
    lab_buf_clear(&text);
    render(run, lab_expect_is_csv(run->expect_path) ? LAB_FORMAT_CSV : LAB_FORMAT_TABLE, true,
           &text);
    int rc = lab_file_write(run->expect_path, lab_buf_str(&text), text.len, err);
    if (rc == 0) {
        lab_run_note(run, "%s is now the expected output", run->expect_path);
    }
    lab_buf_fini(&golden);
    lab_buf_fini(&text);
    return rc;
}

/* Everything after a verb that succeeded. The comparison comes first, so that an unusable golden is
 * refused like any bad input: with nothing on stdout. */
static int deliver(const struct lab_run *run, const char *golden, struct lab_err *err)
{
    struct lab_buf text;
    struct lab_buf report;
    lab_buf_init(&text);
    lab_buf_init(&report);
    bool compares = run->expect_path != NULL && !run->bless;
    int rc = compares ? compare(run, golden, &report, err) : 0;
    if (rc < 0) {
        goto out;
    }
    if (run->ntables > 0 || (run->verb->takes & LAB_TAKES_FORMAT)) {
        render(run, run->format, false, &text);
    }
    if (print(lab_buf_str(&text), text.len, err) < 0) {
        rc = -1;
    } else if (rc > 0) {
        rc = lab_err_check(err, "output differs from %s in %d place%s", run->expect_path, rc,
                           rc == 1 ? "" : "s");
        show(run, lab_buf_str(&report));
    } else if (run->bless && run->expect_path != NULL) {
        rc = bless(run, err);
    }
out:
    lab_buf_fini(&text);
    lab_buf_fini(&report);
    return rc;
}

static int report_error(const char *name, const struct lab_err *err)
{
    if (err->kind == LAB_ERR_NONE) {
        fprintf(stderr, "%s: failed without saying why\n", name);
        return LAB_EXIT_CANNOT;
    }
    if (err->kind == LAB_ERR_SKIP) {
        fprintf(stderr, "SKIP: %s\n", err->msg);
    } else {
        fprintf(stderr, "%s: %s\n", name, err->msg);
    }
    return lab_err_exit(err);
}

/* What can be refused before the work starts. */
static int prepare(const struct lab_run *run, struct lab_buf *golden, struct lab_err *err)
{
    const char *ci = getenv("CI");
    if (run->bless && ci != NULL && ci[0] != '\0') {
        return lab_err_input(err, "--bless is refused where CI is set: a person blesses a golden");
    }
    return run->expect_path != NULL && !run->bless ? read_golden(run, golden, err) : 0;
}

static void sum_up(const struct lab_run *run)
{
    int checks = run->checks_held + run->checks_failed;
    if (run->checks_failed > 0) {
        lab_run_note(run, "%d of %d checks failed", run->checks_failed, checks);
    } else if (checks > 0) {
        lab_run_note(run, "%d check%s", checks, checks == 1 ? " holds" : "s hold");
    }
}

static int run_verb(struct lab_run *run)
{
    struct lab_err err = {0};
    struct lab_buf golden;
    lab_buf_init(&golden);
    int rc = prepare(run, &golden, &err);
    if (rc == 0) {
        rc = run->verb->run(run, &err);
        if (rc >= 0) {
            if (run->verb->takes & LAB_TAKES_SEED) { /* not sooner: bad input is one line */
                lab_run_note(run, "seed %" PRIu64, run->seed);
            }
            rc = deliver(run, lab_buf_str(&golden), &err);
        }
        sum_up(run);
    }
    lab_buf_fini(&golden);
    if (rc < 0) {
        return report_error(run->prog->name, &err);
    }
    return run->checks_failed > 0 ? LAB_EXIT_CHECK : run->exit_code;
}

static int answer(const struct lab_run *run, int ask)
{
    struct lab_err err = {0};
    struct lab_buf text;
    lab_buf_init(&text);
    if (ask == LAB_ASK_HELP) {
        put_help(run->prog, run->verb, &text);
    } else {
        lab_buf_printf(&text, "%s %s\n", run->prog->name, LAB_VERSION);
    }
    int rc = print(lab_buf_str(&text), text.len, &err);
    lab_buf_fini(&text);
    return rc < 0 ? report_error(run->prog->name, &err) : LAB_EXIT_OK;
}

int lab_main(const struct lab_program *prog, int argc, char **argv)
{
    struct lab_err err = {0};
    struct lab_run run = {.prog = prog, .out = stdout};
    void *opts = lab_alloc(1, prog->opts_size);
    if (prog->opts_size > 0) {
        memcpy(opts, prog->opts_default, prog->opts_size);
    }
    run.opts = opts;
    run.operands = lab_alloc((size_t)argc + 1, sizeof(*run.operands));
    int code = 0;
    int ask = lab_cli_parse(&run, opts, argc, argv, &err);
    if (ask < 0) {
        code = report_error(prog->name, &err);
    } else if (ask == LAB_ASK_RUN) {
        code = run_verb(&run);
    } else {
        code = answer(&run, ask);
    }
    for (size_t i = 0; i < run.ntables; i++) {
        lab_table_free(run.tables[i]);
    }
    free(run.tables);
    free(run.operands);
    free(opts);
    return code;
}
