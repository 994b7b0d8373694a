/* The demonstration: the committed kernels with counters, again on another number of host threads,
 * and again under all checks.
 *
 * Invariants: every result is compared with a reference, every count obeys the laws below, the
 * outcome does not depend on the number of threads, and no check says anything about a correct
 * kernel. So a wrong golden cannot pass alone.
 */
#include <stdlib.h>

#include "vg_check.h"
#include "vg_cmd_fault.h"
#include "vg_cmd_tables.h"
#include "vg_demo.h"

static void row(struct lab_table *t, const struct vg_case *c, const struct vg_counts *n)
{
    uint64_t requests = n->shared_ld_requests + n->shared_st_requests + n->shared_atom_requests;
    uint64_t waves = n->shared_ld_wavefronts + n->shared_st_wavefronts + n->shared_atom_wavefronts;
    lab_table_str(t, c->name);
    vg_put_dim(t, &c->grid);
    vg_put_dim(t, &c->block);
    vg_put_int(t, n->inst_executed);
    vg_put_ratio(t, (double)n->thread_inst_executed, n->inst_executed);
    vg_put_int(t, n->global_ld_sectors);
    vg_put_ratio(t, (double)n->global_ld_sectors, n->global_ld_requests);
    vg_put_ratio(t, (double)n->global_st_sectors, n->global_st_requests);
    vg_put_ratio(t, 100 * (double)n->global_ld_bytes, 32 * n->global_ld_sectors);
    vg_put_ratio(t, (double)waves, requests);
    if (requests > 0) {
        vg_put_int(t, n->shared_ld_conflicts + n->shared_st_conflicts + n->shared_atom_conflicts);
    } else {
        lab_table_none(t);
    }
    vg_put_int(t, n->divergent_branches);
}

/* What any launch's counters obey. */
static bool lawful(const struct vg_counts *n)
{
    return n->thread_inst_pred_on <= n->thread_inst_executed &&
           n->thread_inst_executed <= 32 * n->inst_executed &&
           n->divergent_branches <= n->branches && n->branches <= n->inst_executed &&
           n->global_ld_ideal <= n->global_ld_sectors &&
           n->global_st_ideal <= n->global_st_sectors &&
           n->global_ld_requests <= n->global_ld_sectors &&
           n->global_ld_sectors <= 64 * n->global_ld_requests &&
           n->shared_ld_requests + n->shared_ld_conflicts <= n->shared_ld_wavefronts &&
           n->shared_st_requests + n->shared_st_conflicts <= n->shared_st_wavefronts;
}

static void stopped(const struct vg_case *c, const struct vg_outcome *o, struct lab_run *run)
{
    struct lab_buf text;
    lab_buf_init(&text);
    vg_fault_print(&o->fault, &text);
    lab_run_check(run, false, "%s: %s", c->name, lab_buf_str(&text));
    lab_buf_fini(&text);
}

static uint64_t sectors(const struct vg_outcome *outcomes, const char *name)
{
    const struct vg_counts *n = &outcomes[vg_case_find(name)].sum;
    return n->global_ld_sectors + n->global_st_sectors;
}

static uint64_t shared_conflicts(const struct vg_outcome *outcomes, const char *name)
{
    const struct vg_counts *n = &outcomes[vg_case_find(name)].sum;
    return n->shared_ld_conflicts + n->shared_st_conflicts;
}

/* The ladders the kernels were written for. */
static void check_ladders(struct lab_run *run, const struct vg_outcome *o)
{
    lab_run_check(run,
                  sectors(o, "matmul_uncoalesced") > sectors(o, "matmul_naive") &&
                      sectors(o, "matmul_naive") > sectors(o, "matmul_tiled16") &&
                      sectors(o, "matmul_tiled16") > sectors(o, "matmul_tiled32"),
                  "each matmul moves fewer sectors than the one before");
    lab_run_check(run,
                  sectors(o, "transpose_naive") > sectors(o, "transpose_copy") &&
                      sectors(o, "transpose_tiled") == sectors(o, "transpose_copy") &&
                      sectors(o, "transpose_padded") == sectors(o, "transpose_copy"),
                  "a transposition through a tile moves what the copy moves");
    lab_run_check(run,
                  shared_conflicts(o, "transpose_tiled") > 0 &&
                      shared_conflicts(o, "transpose_padded") == 0,
                  "the padding takes the transposition's bank conflicts away");
}

static void put_modes(struct lab_run *run, const struct vg_outcome *outcomes)
{
    struct lab_table *t = lab_run_table(run, &vg_table_modes);
    for (size_t i = 0; i < vg_ncases; i++) {
        if (i > 0 && outcomes[i].kernel == outcomes[i - 1].kernel) {
            continue;
        }
        lab_table_str(t, vg_cases[i].kernel);
        vg_put_mode(t, outcomes[i].kernel);
    }
}

