/* Problem: choose an axis so that a reader can read values off it: round numbers, not too many.
 * Model: steps of 1, 2 or 5 times a power of ten (Heckbert, "Nice numbers for graph labels",
 * Graphics Gems, 1990), powers of two for bytes; a range taken from data grows to the next such
 * number. Invariants: lo < hi; major ticks lie inside the range. Simplified: labels are thinned by
 * count, not by their measured width.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/err.h"
#include "plot_impl.h"

/* Values this close to a tick, relative to a step, are on it. */
#define SLACK 1e-9

static bool base2(const struct lab_axis *a)
{
    return a->ticks == LAB_TICKS_BYTES;
}

/* Beyond 1e300 the differences below would overflow. */
static bool usable(const struct lab_axis *a, double v)
{
    return fabs(v) <= 1e300 && (!a->log || v > 1e-300);
}

static double forward(const struct lab_axis *a, double v)
{
    return !a->log ? v : base2(a) ? log2(v) : log10(v);
}

/* The largest of 1, 2, 5 times a power of ten that is not above v > 0, or (up) the smallest not
 * below. */
static double nice(double v, bool up)
{
    static const double steps[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(v) + SLACK));
    double m = v / power;
    int i = 0;
    if (up) {
        while (i < 3 && steps[i] < m - SLACK) {
            i++;
        }
    } else {
        while (i < 2 && steps[i + 1] <= m + SLACK) {
            i++;
        }
    }
    return steps[i] * power;
}

static double linear_step(const struct lab_axis *a, double lo, double hi)
{
    double rough = (hi - lo) / 6;
    return base2(a) ? exp2(ceil(log2(rough) - SLACK)) : nice(rough, true);
}

/* The extremes of the usable data; false when there are none. */
static bool data_range(const struct lab_plot *plot, bool vertical, double *lo, double *hi)
{
    const struct lab_axis *a = vertical ? &plot->y : &plot->x;
    bool any = false;
    for (size_t k = 0; k < plot->nseries; k++) {
        const double *v = vertical ? plot->series[k].y : plot->series[k].x;
        for (size_t i = 0; i < plot->series[k].n; i++) {
            if (usable(a, v[i])) {
                *lo = any ? fmin(*lo, v[i]) : v[i];
                *hi = any ? fmax(*hi, v[i]) : v[i];
                any = true;
            }
        }
    }
    return any;
}

static void widen_log(struct lab_scale *s, double lo, double hi)
{
    if (base2(s->axis)) {
        s->lo = floor(log2(lo) + SLACK);
        s->hi = ceil(log2(hi) - SLACK);
    } else {
        s->lo = log10(nice(lo, false));
        s->hi = log10(nice(hi, true));
    }
    if (s->hi - s->lo < SLACK) {
        s->hi = s->lo + 1;
    }
}

/* Data that comes near zero gets an axis from zero, so that heights can be compared. */
static void widen_linear(struct lab_scale *s, double lo, double hi)
{
    if (lo >= 0 && lo <= hi / 2) {
        lo = 0;
    }
    if (hi - lo <= fmax(fabs(hi) * SLACK, 1e-300)) {
        double half = fmax(fabs(hi) / 2, 1e-3);
        lo -= half;
        hi += half;
    }
    double step = linear_step(s->axis, lo, hi);
    s->lo = floor(lo / step + SLACK) * step;
    s->hi = ceil(hi / step - SLACK) * step;
}

static void put_label(const struct lab_axis *a, double v, char label[24])
{
    if (base2(a)) {
        static const char unit[] = "\0KMGTP";
        size_t i = 0;
        while (fabs(v) >= 1024 && i < 5) {
            v /= 1024;
            i++;
        }
        (void)snprintf(label, 24, "%.4g%.1s", v, &unit[i]);
        return;
    }
    (void)snprintf(label, 24, "%.6g", v);
    /* 1e+06 and 1e-07 become 1e6 and 1e-7. */
    char *e = strchr(label, 'e');
    if (e != NULL) {
        char *digits = e + (e[1] == '-' ? 2 : 1);
        size_t drop = strspn(digits, "+0");
        memmove(digits, digits + drop, strlen(digits + drop) + 1);
    }
}

/* `v` in data units; at holds f(v) until lab_scale_place. */
static void add_tick(struct lab_scale *s, double v, bool major)
{
    double f = forward(s->axis, v);
    double slack = (s->hi - s->lo) * SLACK;
    if (s->nticks == LAB_TICKS_MAX || f < s->lo - slack || f > s->hi + slack) {
        return;
    }
    struct lab_tick *t = &s->ticks[s->nticks++];
    t->at = f;
    t->major = major;
    t->label[0] = '\0';
    if (major) {
        put_label(s->axis, v, t->label);
    }
}

static void ticks_log2(struct lab_scale *s)
{
    int first = (int)ceil(s->lo - SLACK);
    int last = (int)floor(s->hi + SLACK);
    int step = 1 + (last - first) / 10;
    int minor = last - first < LAB_TICKS_MAX ? 1 : step;
    for (int e = first; e <= last; e += minor) {
        add_tick(s, exp2(e), (e - first) % step == 0);
    }
}

static void ticks_log10(struct lab_scale *s)
{
    int first = (int)floor(s->lo + SLACK);
    int last = (int)floor(s->hi + SLACK);
    double decades = s->hi - s->lo;
    int step = 1 + (int)decades / 10;
    for (int e = first; e <= last; e++) {
        double power = pow(10, e);
        add_tick(s, power, (e - first) % step == 0);
        for (int m = 2; m < 10 && step == 1; m++) {
            add_tick(s, m * power, decades < 2.2 && (m == 2 || m == 5));
        }
    }
}

static void ticks_linear(struct lab_scale *s)
{
    double step = linear_step(s->axis, s->lo, s->hi);
    double first = ceil(s->lo / step - SLACK);
    for (int k = 0; k < LAB_TICKS_MAX; k++) {
        add_tick(s, (first + k) * step, true);
    }
}

void lab_scale_init(struct lab_scale *s, const struct lab_plot *plot, bool vertical)
{
    const struct lab_axis *a = vertical ? &plot->y : &plot->x;
    *s = (struct lab_scale){.axis = a};
    double lo = a->log ? 1 : 0;
    double hi = a->log ? 10 : 1;
    if (a->min != 0 || a->max != 0) {
        LAB_ASSERT(usable(a, a->min) && usable(a, a->max) && a->min < a->max);
        s->lo = forward(a, a->min);
        s->hi = forward(a, a->max);
    } else {
        (void)data_range(plot, vertical, &lo, &hi);
        if (a->log) {
            widen_log(s, lo, hi);
        } else {
            widen_linear(s, lo, hi);
        }
    }
    if (!a->log) {
        ticks_linear(s);
    } else if (base2(a)) {
        ticks_log2(s);
    } else {
        ticks_log10(s);
    }
}

void lab_scale_place(struct lab_scale *s, double from_px, double to_px)
{
    s->from_px = from_px;
    s->to_px = to_px;
    for (size_t i = 0; i < s->nticks; i++) {
        s->ticks[i].at = from_px + (s->ticks[i].at - s->lo) / (s->hi - s->lo) * (to_px - from_px);
    }
}

bool lab_scale_px(const struct lab_scale *s, double v, double *px)
{
    if (!usable(s->axis, v)) {
        return false;
    }
    double f = forward(s->axis, v);
    *px = s->from_px + (f - s->lo) / (s->hi - s->lo) * (s->to_px - s->from_px);
    return isfinite(*px);
}
