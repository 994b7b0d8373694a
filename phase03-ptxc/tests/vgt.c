#include "vgt.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"

struct vgt *vgt_new(const struct vgpu_config *config, const char *ptx)
{
    struct vgt *t = lab_alloc(1, sizeof(*t));
    struct lab_err err = {0};
    if (config != NULL) {
        t->config = *config;
    }
    t->config.desc = t->config.desc != NULL ? t->config.desc : vgpu_desc_find("a100");
    t->config.threads = t->config.threads != 0 ? t->config.threads : 1;
    if (vgpu_open(&t->config, &t->g, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    if (vgpu_module_load(t->g, "test.ptx", ptx, strlen(ptx), &t->m, &err) != VGPU_OK) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(vgpu_alloc(t->g, VGPU_MEM_DEVICE, VGT_WORDS * 4, &t->out), VGPU_OK);
    assert_int_equal(vgpu_counters_init(&t->counters, vgpu_module_ptx(t->m)), 0);
    return t;
}

void vgt_free(struct vgt *t)
{
    vgpu_counters_fini(&t->counters);
    vgpu_module_unload(t->m);
    vgpu_close(t->g);
    free(t);
}

enum vgpu_status vgt_launch(struct vgt *t, const char *name, uint32_t grid, uint32_t block,
                            const uint64_t *abc)
{
    uint64_t params[4] = {t->out, 0, 0, 0};
    if (abc != NULL) {
        memcpy(params + 1, abc, 3 * sizeof(*abc));
    }
    struct vgpu_launch l = {.kernel = vgpu_module_kernel(t->m, name),
                            .grid = {grid, 1, 1},
                            .block = {block, 1, 1},
                            .params = params};
    assert_non_null(l.kernel);
    return vgpu_run(t->g, &l, &t->counters, &t->fault);
}

void vgt_words(struct vgt *t, uint32_t grid, uint32_t block, uint32_t *words, uint32_t n)
{
    assert_int_equal(vgpu_set(t->g, t->out, 0, 4, VGT_WORDS), VGPU_OK);
    if (vgt_launch(t, "k", grid, block, NULL) != VGPU_OK) {
        fail_msg("line %u: %s", t->fault.func->insns[t->fault.pc].pos.line, t->fault.text);
    }
    assert_int_equal(vgpu_read(t->g, words, t->out, n * 4), VGPU_OK);
}

void vgt_run(const char *ptx, uint32_t grid, uint32_t block, uint32_t *words, uint32_t n)
{
    struct vgt *t = vgt_new(NULL, ptx);
    vgt_words(t, grid, block, words, n);
    vgt_free(t);
}

uint64_t vgt_buffer(struct vgt *t, const void *bytes, size_t n)
{
    uint64_t at = 0;
    assert_int_equal(vgpu_alloc(t->g, VGPU_MEM_DEVICE, n, &at), VGPU_OK);
    assert_int_equal(vgpu_write(t->g, at, bytes, n), VGPU_OK);
    return at;
}

void vgt_fails(struct vgt *t, uint32_t grid, uint32_t block, enum vgpu_status want,
               const char *part)
{
    enum vgpu_status got = vgt_launch(t, "k", grid, block, NULL);
    if (got != want || strstr(t->fault.text, part) == NULL) {
        fail_msg("got '%s' (%s), expected '%s' with '%s'", vgpu_status_name(got), t->fault.text,
                 vgpu_status_name(want), part);
    }
}
