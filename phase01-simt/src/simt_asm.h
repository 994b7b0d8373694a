/* The assembler: text in, a checked program out.
 *
 *   name:  MNEMONIC operand, operand   ; a comment, or # one
 *
 * One instruction a line, any number of labels before it. Mnemonics and register names in either
 * case, labels in the case they have. Immediates: decimal −2147483648..2147483647, or hexadecimal
 * 0x0..0xffffffff (the bit pattern), each with an optional minus. Lines end in LF or CRLF.
 *
 * Errors (input kind) read "NAME:LINE:COL: what is wrong, what was expected" with both numbers
 * from 1. Thread-safety: no shared state.
 */
#ifndef SIMT_ASM_H
#define SIMT_ASM_H

#include <stddef.h>

#include "lab/err.h"
#include "simt_program.h"

enum { SIMT_SOURCE_MAX = 1 << 20 }; /* bytes of a source file */

/* Assemble text[0..len), which needs no NUL. `name` is what messages call it. On success *out is
 * the caller's to free; on failure it is NULL. */
int simt_assemble(const char *name, const char *text, size_t len, struct simt_program **out,
                  struct lab_err *err);

/* The same for a file of at most SIMT_SOURCE_MAX bytes. */
int simt_assemble_file(const char *path, struct simt_program **out, struct lab_err *err);

#endif
