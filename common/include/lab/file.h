/* Whole files in, whole files out.
 *
 * Thread-safety: no shared state. Errors: input kind when the path is at fault (missing, a
 * directory, too large), system kind otherwise.
 */
#ifndef LAB_FILE_H
#define LAB_FILE_H

#include "lab/buf.h"
#include "lab/err.h"

/* Append the contents of `path` ("-" reads standard input) to `out`; at most max_bytes. */
int lab_file_read(const char *path, size_t max_bytes, struct lab_buf *out, struct lab_err *err);

/* Replace `path` by these bytes, or leave it as it was: a temporary beside it, fsync, rename. A
 * path that exists and is no regular file (/dev/stdout, a pipe) is written in place. */
int lab_file_write(const char *path, const void *bytes, size_t n, struct lab_err *err);

#endif
