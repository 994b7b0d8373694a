/* The demonstration's picture: the heat map of the tiled transposition, whose one bad line stands
 * out, or the sectors that a warp touches when it wants one field of an array of structures. */
#include "lab/file.h"
#include "vg_cmd_sectors.h"
#include "vg_demo.h"
#include "vg_profile.h"

static int heat(struct vg_stage *s, struct lab_buf *svg, struct lab_err *err)
{
    struct vg_outcome o;
    struct vgpu_kernel_info info;
    struct vg_profile *p = vg_profile_new();
    const struct vg_case *c = &vg_cases[vg_case_find("transpose_tiled")];
    int rc = vg_case_run(s, c, NULL, &o, err); /* to learn the kernel */
    if (rc == 0) {
        vgpu_kernel_info(o.kernel, &info);
        rc = vg_case_run(s, c, vg_profile_counters(p, info.func), &o, err);
    }
    if (rc == 0) {
        vg_heat_svg(p, &(struct vg_lines){.kernel = info.func}, svg);
    }
    vg_profile_free(p);
    return rc;
}

static int sectors(struct vg_stage *s, struct lab_buf *svg, struct lab_err *err)
{
    struct vg_outcome o;
    struct vg_sectors_watch watch = {0};
    s->watch = vg_sectors_watch;
    s->watch_arg = &watch;
    int rc = vg_case_run(s, &vg_cases[vg_case_find("scale_aos")], NULL, &o, err);
    return rc == 0 ? vg_sectors_draw(&watch, svg, err) : rc;
}

int vg_demo_svg(const struct lab_run *run, struct lab_err *err)
{
    const struct vg_opts *opts = run->opts;
    struct vgpu_config config = {
        .desc = vg_cmd_device(opts->device), .counters = true, .threads = 1};
    struct vg_stage s;
    struct lab_buf svg;
    int rc = vg_stage_open(&s, &config, opts->kernels, err);
    lab_buf_init(&svg);
    s.seed = run->seed;
    if (rc == 0) {
        rc = opts->picture == VG_PICTURE_LINES ? heat(&s, &svg, err) : sectors(&s, &svg, err);
    }
    rc = rc == 0 ? lab_file_write(run->svg_path, lab_buf_str(&svg), svg.len, err) : rc;
    lab_buf_fini(&svg);
    vg_stage_close(&s);
    return rc;
}
