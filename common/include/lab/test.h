/* Every unit test's main: cmocka with its traps closed.
 *
 *   int main(int argc, char **argv) { return LAB_TEST_MAIN(tests); }
 *
 * cmocka 1.1.5 returns the number of failures as the exit code, so 256 failures look like success,
 * and a filter that matches nothing passes. lab_test_main returns 0 or 1, and 2 when no test ran.
 * An argument is a wildcard filter on test names.
 */
#ifndef LAB_TEST_H
#define LAB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/buf.h"
#include "lab/err.h"

#define LAB_TEST_MAIN(tests)                                                                       \
    lab_test_main(#tests, tests, sizeof(tests) / sizeof((tests)[0]), argc, argv)

int lab_test_main(const char *name, const struct CMUnitTest *tests, size_t n, int argc,
                  char **argv);

/* How many trials a randomised test makes: LAB_TRIALS from the environment, else `normal`. The
 * number is printed, so a short run cannot pass as a long one. */
long lab_test_trials(long normal);

/* A new empty folder under TMPDIR (else /tmp), removed with everything in it when the program ends.
 * The path is borrowed and lives as long. */
const char *lab_test_tmpdir(void);

/* Run body(arg) in a child process and exit with what it returns. Appends what the child wrote to
 * stdout and stderr; either may be NULL. Returns its exit code, or 128 + n when signal n ended it:
 * for what ends the process (LAB_ASSERT, LAB_TODO) and for whole programs (lab_main). */
int lab_test_child(int (*body)(void *arg), void *arg, struct lab_buf *out, struct lab_buf *err);

#endif
