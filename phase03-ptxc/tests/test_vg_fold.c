/* Our arithmetic against ptxas's, by the tables under tests/data: more than a thousand folded
 * vectors, and the list of all instructions that exist. Needs no toolkit. */
#include <stdlib.h>

#include "lab/test.h"

#include "vg_cases.h"
#include "vg_one.h"
#include "vg_table.h"

static uint64_t ours(const struct vg_table_row *r)
{
    char text[128], names[4][4];
    const char *pointers[4];
    struct vg_fold f = {.op = r->op, .letters = r->letters};
    vg_fold_statement(&f, text, sizeof(text));
    unsigned n = (unsigned)strlen(r->letters) - 1;
    for (unsigned k = 0; k < n; k++) {
        snprintf(names[k], sizeof(names[k]), "%%%c%u", r->letters[k + 1], (k + 1) % 8);
        pointers[k] = names[k];
    }
    char dest[] = {'%', r->letters[0], '0', '\0'};
    return vg_one_value(text, dest, n, pointers, r->source);
}

/* Distance of two f32 in units in the last place, across zero; NaN only near NaN. */
static uint64_t units_apart(uint64_t a, uint64_t b)
{
    int64_t x = (int32_t)a < 0 ? INT32_MIN - (int64_t)(int32_t)a : (int32_t)a;
    int64_t y = (int32_t)b < 0 ? INT32_MIN - (int64_t)(int32_t)b : (int32_t)b;
    bool nan_a = (a & 0x7FFFFFFF) > 0x7F800000, nan_b = (b & 0x7FFFFFFF) > 0x7F800000;
    if (nan_a || nan_b) {
        return nan_a && nan_b ? 0 : UINT64_MAX;
    }
    return (uint64_t)(x > y ? x - y : y - x);
}

static void every_folded_vector_comes_out(void **state)
{
    (void)state;
    FILE *f = vg_table_open(VG_FOLD_TABLE);
    struct vg_table_row r;
    unsigned rows = 0, wrong = 0;
    while (vg_table_next(f, &r)) {
        bool approximate = strstr(r.op, "approx") != NULL || strstr(r.op, "full") != NULL;
        uint64_t got = ours(&r);
        bool right = approximate ? units_apart(got, r.result) <= 1 : got == r.result;
        if (!right) {
            print_error("%s %s of %" PRIX64 " %" PRIX64 " %" PRIX64 ": %" PRIX64 ", ptxas %" PRIX64
                        "\n",
                        r.op, r.letters, r.source[0], r.source[1], r.source[2], got, r.result);
            wrong++;
        }
        rows++;
    }
    fclose(f);
    print_message("vectors: %u\n", rows);
    assert_true(rows >= 300);
    assert_int_equal(wrong, 0);
}

/* --- spellings --- */

/* Where we differ from ptxas on purpose: a part of the statement, what follows later in it, and who
 * takes it. */
static const struct {
    const char *first, *then;
    bool ours;
} differences[] = {
    /* The ISA has bf16 fma to nearest only … */
    {"fma.rz", "bf16", false},
    {"fma.rm", "bf16", false},
    {"fma.rp", "bf16", false},
    /* … the carry flag for 32 and 64 bits only, and no .ftz of f64. */
    {"addc", "16", false},
    {"subc", "16", false},
    {"madc", "16", false},
    {"rcp", ".ftz.f64", false},
    /* It converts between bf16 and integers of 8 bits. */
    {"cvt", ".bf16.u8", true},
    {"cvt", ".bf16.s8", true},
    {"cvt", ".u8.bf16", true},
    {"cvt", ".s8.bf16", true},
};

static bool on_purpose(const char *statement, bool ours_takes)
{
    for (unsigned k = 0; k < sizeof(differences) / sizeof(differences[0]); k++) {
        const char *at = strstr(statement, differences[k].first);
        if (at != NULL && strstr(at, differences[k].then) != NULL &&
            differences[k].ours == ours_takes) {
            return true;
        }
    }
    return false;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The lines of the table, sorted; *n of them. */
static char **accepted_lines(unsigned *n)
{
    char line[256], **lines = NULL;
    FILE *f = fopen(VG_SPELL_TABLE, "r");
    LAB_ASSERT(f != NULL);
    for (*n = 0; fgets(line, sizeof(line), f) != NULL; (*n)++) {
        line[strcspn(line, "\n")] = '\0';
        char **more = realloc(lines, (*n + 1) * sizeof(*lines));
        LAB_ASSERT(more != NULL);
        lines = more;
        lines[*n] = strdup(line);
    }
    fclose(f);
    LAB_ASSERT(lines != NULL);
    qsort(lines, *n, sizeof(*lines), by_text);
    return lines;
}

static void the_decoder_takes_what_ptxas_takes_and_nothing_else(void **state)
{
    (void)state;
    struct vg_cases c;
    unsigned n, wrong = 0, taken = 0;
    char **lines = accepted_lines(&n);
    vg_cases_spellings(&c);
    for (unsigned k = 0; k < c.n; k++) {
        const char *s = c.statements[k];
        struct vg_one *o = vg_one_new(s, NULL);
        bool ptxas = bsearch(&s, lines, n, sizeof(*lines), by_text) != NULL;
        taken += o != NULL;
        if ((o != NULL) != ptxas && !on_purpose(s, o != NULL)) {
            print_error("%s: taken by %s alone\n", s, o != NULL ? "us" : "ptxas");
            wrong++;
        }
        vg_one_free(o);
    }
    print_message("spellings: %u, taken: %u\n", c.n, taken);
    vg_cases_free(&c);
    for (unsigned k = 0; k < n; k++) {
        free(lines[k]);
    }
    free(lines);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_folded_vector_comes_out),
        cmocka_unit_test(the_decoder_takes_what_ptxas_takes_and_nothing_else),
    };
    return LAB_TEST_MAIN(tests);
}
