/* What nvcc makes of tests/cu for five architectures, optimised, for a debugger and with line
 * information, taken out of its fat binaries: it parses, survives the round trip, and ptxas takes
 * the print. Skipped without nvcc. */
#include "cu_fatbin.h"
#include "ptx_cfg.h"
#include "ptx_testing.h"

#include <glob.h>
#include <unistd.h>

static char nvcc[256], ptxas[256];
static const char *folder;
static size_t some_archs; /* for what differs little between them */

/* Run a command; its output is shown when it fails. */
static int run(const char *command)
{
    struct lab_buf line;
    lab_buf_init(&line);
    lab_buf_printf(&line, "( %s ) >%s/log 2>&1 || { cat %s/log; exit 1; }", command, folder,
                   folder);
    int rc = system(lab_buf_str(&line));
    lab_buf_fini(&line);
    return rc;
}

static void path_of(const char *tool, char out[256])
{
    static const char *const folders[] = {"/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/bin"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && out[0] == '\0'; i++) {
        (void)snprintf(out, 256, "%s/%s", folders[i], tool);
        if (access(out, X_OK) != 0) {
            out[0] = '\0';
        }
    }
}

static void check_graphs(const struct ptx_module *m)
{
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        struct ptx_cfg cfg;
        struct lab_err err = {0};
        if (ptx_cfg_build(f, &cfg, &err) < 0) {
            fail_msg("%s", err.msg);
        }
        ptx_cfg_fini(&cfg);
    }
}

/* Parse and print one text; returns its instructions. */
static size_t check_text(const char *name, const struct lab_buf *text)
{
    size_t insns = 0;
    struct ptx_module *m = ptx_round_trip(name, lab_buf_str(text), text->len);
    check_graphs(m);
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        insns += f->ninsns;
    }
    assert_true(insns > 0);
    ptx_module_free(m);
    return insns;
}

/* Every PTX of a fat binary; returns how many. */
static unsigned check_fatbin(const char *name, const struct lab_buf *bytes, size_t *insns)
{
    struct cu_fatbin fb;
    struct cu_fatbin_entry e;
    struct lab_err err = {0};
    struct lab_buf text;
    unsigned n = 0;
    int rc = cu_fatbin_open(name, bytes->data, bytes->len, &fb, &err);
    lab_buf_init(&text);
    while (rc == 0 && (rc = cu_fatbin_next(&fb, &e, &err)) > 0) {
        lab_buf_clear(&text);
        if ((rc = cu_fatbin_extract(&fb, &e, &text, &err)) == 0) {
            *insns += check_text(name, &text);
            n++;
        }
    }
    lab_buf_fini(&text);
    if (rc < 0) {
        fail_msg("%s", err.msg);
    }
    return n;
}

/* The first `narchs` of these; NVVM's older dialect up to sm_90, its newer one from sm_100 on. */
static const unsigned archs[] = {75, 120, 80, 90, 100};
#define NARCHS (sizeof(archs) / sizeof(archs[0]))

static void compile_one(const char *source, const char *options, size_t narchs, const char *out)
{
    struct lab_buf command;
    lab_buf_init(&command);
    lab_buf_printf(&command, "%s -fatbin -t 2 %s -o %s %s", nvcc, options, out, source);
    for (size_t i = 0; i < narchs; i++) {
        lab_buf_printf(&command, " -gencode arch=compute_%u,code=compute_%u", archs[i], archs[i]);
    }
    assert_int_equal(run(lab_buf_str(&command)), 0);
    lab_buf_fini(&command);
}

static void compile_all(const char *options, size_t narchs)
{
    glob_t files;
    struct lab_buf bytes;
    size_t insns = 0;
    lab_buf_init(&bytes);
    assert_int_equal(glob(LAB_PHASE_DIR "/tests/cu/*.cu", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char out[300];
        (void)snprintf(out, sizeof(out), "%s/out.fatbin", folder);
        compile_one(files.gl_pathv[i], options, narchs, out);
        ptx_read_file(out, &bytes);
        assert_int_equal(check_fatbin(files.gl_pathv[i], &bytes, &insns), narchs);
    }
    print_message("%zu instructions of %zu files\n", insns, files.gl_pathc);
    globfree(&files);
    lab_buf_fini(&bytes);
}

static void optimised_code_parses(void **state)
{
    (void)state;
    compile_all("-O3 --compress-mode none", NARCHS);
}

static void debugger_code_parses(void **state)
{
    (void)state;
    compile_all("-G --compress-mode size", some_archs);
}

static void code_with_line_information_parses(void **state)
{
    (void)state;
    compile_all("-lineinfo --compress-mode speed", some_archs);
}

static void relocatable_and_fast_math_code_parses(void **state)
{
    (void)state;
    compile_all("-rdc=true -use_fast_math --compress-mode balance", some_archs);
}

/* The print of each committed kernel is PTX to ptxas as well. */
static void ptxas_takes_what_is_printed(void **state)
{
    (void)state;
    glob_t files;
    struct lab_buf text, printed;
    struct lab_err err = {0};
    lab_buf_init(&text);
    lab_buf_init(&printed);
    assert_int_equal(glob(LAB_PHASE_DIR "/kernels/*.ptx", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char path[300], command[700];
        (void)snprintf(path, sizeof(path), "%s/printed.ptx", folder);
        (void)snprintf(command, sizeof(command), "%s -arch=sm_75 -o /dev/null %s", ptxas, path);
        ptx_read_file(files.gl_pathv[i], &text);
        struct ptx_module *m = ptx_must_parse(files.gl_pathv[i], lab_buf_str(&text), text.len);
        lab_buf_clear(&printed);
        ptx_module_print(m, &printed);
        ptx_module_free(m);
        assert_int_equal(lab_file_write(path, printed.data, printed.len, &err), 0);
        assert_int_equal(run(command), 0);
    }
    globfree(&files);
    lab_buf_fini(&text);
    lab_buf_fini(&printed);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimised_code_parses),
        cmocka_unit_test(debugger_code_parses),
        cmocka_unit_test(code_with_line_information_parses),
        cmocka_unit_test(relocatable_and_fast_math_code_parses),
        cmocka_unit_test(ptxas_takes_what_is_printed),
    };
    path_of("nvcc", nvcc);
    path_of("ptxas", ptxas);
    if (nvcc[0] == '\0' || ptxas[0] == '\0') {
        fprintf(stderr, "SKIP: nvcc is not installed (CUDA toolkit 13.0)\n");
        return LAB_EXIT_SKIP;
    }
    folder = lab_test_tmpdir();
    some_archs = (size_t)lab_test_trials(2);
    some_archs = some_archs < NARCHS ? some_archs : NARCHS;
    return LAB_TEST_MAIN(tests);
}
