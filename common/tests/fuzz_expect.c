/* Arbitrary goldens and outputs, "GOLDEN NUL OUTPUT": no input may crash a comparison, and these
 * laws hold for all: a refusal is an input error, text equals itself, and so does a well-formed
 * golden without machine cells, or its numbers are not finite. */
#include <stdint.h>
#include <string.h>

#include "lab/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lab_buf both;
    struct lab_buf report;
    struct lab_err err = {0};
    lab_buf_init(&both);
    lab_buf_init(&report);
    lab_buf_add(&both, data, size);
    lab_buf_fill(&both, '\0', 1);
    const char *golden = lab_buf_str(&both);
    const char *got = golden + strlen(golden) + 1;
    int csv = lab_expect_csv("golden", golden, got, &report, &err);
    LAB_ASSERT(csv >= 0 || err.kind == LAB_ERR_INPUT);
    int itself = lab_expect_csv("golden", golden, golden, &report, &err);
    LAB_ASSERT((csv < 0) == (itself < 0));
    LAB_ASSERT(itself <= 0 || strpbrk(golden, "nNiIeEpP") != NULL);
    LAB_ASSERT(lab_expect_text("golden", golden, got, &report, &err) >= 0);
    LAB_ASSERT(lab_expect_text("golden", got, got, &report, &err) == 0);
    lab_buf_fini(&both);
    lab_buf_fini(&report);
    return 0;
}
