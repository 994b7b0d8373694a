/* The arguments of a launch: from words to device memory and a parameter block.
 *
 * Model: words and parameters are matched by position. A buffer's bytes are made on the host, kept
 * for whoever checks the result, and copied to the device; one without an INIT stays unwritten, so
 * that the init check can tell. Invariant: a word that does not fit its parameter is refused before
 * anything is allocated.
 */
#include "vg_cmd_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/file.h"
#include "lab/rng.h"

/* "u64 u64 u64 u32", what the kernel takes. */
static void put_signature(const struct ptx_func *f, struct lab_buf *out)
{
    for (const struct ptx_var *p = f->params; p != NULL; p = p->next) {
        lab_buf_printf(out, "%s%s", p == f->params ? "" : " ", ptx_type_name(p->type));
        if (p->elements != 1) {
            lab_buf_printf(out, "[%llu]", (unsigned long long)p->elements);
        }
    }
}

static int wrong_count(const struct ptx_func *f, uint32_t got, struct lab_err *err)
{
    struct lab_buf text;
    lab_buf_init(&text);
    put_signature(f, &text);
    (void)lab_err_input(err, "kernel '%s' takes %u parameter%s%s%s%s, got %u --arg", f->name,
                        f->nparams, f->nparams == 1 ? "" : "s", f->nparams > 0 ? " (" : "",
                        lab_buf_str(&text), f->nparams > 0 ? ")" : "", got);
    lab_buf_fini(&text);
    return -1;
}

/* May this argument stand for this parameter? */
static int check_fit(const struct vg_arg *arg, const struct ptx_var *p, struct lab_err *err)
{
    uint64_t bytes = arg->kind == VG_ARG_NUMBER || arg->kind == VG_ARG_HEX ? arg->value_bytes : 8;
    if (bytes != p->size) {
        return lab_err_input(err, "%llu bytes for a parameter of %llu (.%s%s)",
                             (unsigned long long)bytes, (unsigned long long)p->size,
                             ptx_type_name(p->type), p->elements != 1 ? " array, give hex:" : "");
    }
    bool bits = p->type == PTX_B8 || p->type == PTX_B16 || p->type == PTX_B32 || p->type == PTX_B64;
    if (arg->kind == VG_ARG_NUMBER && !bits &&
        vg_element_is_float(p->type) != vg_element_is_float(arg->type)) {
        return lab_err_input(err, "a number of type %s for a parameter of type .%s",
                             ptx_type_name(arg->type), ptx_type_name(p->type));
    }
    return 0;
}

/* --- what buffers hold --- */

