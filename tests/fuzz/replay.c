/* The main of a fuzz target without libFuzzer: every file of a corpus folder, once.
 *
 * So the inputs that once broke a parser are tried by every build, not only by clang's. Says how
 * many it tried; an empty or missing corpus is a failure, since it would test nothing. */
#include <dirent.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    struct lab_buf bytes;
    struct lab_err err = {0};
    lab_buf_init(&bytes);
    int rc = lab_file_read(path, 1 << 20, &bytes, &err);
    if (rc < 0) {
        fprintf(stderr, "replay: %s\n", err.msg);
    } else {
        (void)LLVMFuzzerTestOneInput((const uint8_t *)lab_buf_str(&bytes), bytes.len);
    }
    lab_buf_fini(&bytes);
    return rc;
}

int main(int argc, char **argv)
{
    DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
    if (dir == NULL) {
        fprintf(stderr, "replay: usage: %s CORPUS-FOLDER\n", argv[0]);
        return LAB_EXIT_USAGE;
    }
    int tried = 0;
    int failed = 0;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        char path[4096];
        struct stat st;
        snprintf(path, sizeof(path), "%s/%s", argv[1], e->d_name);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
            failed += replay(path) < 0;
            tried++;
        }
    }
    closedir(dir);
    printf("replayed %d inputs\n", tried);
    return tried > 0 && failed == 0 ? LAB_EXIT_OK : LAB_EXIT_CHECK;
}
