/* A child process that multiplies matrices with PoCL when it is told to.
 *
 * Problem: PoCL reads its method from the environment once, brings LLVM and threads of its own, and
 * may not be installed. Model: a fork for each method; parent and child talk through two pipes, a
 * byte asks for a launch and an answer tells its time. One worker thread (POCL_MAX_PTHREAD_COUNT),
 * no cache of compiled kernels. Invariant: the product was compared before the first time is taken.
 *
 * The prototypes are written from the OpenCL 1.2 specification (Khronos), the few that are needed.
 */
#include "vg_bench_pocl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/buf.h"
#include "lab/clock.h"
#include "lab/stats.h"

enum { CL_DEVICE_CPU = 2, CL_PLATFORM_NAME = 0x0902, CL_MEM_COPY = 1 | 32, TILE = 16 };

typedef void *handle;

struct opencl {
    int32_t (*get_platforms)(uint32_t n, handle *out, uint32_t *found);
    int32_t (*platform_info)(handle platform, uint32_t what, size_t n, void *out, size_t *size);
    int32_t (*get_devices)(handle platform, uint64_t type, uint32_t n, handle *out,
                           uint32_t *found);
    handle (*create_context)(const intptr_t *properties, uint32_t n, const handle *devices,
                             void *notify, void *arg, int32_t *status);
    handle (*create_queue)(handle context, handle device, uint64_t properties, int32_t *status);
    handle (*create_program)(handle context, uint32_t n, const char **text, const size_t *len,
                             int32_t *status);
    int32_t (*build)(handle program, uint32_t n, const handle *devices, const char *options,
                     void *notify, void *arg);
    handle (*create_kernel)(handle program, const char *name, int32_t *status);
    handle (*create_buffer)(handle context, uint64_t flags, size_t n, void *host, int32_t *status);
    int32_t (*set_arg)(handle kernel, uint32_t i, size_t n, const void *value);
    int32_t (*launch)(handle queue, handle kernel, uint32_t dim, const size_t *offset,
                      const size_t *global, const size_t *local, uint32_t n, const void *wait,
                      void *event);
    int32_t (*finish)(handle queue);
    int32_t (*read)(handle queue, handle buffer, uint32_t blocking, size_t offset, size_t n,
                    void *out, uint32_t nwait, const void *wait, void *event);
};

/* The kernel of kernels/matmul.cu, matmul_tiled16, word for word. */
static const char source[] =
    "#define T 16\n"
    "__kernel void matmul(__global const float *a, __global const float *b, __global float *c,\n"
    "                     int n)\n"
    "{\n"
    "    __local float ta[T][T];\n"
    "    __local float tb[T][T];\n"
    "    int x = get_local_id(0), y = get_local_id(1);\n"
    "    int row = get_group_id(1) * T + y, col = get_group_id(0) * T + x;\n"
    "    float sum = 0.0f;\n"
    "    for (int t = 0; t < n; t += T) {\n"
    "        int ka = t + x, kb = t + y;\n"
    "        ta[y][x] = row < n && ka < n ? a[row * n + ka] : 0.0f;\n"
    "        tb[y][x] = kb < n && col < n ? b[kb * n + col] : 0.0f;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int k = 0; k < T; k++) {\n"
    "            sum += ta[y][k] * tb[k][x];\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (row < n && col < n) {\n"
    "        c[row * n + col] = sum;\n"
    "    }\n"
    "}\n";

/* What the parent says. An end of file would not do: children forked later hold the pipe, too. */
enum { LAUNCH = 1, QUIT = 2 };

/* What the child says. */
struct answer {
    enum lab_err_kind kind; /* LAB_ERR_NONE: all is well */
    double ms;
    char text[200];
};

struct child {
    struct opencl cl;
    const struct vg_pocl_work *work;
    handle platform, context, queue, kernel, c;
};

static int find_functions(struct opencl *cl, struct lab_err *err)
{
    const struct {
        const char *name;
        void *to;
    } all[] = {
        {"clGetPlatformIDs", &cl->get_platforms},
        {"clGetPlatformInfo", &cl->platform_info},
        {"clGetDeviceIDs", &cl->get_devices},
        {"clCreateContext", &cl->create_context},
        {"clCreateCommandQueue", &cl->create_queue},
        {"clCreateProgramWithSource", &cl->create_program},
        {"clBuildProgram", &cl->build},
        {"clCreateKernel", &cl->create_kernel},
        {"clCreateBuffer", &cl->create_buffer},
        {"clSetKernelArg", &cl->set_arg},
        {"clEnqueueNDRangeKernel", &cl->launch},
        {"clFinish", &cl->finish},
        {"clEnqueueReadBuffer", &cl->read},
    };
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return lab_err_skip(err, "PoCL: no libOpenCL.so.1 (packages pocl-opencl-icd and "
                                 "ocl-icd-libopencl1)");
    }
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        void *f = dlsym(library, all[i].name);
        if (f == NULL) {
            return lab_err_skip(err, "PoCL: libOpenCL.so.1 has no %s", all[i].name);
        }
        memcpy(all[i].to, &f, sizeof(f));
    }
    return 0;
}

