/* The static check that pairs branches with RECONVs like brackets.
 *
 * Problem: at run time a RECONV must know which stack entries are its own. Deciding it once, from
 * the text, makes the rule visible to whoever writes the program and every mistake an error before
 * the program runs. Model: one pass with a stack of open branches. A stack entry made by a branch
 * carries the pc of its RECONV, so the RECONV recognises its own by comparing pcs. Invariant: after
 * success every branch has pair > its own pc, and code[code[b].pair].pair == b.
 *
 * Simplified: real compilers place the meeting point at the immediate post-dominator of the branch,
 * which they compute from the control-flow graph; here whoever writes the program places it.
 */
#include "simt_pair.h"

#include <stdlib.h>

static int close_branch(struct simt_program *p, uint32_t pc, const uint32_t *open, uint32_t nopen,
                        struct lab_err *err)
{
    if (nopen == 0) {
        return simt_error_at(p, pc, err,
                             "RECONV closes no branch, expected an open BRZ or BRNZ above it");
    }
    p->code[pc].pair = open[nopen - 1];
    p->code[open[nopen - 1]].pair = pc;
    return 0;
}

int simt_pair(struct simt_program *p, struct lab_err *err)
{
    uint32_t *open = lab_alloc(p->n, sizeof(*open));
    uint32_t nopen = 0;
    int rc = 0;
    for (uint32_t pc = 0; pc < p->n && rc == 0; pc++) {
        struct simt_insn *in = &p->code[pc];
        if (simt_is_branch(in)) {
            open[nopen++] = pc;
        } else if (in->op == SIMT_RECONV) {
            rc = close_branch(p, pc, open, nopen, err);
            nopen -= rc == 0;
        } else {
            in->body = nopen > 0;
        }
    }
    if (rc == 0 && nopen > 0) {
        uint32_t pc = open[nopen - 1];
        rc = simt_error_at(p, pc, err, "%s is never closed, expected a RECONV below it",
                           simt_op_info(p->code[pc].op)->name);
    }
    free(open);
    return rc;
}
