/* Problem: say what a noisy measurement was, and how sure that is, without assuming its shape.
 * Model: order statistics. The 95 % interval of the median counts how many of n samples fall below
 * the true median: a binomial(n, 1/2), whatever the distribution (David and Nagaraja, Order
 * Statistics, 3rd ed., section 7.1).
 * Invariants: min ≤ p25 ≤ median ≤ p75 ≤ max, and ci_lo ≤ median ≤ ci_hi.
 * Simplified: the samples count as independent; a warm-up drift or a periodic disturbance breaks
 * that.
 */
#include "lab/stats.h"

#include <math.h>
#include <stdlib.h>

#include "lab/err.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

void lab_sort_f64(double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        LAB_ASSERT(!isnan(v[i]));
    }
    if (n > 1) {
        qsort(v, n, sizeof(*v), ascending);
    }
}

double lab_quantile_sorted(const double *v, size_t n, double q)
{
    LAB_ASSERT(n >= 1 && q >= 0 && q <= 1);
    double h = (double)(n - 1) * q;
    size_t i = (size_t)h;
    double part = h - (double)i;
    /* Without this, a whole-numbered h beside an infinity would give inf − inf. */
    if (part == 0 || i + 1 >= n || v[i] == v[i + 1]) {
        return v[i];
    }
    return v[i] + part * (v[i + 1] - v[i]);
}

/* The largest k with P(Bin(n, 1/2) ≤ k − 1) ≤ 0.025; n ≥ 6 makes it at least 1. Starts 20 standard
 * deviations below the mean, where the mass left out is under 1e-80, so that a large n neither
 * underflows nor takes long. */
static size_t interval_rank(size_t n)
{
    double start = floor((double)n / 2 - 10 * sqrt((double)n));
    size_t i = start > 0 ? (size_t)start : 0;
    int sign = 0;
    double dn = (double)n;
    double di = (double)i;
    double p = exp(lgamma_r(dn + 1, &sign) - lgamma_r(di + 1, &sign) -
                   lgamma_r(dn - di + 1, &sign) - dn * log(2));
    double sum = p;
    while (sum <= 0.025) {
        p *= (double)(n - i) / (double)(i + 1);
        i++;
        sum += p;
    }
    return i;
}

static double deviation(const double *v, size_t n, double mean)
{
    if (n < 2) {
        return 0;
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (v[i] - mean) * (v[i] - mean);
    }
    return sqrt(sum / (double)(n - 1));
}

struct lab_summary lab_summarise(double *v, size_t n)
{
    LAB_ASSERT(n >= 1);
    lab_sort_f64(v, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += v[i];
    }
    size_t k = n < 6 ? 1 : interval_rank(n);
    struct lab_summary s = {
        .n = n,
        .min = v[0],
        .max = v[n - 1],
        .mean = sum / (double)n,
        .median = lab_quantile_sorted(v, n, 0.5),
        .p25 = lab_quantile_sorted(v, n, 0.25),
        .p75 = lab_quantile_sorted(v, n, 0.75),
        .ci_lo = v[k - 1],
        .ci_hi = v[n - k],
    };
    s.sd = deviation(v, n, s.mean);
    s.spread = s.median == 0 ? 0 : (s.p75 - s.p25) / s.median;
    return s;
}

int lab_close(double a, double b, double rel, double abs_tol)
{
    if (!isfinite(a) || !isfinite(b)) {
        return 0;
    }
    double gap = fabs(a - b);
    return gap <= abs_tol || gap <= rel * fmax(fabs(a), fabs(b));
}
