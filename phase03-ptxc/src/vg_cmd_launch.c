/* vgpu launch FILE KERNEL: one kernel from PTX, with its arguments written on the command line.
 *
 * Problem: to try a kernel one should need no host program. Model: words become buffers
 * (vg_cmd_args.h), the kernel runs once, and then come the buffers asked for, the counters, the
 * findings and a picture. Invariants: bad input is refused before anything runs, with exit 2; a
 * kernel that stops, or that a check has something to say about, makes exit 1.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/file.h"
#include "vg_cmd.h"
#include "vg_cmd_args.h"
#include "vg_cmd_fault.h"
#include "vg_cmd_print.h"
#include "vg_cmd_sectors.h"
#include "vg_cmd_tables.h"
#include "vg_profile.h"

struct job {
    const struct vg_opts *o;
    struct vgpu_config config;
    struct vgpu *g;
    struct vgpu_module *module;
    struct vgpu_launch launch;
    struct vg_args args;
    struct vg_profile *profile;
    struct vg_sectors_watch watch;
    struct vgpu_fault fault;
    char *arg_text, *print_text;
    const char **arg_words, **prints;
};

static int read_options(struct job *j, const struct lab_run *run, struct lab_err *err)
{
    const struct vg_opts *o = j->o = run->opts;
    bool sectors = run->svg_path != NULL && o->picture == VG_PICTURE_SECTORS;
    j->config = (struct vgpu_config){.desc = vg_cmd_device(o->device),
                                     .counters = o->report != VG_REPORT_OFF ||
                                                 run->svg_path != NULL || o->lines > 0,
                                     .threads = sectors ? 1 : vg_cmd_threads(o->threads),
                                     .policy = (enum vgpu_policy)o->policy,
                                     .budget = (uint64_t)o->budget};
    if (vg_cmd_dim("grid", o->grid, &j->launch.grid, err) < 0 ||
        vg_cmd_dim("block", o->block, &j->launch.block, err) < 0 ||
        vg_cmd_checks(o->check, &j->config.checks, err) < 0) {
        return -1;
    }
    vg_cmd_split(o->arg, &j->arg_text, &j->arg_words);
    vg_cmd_split(o->print, &j->print_text, &j->prints);
    j->launch.dynamic_shared = (uint32_t)o->smem;
    j->launch.cooperative = o->cooperative;
    return 0;
}

static int prepare(struct job *j, const struct lab_run *run, struct lab_err *err)
{
    struct vg_arg_words words = {.seed = run->seed};
    if (read_options(j, run, err) < 0) {
        return -1;
    }
    words.at = (const char *const *)j->arg_words;
    if (vgpu_open(&j->config, &j->g, err) < 0 ||
        vg_cmd_load(j->g, run->operands[0], &j->module, err) < 0 ||
        vg_cmd_kernel(j->module, run->operands[1], &j->launch.kernel, err) < 0) {
        return -1;
    }
    const char *why = vgpu_kernel_error(j->launch.kernel);
    if (why != NULL) {
        return lab_err_input(err, "%s", why);
    }
    if (vg_args_make(&j->args, j->g, j->launch.kernel, &words, err) < 0) {
        return -1;
    }
    j->launch.params = j->args.params;
    return vg_print_check(&j->args, j->prints, err);
}

enum { PARAGRAPHS = 3 };

/* The first paragraphs of a report; one bug often shows at many instructions. */
static void say_findings(const char *text, size_t n)
{
    const char *end = text;
    for (size_t i = 0; i < PARAGRAPHS && n > PARAGRAPHS && end != NULL; i++) {
        end = strstr(end, "\n\n");
        end = end != NULL ? end + 2 : NULL;
    }
    if (n > PARAGRAPHS && end != NULL) {
        (void)fprintf(stderr, "%.*s%zu more; the table has a row for each\n", (int)(end - text),
                      text, n - PARAGRAPHS);
    } else {
        (void)fputs(text, stderr);
    }
}

static void report_findings(struct job *j, struct lab_run *run)
{
    size_t n = 0;
    struct lab_buf text;
    if (j->config.checks == 0) {
        return;
    }
    const struct vg_finding *list = vg_report_list(vgpu_report(j->g), &n);
    lab_buf_init(&text);
    vg_report_print(vgpu_report(j->g), &text);
    if (n > 0) {
        vg_print_findings(list, n, lab_run_table(run, &vg_table_findings));
        say_findings(lab_buf_str(&text), n);
        run->exit_code = LAB_EXIT_CHECK;
    }
    lab_buf_fini(&text);
    lab_run_note(run, "%zu finding%s", n, n == 1 ? "" : "s");
}