static int find_platform(struct child *k, struct lab_err *err)
{
    handle platforms[8];
    uint32_t n = 0;
    if (k->cl.get_platforms(8, platforms, &n) != 0) {
        n = 0;
    }
    for (uint32_t i = 0; i < n && i < 8; i++) {
        char name[100] = "";
        if (k->cl.platform_info(platforms[i], CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL) ==
                0 &&
            strstr(name, "Portable Computing Language") != NULL) {
            k->platform = platforms[i];
            return 0;
        }
    }
    return lab_err_skip(err, "PoCL: not among the %u OpenCL platforms (package pocl-opencl-icd)",
                        n);
}

static int set_up(struct child *k, struct lab_err *err)
{
    const struct vg_pocl_work *w = k->work;
    const size_t bytes = (size_t)w->n * w->n * sizeof(float);
    const char *text = source;
    const int32_t n = (int32_t)w->n;
    int32_t s[6] = {0};
    handle device = NULL;
    if (k->cl.get_devices(k->platform, CL_DEVICE_CPU, 1, &device, NULL) != 0) {
        return lab_err_skip(err, "PoCL: no CPU device");
    }
    k->context = k->cl.create_context(NULL, 1, &device, NULL, NULL, &s[0]);
    k->queue = k->cl.create_queue(k->context, device, 0, &s[1]);
    handle program = k->cl.create_program(k->context, 1, &text, NULL, &s[2]);
    if (s[0] != 0 || s[1] != 0 || s[2] != 0 ||
        k->cl.build(program, 1, &device, "", NULL, NULL) != 0) {
        return lab_err_skip(err, "PoCL: cannot build the kernel");
    }
    k->kernel = k->cl.create_kernel(program, "matmul", &s[0]);
    handle a = k->cl.create_buffer(k->context, CL_MEM_COPY, bytes, (void *)(uintptr_t)w->a, &s[1]);
    handle b = k->cl.create_buffer(k->context, CL_MEM_COPY, bytes, (void *)(uintptr_t)w->b, &s[2]);
    k->c = k->cl.create_buffer(k->context, 1, bytes, NULL, &s[3]);
    s[4] = k->cl.set_arg(k->kernel, 0, sizeof(a), &a) | k->cl.set_arg(k->kernel, 1, sizeof(b), &b);
    s[5] = k->cl.set_arg(k->kernel, 2, sizeof(k->c), &k->c) |
           k->cl.set_arg(k->kernel, 3, sizeof(n), &n);
    for (int i = 0; i < 6; i++) {
        if (s[i] != 0) {
            return lab_err_skip(err, "PoCL: cannot prepare the kernel");
        }
    }
    return 0;
}

static int one_launch(struct child *k, double *ms, struct lab_err *err)
{
    const size_t global[2] = {k->work->n, k->work->n}, local[2] = {TILE, TILE};
    uint64_t start = lab_now_ns();
    if (k->cl.launch(k->queue, k->kernel, 2, NULL, global, local, 0, NULL, NULL) != 0 ||
        k->cl.finish(k->queue) != 0) {
        return lab_err_skip(err, "PoCL: cannot launch the kernel");
    }
    *ms = (double)(lab_now_ns() - start) / 1e6;
    return 0;
}

static int compare(struct child *k, struct lab_err *err)
{
    const size_t n = (size_t)k->work->n * k->work->n;
    float *got = lab_alloc(n, sizeof(*got));
    int rc = 0;
    if (k->cl.read(k->queue, k->c, 1, 0, n * sizeof(*got), got, 0, NULL, NULL) != 0) {
        rc = lab_err_skip(err, "PoCL: cannot read the product");
    }
    for (size_t i = 0; rc == 0 && i < n; i++) {
        if (!lab_close(got[i], k->work->want[i], 1e-3, 1e-3)) {
            rc = lab_err_check(err, "PoCL: element %zu is %g, expected %g", i, (double)got[i],
                               (double)k->work->want[i]);
        }
    }
    free(got);
    return rc;
}

