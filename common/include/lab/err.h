/* Errors: what went wrong, in one line, and which exit code it deserves.
 *
 * A function that can fail returns 0 (or a count) on success and a negative number on failure, and
 * takes `struct lab_err *err` last. The message is set where the failure happens; callers that know
 * more (a file name, which step) put it in front with lab_err_prefix. Only a program's main prints.
 * `err` may be NULL when the caller does not want the text.
 *
 * Thread-safety: a struct lab_err belongs to one thread at a time; the functions share no state.
 */
#ifndef LAB_ERR_H
#define LAB_ERR_H

#include <stdio.h>
#include <stdlib.h>

/* The only exit codes a lab program uses (a verb that returns a verdict documents 10..19 itself).
 */
enum lab_exit {
    LAB_EXIT_OK = 0,     /* every check holds */
    LAB_EXIT_CHECK = 1,  /* a check failed, or the output differs from the expected file */
    LAB_EXIT_USAGE = 2,  /* wrong usage or bad input */
    LAB_EXIT_CANNOT = 3, /* could not run: no memory, no permission, a device is missing */
    LAB_EXIT_TODO = 4,   /* an exercise that is not implemented yet */
    LAB_EXIT_SKIP = 77,  /* skipped, with the reason on stderr */
};

enum lab_err_kind { LAB_ERR_NONE, LAB_ERR_CHECK, LAB_ERR_INPUT, LAB_ERR_SYSTEM, LAB_ERR_SKIP };

struct lab_err {
    enum lab_err_kind kind;
    char msg[512]; /* one line, no newline, no program name */
};

/* Set the error and return -1, so that a caller can write `return lab_err_input(err, ...);`.
 * check: a law or comparison does not hold. input: the user's input or usage is wrong.
 * system: the machine refused; when errno is not 0 its text is appended. skip: a reason not to run.
 */
int lab_err_check(struct lab_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int lab_err_input(struct lab_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int lab_err_system(struct lab_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int lab_err_skip(struct lab_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Put "text: " in front of the message; a message that would not fit is cut at the end. */
void lab_err_prefix(struct lab_err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The exit code that belongs to the error's kind. */
int lab_err_exit(const struct lab_err *err);

/* For what cannot happen unless the program itself is wrong. Always on, in every build. */
#define LAB_ASSERT(cond) ((cond) ? (void)0 : lab_assert_failed(#cond, __FILE__, __LINE__, __func__))

_Noreturn void lab_assert_failed(const char *cond, const char *file, int line, const char *func);

/* The body of an exercise that nobody has written yet: says so on stderr and ends with exit 4. */
#define LAB_TODO(exercise) lab_todo(exercise, __func__)

_Noreturn void lab_todo(const char *exercise, const char *func);

#endif
