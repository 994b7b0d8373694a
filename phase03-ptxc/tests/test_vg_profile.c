/* The profile: tables and pictures of counters. */
#include <string.h>

#include "access_of.h"
#include "lab/file.h"
#include "lab/test.h"
#include "vg_profile.h"

/* Two kernels; the first calls a function. Lines of the PTX text count from 1. */
static const char text[] = ".version 6.4\n"
                           ".target sm_75\n"
                           ".address_size 64\n"
                           ".func helper()\n"
                           "{\n"
                           "  .loc 1 2 1\n"
                           "  ret;\n"
                           "}\n"
                           ".visible .entry _Z4copyPf()\n"
                           "{\n"
                           "  .reg .b32 %r<3>;\n"
                           "  .reg .b64 %rd<3>;\n"
                           "  .loc 1 4 1\n"
                           "\tld.global.u32 \t%r1, [%rd1];\n"
                           "  st.shared.u32 [%r2], %r1;\n"
                           "  .loc 1 5 1\n"
                           "  call helper, ();\n"
                           "  .loc 1 4 9\n"
                           "  st.global.u32 [%rd2], %r1;\n"
                           "  ret;\n"
                           "}\n"
                           ".visible .entry idle()\n"
                           "{\n"
                           "  ret;\n"
                           "}\n"
                           ".file 1 \"copy.cu\"\n";

static struct ptx_module *module;
static struct vg_profile *profile;
static const struct ptx_func *copy, *idle, *helper;

static void count(struct vg_counts *at, uint64_t times, struct vg_access a,
                  enum vg_access_kind kind)
{
    a.kind = kind;
    for (uint64_t i = 0; i < times; i++) {
        vg_count_access(at, &a);
    }
}

static int start(void **state)
{
    (void)state;
    struct lab_err err = {0};
    (void)ptx_parse("copy.ptx", text, sizeof(text) - 1, &module, &err);
    assert_string_equal(err.msg, "");
    copy = ptx_find_func(module, "_Z4copyPf");
    idle = ptx_find_func(module, "idle");
    helper = ptx_find_func(module, "helper");
    profile = vg_profile_new();
    struct vgpu_counters *c = vg_profile_counters(profile, copy);
    struct vg_counts *at = vg_counts_of(c, copy);
    c->launches = 2;
    for (uint32_t pc = 0; pc < copy->ninsns; pc++) {
        at[pc].inst_executed = pc == 1 ? 20 : 10;
        at[pc].thread_inst_executed = 32 * at[pc].inst_executed;
        at[pc].thread_inst_pred_on = 24 * at[pc].inst_executed;
    }
    vg_counts_of(c, helper)[0].inst_executed = 10;
    count(&at[0], 10, global_of(0, 8, 4), VG_LOAD);
    count(&at[1], 20, shared_of(0, 8, 4), VG_STORE);
    count(&at[3], 10, global_of(4, 4, 4), VG_STORE);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    vg_profile_free(profile);
    ptx_module_free(module);
    return 0;
}

static void expect_csv(struct lab_table *t, const char *want)
{
    struct lab_buf out;
    lab_buf_init(&out);
    lab_table_csv(t, false, &out);
    assert_string_equal(lab_buf_str(&out), want);
    lab_buf_fini(&out);
    lab_table_free(t);
}

static void a_kernel_has_a_row_in_each_table_it_has_requests_for(void **state)
{
    (void)state;
    vg_profile_counters(profile, idle)->launches = 1;
    expect_csv(vg_profile_table(profile, &vg_table_execution),
               "# table: execution\n"
               "kernel,launches,warp_inst,thr/inst,pred_on,branches,divergent,barriers\n"
               "copy,2,70,27.4,20.6,0,0,0\n"
               "idle,1,0,,,0,0,0\n");
    expect_csv(vg_profile_table(profile, &vg_table_global),
               "# table: global\n"
               "kernel,ld_req,ld_sect,ld_s/req,ld_eff%,excess,st_req,st_sect,st_s/req,st_eff%,"
               "atom_req,atom_sect\n"
               "copy,10,80,8.00,50.00,40,10,50,5.00,80.00,0,0\n");
    expect_csv(vg_profile_table(profile, &vg_table_shared),
               "# table: shared\n"
               "kernel,ld_req,ld_wave,ld_confl,st_req,st_wave,st_confl,at_req,at_wave,n-way\n"
               "copy,0,0,0,20,40,20,0,0,2.00\n");
}

#define HEAD "warp_inst,thr/inst,diverg,requests,sectors,excess,passes,confl,"

static void ptx_lines_come_with_their_source_and_what_was_called(void **state)
{
    (void)state;
    struct vg_lines all = {copy, VG_BY_LINE, 0};
    expect_csv(vg_profile_ptx(profile, &all),
               "# table: ptx\n"
               "line," HEAD "source,ptx\n"
               "7,10,0.0,0,0,0,0,0,0,copy.cu:2,ret;\n"
               "14,10,24.0,0,10,80,40,0,0,copy.cu:4,\"ld.global.u32 %r1, [%rd1];\"\n"
               "15,20,24.0,0,20,0,0,40,20,copy.cu:4,\"st.shared.u32 [%r2], %r1;\"\n"
               "17,10,24.0,0,0,0,0,0,0,copy.cu:5,\"call helper, ();\"\n"
               "19,10,24.0,0,10,50,10,0,0,copy.cu:4,\"st.global.u32 [%rd2], %r1;\"\n"
               "20,10,24.0,0,0,0,0,0,0,copy.cu:4,ret;\n");
}

