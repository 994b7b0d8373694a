/* Reading one line of assembler text, piece by piece, with the place of every mistake. */
#ifndef SIMT_LEX_H
#define SIMT_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "simt_program.h"

struct simt_lex {
    const char *name;  /* of the file */
    const char *p;     /* next byte of the line */
    const char *end;   /* of the line, before its comment and line end */
    const char *start; /* of the line */
    const char *next;  /* the line after it */
    const char *eof;
    uint32_t line; /* from 1 */
    struct lab_err *err;
};

struct simt_word {
    const char *p;
    size_t len; /* 0: there is no word here */
};

/* Start before the first line; a UTF-8 byte order mark is skipped. */
void simt_lex_init(struct simt_lex *lx, const char *name, const char *text, size_t len,
                   struct lab_err *err);

/* Go to the next line: 1, or 0 at the end of the text, or −1 when a byte of it is not text. */
int simt_lex_line(struct simt_lex *lx);

struct simt_place simt_lex_place(const struct simt_lex *lx, const char *p);

/* Skip blanks; is anything left on the line? */
bool simt_lex_more(struct simt_lex *lx);

/* Take this character if it is next (after blanks). */
bool simt_lex_take(struct simt_lex *lx, char c);

/* Take a word of letters, digits, '_' and '.', which does not begin with a digit. */
struct simt_word simt_lex_word(struct simt_lex *lx);

/* Is this word a register's name, r and digits, in range or not? */
bool simt_word_is_reg(struct simt_word w);

/* Set "NAME:LINE:COL: 'what stands here', expected WANT" at the next piece and return −1. */
int simt_lex_expected(struct simt_lex *lx, const char *want);

/* Set "NAME:LINE:COL: text" at p and return −1. */
int simt_lex_error(struct simt_lex *lx, const char *p, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Each takes one piece, or sets the error and returns −1. */
int simt_lex_char(struct simt_lex *lx, char c, const char *want);
int simt_lex_reg(struct simt_lex *lx, uint8_t *out);
int simt_lex_imm(struct simt_lex *lx, int32_t *out);

#endif
