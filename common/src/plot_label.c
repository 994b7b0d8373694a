/* Problem: a label beside a point must be readable: inside the picture, not over a line, a point or
 * another label.
 * Model: eight places around the point are tried in order of preference, and the one that covers
 * least wins. Labels are placed one after the other and never moved again. Invariants: a label that
 * fits into the frame at all stays inside it. Simplified: greedy; a crowded picture would need a
 * search over all labels at once.
 */
#include <math.h>
#include <stdlib.h>

#include "plot_impl.h"

enum { FONT = 13, GAP = 8 };

/* What covering each kind of thing costs. */
enum { COST_OUTSIDE = 1000, COST_LABEL = 60, COST_POINT = 20, COST_LINE = 8, COST_PLACE = 1 };

double lab_text_px(const char *s, double size)
{
    return 0.56 * size * (double)lab_utf8_width(s);
}

bool lab_box_holds(const struct lab_box *b, struct lab_xy p)
{
    const double edge = 0.01;
    return p.x >= b->x0 - edge && p.x <= b->x1 + edge && p.y >= b->y0 - edge && p.y <= b->y1 + edge;
}

/* Liang and Barsky (1984): narrow the part [t0, t1] of the line by one side of the box. */
static bool narrow(double delta, double distance, double *t0, double *t1)
{
    if (delta == 0) {
        return distance >= 0;
    }
    double t = distance / delta;
    if (delta < 0) {
        *t0 = fmax(*t0, t);
    } else {
        *t1 = fmin(*t1, t);
    }
    return *t0 <= *t1;
}

bool lab_box_clip(const struct lab_box *b, struct lab_xy *from, struct lab_xy *to)
{
    struct lab_xy p = *from;
    double dx = to->x - p.x;
    double dy = to->y - p.y;
    double t0 = 0;
    double t1 = 1;
    if (!narrow(-dx, p.x - b->x0, &t0, &t1) || !narrow(dx, b->x1 - p.x, &t0, &t1) ||
        !narrow(-dy, p.y - b->y0, &t0, &t1) || !narrow(dy, b->y1 - p.y, &t0, &t1)) {
        return false;
    }
    *from = LAB_XY(p.x + t0 * dx, p.y + t0 * dy);
    *to = LAB_XY(p.x + t1 * dx, p.y + t1 * dy);
    return true;
}

static bool overlap(const struct lab_box *a, const struct lab_box *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

struct placed {
    struct lab_box *boxes;
    size_t n;
};

static int cost_of_series(const struct lab_chart *c, const struct lab_series *s,
                          const struct lab_box *box)
{
    int cost = 0;
    struct lab_xy last = {0, 0};
    bool have_last = false;
    for (size_t i = 0; i < s->n; i++) {
        struct lab_xy at = {0, 0};
        bool have = lab_chart_point(c, s, i, &at);
        if (have && s->points) {
            struct lab_box mark = {at.x - 4, at.y - 4, at.x + 4, at.y + 4};
            cost += overlap(box, &mark) ? COST_POINT : 0;
        }
        if (have && have_last && s->line) {
            struct lab_xy from = last;
            struct lab_xy to = at;
            cost += lab_box_clip(box, &from, &to) ? COST_LINE : 0;
        }
        have_last = have;
        last = at;
    }
    return cost;
}

static int cost_of(const struct lab_chart *c, const struct placed *p, const struct lab_box *box)
{
    int cost = 0;
    if (!lab_box_holds(&c->frame, LAB_XY(box->x0, box->y0)) ||
        !lab_box_holds(&c->frame, LAB_XY(box->x1, box->y1))) {
        cost += COST_OUTSIDE;
    }
    for (size_t i = 0; i < p->n; i++) {
        cost += overlap(box, &p->boxes[i]) ? COST_LABEL : 0;
    }
    for (size_t i = 0; i < c->plot->nseries; i++) {
        cost += cost_of_series(c, &c->plot->series[i], box);
    }
    return cost;
}

static struct lab_box choose(const struct lab_chart *c, const struct placed *p, const char *label,
                             struct lab_xy at)
{
    /* The box's centre relative to the point, in half widths and half heights beyond the gap. */
    static const double where[8][2] = {{1, 0},  {-1, 0},  {0, -1}, {0, 1},
                                       {1, -1}, {-1, -1}, {1, 1},  {-1, 1}};
    double half_w = lab_text_px(label, FONT) / 2 + 1;
    double half_h = FONT * 0.6;
    struct lab_box best = {0, 0, 0, 0};
    int best_cost = 0;
    for (int i = 0; i < 8; i++) {
        double gap = i < 4 ? GAP : GAP * 0.5;
        double x = at.x + where[i][0] * (half_w + gap);
        double y = at.y + where[i][1] * (half_h + gap);
        struct lab_box box = {x - half_w, y - half_h, x + half_w, y + half_h};
        int cost = cost_of(c, p, &box) + i * COST_PLACE;
        if (i == 0 || cost < best_cost) {
            best = box;
            best_cost = cost;
        }
    }
    return best;
}

static void place(const struct lab_chart *c, struct placed *p, const struct lab_series *s, size_t i)
{
    struct lab_xy at = {0, 0};
    const char *label = s->labels[i];
    if (label == NULL || !lab_chart_point(c, s, i, &at) || !lab_box_holds(&c->frame, at)) {
        return;
    }
    struct lab_box box = choose(c, p, label, at);
    p->boxes = lab_resize(p->boxes, p->n + 1, sizeof(*p->boxes));
    p->boxes[p->n++] = box;
    lab_svg_text(c->out, "tc", LAB_XY((box.x0 + box.x1) / 2, box.y1 - FONT * 0.25), "%s", label);
}

void lab_chart_labels(const struct lab_chart *c)
{
    struct placed p = {NULL, 0};
    for (size_t k = 0; k < c->plot->nseries; k++) {
        const struct lab_series *s = &c->plot->series[k];
        for (size_t i = 0; s->labels != NULL && i < s->n; i++) {
            place(c, &p, s, i);
        }
    }
    free(p.boxes);
}
