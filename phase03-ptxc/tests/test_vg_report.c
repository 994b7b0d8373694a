/* Findings: merging, order, and the words they are printed in. */
#include <pthread.h>
#include <string.h>

#include "access_of.h"
#include "lab/file.h"
#include "lab/test.h"
#include "vg_check.h"
#include "vg_name.h"

static const char ptx[] = ".version 6.4\n"
                          ".target sm_75\n"
                          ".address_size 64\n"
                          ".visible .entry _Z3sumPf()\n"
                          "{\n"
                          "  .reg .b32 %r<3>;\n"
                          "  .shared .align 4 .b8 tile[128];\n"
                          "  .loc 1 2 5\n"
                          "  mov.u32 %r1, tile;\n"
                          "  st.shared.u32 [%r1], %r2;\n"
                          "  .loc 1 3 5\n"
                          "\tld.shared.u32 %r2, [%r1+4];\n"
                          "  bar.sync 0;\n"
                          "  ret;\n"
                          "}\n"
                          ".file 1 \"%s\"\n";

static struct ptx_module *module;
static struct vg_report *report;

static int start(void **state)
{
    (void)state;
    struct lab_buf path, text;
    lab_buf_init(&path);
    lab_buf_init(&text);
    lab_buf_printf(&path, "%s/sum.cu", lab_test_tmpdir());
    const char source[] =
        "__global__ void sum(float *x) {\n    tile[0] = a;\n    b = tile[1];\n}\n";
    struct lab_err err = {0};
    assert_int_equal(lab_file_write(lab_buf_str(&path), source, sizeof(source) - 1, &err), 0);
    lab_buf_add(&text, ptx, strlen(ptx) - 4); /* up to the quote before %s */
    lab_buf_printf(&text, "%s\"\n", lab_buf_str(&path));
    int rc = ptx_parse("sum.ptx", lab_buf_str(&text), text.len, &module, &err);
    assert_string_equal(err.msg, "");
    assert_int_equal(rc, 0);
    lab_buf_fini(&path);
    lab_buf_fini(&text);
    report = vg_report_new();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    vg_report_free(report);
    ptx_module_free(module);
    return 0;
}

static struct vg_check_ctx ctx_of(uint32_t block)
{
    return (struct vg_check_ctx){
        .report = report, .block = {block, 0, 0}, .dim = {64, 2, 1}, .kernel = module->funcs};
}

static struct vg_access load_at(uint32_t pc, uint32_t warp)
{
    struct vg_access a = shared_of(4, 0, 4);
    a.func = module->funcs;
    a.pc = pc;
    a.warp = warp;
    return a;
}

static void expect_text(const char *want)
{
    struct lab_buf out;
    lab_buf_init(&out);
    vg_report_print(report, &out);
    assert_string_equal(lab_buf_str(&out), want);
    lab_buf_fini(&out);
}

static void a_hazard_is_told_with_both_threads_and_all_four_lines(void **state)
{
    (void)state;
    struct vg_check_ctx ctx = ctx_of(3);
    struct vg_access a = load_at(2, 2);
    struct vg_other other = {module->funcs, 1, {7, 0, 0}, 5};
    vg_find_hazard(&ctx, &(struct vg_wrong){&a, 9, VG_READ_AFTER_WRITE}, &other);
    expect_text("race: read-after-write hazard in kernel sum\n"
                "  thread (9,1,0) of block (3,0,0), lane 9 of warp 2, reads 4 bytes at shared "
                "offset 4:\n"
                "      ld.shared.u32 %r2, [%r1+4];                     sum.ptx:12\n"
                "      b = tile[1];                                    sum.cu:3\n"
                "  after thread (7,0,0) wrote there:\n"
                "      st.shared.u32 [%r1], %r2;                       sum.ptx:10\n"
                "      tile[0] = a;                                    sum.cu:2\n"
                "  Found 5 times. Nothing orders the read after the write: a __syncthreads(), or\n"
                "  __syncwarp() within one warp, is missing between the two.\n"
                "\n"
                "1 finding\n");
}

static void no_findings_are_said_in_so_many_words(void **state)
{
    (void)state;
    expect_text("no findings\n");
}

