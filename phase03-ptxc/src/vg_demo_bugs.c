/* Kernels with one bug each, and what the checks say about it. They are those of tests/bugs, where
 * many more stand; the line of each bug carries BUG(kernel). */
#include <string.h>

#include "vg_check.h"
#include "vg_cmd_tables.h"
#include "vg_demo.h"

static const struct bug {
    const char *what;
    enum vgpu_check check;
    const char *expect; /* the finding's words hold this */
    struct vg_case c;
} bugs[] = {
    {"no tail guard",
     VGPU_CHECK_MEM,
     "past an allocation",
     {.name = "tail_guard",
      .file = "mem",
      .kernel = "tail_guard",
      .grid = {4, 1, 1},
      .block = {128, 1, 1},
      .args = {"f32[400]=iota", "f32[400]=iota"}}},
    {"a write past the shared tile",
     VGPU_CHECK_MEM,
     "of shared memory",
     {.name = "shared_past_end",
      .file = "mem",
      .kernel = "shared_past_end",
      .grid = {1, 1, 1},
      .block = {64, 1, 1},
      .args = {"f32[64]=iota", "f32[64]"}}},
    {"tiled matmul, 1st __syncthreads gone",
     VGPU_CHECK_RACE,
     "read-after-write",
     {.name = "matmul_first",
      .file = "race",
      .kernel = "matmul_first",
      .grid = {2, 2, 1},
      .block = {16, 16, 1},
      .args = {"f32[1024]=iota", "f32[1024]=iota", "f32[1024]", "i32:32"}}},
    {"tiled matmul, 2nd __syncthreads gone",
     VGPU_CHECK_RACE,
     "write-after-read",
     {.name = "matmul_second",
      .file = "race",
      .kernel = "matmul_second",
      .grid = {2, 2, 1},
      .block = {16, 16, 1},
      .args = {"f32[1024]=iota", "f32[1024]=iota", "f32[1024]", "i32:32"}}},
    {"__syncthreads in one arm of an if",
     VGPU_CHECK_SYNC,
     "barrier in divergent code",
     {.name = "barrier_in_if",
      .file = "sync",
      .kernel = "barrier_in_if",
      .grid = {1, 1, 1},
      .block = {64, 1, 1},
      .args = {"f32[64]=iota"}}},
    {"shuffle from a lane that returned",
     VGPU_CHECK_SYNC,
     "has exited",
     {.name = "shuffle_after_return",
      .file = "sync",
      .kernel = "shuffle_after_return",
      .grid = {1, 1, 1},
      .block = {32, 1, 1},
      .args = {"f32[32]=iota", "f32[32]", "i32:20"}}},
    {"shared tile without its halo",
     VGPU_CHECK_INIT,
     "nobody wrote",
     {.name = "missing_halo",
      .file = "init",
      .kernel = "missing_halo",
      .grid = {1, 1, 1},
      .block = {64, 1, 1},
      .args = {"f32[64]=iota", "f32[64]"}}},
    {"a sum nobody set to zero",
     VGPU_CHECK_INIT,
     "never written",
     {.name = "accumulate",
      .file = "init",
      .kernel = "accumulate",
      .grid = {1, 1, 1},
      .block = {32, 1, 1},
      .args = {"f32[32]=iota", "f32[32]"}}},
};

static bool is_it(const struct bug *b, const struct vg_finding *f)
{
    return vg_check_of(f->reason) == b->check && strstr(f->what, b->expect) != NULL;
}

static void put(struct lab_table *t, const struct bug *b, const struct vg_finding *f)
{
    lab_table_str(t, b->c.name);
    lab_table_str(t, b->what);
    lab_table_str(t, vg_check_name(b->check));
    lab_table_str(t, f->what);
    vg_put_thread(t, &f->thread);
    vg_put_place(t, f->func, f->pc);
}

static int one_bug(struct lab_run *run, const struct bug *b, struct lab_table *t,
                   struct lab_err *err)
{
    const struct vg_opts *o = run->opts;
    /* One thread: a memory error stops the other blocks wherever they are. */
    struct vgpu_config config = {
        .desc = vg_cmd_device(o->device), .checks = b->check, .threads = 1, .budget = 2000000};
    struct vg_outcome outcome;
    struct vg_stage s;
    size_t n = 0, seen = 0;
    int rc = vg_stage_open(&s, &config, o->bugs, err);
    rc = rc == 0 ? vg_case_run(&s, &b->c, NULL, &outcome, err) : rc;
    if (rc == 0) {
        const struct vg_finding *list = vg_report_list(vgpu_report(s.g), &n);
        for (size_t i = 0; i < n && seen == 0; i++) {
            if (is_it(b, &list[i])) {
                put(t, b, &list[i]);
                seen++;
            }
        }
        lab_run_check(run, seen > 0, "%s: --check %s says '%s'", b->c.name, vg_check_name(b->check),
                      b->expect);
    }
    vg_stage_close(&s);
    return rc;
}

int vg_demo_bugs(struct lab_run *run, struct lab_err *err)
{
    struct lab_table *t = lab_run_table(run, &vg_table_bugs);
    for (size_t i = 0; i < sizeof(bugs) / sizeof(bugs[0]); i++) {
        if (one_bug(run, &bugs[i], t, err) < 0) {
            return -1;
        }
    }
    return 0;
}
