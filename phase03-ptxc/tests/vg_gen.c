/* Writes the tables under tests/data: `vg_gen fold` and `vg_gen spell`, on standard output. Needs
 * ptxas. What it prints and why is told in tests/data/README.md. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/test.h"

#include "vg_cases.h"

static int folds(struct lab_err *err)
{
    unsigned n;
    struct vg_fold *f = vg_cases_folds(&n);
    for (unsigned k = 0, end; k < n; k = end) { /* runs of one arch */
        for (end = k; end < n && strcmp(f[end].arch, f[k].arch) == 0;) {
            end++;
        }
        if (vg_ptxas_fold(f + k, end - k, err) < 0) {
            free(f);
            return -1;
        }
    }
    printf("instruction,registers,result,a,b,c,d\n");
    for (unsigned k = 0; k < n; k++) {
        if (f[k].folded) {
            printf("%s,%s,%" PRIX64 ",%" PRIX64 ",%" PRIX64 ",%" PRIX64 ",%" PRIX64 "\n", f[k].op,
                   f[k].letters, f[k].result, f[k].source[0], f[k].source[1], f[k].source[2],
                   f[k].source[3]);
        }
    }
    free(f);
    return 0;
}

static int spellings(struct lab_err *err)
{
    struct vg_cases c;
    vg_cases_spellings(&c);
    bool *ok = calloc(c.n, sizeof(*ok));
    LAB_ASSERT(ok != NULL);
    int got = vg_ptxas_accepts((const char *const *)(const void *)c.statements, c.n, ok, err);
    for (unsigned k = 0; got == 0 && k < c.n; k++) {
        if (ok[k]) {
            printf("%s\n", c.statements[k]);
        }
    }
    free(ok);
    vg_cases_free(&c);
    return got;
}

int main(int argc, char **argv)
{
    struct lab_err err = {0};
    if (vg_ptxas_path() == NULL) {
        fprintf(stderr, "vg_gen: no ptxas on this machine\n");
        return LAB_EXIT_SKIP;
    }
    if (argc == 2 && strcmp(argv[1], "fold") == 0) {
        if (folds(&err) == 0) {
            return 0;
        }
    } else if (argc == 2 && strcmp(argv[1], "spell") == 0) {
        if (spellings(&err) == 0) {
            return 0;
        }
    } else {
        lab_err_input(&err, "expected 'fold' or 'spell'");
    }
    fprintf(stderr, "vg_gen: %s\n", err.msg);
    return lab_err_exit(&err);
}
