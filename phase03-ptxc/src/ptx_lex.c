/* Problem: cut PTX text into tokens, and know for each the line and column it stands at.
 * Model: one pass over the bytes; a token borrows its bytes from the text. A word is what follows a
 * dot, "::" included, so that "shared::cta" is one token; an integer carries its 64-bit value, a
 * float its bits.
 * Invariants: p only moves forward and never past end; the byte at end is NUL, so looking one byte
 * ahead is always allowed.
 * Simplified: lines that begin with '#' (a C preprocessor's) or "@@" (debug data of PTX 1) are
 * skipped as comments; columns count bytes.
 */
#include "ptx_lex.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void ptx_lex_init(struct ptx_lexer *l, const char *name, const char *text, size_t len,
                  struct lab_err *err)
{
    *l = (struct ptx_lexer){
        .name = name, .p = text, .end = text + len, .line_begin = text, .line = 1, .err = err};
}

void ptx_lex_report(const struct ptx_lexer *l, struct ptx_pos pos, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    (void)lab_err_input(l->err, "%s:%u:%u: %s", l->name, pos.line, pos.col, n < 0 ? "" : text);
}

const char *ptx_token_show(const struct ptx_token *t, char *buf)
{
    if (t->kind == PTX_T_END) {
        return "the end of the text";
    }
    size_t n = t->len < 40 ? t->len : 40;
    (void)snprintf(buf, PTX_SHOWN, "'%s%.*s%s'", t->kind == PTX_T_WORD ? "." : "", (int)n, t->s,
                   n < t->len ? "..." : "");
    return buf;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* PTX calls these "followsym". */
static bool is_follow(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

static int hex_digit(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static struct ptx_pos here(const struct ptx_lexer *l)
{
    return (struct ptx_pos){l->line, (uint32_t)(l->p - l->line_begin) + 1};
}

static void newline(struct ptx_lexer *l)
{
    l->p++;
    l->line++;
    l->line_begin = l->p;
}

static void skip_line(struct ptx_lexer *l)
{
    while (l->p < l->end && *l->p != '\n') {
        l->p++;
    }
}

static int skip_block_comment(struct ptx_lexer *l)
{
    struct ptx_pos start = here(l);
    l->p += 2;
    while (l->p < l->end && !(l->p[0] == '*' && l->p[1] == '/')) {
        if (*l->p == '\n') {
            newline(l);
        } else {
            l->p++;
        }
    }
    if (l->p >= l->end) {
        return ptx_lex_error(l, start, "a comment that never ends, expected '*/'");
    }
    l->p += 2;
    return 0;
}

static int skip_blanks(struct ptx_lexer *l)
{
    while (l->p < l->end) {
        char c = l->p[0], after = l->p[1];
        bool first = l->p == l->line_begin;
        bool line_comment = (c == '/' && after == '/') || (first && c == '#') ||
                            (first && c == '@' && after == '@');
        if (c == '\n') {
            newline(l);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            l->p++;
        } else if (line_comment) {
            skip_line(l);
        } else if (c == '/' && after == '*') {
            if (skip_block_comment(l) < 0) {
                return -1;
            }
        } else {
            break;
        }
    }
    return 0;
}

/* --- numbers --- */

/* 0f and 8 hexadecimal digits, 0d and 16. */
static int lex_bits(struct ptx_lexer *l, struct ptx_token *t, unsigned digits)
{
    l->p += 2;
    for (unsigned i = 0; i < digits; i++, l->p++) {
        int d = hex_digit(*l->p);
        if (d < 0) {
            return ptx_lex_error(l, t->pos, "a float of %u hexadecimal digits, expected %u", i,
                                 digits);
        }
        t->value = t->value << 4 | (unsigned)d;
    }
    t->kind = digits == 8 ? PTX_T_F32 : PTX_T_F64;
    return 0;
}

static int lex_radix(struct ptx_lexer *l, struct ptx_token *t, unsigned radix)
{
    const char *first = l->p;
    for (;; l->p++) {
        int d = hex_digit(*l->p);
        if (d < 0 || (unsigned)d >= radix) {
            break;
        }
        if (__builtin_mul_overflow(t->value, radix, &t->value) ||
            __builtin_add_overflow(t->value, (uint64_t)d, &t->value)) {
            return ptx_lex_error(l, t->pos, "an integer above 64 bits, expected one below 2^64");
        }
    }
    if (l->p == first) {
        return ptx_lex_error(l, t->pos, "an integer without digits, expected base %u digits",
                             radix);
    }
    t->is_unsigned = t->value > INT64_MAX;
    if (*l->p == 'U') {
        t->is_unsigned = true;
        l->p++;
    }
    return 0;
}

/* Does a decimal number at p go on as a float: digits, then a point or an exponent? */
static bool is_decimal_float(const char *p)
{
    while (is_digit(*p)) {
        p++;
    }
    if (*p == '.') {
        return is_digit(p[1]) || !is_letter(p[1]);
    }
    return (*p == 'e' || *p == 'E') &&
           (is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && is_digit(p[2])));
}

static int lex_decimal_float(struct ptx_lexer *l, struct ptx_token *t)
{
    char copy[64];
    size_t n = 0;
    while (n < sizeof(copy) - 1 &&
           (is_digit(l->p[n]) || l->p[n] == '.' || l->p[n] == 'e' || l->p[n] == 'E' ||
            (n > 0 && (l->p[n] == '-' || l->p[n] == '+') && (l->p[n - 1] | 0x20) == 'e'))) {
        copy[n] = l->p[n];
        n++;
    }
    copy[n] = '\0';
    char *end;
    double v = strtod(copy, &end);
    if (*end != '\0' || n == sizeof(copy) - 1) {
        return ptx_lex_error(l, t->pos,
                             "a float that cannot be read, expected one like 1.5 or 0f3FC00000");
    }
    l->p += n;
    memcpy(&t->value, &v, sizeof(t->value));
    t->kind = PTX_T_F64;
    return 0;
}

static int lex_number(struct ptx_lexer *l, struct ptx_token *t)
{
    t->kind = PTX_T_INT;
    char second = (char)(l->p[0] == '0' ? l->p[1] | 0x20 : 0);
    int rc;
    if (second == 'f') {
        rc = lex_bits(l, t, 8);
    } else if (second == 'd') {
        rc = lex_bits(l, t, 16);
    } else if (second == 'x' || second == 'b') {
        l->p += 2;
        rc = lex_radix(l, t, second == 'x' ? 16 : 2);
    } else if (is_decimal_float(l->p)) {
        rc = lex_decimal_float(l, t);
    } else {
        rc = lex_radix(l, t, l->p[0] == '0' ? 8 : 10);
    }
    if (rc == 0 && is_follow(*l->p)) {
        return ptx_lex_error(l, t->pos, "a number that goes on with '%c', expected a blank or ','",
                             *l->p);
    }
    return rc;
}

/* --- everything else --- */

static int lex_string(struct ptx_lexer *l, struct ptx_token *t)
{
    t->kind = PTX_T_STRING;
    const char *first = ++l->p;
    while (l->p < l->end && *l->p != '"' && *l->p != '\n') {
        l->p += l->p[0] == '\\' && l->p + 1 < l->end && l->p[1] != '\n' ? 2 : 1;
    }
    if (l->p >= l->end || *l->p != '"') {
        return ptx_lex_error(l, t->pos, "a string that never ends, expected '\"'");
    }
    t->s = first;
    t->len = (size_t)(l->p - first);
    l->p++;
    return 0;
}

static void lex_word(struct ptx_lexer *l, struct ptx_token *t)
{
    t->kind = PTX_T_WORD;
    const char *first = ++l->p;
    while (is_follow(*l->p) || (l->p[0] == ':' && l->p[1] == ':' && is_follow(l->p[2]))) {
        l->p += *l->p == ':' ? 2 : 1;
    }
    t->s = first;
    t->len = (size_t)(l->p - first);
}

static void lex_ident(struct ptx_lexer *l, struct ptx_token *t)
{
    t->kind = PTX_T_IDENT;
    const char *first = l->p++;
    while (is_follow(*l->p)) {
        l->p++;
    }
    t->s = first;
    t->len = (size_t)(l->p - first);
}

static int lex_punct(struct ptx_lexer *l, struct ptx_token *t)
{
    static const char pairs[][2] = {{'<', '<'}, {'>', '>'}, {'<', '='}, {'>', '='},
                                    {'=', '='}, {'!', '='}, {'&', '&'}, {'|', '|'}};
    unsigned char c = (unsigned char)l->p[0];
    if (c == '\0' || strchr(",;:()[]{}<>=+-*/%?!~&|^@", c) == NULL) {
        return ptx_lex_error(l, t->pos, "the byte 0x%02x, expected PTX text", c);
    }
    t->kind = PTX_T_PUNCT;
    t->punct = c;
    t->s = l->p;
    t->len = 1;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (l->p[0] == pairs[i][0] && l->p[1] == pairs[i][1]) {
            t->punct = PTX_2(c, l->p[1]);
            t->len = 2;
        }
    }
    l->p += t->len;
    return 0;
}

int ptx_lex_next(struct ptx_lexer *l, struct ptx_token *t)
{
    if (skip_blanks(l) < 0) {
        return -1;
    }
    *t = (struct ptx_token){.kind = PTX_T_END, .pos = here(l), .s = l->p};
    if (l->p >= l->end) {
        return 0;
    }
    char c = l->p[0], after = l->p[1];
    if (is_letter(c) || c == '_' || c == '$' || (c == '%' && is_follow(after))) {
        lex_ident(l, t);
        return 0;
    }
    if (c == '.' && is_follow(after)) {
        lex_word(l, t);
        return 0;
    }
    if (c == '"') {
        return lex_string(l, t);
    }
    int rc = is_digit(c) ? lex_number(l, t) : lex_punct(l, t);
    t->len = (size_t)(l->p - t->s);
    return rc;
}
