/* The problem: a table of latencies is only useful with what it means beside it: which part of the
 * curve is which cache, and how much of it is address translation.
 *
 * The model: every size is measured on base and on huge pages; the curve without the TLB's share
 * goes to plateau detection; the plateaus go beside the published caches. Simplified: one pass over
 * the sizes from small to large; a disturbance of a second hits neighbouring sizes alike.
 */
#include <math.h>
#include <stdio.h>

#include "membench_match.h"
#include "membench_parts.h"
#include "membench_perf.h"
#include "membench_tables.h"

#define HUGE_SHARE_MIN 0.9
#define PAGE_STRIDE    4160 /* a page and a line */
#define BEYOND_MIN     ((size_t)64 << 20)
#define BEYOND_MAX     ((size_t)2 << 30)

static struct membench_chase_config chase_config(const struct membench_ctx *ctx)
{
    return (struct membench_chase_config){
        .order = (enum membench_order)ctx->o->order,
        .node = ctx->o->node >= 0 ? (int)ctx->o->node : MEMBENCH_ANY_NODE,
        .stride = MEMBENCH_LINE,
        .reps = ctx->effort.latency_reps,
        .rep_us = ctx->effort.rep_us,
        .seed = ctx->run->seed,
    };
}

/* One ring on both kinds of page. */
static int both_pages(struct membench_chase_config cfg, size_t nodes, struct membench_latency *base,
                      struct membench_latency *huge, struct lab_err *err)
{
    cfg.pages = MEMBENCH_BASE;
    if (membench_chase(&cfg, nodes, base, err) < 0) {
        return -1;
    }
    cfg.pages = MEMBENCH_HUGE;
    return membench_chase(&cfg, nodes, huge, err);
}

static double larger_spread(const struct membench_latency *a, const struct membench_latency *b,
                            int reps)
{
    return fmax(membench_spread(a->rep_ns, reps), membench_spread(b->rep_ns, reps));
}

static void keep(struct membench_curve *c, size_t bytes, const struct membench_latency *l)
{
    c->bytes[c->n] = bytes;
    for (int r = 0; r < c->reps; r++) {
        /* A clock too coarse to see a step must not become a logarithm of 0. */
        c->ns[c->n][r] = fmax(l->rep_ns[r], 1e-3);
    }
    c->n++;
}

static int sweep(const struct membench_ctx *ctx, struct membench_latency_result *out,
                 struct lab_err *err)
{
    size_t sizes[MEMBENCH_SIZES_MAX];
    size_t n = membench_chase_sizes((size_t)ctx->o->min, ctx->effort.latency_max,
                                    ctx->effort.halves_max, sizes);
    if (n == 0) {
        return lab_err_input(err,
                             "no power of two, nor one and a half times one, lies between --min "
                             "and --max");
    }
    struct lab_table *t = lab_run_table(ctx->run, &membench_table_latency);
    struct membench_chase_config cfg = chase_config(ctx);
    out->base.reps = out->huge.reps = cfg.reps;
    out->huge_obtained = true;
    for (size_t i = 0; i < n; i++) {
        struct membench_latency base, huge;
        char text[MEMBENCH_SIZE_TEXT];
        if (both_pages(cfg, sizes[i] / MEMBENCH_LINE, &base, &huge, err) < 0) {
            return -1;
        }
        lab_table_str(t, membench_size_text(sizes[i], text));
        lab_table_real(t, base.min_ns);
        lab_table_real(t, huge.min_ns);
        lab_table_real(t, base.min_ns - huge.min_ns);
        lab_table_real(t, 100 * larger_spread(&base, &huge, cfg.reps));
        lab_table_real(t, 100 * fmax(huge.huge_share, 0));
        keep(&out->base, sizes[i], &base);
        keep(&out->huge, sizes[i], &huge);
        out->huge_obtained = out->huge_obtained && huge.huge_share >= HUGE_SHARE_MIN;
    }
    return 0;
}

static double median_at(const struct membench_curve *c, size_t i)
{
    return membench_median(c->ns[i], c->reps);
}

static double spread_at(const struct membench_curve *c, size_t i)
{
    return membench_spread(c->ns[i], c->reps);
}

