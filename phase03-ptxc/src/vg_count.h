/* Counters with Nsight Compute's meanings, per PTX instruction.
 *
 *   request    one warp-wide memory instruction with at least one guard-true lane
 *   sector     an aligned 32-byte chunk of global memory; a request counts its distinct sectors
 *   wavefront  one serialised pass over the 32 shared-memory banks (4 bytes wide). A request splits
 * in phases (4 bytes or less a lane: 1; 8: half warps; 16: quarter warps); a phase costs the
 * largest number of distinct 4-byte words in one bank; the same word is a broadcast conflict
 * wavefronts − phases with an active lane
 *
 * Definitions: Nsight Compute documentation, "Metrics Guide" and "Metrics Decoder"; CUDA C++ Best
 * Practices Guide, "Shared Memory and Memory Banks". Deviations from hardware: arbitration adds
 * about 0.02 % to hardware's conflict totals, and compute capability 7.0–7.5 finishes some paired
 * 128-bit loads in 2 wavefronts; neither is modelled.
 *
 * Thread-safety: one array per worker thread, merged by vg_count_merge.
 */
#ifndef VG_COUNT_H
#define VG_COUNT_H

#include <stdint.h>

#include "vg_access.h"

/* One instruction's sums. All are 64-bit and only ever added to. */
struct vg_counts {
    uint64_t inst_executed;        /* warp instructions, whatever the mask */
    uint64_t thread_inst_executed; /* active lanes, predicated-off ones included */
    uint64_t thread_inst_pred_on;  /* active lanes whose guard is true */
    uint64_t branches, divergent_branches;
    uint64_t global_ld_requests, global_ld_sectors, global_ld_bytes;
    uint64_t global_st_requests, global_st_sectors, global_st_bytes;
    uint64_t global_atom_requests, global_atom_sectors, global_atom_bytes;
    uint64_t shared_ld_requests, shared_ld_wavefronts, shared_ld_conflicts, shared_ld_bytes;
    uint64_t shared_st_requests, shared_st_wavefronts, shared_st_conflicts, shared_st_bytes;
    uint64_t shared_atom_requests, shared_atom_wavefronts;
    uint64_t local_ld_requests, local_ld_bytes, local_st_requests, local_st_bytes;
    uint64_t barriers;
};

/* A launch's counters: one entry per instruction of each function of the module, in the order of
 * m->funcs; entry `first[f] + pc`. */
struct vgpu_counters {
    const struct ptx_module *module;
    struct vg_counts *at; /* owned */
    uint32_t *first;      /* owned; by function index */
    uint32_t n;
    uint64_t launches;
};

int vgpu_counters_init(struct vgpu_counters *c, const struct ptx_module *m);
void vgpu_counters_fini(struct vgpu_counters *c);
void vg_count_merge(struct vgpu_counters *into, const struct vgpu_counters *from);
/* Sum over one function, or over all when f is NULL. */
struct vg_counts vg_count_sum(const struct vgpu_counters *c, const struct ptx_func *f);

/* Distinct 32-byte sectors the access touches: 1 … 32·(bytes/32 + 1). An exercise. */
uint32_t vg_sectors(const struct vg_access *a);
/* Wavefronts of a shared access, and in *phases those with an active lane. An exercise. */
uint32_t vg_wavefronts(const struct vg_access *a, uint32_t *phases);
/* Bytes a request would need at best: distinct bytes asked, in whole sectors; excess = actual −
 * ideal. */
uint32_t vg_ideal_sectors(const struct vg_access *a);

/* Add the access to the counts of its instruction. */
void vg_count_access(struct vg_counts *c, const struct vg_access *a);

#endif
