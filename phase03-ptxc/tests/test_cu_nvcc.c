/* Programs written as any textbook would, compiled by nvcc, run by `vgpu run`: right results, right
 * counters, with the PTX compressed in every way nvcc knows. Skipped without nvcc. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "cu_testing.h"

static char nvcc[256];
static const char *folder;
/* What stands before a program: nothing, or what puts a sanitizer's runtime in front. */
#ifdef VGPU_PRELOAD
#define PROGRAM "env LD_PRELOAD=" VGPU_PRELOAD " %s/%s"
#else
#define PROGRAM "%s/%s"
#endif

static const char *modes[] = {"default", "none", "size", "speed"};

/* Compile tests/api/NAME.cu to DIR/NAME. */
static void compile(const char *name, const char *options)
{
    int rc = cut_shell(NULL, "%s -cudart shared -lineinfo -o %s/%s %s %s/tests/api/%s.cu", nvcc,
                       folder, name, options, LAB_PHASE_DIR, name);
    if (rc != 0) {
        fail_msg("%s", lab_buf_str(&cut_err));
    }
}

/* Compile and run it; its report is cut_err. */
static void run(const char *name, const char *options, const char *run_options)
{
    compile(name, options);
    int rc =
        cut_shell(NULL, "%s run --report csv %s -- " PROGRAM, VGPU_RUN, run_options, folder, name);
    if (rc != 0) {
        fail_msg("%s (%s): status %d\n%s%s", name, options, rc, lab_buf_str(&cut_out),
                 lab_buf_str(&cut_err));
    }
}

static void vector_add_in_every_compression(void **state)
{
    char option[64];
    (void)state;
    for (size_t k = 0; k < sizeof(modes) / sizeof(modes[0]); k++) {
        snprintf(option, sizeof(option), "--compress-mode %s", modes[k]);
        run("vecadd", option, "");
        assert_string_equal(lab_buf_str(&cut_out), "vecadd: 100000 sums are right\n");
        /* 3,125 warps with a thread below n: two loads and a store of 4 sectors each. */
        cut_says(&cut_err, "vecadd,6250,25000,4.00,100.00,0,3125,12500,4.00,100.00,0,0\n");
    }
}

static void the_tiled_product(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        run("matmul", k == 0 ? "" : "--compress-mode none", "--check all --threads 2");
        cut_says(&cut_out, "matmul: 64 x 64 is right\n");
        /* 16 blocks, 4 tiles, 8 warps, 2 loads; a warp reads two rows of 64 bytes. */
        cut_says(&cut_err, "matmul,1024,4096,4.00,100.00,0,128,512,4.00,100.00,0,0\n");
        cut_says(&cut_err, "matmul,16384,16384,0,1024,1024,0,");
        cut_says(&cut_err, "no findings\n");
    }
}

static void the_transposes(void **state)
{
    (void)state;
    run("transpose", "-arch=sm_80", "");
    cut_says(&cut_out, "straight: right\ntiled: right\npadded: right\n");
    cut_says(&cut_err, "straight,128,512,4.00,100.00,0,128,4096,32.00,12.50,0,0\n");
    cut_says(&cut_err, "tiled<0>,128,512,4.00,100.00,0,128,512,4.00,100.00,0,0\n");
    /* A column of the tile lies in one bank, or with a word of padding in 32. */
    cut_says(&cut_err, "tiled<0>,128,4096,3968,128,128,0,");
    cut_says(&cut_err, "tiled<1>,128,128,0,128,128,0,");
}

static void the_reduction(void **state)
{
    (void)state;
    run("reduce", "--compress-mode none", "--check all");
    cut_says(&cut_out, "reduce: the sum is 4995000\n");
    cut_says(&cut_err, ",serial,atom.global.add.u32 at line ");
    /* 79 blocks; the last has 16 words left. */
    cut_says(&cut_err, "reduce,313,1250,3.99,100.00,0,0,0,,,79,79\n");
    cut_says(&cut_err, "no findings\n");
}

static void the_features_of_a_larger_program(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        run("features", k == 0 ? "" : "--default-stream per-thread -G", "--threads 4");
        assert_string_equal(lab_buf_str(&cut_out),
                            "before the wait\nblock 0 says hello, 0.00, 4294967296\n"
                            "block 1 says hello, 0.50, 8589934592\n"
                            "block 2 says hello, 1.00, 17179869184\nfeatures: all of them work\n");
    }
}

static void errors_as_cuda_has_them(void **state)
{
    (void)state;
    run("errors", "", "");
    cut_says(&cut_out, "errors: as they should be\n");
    cut_says(&cut_err, "vgpu: kernel store stopped, block (0,0,0) thread (0,0,0): ");
    cut_says(&cut_err, "errors.cu:7: *p = v;");
    cut_says(&cut_err, "Assertion `v > 0` failed.");
    assert_int_equal(cut_shell(NULL, "%s run -- " PROGRAM " 3", VGPU_RUN, folder, "errors"), 3);
}

static void both_apis_in_one_program(void **state)
{
    (void)state;
    run("driver", "-lcuda", "");
    cut_says(&cut_out, "driver: both work on the same memory\n");
}

/* What cannot work says what to do instead. */
static void other_binaries_are_explained(void **state)
{
    (void)state;
    compile("vecadd", "-cudart static");
    assert_int_equal(cut_shell(NULL, "%s run -- " PROGRAM, VGPU_RUN, folder, "vecadd"), 1);
    cut_says(&cut_err, "compile it with nvcc -cudart shared");
    compile("vecadd", "-arch=sm_90");
    assert_int_equal(cut_shell(NULL, "%s run -- " PROGRAM, VGPU_RUN, folder, "vecadd"), 1);
    cut_says(&cut_err, "PTX for sm_90, expected PTX for sm_80 or older");
    cut_says(&cut_err, "no kernel image is available for execution on the device");
    assert_int_equal(
        cut_shell(NULL, "%s run --device h100 -- " PROGRAM, VGPU_RUN, folder, "vecadd"), 0);
    compile("vecadd", "-gencode arch=compute_80,code=sm_80");
    assert_int_equal(cut_shell(NULL, "%s run -- " PROGRAM, VGPU_RUN, folder, "vecadd"), 1);
    cut_says(&cut_err, "machine code for sm_80");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(vector_add_in_every_compression),
    cmocka_unit_test(the_tiled_product),
    cmocka_unit_test(the_transposes),
    cmocka_unit_test(the_reduction),
    cmocka_unit_test(the_features_of_a_larger_program),
    cmocka_unit_test(errors_as_cuda_has_them),
    cmocka_unit_test(both_apis_in_one_program),
    cmocka_unit_test_teardown(other_binaries_are_explained, cut_teardown),
};

static bool find_nvcc(void)
{
    static const char *const folders[] = {"/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/bin"};
    for (size_t k = 0; k < sizeof(folders) / sizeof(folders[0]); k++) {
        snprintf(nvcc, sizeof(nvcc), "%s/nvcc", folders[k]);
        if (access(nvcc, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
#if defined(LAB_SANITIZED) && !defined(VGPU_PRELOAD)
    fprintf(stderr, "skipped: nvcc's programs do not load libraries built with this sanitizer\n");
    return LAB_EXIT_SKIP;
#endif
    if (!find_nvcc()) {
        fprintf(stderr, "skipped: no nvcc\n");
        return LAB_EXIT_SKIP;
    }
    folder = lab_test_tmpdir();
    return LAB_TEST_MAIN(tests);
}
