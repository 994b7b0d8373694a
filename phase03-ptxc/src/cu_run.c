/* `vgpu run`: the options become environment variables, and the program is started with the
 * libraries of the software GPU in front of all others.
 */
#include "cu_run.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/buf.h"

extern char **environ;

#define AT(field) offsetof(struct vgpu_run_opts, field)

const struct lab_opt vgpu_run_options[] = {
    {"check", LAB_OPT_STR, AT(check), "LIST", 0, 0,
     "mem, race, sync, init with commas between, or all."},
    {"report", LAB_OPT_CHOICE, AT(report), "table|csv|json|off", 0, 0,
     "Form of the counters on stderr when the program ends."},
    {"report-file", LAB_OPT_STR, AT(report_file), "FILE", 0, 0, "Write the counters there."},
    {"lines", LAB_OPT_INT, AT(lines), "N", 0, 100000,
     "The N busiest PTX and source lines of each kernel too."},
    {"device", LAB_OPT_STR, AT(device), "CHIP", 0, 0,
     "The chip whose limits apply: t4, a100, l4, h100 or h200; a100 when not given."},
    {"threads", LAB_OPT_INT, AT(threads), "N", 0, 1024,
     "Host threads for the blocks; 0: all CPUs. Never changes a result."},
    {"budget", LAB_OPT_INT, AT(budget), "N", 0, INT64_MAX,
     "Warp instructions after which a kernel counts as hung; 0: none."},
    {"policy", LAB_OPT_CHOICE, AT(policy), "its|stack", 0, 0,
     "Independent threads as since sm_70, or the reconvergence stack."},
    {.name = NULL},
};

/* The folder with libcuda.so.1 and libcudart.so.13. */
static int find_folder(char out[PATH_MAX], struct lab_err *err)
{
    char path[PATH_MAX + 64];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n <= 0) {
        return lab_err_system(err, "cannot find the program's own folder");
    }
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    snprintf(slash != NULL ? slash : path, 64, "/../lib/vgpu");
    if (realpath(path, out) == NULL) {
        return lab_err_system(err, "the software GPU's libraries are not in %s", path);
    }
    return 0;
}

static int set(const char *name, const char *value, struct lab_err *err)
{
    if (setenv(name, value, 1) != 0) {
        return lab_err_system(err, "cannot set %s", name);
    }
    return 0;
}

static int set_number(const char *name, int64_t value, struct lab_err *err)
{
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long)value);
    return set(name, text, err);
}

/* A report that an earlier run left would pass for this one's, and the program may change its
 * folder. */
static int set_report_file(const char *path, struct lab_err *err)
{
    char here[PATH_MAX];
    struct lab_buf full;
    if (unlink(path) != 0 && errno != ENOENT) {
        return lab_err_input(err, "%s: cannot be replaced: %s", path, strerror(errno));
    }
    if (getcwd(here, sizeof(here)) == NULL) {
        return lab_err_system(err, "cannot find the current folder");
    }
    lab_buf_init(&full);
    lab_buf_printf(&full, "%s%s%s", path[0] == '/' ? "" : here, path[0] == '/' ? "" : "/", path);
    int r = set("VGPU_REPORT_FILE", lab_buf_str(&full), err);
    lab_buf_fini(&full);
    return r;
}

static int set_paths(struct lab_err *err)
{
    char folder[PATH_MAX];
    struct lab_buf path;
    const char *old = getenv("LD_LIBRARY_PATH");
    if (find_folder(folder, err) < 0) {
        return -1;
    }
    lab_buf_init(&path);
    lab_buf_printf(&path, "%s%s%s", folder, old != NULL && old[0] != '\0' ? ":" : "",
                   old != NULL ? old : "");
    int r = set("LD_LIBRARY_PATH", lab_buf_str(&path), err);
    lab_buf_fini(&path);
    return r;
}

static int set_environment(const struct vgpu_run_opts *o, struct lab_err *err)
{
    static const char *const formats[] = {"table", "csv", "json", "off"};
    unsigned checks;
    if (o->check != NULL &&
        (cu_config_checks(o->check, &checks, err) < 0 || set("VGPU_CHECK", o->check, err) < 0)) {
        return -1;
    }
    if (o->device != NULL && vgpu_desc_find(o->device) == NULL) {
        return lab_err_input(err, "--device %s: no such chip, expected t4, a100, l4, h100 or h200",
                             o->device);
    }
    if ((o->device != NULL && set("VGPU_DEVICE", o->device, err) < 0) ||
        set("VGPU_REPORT", formats[o->report], err) < 0 ||
        (o->report_file != NULL && set_report_file(o->report_file, err) < 0) ||
        set_number("VGPU_LINES", o->lines, err) < 0 ||
        set_number("VGPU_THREADS", o->threads, err) < 0 ||
        set_number("VGPU_BUDGET", o->budget, err) < 0 ||
        set("VGPU_POLICY", o->policy == VGPU_POLICY_ITS ? "its" : "stack", err) < 0) {
        return -1;
    }
    return set_paths(err);
}

/* Wait for the program; a keyboard interrupt is the program's to answer. */
static int wait_for(pid_t child, int *status, struct lab_err *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old_int, old_quit;
    sigaction(SIGINT, &ignore, &old_int);
    sigaction(SIGQUIT, &ignore, &old_quit);
    pid_t r;
    do {
        r = waitpid(child, status, 0);
    } while (r < 0 && errno == EINTR);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGQUIT, &old_quit, NULL);
    return r < 0 ? lab_err_system(err, "cannot wait for the program") : 0;
}

int vgpu_cmd_run(struct lab_run *run, struct lab_err *err)
{
    const struct vgpu_run_opts *o = run->opts;
    pid_t child;
    int status;
    if (set_environment(o, err) < 0) {
        return -1;
    }
    char **argv = lab_alloc((size_t)run->noperands + 1, sizeof(*argv));
    memcpy(argv, run->operands, (size_t)run->noperands * sizeof(*argv));
    int r = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
    free(argv);
    if (r != 0) {
        return lab_err_input(err, "%s: cannot be started: %s", run->operands[0], strerror(r));
    }
    if (wait_for(child, &status, err) < 0) {
        return -1;
    }
    run->exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return 0;
}
