/* The software GPU: a described device with memory, modules and launches. The layer under the
 * program `vgpu`, libcuda.so.1 and libcudart.so.13, which are thin over it.
 *
 * Thread-safety: one mutex a device guards its tables; a launch runs on the calling thread and the
 * device's own workers and returns when every block is done, so the callers' streams are ordered by
 * the order of calls. Errors are enum vgpu_status (the CUDA result it becomes is beside each) with
 * text in struct lab_err.
 */
#ifndef VGPU_H
#define VGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "ptx.h"

enum vgpu_status {
    VGPU_OK = 0,
    VGPU_INVALID_VALUE,    /* CUDA_ERROR_INVALID_VALUE 1 */
    VGPU_OUT_OF_MEMORY,    /* CUDA_ERROR_OUT_OF_MEMORY 2 */
    VGPU_INVALID_PTX,      /* CUDA_ERROR_INVALID_PTX 218 */
    VGPU_NO_BINARY,        /* CUDA_ERROR_NO_BINARY_FOR_GPU 209: a cubin without PTX */
    VGPU_UNSUPPORTED_PTX,  /* CUDA_ERROR_UNSUPPORTED_PTX_VERSION 222: .target above the device */
    VGPU_NOT_FOUND,        /* CUDA_ERROR_NOT_FOUND 500 */
    VGPU_LAUNCH_RESOURCES, /* CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES 701 */
    VGPU_COOPERATIVE_TOO_LARGE, /* CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE 720 */
    /* Faults of a running kernel: they poison the context. */
    VGPU_ILLEGAL_ADDRESS,     /* CUDA_ERROR_ILLEGAL_ADDRESS 700 */
    VGPU_MISALIGNED,          /* CUDA_ERROR_MISALIGNED_ADDRESS 716 */
    VGPU_ADDRESS_SPACE,       /* CUDA_ERROR_INVALID_ADDRESS_SPACE 717 */
    VGPU_INVALID_PC,          /* CUDA_ERROR_INVALID_PC 718 */
    VGPU_ILLEGAL_INSTRUCTION, /* CUDA_ERROR_ILLEGAL_INSTRUCTION 715 */
    VGPU_ASSERT,              /* CUDA_ERROR_ASSERT 710 */
    VGPU_TRAP,                /* CUDA_ERROR_LAUNCH_FAILED 719 (trap, brkpt, stack overflow) */
    VGPU_TIMEOUT, /* CUDA_ERROR_LAUNCH_TIMEOUT 702: the instruction budget, or every warp waits */
};

const char *vgpu_status_name(enum vgpu_status s);

/* A described chip. Figures from NVIDIA's data sheets and the CUDA C++ Programming Guide's table of
 * compute capabilities; the source of each row stands in vg_device.c. */
struct vgpu_desc {
    const char *key;  /* "a100" */
    const char *name; /* "NVIDIA A100-SXM4-80GB (software)" */
    uint32_t cc_major, cc_minor;
    uint32_t sms;
    uint64_t memory_bytes;
    uint32_t clock_khz, memory_clock_khz, bus_bits;
    uint32_t l2_bytes;
    uint32_t max_threads_per_block, max_threads_per_sm, max_blocks_per_sm, max_warps_per_sm;
    uint32_t regs_per_block, regs_per_sm, max_regs_per_thread;
    uint32_t shared_per_block, shared_per_block_optin, shared_per_sm, shared_reserved;
    uint32_t max_grid[3], max_block[3];
};

const struct vgpu_desc *vgpu_desc_find(const char *key); /* NULL: no such chip */
const struct vgpu_desc *vgpu_desc_list(size_t *n);

enum vgpu_check {
    VGPU_CHECK_MEM = 1,  /* bounds to the byte, alignment, use after free, host pointers */
    VGPU_CHECK_RACE = 2, /* shared-memory hazards between barriers */
    VGPU_CHECK_SYNC = 4, /* divergent barriers, .sync with members missing */
    VGPU_CHECK_INIT = 8, /* reads of shared or global memory nobody wrote */
    VGPU_CHECK_ALL = 15,
};

enum vgpu_policy { VGPU_POLICY_ITS, VGPU_POLICY_STACK };

struct vgpu_config {
    const struct vgpu_desc *desc;
    unsigned checks;  /* enum vgpu_check */
    bool counters;    /* per launch, per PTX instruction */
    unsigned threads; /* host threads for blocks; 0: all */
    enum vgpu_policy policy;
    uint64_t budget; /* warp instructions per launch; 0: none */
};

struct vgpu; /* a device */

int vgpu_open(const struct vgpu_config *config, struct vgpu **out, struct lab_err *err);
void vgpu_close(struct vgpu *g);
const struct vgpu_desc *vgpu_desc_of(const struct vgpu *g);

/* --- memory ---
 * Device addresses are 64-bit and unique over the device. Device memory (VGPU_MEM_DEVICE) lies in a
 * range the host cannot touch: a host dereference faults as it would with a GPU; the copies below
 * are the way in. Pinned and managed memory have the same address on both sides. Alignment 256
 * bytes. */
