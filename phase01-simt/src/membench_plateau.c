/* The problem: "how large are the caches, and how far away is each?" read off a curve of latency
 * over size, with honest intervals, by a rule that was not told the answer.
 *
 * The model: in ln(latency) over ln(size) a level is flat and a transition is a slope. For a cut of
 * the curve into segments the cost is sum of ((y − fit) / sigma)² + PENALTY · ln(n) per segment
 * which is the Bayesian information criterion with one or two parameters and a boundary per segment
 * (Schwarz 1978, doi:10.1214/aos/1176344136). A slope must be
 * steep to count as a transition, else a plateau that creeps would be one. The best cut is found
 * exactly by dynamic programming, best[j] = min over i < j of best[i] + cost(i, j): the
 * optimal-partitioning recursion (Jackson et al. 2005, doi:10.1109/LSP.2001.838216).
 *
 * Invariants: plateaus are disjoint and in rising order; each spans at least a doubling of the
 * size. Simplified: sigma is one number for the whole curve; a real cache with hashed slices and a
 * shared last level has no edge at all, only the slope that is reported here between two sizes.
 */
#include "membench_plateau.h"

#include <math.h>
#include <string.h>

#include "lab/err.h"
#include "lab/rng.h"
#include "lab/stats.h"

#define SIGMA_MIN    0.05 /* systematic differences between two allocations of one size */
#define PENALTY_FLAT 2.0
#define PENALTY_RAMP 3.0
#define SLOPE_MIN    0.3 /* a transition rises by at least 23 % per doubling */
#define FLAT_SIZES   3
#define MERGE_RATIO  1.3
#define BOOTSTRAPS   200
#define NOISY_SPREAD 0.20
#define NOISY_AGREE  0.50

struct fit {
    size_t n;
    double x[MEMBENCH_SIZES_MAX]; /* ln bytes */
    double y[MEMBENCH_SIZES_MAX]; /* ln ns */
    double sigma;
};

/* Points [i, j): squared distances from their mean, and from their least-squares line, in units of
 * the noise; and that line's slope. */
struct residuals {
    double flat, ramp, slope;
};

static struct residuals residuals(const struct fit *f, size_t i, size_t j)
{
    double m = (double)(j - i), sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (size_t k = i; k < j; k++) {
        double x = f->x[k] - f->x[i], y = f->y[k] - f->y[i];
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
    }
    double vy = syy - sy * sy / m, vx = sxx - sx * sx / m, cxy = sxy - sx * sy / m;
    double unit = 1 / (f->sigma * f->sigma);
    struct residuals r = {.flat = fmax(vy, 0) * unit};
    r.slope = vx > 0 ? cxy / vx : INFINITY;
    r.ramp = vx > 0 ? fmax(vy - cxy * cxy / vx, 0) * unit : 0;
    return r;
}

static bool may_be_flat(const struct fit *f, size_t i, size_t j)
{
    return j - i >= FLAT_SIZES && f->x[j - 1] - f->x[i] > 0.999 * log(2);
}

struct segment {
    size_t from, to;
    bool flat;
};

/* The best cut, in order; returns how many segments. */
static size_t cut(const struct fit *f, struct segment out[MEMBENCH_SIZES_MAX])
{
    double best[MEMBENCH_SIZES_MAX + 1] = {0};
    struct segment last[MEMBENCH_SIZES_MAX + 1] = {0};
    const double unit = log((double)f->n);
    for (size_t j = 1; j <= f->n; j++) {
        best[j] = INFINITY;
        for (size_t i = 0; i < j; i++) {
            struct residuals r = residuals(f, i, j);
            double ramp = r.slope >= SLOPE_MIN ? best[i] + r.ramp + PENALTY_RAMP * unit : INFINITY;
            double flat = may_be_flat(f, i, j) ? best[i] + r.flat + PENALTY_FLAT * unit : INFINITY;
            double cost = flat < ramp ? flat : ramp;
            if (cost < best[j]) {
                best[j] = cost;
                last[j] = (struct segment){i, j, flat < ramp};
            }
        }
    }
    size_t n = 0;
    for (size_t j = f->n; j > 0; j = last[j].from) {
        n++;
    }
    size_t k = n;
    for (size_t j = f->n; j > 0; j = last[j].from) {
        out[--k] = last[j];
    }
    return n;
}

static double level_of(const struct fit *f, size_t from, size_t to)
{
    double y[MEMBENCH_SIZES_MAX];
    memcpy(y, f->y + from, (to - from) * sizeof(*y));
    lab_sort_f64(y, to - from);
    return exp(lab_quantile_sorted(y, to - from, 0.5));
}

/* Flat segments as plateaus; neighbours at nearly the same height (a slow creep cut in two, or one
 * disturbed size between them) are one. */
static size_t collect(const struct fit *f, struct membench_plateau out[MEMBENCH_PLATEAUS_MAX])
{
    struct segment seg[MEMBENCH_SIZES_MAX];
    size_t nseg = cut(f, seg), n = 0;
    for (size_t s = 0; s < nseg; s++) {
        if (!seg[s].flat) {
            continue;
        }
        double ns = level_of(f, seg[s].from, seg[s].to);
        if (n > 0 && ns < out[n - 1].ns * MERGE_RATIO && ns * MERGE_RATIO > out[n - 1].ns) {
            out[n - 1].last = seg[s].to - 1;
            out[n - 1].ns = level_of(f, out[n - 1].first, seg[s].to);
        } else if (n < MEMBENCH_PLATEAUS_MAX) {
            out[n++] =
                (struct membench_plateau){.first = seg[s].from, .last = seg[s].to - 1, .ns = ns};
        }
    }
    return n;
}