/* Rises by a factor of ten, and never falls by more than the noise allows. */
static void judge_curve(const struct membench_ctx *ctx, const struct membench_curve *c)
{
    double top = 0, fall = 0, spread = 0;
    size_t high = 0;
    for (size_t i = 0; i < c->n; i++) {
        double ns = median_at(c, i);
        if (top > 0 && 1 - ns / top > fall) {
            fall = 1 - ns / top;
            spread = fmax(spread_at(c, i), spread_at(c, high));
        }
        high = ns > top ? i : high;
        top = fmax(top, ns);
    }
    membench_judge(ctx, fall <= 0.25, spread,
                   "latency rises with size; its deepest fall is %.0f %%", 100 * fall);
    double rise = median_at(c, c->n - 1) / median_at(c, 0);
    spread = fmax(spread_at(c, 0), spread_at(c, c->n - 1));
    if (c->bytes[0] <= (size_t)16 << 10 && c->bytes[c->n - 1] >= (size_t)128 << 20) {
        membench_judge(ctx, rise >= 10, spread, "latency rises %.0f times from L1 to memory", rise);
    } else {
        lab_run_note(ctx->run, "latency rises %.0f times; the law of 10 times is for 16K to 128M",
                     rise);
    }
}

static void put(struct lab_table *t, struct lab_buf *scratch)
{
    lab_table_str(t, scratch->len > 0 ? lab_buf_str(scratch) : "-");
    lab_buf_clear(scratch);
}

static void put_range(struct lab_buf *b, size_t lo, size_t hi)
{
    char text[MEMBENCH_SIZE_TEXT];
    lab_buf_printf(b, "%s..", membench_size_text(lo, text));
    if (hi != 0) {
        lab_buf_puts(b, membench_size_text(hi, text));
    }
}

/* Counters of one walk on a plateau; per load. */
struct counted {
    struct membench_perf perf;
    uint64_t references, misses, loads;
};

static void count_before(void *ctx)
{
    struct counted *c = ctx;
    membench_perf_start(&c->perf);
}

static void count_after(void *ctx, uint64_t loads)
{
    struct counted *c = ctx;
    membench_perf_stop(&c->perf, &c->references, &c->misses);
    c->loads = loads;
}

/* What a row of the table is made from. */
struct rows {
    const struct membench_ctx *ctx;
    const struct membench_curve *curve;
    const struct membench_plateaus *found;
    struct lab_table *table;
};

static int put_counters(const struct rows *r, const struct membench_plateau *p, struct lab_err *err)
{
    struct counted counted = {0};
    if (!r->ctx->o->perf || p == NULL) {
        lab_table_str(r->table, "-");
        lab_table_str(r->table, "-");
        return 0;
    }
    struct membench_chase_config cfg = chase_config(r->ctx);
    struct membench_hooks hooks = {count_before, count_after, &counted};
    struct membench_latency ignored;
    struct membench_map map;
    size_t nodes = r->curve->bytes[(p->first + p->last) / 2] / MEMBENCH_LINE;
    if (membench_map_init(&map, nodes * cfg.stride, MEMBENCH_HUGE, cfg.node, err) < 0) {
        return -1;
    }
    struct membench_ring ring = {.base = map.base, .n = nodes, .stride = cfg.stride};
    membench_perf_open(&counted.perf);
    int rc = membench_chase_in(&cfg, &ring, &hooks, &ignored, err);
    char refs[32], misses[32];
    (void)snprintf(refs, sizeof(refs), "%.3f", (double)counted.references / (double)counted.loads);
    (void)snprintf(misses, sizeof(misses), "%.3f", (double)counted.misses / (double)counted.loads);
    const char *why = counted.perf.why_not;
    lab_table_str(r->table, why != NULL ? why : refs);
    lab_table_str(r->table, why != NULL ? why : misses);
    membench_perf_close(&counted.perf);
    membench_map_fini(&map);
    return rc;
}

/* The cells that come of the plateau itself; five dashes when the row has none. */
static void put_plateau(const struct rows *r, const struct membench_match_row *row)
{
    const struct membench_plateau *p = row->plateau >= 0 ? &r->found->at[row->plateau] : NULL;
    struct lab_buf b;
    lab_buf_init(&b);
    if (p == NULL) {
        for (int i = 0; i < 4; i++) {
            put(r->table, &b);
        }
        if (row->below != 0) {
            lab_buf_printf(&b, "<%.0f%%", 100 * (double)row->below / (double)row->published);
        }
        put(r->table, &b);
        lab_buf_fini(&b);
        return;
    }
    lab_buf_printf(&b, "%.2f", p->ns);
    put(r->table, &b);
    lab_buf_printf(&b, "%.2f..%.2f", p->ns_lo, p->ns_hi);
    put(r->table, &b);
    put_range(&b, p->holds, p->spills);
    put(r->table, &b);
    put_range(&b, p->holds_lo, p->spills_hi);
    put(r->table, &b);
    if (row->published != 0) {
        lab_buf_printf(&b, "%.0f%%", 100 * (double)p->holds / (double)row->published);
    }
    put(r->table, &b);
    lab_buf_fini(&b);
}

