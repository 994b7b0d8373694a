/* Counters: the published and analytic rows, and every path against a search over bytes. */
#include <string.h>

#include "access_of.h"
#include "lab/rng.h"
#include "lab/test.h"
#include "naive_count.h"
#include "vg_count.h"

#define BASE 0x7f0000000000u

static uint64_t sectors_of(struct vg_access a)
{
    struct vg_counts c = {0};
    vg_count_access(&c, &a);
    assert_int_equal(c.global_ld_requests, 1);
    assert_int_equal(c.global_ld_sectors, vg_sectors(&a));
    return c.global_ld_sectors;
}

static void global_patterns_cost_the_sectors_of_the_reference_table(void **state)
{
    (void)state;
    assert_int_equal(sectors_of(global_of(BASE, 4, 4)), 4);
    assert_int_equal(sectors_of(global_of(BASE, 8, 4)), 8);
    assert_int_equal(sectors_of(global_of(BASE, 16, 4)), 16);
    for (int stride = 8; stride <= 64; stride++) {
        assert_int_equal(sectors_of(global_of(BASE, 4 * stride, 4)), 32);
    }
    assert_int_equal(sectors_of(global_of(BASE, 12, 4)), 12); /* AoS of 3 floats, one field */
    assert_int_equal(sectors_of(global_of(BASE, 16, 16)), 16);
    assert_int_equal(sectors_of(global_of(BASE + 4, 4, 4)), 5);
    assert_int_equal(sectors_of(global_of(BASE + 4, 0, 4)), 1);
    assert_int_equal(sectors_of(global_of(BASE + 124, -4, 4)), 4); /* read backwards */
}

/* 1,048,576 elements of three doubles, one field: 24 sectors a request where 8 would do. */
static void double3_structures_cost_24_sectors_for_8(void **state)
{
    (void)state;
    struct vg_counts c = {0};
    for (uint64_t i = 0; i < 1048576; i += VG_LANES) {
        struct vg_access a = global_of(BASE + 24 * i, 24, 8);
        vg_count_access(&c, &a);
    }
    assert_int_equal(c.global_ld_requests, 32768);
    assert_int_equal(c.global_ld_sectors, 24 * 32768);
    assert_int_equal(c.global_ld_ideal, 8 * 32768);
    assert_int_equal(c.global_ld_bytes, 1048576 * 8);
}

/* Each thread reads four consecutive float4: half of 25,165,824 sectors in excess. */
static void four_float4_a_thread_waste_half_of_the_sectors(void **state)
{
    (void)state;
    struct vg_counts c = {0};
    for (uint64_t request = 0; request < 25165824 / 32; request++) {
        struct vg_access a = global_of(BASE + 2048 * (request / 4) + 16 * (request % 4), 64, 16);
        vg_count_access(&c, &a);
    }
    assert_int_equal(c.global_ld_sectors, 25165824);
    assert_int_equal(c.global_ld_sectors - c.global_ld_ideal, 25165824 / 2);
}

/* One load of idata[tid + offset] by the lanes of a warp for which `on` holds. */
static void load_where(struct vg_counts *c, uint32_t warp, const bool *on, uint32_t offset)
{
    struct vg_access a = global_of(BASE + 4 * (32 * warp + offset), 4, 4);
    a.mask = 0;
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        a.mask |= on[32 * warp + lane] ? 1u << lane : 0;
        a.addr[lane] = on[32 * warp + lane] ? a.addr[lane] : 0xDEAD;
    }
    vg_count_access(c, &a);
}

static void reduce_step(struct vg_counts *c, const bool *on, uint32_t distance)
{
    for (uint32_t warp = 0; warp < 4; warp++) {
        load_where(c, warp, on, distance);
        load_where(c, warp, on, 0);
    }
}

