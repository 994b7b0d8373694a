/* A lab program: one static table of verbs and options that drives dispatch, checking and --help.
 *
 *   static const struct lab_program prog = { .name = "simt", ..., .verbs = verbs, ... };
 *   int main(int argc, char **argv) { return lab_main(&prog, argc, argv); }
 *
 * No arguments (or only options) runs the demonstration, `prog.demo`. `PROG explain` is built in
 * and prints what the columns of prog.tables mean; so are --help (of the program and of each verb)
 * and --version. Only long options, plus -h -q -v; "--name=value" and "--name value" both work,
 * and options may stand before or after the verb's operands; "--" ends them.
 *
 * stdout holds the tables (or what a verb writes to run->out); progress, machine context, checks
 * and errors go to stderr. Nothing reaches stdout before the verb has succeeded unless it streams
 * there.
 *
 * Thread-safety: lab_main is called once, from main; the rest from the thread that runs the verb.
 */
#ifndef LAB_CLI_H
#define LAB_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lab/err.h"
#include "lab/table.h"

enum lab_opt_kind {
    LAB_OPT_FLAG,   /* bool                                                                   */
    LAB_OPT_INT,    /* int64_t in [min, max]                                                  */
    LAB_OPT_SIZE,   /* int64_t bytes in [min, max]; suffixes K, M, G are powers of 1024       */
    LAB_OPT_REAL,   /* double in [min, max], finite                                           */
    LAB_OPT_STR,    /* const char *, borrowed from argv                                       */
    LAB_OPT_CHOICE, /* int: index of the word in `arg`, which lists them as "stack|its"       */
};

struct lab_opt {
    const char *name; /* without the dashes; the array ends with a NULL name */
    enum lab_opt_kind kind;
    size_t offset;   /* of the field in the program's options struct: offsetof(struct …, field) */
    const char *arg; /* what --help calls the value, "N"; for LAB_OPT_CHOICE the words */
    int64_t min, max; /* LAB_OPT_INT, _SIZE, _REAL; both 0: no bound but the type's */
    const char *help;
};

/* Which of the options every lab has a verb takes; the demonstration takes all it can use. */
enum lab_common {
    LAB_TAKES_FORMAT = 1, /* --format table|csv|json */
    LAB_TAKES_SEED = 2,   /* --seed N, default 42, echoed on stderr */
    LAB_TAKES_EXPECT = 4, /* --expect FILE, --bless: of the tables, whatever --format says */
    LAB_TAKES_SVG = 8,    /* --svg FILE */
    LAB_TAKES_TABLES = LAB_TAKES_FORMAT | LAB_TAKES_EXPECT,
};

struct lab_run;

struct lab_verb {
    const char *name;               /* the array ends with a NULL name */
    const char *operands;           /* for --help: "FILE", "[FILE…]"; NULL for none */
    int min_operands, max_operands; /* max < 0: any number */
    const char *help;               /* one sentence */
    const struct lab_opt *opts;     /* the verb's own options; NULL for none */
    unsigned takes;                 /* enum lab_common */
    int (*run)(struct lab_run *run, struct lab_err *err); /* 0, or negative with err set */
};

struct lab_program {
    const char *name;
    const char *summary;  /* one line: the question the lab answers */
    struct lab_verb demo; /* name NULL; operands only in a program without verbs */
    const struct lab_verb *verbs;
    const struct lab_table_def *const *tables; /* NULL-terminated, for `explain` */
    const void *opts_default; /* the options struct with its defaults; NULL when opts_size is 0 */
    size_t opts_size;
    const char *epilog; /* after the options in --help: examples, exit codes of verdicts; or NULL */
};

/* What a verb gets. It reads the first group and may set exit_code. */
struct lab_run {
    const struct lab_program *prog;
    const struct lab_verb *verb;
    const void *opts; /* the program's options struct, filled in */
    int noperands;
    char **operands;
    uint64_t seed;
    enum lab_format format;
    const char *svg_path;    /* NULL when --svg was not given */
    const char *expect_path; /* NULL when --expect was not given */
    bool bless, quiet, verbose;
    FILE *out; /* stdout, for a verb whose product is not a table */

    int exit_code; /* a verdict (10..19) or a child's status; used when the verb succeeded and
                      every check held */
    int checks_held, checks_failed;
    struct lab_table **tables; /* owned by the run, printed in this order */
    size_t ntables;
};

/* Add a table to the output. Borrowed: the run owns and frees it. */
struct lab_table *lab_run_table(struct lab_run *run, const struct lab_table_def *def);

/* Record a law. Does it hold? A failed one is said on stderr and makes the exit code 1; -v says
 * them all. */
bool lab_run_check(struct lab_run *run, bool holds, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A line on stderr, "prog: …"; silent with -q. For machine context, warnings and progress. */
void lab_run_note(const struct lab_run *run, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

int lab_main(const struct lab_program *prog, int argc, char **argv);

#endif
