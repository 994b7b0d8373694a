/* What clang makes of tests/clang/kernel.cu at every level of optimisation and debug information: a
 * second maker of PTX, with other labels, other calls and other directives than nvcc's. Skipped
 * without a clang that has the NVPTX back end. */
#include "ptx_cfg.h"
#include "ptx_testing.h"

static const char *folder;

static int compile(const char *options)
{
    char command[1024];
    (void)snprintf(
        command, sizeof(command),
        "clang -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_75 "
        "-Xclang -target-feature -Xclang +ptx64 -Wno-unknown-cuda-version %s -S " LAB_PHASE_DIR
        "/tests/clang/kernel.cu -o %s/kernel.ptx >%s/log 2>&1",
        options, folder, folder);
    return system(command);
}

static void check(const char *options)
{
    char path[300];
    struct lab_buf text;
    struct ptx_cfg cfg;
    struct lab_err err = {0};
    lab_buf_init(&text);
    assert_int_equal(compile(options), 0);
    (void)snprintf(path, sizeof(path), "%s/kernel.ptx", folder);
    ptx_read_file(path, &text);
    struct ptx_module *m = ptx_round_trip(options, lab_buf_str(&text), text.len);
    const struct ptx_func *f = ptx_find_func(m, "work");
    assert_non_null(f);
    assert_int_equal(f->kind, PTX_ENTRY);
    assert_int_equal(f->nparams, 4);
    assert_int_equal(f->param_bytes, 52);
    assert_int_equal(ptx_cfg_build(f, &cfg, &err), 0);
    assert_true(cfg.nblocks > 5);
    ptx_cfg_fini(&cfg);
    assert_int_equal(ptx_find_var(m, "table")->init[4], 2);
    ptx_module_free(m);
    lab_buf_fini(&text);
}

static void optimised_code_parses(void **state)
{
    (void)state;
    check("-O1");
    check("-O2");
    check("-O3 -ffast-math");
}

static void unoptimised_code_parses(void **state)
{
    (void)state;
    check("-O0");
}

static void code_with_debug_information_parses(void **state)
{
    (void)state;
    check("-O2 -g");
    check("-O0 -g");
    check("-O1 -gline-tables-only");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimised_code_parses),
        cmocka_unit_test(unoptimised_code_parses),
        cmocka_unit_test(code_with_debug_information_parses),
    };
    folder = lab_test_tmpdir();
    if (compile("-O1") != 0) {
        fprintf(stderr, "SKIP: no clang with the NVPTX back end is installed\n");
        return LAB_EXIT_SKIP;
    }
    return LAB_TEST_MAIN(tests);
}