static void the_two_reductions_have_the_published_efficiency(void **state)
{
    (void)state;
    struct vg_counts neighboured = {0}, interleaved = {0};
    bool on[128];
    for (uint32_t distance = 1; distance < 128; distance *= 2) {
        for (uint32_t tid = 0; tid < 128; tid++) {
            on[tid] = tid % (2 * distance) == 0;
        }
        reduce_step(&neighboured, on, distance);
        for (uint32_t tid = 0; tid < 128; tid++) {
            on[tid] = tid < distance;
        }
        reduce_step(&interleaved, on, distance);
    }
    memset(on, 0, sizeof(on));
    on[0] = true;
    load_where(&neighboured, 0, on, 0); /* thread 0 reads the sum */
    load_where(&interleaved, 0, on, 0);
    assert_int_equal(neighboured.global_ld_bytes, 1020);
    assert_int_equal(neighboured.global_ld_sectors, 127);
    assert_int_equal(interleaved.global_ld_bytes, 1020);
    assert_int_equal(interleaved.global_ld_sectors, 37);
}

static void expect_shared(const struct vg_access *a, uint64_t requests, uint64_t wavefronts,
                          uint64_t conflicts)
{
    struct vg_counts c = {0};
    vg_count_access(&c, a);
    assert_int_equal(c.shared_ld_requests * requests, requests);
    assert_int_equal(c.shared_ld_wavefronts * requests, wavefronts);
    assert_int_equal(c.shared_ld_conflicts * requests, conflicts);
}

static void shared_patterns_cost_the_published_wavefronts(void **state)
{
    (void)state;
    struct vg_access row = shared_of(0, 4, 4), column = shared_of(0, 128, 4);
    struct vg_access padded = shared_of(0, 132, 4), wide_column = shared_of(0, 128, 16);
    struct vg_access wide_row = shared_of(0, 16, 16);
    expect_shared(&row, 32, 32, 0);
    expect_shared(&column, 32, 1024, 992);
    expect_shared(&wide_column, 8, 256, 224);
    expect_shared(&wide_row, 8, 32, 0);
    expect_shared(&padded, 1, 1, 0);
    for (uint32_t stride = 1; stride <= 64; stride++) {
        struct vg_access a = shared_of(0, 4 * stride, 4);
        uint32_t two = stride & (0 - stride);
        uint32_t passes = two < 32 ? two : 32;
        expect_shared(&a, 1, passes, passes - 1);
    }
}

/* 8,844,480 LDS.128: a column of a 128-byte pitch, and the same with its 16-byte units swizzled by
 * the row number. */
static void wide_loads_bad_and_swizzled_cost_32_and_4(void **state)
{
    (void)state;
    const uint64_t loads = 8844480;
    struct vg_access bad = shared_of(0, 128, 16), swizzled = bad;
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        swizzled.addr[lane] = 128 * lane + 16 * (3 ^ lane % 8);
    }
    expect_shared(&bad, loads, 283023360, 247645440);
    expect_shared(&swizzled, loads, 35377920, 0);
}

static void kinds_and_spaces_go_to_their_own_sums(void **state)
{
    (void)state;
    struct vg_counts c = {0}, none = {0};
    const enum ptx_space spaces[] = {PTX_SPACE_GLOBAL, PTX_SPACE_SHARED, PTX_SPACE_LOCAL,
                                     PTX_SPACE_CONST};
    for (int i = 0; i < 4; i++) {
        for (int kind = VG_LOAD; kind <= VG_ASYNC_COPY; kind++) {
            struct vg_access a = access_of(spaces[i], 256, 4, 4);
            a.kind = (enum vg_access_kind)kind;
            vg_count_access(&c, &a);
            a.mask = 0;
            vg_count_access(&none, &a);
        }
    }
    assert_int_equal(c.global_ld_requests, 2); /* a load and cp.async's read */
    assert_int_equal(c.global_st_requests, 1);
    assert_int_equal(c.global_atom_requests, 1);
    assert_int_equal(c.shared_ld_requests, 1);
    assert_int_equal(c.shared_st_requests, 2); /* a store and cp.async's write */
    assert_int_equal(c.shared_atom_requests, 1);
    assert_int_equal(c.local_ld_requests, 1);
    assert_int_equal(c.local_st_bytes, 3 * 128);
    struct vg_counts zero = {0};
    assert_memory_equal(&none, &zero, sizeof(none));
}

