/* What a launch left behind: buffers, element by element, and findings. */
#include "vg_cmd_print.h"

#include <stdlib.h>
#include <string.h>

#include "vg_cmd_tables.h"

enum { PRINTED_UNASKED = 8 };

struct range {
    const struct vg_arg *buffer;
    uint64_t first, last;
};

static bool number(const char *text, size_t len, uint64_t *v)
{
    uint8_t bytes[8];
    if (len == 0 || text[0] == '-' || vg_element_parse(PTX_U64, text, len, bytes) < 0) {
        return false;
    }
    memcpy(v, bytes, sizeof(*v));
    return true;
}

static int parse_print(const struct vg_args *a, const char *text, struct range *r,
                       struct lab_err *err)
{
    char name[VG_ARG_NAME] = "";
    size_t len = strcspn(text, ":");
    if (len > 0 && len < sizeof(name)) {
        memcpy(name, text, len);
    }
    r->buffer = vg_args_find(a, name);
    if (r->buffer == NULL) {
        return lab_err_input(
            err, "--print '%s': no buffer has that name; expected NAME or NAME:A-B", text);
    }
    r->first = 0;
    r->last = r->buffer->n - 1;
    if (text[len] == '\0') {
        return 0;
    }
    const char *from = text + len + 1, *dash = strchr(from, '-');
    if (dash == NULL || !number(from, (size_t)(dash - from), &r->first) ||
        !number(dash + 1, strlen(dash + 1), &r->last) || r->first > r->last ||
        r->last >= r->buffer->n) {
        return lab_err_input(err, "--print '%s': expected NAME:A-B with 0 <= A <= B <= %llu", text,
                             (unsigned long long)(r->buffer->n - 1));
    }
    return 0;
}

int vg_print_check(const struct vg_args *a, const char *const *prints, struct lab_err *err)
{
    struct range r;
    for (size_t i = 0; prints[i] != NULL; i++) {
        if (parse_print(a, prints[i], &r, err) < 0) {
            return -1;
        }
    }
    return 0;
}

static void print_range(const struct vg_args *a, const struct range *r, struct lab_table *t)
{
    uint8_t *bytes = vg_args_fetch(a, r->buffer);
    struct lab_buf value;
    lab_buf_init(&value);
    for (uint64_t i = r->first; i <= r->last; i++) {
        lab_buf_clear(&value);
        vg_element_print(r->buffer->type, bytes, i, &value);
        lab_table_str(t, r->buffer->name);
        vg_put_int(t, i);
        lab_table_str(t, lab_buf_str(&value));
    }
    lab_buf_fini(&value);
    free(bytes);
}

void vg_print_buffers(const struct vg_args *a, const char *const *prints, struct lab_run *run)
{
    struct lab_table *t = NULL;
    struct range r;
    for (size_t i = 0; prints[i] != NULL; i++) {
        int rc = parse_print(a, prints[i], &r, NULL);
        LAB_ASSERT(rc == 0);
        t = t != NULL ? t : lab_run_table(run, &vg_table_buffers);
        print_range(a, &r, t);
    }
    for (uint32_t i = 0; i < a->n && prints[0] == NULL; i++) {
        const struct vg_arg *b = &a->at[i];
        if (b->kind == VG_ARG_BUFFER && b->named) {
            r = (struct range){b, 0, (b->n < PRINTED_UNASKED ? b->n : PRINTED_UNASKED) - 1};
            t = t != NULL ? t : lab_run_table(run, &vg_table_buffers);
            print_range(a, &r, t);
        }
    }
}

void vg_print_findings(const struct vg_finding *list, size_t n, struct lab_table *t)
{
    for (size_t i = 0; i < n; i++) {
        const struct vg_finding *f = &list[i];
        lab_table_str(t, vg_check_name(vg_check_of(f->reason)));
        lab_table_str(t, f->what);
        vg_put_thread(t, &f->block);
        vg_put_thread(t, &f->thread);
        if (f->pc < f->func->ninsns) {
            lab_table_int(t, f->func->insns[f->pc].pos.line);
        } else {
            lab_table_none(t);
        }
        vg_put_place(t, f->func, f->pc);
        vg_put_int(t, f->count);
    }
}
