/* A team of threads that start one piece of work together, and how long it took all of them.
 *
 * Thread-safety: a team is used by the thread that started it; the work runs on the team's threads.
 */
#ifndef MEMBENCH_TEAM_H
#define MEMBENCH_TEAM_H

#include <stdint.h>

#include "lab/err.h"
#include "membench_sys.h"

/* The work of one member: `who` of `n`. */
typedef void (*membench_work)(void *ctx, int who, int n);

struct membench_team;

/* Start n ≥ 1 threads, member i pinned to cpus->cpu[i mod cpus->n]. NULL with a system error when a
 * thread cannot be started. membench_team_free ends and joins them. */
struct membench_team *membench_team_new(int n, const struct membench_cpus *cpus,
                                        struct lab_err *err);
void membench_team_free(struct membench_team *t);
int membench_team_size(const struct membench_team *t);

/* Run work on every member: they leave a barrier together. Returns the nanoseconds from the first
 * member's start to the last one's end. */
uint64_t membench_team_run(struct membench_team *t, membench_work work, void *ctx);

#endif
