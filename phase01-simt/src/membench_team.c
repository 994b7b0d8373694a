/* The problem: bandwidth of all CPUs together means that all of them stream at the same time, so
 * they must start together and the slowest one counts.
 *
 * The model: the members wait at a barrier for work, leave it together, note their own start and
 * end, and meet at a second barrier. The leader (the caller) takes part in both barriers only.
 *
 * Invariants: between the two barriers only the members run; outside of them only the leader
 * touches the shared fields. Simplified: a member that the kernel moves off its CPU for a while
 * stretches the whole; that is part of the spread the caller reports.
 */
#include "membench_team.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lab/buf.h"
#include "lab/clock.h"

struct member {
    struct membench_team *team;
    pthread_t thread;
    int who, cpu;
    uint64_t from_ns, to_ns;
};

struct membench_team {
    pthread_barrier_t go, done;
    membench_work work; /* NULL: end */
    void *ctx;
    int n;
    struct member *member;
    pthread_mutex_t starting; /* held by the leader until all members run */
    bool abandoned;           /* one could not be started: the others end at once */
};

static void *member_main(void *arg)
{
    struct member *m = arg;
    struct membench_team *t = m->team;
    /* A CPU that was taken away meanwhile only costs the pin, not the measurement. */
    (void)membench_sys_pin(m->cpu, NULL);
    pthread_mutex_lock(&t->starting);
    bool abandoned = t->abandoned;
    pthread_mutex_unlock(&t->starting);
    while (!abandoned) {
        pthread_barrier_wait(&t->go);
        if (t->work == NULL) {
            break;
        }
        m->from_ns = lab_now_ns();
        t->work(t->ctx, m->who, t->n);
        m->to_ns = lab_now_ns();
        pthread_barrier_wait(&t->done);
    }
    return NULL;
}

static void free_parts(struct membench_team *t)
{
    pthread_barrier_destroy(&t->go);
    pthread_barrier_destroy(&t->done);
    pthread_mutex_destroy(&t->starting);
    free(t->member);
    free(t);
}

static int start_member(struct membench_team *t, int i, const struct membench_cpus *cpus,
                        struct lab_err *err)
{
    struct member *m = &t->member[i];
    *m = (struct member){.team = t, .who = i, .cpu = cpus->cpu[(size_t)i % cpus->n]};
    int rc = pthread_create(&m->thread, NULL, member_main, m);
    if (rc != 0) {
        errno = rc;
        return lab_err_system(err, "cannot start thread %d of %d", i + 1, t->n);
    }
    return 0;
}

struct membench_team *membench_team_new(int n, const struct membench_cpus *cpus,
                                        struct lab_err *err)
{
    LAB_ASSERT(n >= 1 && cpus->n >= 1);
    struct membench_team *t = lab_alloc(1, sizeof(*t));
    t->n = n;
    t->member = lab_alloc((size_t)n, sizeof(*t->member));
    LAB_ASSERT(pthread_barrier_init(&t->go, NULL, (unsigned)n + 1) == 0);
    LAB_ASSERT(pthread_barrier_init(&t->done, NULL, (unsigned)n + 1) == 0);
    LAB_ASSERT(pthread_mutex_init(&t->starting, NULL) == 0);
    /* The barriers count all members, so none may reach them before it is sure that all exist. */
    pthread_mutex_lock(&t->starting);
    int started = 0;
    while (started < n && start_member(t, started, cpus, err) == 0) {
        started++;
    }
    t->abandoned = started < n;
    pthread_mutex_unlock(&t->starting);
    if (!t->abandoned) {
        return t;
    }
    for (int i = 0; i < started; i++) {
        LAB_ASSERT(pthread_join(t->member[i].thread, NULL) == 0);
    }
    free_parts(t);
    return NULL;
}

void membench_team_free(struct membench_team *t)
{
    if (t == NULL) {
        return;
    }
    t->work = NULL;
    pthread_barrier_wait(&t->go);
    for (int i = 0; i < t->n; i++) {
        LAB_ASSERT(pthread_join(t->member[i].thread, NULL) == 0);
    }
    free_parts(t);
}

int membench_team_size(const struct membench_team *t)
{
    return t->n;
}

uint64_t membench_team_run(struct membench_team *t, membench_work work, void *ctx)
{
    LAB_ASSERT(work != NULL);
    t->work = work;
    t->ctx = ctx;
    pthread_barrier_wait(&t->go);
    pthread_barrier_wait(&t->done);
    uint64_t from = t->member[0].from_ns, to = t->member[0].to_ns;
    for (int i = 1; i < t->n; i++) {
        from = t->member[i].from_ns < from ? t->member[i].from_ns : from;
        to = t->member[i].to_ns > to ? t->member[i].to_ns : to;
    }
    return to - from;
}
