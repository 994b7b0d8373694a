/* `vgpu run`: what it makes of its options and of the program's end. No toolkit is needed. */
#include <string.h>

#include "cu_testing.h"
#include "lab/file.h"

static int run(const char *arguments)
{
    return cut_shell(NULL, "%s run %s", VGPU_RUN, arguments);
}

static void the_programs_status_and_output_are_passed_on(void **state)
{
    (void)state;
    assert_int_equal(run("-- sh -c 'echo out; exit 9'"), 9);
    assert_string_equal(lab_buf_str(&cut_out), "out\n");
    assert_int_equal(run("-- sh -c 'kill -9 $$'"), 128 + 9);
    assert_int_equal(run("-- true"), 0);
}

static void options_become_the_environment(void **state)
{
    (void)state;
    assert_int_equal(run("--check mem,race --report csv --device t4 --threads 3 --lines 4 "
                         "--budget 500 --policy stack -- env"),
                     0);
    cut_says(&cut_out, "VGPU_CHECK=mem,race\n");
    cut_says(&cut_out, "VGPU_REPORT=csv\n");
    cut_says(&cut_out, "VGPU_DEVICE=t4\n");
    cut_says(&cut_out, "VGPU_THREADS=3\n");
    cut_says(&cut_out, "VGPU_LINES=4\n");
    cut_says(&cut_out, "VGPU_BUDGET=500\n");
    cut_says(&cut_out, "VGPU_POLICY=stack\n");
    assert_int_equal(cut_shell(NULL, "LD_LIBRARY_PATH=/old %s run -- env", VGPU_RUN), 0);
    cut_says(&cut_out, "LD_LIBRARY_PATH=" VGPU_LIB_DIR ":/old\n");
    cut_says(&cut_out, "VGPU_REPORT=table\n");
}

static void bad_options_are_named_before_anything_runs(void **state)
{
    (void)state;
    assert_int_equal(run("--check memory -- echo ran"), 2);
    assert_string_equal(lab_buf_str(&cut_err),
                        "vgpu: memory is no check, expected mem, race, sync, init or all\n");
    assert_int_equal(run("--device a10 -- echo ran"), 2);
    assert_int_equal(cut_out.len, 0);
    assert_int_equal(run("-- /nowhere/program"), 2);
    assert_string_equal(lab_buf_str(&cut_err),
                        "vgpu: /nowhere/program: cannot be started: No such file or directory\n");
    assert_int_equal(run(""), 2);
}

static void a_program_gets_the_libraries_and_its_report(void **state)
{
    struct lab_buf report;
    const char *dir = lab_test_tmpdir();
    (void)state;
    lab_buf_init(&report);
    assert_int_equal(cut_shell(NULL, "cd %s && %s run --report csv --report-file r.csv -- %s 5",
                               dir, VGPU_RUN, VGPU_CLIENT),
                     5);
    assert_string_equal(lab_buf_str(&cut_out), "sum 42\n");
    assert_int_equal(cut_err.len, 0);
    char path[1024];
    snprintf(path, sizeof(path), "%s/r.csv", dir);
    assert_int_equal(lab_file_read(path, 1u << 20, &report, NULL), 0);
    cut_says(&report, "add,1,\"1,1,1\",\"32,1,1\",0,");
    assert_int_equal(cut_shell(NULL, "cd %s && %s run --report off --report-file r.csv -- %s 0",
                               dir, VGPU_RUN, VGPU_CLIENT),
                     0);
    assert_int_not_equal(lab_file_read(path, 1u << 20, &report, NULL), 0); /* not the old one */
    assert_int_equal(run("-- " VGPU_CLIENT " 0"), 0);
    cut_says(&cut_err, "== launches ==");
    lab_buf_fini(&report);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_programs_status_and_output_are_passed_on),
    cmocka_unit_test(options_become_the_environment),
    cmocka_unit_test(bad_options_are_named_before_anything_runs),
    cmocka_unit_test_teardown(a_program_gets_the_libraries_and_its_report, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
