/* Pictures: a small SVG writer, and line charts on linear or logarithmic axes.
 *
 * The result is one self-contained file without scripts or outside fonts. Colours follow the
 * reader's light or dark setting (prefers-color-scheme) with light as the fallback. Deterministic:
 * the same calls give the same bytes. Thread-safety: one thread at a time per picture.
 */
#ifndef LAB_SVG_H
#define LAB_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/buf.h"

/* Start a picture of w × h px. `title` and `desc` are its accessible name and description. Classes
 * the style defines: text: t (body), th (heading), tm (muted), tr (right-aligned), tc (centred);
 * fills: bg, s0…s7 (series colours); lines: l0…l7 (series), grid, minor (fainter), axis,
 * ref (dashed reference line). */
void lab_svg_begin(struct lab_buf *out, double w, double h, const char *title, const char *desc);
void lab_svg_end(struct lab_buf *out);

struct lab_xy { /* px from the top left corner, y downwards */
    double x, y;
};

#define LAB_XY(x, y) ((struct lab_xy){(x), (y)})

/* Coordinates are printed with two digits; text is escaped. A rectangle's `at` is its top left
 * corner, a text's the left end (tr: right, tc: middle) of its baseline. */
void lab_svg_rect(struct lab_buf *out, const char *cls, struct lab_xy at, double w, double h);
void lab_svg_line(struct lab_buf *out, const char *cls, struct lab_xy from, struct lab_xy to);
void lab_svg_circle(struct lab_buf *out, const char *cls, struct lab_xy centre, double r);
void lab_svg_polyline(struct lab_buf *out, const char *cls, const struct lab_xy *p, size_t n);
void lab_svg_polygon(struct lab_buf *out, const char *cls, const struct lab_xy *p, size_t n);
void lab_svg_text(struct lab_buf *out, const char *cls, struct lab_xy at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* A chart. */
struct lab_series {
    const char *name; /* shown in the legend; NULL: none */
    const double *x, *y;
    size_t n;
    bool line, points;         /* how to draw it */
    bool reference;            /* dashed: a prediction or a bound, not a measurement */
    const char *const *labels; /* beside each point, or NULL */
};

enum lab_ticks { LAB_TICKS_PLAIN, LAB_TICKS_BYTES /* 4K, 32M: powers of 1024 */ };

struct lab_axis {
    const char *label; /* with unit */
    bool log;          /* base 2 with LAB_TICKS_BYTES, base 10 otherwise */
    double min, max;   /* both 0: from the data */
    enum lab_ticks ticks;
};

struct lab_mark { /* a labelled vertical line */
    double x;
    const char *label;
};

struct lab_plot {
    const char *title, *desc;
    double w, h; /* px; 0: 760 × 440 */
    struct lab_axis x, y;
    const struct lab_series *series;
    size_t nseries; /* at most 8 */
    const struct lab_mark *marks;
    size_t nmarks;
};

/* Append the chart as a whole SVG document. Points outside a fixed range are clipped; a
 * non-positive value on a logarithmic axis is left out. */
void lab_plot_svg(const struct lab_plot *plot, struct lab_buf *out);

#endif
