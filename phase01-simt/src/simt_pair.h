/* Which RECONV closes which branch: a static check, made once when a program is assembled.
 *
 * Branches (BRZ, BRNZ) open a region and RECONV closes the one opened last, like brackets, in the
 * order in which the program is written and whatever the jumps do.
 */
#ifndef SIMT_PAIR_H
#define SIMT_PAIR_H

#include "lab/err.h"
#include "simt_program.h"

/* Fill in `pair` of every branch and RECONV and `body` of every instruction. Errors (input kind): a
 * RECONV with no open branch above it; a branch that is never closed. Thread-safety: no shared
 * state. */
int simt_pair(struct simt_program *p, struct lab_err *err);

#endif
