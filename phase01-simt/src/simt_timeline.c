/* Drawing which lanes were active in which issue.
 *
 * Problem: "both sides are walked one after the other" is said quickly and believed only when seen.
 * Model: time runs to the right, one column per issue; each lane is a row. A cell is coloured by
 * the side of the branch it belongs to, pale while the lane waits, and empty once it has
 * halted. Runs of lanes with the same look are one rectangle where cells are too small for gaps.
 * Invariant: the picture depends only on the events, so the same run gives the same bytes.
 */
#include "simt_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "lab/svg.h"

enum {
    LEFT = 54,
    RIGHT = 20,
    HEAD = 40, /* above a panel's cells: its title */
    FOOT = 62, /* below: axis, instruction names */
    LEGEND = 34,
    WIDTH = 960,
    ROW = 9,
    BOX = SIMT_LANES * ROW,
    WIDE = 48, /* columns at least this wide carry the instruction's name */
};

enum look { GONE, PALE, WHOLE, FELL, TOOK, PART, NLOOKS };

void simt_timeline_record(struct simt_timeline *t, const struct simt_event *event)
{
    if (t->events == NULL) {
        t->events = lab_alloc(SIMT_TIMELINE_MAX, sizeof(*t->events));
    }
    if (t->n < SIMT_TIMELINE_MAX) {
        t->events[t->n++] = *event;
    }
    t->total++;
}

void simt_timeline_fini(struct simt_timeline *t)
{
    free(t->events);
    *t = (struct simt_timeline){0};
}

static enum look look_of(const struct simt_event *e, int lane)
{
    static const enum look of_side[] = {
        [SIMT_WHOLE] = WHOLE, [SIMT_FELL] = FELL, [SIMT_TOOK] = TOOK, [SIMT_PART] = PART};
    if ((e->active >> lane & 1) != 0) {
        return of_side[e->side];
    }
    return (e->live >> lane & 1) != 0 ? PALE : GONE;
}

static const char *const class_of[NLOOKS] = {
    [PALE] = "s6", [WHOLE] = "s0", [FELL] = "s1", [TOOK] = "s2", [PART] = "s3"};

/* One issue: a rectangle for each lane, or for each run of lanes that look alike where cells are
 * too small to be kept apart. `pale` chooses between the two layers. */
static void column(struct lab_buf *out, const struct simt_event *e, struct lab_xy at, double w,
                   bool pale)
{
    bool apart = w >= 8;
    for (int lane = 0; lane < SIMT_LANES;) {
        enum look look = look_of(e, lane);
        int end = lane + 1;
        while (!apart && end < SIMT_LANES && look_of(e, end) == look) {
            end++;
        }
        if (look != GONE && (look == PALE) == pale) {
            lab_svg_rect(out, class_of[look], LAB_XY(at.x, at.y + lane * ROW), w - (apart ? 1 : 0),
                         (end - lane) * ROW - (apart ? 1 : 0));
        }
        lane = end;
    }
}

static void cells(struct lab_buf *out, const struct simt_timeline *t, struct lab_xy at, double w)
{
    lab_buf_puts(out, "<g shape-rendering=\"crispEdges\">\n<g opacity=\"0.14\">\n");
    for (size_t i = 0; i < t->n; i++) {
        column(out, &t->events[i], LAB_XY(at.x + (double)i * w, at.y), w, true);
    }
    lab_buf_puts(out, "</g>\n");
    for (size_t i = 0; i < t->n; i++) {
        column(out, &t->events[i], LAB_XY(at.x + (double)i * w, at.y), w, false);
    }
    lab_buf_puts(out, "</g>\n");
}

static size_t tick_step(size_t n)
{
    static const size_t steps[] = {1, 2, 5, 10, 20, 50, 100};
    size_t i = 0;
    while (i < sizeof(steps) / sizeof(steps[0]) - 1 && n / steps[i] > 24) {
        i++;
    }
    return steps[i];
}

