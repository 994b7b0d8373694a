/* See cu_testing.h. */
#include "cu_testing.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/file.h"

struct lab_buf cut_out, cut_err;

static const char *const steering[] = {
    "VGPU",        "VGPU_LIB",         "VGPU_DEVICE",          "VGPU_CHECK",
    "VGPU_REPORT", "VGPU_REPORT_FILE", "VGPU_LINES",           "VGPU_THREADS",
    "VGPU_BUDGET", "VGPU_POLICY",      "CUDA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING",
};

static void set_environment(const char *const *environment)
{
    for (size_t k = 0; k < sizeof(steering) / sizeof(steering[0]); k++) {
        unsetenv(steering[k]);
    }
    for (; environment != NULL && *environment != NULL; environment++) {
        putenv((char *)(uintptr_t)*environment);
    }
}

static void redirect(int fd, const char *path)
{
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (to < 0 || dup2(to, fd) < 0) {
        _exit(99);
    }
    close(to);
}

static void collect(const char *path, struct lab_buf *into)
{
    lab_buf_clear(into);
    assert_int_equal(lab_file_read(path, 1u << 24, into, NULL), 0);
}

static int finish(pid_t child, const char *out, const char *err)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    collect(out, &cut_out);
    collect(err, &cut_err);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int cut_run(void (*body)(void), const char *const *environment)
{
    char out[PATH_MAX], err[PATH_MAX];
    snprintf(out, sizeof(out), "%s/out", lab_test_tmpdir());
    snprintf(err, sizeof(err), "%s/err", lab_test_tmpdir());
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        redirect(STDOUT_FILENO, out);
        redirect(STDERR_FILENO, err);
        set_environment(environment);
        body();
        exit(0);
    }
    return finish(child, out, err);
}

int cut_shell(const char *const *environment, const char *fmt, ...)
{
    char out[PATH_MAX], err[PATH_MAX];
    struct lab_buf line;
    va_list ap;
    lab_buf_init(&line);
    va_start(ap, fmt);
    lab_buf_vprintf(&line, fmt, ap);
    va_end(ap);
    snprintf(out, sizeof(out), "%s/out", lab_test_tmpdir());
    snprintf(err, sizeof(err), "%s/err", lab_test_tmpdir());
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        redirect(STDOUT_FILENO, out);
        redirect(STDERR_FILENO, err);
        set_environment(environment);
        execl("/bin/sh", "sh", "-c", lab_buf_str(&line), (char *)NULL);
        _exit(99);
    }
    lab_buf_fini(&line);
    return finish(child, out, err);
}

void cut_passes(void (*body)(void), const char *const *environment)
{
    int status = cut_run(body, environment);
    if (status != 0) {
        fail_msg("status %d\n%s%s", status, lab_buf_str(&cut_out), lab_buf_str(&cut_err));
    }
}

void cut_says(const struct lab_buf *where, const char *text)
{
    if (strstr(lab_buf_str(where), text) == NULL) {
        fail_msg("no \"%s\" in:\n%s", text, lab_buf_str(where));
    }
}

int cut_teardown(void **state)
{
    (void)state;
    lab_buf_fini(&cut_out);
    lab_buf_fini(&cut_err);
    return 0;
}

const char *cut_name(int code)
{
    return cudaGetErrorName((cudaError_t)code);
}

/* --- PTX --- */

#define INDEX                                                                                      \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"                          \
    "mad.lo.s32 %r4, %r1, %r2, %r3;\n"                                                             \
    "mul.wide.u32 %rd9, %r4, 4;\n"
#define REGS ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<4>;\n"

