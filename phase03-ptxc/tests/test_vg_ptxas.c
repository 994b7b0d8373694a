/* The tables under tests/data made again with the ptxas of this machine. Skipped where there is
 * none. Another release of ptxas may fold or accept more; what it and the table share must agree.
 */
#include <stdlib.h>

#include "lab/test.h"

#include "vg_cases.h"
#include "vg_table.h"

/* The vector of a row in the generator's list; vectors stand in the list's order. */
static void folding_again_gives_the_table(void **state)
{
    (void)state;
    struct lab_err err = {0};
    unsigned n, rows = 0, same = 0, at = 0;
    struct vg_fold *f = vg_cases_folds(&n);
    for (unsigned k = 0, end; k < n; k = end) {
        for (end = k; end < n && strcmp(f[end].arch, f[k].arch) == 0;) {
            end++;
        }
        if (vg_ptxas_fold(f + k, end - k, &err) < 0) {
            fail_msg("%s", err.msg);
        }
    }
    FILE *table = vg_table_open(VG_FOLD_TABLE);
    struct vg_table_row r;
    for (; vg_table_next(table, &r); rows++) {
        while (at < n && (strcmp(f[at].op, r.op) != 0 ||
                          memcmp(f[at].source, r.source, sizeof(r.source)) != 0)) {
            at++;
        }
        assert_true(at < n);
        if (f[at].folded) {
            assert_true(f[at].result == r.result);
            same++;
        }
        at++;
    }
    fclose(table);
    free(f);
    print_message("vectors: %u of %u folded here\n", same, rows);
    assert_true(same >= 300);
}

static void asking_again_gives_the_same_spellings(void **state)
{
    (void)state;
    struct lab_err err = {0};
    struct vg_cases c;
    char line[256];
    vg_cases_spellings(&c);
    bool *ok = calloc(c.n, sizeof(*ok));
    assert_non_null(ok);
    if (vg_ptxas_accepts((const char *const *)(const void *)c.statements, c.n, ok, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    FILE *f = fopen(VG_SPELL_TABLE, "r");
    assert_non_null(f);
    unsigned at = 0, lines = 0;
    for (; fgets(line, sizeof(line), f) != NULL; lines++) {
        line[strcspn(line, "\n")] = '\0';
        while (at < c.n && strcmp(c.statements[at], line) != 0) {
            at++;
        }
        assert_true(at < c.n && ok[at]);
        at++;
    }
    fclose(f);
    free(ok);
    vg_cases_free(&c);
    assert_true(lines > 1500);
}

int main(int argc, char **argv)
{
    if (vg_ptxas_path() == NULL) {
        fprintf(stderr, "skipped: no ptxas on this machine\n");
        return LAB_EXIT_SKIP;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folding_again_gives_the_table),
        cmocka_unit_test(asking_again_gives_the_same_spellings),
    };
    return LAB_TEST_MAIN(tests);
}
