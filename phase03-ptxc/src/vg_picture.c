/* Two pictures: the sectors of one access, and a heat map of counters over PTX lines.
 *
 * The access: memory as rows of 128 bytes (a line), each of 4 sectors, each of 8 words. A word that
 * a lane asks for carries the lane's number; the rest of a touched sector is what comes along
 * unasked. The heat map: each column is shaded by its own largest value, so that a column's hot
 * line stands out however small its numbers are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/svg.h"
#include "vg_distinct.h"
#include "vg_name.h"
#include "vg_rows.h"
#include "vg_source.h"

#define LINE_BYTES   128
#define MAX_ROWS     64
#define WORDS        (LINE_BYTES / VG_WORD_BYTES)
#define SECTOR_WORDS (VG_SECTOR_BYTES / VG_WORD_BYTES)

static const char style[] =
    "<style>.hole{fill:none}.waste{fill-opacity:.22}.on{font-size:10px;fill:#ffffff}"
    ".code{font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:11px}"
    ".o0{fill-opacity:0}.o1{fill-opacity:.08}.o2{fill-opacity:.16}.o3{fill-opacity:.24}"
    ".o4{fill-opacity:.32}.o5{fill-opacity:.4}.o6{fill-opacity:.48}.o7{fill-opacity:.56}"
    ".o8{fill-opacity:.64}\n"
    "@media (prefers-color-scheme:dark){.on{fill:#0d1117}}</style>\n";

/* --- the access --- */

#define CELL     23.0
#define CELL_GAP 12.0
#define LEFT     92.0
#define TOP      92.0
#define ROW      24.0

/* The lanes that ask for each word of one line. */
struct line {
    uint64_t number; /* address / LINE_BYTES */
    uint32_t lanes[WORDS];
};

