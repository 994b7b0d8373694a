/* The demonstration: what a branch costs a warp, in seven tables, and the laws behind them.
 *
 * Model: every number comes from running a kernel file; the only figures in this file are those of
 * the laws. A golden file compares the tables, the laws here fail on their own when a counter goes
 * wrong.
 */
#include "simt_demo.h"

#include <string.h>

#include "lab/file.h"
#include "lab/rng.h"
#include "simt_asm.h"
#include "simt_kernels.h"
#include "simt_tables.h"

enum { INPUT_WORDS = 2048 };

static void kernel_path(const struct simt_opts *o, const char *name, struct lab_buf *path)
{
    if (strcmp(name, "even_odd_selp") == 0) {
        lab_buf_puts(path, o->selp);
    } else {
        lab_buf_printf(path, "%s/%s.simt", o->kernels, name);
    }
}

static int load_kernel(const struct simt_opts *o, const char *name, struct simt_program **out,
                       struct lab_err *err)
{
    struct lab_buf path;
    lab_buf_init(&path);
    kernel_path(o, name, &path);
    int rc = simt_assemble_file(lab_buf_str(&path), out, err);
    lab_buf_fini(&path);
    return rc;
}

static void fill_input(struct simt_block *b, uint64_t seed)
{
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    for (int i = 0; i < INPUT_WORDS; i++) {
        b->mem[i] = (int32_t)(uint32_t)lab_rng_u64(&rng);
    }
}

static struct simt_result result_of(const struct simt_block *b)
{
    struct simt_counters n = simt_block_count(b);
    struct simt_result r = {.n = n,
                            .cycles = b->cycle,
                            .cycles_first = b->cycles_first_done,
                            .issues_first = b->issues_first_done,
                            .util_pct = simt_util_pct(&n),
                            .fault = b->fault,
                            .fault_pc = b->fault_pc};
    for (uint32_t pc = 0; pc < b->prog->n; pc++) {
        r.branches += simt_is_branch(&b->prog->code[pc]);
    }
    return r;
}

static void check_laws(struct lab_run *run, const char *name, const struct simt_block *b,
                       const struct simt_result *r)
{
    const struct simt_counters *n = &r->n;
    lab_run_check(run, n->active_sum >= n->issues && n->active_sum <= SIMT_LANES * n->issues,
                  "%s: every issue has 1 to 32 active lanes (%llu issues, %llu lanes)", name,
                  (unsigned long long)n->issues, (unsigned long long)n->active_sum);
    lab_run_check(run, r->cycles >= n->issues, "%s: at most one issue a cycle", name);
    lab_run_check(run, n->body <= n->issues && n->max_depth < SIMT_LANES,
                  "%s: body issues are issues, and the stack has at most 31 entries", name);
    if (r->fault == SIMT_FAULT_NONE) {
        uint32_t word = 0;
        bool right = simt_kernel_holds(name, b, &word);
        lab_run_check(run, right, "%s: the results in memory are right (word %u is %d)", name, word,
                      b->mem[word]);
    }
}

int simt_demo_kernel(struct lab_run *run, const char *name, const struct simt_config *cfg,
                     struct simt_result *out, struct lab_err *err)
{
    struct simt_program *prog = NULL;
    if (load_kernel(run->opts, name, &prog, err) < 0) {
        return -1;
    }
    struct simt_block *b = simt_block_new(prog, cfg);
    if (strcmp(name, "latency") == 0) {
        fill_input(b, run->seed);
    }
    int rc = simt_block_run(b, err);
    if (rc < 0 && b->fault == SIMT_FAULT_HANG) {
        rc = 0;
    }
    if (rc == 0) {
        *out = result_of(b);
        check_laws(run, name, b, out);
    }
    simt_block_free(b);
    simt_program_free(prog);
    return rc;
}

static const char *const standard[] = {"uniform", "warp_uniform", "even_odd", "max_divergent"};
enum { NSTANDARD = sizeof(standard) / sizeof(standard[0]) };