enum vgpu_mem_kind { VGPU_MEM_DEVICE, VGPU_MEM_PINNED, VGPU_MEM_MANAGED };

enum vgpu_status vgpu_alloc(struct vgpu *g, enum vgpu_mem_kind kind, size_t bytes, uint64_t *addr);
enum vgpu_status vgpu_free(struct vgpu *g, uint64_t addr); /* INVALID_VALUE when it is no start */
/* Make host memory usable by kernels at its own address (cudaHostRegister), and undo it. */
enum vgpu_status vgpu_register_host(struct vgpu *g, void *host, size_t bytes);
enum vgpu_status vgpu_unregister_host(struct vgpu *g, void *host);
/* Which allocation holds addr. */
struct vgpu_range {
    uint64_t start, bytes;
    enum vgpu_mem_kind kind;
    bool registered_host;
};
bool vgpu_find_range(struct vgpu *g, uint64_t addr, struct vgpu_range *out);
void vgpu_mem_info(struct vgpu *g, uint64_t *free_bytes, uint64_t *total_bytes);
enum vgpu_status vgpu_write(struct vgpu *g, uint64_t dst, const void *src,
                            size_t n); /* host → device */
enum vgpu_status vgpu_read(struct vgpu *g, void *dst, uint64_t src, size_t n);
enum vgpu_status vgpu_copy(struct vgpu *g, uint64_t dst, uint64_t src, size_t n);
/* count elements of `width` (1, 2, 4) bytes. */
enum vgpu_status vgpu_set(struct vgpu *g, uint64_t dst, uint32_t value, unsigned width,
                          size_t count);

/* --- modules --- */
struct vgpu_module;
struct vgpu_kernel;

enum vgpu_status vgpu_module_load(struct vgpu *g, const char *name, const char *ptx, size_t len,
                                  struct vgpu_module **out, struct lab_err *err);
void vgpu_module_unload(struct vgpu_module *m);
const struct ptx_module *vgpu_module_ptx(const struct vgpu_module *m);
struct vgpu_kernel *vgpu_module_kernel(struct vgpu_module *m, const char *name); /* NULL: none */
/* A .global or .const variable's device address and size. */
enum vgpu_status vgpu_module_symbol(struct vgpu_module *m, const char *name, uint64_t *addr,
                                    size_t *bytes);

struct vgpu_kernel_info {
    const char *name;
    const struct ptx_func *func;
    uint32_t param_bytes, nparams;
    uint32_t static_shared, local_bytes, const_bytes;
    uint32_t regs; /* 32-bit registers a thread by a live-range estimate of ours: ptxas decides on a
                      GPU */
    uint32_t max_threads;
    bool serial; /* its blocks run in index order on one thread (atomics, volatile or grid barrier)
                  */
    const char *serial_why; /* "atom.global.add.f32 at line 57"; NULL when not serial */
};
void vgpu_kernel_info(const struct vgpu_kernel *k, struct vgpu_kernel_info *out);
/* Why the kernel cannot run ("FILE:line:col: instruction: …"), NULL when it can. A module with such
 * a kernel loads, and the other kernels run; launching this one is VGPU_INVALID_PTX. */
const char *vgpu_kernel_error(const struct vgpu_kernel *k);
/* Blocks of this shape that one multiprocessor holds at a time: the least that threads, warps,
 * registers (info.regs, a warp's rounded up to 256), shared memory and the block limit allow; 0
 * when not even one fits. */
uint32_t vgpu_blocks_per_sm(const struct vgpu_kernel *k, uint32_t threads, uint32_t dynamic_shared);

/* --- launches --- */
struct vgpu_dim {
    uint32_t x, y, z;
};

/* Where and why a kernel stopped: enough for one readable line. */
struct vgpu_fault {
    enum vgpu_status status;
    const struct ptx_func *func;
    uint32_t pc; /* instruction index in func */
    struct vgpu_dim block, thread;
    uint32_t warp, lane, lanes; /* lanes: mask of those at fault */
    uint64_t address;
    char text[512];
};

struct vg_access; /* vg_access.h */

struct vgpu_launch {
    struct vgpu_kernel *kernel;
    struct vgpu_dim grid, block;
    uint32_t dynamic_shared;
    bool cooperative;
    const void *params; /* the parameter block, param_bytes, laid out by the PTX ABI */
    /* With counters: called before an access, on the thread that makes it; one whose like was just
     * counted may be left out. NULL: nobody. */
    void (*watch)(void *arg, const struct vg_access *a);
    void *watch_arg;
};

struct vgpu_counters; /* vg_count.h */

/* Runs to the end. Counters of the launch (with config.counters) are added to `counters` when it is
 * not NULL. Findings of the checks go to the device's report, vg_check.h. Device printf output is
 * appended to the device's buffer in block order; vgpu_flush_printf writes it to stdout. */
enum vgpu_status vgpu_run(struct vgpu *g, const struct vgpu_launch *launch,
                          struct vgpu_counters *counters, struct vgpu_fault *fault);
void vgpu_flush_printf(struct vgpu *g);

#endif