static bool separator(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

static int fill_from_text(struct vg_arg *arg, const char *path, const struct lab_buf *text,
                          struct lab_err *err)
{
    const char *s = lab_buf_str(text);
    unsigned size = ptx_type_size(arg->type);
    uint64_t i = 0;
    int line = 1;
    while (*s != '\0') {
        size_t len = strcspn(s, " \t\n\r,");
        if (separator(*s)) {
            line += *s++ == '\n';
            continue;
        }
        if (i == arg->n) {
            return lab_err_input(err, "%s:%d: more than %llu numbers", path, line,
                                 (unsigned long long)arg->n);
        }
        if (vg_element_parse(arg->type, s, len, arg->initial + i * size) < 0) {
            return lab_err_input(err, "%s:%d: '%.*s' is no number of type %s", path, line,
                                 (int)(len < 40 ? len : 40), s, ptx_type_name(arg->type));
        }
        s += len;
        i++;
    }
    if (i != arg->n) {
        return lab_err_input(err, "%s: %llu numbers, expected %llu", path, (unsigned long long)i,
                             (unsigned long long)arg->n);
    }
    return 0;
}

static int fill_from_file(struct vg_arg *arg, const char *path, struct lab_err *err)
{
    struct lab_buf text;
    lab_buf_init(&text);
    int rc = lab_file_read(path, VG_ARG_BYTES, &text, err);
    if (rc == 0 && strlen(lab_buf_str(&text)) != text.len) {
        rc = lab_err_input(err, "%s: holds a NUL byte, expected numbers as text", path);
    }
    rc = rc == 0 ? fill_from_text(arg, path, &text, err) : rc;
    lab_buf_fini(&text);
    return rc;
}

static void fill_random(struct vg_arg *arg, uint64_t seed)
{
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    for (uint64_t i = 0; i < arg->n; i++) {
        double v =
            vg_element_is_float(arg->type) ? lab_rng_f64(&rng) : (double)lab_rng_below(&rng, 100);
        vg_element_set(arg->type, arg->initial, i, v);
    }
}

static void fill_iota(struct vg_arg *arg)
{
    for (uint64_t i = 0; i < arg->n; i++) {
        vg_element_set(arg->type, arg->initial, i, (double)i);
    }
}

static int fill(struct vg_arg *arg, uint64_t seed, struct lab_err *err)
{
    unsigned size = ptx_type_size(arg->type);
    uint8_t value[8] = {0};
    arg->initial = lab_alloc(arg->n, size);
    if (arg->init[0] == '@') {
        return fill_from_file(arg, arg->init + 1, err);
    }
    if (strcmp(arg->init, "iota") == 0) {
        fill_iota(arg);
        return 0;
    }
    if (strcmp(arg->init, "rand") == 0) {
        fill_random(arg, seed);
        return 0;
    }
    const char *text = strcmp(arg->init, "zero") == 0  ? "0"
                       : strcmp(arg->init, "one") == 0 ? "1"
                                                       : arg->init;
    if (vg_element_parse(arg->type, text, strlen(text), value) < 0) {
        return lab_err_input(err,
                             "'%s' is no contents for %s, expected iota, zero, one, rand, a "
                             "number or @FILE",
                             arg->init, ptx_type_name(arg->type));
    }
    for (uint64_t i = 0; i < arg->n; i++) {
        memcpy(arg->initial + i * size, value, size);
    }
    return 0;
}

/* --- from words to a launch --- */

static int allocate(struct vg_args *a, struct vg_arg *arg, uint64_t seed, struct lab_err *err)
{
    uint64_t bytes = arg->n * ptx_type_size(arg->type);
    if (arg->init != NULL && fill(arg, seed, err) < 0) {
        return -1;
    }
    enum vgpu_status s = vgpu_alloc(a->g, VGPU_MEM_DEVICE, bytes, &arg->addr);
    if (s != VGPU_OK) {
        return lab_err_input(err, "%llu bytes of device memory: %s", (unsigned long long)bytes,
                             vgpu_status_name(s));
    }
    if (arg->initial != NULL) {
        s = vgpu_write(a->g, arg->addr, arg->initial, bytes);
        LAB_ASSERT(s == VGPU_OK);
    }
    return 0;
}

static int place(struct vg_args *a, const struct vg_arg *arg, const struct ptx_var *p,
                 struct lab_err *err)
{
    uint64_t addr = arg->addr;
    if (arg->kind == VG_ARG_NUMBER || arg->kind == VG_ARG_HEX) {
        memcpy(a->params + p->param_offset, arg->value, p->size);
        return 0;
    }
    if (arg->kind == VG_ARG_POINTER) {
        const struct vg_arg *to = vg_args_find(a, arg->name);
        if (to == NULL) {
            return lab_err_input(err, "no buffer is called '%s'", arg->name);
        }
        addr = to->addr + arg->offset;
    }
    memcpy(a->params + p->param_offset, &addr, sizeof(addr));
    return 0;
}

static int parse_words(struct vg_args *a, const struct ptx_func *f,
                       const struct vg_arg_words *words, struct lab_err *err)
{
    const struct ptx_var *p = f->params;
    for (uint32_t i = 0; i < a->n; i++, p = p->next) {
        struct vg_arg *arg = &a->at[i];
        if (vg_arg_parse(words->at[i], arg, err) < 0 || check_fit(arg, p, err) < 0) {
            lab_err_prefix(err, "--arg %u '%s'", i + 1, words->at[i]);
            return -1;
        }
        if (arg->kind == VG_ARG_BUFFER && !arg->named) {
            (void)snprintf(arg->name, sizeof(arg->name), "arg%u", i);
        }
        for (uint32_t k = 0; k < i && arg->kind == VG_ARG_BUFFER; k++) {
            if (a->at[k].kind == VG_ARG_BUFFER && strcmp(a->at[k].name, arg->name) == 0) {
                return lab_err_input(err, "--arg %u '%s': another buffer is called '%s'", i + 1,
                                     words->at[i], arg->name);
            }
        }
    }
    return 0;
}

static int fill_in(struct vg_args *a, const struct ptx_func *f, const struct vg_arg_words *words,
                   struct lab_err *err)
{
    a->params = lab_alloc((size_t)f->param_bytes + 1, 1);
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->at[i].kind == VG_ARG_BUFFER && allocate(a, &a->at[i], words->seed + i, err) < 0) {
            lab_err_prefix(err, "--arg %u '%s'", i + 1, words->at[i]);
            return -1;
        }
    }
    const struct ptx_var *p = f->params;
    for (uint32_t i = 0; i < a->n; i++, p = p->next) {
        if (place(a, &a->at[i], p, err) < 0) {
            lab_err_prefix(err, "--arg %u '%s'", i + 1, words->at[i]);
            return -1;
        }
    }
    return 0;
}

int vg_args_make(struct vg_args *a, struct vgpu *g, const struct vgpu_kernel *kernel,
                 const struct vg_arg_words *words, struct lab_err *err)
{
    struct vgpu_kernel_info info;
    vgpu_kernel_info(kernel, &info);
    *a = (struct vg_args){.g = g};
    while (words->at[a->n] != NULL) {
        a->n++;
    }
    if (a->n != info.nparams) {
        (void)wrong_count(info.func, a->n, err);
        *a = (struct vg_args){0};
        return -1;
    }
    a->at = lab_alloc((size_t)a->n + 1, sizeof(*a->at));
    if (parse_words(a, info.func, words, err) < 0 || fill_in(a, info.func, words, err) < 0) {
        vg_args_free(a);
        return -1;
    }
    return 0;
}

void vg_args_free(struct vg_args *a)
{
    for (uint32_t i = 0; i < a->n && a->at != NULL; i++) {
        if (a->at[i].addr != 0) {
            (void)vgpu_free(a->g, a->at[i].addr);
        }
        free(a->at[i].initial);
    }
    free(a->at);
    free(a->params);
    *a = (struct vg_args){0};
}

const struct vg_arg *vg_args_find(const struct vg_args *a, const char *name)
{
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->at[i].kind == VG_ARG_BUFFER && strcmp(a->at[i].name, name) == 0) {
            return &a->at[i];
        }
    }
    return NULL;
}

uint8_t *vg_args_fetch(const struct vg_args *a, const struct vg_arg *buffer)
{
    uint64_t bytes = buffer->n * ptx_type_size(buffer->type);
    uint8_t *data = lab_alloc(bytes + 1, 1);
    enum vgpu_status s = vgpu_read(a->g, data, buffer->addr, bytes);
    LAB_ASSERT(s == VGPU_OK);
    return data;
}
