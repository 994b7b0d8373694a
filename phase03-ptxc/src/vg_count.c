/* Counters of a launch: one record per PTX instruction, added to by every warp that executes it.
 *
 * Problem: Nsight Compute's figures are per instruction sums over warps of the requests, sectors
 * and wavefronts of each single access; they need every access to be looked at.
 * Model: a memory access is first offered to the closed formulas of vg_fast.c and only then counted
 * from its list of addresses (exercises e02 and e03). A function's records lie together, functions
 * in the module's order.
 * Invariants: counts only grow; every load and store adds exactly one request to exactly one of
 * the spaces; sectors ≥ ideal; wavefronts = phases + conflicts.
 * Simplified: no caches, so no hits, and no time.
 */
#include "vg_count.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "vg_distinct.h"

int vgpu_counters_init(struct vgpu_counters *c, const struct ptx_module *m)
{
    uint32_t functions = 0, n = 0;
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        functions++;
    }
    c->module = m;
    c->first = lab_alloc(functions + 1, sizeof(c->first[0]));
    uint32_t i = 0;
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        c->first[i++] = n;
        n += f->ninsns;
    }
    c->first[functions] = n;
    c->n = n;
    c->launches = 0;
    c->at = lab_alloc(n + 1, sizeof(c->at[0]));
    return 0;
}

void vgpu_counters_fini(struct vgpu_counters *c)
{
    free(c->at);
    free(c->first);
    *c = (struct vgpu_counters){0};
}

/* A record is nothing but 64-bit sums, so it is added as an array. */
void vg_counts_add(struct vg_counts *into, const struct vg_counts *from)
{
    _Static_assert(sizeof(*into) % sizeof(uint64_t) == 0, "a record is an array of sums");
    uint64_t *to = (uint64_t *)(void *)into;
    const uint64_t *what = (const uint64_t *)(const void *)from;
    for (size_t i = 0; i < sizeof(*into) / sizeof(uint64_t); i++) {
        to[i] += what[i];
    }
}

void vg_count_merge(struct vgpu_counters *into, const struct vgpu_counters *from)
{
    LAB_ASSERT(into->module == from->module && into->n == from->n);
    for (uint32_t i = 0; i < into->n; i++) {
        vg_counts_add(&into->at[i], &from->at[i]);
    }
    into->launches += from->launches;
}

struct vg_counts *vg_counts_of(const struct vgpu_counters *c, const struct ptx_func *f)
{
    uint32_t i = 0;
    for (const struct ptx_func *g = c->module->funcs; g != NULL; g = g->next, i++) {
        if (g == f) {
            return c->at + c->first[i];
        }
    }
    return NULL;
}

struct vg_counts vg_count_sum(const struct vgpu_counters *c, const struct ptx_func *f)
{
    struct vg_counts sum = {0};
    const struct vg_counts *at = f == NULL ? c->at : vg_counts_of(c, f);
    uint32_t n = f == NULL ? c->n : f->ninsns;
    for (uint32_t i = 0; at != NULL && i < n; i++) {
        vg_counts_add(&sum, &at[i]);
    }
    return sum;
}

/* Distinct bytes one by one: for accesses that may overlap in part. */
static uint32_t distinct_bytes(const struct vg_access *a)
{
    uint64_t at[VG_DISTINCT_MAX];
    uint32_t n = 0;
    for (uint32_t lanes = a->mask; lanes != 0; lanes &= lanes - 1) {
        uint64_t first = a->addr[__builtin_ctz(lanes)];
        for (uint32_t i = 0; i < a->bytes; i++) {
            at[n++] = first + i;
        }
    }
    return vg_distinct(at, n);
}

uint32_t vg_ideal_sectors(const struct vg_access *a)
{
    uint64_t at[VG_LANES], low_bits = a->bytes;
    uint32_t n = 0;
    for (uint32_t lanes = a->mask; lanes != 0; lanes &= lanes - 1) {
        at[n] = a->addr[__builtin_ctz(lanes)];
        low_bits |= at[n++];
    }
    /* Aligned to its size, an access equals another or lies apart from it. */
    bool apart = (a->bytes & (a->bytes - 1)) == 0 && (low_bits & (a->bytes - 1)) == 0;
    uint32_t bytes = apart ? vg_distinct(at, n) * a->bytes : distinct_bytes(a);
    return (bytes + VG_SECTOR_BYTES - 1) / VG_SECTOR_BYTES;
}

/* The popcount of a machine without the instruction is a call: skip it where it can be. */
static uint64_t bytes_asked(const struct vg_access *a)
{
    uint32_t lanes = a->mask == UINT32_MAX ? VG_LANES : (uint32_t)__builtin_popcount(a->mask);
    return (uint64_t)lanes * a->bytes;
}

static void count_global(struct vg_counts *c, const struct vg_access *a)
{
    uint32_t sectors, ideal;
    if (!vg_fast_sectors(a, &sectors, &ideal)) {
        sectors = vg_sectors(a);
        ideal = vg_ideal_sectors(a);
    }
    uint64_t bytes = bytes_asked(a);
    if (a->kind == VG_LOAD || a->kind == VG_ASYNC_COPY) {
        c->global_ld_requests++;
        c->global_ld_sectors += sectors;
        c->global_ld_ideal += ideal;
        c->global_ld_bytes += bytes;
    } else if (a->kind == VG_STORE) {
        c->global_st_requests++;
        c->global_st_sectors += sectors;
        c->global_st_ideal += ideal;
        c->global_st_bytes += bytes;
    } else {
        c->global_atom_requests++;
        c->global_atom_sectors += sectors;
        c->global_atom_ideal += ideal;
        c->global_atom_bytes += bytes;
    }
}

static void count_shared(struct vg_counts *c, const struct vg_access *a)
{
    uint32_t wavefronts, phases;
    if (!vg_fast_wavefronts(a, &wavefronts, &phases)) {
        wavefronts = vg_wavefronts(a, &phases);
    }
    uint64_t bytes = bytes_asked(a);
    if (a->kind == VG_LOAD) {
        c->shared_ld_requests++;
        c->shared_ld_wavefronts += wavefronts;
        c->shared_ld_conflicts += wavefronts - phases;
        c->shared_ld_bytes += bytes;
    } else if (a->kind == VG_STORE || a->kind == VG_ASYNC_COPY) {
        c->shared_st_requests++;
        c->shared_st_wavefronts += wavefronts;
        c->shared_st_conflicts += wavefronts - phases;
        c->shared_st_bytes += bytes;
    } else {
        c->shared_atom_requests++;
        c->shared_atom_wavefronts += wavefronts;
        c->shared_atom_conflicts += wavefronts - phases;
        c->shared_atom_bytes += bytes;
    }
}

static void count_local(struct vg_counts *c, const struct vg_access *a)
{
    uint64_t bytes = bytes_asked(a);
    if (a->kind == VG_LOAD) {
        c->local_ld_requests++;
        c->local_ld_bytes += bytes;
    } else {
        c->local_st_requests++;
        c->local_st_bytes += bytes;
    }
}

void vg_count_access(struct vg_counts *c, const struct vg_access *a)
{
    if (a->mask == 0) {
        return;
    }
    if (a->space == PTX_SPACE_GLOBAL) {
        count_global(c, a);
    } else if (a->space == PTX_SPACE_SHARED) {
        count_shared(c, a);
    } else if (a->space == PTX_SPACE_LOCAL) {
        count_local(c, a);
    }
}