static void the_same_reason_at_an_instruction_is_one_finding_of_the_lowest_block(void **state)
{
    (void)state;
    const uint32_t blocks[] = {5, 2, 2, 9};
    for (uint32_t i = 0; i < 4; i++) {
        struct vg_check_ctx ctx = ctx_of(blocks[i]);
        struct vg_access a = load_at(2, 0);
        vg_find_access(&ctx, &(struct vg_wrong){&a, i, VG_UNWRITTEN_SHARED}, "finding %u", i);
    }
    size_t n;
    const struct vg_finding *list = vg_report_list(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(list[0].count, 4);
    assert_int_equal(list[0].block.x, 2);
    assert_string_equal(list[0].what, "finding 1"); /* the first of block 2 */
}

static void findings_are_sorted_by_instruction_and_reason(void **state)
{
    (void)state;
    struct vg_check_ctx ctx = ctx_of(0);
    const struct vg_place at = {module->funcs, 3, 1};
    vg_find_divergent_barrier(&ctx, &at, 0xFF, UINT32_MAX);
    struct vg_access a = load_at(2, 0);
    vg_find_access(&ctx, &(struct vg_wrong){&a, 0, VG_UNWRITTEN_SHARED}, "unwritten");
    vg_find_access(&ctx, &(struct vg_wrong){&a, 0, VG_MISALIGNED}, "misaligned");
    a.pc = 1;
    vg_find_access(&ctx, &(struct vg_wrong){&a, 0, VG_UNWRITTEN_SHARED}, "unwritten");
    size_t n;
    const struct vg_finding *list = vg_report_list(report, &n);
    assert_int_equal(n, 4);
    assert_int_equal(list[0].pc, 1);
    assert_int_equal(list[1].reason, VG_MISALIGNED);
    assert_int_equal(list[2].reason, VG_UNWRITTEN_SHARED);
    assert_int_equal(list[3].reason, VG_DIVERGENT_BARRIER);
    assert_string_equal(list[3].what, "barrier in divergent code: 8 of the warp's 32 lanes (mask "
                                      "0x000000ff) came to it");
    vg_report_clear(report);
    (void)vg_report_list(report, &n);
    assert_int_equal(n, 0);
}

static void a_sync_mask_is_held_against_the_lanes_that_are_there(void **state)
{
    (void)state;
    struct vg_check_ctx ctx = ctx_of(0);
    const struct {
        uint32_t here, members, exited;
        enum vg_reason reason;
        const char *what;
    } cases[] = {
        {0xF, 0xF, 0, VG_REASON_COUNT, ""},
        {0xF, 0x7, 0, VG_NOT_A_MEMBER,
         "the member mask 0x00000007 leaves out lane 3, which is here"},
        {0xF, 0x1F, 0x10, VG_MISSING_MEMBERS,
         "the member mask 0x0000001f names lane 4, which has exited"},
        {0xF, 0x2F, 0x10, VG_MISSING_MEMBERS,
         "the member mask 0x0000002f names lane 5, which never comes here"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        vg_report_clear(report);
        struct vg_place at = {module->funcs, 3, 0};
        vg_find_members(&ctx, &at, cases[i].here, cases[i].members, cases[i].exited);
        size_t n;
        const struct vg_finding *list = vg_report_list(report, &n);
        assert_int_equal(n, cases[i].reason == VG_REASON_COUNT ? 0 : 1);
        if (n == 1) {
            assert_int_equal(list[0].reason, cases[i].reason);
            assert_string_equal(list[0].what, cases[i].what);
        }
    }
}

static void *add_many(void *arg)
{
    const struct vg_check_ctx ctx = ctx_of(*(const uint32_t *)arg);
    for (uint32_t i = 0; i < 1000; i++) {
        struct vg_access a = load_at(i % 4, 0);
        vg_find_access(&ctx, &(struct vg_wrong){&a, 0, VG_MISALIGNED}, "block %u", ctx.block.x);
    }
    return NULL;
}

static void threads_may_add_at_once(void **state)
{
    (void)state;
    pthread_t threads[4];
    uint32_t blocks[4] = {4, 3, 1, 2};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, &blocks[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    size_t n;
    const struct vg_finding *list = vg_report_list(report, &n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(list[i].count, 1000);
        assert_string_equal(list[i].what, "block 1");
    }
}

static void a_flood_of_findings_is_bounded_and_counted(void **state)
{
    (void)state;
    struct vg_check_ctx ctx = ctx_of(0);
    for (uint32_t pc = 0; pc < 5000; pc++) {
        struct vg_access a = load_at(pc, 0);
        vg_find_access(&ctx, &(struct vg_wrong){&a, 0, VG_MISALIGNED}, "misaligned");
    }
    size_t n;
    (void)vg_report_list(report, &n);
    assert_int_equal(n, 4096);
    struct lab_buf out;
    lab_buf_init(&out);
    vg_report_print(report, &out);
    assert_non_null(strstr(lab_buf_str(&out), "904 more that are not shown\n4096 findings\n"));
    lab_buf_fini(&out);
}

static void kernel_names_are_shown_as_written(void **state)
{
    (void)state;
    const char *const names[][2] = {
        {"matmul", "matmul"},
        {"_Z6matmulPKfPfi", "matmul"},
        {"_ZN3lab4scanEPi", "lab::scan"},
        {"_ZN12_GLOBAL__N_15_sum1EPf", "_sum1"},
        {"_ZN12_GLOBAL__N_13sumEPf", "sum"},
        {"_Z6reduceILi256EfEvPT0_", "reduce<256, float>"},
        {"_Z1kILb1ELin3E6float4EvPf", "k<true, -3, ...>"},
        {"_Z99short", "_Z99short"},
        {"_Z", "_Z"},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct lab_buf out;
        lab_buf_init(&out);
        vg_name_print(names[i][0], &out);
        assert_string_equal(lab_buf_str(&out), names[i][1]);
        lab_buf_fini(&out);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_hazard_is_told_with_both_threads_and_all_four_lines,
                                        start, stop),
        cmocka_unit_test_setup_teardown(no_findings_are_said_in_so_many_words, start, stop),
        cmocka_unit_test_setup_teardown(
            the_same_reason_at_an_instruction_is_one_finding_of_the_lowest_block, start, stop),
        cmocka_unit_test_setup_teardown(findings_are_sorted_by_instruction_and_reason, start, stop),
        cmocka_unit_test_setup_teardown(a_sync_mask_is_held_against_the_lanes_that_are_there, start,
                                        stop),
        cmocka_unit_test_setup_teardown(threads_may_add_at_once, start, stop),
        cmocka_unit_test_setup_teardown(a_flood_of_findings_is_bounded_and_counted, start, stop),
        cmocka_unit_test(kernel_names_are_shown_as_written),
    };
    return LAB_TEST_MAIN(tests);
}
