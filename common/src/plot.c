/* Problem: a curve of measurements should be as easy to make as a table.
 * Model: a frame with two scales; series as lines and points over a grid; names under the frame,
 * where they cannot hide data; labels beside points where they cover least. Invariants: nothing is
 * drawn outside the picture; lines are cut at the frame, points outside it are left out.
 * Simplified: text widths are estimated, so margins are generous; one x and one y axis.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/err.h"
#include "plot_impl.h"

enum { MARGIN = 20, ROW = 20, MARK_ROW = 16, NAME_FONT = 12, SWATCH = 26 };

bool lab_chart_point(const struct lab_chart *c, const struct lab_series *s, size_t i,
                     struct lab_xy *at)
{
    return lab_scale_px(&c->x, s->x[i], &at->x) && lab_scale_px(&c->y, s->y[i], &at->y);
}

static double name_px(const char *name)
{
    return SWATCH + 8 + lab_text_px(name, NAME_FONT) + 20;
}

/* A shape per series as well as a colour, for whoever cannot tell the colours apart. */
static void marker(struct lab_buf *out, size_t series, struct lab_xy at)
{
    char cls[32];
    (void)snprintf(cls, sizeof(cls), "s%zu", series);
    const double x = at.x;
    const double y = at.y;
    const struct lab_xy diamond[] = {{x, y - 5}, {x + 5, y}, {x, y + 5}, {x - 5, y}};
    const struct lab_xy triangle[] = {{x, y - 4.8}, {x + 4.8, y + 3.6}, {x - 4.8, y + 3.6}};
    switch (series % 4) {
    case 0: lab_svg_circle(out, cls, at, 4); break;
    case 1: lab_svg_rect(out, cls, LAB_XY(x - 3.5, y - 3.5), 7, 7); break;
    case 2: lab_svg_polygon(out, cls, diamond, 4); break;
    default: lab_svg_polygon(out, cls, triangle, 3);
    }
}

static void line_class(const struct lab_series *s, size_t series, char cls[32])
{
    (void)snprintf(cls, 32, "%sl%zu", s->reference ? "ref " : "", series);
}

static void swatch(const struct lab_chart *c, size_t series, double x, double y)
{
    const struct lab_series *s = &c->plot->series[series];
    char cls[32];
    line_class(s, series, cls);
    if (s->line) {
        lab_svg_line(c->out, cls, LAB_XY(x, y), LAB_XY(x + SWATCH, y));
    }
    if (s->points) {
        marker(c->out, series, LAB_XY(x + SWATCH / 2.0, y));
    }
}

/* Draw the names, the first row's middle at y (out != NULL), or only count their rows. */
static int legend(const struct lab_chart *c, double y, struct lab_buf *out)
{
    int rows = 0;
    double x = 0;
    for (size_t i = 0; i < c->plot->nseries; i++) {
        const char *name = c->plot->series[i].name;
        if (name == NULL) {
            continue;
        }
        if (rows == 0 || x + name_px(name) > c->w - MARGIN) {
            rows++;
            x = c->frame.x0;
        }
        double middle = y + (rows - 1) * ROW;
        if (out != NULL) {
            swatch(c, i, x, middle);
            lab_svg_text(out, "tm", LAB_XY(x + SWATCH + 8, middle + 4), "%s", name);
        }
        x += name_px(name);
    }
    return rows;
}

/* Marks have their labels above the frame, centred on their lines but inside the picture; one that
 * would touch the label before it in its row goes a row up. */
static double mark_x(const struct lab_chart *c, const struct lab_mark *m, double *label_x)
{
    double x = NAN;
    if (!lab_scale_px(&c->x, m->x, &x) || x < c->frame.x0 - 0.01 || x > c->frame.x1 + 0.01) {
        return NAN;
    }
    double half = lab_text_px(m->label, NAME_FONT) / 2;
    *label_x = fmin(fmax(x, c->frame.x0 + half), fmax(c->w - 4 - half, c->frame.x0 + half));
    return x;
}

enum { MARK_ROWS_MAX = 4 };

/* Draw the marks (out != NULL) or only count the rows of their labels. */
static int marks(const struct lab_chart *c, struct lab_buf *out)
{
    double right[MARK_ROWS_MAX] = {0};
    int rows = 0;
    for (size_t i = 0; i < c->plot->nmarks; i++) {
        const struct lab_mark *m = &c->plot->marks[i];
        double label_x = 0;
        double x = mark_x(c, m, &label_x);
        if (isnan(x)) {
            continue;
        }
        double half = lab_text_px(m->label, NAME_FONT) / 2;
        int row = 0;
        while (row < MARK_ROWS_MAX - 1 && label_x - half < right[row] + 8) {
            row++;
        }
        right[row] = label_x + half;
        rows = row + 1 > rows ? row + 1 : rows;
        if (out != NULL) {
            double top = c->frame.y0 - 4 - row * MARK_ROW;
            lab_svg_line(out, "ref", LAB_XY(x, top), LAB_XY(x, c->frame.y1));
            lab_svg_text(out, "tm tc", LAB_XY(label_x, top - 4), "%s", m->label);
        }
    }
    return rows;
}

