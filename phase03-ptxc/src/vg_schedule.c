/* Which block runs when, and on which host thread.
 *
 * Spread: workers take the next block in index order and run it to its end. A kernel that got here
 * has no means to see in which order that happens (vg_scan.c). Serial: one worker keeps every block
 * that has begun; it runs the lowest until all of its warps wait, then begins the next one, as long
 * as the chip holds one more, then goes round those that have begun. A block that spins on a flag
 * thus waits for the block that sets it, unless that one cannot be resident: then the budget ends
 * it.
 *
 * What a fault reports must not depend on timing either: the block with the lowest index counts.
 * Blocks below it have begun and are finished; those above are not begun any more. The budget is
 * for the launch: a block that alone exceeds it stops on the spot; otherwise blocks are added up in
 * index order as they end, and the first that brings the sum above the budget is the one that
 * faults.
 */
#include <stdlib.h>

#include "lab/buf.h"
#include "vg_launch.h"

static void note_fault(struct vg_launch_state *l, uint64_t block)
{
    uint_fast64_t old = atomic_load(&l->fault_block);
    while (block < old && !atomic_compare_exchange_weak(&l->fault_block, &old, block)) {
    }
}

/* --- ended blocks, in order --- */

static void heap_swap(struct vg_ended *a, struct vg_ended *b)
{
    struct vg_ended t = *a;
    *a = *b;
    *b = t;
}

static void heap_push(struct vg_retire *r, struct vg_ended e)
{
    if (r->n == r->cap) {
        r->cap = r->cap != 0 ? r->cap * 2 : 64;
        r->heap = lab_resize(r->heap, r->cap, sizeof(*r->heap));
    }
    size_t k = r->n++;
    r->heap[k] = e;
    while (k > 0 && r->heap[(k - 1) / 2].block > r->heap[k].block) {
        heap_swap(&r->heap[(k - 1) / 2], &r->heap[k]);
        k = (k - 1) / 2;
    }
}

static struct vg_ended heap_pop(struct vg_retire *r)
{
    struct vg_ended top = r->heap[0];
    r->heap[0] = r->heap[--r->n];
    size_t k = 0;
    for (;;) {
        size_t least = k;
        for (size_t c = 2 * k + 1; c <= 2 * k + 2 && c < r->n; c++) {
            least = r->heap[c].block < r->heap[least].block ? c : least;
        }
        if (least == k) {
            return top;
        }
        heap_swap(&r->heap[k], &r->heap[least]);
        k = least;
    }
}

static void over_budget(struct vg_worker *wk, uint64_t block)
{
    struct vg_launch_state *l = wk->launch;
    if (block >= wk->fault_block) {
        return;
    }
    const struct vgpu_dim *grid = &l->launch->grid;
    const struct ptx_func *f = l->kernel->info.func;
    wk->fault_block = block;
    wk->fault = (struct vgpu_fault){.status = VGPU_TIMEOUT,
                                    .func = f,
                                    .pc = f->ninsns - 1,
                                    .block = {(uint32_t)(block % grid->x),
                                              (uint32_t)(block / grid->x % grid->y),
                                              (uint32_t)(block / grid->x / grid->y)}};
    snprintf(wk->fault.text, sizeof(wk->fault.text),
             "the budget of %llu warp instructions is used up by the blocks up to this one",
             (unsigned long long)l->budget);
    note_fault(l, block);
}

/* A block ended: add up all that now have no gap before them. */
static void retire(struct vg_worker *wk, const struct vg_block *b)
{
    struct vg_launch_state *l = wk->launch;
    struct vg_retire *r = &l->retire;
    if (l->budget == UINT64_MAX) {
        return;
    }
    pthread_mutex_lock(&r->lock);
    heap_push(r, (struct vg_ended){b->index, b->issued});
    while (r->n > 0 && r->heap[0].block == r->next) {
        struct vg_ended e = heap_pop(r);
        bool before = r->issues <= l->budget;
        r->issues += e.issues;
        r->next++;
        if (before && r->issues > l->budget) {
            over_budget(wk, e.block);
        }
    }
    pthread_mutex_unlock(&r->lock);
}

/* --- spread --- */

static struct vg_block *begin(struct vg_worker *wk, uint64_t index)
{
    struct vg_block *b = vg_block_take(wk, index);
    wk->no_memory = wk->no_memory || b == NULL;
    return b;
}