static uint32_t random_mask(struct lab_rng *rng)
{
    uint32_t random = (uint32_t)lab_rng_u64(rng), n = (uint32_t)lab_rng_below(rng, 33);
    switch (lab_rng_below(rng, 5)) {
    case 0: return random;
    case 1: return (uint32_t)((1ull << n) - 1);
    case 2: return random & (uint32_t)lab_rng_u64(rng) & (uint32_t)lab_rng_u64(rng);
    default: return ALL_LANES;
    }
}

/* Rows of a power of two of lanes, strides of both signs, random gathers, near and far. */
static struct vg_access random_access(struct lab_rng *rng, uint64_t base, uint64_t spread)
{
    struct vg_access a = {.mask = random_mask(rng), .bytes = 1u << lab_rng_below(rng, 5)};
    uint64_t align = lab_rng_below(rng, 8) == 0 ? 1 : a.bytes;
    uint64_t row = 1ull << lab_rng_below(rng, 6), shape = lab_rng_below(rng, 4);
    int64_t step = ((int64_t)lab_rng_below(rng, 9) - 2) * (int64_t)a.bytes;
    int64_t pitch = ((int64_t)lab_rng_below(rng, 70) - 3) * (int64_t)a.bytes;
    pitch = lab_rng_below(rng, 2) == 0 ? pitch : pitch * step;
    step *= lab_rng_below(rng, 3) == 0 ? (int64_t)lab_rng_below(rng, 30) : 1;
    a.bytes = lab_rng_below(rng, 30) == 0 ? 1 + (uint32_t)lab_rng_below(rng, 16) : a.bytes;
    base += lab_rng_below(rng, 64) * align;
    for (uint64_t lane = 0; lane < VG_LANES; lane++) {
        int64_t at = (int64_t)(lane % row) * step + (int64_t)(lane / row) * pitch;
        uint64_t random = lab_rng_below(rng, spread) / align * align;
        a.addr[lane] = shape == 0 ? base + random : base + (uint64_t)at;
        a.addr[lane] += shape == 1 && lab_rng_below(rng, 16) == 0 ? 4 * align : 0;
        a.addr[lane] ^= shape == 2 ? (lane & 7) * a.bytes : 0; /* swizzled */
        a.addr[lane] = (a.mask >> lane & 1) != 0 ? a.addr[lane] : lab_rng_u64(rng);
    }
    return a;
}

static void check_against_naive(struct vg_access *a)
{
    struct vg_counts c = {0};
    a->space = PTX_SPACE_GLOBAL;
    vg_count_access(&c, a);
    a->space = PTX_SPACE_SHARED;
    vg_count_access(&c, a);
    uint32_t phases, n_phases, wavefronts = naive_wavefronts(a, &phases);
    assert_int_equal(c.global_ld_sectors, naive_sectors(a));
    assert_int_equal(c.global_ld_ideal, naive_ideal(a));
    assert_int_equal(c.shared_ld_wavefronts, wavefronts);
    assert_int_equal(c.shared_ld_conflicts, wavefronts - phases);
    assert_int_equal(vg_sectors(a), naive_sectors(a));
    assert_int_equal(vg_ideal_sectors(a), naive_ideal(a));
    assert_int_equal(vg_wavefronts(a, &n_phases), wavefronts);
    assert_int_equal(n_phases, phases);
    assert_true(c.global_ld_ideal <= c.global_ld_sectors);
}