static int run_all(struct vg_stage *s, struct vg_outcome *out, struct lab_run *run,
                   struct lab_err *err)
{
    s->seed = run->seed;
    for (size_t i = 0; i < vg_ncases; i++) {
        if (vg_case_run(s, &vg_cases[i], NULL, &out[i], err) < 0) {
            return -1;
        }
        if (out[i].status != VGPU_OK) {
            stopped(&vg_cases[i], &out[i], run);
        }
    }
    return 0;
}

static void check_results(struct lab_run *run, const struct vg_outcome *o)
{
    for (size_t i = 0; i < vg_ncases; i++) {
        const char *name = vg_cases[i].name;
        lab_run_check(run, o[i].compared > 0 && o[i].wrong == 0, "%s: %llu elements are right%s%s",
                      name, (unsigned long long)(o[i].compared - o[i].wrong),
                      o[i].wrong > 0 ? "; " : "", o[i].first);
        lab_run_check(run, lawful(&o[i].sum), "%s: the counters obey their laws", name);
    }
}

/* The table's run, and what only needs its outcome. */
static int first_run(struct lab_run *run, struct vg_outcome *o, const struct vgpu_config *config,
                     struct lab_err *err)
{
    const struct vg_opts *opts = run->opts;
    struct vg_stage s;
    if (vg_stage_open(&s, config, opts->kernels, err) < 0) {
        return -1;
    }
    int rc = run_all(&s, o, run, err);
    if (rc == 0) {
        struct lab_table *t = lab_run_table(run, &vg_table_kernels);
        for (size_t i = 0; i < vg_ncases; i++) {
            row(t, &vg_cases[i], &o[i].sum);
        }
        check_results(run, o);
        check_ladders(run, o);
        vg_demo_published(run, o);
        put_modes(run, o);
    }
    vg_stage_close(&s);
    return rc;
}

/* The same launches on another number of threads: every byte and every counter must agree. */
static int threads_run(struct lab_run *run, const struct vg_outcome *o, struct vgpu_config config,
                       struct lab_err *err)
{
    const struct vg_opts *opts = run->opts;
    struct vg_outcome *again = lab_alloc(vg_ncases, sizeof(*again));
    struct vg_stage s;
    unsigned before = config.threads;
    config.threads = before == 1 ? 3 : 1;
    int rc = vg_stage_open(&s, &config, opts->kernels, err);
    rc = rc == 0 ? run_all(&s, again, run, err) : rc;
    for (size_t i = 0; rc == 0 && i < vg_ncases; i++) {
        lab_run_check(run, again[i].hash == o[i].hash,
                      "%s: results and counters of %u host threads are those of %u",
                      vg_cases[i].name, config.threads, before);
    }
    vg_stage_close(&s);
    free(again);
    return rc;
}

static int checked_run(struct lab_run *run, struct vgpu_config config, struct lab_err *err)
{
    const struct vg_opts *opts = run->opts;
    struct vg_outcome *o = lab_alloc(vg_ncases, sizeof(*o));
    struct vg_stage s;
    config.checks = VGPU_CHECK_ALL;
    config.counters = false;
    int rc = vg_stage_open(&s, &config, opts->kernels, err);
    rc = rc == 0 ? run_all(&s, o, run, err) : rc;
    if (rc == 0) {
        size_t n = 0;
        struct lab_buf text;
        (void)vg_report_list(vgpu_report(s.g), &n);
        lab_buf_init(&text);
        if (n > 0) {
            vg_report_print(vgpu_report(s.g), &text);
        }
        lab_run_check(run, n == 0, "no check says anything about the %zu launches%s%s", vg_ncases,
                      n > 0 ? ":\n" : "", lab_buf_str(&text));
        lab_buf_fini(&text);
    }
    vg_stage_close(&s);
    free(o);
    return rc;
}

int vg_cmd_demo(struct lab_run *run, struct lab_err *err)
{
    const struct vg_opts *opts = run->opts;
    struct vgpu_config config = {.desc = vg_cmd_device(opts->device),
                                 .counters = true,
                                 .threads = vg_cmd_threads(opts->threads),
                                 .budget = VG_BUDGET_DEFAULT};
    struct vg_outcome *o = lab_alloc(vg_ncases, sizeof(*o));
    int rc = first_run(run, o, &config, err);
    rc = rc == 0 ? threads_run(run, o, config, err) : rc;
    rc = rc == 0 ? checked_run(run, config, err) : rc;
    rc = rc == 0 ? vg_demo_bugs(run, err) : rc;
    rc = rc == 0 && run->svg_path != NULL ? vg_demo_svg(run, err) : rc;
    if (rc == 0) {
        lab_run_note(run, "%s, %u host thread%s", config.desc->name, config.threads,
                     config.threads == 1 ? "" : "s");
    }
    free(o);
    return rc;
}
