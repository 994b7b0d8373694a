/* Assembler text, line by line.
 *
 * Problem: a learner's file may hold anything, from a typing mistake to a program image, and each
 * mistake needs its place. Model: the text is borrowed and never copied; a line is a pair of
 * pointers into it, cut before its comment. Columns count bytes from 1. Invariants: start ≤ p ≤ end
 * ≤ next ≤ eof; every byte of [start, end) is printable ASCII or a tab.
 */
#include "simt_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void simt_lex_init(struct simt_lex *lx, const char *name, const char *text, size_t len,
                   struct lab_err *err)
{
    *lx = (struct simt_lex){.name = name, .next = text, .eof = text + len, .err = err};
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        lx->next += 3;
    }
    lx->p = lx->end = lx->start = lx->next;
}

struct simt_place simt_lex_place(const struct simt_lex *lx, const char *p)
{
    return (struct simt_place){.line = lx->line, .col = (uint32_t)(p - lx->start) + 1};
}

int simt_lex_error(struct simt_lex *lx, const char *p, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    struct simt_place at = simt_lex_place(lx, p);
    return lab_err_input(lx->err, "%s:%u:%u: %s", lx->name, at.line, at.col, text);
}

static bool is_text(char c)
{
    return (c >= ' ' && c <= '~') || c == '\t';
}

/* Find where the part before the comment ends, and that all of it is text. */
static int cut_line(struct simt_lex *lx, const char *end)
{
    const char *p = lx->start;
    if (end > p && end[-1] == '\r') {
        end--;
    }
    while (p < end && *p != ';' && *p != '#') {
        if (!is_text(*p)) {
            return simt_lex_error(lx, p, "byte 0x%02x is not text, expected assembler source",
                                  (unsigned)(unsigned char)*p);
        }
        p++;
    }
    lx->end = p;
    const char *nul = memchr(p, '\0', (size_t)(end - p));
    if (nul != NULL) {
        return simt_lex_error(lx, nul, "byte 0x00 is not text, expected assembler source");
    }
    return 1;
}

int simt_lex_line(struct simt_lex *lx)
{
    if (lx->next >= lx->eof) {
        return 0;
    }
    lx->start = lx->p = lx->end = lx->next;
    lx->line++;
    const char *newline = memchr(lx->start, '\n', (size_t)(lx->eof - lx->start));
    lx->next = newline != NULL ? newline + 1 : lx->eof;
    return cut_line(lx, newline != NULL ? newline : lx->eof);
}

bool simt_lex_more(struct simt_lex *lx)
{
    while (lx->p < lx->end && (*lx->p == ' ' || *lx->p == '\t')) {
        lx->p++;
    }
    return lx->p < lx->end;
}

bool simt_lex_take(struct simt_lex *lx, char c)
{
    if (simt_lex_more(lx) && *lx->p == c) {
        lx->p++;
        return true;
    }
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

struct simt_word simt_lex_word(struct simt_lex *lx)
{
    struct simt_word w = {lx->p, 0};
    if (!simt_lex_more(lx) || !is_word(*lx->p) || is_digit(*lx->p)) {
        return w;
    }
    w.p = lx->p;
    while (lx->p < lx->end && is_word(*lx->p)) {
        lx->p++;
    }
    w.len = (size_t)(lx->p - w.p);
    return w;
}

bool simt_word_is_reg(struct simt_word w)
{
    if (w.len < 2 || (w.p[0] != 'r' && w.p[0] != 'R')) {
        return false;
    }
    for (size_t i = 1; i < w.len; i++) {
        if (!is_digit(w.p[i])) {
            return false;
        }
    }
    return true;
}

int simt_lex_expected(struct simt_lex *lx, const char *want)
{
    if (!simt_lex_more(lx)) {
        return simt_lex_error(lx, lx->p, "the line ends here, expected %s", want);
    }
    const char *q = lx->p;
    while (q < lx->end && is_word(*q) && q - lx->p < 32) {
        q++;
    }
    int len = q > lx->p ? (int)(q - lx->p) : 1;
    return simt_lex_error(lx, lx->p, "'%.*s' stands here, expected %s", len, lx->p, want);
}

int simt_lex_char(struct simt_lex *lx, char c, const char *want)
{
    return simt_lex_take(lx, c) ? 0 : simt_lex_expected(lx, want);
}

int simt_lex_reg(struct simt_lex *lx, uint8_t *out)
{
    static const char want[] = "a register r0..r15";
    (void)simt_lex_more(lx);
    const char *at = lx->p;
    struct simt_word w = simt_lex_word(lx);
    if (!simt_word_is_reg(w)) {
        lx->p = at;
        return simt_lex_expected(lx, want);
    }
    unsigned n = 0;
    for (size_t i = 1; i < w.len && n < SIMT_REGS; i++) {
        n = n * 10 + (unsigned)(w.p[i] - '0');
    }
    if (n >= SIMT_REGS || w.len > 3) {
        lx->p = at;
        return simt_lex_error(lx, at, "there is no register %.*s, expected r0..r15",
                              w.len > 32 ? 32 : (int)w.len, w.p);
    }
    *out = (uint8_t)n;
    return 0;
}

static int digit_value(char c, unsigned base)
{
    int v = 99;
    if (is_digit(c)) {
        v = c - '0';
    } else if (c >= 'a' && c <= 'f') {
        v = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
        v = c - 'A' + 10;
    }
    return v < (int)base ? v : -1;
}

int simt_lex_imm(struct simt_lex *lx, int32_t *out)
{
    (void)simt_lex_more(lx);
    const char *at = lx->p;
    bool minus = simt_lex_take(lx, '-');
    (void)simt_lex_more(lx);
    const char *p = lx->p;
    unsigned base = lx->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 16 : 10;
    p += base == 16 ? 2 : 0;
    const char *first = p;
    const uint64_t too_big = UINT64_C(1) << 32;
    uint64_t v = 0;
    for (; p < lx->end && digit_value(*p, base) >= 0; p++) {
        v = v < too_big ? v * base + (uint64_t)digit_value(*p, base) : too_big;
    }
    if (p == first || (p < lx->end && is_word(*p))) {
        lx->p = at;
        return simt_lex_expected(lx, "a number such as 12, -3 or 0xff");
    }
    uint64_t max = base == 16 ? UINT32_MAX : (uint64_t)INT32_MAX + minus;
    if (v > max) {
        return simt_lex_error(lx, at, "%.*s does not fit, expected a number of 32 bits",
                              p - at > 32 ? 32 : (int)(p - at), at);
    }
    lx->p = p;
    *out = (int32_t)(uint32_t)(minus ? 0 - v : v);
    return 0;
}
