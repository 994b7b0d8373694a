/* Problem: a failure deep inside a lab must reach the user as one clear line and the right exit
 * code. Model: the function that fails formats the line once, at the place that knows most; whoever
 * passes the error on may put its own knowledge in front. Invariants: msg is NUL-terminated and has
 * no control characters, so a hostile file name cannot split the line or repaint the terminal;
 * errno is read before anything can change it. Simplified: one message, no chain of causes and no
 * translation.
 */
#include "lab/err.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static void keep_one_line(char *s)
{
    for (; *s != '\0'; s++) {
        if ((unsigned char)*s < 0x20 || *s == 0x7f) {
            *s = '?';
        }
    }
}

__attribute__((format(printf, 3, 0))) static void set(struct lab_err *err, enum lab_err_kind kind,
                                                      const char *fmt, va_list ap)
{
    if (err == NULL) {
        return;
    }
    err->kind = kind;
    if (vsnprintf(err->msg, sizeof(err->msg), fmt, ap) < 0) {
        err->msg[0] = '\0';
    }
    keep_one_line(err->msg);
}

int lab_err_check(struct lab_err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set(err, LAB_ERR_CHECK, fmt, ap);
    va_end(ap);
    return -1;
}

int lab_err_input(struct lab_err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set(err, LAB_ERR_INPUT, fmt, ap);
    va_end(ap);
    return -1;
}

int lab_err_system(struct lab_err *err, const char *fmt, ...)
{
    int code = errno;
    va_list ap;
    va_start(ap, fmt);
    set(err, LAB_ERR_SYSTEM, fmt, ap);
    va_end(ap);
    if (err != NULL && code != 0) {
        char text[128];
        size_t used = strlen(err->msg);
        /* GNU strerror_r: returns the text, which need not lie in the buffer. */
        (void)snprintf(err->msg + used, sizeof(err->msg) - used, ": %s",
                       strerror_r(code, text, sizeof(text)));
    }
    return -1;
}

int lab_err_skip(struct lab_err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set(err, LAB_ERR_SKIP, fmt, ap);
    va_end(ap);
    return -1;
}

void lab_err_prefix(struct lab_err *err, const char *fmt, ...)
{
    if (err == NULL) {
        return;
    }
    char old[sizeof(err->msg)];
    memcpy(old, err->msg, sizeof(old));
    va_list ap;
    va_start(ap, fmt);
    set(err, err->kind, fmt, ap);
    va_end(ap);
    size_t used = strlen(err->msg);
    (void)snprintf(err->msg + used, sizeof(err->msg) - used, ": %s", old);
}

int lab_err_exit(const struct lab_err *err)
{
    LAB_ASSERT(err->kind <= LAB_ERR_SKIP);
    switch (err->kind) {
    case LAB_ERR_NONE: return LAB_EXIT_OK;
    case LAB_ERR_CHECK: return LAB_EXIT_CHECK;
    case LAB_ERR_INPUT: return LAB_EXIT_USAGE;
    case LAB_ERR_SYSTEM: return LAB_EXIT_CANNOT;
    case LAB_ERR_SKIP: return LAB_EXIT_SKIP;
    }
    return LAB_EXIT_CANNOT;
}

void lab_assert_failed(const char *cond, const char *file, int line, const char *func)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s: this cannot happen, but did: not (%s)\n", file, line, func, cond);
    abort();
}

void lab_todo(const char *exercise, const char *func)
{
    fflush(stdout);
    fprintf(stderr, "exercise %s: %s() is not implemented yet\n", exercise, func);
    exit(LAB_EXIT_TODO);
}