static int put_row(const struct rows *r, const struct membench_match_row *row, struct lab_err *err)
{
    const struct membench_plateau *p = row->plateau >= 0 ? &r->found->at[row->plateau] : NULL;
    char text[MEMBENCH_SIZE_TEXT];
    lab_table_str(r->table, row->published != 0 ? membench_size_text(row->published, text) : "-");
    put_plateau(r, row);
    if (put_counters(r, p, err) < 0) {
        return -1;
    }
    lab_table_str(r->table, r->found->noisy ? "too noisy" : membench_verdict_text(row->verdict));
    return 0;
}

/* Beyond the first level a cache may be shared with neighbours this machine cannot see, so how much
 * of it shows is a finding, not a failure. */
static void note_level(const struct membench_ctx *ctx, int level, const struct membench_plateaus *p,
                       const struct membench_match_row *row)
{
    char size[MEMBENCH_SIZE_TEXT], part[MEMBENCH_SIZE_TEXT];
    (void)membench_size_text(row->published, size);
    if (row->verdict == MEMBENCH_SHARE) {
        lab_run_note(ctx->run,
                     "L%d: the plateau holds %s of the published %s: the share obtained of a cache "
                     "that others use too",
                     level, membench_size_text(p->at[row->plateau].holds, part), size);
    } else if (row->verdict == MEMBENCH_SLOPE) {
        lab_run_note(ctx->run,
                     "L%d: memory begins at %s of the published %s: the share obtained of a cache "
                     "that others use too is smaller, and has no flat part",
                     level, membench_size_text(row->below, part), size);
    } else {
        lab_run_note(ctx->run, "L%d, published %s: %s", level, size,
                     membench_verdict_text(row->verdict));
    }
}

/* The first level belongs to one core: its plateau must end where it is published, unless the
 * interval of the edge is too wide to say otherwise. */
static void judge_first(const struct membench_ctx *ctx, const struct membench_plateaus *p,
                        const struct membench_match_row *row)
{
    char size[MEMBENCH_SIZE_TEXT];
    const struct membench_plateau *at = row->plateau >= 0 ? &p->at[row->plateau] : NULL;
    bool holds = at != NULL && at->holds_lo <= 2 * row->published &&
                 (at->spills_hi == 0 || at->spills_hi >= row->published / 2);
    membench_judge(ctx, holds, at != NULL ? p->spread : 1 - p->agreement,
                   "the plateau of L1 against its published %s: %s",
                   membench_size_text(row->published, size), membench_verdict_text(row->verdict));
}

static void judge_plateaus(const struct membench_ctx *ctx, const struct membench_plateaus *p,
                           const struct membench_match_row rows[MEMBENCH_ROWS])
{
    if (p->noisy) {
        lab_run_note(ctx->run,
                     "too noisy to compare plateaus with the published caches: spread %.0f %%, "
                     "%.0f %% of the resampled curves agree",
                     100 * p->spread, 100 * p->agreement);
        return;
    }
    if (rows[0].published != 0 && ctx->effort.latency_max >= 4 * rows[0].published &&
        (size_t)ctx->o->min <= rows[0].published / 4) {
        judge_first(ctx, p, &rows[0]);
    }
    for (int r = 1; r < MEMBENCH_ROWS - 1; r++) {
        if (rows[r].published != 0 && rows[r].verdict != MEMBENCH_AGREES) {
            note_level(ctx, r + 1, p, &rows[r]);
        }
    }
}

/* When the curve ends below the last published level, one ring of twice its size tells whether the
 * end of the curve is memory already. 0 when it is not needed, or would take too much of this
 * machine. */
static int beyond(const struct membench_ctx *ctx, size_t largest, double *ns, struct lab_err *err)
{
    size_t last = ctx->ncaches > 0 ? ctx->caches[ctx->ncaches - 1].bytes : 0;
    *ns = 0;
    if (largest > last || largest < BEYOND_MIN || ctx->o->quick || !ctx->optimised ||
        last > BEYOND_MAX / 2 || 2 * last > membench_sys_available() / 4) {
        return 0;
    }
    struct membench_chase_config cfg = chase_config(ctx);
    struct membench_latency l;
    cfg.pages = MEMBENCH_HUGE;
    if (membench_chase(&cfg, 2 * last / MEMBENCH_LINE, &l, err) < 0) {
        return -1;
    }
    char text[MEMBENCH_SIZE_TEXT];
    *ns = l.min_ns;
    lab_run_note(ctx->run, "beyond the last published level, over %s: %.1f ns a load",
                 membench_size_text(2 * last, text), *ns);
    return 0;
}

