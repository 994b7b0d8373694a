/* A few host threads that wait for work: started once a device, woken once a launch. */
#ifndef VG_POOL_H
#define VG_POOL_H

struct vg_pool;

/* A pool that runs a job on `threads` threads in all, the caller's among them. */
struct vg_pool *vg_pool_new(unsigned threads);
void vg_pool_free(struct vg_pool *p);
unsigned vg_pool_threads(const struct vg_pool *p);
/* Calls job(arg, k) once for every k below `threads` (at most the pool's), on as many threads, and
 * returns when all are done. One caller at a time. */
void vg_pool_run(struct vg_pool *p, unsigned threads, void (*job)(void *arg, unsigned k),
                 void *arg);

#endif