static int divergence(struct lab_run *run, struct lab_err *err)
{
    struct simt_result r[NSTANDARD];
    for (int i = 0; i < NSTANDARD; i++) {
        if (simt_demo_kernel(run, standard[i], &simt_config_default, &r[i], err) < 0) {
            return -1;
        }
    }
    struct lab_table *t = lab_run_table(run, &simt_table_divergence);
    for (int i = 0; i < NSTANDARD; i++) {
        lab_table_str(t, standard[i]);
        lab_table_int(t, (int64_t)r[i].n.issues);
        lab_table_real(t, r[i].util_pct);
        lab_table_real(t, (double)r[i].n.issues / (double)r[0].n.issues);
    }
    t = lab_run_table(run, &simt_table_region);
    for (int i = 1; i < NSTANDARD; i++) {
        lab_table_str(t, standard[i]);
        lab_table_int(t, (int64_t)r[i].n.body);
        lab_table_real(t, (double)r[i].n.body / (double)r[1].n.body);
    }
    lab_run_check(run, r[0].n.active_sum == SIMT_LANES * r[0].n.issues,
                  "uniform: no lane is ever masked off");
    lab_run_check(
        run, r[1].n.active_sum == SIMT_LANES * r[1].n.issues && r[1].n.max_depth == 0,
        "warp_uniform: a branch on which all lanes agree pushes nothing and masks nobody");
    lab_run_check(run, r[2].n.body == 2 * r[1].n.body && r[3].n.body == 32 * r[1].n.body,
                  "the region costs the sum of the sides: exactly 2 and 32 times");
    lab_run_check(run, r[3].n.issues == 2 + 32 * 7 && r[3].n.active_sum == 64 + 32 * 130,
                  "max_divergent: 7 issues a case with 96 + 2 + 1 + 31 active lanes");
    return 0;
}

/* One kernel's events, for the picture. */
static void on_issue(void *arg, const struct simt_event *event)
{
    simt_timeline_record(arg, event);
}

static int draw_kernel(const struct lab_run *run, const char *name, struct simt_program **prog,
                       struct simt_timeline *line, struct lab_err *err)
{
    if (load_kernel(run->opts, name, prog, err) < 0) {
        return -1;
    }
    struct simt_block *b = simt_block_new(*prog, &simt_config_default);
    b->observe = on_issue;
    b->observe_arg = line;
    int rc = simt_block_run(b, err);
    simt_block_free(b);
    return rc;
}

static int draw(const struct lab_run *run, struct lab_err *err)
{
    struct simt_program *prog[2] = {NULL, NULL};
    struct simt_timeline line[2] = {{0}, {0}};
    struct lab_buf svg;
    lab_buf_init(&svg);
    int rc = -1;
    if (draw_kernel(run, "even_odd", &prog[0], &line[0], err) == 0 &&
        draw_kernel(run, "max_divergent", &prog[1], &line[1], err) == 0) {
        const struct simt_panel panels[2] = {
            {"even_odd: the two sides run one after the other", prog[0], &line[0]},
            {"max_divergent: 32 cases, one lane in each", prog[1], &line[1]},
        };
        simt_timeline_svg(panels, 2, &svg);
        rc = lab_file_write(run->svg_path, lab_buf_str(&svg), svg.len, err);
    }
    for (int i = 0; i < 2; i++) {
        simt_timeline_fini(&line[i]);
        simt_program_free(prog[i]);
    }
    lab_buf_fini(&svg);
    return rc;
}

int simt_cmd_demo(struct lab_run *run, struct lab_err *err)
{
    if (divergence(run, err) < 0 || simt_demo_nested(run, err) < 0 ||
        simt_demo_selp(run, err) < 0 || simt_demo_vote(run, err) < 0 ||
        simt_demo_latency(run, err) < 0 || simt_demo_policy(run, err) < 0) {
        return -1;
    }
    return run->svg_path != NULL ? draw(run, err) : 0;
}