static enum vg_turn run_alone(struct vg_block *b)
{
    enum vg_turn turn;
    do {
        turn = vg_block_turn(b);
    } while (turn == VG_TURN_WORKED || turn == VG_TURN_WAITS);
    if (turn == VG_TURN_STUCK) {
        vg_block_deadlock(b);
        turn = VG_TURN_FAULT;
    }
    return turn;
}

static void spread(void *arg, unsigned k)
{
    struct vg_launch_state *l = arg;
    struct vg_worker *wk = &l->workers[k];
    for (;;) {
        uint64_t index = atomic_fetch_add(&l->next_block, 1);
        if (index >= l->blocks || index > atomic_load(&l->fault_block)) {
            return;
        }
        struct vg_block *b = begin(wk, index);
        if (b == NULL) {
            note_fault(l, index);
            return;
        }
        if (run_alone(b) == VG_TURN_FAULT) {
            note_fault(l, index);
        } else {
            retire(wk, b);
        }
        vg_block_give(wk, b);
    }
}

/* --- serial --- */

struct live {
    struct vg_block *first, **end; /* in index order */
    uint64_t n;
};

/* One turn after the other until the block waits; false when the launch is over. `worked` is set
 * when it made progress. */
static bool run_until_it_waits(struct vg_block *b, bool *ended, bool *worked, bool *stuck)
{
    for (;;) {
        enum vg_turn turn = vg_block_turn(b);
        *ended = turn == VG_TURN_DONE;
        *stuck = turn == VG_TURN_STUCK;
        if (turn == VG_TURN_FAULT) {
            return false;
        }
        if (turn != VG_TURN_WORKED) {
            *worked = *worked || *ended;
            return true;
        }
        *worked = true;
    }
}

/* Run every live block once round; false when the launch is over. */
static bool go_round(struct vg_worker *wk, struct live *live, bool *stuck)
{
    bool worked = false, all_stuck = true;
    struct vg_block **p = &live->first;
    while (*p != NULL) {
        struct vg_block *b = *p;
        bool ended = false, b_stuck = false;
        if (!run_until_it_waits(b, &ended, &worked, &b_stuck)) {
            return false;
        }
        all_stuck = all_stuck && b_stuck;
        if (ended) {
            *p = b->next;
            live->n--;
            vg_block_give(wk, b);
        } else {
            p = &b->next;
        }
    }
    live->end = p;
    *stuck = all_stuck && !worked && live->n > 0;
    return true;
}

static void drop_live(struct vg_worker *wk, struct live *live)
{
    while (live->first != NULL) {
        struct vg_block *b = live->first;
        live->first = b->next;
        vg_block_give(wk, b);
    }
}

/* Begin blocks until one waits and the chip is full, or none is left. */
static bool begin_more(struct vg_worker *wk, struct live *live, uint64_t *next)
{
    struct vg_launch_state *l = wk->launch;
    while (*next < l->blocks && live->n < l->resident) {
        struct vg_block *b = begin(wk, (*next)++);
        bool ended = false, worked = false, stuck = false;
        if (b == NULL) {
            return false;
        }
        bool on = run_until_it_waits(b, &ended, &worked, &stuck);
        if (ended) {
            vg_block_give(wk, b);
            continue;
        }
        *live->end = b;
        live->end = &b->next;
        live->n++;
        if (!on) {
            return false;
        }
    }
    return true;
}

static void serial(void *arg, unsigned k)
{
    struct vg_launch_state *l = arg;
    struct vg_worker *wk = &l->workers[k];
    struct live live = {NULL, NULL, 0};
    uint64_t next = 0;
    bool stuck = false;
    live.end = &live.first;
    while (begin_more(wk, &live, &next) && live.n > 0 && go_round(wk, &live, &stuck)) {
        if (stuck && (next == l->blocks || live.n == l->resident)) {
            vg_block_deadlock(live.first);
            break;
        }
    }
    drop_live(wk, &live);
}

void vg_schedule(struct vg_launch_state *l)
{
    pthread_mutex_init(&l->retire.lock, NULL);
    if (l->serial) {
        serial(l, 0);
    } else {
        vg_pool_run(l->g->pool, l->nworkers, spread, l);
    }
    pthread_mutex_destroy(&l->retire.lock);
    free(l->retire.heap);
}
