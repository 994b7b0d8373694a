/* Problem: a learner's output, however it was made, against the file that says what it must be.
 * Model: the comparison that --expect makes inside a program, on two files.
 * Invariants: exit 0 means that they agree.
 * Simplified: everything that lab/expect.h says it leaves out.
 */
#include <string.h>

#include "lab/cli.h"
#include "lab/expect.h"
#include "lab/file.h"

enum { BYTES_MAX = 64 << 20 };

static int read_text(const char *path, struct lab_buf *out, struct lab_err *err)
{
    if (lab_file_read(path, BYTES_MAX, out, err) < 0) {
        return -1;
    }
    if (strlen(lab_buf_str(out)) != out->len) {
        return lab_err_input(err, "%s: holds a NUL byte, expected text", path);
    }
    return 0;
}

static int compare(struct lab_run *run, struct lab_err *err)
{
    const char *expected = run->operands[0];
    const char *actual = run->operands[1];
    struct lab_buf want;
    struct lab_buf got;
    struct lab_buf report;
    lab_buf_init(&want);
    lab_buf_init(&got);
    lab_buf_init(&report);
    int rc = read_text(expected, &want, err);
    if (rc == 0) {
        rc = read_text(actual, &got, err);
    }
    if (rc == 0) {
        rc = (lab_expect_is_csv(expected) ? lab_expect_csv : lab_expect_text)(
            expected, lab_buf_str(&want), lab_buf_str(&got), &report, err);
    }
    if (rc > 0) {
        (void)fputs(lab_buf_str(&report), stderr);
        rc = lab_err_check(err, "%s differs from %s in %d place%s", actual, expected, rc,
                           rc == 1 ? "" : "s");
    }
    lab_buf_fini(&want);
    lab_buf_fini(&got);
    lab_buf_fini(&report);
    return rc;
}

static const struct lab_program labdiff = {
    .name = "labdiff",
    .summary = "Is this output the expected one? Names each line or cell that differs, on stderr.",
    .demo = {.operands = "EXPECTED ACTUAL", .min_operands = 2, .max_operands = 2, .run = compare},
    .epilog =
        "EXPECTED that ends in .csv is compared by the rules it carries, any other name byte for\n"
        "byte. ACTUAL may be - for standard input:\n"
        "  simt | labdiff expected/simt.txt -\n",
};

int main(int argc, char **argv)
{
    return lab_main(&labdiff, argc, argv);
}
