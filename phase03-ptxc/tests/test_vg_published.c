/* Published counters at their published sizes, from nvcc's PTX of kernels/: what test_vg_kernels.c
 * does not run because it takes a while. Each kernel's own shape stands in its .cu file.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/file.h"
#include "vgt.h"

static struct vgt *load(const char *file, unsigned threads)
{
    struct lab_buf path, text;
    struct lab_err err;
    lab_buf_init(&path);
    lab_buf_init(&text);
    lab_buf_printf(&path, LAB_PHASE_DIR "/kernels/%s.ptx", file);
    if (lab_file_read(lab_buf_str(&path), 1 << 20, &text, &err) != 0) {
        fail_msg("%s", err.msg);
    }
    struct vgpu_config config = {.counters = true, .threads = threads};
    struct vgt *t = vgt_new(&config, lab_buf_str(&text));
    lab_buf_fini(&path);
    lab_buf_fini(&text);
    return t;
}

static uint64_t zeroes(struct vgt *t, size_t bytes)
{
    uint64_t at = 0;
    assert_int_equal(vgpu_alloc(t->g, VGPU_MEM_DEVICE, bytes, &at), VGPU_OK);
    assert_int_equal(vgpu_set(t->g, at, 0, 1, bytes), VGPU_OK);
    return at;
}

/* A buffer argument, and two integers in the 8 bytes after it. */
struct args {
    uint64_t out, in;
    uint32_t x, y;
};

static struct vg_counts run(struct vgt *t, const char *kernel, uint32_t grid, uint32_t block,
                            const struct args *args)
{
    struct vgpu_launch l = {.kernel = vgpu_module_kernel(t->m, kernel),
                            .grid = {grid, 1, 1},
                            .block = {block, 1, 1},
                            .params = args};
    assert_non_null(l.kernel);
    memset(t->counters.at, 0, t->counters.n * sizeof(t->counters.at[0]));
    if (vgpu_run(t->g, &l, &t->counters, &t->fault) != VGPU_OK) {
        fail_msg("%s: %s", kernel, t->fault.text);
    }
    return vg_count_sum(&t->counters, NULL);
}

/* Nsight Compute's uncoalesced-access sample: four consecutive float4 a thread leave half of
 * 25,165,824 sectors in excess; here 1/96 of its size. Array of structures of 3 floats: 12 against
 * 4. Of 3 doubles, 1,048,576 elements: 24 against 8. */
static void structures_waste_sectors_as_published(void **state)
{
    (void)state;
    struct vgt *t = load("access", 1);
    uint64_t out = zeroes(t, 1 << 20), in = zeroes(t, 1 << 22);
    struct args a = {out, in, 65536, 0};
    struct vg_counts c = run(t, "sum_float4x4", 512, 128, &a);
    assert_int_equal(96 * c.global_ld_sectors, 25165824);
    assert_int_equal(2 * (c.global_ld_sectors - c.global_ld_ideal), c.global_ld_sectors);
    struct {
        uint64_t p;
        float s;
        int n;
    } scale = {in, 2.0f, 1024};
    c = run(t, "scale_aos", 8, 128, (const struct args *)(const void *)&scale);
    assert_int_equal(c.global_ld_sectors, 32 * 12);
    c = run(t, "scale_soa", 8, 128, (const struct args *)(const void *)&scale);
    assert_int_equal(c.global_ld_sectors, 32 * 4);
    struct {
        uint64_t p;
        double d;
        int n;
    } add = {zeroes(t, 24u << 20), 1.0, 1048576};
    c = run(t, "add_aos_double3", 8192, 128, (const struct args *)(const void *)&add);
    assert_int_equal(c.global_ld_sectors, 24 * 32768);
    assert_int_equal(c.global_ld_ideal, 8 * 32768);
    c = run(t, "add_soa_double", 8192, 128, (const struct args *)(const void *)&add);
    assert_int_equal(c.global_ld_sectors, 8 * 32768);
    vgt_free(t);
}

static void expect_loads(const struct vg_counts *c, uint64_t requests, uint64_t wavefronts,
                         uint64_t conflicts)
{
    assert_int_equal(c->shared_ld_requests, requests);
    assert_int_equal(c->shared_ld_wavefronts, wavefronts);
    assert_int_equal(c->shared_ld_conflicts, conflicts);
}

/* 8,844,480 loads of 128 bits, as published by Nsight Compute for a bad and a swizzled layout; a
 * 480th of them in a sanitizer's build. */
static void wide_loads_conflict_as_published(void **state)
{
    (void)state;
#ifdef LAB_SANITIZED
    const uint32_t loads = 18426;
#else
    const uint32_t loads = 8844480;
#endif
    struct vgt *t = load("banks", 2);
    struct {
        uint64_t out;
        uint32_t loads;
    } a = {zeroes(t, 128 * 6), loads / 6};
    struct vg_counts c = run(t, "lds128_bad", 6, 32, (const struct args *)(const void *)&a);
    expect_loads(&c, loads, (uint64_t)loads * 283023360 / 8844480,
                 (uint64_t)loads * 247645440 / 8844480);
    c = run(t, "lds128_swizzled", 6, 32, (const struct args *)(const void *)&a);
    expect_loads(&c, loads, (uint64_t)loads * 35377920 / 8844480, 0);
    vgt_free(t);
}

/* Law: the counters do not depend on how many host threads run the blocks. */
static void any_number_of_threads_counts_the_same(void **state)
{
    (void)state;
    struct vgt *one = load("access", 1), *three = load("access", 3);
    struct vgt *both[2] = {one, three};
    for (int i = 0; i < 2; i++) {
        struct args a = {zeroes(both[i], 1 << 18), zeroes(both[i], 1 << 18), 10000, 5};
        (void)run(both[i], "copy_strided", 79, 128, &a);
    }
    assert_int_equal(one->counters.n, three->counters.n);
    assert_memory_equal(one->counters.at, three->counters.at,
                        one->counters.n * sizeof(one->counters.at[0]));
    vgt_free(one);
    vgt_free(three);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_waste_sectors_as_published),
        cmocka_unit_test(wide_loads_conflict_as_published),
        cmocka_unit_test(any_number_of_threads_counts_the_same),
    };
    return LAB_TEST_MAIN(tests);
}
