/* Problem: a reader must never see half a file, and a bad path must be told apart from a bad
 * machine. Model: reading takes what read(2) gives until the end or the limit. Writing fills a
 * temporary in the same folder (so that rename(2) stays on one file system) and renames it over the
 * target. Invariants: after a failed read `out` is as before; after a failed write so is the
 * target, and no temporary is left. Simplified: the folder itself is not synced, so a power cut
 * right after may bring the old file back, whole.
 */
#include "lab/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is it the path's fault? Then the user can repair it; otherwise the machine refused. */
static int path_error(struct lab_err *err, const char *path)
{
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
    case ENXIO:
    case ENAMETOOLONG: return lab_err_input(err, "%s: %s", path, strerror(errno));
    default: return lab_err_system(err, "%s", path);
    }
}

static int read_all(int fd, const char *name, size_t max_bytes, struct lab_buf *out,
                    struct lab_err *err)
{
    char chunk[1 << 16];
    size_t total = 0;
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof(chunk));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return path_error(err, name);
        }
        if (n == 0) {
            return 0;
        }
        if ((size_t)n > max_bytes - total) {
            return lab_err_input(err, "%s: too large, expected at most %zu bytes", name, max_bytes);
        }
        lab_buf_add(out, chunk, (size_t)n);
        total += (size_t)n;
    }
}

int lab_file_read(const char *path, size_t max_bytes, struct lab_buf *out, struct lab_err *err)
{
    size_t before = out->len;
    int rc = -1;
    if (strcmp(path, "-") == 0) {
        rc = read_all(STDIN_FILENO, "standard input", max_bytes, out, err);
    } else {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            return path_error(err, path);
        }
        struct stat st;
        if (fstat(fd, &st) < 0) {
            rc = lab_err_system(err, "%s", path);
        } else if (S_ISDIR(st.st_mode)) {
            rc = lab_err_input(err, "%s: is a directory, expected a file", path);
        } else {
            rc = read_all(fd, path, max_bytes, out, err);
        }
        (void)close(fd);
    }
    if (rc < 0 && out->data != NULL) {
        out->len = before;
        out->data[before] = '\0';
    }
    return rc;
}

static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return -1;
        }
        bytes += done;
        n -= (size_t)done;
    }
    return 0;
}

static int write_in_place(const char *path, const void *bytes, size_t n, struct lab_err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return path_error(err, path);
    }
    int rc = write_all(fd, bytes, n) < 0 ? lab_err_system(err, "%s: cannot write", path) : 0;
    if (close(fd) < 0 && rc == 0) {
        rc = lab_err_system(err, "%s: cannot write", path);
    }
    return rc;
}

/* A new file beside `target`. Not mkstemp: that gives mode 0600, and the umask that a plain file
 * should get can only be read by changing it for every thread. */
static int open_temp(const char *target, struct lab_buf *temp)
{
    const char *slash = strrchr(target, '/');
    int folder = slash == NULL ? 0 : (int)(slash + 1 - target);
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        lab_buf_clear(temp);
        lab_buf_printf(temp, "%.*s.lab-%ld-%u.tmp", folder, target, (long)getpid(), attempt);
        int fd = open(lab_buf_str(temp), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* `old` is the file to be replaced, NULL when there is none. */
static int replace(const char *target, const struct stat *old, const void *bytes, size_t n,
                   struct lab_err *err)
{
    struct lab_buf temp;
    lab_buf_init(&temp);
    int rc = 0;
    int fd = open_temp(target, &temp);
    if (fd < 0) {
        rc = path_error(err, target);
        goto out;
    }
    if (write_all(fd, bytes, n) < 0 || fsync(fd) < 0 ||
        (old != NULL && fchmod(fd, old->st_mode & 0777) < 0)) {
        rc = lab_err_system(err, "%s: cannot write", target);
    }
    if (close(fd) < 0 && rc == 0) {
        rc = lab_err_system(err, "%s: cannot write", target);
    }
    if (rc == 0 && rename(lab_buf_str(&temp), target) < 0) {
        rc = path_error(err, target);
    }
    if (rc < 0) {
        (void)unlink(lab_buf_str(&temp));
    }
out:
    lab_buf_fini(&temp);
    return rc;
}

int lab_file_write(const char *path, const void *bytes, size_t n, struct lab_err *err)
{
    struct stat st;
    if (stat(path, &st) < 0) {
        return errno == ENOENT ? replace(path, NULL, bytes, n, err) : path_error(err, path);
    }
    if (!S_ISREG(st.st_mode)) {
        return write_in_place(path, bytes, n, err);
    }
    /* Through a symbolic link, so that the link stays and the file it names is replaced. */
    char *real = realpath(path, NULL);
    if (real == NULL) {
        return path_error(err, path);
    }
    int rc = replace(real, &st, bytes, n, err);
    free(real);
    return rc;
}