static bool say(int to, int rc, double ms, const struct lab_err *err)
{
    struct answer a = {.kind = rc == 0 ? LAB_ERR_NONE : err->kind, .ms = ms};
    (void)snprintf(a.text, sizeof(a.text), "%.199s", rc == 0 ? "" : err->msg);
    return write(to, &a, sizeof(a)) == sizeof(a);
}

/* PoCL takes a method that it does not know for "auto" and only says so on stderr. */
static int check_method(const struct child *k, struct lab_err *err)
{
    char text[4096];
    ssize_t n = pread(STDERR_FILENO, text, sizeof(text) - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    if (strstr(text, "Unknown work group") != NULL) {
        return lab_err_skip(err, "this PoCL knows no method '%s'", k->work->method);
    }
    return 0;
}

static void environment(const struct vg_pocl_work *work)
{
    int said = memfd_create("pocl", MFD_CLOEXEC);
    if (said >= 0) {
        (void)dup2(said, STDOUT_FILENO);
        (void)dup2(said, STDERR_FILENO);
    }
    (void)setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
    (void)setenv("POCL_KERNEL_CACHE", "0", 1);
    if (work->method != NULL) {
        (void)setenv("POCL_WORK_GROUP_METHOD", work->method, 1);
    } else {
        (void)unsetenv("POCL_WORK_GROUP_METHOD");
    }
}

static void child(const struct vg_pocl_work *work, int in, int out)
{
    struct child k = {.work = work};
    struct lab_err err = {0};
    double ms = 0;
    char byte = 0;
    environment(work);
    int rc = find_functions(&k.cl, &err);
    rc = rc == 0 ? find_platform(&k, &err) : rc;
    rc = rc == 0 ? set_up(&k, &err) : rc;
    rc = rc == 0 ? one_launch(&k, &ms, &err) : rc;
    rc = rc == 0 ? check_method(&k, &err) : rc;
    rc = rc == 0 ? compare(&k, &err) : rc;
    while (say(out, rc, ms, &err) && rc == 0 && read(in, &byte, 1) == 1 && byte == LAUNCH) {
        rc = one_launch(&k, &ms, &err);
    }
    _exit(0);
}

/* The child's next answer. */
static int hear(struct vg_pocl *p, double *ms, struct lab_err *err)
{
    struct answer a;
    ssize_t n = 0;
    do {
        n = read(p->from, &a, sizeof(a));
    } while (n < 0 && errno == EINTR);
    if (n != sizeof(a)) {
        return lab_err_skip(err, "PoCL: its process ended");
    }
    if (a.kind != LAB_ERR_NONE) {
        return a.kind == LAB_ERR_CHECK ? lab_err_check(err, "%s", a.text)
                                       : lab_err_skip(err, "%s", a.text);
    }
    *ms = a.ms;
    return 0;
}

int vg_pocl_start(struct vg_pocl *p, const struct vg_pocl_work *work, struct lab_err *err)
{
    int to[2], from[2];
    double ms;
    *p = (struct vg_pocl){.to = -1, .from = -1};
    if (pipe2(to, O_CLOEXEC) < 0) {
        return lab_err_system(err, "pipe");
    }
    if (pipe2(from, O_CLOEXEC) < 0) {
        (void)close(to[0]);
        (void)close(to[1]);
        return lab_err_system(err, "pipe");
    }
    p->pid = fork();
    if (p->pid == 0) {
        (void)close(to[1]);
        (void)close(from[0]);
        child(work, to[0], from[1]);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    p->to = to[1];
    p->from = from[0];
    if (p->pid < 0) {
        vg_pocl_stop(p);
        return lab_err_system(err, "fork");
    }
    return hear(p, &ms, err);
}

int vg_pocl_time(struct vg_pocl *p, double *ms, struct lab_err *err)
{
    const char byte = LAUNCH;
    if (write(p->to, &byte, 1) != 1) {
        return lab_err_skip(err, "PoCL: its process ended");
    }
    return hear(p, ms, err);
}

void vg_pocl_stop(struct vg_pocl *p)
{
    const char byte = QUIT;
    if (p->to > 0) {
        ssize_t unused = write(p->to, &byte, 1); /* a child that is gone needs no word */
        (void)unused;
        (void)close(p->to);
    }
    if (p->from > 0) {
        (void)close(p->from);
    }
    if (p->pid > 0) {
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    *p = (struct vg_pocl){.to = -1, .from = -1};
}
