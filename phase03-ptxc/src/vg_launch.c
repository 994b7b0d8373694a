/* A launch: may it run, with what, and what came of it.
 *
 * Limits are those of the described chip (CUDA C++ Programming Guide, "Compute Capabilities"). The
 * number of blocks a multiprocessor holds follows the occupancy calculator's rules: registers are
 * handed out to warps in units of 256, shared memory to blocks in units of 128 bytes and with the
 * chip's reserved bytes on top.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_launch.h"

#define REG_UNIT    256u
#define SHARED_UNIT 128u

static uint32_t min32(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

uint32_t vgpu_blocks_per_sm(const struct vgpu_kernel *k, uint32_t threads, uint32_t dynamic_shared)
{
    const struct vgpu_desc *d = k->module->g->config.desc;
    if (threads == 0 || threads > k->info.max_threads) {
        return 0;
    }
    uint32_t warps = (threads + 31) / 32;
    uint32_t regs = (k->info.regs * 32 + REG_UNIT - 1) / REG_UNIT * REG_UNIT * warps;
    uint64_t shared = (uint64_t)k->info.static_shared + dynamic_shared;
    if (shared > d->shared_per_block_optin || regs > d->regs_per_block) {
        return 0;
    }
    uint32_t n = min32(d->max_blocks_per_sm, d->max_warps_per_sm / warps);
    n = min32(n, d->max_threads_per_sm / (warps * 32));
    n = regs > 0 ? min32(n, d->regs_per_sm / regs) : n;
    shared = (shared + d->shared_reserved + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
    return shared > 0 ? min32(n, d->shared_per_sm / shared) : n;
}

static enum vgpu_status refuse(struct vgpu_fault *f, enum vgpu_status s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static enum vgpu_status refuse(struct vgpu_fault *f, enum vgpu_status s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    f->status = s;
    vsnprintf(f->text, sizeof(f->text), fmt, ap);
    va_end(ap);
    return s;
}

static bool dims_fit(const struct vgpu_dim *d, const uint32_t *most)
{
    return d->x != 0 && d->y != 0 && d->z != 0 && d->x <= most[0] && d->y <= most[1] &&
           d->z <= most[2];
}

static enum vgpu_status check_shape(const struct vgpu *g, const struct vgpu_launch *l,
                                    struct vgpu_fault *f)
{
    const struct vgpu_desc *d = g->config.desc;
    const struct vgpu_kernel_info *info = &l->kernel->info;
    const uint32_t *want = info->func->reqntid;
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    if (!dims_fit(&l->grid, d->max_grid)) {
        return refuse(f, VGPU_INVALID_VALUE,
                      "a grid of %u x %u x %u blocks; each number is 1 to %u, %u, %u", l->grid.x,
                      l->grid.y, l->grid.z, d->max_grid[0], d->max_grid[1], d->max_grid[2]);
    }
    if (!dims_fit(&l->block, d->max_block) || threads > d->max_threads_per_block) {
        return refuse(f, VGPU_INVALID_VALUE,
                      "a block of %u x %u x %u threads; at most %u, %u, %u and %u in all",
                      l->block.x, l->block.y, l->block.z, d->max_block[0], d->max_block[1],
                      d->max_block[2], d->max_threads_per_block);
    }
    if (threads > info->max_threads) {
        return refuse(f, VGPU_LAUNCH_RESOURCES, "a block of %llu threads; '%s' is built for %u",
                      (unsigned long long)threads, info->name, info->max_threads);
    }
    if (want[0] != 0 && (l->block.x != want[0] || l->block.y != (want[1] ? want[1] : 1) ||
                         l->block.z != (want[2] ? want[2] : 1))) {
        return refuse(f, VGPU_INVALID_VALUE, "'%s' requires blocks of %u x %u x %u threads",
                      info->name, want[0], want[1] ? want[1] : 1, want[2] ? want[2] : 1);
    }
    return VGPU_OK;
}

static enum vgpu_status check_resources(const struct vgpu *g, const struct vgpu_launch *l,
                                        struct vgpu_fault *f)
{
    const struct vgpu_desc *d = g->config.desc;
    const struct vgpu_kernel_info *info = &l->kernel->info;
    uint32_t threads = l->block.x * l->block.y * l->block.z;
    uint64_t shared = (uint64_t)info->static_shared + l->dynamic_shared;
    if (shared > d->shared_per_block_optin) {
        return refuse(f, VGPU_INVALID_VALUE, "%llu bytes of shared memory a block; at most %u",
                      (unsigned long long)shared, d->shared_per_block_optin);
    }
    uint32_t per_sm = vgpu_blocks_per_sm(l->kernel, threads, l->dynamic_shared);
    if (per_sm == 0) {
        return refuse(f, VGPU_LAUNCH_RESOURCES,
                      "a block needs %u threads with %u registers each; "
                      "a multiprocessor has %u registers",
                      threads, info->regs, d->regs_per_sm);
    }
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    if (l->cooperative && blocks > (uint64_t)per_sm * d->sms) {
        return refuse(f, VGPU_COOPERATIVE_TOO_LARGE,
                      "a cooperative launch of %llu blocks; %u multiprocessors hold %u each",
                      (unsigned long long)blocks, d->sms, per_sm);
    }
    return VGPU_OK;
}

/* --- workers --- */

