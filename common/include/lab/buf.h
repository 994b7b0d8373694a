/* A growable byte string, always NUL-terminated: what tables, SVG and JSON are written into.
 *
 * Running out of memory is not an operating error the labs recover from: it ends the program with a
 * message and exit 3, so that no caller has to check an append.
 * Thread-safety: one thread at a time per buffer.
 */
#ifndef LAB_BUF_H
#define LAB_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct lab_buf {
    char *data; /* NULL until the first append; use lab_buf_str to read it */
    size_t len; /* bytes without the final NUL */
    size_t cap;
};

void lab_buf_init(struct lab_buf *b);
void lab_buf_fini(struct lab_buf *b);
void lab_buf_clear(struct lab_buf *b);

void lab_buf_add(struct lab_buf *b, const void *bytes, size_t n);
void lab_buf_puts(struct lab_buf *b, const char *s);
void lab_buf_putc(struct lab_buf *b, char c);
void lab_buf_fill(struct lab_buf *b, char c, size_t n);
void lab_buf_printf(struct lab_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void lab_buf_vprintf(struct lab_buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* Append `s` as a JSON string with its quotes, or as XML text or attribute value. Bytes that are
 * not UTF-8 (a file name can hold any) become U+FFFD, so the document stays valid. */
void lab_buf_json(struct lab_buf *b, const char *s);
void lab_buf_xml(struct lab_buf *b, const char *s);

/* Append the words of `text` and a newline, in lines of at most 80 columns (but for a longer word)
 * that continue at `indent`. The line so far is `column` wide. */
void lab_buf_wrap(struct lab_buf *b, const char *text, size_t column, size_t indent);

/* Bytes of the UTF-8 code point at s: 1..4, or 0 at the end or where there is none (RFC 3629). */
size_t lab_utf8_next(const char *s);

/* Code points in s; a stray byte counts as one. */
size_t lab_utf8_width(const char *s);

/* The letters to add, drop or change to get from one word to the other (Levenshtein distance),
 * upper and lower case alike: for "did you mean". SIZE_MAX when one is longer than LAB_WORD_MAX
 * bytes. */
#define LAB_WORD_MAX 40
size_t lab_edits(const char *a, size_t na, const char *b, size_t nb);

/* The contents as a C string ("" when empty); borrowed, valid until the next change. */
const char *lab_buf_str(const struct lab_buf *b);

/* malloc, calloc-like and realloc with the same contract: memory or exit 3. n·size may not
 * overflow. */
void *lab_alloc(size_t n, size_t size); /* zeroed; free() it */
void *lab_resize(void *p, size_t n, size_t size);
char *lab_strdup(const char *s);

#endif
