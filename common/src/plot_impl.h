/* What the axes of a chart (plot_axis.c) tell the rest of it (plot.c). */
#ifndef LAB_PLOT_IMPL_H
#define LAB_PLOT_IMPL_H

#include "lab/svg.h"

enum { LAB_TICKS_MAX = 128 };

struct lab_tick {
    double at; /* in px */
    bool major;
    char label[24]; /* of a major one */
};

/* An axis with its range settled: position(v) = from_px + (f(v) − lo) / (hi − lo) · (to_px −
 * from_px), f the identity or a logarithm. */
struct lab_scale {
    const struct lab_axis *axis;
    double lo, hi; /* of f(v) */
    double from_px, to_px;
    struct lab_tick ticks[LAB_TICKS_MAX];
    size_t nticks;
};

/* Settle the range for these series (`vertical`: of their y) and the ticks' labels. */
void lab_scale_init(struct lab_scale *s, const struct lab_plot *plot, bool vertical);

/* Give the range its place on the picture, and the ticks theirs. */
void lab_scale_place(struct lab_scale *s, double from_px, double to_px);

/* Where v lies, in px; false when the axis has no place for it at all (NaN, or not positive on a
 * logarithmic axis). It may lie outside the range. */
bool lab_scale_px(const struct lab_scale *s, double v, double *px);

/* A chart while it is drawn. */
struct lab_box {
    double x0, y0, x1, y1; /* px, y downwards */
};

struct lab_chart {
    const struct lab_plot *plot;
    struct lab_buf *out;
    double w, h;
    struct lab_box frame; /* the area between the axes */
    struct lab_scale x, y;
};

/* Where point i of a series lies, in px; false when the axes have no place for it. */
bool lab_chart_point(const struct lab_chart *c, const struct lab_series *s, size_t i,
                     struct lab_xy *at);

bool lab_box_holds(const struct lab_box *b, struct lab_xy p);

/* Cut a line to the box; false when nothing of it is inside. */
bool lab_box_clip(const struct lab_box *b, struct lab_xy *from, struct lab_xy *to);

/* About how wide a text is at a font size, in px. */
double lab_text_px(const char *s, double size);

/* Write the labels of all points, where they cover least. */
void lab_chart_labels(const struct lab_chart *c);

#endif