static bool wants_counters(const struct vg_launch_state *l, const struct vgpu_counters *counters)
{
    return l->g->config.counters && counters != NULL;
}

static void worker_open(struct vg_launch_state *l, struct vg_worker *wk)
{
    const struct vgpu_kernel *k = l->kernel;
    wk->launch = l;
    wk->fault_block = UINT64_MAX;
    if (!l->counters) {
        return;
    }
    vgpu_counters_init(&wk->counts, k->module->ptx);
    wk->runs = lab_alloc(k->module->nfuncs, sizeof(struct vg_run_count *));
    for (uint32_t f = 0; f < k->module->nfuncs; f++) {
        if (k->codes[f] != NULL) {
            wk->runs[f] = lab_alloc(k->codes[f]->ninsns + 1u, sizeof(*wk->runs[f]));
        }
    }
}

/* Straight runs become counts of each of their instructions. */
static void spread_runs(struct vg_worker *wk, uint32_t f)
{
    const struct vg_code *c = wk->launch->kernel->codes[f];
    for (uint32_t pc = 0; pc < c->ninsns; pc++) {
        const struct vg_run_count *r = &wk->runs[f][pc];
        for (uint32_t n = 0; r->times != 0 && n < c->run[pc]; n++) {
            struct vg_counts *at = &wk->counts.at[wk->counts.first[f] + pc + n];
            at->inst_executed += r->times;
            at->thread_inst_executed += r->lanes;
            if ((c->classes[pc + n] & VG_CLASS_GUARDED) == 0) {
                at->thread_inst_pred_on += r->lanes;
            }
        }
    }
}

static void worker_close(struct vg_worker *wk, struct vgpu_counters *into)
{
    const struct vgpu_module *m = wk->launch->kernel->module;
    for (uint32_t f = 0; wk->runs != NULL && f < m->nfuncs; f++) {
        if (wk->runs[f] != NULL) {
            spread_runs(wk, f);
            free(wk->runs[f]);
        }
    }
    if (wk->runs != NULL) {
        if (into != NULL) {
            vg_count_merge(into, &wk->counts);
        }
        vgpu_counters_fini(&wk->counts);
    }
    while (wk->free_blocks != NULL) {
        struct vg_block *b = wk->free_blocks;
        wk->free_blocks = b->next;
        vg_block_free(b);
    }
    free(wk->runs);
    free(wk->printed);
}

