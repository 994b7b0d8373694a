/* What the tests of the front end share: parsing with the error as the test's own message. */
#ifndef PTX_TESTING_H
#define PTX_TESTING_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/file.h"
#include "lab/test.h"
#include "ptx.h"

#define PTX_HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"

/* The module of a text that must parse; free it with ptx_module_free. */
static inline struct ptx_module *ptx_must_parse(const char *name, const char *text, size_t len)
{
    struct ptx_module *m;
    struct lab_err err = {0};
    if (ptx_parse(name, text, len, &m, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    return m;
}

/* A text that must not parse, and its message. */
static inline void ptx_must_fail(const char *text, size_t len, const char *want)
{
    struct ptx_module *m = NULL;
    struct lab_err err = {0};
    assert_int_equal(ptx_parse("t.ptx", text, len, &m, &err), -1);
    assert_null(m);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    if (strcmp(err.msg, want) != 0) {
        fail_msg("got  '%s'\nwant '%s'", err.msg, want);
    }
}

/* Print, parse, print: the two prints must be the same. Returns the module parsed first. */
static inline struct ptx_module *ptx_round_trip(const char *name, const char *text, size_t len)
{
    struct lab_buf first, second;
    lab_buf_init(&first);
    lab_buf_init(&second);
    struct ptx_module *m = ptx_must_parse(name, text, len);
    ptx_module_print(m, &first);
    struct ptx_module *again = ptx_must_parse("printed", lab_buf_str(&first), first.len);
    ptx_module_print(again, &second);
    assert_string_equal(lab_buf_str(&first), lab_buf_str(&second));
    ptx_module_free(again);
    lab_buf_fini(&first);
    lab_buf_fini(&second);
    return m;
}

/* A module with one kernel `k` around these declarations and instructions. */
static inline struct ptx_module *ptx_kernel(const char *body)
{
    struct lab_buf text;
    lab_buf_init(&text);
    lab_buf_printf(&text, PTX_HEAD ".visible .entry k(.param .u64 kp, .param .u32 kn)\n{\n%s\n}\n",
                   body);
    struct ptx_module *m = ptx_round_trip("k.ptx", lab_buf_str(&text), text.len);
    lab_buf_fini(&text);
    return m;
}

static inline void ptx_read_file(const char *path, struct lab_buf *out)
{
    struct lab_err err = {0};
    lab_buf_clear(out);
    if (lab_file_read(path, 64u << 20, out, &err) < 0) {
        fail_msg("%s", err.msg);
    }
}

#endif
