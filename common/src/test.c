/* Problem: a test program must not be able to look green by accident.
 * Model: cmocka runs the tests; this picks them by name, turns its count of failures into one bit,
 * and owns the temporary folders.
 * Invariants: an exit code of 0 means that at least one test ran and none failed.
 * Simplified: the tests of one program share one process, so a crash hides the ones after it.
 */
#include "lab/test.h"

#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int lab_test_main(const char *name, const struct CMUnitTest *tests, size_t n, int argc, char **argv)
{
    const char *filter = argc > 1 ? argv[1] : "*";
    struct CMUnitTest *chosen = lab_alloc(n, sizeof(*chosen));
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (fnmatch(filter, tests[i].name, 0) == 0) {
            chosen[count++] = tests[i];
        }
    }
    int rc = LAB_EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "%s: no test matches '%s'; the names are:\n", name, filter);
        for (size_t i = 0; i < n; i++) {
            fprintf(stderr, "  %s\n", tests[i].name);
        }
    } else {
        int failed = _cmocka_run_group_tests(name, chosen, count, NULL, NULL);
        rc = failed == 0 ? LAB_EXIT_OK : LAB_EXIT_CHECK;
    }
    free(chosen);
    return rc;
}

long lab_test_trials(long normal)
{
    const char *text = getenv("LAB_TRIALS");
    long trials = normal;
    if (text != NULL) {
        char *end = NULL;
        errno = 0;
        trials = strtol(text, &end, 10);
        if (errno != 0 || end == text || *end != '\0' || trials < 1) {
            fprintf(stderr, "LAB_TRIALS is '%s', expected a whole number from 1\n", text);
            exit(LAB_EXIT_USAGE);
        }
    }
    printf("trials: %ld\n", trials);
    fflush(stdout);
    return trials;
}

static char **folders;
static size_t nfolders;
static pid_t owner;

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    if (remove(path) < 0) {
        fprintf(stderr, "%s: cannot remove: %s\n", path, strerror(errno));
    }
    return 0;
}

static void remove_folders(void)
{
    /* A child that a test forked ends as well, and the folders are not its own. */
    bool mine = getpid() == owner;
    for (size_t i = 0; i < nfolders; i++) {
        if (mine) {
            (void)nftw(folders[i], remove_one, 16, FTW_DEPTH | FTW_PHYS);
        }
        free(folders[i]);
    }
    free(folders);
}

const char *lab_test_tmpdir(void)
{
    const char *base = getenv("TMPDIR");
    struct lab_buf path;
    lab_buf_init(&path);
    lab_buf_printf(&path, "%s/lab-test-XXXXXX", base != NULL && base[0] != '\0' ? base : "/tmp");
    char *folder = lab_strdup(lab_buf_str(&path));
    lab_buf_fini(&path);
    if (mkdtemp(folder) == NULL) {
        fprintf(stderr, "%s: cannot make a folder: %s\n", folder, strerror(errno));
        exit(LAB_EXIT_CANNOT);
    }
    if (nfolders == 0) {
        owner = getpid();
        if (atexit(remove_folders) != 0) {
            fprintf(stderr, "cannot register the clean-up\n");
            exit(LAB_EXIT_CANNOT);
        }
    }
    folders = lab_resize(folders, nfolders + 1, sizeof(*folders));
    folders[nfolders++] = folder;
    return folder;
}

_Noreturn static void give_up(const char *what)
{
    fprintf(stderr, "lab_test_child: %s: %s\n", what, strerror(errno));
    exit(LAB_EXIT_CANNOT);
}

static void collect(FILE *from, struct lab_buf *to)
{
    char chunk[4096];
    rewind(from);
    for (size_t n = fread(chunk, 1, sizeof(chunk), from); n > 0;
         n = fread(chunk, 1, sizeof(chunk), from)) {
        if (to != NULL) {
            lab_buf_add(to, chunk, n);
        }
    }
    (void)fclose(from);
}

int lab_test_child(int (*body)(void *arg), void *arg, struct lab_buf *out, struct lab_buf *err)
{
    FILE *files[2] = {tmpfile(), tmpfile()};
    if (files[0] == NULL || files[1] == NULL) {
        give_up("cannot make a temporary file");
    }
    /* What is still buffered would be written by both processes. */
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        give_up("cannot fork");
    }
    if (child == 0) {
        if (dup2(fileno(files[0]), STDOUT_FILENO) < 0 ||
            dup2(fileno(files[1]), STDERR_FILENO) < 0) {
            give_up("cannot redirect");
        }
        exit(body(arg));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            give_up("cannot wait");
        }
    }
    collect(files[0], out);
    collect(files[1], err);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
