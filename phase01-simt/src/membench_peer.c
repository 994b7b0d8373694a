/* The problem: a benchmark that is compared with nothing may be wrong by any factor.
 *
 * The model: run the peer as a separate process, with the same amount of memory, one thread and the
 * same vector width, and read its figure from what it prints. Simplified: the peer places its
 * thread on the first CPU of the whole node ("N"), whatever the caller is pinned to; its own
 * start-up and filling are outside what it times.
 */
#include "membench_peer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/buf.h"
#include "lab/file.h"

extern char **environ;

const char *membench_peer_kernel(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return "load_avx512";
    }
    return __builtin_cpu_supports("avx") ? "load_avx" : "load_sse";
#else
    return "load";
#endif
}

double membench_peer_parse(const char *text)
{
    static const char field[] = "MByte/s:";
    const char *at = strstr(text, field);
    if (at == NULL) {
        return -1;
    }
    double v = strtod(at + sizeof(field) - 1, NULL); /* 0 when there is no number */
    return v > 0 && isfinite(v) ? v : -1;
}

int membench_thp_always(void)
{
    struct lab_buf text;
    lab_buf_init(&text);
    int always = 0;
    if (lab_file_read("/sys/kernel/mm/transparent_hugepage/enabled", 4096, &text, NULL) == 0) {
        always = strstr(lab_buf_str(&text), "[always]") != NULL;
    }
    lab_buf_fini(&text);
    return always;
}

static int spawn(char *const argv[], int out_fd, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc != 0) {
        return rc;
    }
    rc = posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
    rc = rc != 0 ? rc : posix_spawn_file_actions_adddup2(&actions, out_fd, STDERR_FILENO);
    rc = rc != 0 ? rc : posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static void drain(int fd, struct lab_buf *text)
{
    char chunk[4096];
    ssize_t n;
    while ((n = read(fd, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR)) {
        if (n > 0 && text->len < ((size_t)1 << 20)) {
            lab_buf_add(text, chunk, (size_t)n);
        }
    }
}

static int judge(int status, const struct lab_buf *text, double *gbs, struct lab_err *err)
{
    double mbs = membench_peer_parse(lab_buf_str(text));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && mbs > 0) {
        *gbs = mbs / 1e3;
        return 0;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return lab_err_skip(err, "likwid-bench is not installed (Debian package likwid)");
    }
    errno = 0;
    int line = (int)strcspn(lab_buf_str(text), "\n");
    return lab_err_system(err, "likwid-bench gave no figure; it said: %.*s",
                          line < 200 ? line : 200, lab_buf_str(text));
}

int membench_peer_read(const char *program, int iters, double *gbs, struct lab_err *err)
{
    char count[16], name[256], kernel[32];
    (void)snprintf(count, sizeof(count), "%d", iters);
    (void)snprintf(name, sizeof(name), "%s", program);
    (void)snprintf(kernel, sizeof(kernel), "%s", membench_peer_kernel());
    char t[] = "-t", w[] = "-w", i[] = "-i", group[] = "N:512MB:1";
    char *argv[] = {name, t, kernel, w, group, i, count, NULL};
    int fd[2], status = 0;
    pid_t pid;
    if (pipe2(fd, O_CLOEXEC) != 0) {
        return lab_err_system(err, "cannot make a pipe for likwid-bench");
    }
    int rc = spawn(argv, fd[1], &pid);
    (void)close(fd[1]);
    if (rc != 0) {
        (void)close(fd[0]);
        errno = rc;
        return rc == ENOENT
                   ? lab_err_skip(err, "likwid-bench is not installed (Debian package likwid)")
                   : lab_err_system(err, "cannot start likwid-bench");
    }
    struct lab_buf text;
    lab_buf_init(&text);
    drain(fd[0], &text);
    (void)close(fd[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    rc = judge(status, &text, gbs, err);
    lab_buf_fini(&text);
    return rc;
}