/* ln of the lower quartile of each size's repetitions, since noise only adds: as measured, or of a
 * resample with replacement. */
static void fill(const struct membench_curve *c, struct lab_rng *rng, struct fit *f)
{
    double v[64];
    for (size_t i = 0; i < c->n; i++) {
        for (int r = 0; r < c->reps; r++) {
            size_t pick = rng != NULL ? (size_t)lab_rng_below(rng, (uint64_t)c->reps) : (size_t)r;
            v[r] = c->ns[i][pick];
        }
        lab_sort_f64(v, (size_t)c->reps);
        f->y[i] = log(lab_quantile_sorted(v, (size_t)c->reps, 0.25));
    }
}

static double spread_of(const struct membench_curve *c)
{
    double spread[MEMBENCH_SIZES_MAX], v[64];
    for (size_t i = 0; i < c->n; i++) {
        memcpy(v, c->ns[i], (size_t)c->reps * sizeof(*v));
        lab_sort_f64(v, (size_t)c->reps);
        double p25 = lab_quantile_sorted(v, (size_t)c->reps, 0.25);
        double p75 = lab_quantile_sorted(v, (size_t)c->reps, 0.75);
        spread[i] = (p75 - p25) / lab_quantile_sorted(v, (size_t)c->reps, 0.5);
    }
    lab_sort_f64(spread, c->n);
    return lab_quantile_sorted(spread, c->n, 0.5);
}

/* What the bootstrap curves say of one plateau. */
struct votes {
    double ns[BOOTSTRAPS], last[BOOTSTRAPS];
    size_t n;
};

static void vote(const struct membench_plateau *mine, const struct membench_plateau *seen, size_t n,
                 struct votes *v)
{
    const struct membench_plateau *near = NULL;
    for (size_t i = 0; i < n; i++) {
        if (near == NULL || fabs(log(seen[i].ns / mine->ns)) < fabs(log(near->ns / mine->ns))) {
            near = &seen[i];
        }
    }
    if (near != NULL && fabs(log(near->ns / mine->ns)) <= log(MERGE_RATIO)) {
        v->ns[v->n] = near->ns;
        v->last[v->n++] = (double)near->last;
    }
}

static void interval(struct votes *v, const struct membench_curve *c, struct membench_plateau *p)
{
    if (v->n == 0) {
        v->ns[0] = p->ns;
        v->last[0] = (double)p->last;
        v->n = 1;
    }
    lab_sort_f64(v->ns, v->n);
    lab_sort_f64(v->last, v->n);
    p->ns_lo = fmin(p->ns, lab_quantile_sorted(v->ns, v->n, 0.025));
    p->ns_hi = fmax(p->ns, lab_quantile_sorted(v->ns, v->n, 0.975));
    size_t lo = (size_t)lab_quantile_sorted(v->last, v->n, 0.025);
    size_t hi = (size_t)ceil(lab_quantile_sorted(v->last, v->n, 0.975)) + 1;
    lo = lo < p->last ? lo : p->last;
    hi = hi > p->last + 1 ? hi : p->last + 1;
    p->starts = c->bytes[p->first];
    p->holds = c->bytes[p->last];
    p->spills = p->last + 1 < c->n ? c->bytes[p->last + 1] : 0;
    p->holds_lo = c->bytes[lo];
    p->spills_hi = hi < c->n ? c->bytes[hi] : 0;
}

void membench_plateaus_find(const struct membench_curve *c, uint64_t seed,
                            struct membench_plateaus *out)
{
    LAB_ASSERT(c->n >= 1 && c->n <= MEMBENCH_SIZES_MAX && c->reps >= 1 && c->reps <= 64);
    *out = (struct membench_plateaus){.spread = spread_of(c)};
    struct fit f = {.n = c->n};
    for (size_t i = 0; i < c->n; i++) {
        f.x[i] = log((double)c->bytes[i]);
    }
    /* The quartiles of a normal distribution lie 1.35 standard deviations apart. */
    f.sigma = fmax(SIGMA_MIN, out->spread / 1.35);
    fill(c, NULL, &f);
    out->n = collect(&f, out->at);

    struct votes votes[MEMBENCH_PLATEAUS_MAX] = {0};
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    size_t same = 0;
    for (int b = 0; b < BOOTSTRAPS; b++) {
        struct membench_plateau seen[MEMBENCH_PLATEAUS_MAX];
        fill(c, &rng, &f);
        size_t n = collect(&f, seen);
        same += n == out->n;
        for (size_t p = 0; p < out->n; p++) {
            vote(&out->at[p], seen, n, &votes[p]);
        }
    }
    for (size_t p = 0; p < out->n; p++) {
        interval(&votes[p], c, &out->at[p]);
    }
    out->agreement = (double)same / BOOTSTRAPS;
    out->noisy = out->spread > NOISY_SPREAD || out->agreement < NOISY_AGREE;
}