static int compare_u64(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

/* The 128-byte lines the access touches, in order; at most 64. */
static uint32_t lines_of(const struct vg_access *a, uint64_t *lines)
{
    uint32_t n = 0;
    for (uint32_t left = a->mask; left != 0; left &= left - 1) {
        uint64_t first = a->addr[__builtin_ctz(left)];
        lines[n++] = first / LINE_BYTES;
        lines[n++] = (first + a->bytes - 1) / LINE_BYTES;
    }
    n = vg_distinct(lines, n);
    qsort(lines, n, sizeof(lines[0]), compare_u64);
    return n;
}

static void fill_line(const struct vg_access *a, struct line *line)
{
    memset(line->lanes, 0, sizeof(line->lanes));
    for (uint32_t left = a->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t last = (a->addr[lane] + a->bytes - 1) / VG_WORD_BYTES;
        for (uint64_t word = a->addr[lane] / VG_WORD_BYTES; word <= last; word++) {
            if (word / WORDS == line->number) {
                line->lanes[word % WORDS] |= 1u << lane;
            }
        }
    }
}

static void draw_word(struct lab_buf *out, struct lab_xy at, uint32_t lanes, bool moved)
{
    const char *cls = lanes != 0 ? "s0 bd" : moved ? "s1 waste" : "hole grid";
    lab_svg_rect(out, cls, at, CELL - 1, ROW - 5);
    struct lab_xy text = LAB_XY(at.x + CELL / 2 - 0.5, at.y + ROW / 2 + 1);
    if (lanes != 0 && (lanes & (lanes - 1)) == 0) {
        lab_svg_text(out, "tc on", text, "%d", __builtin_ctz(lanes));
    } else if (lanes != 0) {
        lab_svg_text(out, "tc on", text, "\u00d7%d", __builtin_popcount(lanes));
    }
}

static void draw_line(struct lab_buf *out, const struct line *line, uint64_t base, double y)
{
    lab_svg_text(out, "tm tr", LAB_XY(LEFT - 10, y + ROW / 2 + 2), "+%" PRIu64,
                 (line->number - base) * LINE_BYTES);
    for (uint32_t word = 0; word < WORDS; word++) {
        const uint32_t *sector = line->lanes + word / SECTOR_WORDS * SECTOR_WORDS;
        bool moved = false;
        for (uint32_t i = 0; i < SECTOR_WORDS; i++) {
            moved |= sector[i] != 0;
        }
        double x = LEFT + CELL * word + CELL_GAP * (word / SECTOR_WORDS);
        draw_word(out, LAB_XY(x, y), line->lanes[word], moved);
    }
}

static void draw_legend(struct lab_buf *out, double y)
{
    const char *const cls[] = {"s0", "s1 waste", "hole grid"};
    const char *const text[] = {"asked for, by this lane (\u00d7n: by n lanes)",
                                "moved with its sector, not asked for", "not moved"};
    double x = LEFT;
    for (int i = 0; i < 3; i++) {
        lab_svg_rect(out, cls[i], LAB_XY(x, y - 11), 14, 14);
        lab_svg_text(out, "tm", LAB_XY(x + 20, y), "%s", text[i]);
        x += i == 0 ? 270 : 250;
    }
}

void vg_access_svg(const struct vg_access *a, const char *title, struct lab_buf *out)
{
    uint64_t lines[2 * VG_LANES];
    uint32_t n = lines_of(a, lines), shown = n < MAX_ROWS ? n : MAX_ROWS;
    uint32_t sectors = vg_sectors(a), lanes = (uint32_t)__builtin_popcount(a->mask);
    char summary[200];
    snprintf(
        summary, sizeof(summary),
        "%u lane%s ask%s for %u byte%s each; %u sector%s of 32 bytes move%s; efficiency %.1f %%",
        lanes, lanes == 1 ? "" : "s", lanes == 1 ? "s" : "", a->bytes, a->bytes == 1 ? "" : "s",
        sectors, sectors == 1 ? "" : "s", sectors == 1 ? "s" : "",
        sectors == 0 ? 0 : 100.0 * lanes * a->bytes / (VG_SECTOR_BYTES * sectors));
    double width = LEFT + CELL * WORDS + 3 * CELL_GAP + 24, height = TOP + ROW * shown + 44;
    lab_svg_begin(out, width, height, title, summary);
    lab_buf_puts(out, style);
    lab_svg_text(out, "th", LAB_XY(24, 34), "%s", title);
    lab_svg_text(out, "tm", LAB_XY(24, 56), "%s", summary);
    for (uint32_t s = 0; s < LINE_BYTES / VG_SECTOR_BYTES; s++) {
        double x = LEFT + s * (SECTOR_WORDS * CELL + CELL_GAP) + SECTOR_WORDS * CELL / 2;
        lab_svg_text(out, "tm tc", LAB_XY(x, TOP - 10), "sector %u of the line", s);
    }
    for (uint32_t i = 0; i < shown; i++) {
        struct line line = {.number = lines[i]};
        fill_line(a, &line);
        draw_line(out, &line, lines[0], TOP + ROW * i);
    }
    draw_legend(out, height - 18);
    lab_svg_end(out);
}

/* --- the heat map --- */

#define HEAT_ROWS  60
#define HEAT_COLS  6
#define HEAT_TOP   104.0
#define HEAT_ROW   18.0
#define HEAT_CELL  76.0
#define HEAT_TEXT  400.0
#define HEAT_LEFT  (60.0 + HEAT_TEXT)
#define CODE_CHARS 56

static const struct heat_col {
    const char *head[2];
    const char *fill;
} heat_cols[HEAT_COLS] = {
    {{"warp", "instructions"}, "s0"}, {{"idle", "lanes"}, "s1"},    {{"global", "sectors"}, "s0"},
    {{"sectors", "in excess"}, "s1"}, {{"shared", "passes"}, "s0"}, {{"bank", "conflicts"}, "s1"},
};

static uint64_t heat_of(const struct vg_counts *c, int col)
{
    switch (col) {
    case 0: return c->inst_executed;
    case 1: return VG_LANES * c->inst_executed - c->thread_inst_pred_on;
    case 2: return vg_sum_sectors(c);
    case 3: return vg_sum_excess(c);
    case 4: return vg_sum_wavefronts(c);
    default: return vg_sum_conflicts(c);
    }
}

/* 1234567 → 1.23M: four characters say enough of a shade. */
static void short_number(char *to, size_t size, uint64_t v)
{
    static const char units[] = {'k', 'M', 'G', 'T', 'P'};
    double x = (double)v;
    int unit = -1;
    while (x >= 999.5 && unit < 4) {
        x /= 1000;
        unit++;
    }
    if (unit < 0) {
        snprintf(to, size, "%" PRIu64, v);
    } else {
        snprintf(to, size, "%.*f%c", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, units[unit]);
    }
}

static int compare_lines(const void *x, const void *y)
{
    const struct vg_row *a = x, *b = y;
    uint32_t la = a->func->insns[a->pc].pos.line, lb = b->func->insns[b->pc].pos.line;
    return la < lb ? -1 : la > lb;
}

static void draw_cells(struct lab_buf *out, const struct vg_row *r, const uint64_t *most, double y)
{
    for (int col = 0; col < HEAT_COLS; col++) {
        uint64_t v = heat_of(&r->c, col);
        char cls[16], number[16];
        int shade = v == 0 ? 0 : 1 + (int)(7.999 * (double)v / (double)most[col]);
        double x = HEAT_LEFT + HEAT_CELL * col;
        snprintf(cls, sizeof(cls), "%s o%d", heat_cols[col].fill, shade > 8 ? 8 : shade);
        lab_svg_rect(out, cls, LAB_XY(x, y), HEAT_CELL - 2, HEAT_ROW - 1);
        short_number(number, sizeof(number), v);
        if (v != 0) {
            lab_svg_text(out, "tc code", LAB_XY(x + HEAT_CELL / 2 - 1, y + 13), "%s", number);
        }
    }
}

static void draw_code(struct lab_buf *out, const struct vg_row *r, double y)
{
    size_t len;
    const char *text = vg_ptx_line(r->func, r->pc, &len);
    struct lab_buf line;
    lab_buf_init(&line);
    vg_line_print(text, len, CODE_CHARS, &line);
    lab_svg_text(out, "tm tr", LAB_XY(48, y + 13), "%u", r->func->insns[r->pc].pos.line);
    lab_svg_text(out, "code", LAB_XY(60, y + 13), "%s", lab_buf_str(&line));
    lab_buf_fini(&line);
    const char *path = vg_source_path(r->func->module, r->file);
    if (path != NULL && r->line != 0) {
        lab_svg_text(out, "tm", LAB_XY(HEAT_LEFT + HEAT_CELL * HEAT_COLS + 8, y + 13), "%s:%u",
                     vg_source_name(path), r->line);
    }
}

static void draw_heads(struct lab_buf *out, const char *title, const char *summary)
{
    lab_svg_text(out, "th", LAB_XY(24, 34), "%s", title);
    lab_svg_text(out, "tm", LAB_XY(24, 56), "%s", summary);
    for (int col = 0; col < HEAT_COLS; col++) {
        double x = HEAT_LEFT + HEAT_CELL * col + HEAT_CELL / 2 - 1;
        lab_svg_text(out, "tm tc", LAB_XY(x, HEAT_TOP - 24), "%s", heat_cols[col].head[0]);
        lab_svg_text(out, "tm tc", LAB_XY(x, HEAT_TOP - 9), "%s", heat_cols[col].head[1]);
    }
}

/* The rows to draw, by line, and of how many they were chosen. */
static struct vg_rows heat_rows(const struct vg_profile *p, const struct vg_lines *which,
                                size_t *of)
{
    struct vg_lines cut = *which;
    cut.top = 0;
    cut.order = which->order == VG_BY_LINE ? VG_BY_INSTRUCTIONS : which->order;
    struct vg_rows rows = vg_rows_ptx(p, &cut);
    size_t top = which->top == 0 || which->top > HEAT_ROWS ? HEAT_ROWS : which->top;
    *of = rows.n;
    rows.n = rows.n < top ? rows.n : top;
    qsort(rows.at, rows.n, sizeof(rows.at[0]), compare_lines);
    return rows;
}

void vg_heat_svg(const struct vg_profile *p, const struct vg_lines *which, struct lab_buf *out)
{
    size_t of;
    struct vg_rows rows = heat_rows(p, which, &of);
    uint64_t most[HEAT_COLS] = {0};
    for (size_t i = 0; i < rows.n; i++) {
        for (int col = 0; col < HEAT_COLS; col++) {
            uint64_t v = heat_of(&rows.at[i].c, col);
            most[col] = v > most[col] ? v : most[col];
        }
    }
    struct lab_buf title, summary;
    lab_buf_init(&title);
    lab_buf_init(&summary);
    lab_buf_puts(&title, "Counters by PTX line: ");
    vg_name_print(which->kernel->name, &title);
    lab_buf_puts(&summary, "each column is shaded by its own largest value; an empty cell is 0");
    if (rows.n < of) {
        lab_buf_printf(&summary, "; the top %zu of %zu lines", rows.n, of);
    }
    lab_svg_begin(out, HEAT_LEFT + HEAT_CELL * HEAT_COLS + 150,
                  HEAT_TOP + HEAT_ROW * (double)rows.n + 24, lab_buf_str(&title),
                  lab_buf_str(&summary));
    lab_buf_puts(out, style);
    draw_heads(out, lab_buf_str(&title), lab_buf_str(&summary));
    for (size_t i = 0; i < rows.n; i++) {
        double y = HEAT_TOP + HEAT_ROW * (double)i;
        draw_code(out, &rows.at[i], y);
        draw_cells(out, &rows.at[i], most, y);
    }
    lab_svg_end(out);
    lab_buf_fini(&title);
    lab_buf_fini(&summary);
    vg_rows_free(&rows);
}