static void adopt(struct lab_run *run, struct lab_table *t)
{
    if (lab_table_rows(t) > 0) {
        vg_cmd_adopt(run, t);
    } else {
        lab_table_free(t);
    }
}

/* The busiest lines, or all of them in their order. */
static void report_lines(struct job *j, struct lab_run *run, const struct ptx_func *kernel)
{
    struct vg_lines which = {.kernel = kernel};
    if (j->o->lines < (int64_t)kernel->ninsns) {
        which.order = (enum vg_order)(VG_BY_INSTRUCTIONS + j->o->order);
        which.top = (size_t)j->o->lines;
    }
    adopt(run, vg_profile_ptx(j->profile, &which));
    adopt(run, vg_profile_source(j->profile, &which));
}

static void report_counters(struct job *j, struct lab_run *run)
{
    struct vgpu_kernel_info info;
    vgpu_kernel_info(j->launch.kernel, &info);
    if (j->o->report != VG_REPORT_OFF) {
        adopt(run, vg_profile_table(j->profile, &vg_table_execution));
        adopt(run, vg_profile_table(j->profile, &vg_table_global));
        adopt(run, vg_profile_table(j->profile, &vg_table_shared));
        struct lab_table *t = lab_run_table(run, &vg_table_modes);
        lab_table_str(t, info.name);
        vg_put_mode(t, j->launch.kernel);
    }
    if (j->o->lines > 0) {
        report_lines(j, run, info.func);
    }
}

static int draw(struct job *j, const struct lab_run *run, struct lab_err *err)
{
    struct vgpu_kernel_info info;
    struct lab_buf svg;
    int rc = 0;
    if (run->svg_path == NULL) {
        return 0;
    }
    vgpu_kernel_info(j->launch.kernel, &info);
    lab_buf_init(&svg);
    if (j->o->picture == VG_PICTURE_SECTORS) {
        rc = vg_sectors_draw(&j->watch, &svg, err);
    } else {
        vg_heat_svg(j->profile, &(struct vg_lines){.kernel = info.func}, &svg);
    }
    rc = rc == 0 ? lab_file_write(run->svg_path, lab_buf_str(&svg), svg.len, err) : rc;
    lab_buf_fini(&svg);
    return rc;
}

/* The kernel stopped: its paragraph goes to stderr, and no table stands for a result. */
static int stopped(struct job *j, struct lab_run *run, struct lab_err *err)
{
    if (vg_fault_is_input(j->fault.status)) {
        return lab_err_input(err, "%s: %s", vgpu_status_name(j->fault.status), j->fault.text);
    }
    struct lab_buf text;
    lab_buf_init(&text);
    vg_fault_print(&j->fault, &text);
    report_findings(j, run);
    lab_run_check(run, false, "%s", lab_buf_str(&text));
    lab_buf_fini(&text);
    return 0;
}

static int execute(struct job *j, struct lab_run *run, struct lab_err *err)
{
    struct vgpu_kernel_info info;
    struct vgpu_counters *counters = NULL;
    vgpu_kernel_info(j->launch.kernel, &info);
    if (j->config.counters) {
        j->profile = vg_profile_new();
        counters = vg_profile_counters(j->profile, info.func);
    }
    if (run->svg_path != NULL && j->o->picture == VG_PICTURE_SECTORS) {
        j->watch.line = (uint32_t)j->o->picture_line;
        j->launch.watch = vg_sectors_watch;
        j->launch.watch_arg = &j->watch;
    }
    enum vgpu_status s = vgpu_run(j->g, &j->launch, counters, &j->fault);
    vgpu_flush_printf(j->g);
    if (s != VGPU_OK) {
        return stopped(j, run, err);
    }
    vg_print_buffers(&j->args, j->prints, run);
    report_counters(j, run);
    report_findings(j, run);
    return draw(j, run, err);
}

int vg_cmd_launch(struct lab_run *run, struct lab_err *err)
{
    struct job j = {0};
    int rc = prepare(&j, run, err);
    if (rc == 0) {
        run->format =
            j.o->report == VG_REPORT_OFF ? LAB_FORMAT_TABLE : (enum lab_format)j.o->report;
        rc = execute(&j, run, err);
    }
    vg_profile_free(j.profile);
    vg_args_free(&j.args);
    if (j.module != NULL) {
        vgpu_module_unload(j.module);
    }
    if (j.g != NULL) {
        vgpu_close(j.g);
    }
    free(j.arg_text);
    free(j.arg_words);
    free(j.print_text);
    free(j.prints);
    return rc;
}
