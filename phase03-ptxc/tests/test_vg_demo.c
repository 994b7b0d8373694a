/* The demonstration: its references can fail, its outcomes repeat, and what it shows is complete.
 */
#include <string.h>

#include "lab/test.h"
#include "vg_check.h"
#include "vg_demo.h"

static void open_stage(struct vg_stage *s, unsigned threads, unsigned checks)
{
    struct vgpu_config config = {.desc = vgpu_desc_find("a100"),
                                 .counters = true,
                                 .threads = threads,
                                 .checks = checks,
                                 .budget = 100000000};
    struct lab_err err = {0};
    if (vg_stage_open(s, &config, LAB_PHASE_DIR "/kernels", &err) < 0) {
        fail_msg("%s", err.msg);
    }
    s->seed = 42;
}

static struct vg_outcome run(struct vg_stage *s, const struct vg_case *c)
{
    struct vg_outcome o;
    struct lab_err err = {0};
    if (vg_case_run(s, c, NULL, &o, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    if (o.status != VGPU_OK) {
        fail_msg("%s: %s", c->name, o.fault.text);
    }
    return o;
}

static void every_case_computes_what_its_reference_says(void **state)
{
    (void)state;
    struct vg_stage s;
    open_stage(&s, 1, 0);
    for (size_t i = 0; i < vg_ncases; i++) {
        struct vg_outcome o = run(&s, &vg_cases[i]);
        if (o.wrong > 0 || o.compared == 0) {
            fail_msg("%s: %s", vg_cases[i].name, o.first);
        }
    }
    vg_stage_close(&s);
}

/* A comparison that accepts anything would pass the test above: here the kernel is another one. */
static void a_wrong_result_is_noticed(void **state)
{
    (void)state;
    static const char *const swapped[][2] = {{"transpose_naive", "transpose_copy"},
                                             {"copy_misaligned 1", "copy_strided"},
                                             {"tile_rows", "tile_columns"},
                                             {"scale_aos", "scale_soa"}};
    struct vg_stage s;
    open_stage(&s, 1, 0);
    for (size_t i = 0; i < sizeof(swapped) / sizeof(swapped[0]); i++) {
        struct vg_case c = vg_cases[vg_case_find(swapped[i][0])];
        c.kernel = swapped[i][1];
        struct vg_outcome o = run(&s, &c);
        assert_true(o.wrong > 0);
        assert_non_null(strstr(o.first, "expected"));
    }
    vg_stage_close(&s);
}

static double want_nan(const struct vg_given *w, uint64_t i)
{
    (void)w;
    (void)i;
    return __builtin_nan("");
}

static void a_nan_is_never_right(void **state)
{
    (void)state;
    struct vg_stage s;
    struct vg_case c = vg_cases[vg_case_find("vec_add")];
    open_stage(&s, 1, 0);
    c.args[0] = "f32[100000]=nan";
    struct vg_outcome o = run(&s, &c);
    assert_int_equal(o.wrong, o.compared);
    c = vg_cases[vg_case_find("vec_add")];
    c.want = want_nan;
    o = run(&s, &c);
    assert_int_equal(o.wrong, o.compared);
    vg_stage_close(&s);
}

static void outcomes_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    static const unsigned threads[] = {2, 3, 7};
    struct vg_stage one, many;
    open_stage(&one, 1, 0);
    for (size_t t = 0; t < 3; t++) {
        open_stage(&many, threads[t], 0);
        for (size_t i = 0; i < vg_ncases; i++) {
            struct vg_outcome a = run(&one, &vg_cases[i]), b = run(&many, &vg_cases[i]);
            if (a.hash != b.hash || memcmp(&a.sum, &b.sum, sizeof(a.sum)) != 0) {
                fail_msg("%s differs on %u threads", vg_cases[i].name, threads[t]);
            }
        }
        vg_stage_close(&many);
    }
    vg_stage_close(&one);
}

static void the_hash_sees_one_element_and_one_count(void **state)
{
    (void)state;
    struct vg_stage s;
    struct vg_case c = vg_cases[vg_case_find("copy_broadcast")];
    open_stage(&s, 1, 0);
    uint64_t before = run(&s, &c).hash;
    assert_true(run(&s, &c).hash == before);
    c.args[1] = "f32[1]=0.25";
    assert_true(run(&s, &c).hash != before);
    c = vg_cases[vg_case_find("copy_misaligned 0")];
    c.args[1] = "f32[4104]=zero";
    before = run(&s, &c).hash;
    c.args[3] = "i32:1"; /* the same zeros, five sectors a request */
    assert_true(run(&s, &c).hash != before);
    vg_stage_close(&s);
}

static void the_seed_changes_data_and_no_count(void **state)
{
    (void)state;
    struct vg_stage s;
    open_stage(&s, 1, 0);
    for (size_t i = 0; i < vg_ncases; i++) {
        bool data_decides = strncmp(vg_cases[i].name, "histogram", 9) == 0;
        s.seed = 42;
        struct vg_outcome a = run(&s, &vg_cases[i]);
        s.seed = 7;
        struct vg_outcome b = run(&s, &vg_cases[i]);
        assert_true(data_decides || memcmp(&a.sum, &b.sum, sizeof(a.sum)) == 0);
    }
    vg_stage_close(&s);
}

static void all_committed_kernels_are_shown(void **state)
{
    (void)state;
    static const char *const files[] = {"access", "atomics",   "banks",  "matmul",
                                        "reduce", "transpose", "vec_add"};
    struct vg_stage s;
    open_stage(&s, 1, 0);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char path[4096];
        struct vgpu_module *m = NULL;
        struct lab_err err = {0};
        (void)snprintf(path, sizeof(path), LAB_PHASE_DIR "/kernels/%s.ptx", files[i]);
        assert_int_equal(vg_cmd_load(s.g, path, &m, &err), 0);
        for (const struct ptx_func *f = vgpu_module_ptx(m)->funcs; f != NULL; f = f->next) {
            bool shown = f->kind != PTX_ENTRY;
            for (size_t k = 0; k < vg_ncases; k++) {
                shown |= strcmp(vg_cases[k].kernel, f->name) == 0;
            }
            if (!shown) {
                fail_msg("%s is not in the demonstration", f->name);
            }
        }
        vgpu_module_unload(m);
    }
    vg_stage_close(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_computes_what_its_reference_says),
        cmocka_unit_test(a_wrong_result_is_noticed),
        cmocka_unit_test(a_nan_is_never_right),
        cmocka_unit_test(outcomes_do_not_depend_on_the_threads),
        cmocka_unit_test(the_hash_sees_one_element_and_one_count),
        cmocka_unit_test(the_seed_changes_data_and_no_count),
        cmocka_unit_test(all_committed_kernels_are_shown),
    };
    return LAB_TEST_MAIN(tests);
}