static int plateaus(const struct membench_ctx *ctx, const struct membench_curve *c,
                    struct lab_err *err)
{
    static const char *const level[] = {"L1", "L2", "L3", "memory"};
    struct membench_plateaus p;
    struct membench_match_row rows[MEMBENCH_ROWS];
    struct membench_match_in in = {
        .found = &p, .caches = ctx->caches, .ncaches = ctx->ncaches, .largest = c->bytes[c->n - 1]};
    membench_plateaus_find(c, ctx->run->seed, &p);
    if (beyond(ctx, in.largest, &in.beyond_ns, err) < 0) {
        return -1;
    }
    membench_match(&in, rows);
    struct rows to = {ctx, c, &p, lab_run_table(ctx->run, &membench_table_plateaus)};
    for (int r = 0; r < MEMBENCH_ROWS; r++) {
        lab_table_str(to.table, level[r]);
        if (put_row(&to, &rows[r], err) < 0) {
            return -1;
        }
    }
    judge_curve(ctx, c);
    judge_plateaus(ctx, &p, rows);
    return 0;
}

static int tlb(const struct membench_ctx *ctx, struct lab_err *err)
{
    struct lab_table *t = lab_run_table(ctx->run, &membench_table_tlb);
    struct membench_chase_config cfg = chase_config(ctx);
    cfg.stride = PAGE_STRIDE;
    for (size_t pages = 16; pages <= 16384; pages *= 4) {
        struct membench_latency base, huge;
        char text[MEMBENCH_SIZE_TEXT];
        if (both_pages(cfg, pages, &base, &huge, err) < 0) {
            return -1;
        }
        lab_table_int(t, (int64_t)pages);
        lab_table_str(t, membench_size_text(pages * 4096, text));
        lab_table_real(t, base.min_ns);
        lab_table_real(t, huge.min_ns);
        lab_table_real(t, base.min_ns - huge.min_ns);
        lab_table_real(t, 100 * larger_spread(&base, &huge, cfg.reps));
    }
    return 0;
}

/* With the nodes in order the prefetchers see what is coming: how much of the random walk's latency
 * is left? */
static int judge_sequential(const struct membench_ctx *ctx, const struct membench_curve *seq,
                            struct lab_err *err)
{
    struct membench_chase_config cfg = chase_config(ctx);
    struct membench_latency random;
    cfg.order = MEMBENCH_RANDOM;
    cfg.pages = MEMBENCH_HUGE;
    size_t bytes = seq->bytes[seq->n - 1];
    if (membench_chase(&cfg, bytes / MEMBENCH_LINE, &random, err) < 0) {
        return -1;
    }
    double in_order = median_at(seq, seq->n - 1),
           at_random = membench_median(random.rep_ns, cfg.reps);
    char text[MEMBENCH_SIZE_TEXT];
    membench_judge(ctx, bytes < (size_t)16 << 20 || in_order * 2 < at_random,
                   membench_spread(random.rep_ns, cfg.reps),
                   "over %s a load takes %.1f ns in order and %.1f ns at random: the prefetchers "
                   "hide the rest",
                   membench_size_text(bytes, text), in_order, at_random);
    lab_run_note(ctx->run, "over %s: %.1f ns a load in order, %.1f ns at random", text, in_order,
                 at_random);
    return 0;
}

int membench_part_latency(const struct membench_ctx *ctx, struct membench_latency_result *out,
                          struct lab_err *err)
{
    *out = (struct membench_latency_result){0};
    if (sweep(ctx, out, err) < 0) {
        return -1;
    }
    if (!out->huge_obtained) {
        lab_run_note(ctx->run, "the kernel gave fewer huge pages than asked for (column huge): "
                               "plateaus come from the base pages");
    }
    const struct membench_curve *c = out->huge_obtained ? &out->huge : &out->base;
    if (c->n < 3) {
        lab_run_note(ctx->run, "too few sizes for plateaus: %zu", c->n);
        return 0;
    }
    if (ctx->o->order == MEMBENCH_SEQUENTIAL) {
        return judge_sequential(ctx, c, err);
    }
    if (plateaus(ctx, c, err) < 0) {
        return -1;
    }
    return tlb(ctx, err);
}
