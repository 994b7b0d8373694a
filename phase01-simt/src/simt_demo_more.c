/* The demonstration's extensions: nesting, predication, votes, latency hiding, a pc per lane.
 *
 * Model: as in simt_demo.c, each function runs its kernels, fills a table and records the laws that
 * make a wrong golden fail.
 */
#include <stdio.h>

#include "simt_demo.h"
#include "simt_tables.h"

int simt_demo_nested(struct lab_run *run, struct lab_err *err)
{
    static const char *const kernels[] = {"even_odd", "nested2", "nested3"};
    struct lab_table *t = lab_run_table(run, &simt_table_nested);
    for (unsigned i = 0; i < 3; i++) {
        struct simt_result r;
        if (simt_demo_kernel(run, kernels[i], &simt_config_default, &r, err) < 0) {
            return -1;
        }
        lab_table_str(t, kernels[i]);
        lab_table_int(t, 2 << i);
        lab_table_int(t, r.n.max_depth);
        lab_table_int(t, (int64_t)r.n.issues);
        lab_table_real(t, r.util_pct);
        lab_run_check(run, r.n.max_depth == i + 1, "%s: the stack is %u deep", kernels[i], i + 1);
    }
    return 0;
}

int simt_demo_selp(struct lab_run *run, struct lab_err *err)
{
    static const char *const kernels[] = {"even_odd", "even_odd_selp"};
    struct lab_table *t = lab_run_table(run, &simt_table_selp);
    struct simt_result r[2];
    for (int i = 0; i < 2; i++) {
        if (simt_demo_kernel(run, kernels[i], &simt_config_default, &r[i], err) < 0) {
            return -1;
        }
        lab_table_str(t, kernels[i]);
        lab_table_int(t, r[i].branches);
        lab_table_int(t, (int64_t)r[i].n.issues);
        lab_table_real(t, r[i].util_pct);
    }
    lab_run_check(run, r[1].branches == 0 && r[1].n.active_sum == SIMT_LANES * r[1].n.issues,
                  "even_odd_selp: without a branch every issue is full");
    lab_run_check(run, r[1].n.issues < r[0].n.issues, "predication: fewer issues than the branch");
    return 0;
}

int simt_demo_vote(struct lab_run *run, struct lab_err *err)
{
    static const char *const kernels[] = {"vote_none", "vote_any"};
    struct lab_table *t = lab_run_table(run, &simt_table_vote);
    struct simt_result r[2];
    for (int i = 0; i < 2; i++) {
        if (simt_demo_kernel(run, kernels[i], &simt_config_default, &r[i], err) < 0) {
            return -1;
        }
        lab_table_str(t, kernels[i]);
        lab_table_int(t, (int64_t)r[i].n.issues);
        lab_table_real(t, r[i].util_pct);
        lab_table_real(t, 100 - 100 * (double)r[i].n.issues / (double)r[0].n.issues);
    }
    lab_run_check(run, r[1].n.active_sum == SIMT_LANES * r[1].n.issues,
                  "vote_any: branches on a vote never diverge");
    lab_run_check(run, r[0].n.max_depth > 0 && r[1].n.issues < r[0].n.issues,
                  "vote: the search without votes diverges and takes longer");
    return 0;
}

/* Cycles of a warp alone: each issue one, each load ld_latency instead of one. */
static double alone(const struct simt_counters *n, unsigned warps)
{
    double stall = simt_config_default.ld_latency - 1;
    return ((double)n->issues + stall * (double)n->loads) / warps;
}

static double busy_pct(const struct simt_result *r)
{
    return 100 * (double)r->issues_first / (double)r->cycles_first;
}

