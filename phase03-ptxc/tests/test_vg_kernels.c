/* nvcc's PTX of the kernels in kernels/, end to end: results against the CPU, the counters that
 * hardware publishes, and no finding from any check. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/file.h"
#include "vgt.h"

struct run {
    struct vgt *t;
    struct vgpu_launch launch;
    uint64_t params[6];
};

static void open_kernel(struct run *r, const char *file, const char *kernel, unsigned checks)
{
    char path[512];
    struct lab_buf text;
    struct lab_err err = {0};
    struct vgpu_config c = {.counters = true, .checks = checks};
    lab_buf_init(&text);
    snprintf(path, sizeof(path), "%s/kernels/%s.ptx", LAB_PHASE_DIR, file);
    if (lab_file_read(path, 1u << 20, &text, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    memset(r, 0, sizeof(*r));
    r->t = vgt_new(&c, lab_buf_str(&text));
    r->launch.kernel = vgpu_module_kernel(r->t->m, kernel);
    assert_non_null(r->launch.kernel);
    r->launch.params = r->params;
    lab_buf_fini(&text);
}

static struct vg_counts run(struct run *r, struct vgpu_dim grid, struct vgpu_dim block)
{
    r->launch.grid = grid;
    r->launch.block = block;
    if (vgpu_run(r->t->g, &r->launch, &r->t->counters, &r->t->fault) != VGPU_OK) {
        fail_msg("%s", r->t->fault.text);
    }
    size_t n = 0;
    const struct vg_finding *f = vg_report_list(vgpu_report(r->t->g), &n);
    if (n > 0) {
        fail_msg("%s: %s", f[0].func->name, f[0].what);
    }
    return vg_count_sum(&r->t->counters, NULL);
}

/* Small whole numbers: sums of them are exact in any order. */
static float *numbers(size_t n)
{
    float *v = lab_alloc(n, sizeof(*v));
    for (size_t k = 0; k < n; k++) {
        v[k] = (float)((k * 7 + k / 13) % 11) - 5.0f;
    }
    return v;
}

static const struct vgpu_dim one = {1, 1, 1};

static void vector_add_with_a_tail(void **state)
{
    (void)state;
    enum { N = 1000 };
    struct run r;
    float *a = numbers(N), c[N];
    open_kernel(&r, "vec_add", "vec_add", VGPU_CHECK_ALL);
    r.params[0] = vgt_buffer(r.t, a, N * 4);
    r.params[1] = vgt_buffer(r.t, a, N * 4);
    assert_int_equal(vgpu_alloc(r.t->g, VGPU_MEM_DEVICE, N * 4, &r.params[2]), VGPU_OK);
    r.params[3] = N;
    struct vg_counts s = run(&r, (struct vgpu_dim){4, 1, 1}, (struct vgpu_dim){256, 1, 1});
    assert_int_equal(vgpu_read(r.t->g, c, r.params[2], sizeof(c)), VGPU_OK);
    for (int k = 0; k < N; k++) {
        assert_true(c[k] == 2 * a[k]);
    }
    /* 32 warps, of which the last has 8 of its lanes in range */
    assert_int_equal(s.global_ld_requests, 64);
    assert_int_equal(s.global_ld_sectors, 2 * (31 * 4 + 1));
    assert_int_equal(s.global_ld_bytes, 2 * N * 4);
    assert_int_equal(s.global_st_sectors, 31 * 4 + 1);
    assert_int_equal(s.divergent_branches, 1);
    vgt_free(r.t);
    free(a);
}

static void matmul(const char *kernel, uint32_t tile, uint32_t n, unsigned checks)
{
    struct run r;
    float *a = numbers(n * n), *c = lab_alloc(n * n, 4);
    uint32_t blocks = (n + tile - 1) / tile;
    open_kernel(&r, "matmul", kernel, checks);
    r.params[0] = vgt_buffer(r.t, a, n * n * 4);
    r.params[1] = r.params[0];
    assert_int_equal(vgpu_alloc(r.t->g, VGPU_MEM_DEVICE, n * n * 4, &r.params[2]), VGPU_OK);
    r.params[3] = n;
    run(&r, (struct vgpu_dim){blocks, blocks, 1}, (struct vgpu_dim){tile, tile, 1});
    assert_int_equal(vgpu_read(r.t->g, c, r.params[2], n * n * 4), VGPU_OK);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            float sum = 0;
            for (uint32_t k = 0; k < n; k++) {
                sum = fmaf(a[i * n + k], a[k * n + j], sum);
            }
            assert_true(c[i * n + j] == sum);
        }
    }
    vgt_free(r.t);
    free(a);
    free(c);
}

