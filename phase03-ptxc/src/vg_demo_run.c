/* Launching a case: load, fill, run, fetch, compare, and sum what was counted.
 *
 * Invariant: the outcome's hash covers every byte of every buffer and every counter of every
 * instruction, so that two runs with one hash are the same run for all that can be seen.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/stats.h"
#include "vg_demo.h"

#define TOLERANCE 1e-3 /* relative, and absolute below 1 */

struct vg_stage_file {
    char name[64];
    struct vgpu_module *module;
    struct vg_stage_file *next;
};

int vg_stage_open(struct vg_stage *s, const struct vgpu_config *config, const char *folder,
                  struct lab_err *err)
{
    *s = (struct vg_stage){.folder = folder};
    return vgpu_open(config, &s->g, err);
}

void vg_stage_close(struct vg_stage *s)
{
    while (s->files != NULL) {
        struct vg_stage_file *f = s->files;
        s->files = f->next;
        vgpu_module_unload(f->module);
        free(f);
    }
    if (s->g != NULL) {
        vgpu_close(s->g);
    }
    *s = (struct vg_stage){0};
}

static int module_of(struct vg_stage *s, const char *file, struct vgpu_module **out,
                     struct lab_err *err)
{
    char path[4096];
    for (struct vg_stage_file *f = s->files; f != NULL; f = f->next) {
        if (strcmp(f->name, file) == 0) {
            *out = f->module;
            return 0;
        }
    }
    (void)snprintf(path, sizeof(path), "%s/%s.ptx", s->folder, file);
    if (vg_cmd_load(s->g, path, out, err) < 0) {
        return -1;
    }
    struct vg_stage_file *f = lab_alloc(1, sizeof(*f));
    (void)snprintf(f->name, sizeof(f->name), "%s", file);
    f->module = *out;
    f->next = s->files;
    s->files = f;
    return 0;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * 0x100000001B3ull;
    }
    return h;
}

static void compare(const struct vg_given *w, const uint8_t *bytes, struct vg_outcome *out)
{
    const struct vg_arg *b = &w->args->at[w->c->out];
    for (uint64_t i = 0; i < b->n; i++) {
        double got = vg_element(b->type, bytes, i), want = w->c->want(w, i);
        out->compared++;
        if (lab_close(got, want, TOLERANCE, TOLERANCE)) {
            continue;
        }
        if (out->wrong++ == 0) {
            (void)snprintf(out->first, sizeof(out->first), "element %llu is %.9g, expected %.9g",
                           (unsigned long long)i, got, want);
        }
    }
}

static void fetch(const struct vg_case *c, const struct vg_args *args, struct vg_outcome *out)
{
    const struct vg_given given = {.c = c, .args = args};
    out->hash = 0xCBF29CE484222325ull;
    for (uint32_t i = 0; i < args->n; i++) {
        const struct vg_arg *a = &args->at[i];
        if (a->kind != VG_ARG_BUFFER) {
            continue;
        }
        uint8_t *bytes = vg_args_fetch(args, a);
        out->hash = hash_bytes(out->hash, bytes, a->n * ptx_type_size(a->type));
        if (i == c->out && c->want != NULL) {
            compare(&given, bytes, out);
        }
        free(bytes);
    }
}

/* The launch itself, with counters of its own, which are then added to the caller's. */
static void launch(struct vg_stage *s, const struct vg_case *c, const struct vg_args *args,
                   struct vgpu_counters *counters, struct vg_outcome *out)
{
    struct vgpu_kernel_info info;
    struct vgpu_counters own;
    vgpu_kernel_info(out->kernel, &info);
    vgpu_counters_init(&own, info.func->module);
    struct vgpu_launch l = {.kernel = out->kernel,
                            .grid = c->grid,
                            .block = c->block,
                            .dynamic_shared = c->shared,
                            .params = args->params,
                            .watch = s->watch,
                            .watch_arg = s->watch_arg};
    out->status = vgpu_run(s->g, &l, &own, &out->fault);
    if (out->status == VGPU_OK) {
        fetch(c, args, out);
        out->sum = vg_count_sum(&own, NULL);
        out->hash = hash_bytes(out->hash, own.at, own.n * sizeof(own.at[0]));
    }
    if (counters != NULL) {
        vg_count_merge(counters, &own);
    }
    vgpu_counters_fini(&own);
}

int vg_case_run(struct vg_stage *s, const struct vg_case *c, struct vgpu_counters *counters,
                struct vg_outcome *out, struct lab_err *err)
{
    const struct vg_arg_words words = {.at = c->args, .seed = s->seed};
    struct vgpu_module *m = NULL;
    struct vg_args args;
    *out = (struct vg_outcome){0};
    if (module_of(s, c->file, &m, err) < 0 || vg_cmd_kernel(m, c->kernel, &out->kernel, err) < 0 ||
        vg_args_make(&args, s->g, out->kernel, &words, err) < 0) {
        lab_err_prefix(err, "%s", c->name);
        return -1;
    }
    launch(s, c, &args, counters, out);
    vg_args_free(&args);
    return 0;
}
