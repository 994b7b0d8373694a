/* A loaded module, a launch, and the host threads that run its blocks. Private to the executor. */
#ifndef VG_LAUNCH_H
#define VG_LAUNCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lab/buf.h"
#include "vg_heap.h"
#include "vg_machine.h"
#include "vg_pool.h"

struct vgpu {
    struct vgpu_config config;
    pthread_mutex_t lock; /* over everything below; a launch holds it to its end */
    struct vg_memory *memory;
    struct vg_report *report;
    struct lab_buf printed; /* device printf waiting for vgpu_flush_printf */
    struct vg_heap heap;    /* device malloc */
    struct vg_pool *pool;
    uint64_t workspace; /* for cooperative launches; 0: none yet */
    struct vgpu_module *modules;
    uint32_t next_module;
    uint64_t launches;
};

/* Where a variable was put: .global and .const at a device address. */
struct vg_symbol {
    const struct ptx_var *var;
    uint64_t value;
};

struct vgpu_module {
    struct vgpu *g;
    struct ptx_module *ptx;
    uint32_t number;           /* part of its functions' addresses */
    struct vg_symbol *symbols; /* sorted by var */
    uint32_t nsymbols;
    const struct ptx_func **funcs; /* by index */
    uint32_t nfuncs;
    struct vgpu_kernel *kernels;
    uint32_t nkernels;
    uint64_t const_bytes;
    struct vgpu_module *next;
};

struct vgpu_kernel {
    struct vgpu_module *module;
    struct vgpu_kernel_info info;
    struct vg_code *entry;
    struct vg_code **codes;   /* by function index; NULL: the kernel cannot reach it */
    struct vg_symbol *shared; /* offsets of shared variables, sorted by var */
    uint32_t nshared;
    uint32_t local_bytes; /* a lane, the deepest chain of calls */
    char serial_why[160];
    char error[512]; /* why it cannot run; "" when it can */
};

/* Blocks that ended but follow one that has not: a heap by index. */
struct vg_retire {
    pthread_mutex_t lock;
    uint64_t next, issues; /* blocks below `next` ended, with so many warp instructions in all */
    struct vg_ended {
        uint64_t block, issues;
    } * heap;
    size_t n, cap;
};

/* What the blocks of a launch share. */
struct vg_launch_state {
    struct vgpu *g;
    const struct vgpu_launch *launch;
    const struct vgpu_kernel *kernel;
    uint32_t nthreads, nwarps;
    uint32_t shared_bytes; /* static and dynamic */
    uint64_t shared_limit; /* … rounded up to what hardware hands out */
    uint64_t blocks;
    uint32_t resident;     /* blocks that the chip holds at once */
    const uint8_t *params; /* padded with zeros */
    uint32_t param_bytes;
    unsigned checks;
    bool counters, its, serial;
    uint64_t budget;    /* UINT64_MAX: none */
    uint64_t number;    /* of the launch: %gridid */
    uint64_t workspace; /* of a cooperative launch: a device address; else 0 */
    atomic_uint_fast64_t next_block;
    atomic_uint_fast64_t fault_block; /* the lowest that faulted; later ones need not run */
    struct vg_retire retire;
    struct vg_worker *workers;
    unsigned nworkers;
};

/* Output of one block, to be put in order. */
struct vg_printed {
    uint64_t block;
    struct lab_buf text;
};

struct vg_worker {
    struct vg_launch_state *launch;
    struct vg_block *free_blocks;
    struct vg_run_count **runs;  /* by function index, then pc; NULL: counters are off */
    struct vgpu_counters counts; /* of memory and branches; at == NULL: off */
    struct vgpu_fault fault;
    uint64_t fault_block; /* UINT64_MAX: none */
    uint64_t issued;      /* in a serial launch, of all blocks so far */
    struct vg_printed *printed;
    size_t nprinted, printed_cap;
    bool no_memory; /* a block could not be made */
};

#define VG_CODE_WINDOW 0x400000000ull
#define VG_CODE_STRIDE 16u

/* The function at a code address, NULL when there is none. */
const struct vg_code *vg_code_at(const struct vg_launch_state *l, uint64_t address);

/* --- vg_block.c --- */
struct vg_block *vg_block_take(struct vg_worker *wk, uint64_t index);
void vg_block_give(struct vg_worker *wk, struct vg_block *b);
void vg_block_free(struct vg_block *b);
/* Give every warp of the block a turn. Returns how it went. */
enum vg_turn {
    VG_TURN_DONE,   /* every warp exited */
    VG_TURN_WORKED, /* some warp made progress */
    VG_TURN_WAITS,  /* every warp waits or polls */
    VG_TURN_STUCK,  /* every warp waits, and for nothing that polls */
    VG_TURN_FAULT,
};
enum vg_turn vg_block_turn(struct vg_block *b);
/* Nobody can go on: the fault that names who waits where. */
void vg_block_deadlock(struct vg_block *b);

/* --- vg_schedule.c --- */
/* Run every block of the launch; faults are in the workers. */
void vg_schedule(struct vg_launch_state *l);

/* --- vg_scan.c --- */
/* Must the kernel's blocks run one after the other? Fills info.serial and serial_why. */
void vg_scan_serial(struct vgpu_kernel *k);

#endif