static void axes(struct lab_buf *out, const struct simt_panel *p, double y, double w)
{
    for (int lane = 0; lane < SIMT_LANES; lane += lane == 24 ? 7 : 8) {
        lab_svg_text(out, "tm tr", LAB_XY(LEFT - 8, y + lane * ROW + 8), "%d", lane);
    }
    lab_svg_text(out, "tm tr", LAB_XY(LEFT - 8, y - 6), "lane");
    size_t step = w >= WIDE ? 1 : tick_step(p->events->n);
    for (size_t i = 0; i < p->events->n; i++) {
        double x = LEFT + (double)i * w + w / 2;
        if (w >= WIDE) {
            const struct simt_insn *in = &p->prog->code[p->events->events[i].pc];
            lab_svg_text(out, "tc", LAB_XY(x, y + BOX + 15), "%s", simt_op_info(in->op)->name);
        }
        if ((i + 1) % step == 0 || i == 0) {
            lab_svg_text(out, "tm tc", LAB_XY(x, y + BOX + (w >= WIDE ? 32 : 15)), "%zu", i + 1);
        }
    }
    lab_svg_text(out, "tm tc",
                 LAB_XY(LEFT + (double)p->events->n * w / 2, y + BOX + (w >= WIDE ? 49 : 32)),
                 "issue");
}

static void panel(struct lab_buf *out, const struct simt_panel *p, double y)
{
    double w = (double)(WIDTH - LEFT - RIGHT) / (double)(p->events->n > 0 ? p->events->n : 1);
    w = w > 88 ? 88 : w;
    lab_svg_text(out, "th", LAB_XY(LEFT, y + 20), "%s", p->title);
    cells(out, p->events, LAB_XY(LEFT, y + HEAD), w);
    axes(out, p, y + HEAD, w);
}

static bool has_look(const struct simt_event *e, enum look look)
{
    for (int lane = 0; lane < SIMT_LANES; lane++) {
        if (look_of(e, lane) == look) {
            return true;
        }
    }
    return false;
}

/* Does any cell of the picture look like this? */
static bool occurs(const struct simt_panel *panels, size_t n, enum look look)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < panels[i].events->n; e++) {
            if (has_look(&panels[i].events->events[e], look)) {
                return true;
            }
        }
    }
    return false;
}

static void legend(struct lab_buf *out, const struct simt_panel *panels, size_t n, double y)
{
    static const char *const text_of[NLOOKS] = {
        [WHOLE] = "all live lanes",
        [FELL] = "side that falls through",
        [TOOK] = "side that takes the branch",
        [PART] = "part of the lanes",
        [PALE] = "lanes that wait",
    };
    static const enum look order[] = {WHOLE, FELL, TOOK, PART, PALE};
    double x = LEFT;
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        enum look look = order[i];
        if (!occurs(panels, n, look)) {
            continue;
        }
        lab_buf_puts(out, look == PALE ? "<g opacity=\"0.14\">\n" : "<g>\n");
        lab_svg_rect(out, class_of[look], LAB_XY(x, y), 12, 12);
        lab_buf_puts(out, "</g>\n");
        lab_svg_text(out, "t", LAB_XY(x + 18, y + 11), "%s", text_of[look]);
        x += 44 + 7.2 * (double)strlen(text_of[look]);
    }
}

void simt_timeline_svg(const struct simt_panel *panels, size_t n, struct lab_buf *out)
{
    double each = HEAD + BOX + FOOT;
    double height = (double)n * each + LEGEND;
    lab_svg_begin(
        out, WIDTH, height, "Lanes against issues",
        "One row per lane of the warp, one column per issued instruction; a coloured cell "
        "is an active lane, a pale one waits.");
    for (size_t i = 0; i < n; i++) {
        panel(out, &panels[i], (double)i * each);
    }
    legend(out, panels, n, (double)n * each + 4);
    lab_svg_end(out);
}
