/* The problem: the flat part of the roofline is what the core can compute when memory does not
 * matter.
 *
 * The model: chains of multiply-add on registers only (membench_chains.h), enough of them to keep
 * every pipe busy. The estimate beside it is arithmetic on the data sheet: cores × clock × lanes
 * × 2.
 *
 * Invariants: no memory is touched inside the timed loop; the result is validated and used.
 * Simplified: the clock is measured while idle of vectors; a core that slows down for wide vectors
 * shows as a ratio below a whole number.
 */
#include "membench_flops.h"

#include <math.h>

#include "membench_kern.h"

struct job {
    enum membench_arith arith;
    uint64_t rounds;
    float sink[MEMBENCH_CPUS_MAX];
    double flop[MEMBENCH_CPUS_MAX];
};

static void work(void *ctx, int who, int n)
{
    struct job *j = ctx;
    (void)n;
    j->flop[who] = j->arith == MEMBENCH_FMA ? membench_flops_fma(j->rounds, &j->sink[who])
                                            : membench_flops_muladd(j->rounds, &j->sink[who]);
}

/* Twelve chains per lane, each near 0.5/(1 − 0.75) = 2. */
static int validate(const struct job *j, int n, struct lab_err *err)
{
    for (int t = 0; t < n; t++) {
        double want = 12 * 2 * membench_flops_lanes();
        if (!(fabs((double)j->sink[t] - want) <= 1e-4 * want)) {
            return lab_err_check(err, "the chains ended at %g, expected %g", (double)j->sink[t],
                                 want);
        }
    }
    return 0;
}

int membench_peak(struct membench_team *team, const struct membench_peak_config *cfg,
                  double *gflops, struct lab_err *err)
{
    LAB_ASSERT(cfg->reps >= 1 && cfg->reps <= MEMBENCH_REPS_MAX);
    struct job job = {.arith = cfg->arith, .rounds = 20000};
    int n = membench_team_size(team);
    uint64_t ns = membench_team_run(team, work, &job);
    double scale = (double)cfg->rep_us * 1000 / (double)(ns + 1);
    job.rounds = (uint64_t)fmin(fmax(20000 * scale, 1000), 1e9);
    for (int r = 0; r < cfg->reps; r++) {
        ns = membench_team_run(team, work, &job);
        double flop = 0;
        for (int t = 0; t < n; t++) {
            flop += job.flop[t];
        }
        gflops[r] = flop / (double)(ns + 1);
        if (validate(&job, n, err) < 0) {
            return -1;
        }
    }
    return 0;
}

double membench_peak_estimate(int cores, double ghz, int lanes)
{
    return cores * ghz * lanes * 2;
}
