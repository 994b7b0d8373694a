/* The findings of all blocks, one of each kind.
 *
 * Problem: a racy kernel makes millions of findings, by many threads at once, and the learner wants
 * to read each bug once, in the same words on every run.
 * Model: the key is (kernel, function, pc, reason). The finding that is kept is that of the lowest
 * block, and within a block the first; a block runs on one host thread, so its order is fixed.
 * Counts add up.
 * Invariants: keys are unique; at most MAX_FINDINGS are kept, more are only counted.
 * Simplified: a stopped launch may leave higher blocks unrun, whose findings are then missing.
 */
#include "vg_report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"

#define MAX_FINDINGS 4096

struct vg_report {
    pthread_mutex_t lock;
    struct vg_finding *list; /* owned */
    size_t n, cap;
    uint64_t more; /* different findings that no longer fitted */
    bool sorted;
};

struct vg_report *vg_report_new(void)
{
    struct vg_report *r = lab_alloc(1, sizeof(*r));
    LAB_ASSERT(pthread_mutex_init(&r->lock, NULL) == 0);
    return r;
}

void vg_report_free(struct vg_report *r)
{
    if (r != NULL) {
        pthread_mutex_destroy(&r->lock);
        free(r->list);
        free(r);
    }
}

static bool same_key(const struct vg_finding *a, const struct vg_finding *b)
{
    return a->pc == b->pc && a->reason == b->reason && a->func == b->func && a->kernel == b->kernel;
}

static bool block_before(const struct vgpu_dim *a, const struct vgpu_dim *b)
{
    if (a->z != b->z) {
        return a->z < b->z;
    }
    return a->y != b->y ? a->y < b->y : a->x < b->x;
}

static void merge(struct vg_finding *kept, const struct vg_finding *f, uint64_t count)
{
    count += kept->count;
    if (block_before(&f->block, &kept->block)) {
        *kept = *f;
    }
    kept->count = count;
}

static void append(struct vg_report *r, const struct vg_finding *f, uint64_t count)
{
    if (r->n == MAX_FINDINGS) {
        r->more++;
        return;
    }
    if (r->n == r->cap) {
        r->cap = r->cap == 0 ? 16 : 2 * r->cap;
        r->list = lab_resize(r->list, r->cap, sizeof(r->list[0]));
    }
    r->list[r->n] = *f;
    r->list[r->n++].count = count;
    r->sorted = false;
}

void vg_report_add(struct vg_report *r, const struct vg_finding *f)
{
    uint64_t count = f->count == 0 ? 1 : f->count;
    pthread_mutex_lock(&r->lock);
    size_t i = 0;
    while (i < r->n && !same_key(&r->list[i], f)) {
        i++;
    }
    if (i < r->n) {
        merge(&r->list[i], f, count);
    } else {
        append(r, f, count);
    }
    pthread_mutex_unlock(&r->lock);
}

static int compare_names(const struct ptx_func *a, const struct ptx_func *b)
{
    return strcmp(a == NULL ? "" : a->name, b == NULL ? "" : b->name);
}

static int compare(const void *x, const void *y)
{
    const struct vg_finding *a = x, *b = y;
    int by_kernel = compare_names(a->kernel, b->kernel), by_func = compare_names(a->func, b->func);
    if (by_kernel != 0 || by_func != 0) {
        return by_kernel != 0 ? by_kernel : by_func;
    }
    if (a->pc != b->pc) {
        return a->pc < b->pc ? -1 : 1;
    }
    return (int)a->reason - (int)b->reason;
}

const struct vg_finding *vg_report_list(struct vg_report *r, size_t *n)
{
    pthread_mutex_lock(&r->lock);
    if (!r->sorted && r->n > 0) {
        qsort(r->list, r->n, sizeof(r->list[0]), compare);
        r->sorted = true;
    }
    *n = r->n;
    pthread_mutex_unlock(&r->lock);
    return r->list;
}

uint64_t vg_report_more(const struct vg_report *r)
{
    return r->more;
}

void vg_report_clear(struct vg_report *r)
{
    pthread_mutex_lock(&r->lock);
    r->n = 0;
    r->more = 0;
    pthread_mutex_unlock(&r->lock);
}
