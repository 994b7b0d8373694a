/* simt run FILE: load a program, run it, show what was asked for.
 *
 * Problem: one run can be wanted as a summary, a trace, a picture or a dump, or several of them.
 * Model: one observer serves the trace and the pictures. The trace streams to standard output while
 * the program runs, since it is wanted most when the program does not end well; everything else
 * waits for success.
 */
#include <string.h>

#include "lab/file.h"
#include "simt_asm.h"
#include "simt_cmd.h"
#include "simt_dump.h"
#include "simt_tables.h"
#include "simt_timeline.h"
#include "simt_trace.h"

enum { PANELS_MAX = 4 };

struct watch {
    const struct simt_trace *trace; /* NULL: no trace */
    struct simt_timeline *lines;    /* one for each of the first warps; NULL: no picture */
    unsigned nlines;
};

static void on_issue(void *arg, const struct simt_event *event)
{
    struct watch *w = arg;
    if (w->trace != NULL) {
        simt_trace_line(w->trace, event);
    }
    if (event->warp < w->nlines) {
        simt_timeline_record(&w->lines[event->warp], event);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void summary(const struct simt_block *b, const char *path, struct lab_run *run)
{
    struct simt_counters n = simt_block_count(b);
    struct lab_table *t = lab_run_table(run, &simt_table_run);
    lab_table_str(t, base_name(path));
    lab_table_int(t, b->cfg.warps);
    lab_table_int(t, (int64_t)n.issues);
    lab_table_real(t, simt_util_pct(&n));
    lab_table_int(t, (int64_t)b->cycle);
    lab_table_real(t, 100.0 * (double)n.issues / (double)b->cycle);
    lab_table_int(t, n.max_depth);
    if (b->cfg.warps == 1) {
        return;
    }
    t = lab_run_table(run, &simt_table_warps);
    for (unsigned w = 0; w < b->cfg.warps; w++) {
        const struct simt_counters *c = &b->warps[w].count;
        lab_table_int(t, w);
        lab_table_int(t, (int64_t)c->issues);
        lab_table_real(t, simt_util_pct(c));
        lab_table_int(t, (int64_t)c->loads);
        lab_table_int(t, c->max_depth);
    }
}

static int draw(const struct simt_block *b, const struct watch *w, const struct lab_run *run,
                struct lab_err *err)
{
    struct simt_panel panels[PANELS_MAX];
    char title[PANELS_MAX][160];
    for (unsigned i = 0; i < w->nlines; i++) {
        struct simt_timeline *line = &w->lines[i];
        (void)snprintf(
            title[i], sizeof(title[i]), "%.60s, warp %u: %s%zu issues, %.1f %% of the lanes active",
            base_name(b->prog->name), i, line->n < line->total ? "the first 512 of " : "",
            line->total, simt_util_pct(&b->warps[i].count));
        panels[i] = (struct simt_panel){title[i], b->prog, line};
    }
    struct lab_buf svg;
    lab_buf_init(&svg);
    simt_timeline_svg(panels, w->nlines, &svg);
    int rc = lab_file_write(run->svg_path, lab_buf_str(&svg), svg.len, err);
    lab_buf_fini(&svg);
    if (rc == 0 && w->nlines < b->cfg.warps) {
        lab_run_note(run, "%s shows the first %u of %u warps", run->svg_path, w->nlines,
                     b->cfg.warps);
    }
    return rc;
}

static struct simt_config config_of(const struct simt_opts *o)
{
    return (struct simt_config){.warps = (unsigned)o->warps,
                                .policy = (enum simt_policy)o->policy,
                                .sched = (enum simt_sched)o->sched,
                                .ld_latency = (uint32_t)o->ld_latency,
                                .mem_words = (uint32_t)o->mem_words,
                                .budget = (uint64_t)o->budget};
}

static int execute(struct simt_block *b, struct watch *w, struct lab_run *run, struct lab_err *err)
{
    const struct simt_opts *o = run->opts;
    struct simt_trace trace = {run->out, b->prog, o->warps > 1};
    if (o->mem != NULL && simt_mem_load(b, o->mem, err) < 0) {
        return -1;
    }
    if (o->trace) {
        w->trace = &trace;
        simt_trace_head(&trace);
    }
    if (o->trace || w->nlines > 0) {
        b->observe = on_issue;
        b->observe_arg = w;
    }
    int rc = simt_block_run(b, err);
    if (o->trace) {
        (void)fputc('\n', run->out);
    }
    return rc;
}

int simt_cmd_run(struct lab_run *run, struct lab_err *err)
{
    const struct simt_opts *o = run->opts;
    const char *path = run->operands[0];
    struct simt_config cfg = config_of(o);
    struct simt_timeline lines[PANELS_MAX] = {{0}};
    struct watch watch = {.lines = lines};
    struct simt_program *prog = NULL;
    struct simt_block *b = NULL;
    struct simt_dump dump;
    int rc = -1;
    if (o->trace && run->format != LAB_FORMAT_TABLE) {
        return lab_err_input(err, "--trace is text, expected it without --format csv or json");
    }
    if (simt_dump_parse(o->dump, cfg.mem_words, &dump, err) < 0 ||
        simt_assemble_file(path, &prog, err) < 0) {
        goto out;
    }
    b = simt_block_new(prog, &cfg);
    if (run->svg_path != NULL) {
        watch.nlines = cfg.warps < PANELS_MAX ? cfg.warps : PANELS_MAX;
    }
    if (execute(b, &watch, run, err) < 0 || (watch.nlines > 0 && draw(b, &watch, run, err) < 0)) {
        goto out;
    }
    summary(b, path, run);
    simt_dump_tables(&dump, b, run);
    rc = 0;
out:
    for (unsigned i = 0; i < PANELS_MAX; i++) {
        simt_timeline_fini(&lines[i]);
    }
    simt_block_free(b);
    simt_program_free(prog);
    return rc;
}
