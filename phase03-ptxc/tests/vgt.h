/* Help for tests of the software GPU: load PTX text, run it, look at what it wrote. Everything that
 * goes wrong on the way fails the test. */
#ifndef VGT_H
#define VGT_H

#include "lab/test.h"
#include "vg_check.h"
#include "vg_count.h"
#include "vgpu.h"

#define VGT_HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* A kernel k(out, a, b, c) of .u64 parameters around a body. Declared: %r0 … 59, %rd0 … 25, %p, %f,
 * %fd, %rs. %rd26 out, %rd27 a, %rd28 b, %rd29 c; %r60 the thread's number in the grid (x only),
 * %r61 its number in the block; %rd30 the address of word %r60 of out. */
#define VGT_KERNEL(body)                                                                           \
    VGT_HEAD ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c) "    \
             "{\n" VGT_REGS body "ret;\n}\n"
#define VGT_REGS                                                                                   \
    ".reg .b32 %r<64>; .reg .b64 %rd<40>; .reg .pred %p<16>; .reg .f32 %f<20>;\n"                  \
    ".reg .f64 %fd<20>; .reg .b16 %rs<20>;\n"                                                      \
    "ld.param.u64 %rd26, [out]; ld.param.u64 %rd27, [a];\n"                                        \
    "ld.param.u64 %rd28, [b]; ld.param.u64 %rd29, [c];\n"                                          \
    "mov.u32 %r61, %tid.x; mov.u32 %r62, %ctaid.x; mov.u32 %r63, %ntid.x;\n"                       \
    "mad.lo.s32 %r60, %r62, %r63, %r61;\n"                                                         \
    "mul.wide.u32 %rd30, %r60, 4; add.s64 %rd30, %rd26, %rd30;\n"

struct vgt {
    struct vgpu_config config;
    struct vgpu *g;
    struct vgpu_module *m;
    struct vgpu_fault fault;
    struct vgpu_counters counters;
    uint64_t out; /* a device buffer of VGT_WORDS words, zeroed by vgt_run */
};

#define VGT_WORDS 65536u

/* A device (a100, one thread, independent scheduling, no checks unless `config` says otherwise;
 * NULL is fine) with the module loaded. */
struct vgt *vgt_new(const struct vgpu_config *config, const char *ptx);
void vgt_free(struct vgt *t);

/* Launch kernel `name` with up to four parameters beside out. */
enum vgpu_status vgt_launch(struct vgt *t, const char *name, uint32_t grid, uint32_t block,
                            const uint64_t *abc);
/* Zero out, run kernel k with no further parameters, which must succeed, and fetch the words. */
void vgt_words(struct vgt *t, uint32_t grid, uint32_t block, uint32_t *words, uint32_t n);
/* The same for one PTX text on a device of its own. */
void vgt_run(const char *ptx, uint32_t grid, uint32_t block, uint32_t *words, uint32_t n);

/* A device buffer with these bytes. */
uint64_t vgt_buffer(struct vgt *t, const void *bytes, size_t n);

/* A launch of k without further parameters fails so, and the text holds `part`. */
void vgt_fails(struct vgt *t, uint32_t grid, uint32_t block, enum vgpu_status want,
               const char *part);

#endif
