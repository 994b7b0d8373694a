/* The program that the tests of the command line run, and how they run it: in a child process. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "lab/cli.h"
#include "lab/test.h"

extern const struct lab_program cli_simt; /* a demonstration with two tables, and a verb `run` */
extern const struct lab_program cli_bare; /* no verbs: the demonstration takes two operands */
extern const struct lab_opt cli_demo_opts[];

/* The verb: prints what it got to run->out, or fails as --how says. */
int cli_run_file(struct lab_run *run, struct lab_err *err);

/* What the last run printed. */
extern struct lab_buf cli_out;
extern struct lab_buf cli_err;

/* One run: the arguments in one string, separated by blanks; "_" stands for a blank inside one. */
struct cli_call {
    const struct lab_program *program;
    char *line;     /* changed by the run */
    const char *ci; /* the environment's CI, or NULL */
};

/* The body for lab_test_child: runs a struct cli_call. */
int cli_main(void *call);

/* Run with these arguments; returns the exit code. */
int cli_run(const struct lab_program *program, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Fail unless the text is in the buffer. */
void cli_assert_says(const struct lab_buf *b, const char *text);

/* A teardown: frees cli_out and cli_err. */
int cli_free(void **state);

#define TEXT "name  value\na       4.0\n\n== Second ==\nname  value\nits     0.5\n"
#define CSV  "# table: first\nname,value\na,4.0\n\n# table: second\nname,value\nits,0.5\n"
#define GOLDEN                                                                                     \
    "# table: first\nname,value\n# rules: exact,abs:0.5\na,4.0\n\n"                                \
    "# table: second\nname,value\n# rules: exact,abs:0.5\nits,0.5\n"

#endif
