/* Problem: is this output the expected one, and if not, where?
 * Model: text is compared line by line, the n-th with the n-th.
 * Invariants: 0 differences means equal bytes, but for a CR before a line's end in the output.
 * Simplified: no search for moved lines as diff(1) does; after an inserted line all that follow
 * differ.
 */
#include "lab/expect.h"

#include <stdarg.h>
#include <string.h>

#include "expect_impl.h"

enum { REPORT_LINES = 20, QUOTE_BYTES = 100 };

bool lab_expect_is_csv(const char *path)
{
    size_t n = strlen(path);
    return n >= 4 && strcmp(path + n - 4, ".csv") == 0;
}

void lab_diffs_add(struct lab_diffs *d, const char *fmt, ...)
{
    d->count++;
    if (d->count > REPORT_LINES) {
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(d->report, fmt, ap);
    va_end(ap);
    lab_buf_putc(d->report, '\n');
}

int lab_diffs_end(struct lab_diffs *d)
{
    if (d->count > REPORT_LINES) {
        lab_buf_printf(d->report, "and %d more\n", d->count - REPORT_LINES);
    }
    return d->count;
}

void lab_diffs_quote(struct lab_buf *out, const char *s, size_t n)
{
    lab_buf_putc(out, '\'');
    size_t shown = n > QUOTE_BYTES ? QUOTE_BYTES : n;
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c < 0x20 || c == 0x7f) {
            lab_buf_printf(out, "\\x%02x", c);
        } else {
            lab_buf_putc(out, s[i]);
        }
    }
    lab_buf_puts(out, shown < n ? "...'" : "'");
}

struct line {
    const char *s;
    size_t n;   /* without the newline */
    bool ended; /* by a newline, not by the end of the text */
};

/* The next line of *rest; false at the end of the text. */
static bool next_line(const char **rest, struct line *line)
{
    const char *s = *rest;
    if (*s == '\0') {
        return false;
    }
    size_t n = strcspn(s, "\n");
    *line = (struct line){s, n, s[n] == '\n'};
    *rest = s + n + line->ended;
    return true;
}

static bool same(const struct line *want, const struct line *got)
{
    size_t n = got->n;
    if (n == want->n + 1 && got->ended && got->s[n - 1] == '\r') {
        n--;
    }
    return n == want->n && want->ended == got->ended && memcmp(want->s, got->s, n) == 0;
}

static void quote_or(struct lab_buf *out, bool there, const struct line *line)
{
    if (!there) {
        lab_buf_puts(out, "the end");
        return;
    }
    lab_diffs_quote(out, line->s, line->n);
    if (!line->ended) {
        lab_buf_puts(out, " without a newline");
    }
}

int lab_expect_text(const char *name, const char *want, const char *got, struct lab_buf *report,
                    struct lab_err *err)
{
    (void)name;
    (void)err;
    struct lab_diffs d = {report, 0};
    struct lab_buf w;
    struct lab_buf g;
    lab_buf_init(&w);
    lab_buf_init(&g);
    for (int number = 1;; number++) {
        struct line a = {"", 0, false};
        struct line b = {"", 0, false};
        bool more_want = next_line(&want, &a);
        bool more_got = next_line(&got, &b);
        if (!more_want && !more_got) {
            break;
        }
        if (more_want && more_got && same(&a, &b)) {
            continue;
        }
        lab_buf_clear(&w);
        lab_buf_clear(&g);
        quote_or(&w, more_want, &a);
        quote_or(&g, more_got, &b);
        lab_diffs_add(&d, "line %d: expected %s, got %s", number, lab_buf_str(&w), lab_buf_str(&g));
    }
    lab_buf_fini(&w);
    lab_buf_fini(&g);
    return lab_diffs_end(&d);
}