static void lay_out(struct lab_chart *c)
{
    const struct lab_plot *p = c->plot;
    c->w = p->w > 0 ? p->w : 760;
    c->h = p->h > 0 ? p->h : 440;
    lab_scale_init(&c->x, p, false);
    lab_scale_init(&c->y, p, true);
    double widest = 0;
    for (size_t i = 0; i < c->y.nticks; i++) {
        widest = fmax(widest, lab_text_px(c->y.ticks[i].label, NAME_FONT));
    }
    c->frame = (struct lab_box){MARGIN + widest + 10, 0, c->w - MARGIN - 12, 0};
    lab_scale_place(&c->x, c->frame.x0, c->frame.x1);
    int mark_rows = marks(c, NULL);
    int name_rows = legend(c, 0, NULL);
    c->frame.y0 = 66 + mark_rows * MARK_ROW + (mark_rows > 0 ? 6 : 0);
    c->frame.y1 = c->h - 50 - (name_rows > 0 ? 12 : 0) - name_rows * ROW;
    LAB_ASSERT(c->frame.x1 > c->frame.x0 && c->frame.y1 > c->frame.y0);
    lab_scale_place(&c->y, c->frame.y1, c->frame.y0);
}

static void draw_axes(const struct lab_chart *c)
{
    const struct lab_box *f = &c->frame;
    for (size_t i = 0; i < c->x.nticks; i++) {
        const struct lab_tick *t = &c->x.ticks[i];
        lab_svg_line(c->out, t->major ? "grid" : "minor", LAB_XY(t->at, f->y0),
                     LAB_XY(t->at, f->y1));
        if (t->major) {
            lab_svg_text(c->out, "tm tc", LAB_XY(t->at, f->y1 + 18), "%s", t->label);
        }
    }
    for (size_t i = 0; i < c->y.nticks; i++) {
        const struct lab_tick *t = &c->y.ticks[i];
        lab_svg_line(c->out, t->major ? "grid" : "minor", LAB_XY(f->x0, t->at),
                     LAB_XY(f->x1, t->at));
        if (t->major) {
            lab_svg_text(c->out, "tm tr", LAB_XY(f->x0 - 8, t->at + 4), "%s", t->label);
        }
    }
    lab_svg_line(c->out, "axis", LAB_XY(f->x0, f->y1), LAB_XY(f->x1, f->y1));
    lab_svg_line(c->out, "axis", LAB_XY(f->x0, f->y0), LAB_XY(f->x0, f->y1));
    lab_svg_text(c->out, "th", LAB_XY(MARGIN, 30), "%s", c->plot->title);
    if (c->plot->y.label != NULL) {
        lab_svg_text(c->out, "tm", LAB_XY(MARGIN, 52), "%s", c->plot->y.label);
    }
    if (c->plot->x.label != NULL) {
        lab_svg_text(c->out, "tm tc", LAB_XY((f->x0 + f->x1) / 2, f->y1 + 38), "%s",
                     c->plot->x.label);
    }
}

/* The pieces of a line that lie inside the frame; a point without a place interrupts it. */
static void draw_line(const struct lab_chart *c, size_t series)
{
    const struct lab_series *s = &c->plot->series[series];
    char cls[32];
    line_class(s, series, cls);
    struct lab_xy *piece = lab_alloc(s->n + 1, sizeof(*piece));
    size_t n = 0;
    for (size_t i = 1; i < s->n; i++) {
        struct lab_xy from;
        struct lab_xy to;
        bool visible = lab_chart_point(c, s, i - 1, &from) && lab_chart_point(c, s, i, &to) &&
                       lab_box_clip(&c->frame, &from, &to);
        bool joins =
            visible && n > 0 && hypot(piece[n - 1].x - from.x, piece[n - 1].y - from.y) < 0.001;
        if (n > 0 && !joins) {
            lab_svg_polyline(c->out, cls, piece, n);
            n = 0;
        }
        if (visible && n == 0) {
            piece[n++] = from;
        }
        if (visible) {
            piece[n++] = to;
        }
    }
    if (n > 0) {
        lab_svg_polyline(c->out, cls, piece, n);
    }
    free(piece);
}

static void draw_points(const struct lab_chart *c, size_t series)
{
    const struct lab_series *s = &c->plot->series[series];
    for (size_t i = 0; i < s->n; i++) {
        struct lab_xy at;
        if (lab_chart_point(c, s, i, &at) && lab_box_holds(&c->frame, at)) {
            marker(c->out, series, at);
        }
    }
}

void lab_plot_svg(const struct lab_plot *plot, struct lab_buf *out)
{
    LAB_ASSERT(plot->nseries <= 8);
    struct lab_chart c = {.plot = plot, .out = out};
    lay_out(&c);
    lab_svg_begin(out, c.w, c.h, plot->title, plot->desc == NULL ? "" : plot->desc);
    draw_axes(&c);
    (void)marks(&c, out);
    for (size_t i = 0; i < plot->nseries; i++) {
        if (plot->series[i].line) {
            draw_line(&c, i);
        }
    }
    for (size_t i = 0; i < plot->nseries; i++) {
        if (plot->series[i].points) {
            draw_points(&c, i);
        }
    }
    lab_chart_labels(&c);
    (void)legend(&c, c.frame.y1 + 62, out);
    lab_svg_end(out);
}