static int by_block(const void *a, const void *b)
{
    const struct vg_printed *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

/* The blocks' output, in their order, up to the one that faulted. */
static void collect_output(struct vg_launch_state *l)
{
    struct vg_printed *all = NULL;
    size_t n = 0;
    for (unsigned k = 0; k < l->nworkers; k++) {
        const struct vg_worker *wk = &l->workers[k];
        all = lab_resize(all, n + wk->nprinted + 1, sizeof(*all));
        for (size_t p = 0; p < wk->nprinted; p++) {
            all[n++] = wk->printed[p];
        }
    }
    qsort(all, n, sizeof(*all), by_block);
    for (size_t k = 0; k < n; k++) {
        if (all[k].block <= atomic_load(&l->fault_block)) {
            lab_buf_add(&l->g->printed, lab_buf_str(&all[k].text), all[k].text.len);
        }
        lab_buf_fini(&all[k].text);
    }
    free(all);
}

/* The fault of the lowest block. */
static enum vgpu_status outcome(struct vg_launch_state *l, struct vgpu_fault *fault)
{
    const struct vg_worker *worst = NULL;
    for (unsigned k = 0; k < l->nworkers; k++) {
        const struct vg_worker *wk = &l->workers[k];
        if (wk->fault_block != UINT64_MAX &&
            (worst == NULL || wk->fault_block < worst->fault_block)) {
            worst = wk;
        }
        if (wk->no_memory) {
            return refuse(fault, VGPU_OUT_OF_MEMORY,
                          "the host has no memory for a block's local memory");
        }
    }
    if (worst == NULL) {
        return VGPU_OK;
    }
    atomic_store(&l->fault_block, worst->fault_block);
    *fault = worst->fault;
    return fault->status;
}

#define WORKSPACE_BYTES 256u

/* Where the blocks of a cooperative launch meet: zeroed for each. */
static enum vgpu_status open_workspace(struct vgpu *g, struct vg_launch_state *l)
{
    if (!l->launch->cooperative) {
        return VGPU_OK;
    }
    if (g->workspace == 0) {
        enum vgpu_status s =
            vg_mem_alloc(g->memory, VGPU_MEM_DEVICE, WORKSPACE_BYTES, &g->workspace);
        if (s != VGPU_OK) {
            return s;
        }
    }
    memset(vg_mem_host(g->memory, g->workspace, WORKSPACE_BYTES), 0, WORKSPACE_BYTES);
    vg_mem_written(g->memory, g->workspace, WORKSPACE_BYTES);
    l->workspace = g->workspace;
    return VGPU_OK;
}

static void state_init(struct vg_launch_state *l, struct vgpu *g, const struct vgpu_launch *launch)
{
    const struct vgpu_kernel *k = launch->kernel;
    l->g = g;
    l->launch = launch;
    l->kernel = k;
    l->nthreads = launch->block.x * launch->block.y * launch->block.z;
    l->nwarps = (l->nthreads + VG_LANES - 1) / VG_LANES;
    l->shared_bytes = k->info.static_shared + launch->dynamic_shared;
    l->shared_limit = (l->shared_bytes + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
    l->blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    l->resident = vgpu_blocks_per_sm(k, l->nthreads, launch->dynamic_shared) * g->config.desc->sms;
    l->param_bytes = k->info.param_bytes;
    l->checks = g->config.checks;
    l->its = g->config.policy == VGPU_POLICY_ITS;
    l->serial = k->info.serial || launch->cooperative;
    l->budget = g->config.budget != 0 ? g->config.budget : UINT64_MAX;
    l->number = ++g->launches;
    atomic_init(&l->next_block, 0);
    atomic_init(&l->fault_block, UINT64_MAX);
    l->nworkers = l->serial ? 1 : min32(vg_pool_threads(g->pool), l->blocks);
}

static enum vgpu_status run_locked(struct vgpu *g, const struct vgpu_launch *launch,
                                   struct vgpu_counters *counters, struct vgpu_fault *fault)
{
    struct vg_launch_state l = {0};
    state_init(&l, g, launch);
    l.counters = wants_counters(&l, counters);
    if (open_workspace(g, &l) != VGPU_OK) {
        return refuse(fault, VGPU_OUT_OF_MEMORY, "no device memory for a cooperative launch");
    }
    uint8_t *params = lab_alloc(l.param_bytes + 16u, 1);
    if (l.param_bytes > 0) {
        memcpy(params, launch->params, l.param_bytes);
    }
    l.params = params;
    l.workers = lab_alloc(l.nworkers, sizeof(*l.workers));
    for (unsigned k = 0; k < l.nworkers; k++) {
        worker_open(&l, &l.workers[k]);
    }
    vg_schedule(&l);
    enum vgpu_status s = outcome(&l, fault);
    collect_output(&l);
    for (unsigned k = 0; k < l.nworkers; k++) {
        worker_close(&l.workers[k], s == VGPU_OK ? counters : NULL);
    }
    if (l.counters && s == VGPU_OK) {
        counters->launches++;
    }
    free(l.workers);
    free(params);
    return s;
}

enum vgpu_status vgpu_run(struct vgpu *g, const struct vgpu_launch *launch,
                          struct vgpu_counters *counters, struct vgpu_fault *fault)
{
    struct vgpu_fault unused;
    fault = fault != NULL ? fault : &unused;
    *fault = (struct vgpu_fault){.func = launch->kernel->info.func};
    if (launch->kernel->error[0] != '\0') {
        return refuse(fault, VGPU_INVALID_PTX, "%s", launch->kernel->error);
    }
    if (launch->params == NULL && launch->kernel->info.param_bytes > 0) {
        return refuse(fault, VGPU_INVALID_VALUE, "'%s' takes parameters",
                      launch->kernel->info.name);
    }
    pthread_mutex_lock(&g->lock);
    enum vgpu_status s = check_shape(g, launch, fault);
    s = s == VGPU_OK ? check_resources(g, launch, fault) : s;
    s = s == VGPU_OK ? run_locked(g, launch, counters, fault) : s;
    pthread_mutex_unlock(&g->lock);
    return s;
}
