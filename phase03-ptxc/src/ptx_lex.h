/* PTX text as tokens, with their places. PTX ISA 9.0, chapter 4 (4.2 comments, 4.4 identifiers,
 * 4.5 constants). Thread-safety: one thread at a time per lexer. */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "ptx.h"

enum ptx_token_kind {
    PTX_T_END,
    PTX_T_IDENT,  /* %r1, foo, $L__BB0_1, _ */
    PTX_T_WORD,   /* .global, .shared::cta: s and len without the dot */
    PTX_T_INT,    /* value */
    PTX_T_F32,    /* 0f3F800000: value holds the 32 bits */
    PTX_T_F64,    /* 0d…, or decimal: value holds the 64 bits */
    PTX_T_STRING, /* s and len without the quotes, escapes as written */
    PTX_T_PUNCT,  /* punct: one character, or two as PTX_2('<', '<') */
};

#define PTX_2(a, b) ((a) << 8 | (b))

struct ptx_token {
    enum ptx_token_kind kind;
    int punct;
    bool is_unsigned; /* an integer with the suffix U, or above 2^63 − 1 */
    const char *s;    /* in the lexer's text */
    size_t len;
    uint64_t value;
    struct ptx_pos pos;
};

struct ptx_lexer {
    const char *name; /* for messages */
    const char *p, *end, *line_begin;
    uint32_t line;
    struct lab_err *err;
};

/* The text is borrowed and must be followed by a NUL byte. */
void ptx_lex_init(struct ptx_lexer *l, const char *name, const char *text, size_t len,
                  struct lab_err *err);
/* The next token; −1 with an input error when the text is no PTX. */
int ptx_lex_next(struct ptx_lexer *l, struct ptx_token *t);

/* "NAME:line:col: …" as an input error. As a macro the error is −1 for all readers to see. */
void ptx_lex_report(const struct ptx_lexer *l, struct ptx_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define ptx_lex_error(l, pos, ...) (ptx_lex_report((l), (pos), __VA_ARGS__), -1)
/* How a message shows a token: "'foo'", "the end of the text". buf holds PTX_SHOWN bytes. */
#define PTX_SHOWN 64
const char *ptx_token_show(const struct ptx_token *t, char *buf);

#endif
