/* Our declarations against the toolkit's headers; skipped where there are none. */
#include "cu_agree.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "lab/file.h"
#include "lab/test.h"

#ifndef CUDA_INCLUDE_DIR

int main(void)
{
    fprintf(stderr, "skipped: no CUDA toolkit headers were found when the tree was configured\n");
    return LAB_EXIT_SKIP;
}

#else

static void every_number_is_the_toolkits(void **state)
{
    (void)state;
    assert_int_equal(agree_ours_n, agree_toolkit_n);
    assert_true(agree_ours_n > 900);
    for (size_t k = 0; k < agree_ours_n; k++) {
        assert_string_equal(agree_ours[k].what, agree_toolkit[k].what);
        if (agree_ours[k].value != agree_toolkit[k].value) {
            fail_msg("%s is %ld, the toolkit's is %ld", agree_ours[k].what, agree_ours[k].value,
                     agree_toolkit[k].value);
        }
    }
}

/* Is the word compared? */
static bool is_listed(const char *word, size_t n)
{
    for (size_t k = 0; k < agree_ours_n; k++) {
        if (strncmp(agree_ours[k].what, word, n) == 0 && agree_ours[k].what[n] == '\0') {
            return true;
        }
    }
    return false;
}

/* Enumerators stand alone on a line or after a brace: "NAME = value". */
static void check_header(const char *name)
{
    struct lab_buf text;
    char path[1024];
    size_t found = 0;
    lab_buf_init(&text);
    snprintf(path, sizeof(path), "%s/src/%s", LAB_PHASE_DIR, name);
    assert_int_equal(lab_file_read(path, 1u << 20, &text, NULL), 0);
    for (const char *at = lab_buf_str(&text); (at = strstr(at, " = ")) != NULL; at += 3) {
        const char *word = at;
        while (word > text.data && (word[-1] == '_' || isalnum((unsigned char)word[-1]))) {
            word--;
        }
        if (strncmp(word, "CU", 2) == 0 || strncmp(word, "cuda", 4) == 0) {
            found++;
            if (!is_listed(word, (size_t)(at - word))) {
                fail_msg("%s: %.*s is not in cu_agree.def", name, (int)(at - word), word);
            }
        }
    }
    assert_true(found > 10);
    lab_buf_fini(&text);
}

static void every_enumerator_is_compared(void **state)
{
    (void)state;
    check_header("cu_types.h");
    check_header("cu_graph_types.h");
    check_header("cu_rt_types.h");
    check_header("cu_rt_graph_types.h");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_number_is_the_toolkits),
    cmocka_unit_test(every_enumerator_is_compared),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}

#endif