const char cut_ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 table[4] = {3, 1, 4, 1};\n"
    ".visible .const .align 4 .u32 factor = 10;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 shared_word = 5;\n"
    ".extern .shared .align 4 .b8 room[];\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n,"
    " .param .b64 c);\n"
    ".global .align 1 .b8 format[10] = {98,108,111,99,107,32,37,100,10,0};\n"
    ".global .align 1 .b8 words[6] = {118,32,33,61,48,0};\n"            /* v !=0 */
    ".global .align 1 .b8 file[9] = {99,108,97,105,109,46,99,117,0};\n" /* claim.cu */
    ".global .align 1 .b8 name[6] = {99,108,97,105,109,0};\n"           /* claim */

    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n"
    "{\n" REGS INDEX "ld.param.u32 %r5, [n]; setp.ge.u32 %p1, %r4, %r5; @%p1 bra DONE;\n"
    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];\n"
    "add.s64 %rd1, %rd1, %rd9; add.s64 %rd2, %rd2, %rd9; add.s64 %rd3, %rd3, %rd9;\n"
    "ld.global.u32 %r6, [%rd1]; ld.global.u32 %r7, [%rd2]; add.s32 %r8, %r6, %r7;\n"
    "st.global.u32 [%rd3], %r8;\nDONE: ret;\n}\n"

    ".visible .entry fill(.param .u64 out, .param .u32 value, .param .u32 n)\n"
    "{\n" REGS INDEX "ld.param.u32 %r5, [n]; setp.ge.u32 %p1, %r4, %r5; @%p1 bra DONE;\n"
    "ld.param.u64 %rd1, [out]; ld.param.u32 %r6, [value]; add.s64 %rd1, %rd1, %rd9;\n"
    "st.global.u32 [%rd1], %r6;\nDONE: ret;\n}\n"

    ".visible .entry count(.param .u64 out)\n{\n" REGS
    "ld.param.u64 %rd1, [out]; atom.global.add.u32 %r1, [%rd1], 1; ret;\n}\n"

    ".visible .entry reverse(.param .u64 out, .param .u32 n)\n"
    "{\n" REGS INDEX "ld.param.u32 %r5, [n]; ld.param.u64 %rd1, [out]; mov.u32 %r6, room;\n"
    "shl.b32 %r7, %r3, 2; add.s32 %r8, %r6, %r7; st.shared.u32 [%r8], %r3; bar.sync 0;\n"
    "sub.s32 %r9, %r5, 1; sub.s32 %r9, %r9, %r3; shl.b32 %r10, %r9, 2; add.s32 %r10, %r6, %r10;\n"
    "ld.shared.u32 %r11, [%r10]; add.s64 %rd1, %rd1, %rd9; st.global.u32 [%rd1], %r11; ret;\n}\n"

    ".visible .entry copy_table(.param .u64 out)\n"
    "{\n" REGS INDEX "ld.param.u64 %rd1, [out]; add.s64 %rd1, %rd1, %rd9; mov.u64 %rd2, table;\n"
    "add.s64 %rd2, %rd2, %rd9; ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd1], %r5; ret;\n}\n"

    ".visible .entry scale(.param .u64 out, .param .u32 n)\n"
    "{\n" REGS INDEX "ld.param.u64 %rd1, [out]; add.s64 %rd1, %rd1, %rd9;\n"
    "ld.const.u32 %r5, [factor]; ld.global.u32 %r6, [%rd1]; mul.lo.s32 %r6, %r6, %r5;\n"
    "st.global.u32 [%rd1], %r6; ret;\n}\n"

    ".visible .entry store(.param .u64 address, .param .u32 value)\n{\n" REGS
    "ld.param.u64 %rd1, [address]; ld.param.u32 %r1, [value]; st.global.u32 [%rd1], %r1; ret;\n}\n"

    ".visible .entry bounded(.param .u64 out) .maxntid 64, 1, 1\n"
    "{\n" REGS INDEX "ld.param.u64 %rd1, [out]; add.s64 %rd1, %rd1, %rd9;\n"
    "st.global.u32 [%rd1], %r4; ret;\n}\n"

    ".visible .entry bump()\n{\n" REGS "mov.u64 %rd1, shared_word;\n"
    "ld.global.u32 %r1, [%rd1]; add.s32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; ret;\n}\n"

    ".visible .entry print()\n{\n" REGS ".local .align 8 .b8 stack[8];\n"
    "mov.u32 %r1, %ctaid.x; mov.u64 %rd1, stack; st.local.u32 [stack], %r1;\n"
    "cvta.local.u64 %rd2, %rd1; mov.u64 %rd3, format; cvta.global.u64 %rd4, %rd3;\n"
    "{ .param .b64 p0; st.param.b64 [p0], %rd4; .param .b64 p1; st.param.b64 [p1], %rd2;\n"
    ".param .b32 r0; call.uni (r0), vprintf, (p0, p1); }\nret;\n}\n"

    ".visible .entry claim(.param .u32 value)\n{\n" REGS
    "ld.param.u32 %r1, [value]; setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE;\n"
    "mov.u64 %rd1, words; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, file;\n"
    "cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, name; cvta.global.u64 %rd3, %rd3;\n"
    "{ .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1; st.param.b64 [p1], %rd2;\n"
    ".param .b32 p2; st.param.b32 [p2], 7; .param .b64 p3; st.param.b64 [p3], %rd3;\n"
    ".param .b64 p4; st.param.b64 [p4], 1; call.uni __assertfail, (p0, p1, p2, p3, p4); }\n"
    "DONE: ret;\n}\n"

    ".visible .entry stop()\n{\ntrap;\nret;\n}\n"
    ".visible .entry forever()\n{\nAGAIN: bra AGAIN;\n}\n";