/* The law of every counter, on any mask, width and addresses: what a search over bytes finds. */
static void every_access_counts_as_a_search_over_bytes_does(void **state)
{
    (void)state;
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    const uint64_t bases[] = {1 << 20, BASE, UINT64_MAX - (1 << 20)};
    const uint64_t spreads[] = {256, 4096, 1 << 19};
    for (long trial = lab_test_trials(30000); trial > 0; trial--) {
        struct vg_access a = random_access(&rng, bases[trial % 3], spreads[trial / 3 % 3]);
        check_against_naive(&a);
    }
    for (int trial = 0; trial < 200; trial++) {
        struct vg_access a = random_access(&rng, 1 << 20, 1ull << 40);
        check_against_naive(&a);
    }
}

/* The fast paths must answer what kernels do all day; the general way is for the rest. */
static void ordinary_patterns_take_the_fast_way(void **state)
{
    (void)state;
    uint32_t x, y;
    struct vg_access tail = global_of(BASE, 4, 4), rows = tail, halves = tail;
    tail.mask = 0x0000FFFF;
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        rows.addr[lane] = BASE + 4096 * (lane / 8) + 4 * (lane % 8);
        halves.addr[lane] = 4096 + 4 * (lane % 16);
    }
    assert_true(vg_fast_sectors(&tail, &x, &y));
    assert_true(vg_fast_sectors(&rows, &x, &y));
    assert_true(vg_fast_sectors(&halves, &x, &y));
    assert_true(vg_fast_wavefronts(&halves, &x, &y));
    struct vg_access swizzled = shared_of(0, 4, 4);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        swizzled.addr[lane] = 128 * lane + 4 * (lane ^ 5);
    }
    assert_true(vg_fast_wavefronts(&swizzled, &x, &y));
    assert_int_equal(x, 1);
}

static struct ptx_func two_functions[2] = {
    {.name = "f", .ninsns = 3, .next = &two_functions[1]},
    {.name = "g", .ninsns = 2},
};

static void counters_of_functions_lie_apart_and_merge(void **state)
{
    (void)state;
    struct ptx_module m = {.funcs = two_functions};
    struct vgpu_counters a, b;
    assert_int_equal(vgpu_counters_init(&a, &m), 0);
    assert_int_equal(vgpu_counters_init(&b, &m), 0);
    a.launches = 1;
    b.launches = 2;
    vg_counts_of(&a, &two_functions[1])[1].barriers = 5;
    vg_counts_of(&b, &two_functions[1])[1].barriers = 6;
    vg_counts_of(&b, &two_functions[0])[2].inst_executed = 9;
    vg_count_merge(&a, &b);
    assert_int_equal(a.launches, 3);
    assert_int_equal(vg_count_sum(&a, &two_functions[1]).barriers, 11);
    assert_int_equal(vg_count_sum(&a, &two_functions[0]).barriers, 0);
    assert_int_equal(vg_count_sum(&a, NULL).inst_executed, 9);
    struct ptx_func stranger = {.name = "h"};
    assert_null(vg_counts_of(&a, &stranger));
    vgpu_counters_fini(&a);
    vgpu_counters_fini(&b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_patterns_cost_the_sectors_of_the_reference_table),
        cmocka_unit_test(double3_structures_cost_24_sectors_for_8),
        cmocka_unit_test(four_float4_a_thread_waste_half_of_the_sectors),
        cmocka_unit_test(the_two_reductions_have_the_published_efficiency),
        cmocka_unit_test(shared_patterns_cost_the_published_wavefronts),
        cmocka_unit_test(wide_loads_bad_and_swizzled_cost_32_and_4),
        cmocka_unit_test(kinds_and_spaces_go_to_their_own_sums),
        cmocka_unit_test(every_access_counts_as_a_search_over_bytes_does),
        cmocka_unit_test(ordinary_patterns_take_the_fast_way),
        cmocka_unit_test(counters_of_functions_lie_apart_and_merge),
    };
    return LAB_TEST_MAIN(tests);
}
