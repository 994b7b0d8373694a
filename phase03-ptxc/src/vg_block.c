/* A block: its memory, its warps, and whose turn it is.
 *
 * Model: the warps run one after the other, in order, each until it waits, exits or has had its
 * slice; then the next. A block's memory (registers, shared, local, barriers) is made once and used
 * again for the next block of the launch: constants stay, special registers that change with the
 * block are written anew, and what a program could read unset is cleared, so that a block never
 * sees what another left behind.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lab/buf.h"
#include "vg_async.h"
#include "vg_hook.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_local.h"
#include "vg_sreg.h"

static void *lines(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    LAB_ASSERT(p != NULL);
    return p;
}

static size_t local_size(const struct vg_block *b)
{
    return (size_t)b->local_bytes * VG_LANES * b->nwarps;
}

/* Local memory is reserved for the deepest calls; the pages that are never reached cost nothing. */
static bool local_open(struct vg_block *b)
{
    if (b->local_bytes == 0) {
        return true;
    }
    void *p = mmap(NULL, local_size(b), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    b->local = p != MAP_FAILED ? p : NULL;
    return b->local != NULL;
}

static void warps_open(struct vg_block *b)
{
    const struct vg_code *code = b->launch->kernel->entry;
    b->warps = lab_alloc(b->nwarps, sizeof(*b->warps));
    b->mwarps = lab_alloc(b->nwarps, sizeof(*b->mwarps));
    b->frames = lines((size_t)code->frame_bytes * b->nwarps);
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct vg_warp *w = &b->warps[k];
        struct vg_machine_warp *m = &b->mwarps[k];
        w->id = k;
        w->block = b;
        w->m = m;
        m->entry.code = code;
        m->entry.regs = b->frames + (size_t)code->frame_bytes * k;
        m->counts = b->launch->counters ? b->worker->runs[code->index] : NULL;
        vg_frame_constants(code, m->entry.regs);
        vg_frame_fill(w, &m->entry);
    }
}

static struct vg_block *block_new(struct vg_worker *wk)
{
    const struct vg_launch_state *l = wk->launch;
    struct vg_block *b = lab_alloc(1, sizeof(*b));
    b->worker = wk;
    b->launch = l;
    b->nwarps = l->nwarps;
    b->shared_limit = l->shared_limit;
    b->shared = lines(l->shared_limit + 64);
    b->local_bytes = (l->kernel->local_bytes + 15u) & ~15u;
    b->mem.memory = l->g->memory;
    lab_buf_init(&b->printed);
    if (!local_open(b)) {
        vg_block_free(b);
        return NULL;
    }
    warps_open(b);
    if ((l->checks & (VGPU_CHECK_RACE | VGPU_CHECK_INIT)) != 0) {
        b->shadow = vg_shadow_new(l->shared_bytes, l->nthreads, l->checks);
        vg_shadow_scan(b->shadow, l->kernel->info.func->module);
    }
    return b;
}

void vg_block_free(struct vg_block *b)
{
    while (b->all_frames != NULL) {
        struct vg_frame *f = b->all_frames;
        b->all_frames = f->next_all;
        free(f->regs);
        free(f);
    }
    while (b->all_groups != NULL) {
        struct vg_group *g = b->all_groups;
        b->all_groups = g->next_all;
        free(g);
    }
    if (b->local != NULL) {
        munmap(b->local, local_size(b));
    }
    if (b->shadow != NULL) {
        vg_shadow_free(b->shadow);
    }
    vg_async_free(b->async);
    lab_buf_fini(&b->printed);
    free(b->shared);
    free(b->frames);
    free(b->mwarps);
    free(b->warps);
    free(b);
}

static struct vgpu_dim ctaid_of(const struct vgpu_dim *grid, uint64_t index)
{
    return (struct vgpu_dim){(uint32_t)(index % grid->x), (uint32_t)(index / grid->x % grid->y),
                             (uint32_t)(index / grid->x / grid->y)};
}

/* Lanes of warp k that are threads of the block: the last warp may have fewer than 32. */
static uint32_t lanes_of(const struct vg_launch_state *l, uint32_t k)
{
    uint32_t n = l->nthreads - k * VG_LANES;
    return n >= VG_LANES ? VG_FULL : (1u << n) - 1;
}