/* --- driver API --- */

CUcontext cut_context(void)
{
    CUcontext ctx;
    OK(cuInit(0));
    OK(cuCtxCreate_v4(&ctx, NULL, 0, 0));
    return ctx;
}

CUmodule cut_module(void)
{
    CUmodule m;
    OK(cuModuleLoadData(&m, cut_ptx));
    return m;
}

CUfunction cut_function(CUmodule m, const char *name)
{
    CUfunction f;
    OK(cuModuleGetFunction(&f, m, name));
    return f;
}

CUresult cut_launch(CUfunction f, unsigned grid, unsigned block, void **args)
{
    return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, NULL, args, NULL);
}

CUdeviceptr cut_words(size_t n, unsigned value)
{
    CUdeviceptr at;
    OK(cuMemAlloc_v2(&at, n * 4));
    OK(cuMemsetD32_v2(at, value, n));
    return at;
}

unsigned cut_word(CUdeviceptr at, size_t k)
{
    unsigned v;
    OK(cuMemcpyDtoH_v2(&v, at + 4 * k, 4));
    return v;
}

/* --- fat binaries --- */

static void put(struct lab_buf *b, uint64_t v, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++) {
        lab_buf_putc(b, (char)(v >> (8 * k)));
    }
}

void cut_fatbin_init(struct cut_fatbin *f, const char *ptx, unsigned arch)
{
    size_t n = (strlen(ptx) + 8) / 8 * 8; /* with its NUL, padded */
    struct lab_buf *b = &f->bytes;
    lab_buf_init(b);
    put(b, 0xba55ed50, 4);
    put(b, 1, 2);
    put(b, 16, 2);
    put(b, 64 + n, 8);
    put(b, 1, 2); /* PTX */
    put(b, 0x0101, 2);
    put(b, 64, 4);
    put(b, n, 8);
    put(b, 0, 4); /* not compressed */
    put(b, 64, 4);
    put(b, 0, 2);
    put(b, 7, 2);
    put(b, arch, 4);
    put(b, 64, 4);
    put(b, 0, 4);
    put(b, 0x11, 8);
    put(b, 0, 8);
    put(b, 0, 8);
    lab_buf_puts(b, ptx);
    lab_buf_fill(b, '\0', n - strlen(ptx));
    f->magic = 0x466243b1;
    f->version = 1;
    f->data = b->data;
    f->unused = NULL;
}

void cut_fatbin_fini(struct cut_fatbin *f)
{
    lab_buf_fini(&f->bytes);
}
