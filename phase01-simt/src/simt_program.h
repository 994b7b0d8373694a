/* An assembled program: decoded instructions, where each came from, and its labels. */
#ifndef SIMT_PROGRAM_H
#define SIMT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/buf.h"
#include "lab/err.h"
#include "simt_isa.h"

enum { SIMT_PROGRAM_MAX = 65536 }; /* instructions */

struct simt_insn {
    uint8_t op; /* enum simt_op */
    uint8_t rd, ra, rb, rc;
    bool has_imm; /* the form's `s` is the immediate, not rb */
    bool body;    /* strictly inside a branch's region, and neither a branch nor a RECONV */
    int32_t imm;
    uint32_t target; /* pc of the label, for BRZ, BRNZ and JMP */
    uint32_t pair;   /* of a branch: pc of its RECONV; of a RECONV: pc of its branch */
};

struct simt_place {
    uint32_t line, col; /* from 1 */
};

struct simt_label {
    const char *name; /* not NUL-terminated; inside the program's text */
    size_t len;
    uint32_t pc;
    struct simt_place at;
};

/* Owned by whoever called simt_assemble; simt_program_free frees it and all it points to. Constant
 * once assembled, so any number of threads may run it. */
struct simt_program {
    char *name; /* the file's name as messages give it */
    char *text; /* a copy of the source, which the labels point into */
    struct simt_insn *code;
    struct simt_place *place;  /* of each instruction */
    uint32_t n;                /* instructions, at least 1 */
    struct simt_label *labels; /* sorted by pc */
    uint32_t nlabels;
};

void simt_program_free(struct simt_program *p); /* NULL is allowed */

/* Is this a BRZ or BRNZ? */
bool simt_is_branch(const struct simt_insn *in);

/* The label that stands at a pc (the first in the text if there are several), or NULL. Borrowed. */
const struct simt_label *simt_program_label(const struct simt_program *p, uint32_t pc);

/* Append instruction `pc` in assembler syntax: "BRZ r1, even". A target without a label is
 * printed as "@pc"; the assembler never makes one. */
void simt_insn_text(const struct simt_program *p, uint32_t pc, struct lab_buf *out);

/* Set an input error "NAME:LINE:COL: text" at instruction pc, or at the last one when pc is past
 * the end. −1. */
int simt_error_at(const struct simt_program *p, uint32_t pc, struct lab_err *err, const char *fmt,
                  ...) __attribute__((format(printf, 4, 5)));

#endif
