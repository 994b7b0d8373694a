/* Which libraries a CUDA program gets: those of a driver with a device, else the software GPU's. */
#include "lab/cuda_start.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "lab/file.h"
#include "lab/test.h"

#define DRIVER0 CUDA_START_DIR "/driver0"
#define DRIVER1 CUDA_START_DIR "/driver1"

static struct lab_buf out, err;

/* Run the program in an environment; returns its exit code. */
static int start(const char *environment, const char *arguments)
{
    struct lab_buf line;
    const char *dir = lab_test_tmpdir();
    char path[2][PATH_MAX];
    lab_buf_init(&line);
    snprintf(path[0], PATH_MAX, "%s/out", dir);
    snprintf(path[1], PATH_MAX, "%s/err", dir);
    lab_buf_printf(&line,
                   "env -u VGPU -u VGPU_LIB -u VGPU_DEVICE -u LD_LIBRARY_PATH %s "
                   "%s/bin/cuda_started %s >%s 2>%s",
                   environment, CUDA_START_DIR, arguments, path[0], path[1]);
    int status = system(lab_buf_str(&line));
    lab_buf_clear(&out);
    lab_buf_clear(&err);
    assert_int_equal(lab_file_read(path[0], 1u << 16, &out, NULL), 0);
    assert_int_equal(lab_file_read(path[1], 1u << 16, &err, NULL), 0);
    lab_buf_fini(&line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_driver_with_a_device_is_used(void **state)
{
    (void)state;
    assert_int_equal(start("LD_LIBRARY_PATH=" DRIVER1 " VGPU_LIB=" DRIVER0, ""), 7);
    assert_string_equal(lab_buf_str(&out), DRIVER1 "\n");
    assert_int_equal(err.len, 0);
}

static void without_a_device_the_software_gpu_is(void **state)
{
    (void)state;
    assert_int_equal(start("LD_LIBRARY_PATH=" DRIVER0 " VGPU_LIB=" DRIVER1, ""), 7);
    assert_string_equal(lab_buf_str(&out), DRIVER1 ":" DRIVER0 "\n");
    assert_string_equal(lab_buf_str(&err), "cuda_started: running on the software GPU (a100)\n");
}

static void without_a_driver_the_software_gpu_is(void **state)
{
    (void)state;
    assert_int_equal(start("LD_LIBRARY_PATH=/nowhere VGPU_LIB=" DRIVER1, ""), 7);
    assert_string_equal(lab_buf_str(&out), DRIVER1 ":/nowhere\n");
}

static void it_can_be_asked_for_and_forbidden(void **state)
{
    (void)state;
    assert_int_equal(start("VGPU=1 VGPU_DEVICE=t4 LD_LIBRARY_PATH=" DRIVER1 " VGPU_LIB=" DRIVER1
                           "/../driver1/../driver1",
                           ""),
                     7);
    assert_string_equal(lab_buf_str(&out), DRIVER1 "\n"); /* it is in front already */
    assert_int_equal(
        start("VGPU=1 VGPU_DEVICE=t4 LD_LIBRARY_PATH=/nowhere:" DRIVER1 " VGPU_LIB=" DRIVER1, ""),
        7);
    assert_string_equal(lab_buf_str(&out), DRIVER1 ":/nowhere:" DRIVER1 "\n");
    assert_string_equal(lab_buf_str(&err), "cuda_started: running on the software GPU (t4)\n");
    assert_int_equal(start("VGPU=0 LD_LIBRARY_PATH=" DRIVER0 " VGPU_LIB=" DRIVER1, ""), 7);
    assert_string_equal(lab_buf_str(&out), DRIVER0 "\n");
    assert_int_equal(err.len, 0);
}

static void the_arguments_stay_as_they_are(void **state)
{
    (void)state;
    assert_int_equal(start("VGPU_LIB=" DRIVER1 " VGPU=1", "'a b' '' --x=\"'\""), 7);
    assert_string_equal(lab_buf_str(&out), DRIVER1 "\n[a b]\n[]\n[--x=']\n");
}

static void it_never_starts_itself_twice(void **state)
{
    (void)state;
    assert_int_equal(start("VGPU=1 VGPU_LIB=" DRIVER0, ""), LAB_EXIT_CANNOT);
    assert_string_equal(lab_buf_str(&out), "");
    assert_string_equal(lab_buf_str(&err),
                        "cuda_started: running on the software GPU (a100)\n"
                        "cuda_started: the software GPU has no device: its message says why\n");
}

static void it_says_when_there_is_neither(void **state)
{
    (void)state;
    assert_int_equal(start("LD_LIBRARY_PATH=" DRIVER0 " VGPU_LIB=/nowhere", ""), LAB_EXIT_CANNOT);
    assert_non_null(strstr(lab_buf_str(&err), "no GPU here, and no software GPU"));
}

static int free_buffers(void **state)
{
    (void)state;
    lab_buf_fini(&out);
    lab_buf_fini(&err);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_driver_with_a_device_is_used),
    cmocka_unit_test(without_a_device_the_software_gpu_is),
    cmocka_unit_test(without_a_driver_the_software_gpu_is),
    cmocka_unit_test(it_can_be_asked_for_and_forbidden),
    cmocka_unit_test(the_arguments_stay_as_they_are),
    cmocka_unit_test(it_never_starts_itself_twice),
    cmocka_unit_test_teardown(it_says_when_there_is_neither, free_buffers),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