static void the_top_lines_by_excess_and_conflicts_come_first(void **state)
{
    (void)state;
    struct vg_lines which = {copy, VG_BY_EXCESS, 2};
    expect_csv(vg_profile_ptx(profile, &which),
               "# table: ptx\n"
               "line," HEAD "source,ptx\n"
               "14,10,24.0,0,10,80,40,0,0,copy.cu:4,\"ld.global.u32 %r1, [%rd1];\"\n"
               "19,10,24.0,0,10,50,10,0,0,copy.cu:4,\"st.global.u32 [%rd2], %r1;\"\n");
    which = (struct vg_lines){copy, VG_BY_CONFLICTS, 1};
    expect_csv(vg_profile_ptx(profile, &which),
               "# table: ptx\n"
               "line," HEAD "source,ptx\n"
               "15,20,24.0,0,20,0,0,40,20,copy.cu:4,\"st.shared.u32 [%r2], %r1;\"\n");
}

static void source_lines_sum_their_instructions(void **state)
{
    (void)state;
    struct vg_lines all = {copy, VG_BY_LINE, 0};
    expect_csv(vg_profile_source(profile, &all), "# table: source\n"
                                                 "source," HEAD "text\n"
                                                 "copy.cu:2,10,0.0,0,0,0,0,0,0,\n"
                                                 "copy.cu:4,50,24.0,0,40,130,50,40,20,\n"
                                                 "copy.cu:5,10,24.0,0,0,0,0,0,0,\n");
}

static void a_kernel_that_was_never_launched_has_no_lines(void **state)
{
    (void)state;
    struct vg_lines none = {idle, VG_BY_LINE, 0};
    expect_csv(vg_profile_ptx(profile, &none), "# table: ptx\nline," HEAD "source,ptx\n");
    assert_null(vg_profile_kernel(profile, 1));
}

/* Law: launches added one by one are the sums. */
static void launches_add_up(void **state)
{
    (void)state;
    struct vg_profile *sum = vg_profile_new();
    const struct vgpu_counters *one = vg_profile_counters(profile, copy);
    for (int i = 0; i < 3; i++) {
        vg_profile_add(sum, copy, one);
    }
    assert_int_equal(vg_profile_counters(sum, copy)->launches, 6);
    assert_int_equal(vg_count_sum(vg_profile_counters(sum, copy), NULL).global_ld_sectors, 240);
    assert_ptr_equal(vg_profile_kernel(sum, 0), copy);
    vg_profile_free(sum);
}

static size_t times(const char *s, const char *what)
{
    size_t n = 0;
    for (const char *at = strstr(s, what); at != NULL; at = strstr(at + 1, what)) {
        n++;
    }
    return n;
}

static void a_picture_of_an_access_shows_what_moves_and_what_was_asked_for(void **state)
{
    (void)state;
    struct lab_buf out;
    lab_buf_init(&out);
    struct vg_access a = global_of(4096, 8, 4);
    vg_access_svg(&a, "stride 2 & more", &out);
    assert_non_null(strstr(lab_buf_str(&out), "stride 2 &amp; more"));
    assert_non_null(strstr(lab_buf_str(&out), "8 sectors of 32 bytes move; efficiency 50.0 %"));
    assert_int_equal(times(lab_buf_str(&out), "class=\"s0 bd\""), 32);
    assert_int_equal(times(lab_buf_str(&out), "class=\"s1 waste\""), 32 + 1); /* and the legend */
    lab_buf_clear(&out);
    a = global_of(4096, 128 * 3, 16);
    a.mask = 0;
    vg_access_svg(&a, "nobody", &out);
    assert_non_null(strstr(lab_buf_str(&out), "0 lanes"));
    lab_buf_fini(&out);
}

static void a_heat_map_shades_each_column_by_its_largest_value(void **state)
{
    (void)state;
    struct lab_buf out;
    lab_buf_init(&out);
    struct vg_lines all = {copy, VG_BY_LINE, 0};
    vg_heat_svg(profile, &all, &out);
    const char *svg = lab_buf_str(&out);
    assert_non_null(strstr(svg, "Counters by PTX line: copy"));
    assert_non_null(strstr(svg, ">st.global.u32 [%rd2], %r1;<"));
    assert_int_equal(times(svg, "class=\"s0 o8\""), 3); /* instructions, sectors, passes */
    assert_int_equal(times(svg, "class=\"s1 o8\""), 3); /* idle lanes, excess, conflicts */
    lab_buf_fini(&out);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_kernel_has_a_row_in_each_table_it_has_requests_for, start,
                                        stop),
        cmocka_unit_test_setup_teardown(ptx_lines_come_with_their_source_and_what_was_called, start,
                                        stop),
        cmocka_unit_test_setup_teardown(the_top_lines_by_excess_and_conflicts_come_first, start,
                                        stop),
        cmocka_unit_test_setup_teardown(source_lines_sum_their_instructions, start, stop),
        cmocka_unit_test_setup_teardown(a_kernel_that_was_never_launched_has_no_lines, start, stop),
        cmocka_unit_test_setup_teardown(launches_add_up, start, stop),
        cmocka_unit_test_setup_teardown(
            a_picture_of_an_access_shows_what_moves_and_what_was_asked_for, start, stop),
        cmocka_unit_test_setup_teardown(a_heat_map_shades_each_column_by_its_largest_value, start,
                                        stop),
    };
    return LAB_TEST_MAIN(tests);
}
