#include <dirent.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/file.h"
#include "lab/test.h"

static const char *in(const char *folder, const char *name)
{
    static char path[4][512];
    static int next;
    char *p = path[next++ % 4];
    (void)snprintf(p, sizeof(path[0]), "%s/%s", folder, name);
    return p;
}

static int entries(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir) != NULL) {
        n++;
    }
    closedir(dir);
    return n - 2;
}

static void file_reads_back_every_byte(void **state)
{
    (void)state;
    char bytes[70000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(i * 7);
    }
    const char *path = in(lab_test_tmpdir(), "f");
    struct lab_err err = {0};
    struct lab_buf out;
    lab_buf_init(&out);
    lab_buf_puts(&out, "before");
    assert_int_equal(lab_file_write(path, bytes, sizeof(bytes), &err), 0);
    assert_int_equal(lab_file_read(path, sizeof(bytes), &out, &err), 0);
    assert_int_equal(out.len, sizeof(bytes) + 6);
    assert_memory_equal(out.data, "before", 6);
    assert_memory_equal(out.data + 6, bytes, sizeof(bytes));
    lab_buf_fini(&out);
}

static void file_reads_an_empty_file(void **state)
{
    (void)state;
    const char *path = in(lab_test_tmpdir(), "empty");
    struct lab_err err = {0};
    struct lab_buf out;
    lab_buf_init(&out);
    assert_int_equal(lab_file_write(path, "", 0, &err), 0);
    assert_int_equal(lab_file_read(path, 0, &out, &err), 0);
    assert_int_equal(out.len, 0);
    lab_buf_fini(&out);
}

static void file_names_what_is_wrong_with_a_path(void **state)
{
    (void)state;
    const char *folder = lab_test_tmpdir();
    struct lab_err err = {0};
    struct lab_buf out;
    lab_buf_init(&out);
    lab_buf_puts(&out, "kept");
    assert_int_equal(lab_file_read(in(folder, "no"), 100, &out, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_non_null(strstr(err.msg, "No such file"));
    assert_int_equal(lab_file_read(folder, 100, &out, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_non_null(strstr(err.msg, "is a directory"));
    assert_int_equal(lab_file_write(in(folder, "big"), "123456", 6, &err), 0);
    assert_int_equal(lab_file_read(in(folder, "big"), 5, &out, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_non_null(strstr(err.msg, "at most 5 bytes"));
    assert_string_equal(lab_buf_str(&out), "kept");
    lab_buf_fini(&out);
}

/* The limit is met after some of the bytes were already taken. */
static void a_failed_read_takes_back_what_it_added(void **state)
{
    (void)state;
    static const char bytes[300000];
    const char *path = in(lab_test_tmpdir(), "f");
    struct lab_err err = {0};
    struct lab_buf out;
    lab_buf_init(&out);
    lab_buf_puts(&out, "kept");
    assert_int_equal(lab_file_write(path, bytes, sizeof(bytes), &err), 0);
    assert_int_equal(lab_file_read(path, sizeof(bytes) - 1, &out, &err), -1);
    assert_int_equal(out.len, 4);
    assert_string_equal(lab_buf_str(&out), "kept");
    lab_buf_fini(&out);
}

static int read_stdin(void *arg)
{
    struct lab_buf out;
    struct lab_err err = {0};
    lab_buf_init(&out);
    int fd = open(arg, O_RDONLY);
    int bad = fd < 0 || dup2(fd, STDIN_FILENO) < 0 || lab_file_read("-", 100, &out, &err) < 0 ||
              strcmp(lab_buf_str(&out), "by pipe") != 0;
    lab_buf_fini(&out);
    return bad;
}

static void file_dash_is_standard_input(void **state)
{
    (void)state;
    char path[512];
    struct lab_err err = {0};
    (void)snprintf(path, sizeof(path), "%s/in", lab_test_tmpdir());
    assert_int_equal(lab_file_write(path, "by pipe", 7, &err), 0);
    assert_int_equal(lab_test_child(read_stdin, path, NULL, NULL), 0);
}

static void write_replaces_and_keeps_the_mode(void **state)
{
    (void)state;
    const char *folder = lab_test_tmpdir();
    const char *path = in(folder, "f");
    struct stat st;
    struct lab_err err = {0};
    mode_t mask = umask(027);
    assert_int_equal(lab_file_write(path, "old", 3, &err), 0);
    (void)umask(mask);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(lab_file_write(path, "newer", 5, &err), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0604);
    assert_int_equal(st.st_size, 5);
    assert_int_equal(entries(folder), 1);
}

static void write_through_a_link_keeps_the_link(void **state)
{
    (void)state;
    const char *folder = lab_test_tmpdir();
    struct lab_err err = {0};
    struct stat st;
    assert_int_equal(lab_file_write(in(folder, "real"), "1", 1, &err), 0);
    assert_int_equal(symlink("real", in(folder, "link")), 0);
    assert_int_equal(lab_file_write(in(folder, "link"), "22", 2, &err), 0);
    assert_int_equal(lstat(in(folder, "link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(in(folder, "real"), &st), 0);
    assert_int_equal(st.st_size, 2);
}

static void write_that_fails_leaves_nothing(void **state)
{
    (void)state;
    const char *folder = lab_test_tmpdir();
    struct lab_err err = {0};
    assert_int_equal(lab_file_write(in(folder, "no/such"), "1", 1, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_int_equal(lab_file_write(folder, "1", 1, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_int_equal(entries(folder), 0);
}

/* A limit on file size makes write(2) fail after some bytes, as a full disk does. */
static int write_too_much(void *arg)
{
    struct lab_err err = {0};
    static const char bytes[10000];
    struct rlimit limit = {4096, 4096};
    if (setrlimit(RLIMIT_FSIZE, &limit) < 0 || signal(SIGXFSZ, SIG_IGN) == SIG_ERR) {
        return 99;
    }
    int rc = lab_file_write(arg, bytes, sizeof(bytes), &err);
    return rc < 0 && err.kind == LAB_ERR_SYSTEM ? 0 : 1;
}

static void a_full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    const char *folder = lab_test_tmpdir();
    char path[512];
    struct lab_err err = {0};
    struct lab_buf out;
    lab_buf_init(&out);
    (void)snprintf(path, sizeof(path), "%s/f", folder);
    assert_int_equal(lab_file_write(path, "old", 3, &err), 0);
    assert_int_equal(lab_test_child(write_too_much, path, NULL, NULL), 0);
    assert_int_equal(lab_file_read(path, 100, &out, &err), 0);
    assert_string_equal(lab_buf_str(&out), "old");
    assert_int_equal(entries(folder), 1);
    lab_buf_fini(&out);
}

static void write_to_a_device_is_in_place(void **state)
{
    (void)state;
    struct lab_err err = {0};
    struct stat st;
    assert_int_equal(lab_file_write("/dev/null", "1", 1, &err), 0);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_int_equal(lab_file_write("/dev/full", "1", 1, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_SYSTEM);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(file_reads_back_every_byte),
    cmocka_unit_test(file_reads_an_empty_file),
    cmocka_unit_test(file_names_what_is_wrong_with_a_path),
    cmocka_unit_test(a_failed_read_takes_back_what_it_added),
    cmocka_unit_test(file_dash_is_standard_input),
    cmocka_unit_test(write_replaces_and_keeps_the_mode),
    cmocka_unit_test(write_through_a_link_keeps_the_link),
    cmocka_unit_test(write_that_fails_leaves_nothing),
    cmocka_unit_test(a_full_disk_keeps_the_old_file),
    cmocka_unit_test(write_to_a_device_is_in_place),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