static int latency_row(struct lab_run *run, struct lab_table *t, unsigned warps,
                       struct lab_err *err)
{
    struct simt_result r[2];
    for (int sched = SIMT_RR; sched <= SIMT_GTO; sched++) {
        struct simt_config cfg = simt_config_default;
        cfg.warps = warps;
        cfg.sched = (enum simt_sched)sched;
        if (simt_demo_kernel(run, "latency", &cfg, &r[sched], err) < 0) {
            return -1;
        }
    }
    double issues = (double)r[0].n.issues / warps;
    double cycles = alone(&r[0].n, warps);
    double little = warps * issues >= cycles ? 100 : 100 * warps * issues / cycles;
    lab_table_int(t, warps);
    lab_table_real(t, busy_pct(&r[SIMT_RR]));
    lab_table_real(t, busy_pct(&r[SIMT_GTO]));
    lab_table_real(t, little);
    lab_table_int(t, (int64_t)((cycles + issues - 1) / issues));
    lab_table_int(t, (int64_t)r[SIMT_RR].cycles);
    lab_table_int(t, (int64_t)r[SIMT_GTO].cycles);
    for (int sched = SIMT_RR; sched <= SIMT_GTO; sched++) {
        lab_run_check(run, busy_pct(&r[sched]) <= little + 1e-9,
                      "latency, %u warps, %s: not above Little's law", warps,
                      sched == SIMT_RR ? "rr" : "gto");
        lab_run_check(run, (double)r[sched].cycles >= cycles,
                      "latency, %u warps: not faster than a warp alone", warps);
    }
    lab_run_check(run, r[0].n.issues == r[1].n.issues,
                  "latency, %u warps: the schedule changes the time, not the work", warps);
    lab_run_check(run, warps > 1 || (double)r[0].cycles == cycles,
                  "latency: a warp alone takes issues + 39 * loads cycles");
    return 0;
}

int simt_demo_latency(struct lab_run *run, struct lab_err *err)
{
    struct lab_table *t = lab_run_table(run, &simt_table_latency);
    for (unsigned warps = 1; warps <= 32; warps *= 2) {
        if (latency_row(run, t, warps, err) < 0) {
            return -1;
        }
    }
    return 0;
}

/* A kernel under both policies: r[SIMT_STACK] and r[SIMT_ITS]. */
static int policy_rows(struct lab_run *run, struct lab_table *t, const char *kernel,
                       struct simt_result r[2], struct lab_err *err)
{
    for (int policy = SIMT_STACK; policy <= SIMT_ITS; policy++) {
        struct simt_config cfg = simt_config_default;
        char outcome[32] = "done";
        cfg.policy = (enum simt_policy)policy;
        cfg.budget = 10000;
        if (simt_demo_kernel(run, kernel, &cfg, &r[policy], err) < 0) {
            return -1;
        }
        if (r[policy].fault == SIMT_FAULT_HANG) {
            (void)snprintf(outcome, sizeof(outcome), "hang at pc %u", r[policy].fault_pc);
        }
        lab_table_str(t, kernel);
        lab_table_str(t, policy == SIMT_STACK ? "stack" : "its");
        lab_table_str(t, outcome);
        lab_table_int(t, (int64_t)r[policy].n.issues);
        lab_table_real(t, r[policy].util_pct);
    }
    return 0;
}

int simt_demo_policy(struct lab_run *run, struct lab_err *err)
{
    struct lab_table *t = lab_run_table(run, &simt_table_policy);
    struct simt_result even_odd[2];
    struct simt_result lock[2];
    if (policy_rows(run, t, "even_odd", even_odd, err) < 0 ||
        policy_rows(run, t, "spinlock", lock, err) < 0) {
        return -1;
    }
    lab_run_check(run, even_odd[0].n.active_sum == even_odd[1].n.active_sum,
                  "even_odd: the lanes execute the same instructions under either policy");
    lab_run_check(run, lock[SIMT_STACK].fault == SIMT_FAULT_HANG,
                  "spinlock: hangs under the mask stack");
    lab_run_check(run, lock[SIMT_ITS].fault == SIMT_FAULT_NONE,
                  "spinlock: ends with a pc per lane");
    return 0;
}
