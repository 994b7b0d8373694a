/* Problem: a lab's result should be seen, in a browser, a README or print, without a plotting
 * program. Model: SVG text written element by element into a buffer; all looks are in one style
 * sheet at the top, so that the elements only name a class. Invariants: well-formed XML whatever
 * the texts hold; every coordinate is finite. Simplified: the width of a text is never known
 * exactly, since the reader's font decides it.
 *
 * Series colours follow Okabe and Ito's palette for colour-blind readers
 * (https://jfly.uni-koeln.de/color/), its light hues darkened for white paper so that a line has a
 * contrast of 3 : 1 (WCAG 2.1, 1.4.11); texts have more than 4.5 : 1 on their background in both
 * settings (1.4.3).
 */
#include "lab/svg.h"

#include <math.h>
#include <stdarg.h>

#include "lab/err.h"

static const char style[] =
    "<style>\n"
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
    "font-size:13px;fill:#1b1f24}\n"
    ".th{font-size:17px;font-weight:600}.tm{font-size:12px;fill:#57606a}\n"
    ".tr{text-anchor:end}.tc{text-anchor:middle}\n"
    "line,polyline{fill:none;stroke-width:1}\n"
    ".bg{fill:#ffffff}.grid{stroke:#e4e7eb}.minor{stroke:#f2f4f6}.axis{stroke:#57606a}\n"
    ".ref{stroke:#57606a;stroke-width:1.5;stroke-dasharray:6 4}\n";

static const char *const light[8] = {"#0072b2", "#c84f00", "#00805d", "#b0508a",
                                     "#a06a00", "#3a8fc4", "#4a4a4a", "#857a00"};
static const char *const dark[8] = {"#58aee6", "#ff8a47", "#2bc79a", "#e59ac6",
                                    "#f0b23c", "#9ad4f7", "#c9d1d9", "#f0e442"};

static const char style_dark[] =
    "text{fill:#e6edf3}.tm{fill:#a4adb8}.bg{fill:#0d1117}.grid{stroke:#2a313a}"
    ".minor{stroke:#1a2028}.axis,.ref{stroke:#a4adb8}\n";

static void put_colours(struct lab_buf *out, const char *const colours[8])
{
    for (int i = 0; i < 8; i++) {
        lab_buf_printf(out, ".s%d{fill:%s}.l%d{stroke:%s}\n", i, colours[i], i, colours[i]);
    }
}

void lab_svg_begin(struct lab_buf *out, double w, double h, const char *title, const char *desc)
{
    lab_buf_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" "
                   "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
                   w, h, w, h);
    lab_buf_xml(out, title);
    lab_buf_puts(out, "</title>\n<desc>");
    lab_buf_xml(out, desc);
    lab_buf_puts(out, "</desc>\n");
    lab_buf_puts(out, style);
    put_colours(out, light);
    lab_buf_puts(out, ".l0,.l1,.l2,.l3,.l4,.l5,.l6,.l7{stroke-width:2;stroke-linejoin:round}\n"
                      "@media (prefers-color-scheme:dark){\n");
    lab_buf_puts(out, style_dark);
    put_colours(out, dark);
    lab_buf_puts(out, "}\n</style>\n");
    lab_svg_rect(out, "bg", LAB_XY(0, 0), w, h);
}

void lab_svg_end(struct lab_buf *out)
{
    lab_buf_puts(out, "</svg>\n");
}

/* ` name="12.34"`, without a minus before a zero. */
static void put_number(struct lab_buf *out, const char *name, double v)
{
    LAB_ASSERT(isfinite(v));
    lab_buf_printf(out, " %s=\"%.2f\"", name, fabs(v) < 0.005 ? 0 : v);
}

static void open_tag(struct lab_buf *out, const char *tag, const char *cls)
{
    lab_buf_printf(out, "<%s class=\"", tag);
    lab_buf_xml(out, cls);
    lab_buf_putc(out, '"');
}

void lab_svg_rect(struct lab_buf *out, const char *cls, struct lab_xy at, double w, double h)
{
    open_tag(out, "rect", cls);
    put_number(out, "x", at.x);
    put_number(out, "y", at.y);
    put_number(out, "width", w);
    put_number(out, "height", h);
    lab_buf_puts(out, "/>\n");
}

void lab_svg_line(struct lab_buf *out, const char *cls, struct lab_xy from, struct lab_xy to)
{
    open_tag(out, "line", cls);
    put_number(out, "x1", from.x);
    put_number(out, "y1", from.y);
    put_number(out, "x2", to.x);
    put_number(out, "y2", to.y);
    lab_buf_puts(out, "/>\n");
}

void lab_svg_circle(struct lab_buf *out, const char *cls, struct lab_xy centre, double r)
{
    open_tag(out, "circle", cls);
    put_number(out, "cx", centre.x);
    put_number(out, "cy", centre.y);
    put_number(out, "r", r);
    lab_buf_puts(out, "/>\n");
}

static void put_points(struct lab_buf *out, const struct lab_xy *p, size_t n)
{
    lab_buf_puts(out, " points=\"");
    for (size_t i = 0; i < n; i++) {
        LAB_ASSERT(isfinite(p[i].x) && isfinite(p[i].y));
        lab_buf_printf(out, "%s%.2f,%.2f", i == 0 ? "" : " ", p[i].x, p[i].y);
    }
    lab_buf_puts(out, "\"/>\n");
}

void lab_svg_polyline(struct lab_buf *out, const char *cls, const struct lab_xy *p, size_t n)
{
    open_tag(out, "polyline", cls);
    put_points(out, p, n);
}

void lab_svg_polygon(struct lab_buf *out, const char *cls, const struct lab_xy *p, size_t n)
{
    open_tag(out, "polygon", cls);
    put_points(out, p, n);
}

void lab_svg_text(struct lab_buf *out, const char *cls, struct lab_xy at, const char *fmt, ...)
{
    struct lab_buf text;
    lab_buf_init(&text);
    va_list ap;
    va_start(ap, fmt);
    lab_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    open_tag(out, "text", cls);
    put_number(out, "x", at.x);
    put_number(out, "y", at.y);
    lab_buf_putc(out, '>');
    lab_buf_xml(out, lab_buf_str(&text));
    lab_buf_puts(out, "</text>\n");
    lab_buf_fini(&text);
}
