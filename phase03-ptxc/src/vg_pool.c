/* The pool's helpers sleep on a condition until the round number changes, run their share and count
 * themselves done. A round's fields are written before the number, under the same lock. */
#include "vg_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "lab/buf.h"
#include "lab/err.h"

struct helper {
    struct vg_pool *pool;
    unsigned k;
    pthread_t thread;
};

struct vg_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    unsigned nhelpers;
    struct helper *helpers;
    unsigned round, threads, running;
    void (*job)(void *arg, unsigned k);
    void *arg;
    int stop;
};

static void *helper_main(void *arg)
{
    struct helper *h = arg;
    struct vg_pool *p = h->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->round == seen && !p->stop) {
            pthread_cond_wait(&p->wake, &p->lock);
        }
        if (p->stop) {
            break;
        }
        seen = p->round;
        if (h->k >= p->threads) {
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        p->job(p->arg, h->k);
        pthread_mutex_lock(&p->lock);
        if (--p->running == 0) {
            pthread_cond_signal(&p->done);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct vg_pool *vg_pool_new(unsigned threads)
{
    struct vg_pool *p = lab_alloc(1, sizeof(*p));
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->done, NULL);
    p->helpers = lab_alloc(threads, sizeof(*p->helpers));
    for (unsigned k = 1; k < threads; k++) {
        struct helper *h = &p->helpers[p->nhelpers];
        h->pool = p;
        h->k = k;
        if (pthread_create(&h->thread, NULL, helper_main, h) != 0) {
            break;
        }
        p->nhelpers++;
    }
    return p;
}

void vg_pool_free(struct vg_pool *p)
{
    if (p == NULL) {
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->stop = 1;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (unsigned k = 0; k < p->nhelpers; k++) {
        pthread_join(p->helpers[k].thread, NULL);
    }
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->wake);
    pthread_cond_destroy(&p->done);
    free(p->helpers);
    free(p);
}

unsigned vg_pool_threads(const struct vg_pool *p)
{
    return p->nhelpers + 1;
}

void vg_pool_run(struct vg_pool *p, unsigned threads, void (*job)(void *arg, unsigned k), void *arg)
{
    LAB_ASSERT(threads >= 1 && threads <= p->nhelpers + 1);
    if (threads > 1) {
        pthread_mutex_lock(&p->lock);
        p->job = job;
        p->arg = arg;
        p->threads = threads;
        p->running = threads - 1;
        p->round++;
        pthread_cond_broadcast(&p->wake);
        pthread_mutex_unlock(&p->lock);
    }
    job(arg, 0);
    if (threads > 1) {
        pthread_mutex_lock(&p->lock);
        while (p->running > 0) {
            pthread_cond_wait(&p->done, &p->lock);
        }
        pthread_mutex_unlock(&p->lock);
    }
}
