/* Any PTX that parses: its kernels are decoded or refused with a line, and what can be launched
 * runs to an end, a fault or the budget, with counters and checks on or off and under either
 * policy, as the first byte of the text says. */
#include <stdlib.h>

#include "lab/buf.h"
#include "lab/err.h"
#include "vg_count.h"
#include "vgpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BUFFER_BYTES 65536u

static void launch(struct vgpu *g, struct vgpu_kernel *k, uint64_t buffer,
                   const struct ptx_module *m)
{
    struct vgpu_kernel_info info;
    struct vgpu_counters counters;
    struct vgpu_fault fault;
    vgpu_kernel_info(k, &info);
    uint64_t *params = lab_alloc(info.param_bytes / 8 + 1u, sizeof(*params));
    for (uint32_t n = 0; n < info.param_bytes / 8; n++) {
        params[n] = buffer + n * 1024 % BUFFER_BYTES;
    }
    struct vgpu_launch l = {.kernel = k,
                            .grid = {3, 1, 1},
                            .block = {70, 1, 1},
                            .dynamic_shared = 1024,
                            .params = params};
    LAB_ASSERT(vgpu_counters_init(&counters, m) == 0);
    enum vgpu_status s = vgpu_run(g, &l, &counters, &fault);
    LAB_ASSERT(s == VGPU_OK || fault.text[0] != '\0');
    vgpu_counters_fini(&counters);
    free(params);
}

static void run(struct vgpu *g, const uint8_t *data, size_t size)
{
    struct vgpu_module *m = NULL;
    struct lab_err err = {0};
    uint64_t buffer = 0;
    if (vgpu_module_load(g, "fuzz", (const char *)data, size, &m, &err) != VGPU_OK) {
        LAB_ASSERT(err.msg[0] != '\0');
        return;
    }
    LAB_ASSERT(vgpu_alloc(g, VGPU_MEM_DEVICE, BUFFER_BYTES, &buffer) == VGPU_OK);
    const struct ptx_module *ptx = vgpu_module_ptx(m);
    for (const struct ptx_func *f = ptx->funcs; f != NULL; f = f->next) {
        struct vgpu_kernel *k = f->kind == PTX_ENTRY ? vgpu_module_kernel(m, f->name) : NULL;
        if (k != NULL) {
            launch(g, k, buffer, ptx);
        }
    }
    vgpu_module_unload(m);
    LAB_ASSERT(vgpu_free(g, buffer) == VGPU_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vgpu_desc desc = *vgpu_desc_find("h100");
    desc.cc_major = 12;
    desc.memory_bytes = 64u << 20;
    unsigned mode = size > 0 ? data[0] : 0;
    struct vgpu_config c = {.desc = &desc,
                            .checks = (mode & 1) != 0 ? VGPU_CHECK_ALL : 0,
                            .counters = (mode & 2) != 0,
                            .threads = 1,
                            .policy = (mode & 4) != 0 ? VGPU_POLICY_STACK : VGPU_POLICY_ITS,
                            .budget = 3000};
    struct vgpu *g = NULL;
    struct lab_err err = {0};
    LAB_ASSERT(vgpu_open(&c, &g, &err) == 0);
    run(g, data, size);
    vgpu_close(g);
    return 0;
}