static void warp_start(struct vg_block *b, uint32_t k)
{
    struct vg_warp *w = &b->warps[k];
    const struct vg_code *code = w->m->entry.code;
    for (uint32_t n = 0; n < code->nblock_fills; n++) {
        const struct vg_fill *p = &code->fills[code->block_fills[n]];
        vg_sreg_fill(w, w->m->entry.regs + p->slot, p);
    }
    vg_frame_clear(code, w->m->entry.regs);
    if (code->local_bytes > 0) {
        memset(vg_local_row(w, 0), 0, (size_t)code->local_bytes * VG_LANES);
    }
    w->alive = lanes_of(b->launch, k);
    w->cc = 0;
    w->issued = 0;
    w->m->polled = false;
    vg_frag_start(w);
}

struct vg_block *vg_block_take(struct vg_worker *wk, uint64_t index)
{
    struct vg_block *b = wk->free_blocks;
    if (b != NULL) {
        wk->free_blocks = b->next;
    } else {
        b = block_new(wk);
        if (b == NULL) {
            return NULL;
        }
    }
    b->index = index;
    b->ctaid = ctaid_of(&wk->launch->launch->grid, index);
    b->done_warps = 0;
    b->live = b->nwarps == 32 ? VG_FULL : (1u << b->nwarps) - 1;
    b->bars_used = 0;
    b->issued = 0;
    b->next = NULL;
    memset(b->bars, 0, sizeof(b->bars));
    memset(b->shared, 0, b->shared_limit);
    if (b->shadow != NULL) {
        vg_shadow_reset(b->shadow);
    }
    vg_async_reset(b->async);
    for (uint32_t k = 0; k < b->nwarps; k++) {
        warp_start(b, k);
    }
    return b;
}

static void keep_output(struct vg_worker *wk, struct vg_block *b)
{
    if (b->printed.len == 0) {
        return;
    }
    if (wk->nprinted == wk->printed_cap) {
        wk->printed_cap = wk->printed_cap != 0 ? wk->printed_cap * 2 : 16;
        wk->printed = lab_resize(wk->printed, wk->printed_cap, sizeof(*wk->printed));
    }
    wk->printed[wk->nprinted++] = (struct vg_printed){b->index, b->printed};
    lab_buf_init(&b->printed);
}

void vg_block_give(struct vg_worker *wk, struct vg_block *b)
{
    keep_output(wk, b);
    b->next = wk->free_blocks;
    wk->free_blocks = b;
}

enum vg_turn vg_block_turn(struct vg_block *b)
{
    bool worked = false, polls = false;
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct vg_warp *w = &b->warps[k];
        uint64_t before = w->issued;
        if (w->m->stop == VG_STOP_DONE) {
            continue;
        }
        vg_warp_run(w);
        switch (w->m->stop) {
        case VG_STOP_FAULT: return VG_TURN_FAULT;
        case VG_STOP_DONE:
            b->done_warps++;
            worked = true;
            break;
        case VG_STOP_YIELD:
            polls = polls || w->m->polling;
            worked = worked || !w->m->polling;
            break;
        default: worked = worked || w->issued != before; break;
        }
    }
    if (b->done_warps == b->nwarps) {
        return VG_TURN_DONE;
    }
    return worked ? VG_TURN_WORKED : polls ? VG_TURN_WAITS : VG_TURN_STUCK;
}

static void add_waiter(struct lab_buf *text, const struct vg_warp *w, const struct vg_frag *f)
{
    if (f->state == VG_FRAG_READY) {
        return;
    }
    const struct ptx_func *func = f->frame->code->func;
    const struct ptx_insn *in = &func->insns[f->sync - f->frame->code->insns];
    lab_buf_printf(text, "%s warp %u lanes 0x%08x at %s line %u (%s)", text->len > 0 ? ";" : "",
                   w->id, f->mask, func->name, in->pos.line, ptx_word_text(in->op));
}

void vg_block_deadlock(struct vg_block *b)
{
    struct lab_buf text;
    struct vg_warp *first = NULL;
    const struct vg_frag *at = NULL;
    lab_buf_init(&text);
    for (uint32_t k = 0; k < b->nwarps; k++) {
        struct vg_warp *w = &b->warps[k];
        for (uint32_t n = 0; w->m->stop != VG_STOP_DONE && n < w->m->nfrags; n++) {
            const struct vg_frag *f = &w->m->frags[n];
            add_waiter(&text, w, f);
            if (first == NULL && f->state != VG_FRAG_READY) {
                first = w;
                at = f;
            }
        }
    }
    LAB_ASSERT(first != NULL);
    first->code = at->frame->code;
    if (at->state == VG_FRAG_SYNC) {
        vg_check_members(first, at->sync, at->mask, at->members);
    }
    vg_fault(first, at->sync, VGPU_TIMEOUT, at->mask, 0, "every warp waits:%s", lab_buf_str(&text));
    lab_buf_fini(&text);
}
