/* The choice between a driver's GPU and the software GPU, see lab/cuda_start.h.
 *
 * Invariant: the program starts itself again at most once, because the second time the folder is
 * the first of LD_LIBRARY_PATH.
 */
#include "lab/cuda_start.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/buf.h"
#include "lab/file.h"

static const char *name(void)
{
    return program_invocation_short_name;
}

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "%s: %s\n", name(), why);
    exit(LAB_EXIT_CANNOT);
}

/* The software GPU's folder into out[PATH_MAX]; false when there is none. */
static bool find_folder(char *out)
{
    char path[PATH_MAX + 32];
    const char *given = getenv("VGPU_LIB");
    if (given != NULL) {
        return realpath(given, out) != NULL;
    }
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n <= 0) {
        return false;
    }
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    snprintf(slash != NULL ? slash : path, 32, "/../lib/vgpu");
    return realpath(path, out) != NULL;
}

/* Is the folder the first of LD_LIBRARY_PATH? */
static bool is_in_front(const char *folder)
{
    const char *list = getenv("LD_LIBRARY_PATH");
    char first[PATH_MAX], real[PATH_MAX];
    if (list == NULL) {
        return false;
    }
    snprintf(first, sizeof(first), "%.*s", (int)strcspn(list, ":"), list);
    return realpath(first, real) != NULL && strcmp(real, folder) == 0;
}

struct driver {
    bool has_device;
    char folder[PATH_MAX]; /* where it was found; "" when there is none */
};

/* What libcuda.so.1 the loader finds, and whether it has a device. It stays loaded: a driver that
 * was initialised does not like to be unloaded. */
static void ask_driver(struct driver *d)
{
    d->has_device = false;
    d->folder[0] = '\0';
    void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (lib == NULL) {
        return;
    }
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(lib, "cuInit");
    int (*count)(int *) = (int (*)(int *))dlsym(lib, "cuDeviceGetCount");
    Dl_info info;
    int n = 0;
    if (init == NULL || count == NULL || dladdr((void *)init, &info) == 0) {
        return;
    }
    d->has_device = init(0) == 0 && count(&n) == 0 && n > 0;
    if (realpath(info.dli_fname, d->folder) == NULL) {
        d->folder[0] = '\0';
    }
    char *slash = strrchr(d->folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

/* The program's own arguments. The last pointer is NULL; the texts lie in `raw`. */
static char **own_arguments(struct lab_buf *raw)
{
    if (lab_file_read("/proc/self/cmdline", 1u << 24, raw, NULL) < 0 || raw->len == 0) {
        give_up("cannot read its own arguments");
    }
    size_t n = 0;
    char **argv = lab_alloc(raw->len + 1, sizeof(*argv));
    for (size_t at = 0; at < raw->len; at += strlen(raw->data + at) + 1) {
        argv[n++] = raw->data + at;
    }
    return argv;
}

static _Noreturn void start_again(const char *folder)
{
    const char *old = getenv("LD_LIBRARY_PATH");
    const char *device = getenv("VGPU_DEVICE");
    struct lab_buf path, raw;
    lab_buf_init(&path);
    lab_buf_init(&raw);
    lab_buf_printf(&path, "%s%s%s", folder, old != NULL && old[0] != '\0' ? ":" : "",
                   old != NULL ? old : "");
    fprintf(stderr, "%s: running on the software GPU (%s)\n", name(),
            device != NULL ? device : "a100");
    if (setenv("LD_LIBRARY_PATH", lab_buf_str(&path), 1) != 0) {
        give_up("no memory for LD_LIBRARY_PATH");
    }
    execv("/proc/self/exe", own_arguments(&raw));
    give_up(strerror(errno));
}

void lab_cuda_start(void)
{
    const char *vgpu = getenv("VGPU");
    bool forced = vgpu != NULL && strcmp(vgpu, "1") == 0;
    char folder[PATH_MAX] = "";
    struct driver d;
    if (vgpu != NULL && strcmp(vgpu, "0") == 0) {
        return;
    }
    bool found = find_folder(folder);
    if (found && is_in_front(folder)) {
        ask_driver(&d);
        if (!d.has_device) {
            give_up("the software GPU has no device: its message says why");
        }
        return;
    }
    if (!forced) {
        ask_driver(&d);
        if (d.has_device && strcmp(d.folder, folder) != 0) {
            return;
        }
    }
    if (!found) {
        give_up("no GPU here, and no software GPU: build the tree, or let VGPU_LIB name the folder "
                "of its libcuda.so.1");
    }
    start_again(folder);
}
