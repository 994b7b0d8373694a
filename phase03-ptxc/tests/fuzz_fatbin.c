/* Any bytes as a fat binary: every entry is inside them, and what it holds stays within its bound.
 */
#include <string.h>

#include "cu_fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cu_fatbin fb;
    struct cu_fatbin_entry e;
    struct lab_err err = {0};
    struct lab_buf out;
    lab_buf_init(&out);
    if (cu_fatbin_open("f", data, size, &fb, &err) == 0) {
        LAB_ASSERT(fb.len <= size && fb.len == cu_fatbin_size(data));
        int rc;
        while ((rc = cu_fatbin_next(&fb, &e, &err)) > 0) {
            LAB_ASSERT(e.data >= data && e.size <= size - (size_t)(e.data - data));
            /* Honest sizes only: a bound of 64 MiB an entry would be the fuzzer's whole time. */
            if (e.plain_size < 1u << 16) {
                lab_buf_clear(&out);
                LAB_ASSERT(cu_fatbin_extract(&fb, &e, &out, &err) < 0 || out.len <= e.plain_size);
            }
        }
        LAB_ASSERT(rc == 0 || strstr(err.msg, "expected") != NULL);
    } else {
        LAB_ASSERT(strstr(err.msg, "expected") != NULL);
    }
    lab_buf_fini(&out);
    return 0;
}
