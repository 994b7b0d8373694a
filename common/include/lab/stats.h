/* Order statistics and intervals for measurements.
 *
 * Functions that take `double *v` sort it in place where the comment says so. NaN in the input is a
 * programming error (LAB_ASSERT). Thread-safety: no shared state.
 */
#ifndef LAB_STATS_H
#define LAB_STATS_H

#include <stddef.h>

/* Sorts v[0..n) ascending. */
void lab_sort_f64(double *v, size_t n);

/* Quantile q in [0,1] of sorted v, n ≥ 1: linear interpolation between order statistics, type 7 of
 * Hyndman and Fan (1996, doi:10.2307/2684934), the default of R and NumPy. */
double lab_quantile_sorted(const double *v, size_t n, double q);

struct lab_summary {
    size_t n;
    double min, max, mean, median;
    double p25, p75;
    double sd;     /* sample standard deviation (n − 1); 0 when n < 2 */
    double ci_lo;  /* 95 % interval of the median from order statistics (binomial, no shape */
    double ci_hi;  /*   assumed); the whole range when n < 6, which is too few for 95 % */
    double spread; /* (p75 − p25) / median; 0 when the median is 0 */
};

/* Sorts v in place; n ≥ 1. */
struct lab_summary lab_summarise(double *v, size_t n);

/* Relative closeness that NaN and infinities fail: |a − b| ≤ rel·max(|a|,|b|) or |a − b| ≤ abs. */
int lab_close(double a, double b, double rel, double abs_tol);

#endif