static void matmuls_of_every_kind(void **state)
{
    (void)state;
    matmul("matmul_uncoalesced", 16, 40, 0);
    matmul("matmul_naive", 16, 40, VGPU_CHECK_ALL);
    matmul("matmul_tiled16", 16, 64, 0);
    matmul("matmul_tiled16", 16, 40, VGPU_CHECK_ALL);
    matmul("matmul_tiled32", 32, 64, VGPU_CHECK_ALL);
    matmul("matmul_tiled32", 32, 45, 0);
}

static struct vg_counts transpose(const char *kernel, bool copy)
{
    enum { N = 64 };
    struct run r;
    float *in = numbers(N * N), out[N * N];
    open_kernel(&r, "transpose", kernel, VGPU_CHECK_ALL);
    assert_int_equal(vgpu_alloc(r.t->g, VGPU_MEM_DEVICE, sizeof(out), &r.params[0]), VGPU_OK);
    r.params[1] = vgt_buffer(r.t, in, sizeof(out));
    r.params[2] = N;
    struct vg_counts s = run(&r, (struct vgpu_dim){2, 2, 1}, (struct vgpu_dim){32, 8, 1});
    assert_int_equal(vgpu_read(r.t->g, out, r.params[0], sizeof(out)), VGPU_OK);
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) {
            assert_true(out[y * N + x] == (copy ? in[y * N + x] : in[x * N + y]));
        }
    }
    vgt_free(r.t);
    free(in);
    return s;
}

static void the_transpose_ladder_shows_in_its_counters(void **state)
{
    (void)state;
    struct vg_counts s = transpose("transpose_copy", true);
    assert_int_equal(s.global_st_sectors, 4 * s.global_st_requests);
    s = transpose("transpose_naive", false);
    assert_int_equal(s.global_ld_sectors, 4 * s.global_ld_requests);
    assert_int_equal(s.global_st_sectors, 32 * s.global_st_requests);
    s = transpose("transpose_tiled", false);
    assert_int_equal(s.global_st_sectors, 4 * s.global_st_requests);
    assert_int_equal(s.shared_ld_wavefronts, 32 * s.shared_ld_requests);
    assert_int_equal(s.shared_ld_conflicts, 31 * s.shared_ld_requests);
    s = transpose("transpose_padded", false);
    assert_int_equal(s.shared_ld_wavefronts, s.shared_ld_requests);
    assert_int_equal(s.shared_ld_conflicts, 0);
}

static struct vg_counts reduce(const char *kernel, uint32_t threads, uint32_t dynamic)
{
    enum { BLOCKS = 5 };
    struct run r;
    float *in = numbers(BLOCKS * threads), out[BLOCKS];
    open_kernel(&r, "reduce", kernel, VGPU_CHECK_ALL);
    r.params[0] = vgt_buffer(r.t, in, BLOCKS * threads * 4);
    assert_int_equal(vgpu_alloc(r.t->g, VGPU_MEM_DEVICE, sizeof(out), &r.params[1]), VGPU_OK);
    r.params[2] = BLOCKS * threads;
    r.launch.dynamic_shared = dynamic;
    struct vg_counts s = run(&r, (struct vgpu_dim){BLOCKS, 1, 1}, (struct vgpu_dim){threads, 1, 1});
    assert_int_equal(vgpu_read(r.t->g, out, r.params[1], sizeof(out)), VGPU_OK);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        float sum = 0;
        for (uint32_t k = 0; k < threads; k++) {
            sum += in[b * threads + k];
        }
        assert_true(out[b] == sum);
    }
    vgt_free(r.t);
    free(in);
    return s;
}

