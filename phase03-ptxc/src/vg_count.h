/* Counters with Nsight Compute's meanings, per PTX instruction.
 *
 *   request    one warp-wide memory instruction with at least one guard-true lane
 *   sector     an aligned 32-byte chunk of global memory; a request counts its distinct sectors
 *   ideal      the sectors that would do if the distinct bytes asked for lay side by side;
 *              excess = sectors − ideal
 *   bytes      what the lanes ask for, each for itself: lanes · bytes a lane, so that a broadcast
 *              has an efficiency above 100 %, as gld_efficiency has
 *   wavefront  one serialised pass over the 32 banks of shared memory (vg_banks.h)
 *   conflict   wavefronts − phases with an active lane
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

#include <stdbool.h>
#include <stdint.h>

#include "vg_access.h"
#include "vg_banks.h"
#include "vg_sectors.h"

/* One instruction's sums. All are 64-bit and only ever added to. */
struct vg_counts {
    uint64_t inst_executed;        /* warp instructions, whatever the mask */
    uint64_t thread_inst_executed; /* active lanes, predicated-off ones included */
    uint64_t thread_inst_pred_on;  /* active lanes whose guard is true */
    uint64_t branches, divergent_branches;
    uint64_t global_ld_requests, global_ld_sectors, global_ld_ideal, global_ld_bytes;
    uint64_t global_st_requests, global_st_sectors, global_st_ideal, global_st_bytes;
    uint64_t global_atom_requests, global_atom_sectors, global_atom_ideal, global_atom_bytes;
    uint64_t shared_ld_requests, shared_ld_wavefronts, shared_ld_conflicts, shared_ld_bytes;
    uint64_t shared_st_requests, shared_st_wavefronts, shared_st_conflicts, shared_st_bytes;
    uint64_t shared_atom_requests, shared_atom_wavefronts, shared_atom_conflicts, shared_atom_bytes;
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
void vg_counts_add(struct vg_counts *into, const struct vg_counts *from);
void vg_count_merge(struct vgpu_counters *into, const struct vgpu_counters *from);
/* The records of one function, by pc; NULL when it is not of this module. Borrowed. */
struct vg_counts *vg_counts_of(const struct vgpu_counters *c, const struct ptx_func *f);
/* Sum over one function, or over all when f is NULL. */
struct vg_counts vg_count_sum(const struct vgpu_counters *c, const struct ptx_func *f);

/* Sectors that would hold the distinct bytes asked for: at most vg_sectors(a), 0 for no lane. */
uint32_t vg_ideal_sectors(const struct vg_access *a);

/* Add the access to the counts of its instruction. A cp.async counts as a load on its global side
 * and as a store on its shared side; const, param and register space are not counted. */
void vg_count_access(struct vg_counts *c, const struct vg_access *a);

/* The access patterns that need no list: both return false when they cannot tell, and then the
 * exact general functions decide. vg_count_access asks them first. */
bool vg_fast_sectors(const struct vg_access *a, uint32_t *sectors, uint32_t *ideal);
bool vg_fast_wavefronts(const struct vg_access *a, uint32_t *wavefronts, uint32_t *phases);

#endif
