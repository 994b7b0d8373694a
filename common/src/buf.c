/* Problem: output of unknown length (a table, a picture) has to be complete before any of it is
 * shown. Model: one growing block of bytes; its capacity doubles, so appending n bytes one at a
 * time costs O(n) in all. Invariants: data == NULL, or cap > len and data[len] == '\0'. Simplified:
 * no memory ends the program. A server would answer with an error and live on.
 */
#include "lab/buf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lab/err.h"

_Noreturn static void out_of_memory(void)
{
    fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
    exit(LAB_EXIT_CANNOT);
}

/* n · size, at least 1, so that malloc's NULL has one meaning. */
static size_t bytes_of(size_t n, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        out_of_memory();
    }
    return bytes == 0 ? 1 : bytes;
}

void *lab_alloc(size_t n, size_t size)
{
    void *p = calloc(bytes_of(n, size), 1);
    if (p == NULL) {
        out_of_memory();
    }
    return p;
}

void *lab_resize(void *p, size_t n, size_t size)
{
    void *q = realloc(p, bytes_of(n, size));
    if (q == NULL) {
        out_of_memory();
    }
    return q;
}

char *lab_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = lab_alloc(n, 1);
    memcpy(copy, s, n);
    return copy;
}

void lab_buf_init(struct lab_buf *b)
{
    *b = (struct lab_buf){NULL, 0, 0};
}

void lab_buf_fini(struct lab_buf *b)
{
    free(b->data);
    lab_buf_init(b);
}

void lab_buf_clear(struct lab_buf *b)
{
    b->len = 0;
    if (b->data != NULL) {
        b->data[0] = '\0';
    }
}

/* Room for n more bytes and the final NUL. */
static void reserve(struct lab_buf *b, size_t n)
{
    if (n > SIZE_MAX / 4 || b->len > SIZE_MAX / 4) {
        out_of_memory();
    }
    size_t need = b->len + n + 1;
    if (need <= b->cap) {
        return;
    }
    size_t cap = b->cap < 64 ? 64 : b->cap * 2;
    b->cap = cap < need ? need : cap;
    b->data = lab_resize(b->data, b->cap, 1);
}

void lab_buf_add(struct lab_buf *b, const void *bytes, size_t n)
{
    reserve(b, n);
    if (n > 0) {
        memcpy(b->data + b->len, bytes, n);
    }
    b->len += n;
    b->data[b->len] = '\0';
}

void lab_buf_puts(struct lab_buf *b, const char *s)
{
    lab_buf_add(b, s, strlen(s));
}

void lab_buf_putc(struct lab_buf *b, char c)
{
    lab_buf_add(b, &c, 1);
}

void lab_buf_fill(struct lab_buf *b, char c, size_t n)
{
    reserve(b, n);
    memset(b->data + b->len, c, n);
    b->len += n;
    b->data[b->len] = '\0';
}

void lab_buf_vprintf(struct lab_buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    LAB_ASSERT(n >= 0);
    reserve(b, (size_t)n);
    (void)vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
    b->len += (size_t)n;
}

void lab_buf_printf(struct lab_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(b, fmt, ap);
    va_end(ap);
}

const char *lab_buf_str(const struct lab_buf *b)
{
    return b->data == NULL ? "" : b->data;
}

size_t lab_utf8_next(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80) {
        return u[0] != 0;
    }
    size_t n = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
    if (u[0] < 0xc2 || u[0] > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if ((u[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Too long a form, the surrogates, and what lies beyond U+10FFFF (RFC 3629). */
    bool bad = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
               (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f);
    return bad ? 0 : n;
}

size_t lab_utf8_width(const char *s)
{
    size_t width = 0;
    while (*s != '\0') {
        size_t n = lab_utf8_next(s);
        s += n == 0 ? 1 : n;
        width++;
    }
    return width;
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* One row of the table of distances between beginnings at a time. */
size_t lab_edits(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[LAB_WORD_MAX + 1];
    if (na > LAB_WORD_MAX || nb > LAB_WORD_MAX) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= nb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = diagonal + (upper(a[i - 1]) != upper(b[j - 1]));
            size_t insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < insert ? change : insert;
        }
    }
    return row[nb];
}

void lab_buf_json(struct lab_buf *b, const char *s)
{
    lab_buf_putc(b, '"');
    while (*s != '\0') {
        size_t n = lab_utf8_next(s);
        if (n == 0) {
            lab_buf_puts(b, "\\ufffd");
            n = 1;
        } else if (*s == '"' || *s == '\\') {
            lab_buf_printf(b, "\\%c", *s);
        } else if ((unsigned char)*s < 0x20) {
            lab_buf_printf(b, "\\u%04x", (unsigned)*s);
        } else {
            lab_buf_add(b, s, n);
        }
        s += n;
    }
    lab_buf_putc(b, '"');
}

void lab_buf_xml(struct lab_buf *b, const char *s)
{
    while (*s != '\0') {
        size_t n = lab_utf8_next(s);
        switch (*s) {
        case '&': lab_buf_puts(b, "&amp;"); break;
        case '<': lab_buf_puts(b, "&lt;"); break;
        case '>': lab_buf_puts(b, "&gt;"); break;
        case '"': lab_buf_puts(b, "&quot;"); break;
        default:
            /* XML has no way to write most control characters, not even escaped. */
            if (n == 0 || (n == 1 && (unsigned char)*s < 0x20)) {
                lab_buf_puts(b, "\xef\xbf\xbd");
            } else {
                lab_buf_add(b, s, n);
            }
        }
        s += n == 0 ? 1 : n;
    }
}

void lab_buf_wrap(struct lab_buf *b, const char *text, size_t column, size_t indent)
{
    const size_t limit = 80;
    while (*text != '\0') {
        size_t word = strcspn(text, " \n");
        if (column > indent && column + 1 + word > limit) {
            lab_buf_putc(b, '\n');
            lab_buf_fill(b, ' ', indent);
            column = indent;
        } else if (column > indent) {
            lab_buf_putc(b, ' ');
            column++;
        }
        lab_buf_add(b, text, word);
        column += word;
        text += word;
        text += strspn(text, " \n");
    }
    lab_buf_putc(b, '\n');
}