/* Published by hardware for 128 threads a block: 25.10 % and 86.15 % load efficiency. */
static void reductions_have_the_published_efficiency(void **state)
{
    (void)state;
    struct vg_counts s = reduce("reduce_neighbored", 128, 0);
    assert_int_equal(s.global_ld_bytes, 5 * 1020);
    assert_int_equal(s.global_ld_sectors, 5 * 127);
    s = reduce("reduce_interleaved", 128, 0);
    assert_int_equal(s.global_ld_bytes, 5 * 1020);
    assert_int_equal(s.global_ld_sectors, 5 * 37);
    reduce("reduce_shared", 256, 1024);
    reduce("reduce_shuffle", 256, 0);
    reduce("reduce_shuffle", 1024, 0);
}

static struct vg_counts access(const char *kernel, uint64_t last, size_t elements)
{
    struct run r;
    float *in = numbers(elements);
    open_kernel(&r, "access", kernel, VGPU_CHECK_MEM);
    r.params[0] = vgt_buffer(r.t, in, elements * 4);
    r.params[1] = vgt_buffer(r.t, in, elements * 4);
    const uint32_t tail[2] = {64, (uint32_t)last};
    memcpy(&r.params[2], tail, sizeof(tail));
    struct vg_counts s = run(&r, one, (struct vgpu_dim){64, 1, 1});
    vgt_free(r.t);
    free(in);
    return s;
}

static void sectors_follow_the_stride(void **state)
{
    (void)state;
    for (uint32_t stride = 1; stride <= 16; stride++) {
        struct vg_counts s = access("copy_strided", stride, 64 * 17);
        uint64_t want = 4 * stride < 32 ? 4 * stride : 32;
        assert_int_equal(s.global_ld_sectors, 2 * want);
        assert_int_equal(s.global_st_sectors, 2 * want);
    }
    assert_int_equal(access("copy_misaligned", 1, 128).global_ld_sectors, 10);
    assert_int_equal(access("copy_misaligned", 8, 128).global_ld_sectors, 8);
    assert_int_equal(access("copy_broadcast", 0, 128).global_ld_sectors, 2);
    assert_int_equal(access("copy_float4", 0, 512).global_ld_sectors, 32);
}

static struct vg_counts banks(const char *kernel, uint32_t loads)
{
    struct run r;
    float *in = numbers(1024), out[32];
    open_kernel(&r, "banks", kernel, VGPU_CHECK_ALL);
    assert_int_equal(vgpu_alloc(r.t->g, VGPU_MEM_DEVICE, sizeof(out), &r.params[0]), VGPU_OK);
    r.params[1] = loads != 0 ? loads : vgt_buffer(r.t, in, 4096);
    struct vg_counts s = run(&r, one, (struct vgpu_dim){32, 1, 1});
    vgt_free(r.t);
    free(in);
    return s;
}

static void bank_conflicts_are_those_of_hardware(void **state)
{
    (void)state;
    struct vg_counts s = banks("tile_rows", 0);
    assert_int_equal(s.shared_ld_wavefronts, 32);
    assert_int_equal(s.shared_ld_conflicts, 0);
    s = banks("tile_columns", 0);
    assert_int_equal(s.shared_ld_wavefronts, 1024);
    assert_int_equal(s.shared_ld_conflicts, 992);
    assert_int_equal(banks("tile_columns_padded", 0).shared_ld_conflicts, 0);
    s = banks("tile_columns_float4", 0);
    assert_int_equal(s.shared_ld_requests, 8);
    assert_int_equal(s.shared_ld_wavefronts, 256);
    assert_int_equal(s.shared_ld_conflicts, 224);
    s = banks("lds128_bad", 100);
    assert_int_equal(s.shared_ld_wavefronts, 3200);
    assert_int_equal(s.shared_ld_conflicts, 2800);
    s = banks("lds128_swizzled", 100);
    assert_int_equal(s.shared_ld_wavefronts, 400);
    assert_int_equal(s.shared_ld_conflicts, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_add_with_a_tail),
        cmocka_unit_test(matmuls_of_every_kind),
        cmocka_unit_test(the_transpose_ladder_shows_in_its_counters),
        cmocka_unit_test(reductions_have_the_published_efficiency),
        cmocka_unit_test(sectors_follow_the_stride),
        cmocka_unit_test(bank_conflicts_are_those_of_hardware),
    };
    return LAB_TEST_MAIN(tests);
}
