/* The two halves of the command line: what was typed (cli_opts.c) and what to do with it (cli.c).
 */
#ifndef LAB_CLI_IMPL_H
#define LAB_CLI_IMPL_H

#include "lab/buf.h"
#include "lab/cli.h"

/* The built-in verb. */
extern const struct lab_verb lab_cli_explain;

enum lab_cli_ask { LAB_ASK_RUN, LAB_ASK_HELP, LAB_ASK_VERSION };

/* Fill `run` (prog is set) and the program's options struct from argv; run->operands has room for
 * argc pointers. Sets run->verb also for LAB_ASK_HELP. Returns an enum lab_cli_ask, or −1. */
int lab_cli_parse(struct lab_run *run, void *opts, int argc, char **argv, struct lab_err *err);

/* The i-th verb, the built-in one last; NULL behind it. */
const struct lab_verb *lab_cli_verb(const struct lab_program *prog, size_t i);

/* The i-th common option that a verb takes, with its short form or 0 in *letter; NULL behind it. */
const struct lab_opt *lab_cli_common(const struct lab_verb *verb, size_t i, char *letter);

#endif
