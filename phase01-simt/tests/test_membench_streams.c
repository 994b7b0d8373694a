/* The simulated streams against counts worked out by hand. */
#include "membench_streams.h"

#include <string.h>

#include "lab/test.h"

#define KIB ((size_t)1 << 10)

/* 8 KiB of 4 ways (32 sets), 64 KiB of 8 ways (128 sets), TLB of 8 entries fully associative. */
static const struct membench_cache_config small = {
    .nlevels = 2,
    .level = {{8 * KIB, 4}, {64 * KIB, 8}},
    .line = 64,
    .tlb_entries = 8,
    .tlb_ways = 8,
    .page = 4096,
};

static struct membench_sim_result run(enum membench_sim_kind kind, size_t size, size_t tile,
                                      uint64_t seed)
{
    struct membench_sim_stream s = {"stream", kind, size, tile};
    struct membench_sim_result r;
    assert_int_equal(membench_sim_run(&s, &small, seed, &r, NULL), 0);
    return r;
}

static void a_ring_that_fits_never_misses(void **state)
{
    (void)state;
    struct membench_sim_result r = run(MEMBENCH_SIM_CHASE_RANDOM, 8 * KIB, 0, 1);
    assert_int_equal(r.accesses, 128);
    assert_int_equal(r.level[0].hits, 128);
    assert_int_equal(r.level[0].misses, 0);
    assert_int_equal(r.memory_bytes, 0);
}

/* 9 KiB: 144 lines over 32 sets, so 16 sets hold 5 lines in 4 ways and miss on each: 80 misses. */
static void a_ring_one_eighth_too_large_misses_in_its_full_sets(void **state)
{
    (void)state;
    struct membench_sim_result r = run(MEMBENCH_SIM_CHASE_RANDOM, 9 * KIB, 0, 1);
    assert_int_equal(r.level[0].misses, 80);
    assert_int_equal(r.level[0].hits, 64);
    assert_int_equal(r.level[1].hits, 80);
    assert_int_equal(membench_ring_misses(144, 32, 4), 80);
}

static void ring_misses_has_its_edges_right(void **state)
{
    (void)state;
    assert_int_equal(membench_ring_misses(0, 4, 2), 0);
    assert_int_equal(membench_ring_misses(8, 4, 2), 0);
    assert_int_equal(membench_ring_misses(9, 4, 2), 3);
    assert_int_equal(membench_ring_misses(12, 4, 2), 12);
    assert_int_equal(membench_ring_misses(13, 4, 2), 13);
}

/* Law: under LRU the order of a ring changes nothing, for any seed. */
static void the_order_of_a_ring_changes_no_miss(void **state)
{
    (void)state;
    static const size_t sizes[] = {4 * KIB, 9 * KIB, 16 * KIB, 65 * KIB, 128 * KIB};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct membench_sim_result in_order = run(MEMBENCH_SIM_CHASE_SEQUENTIAL, sizes[i], 0, 1);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            struct membench_sim_result r = run(MEMBENCH_SIM_CHASE_RANDOM, sizes[i], 0, seed);
            assert_memory_equal(r.level, in_order.level, sizeof(r.level));
        }
    }
}

/* Nine pages, one line each, through eight entries: every step misses; eight never do. */
static void one_page_too_many_misses_the_tlb_every_time(void **state)
{
    (void)state;
    assert_int_equal(run(MEMBENCH_SIM_CHASE_PAGES, 8, 0, 3).tlb.misses, 0);
    assert_int_equal(run(MEMBENCH_SIM_CHASE_PAGES, 9, 0, 3).tlb.misses, 9);
}

/* 1 MiB in steps of s elements: min(16384, 2^20 / (4·s)) lines, each missed once, 256 pages. */
static void a_stride_misses_once_per_line(void **state)
{
    (void)state;
    static const struct {
        size_t stride;
        uint64_t accesses, misses;
    } want[] = {{1, 262144, 16384}, {8, 32768, 16384}, {16, 16384, 16384}, {32, 8192, 8192}};
    for (size_t i = 0; i < 4; i++) {
        struct membench_sim_result r = run(MEMBENCH_SIM_STRIDE, want[i].stride, 0, 1);
        assert_int_equal(r.accesses, want[i].accesses);
        assert_int_equal(r.level[0].misses, want[i].misses);
        assert_int_equal(r.tlb.misses, 256);
    }
}

/* 4096 elements: three arrays of 256 lines; 768 lines come in, 256 go out, now or at the end. */
static void vector_add_moves_sixteen_bytes_per_element(void **state)
{
    (void)state;
    struct membench_sim_result r = run(MEMBENCH_SIM_VECTOR_ADD, 4096, 0, 1);
    assert_int_equal(r.accesses, 3 * 4096);
    assert_int_equal(r.level[1].misses, 768);
    assert_int_equal(r.level[1].writebacks + r.dirty, 256);
    assert_int_equal(r.memory_bytes, 16 * 4096);
    assert_true(r.flop == 4096);
}

/* Two rows: 2·(2·2·2 loads) + … naive: n²(2n + 1) accesses; tiled: per tile product t·(2t + t +
 * t²). */
static void matmul_accesses_are_what_the_loops_say(void **state)
{
    (void)state;
    struct membench_sim_result r = run(MEMBENCH_SIM_MATMUL_NAIVE, 24, 0, 1);
    assert_int_equal(r.accesses, 24 * 24 * (2 * 24 + 1));
    assert_true(r.flop == 2.0 * 24 * 24 * 24);
    r = run(MEMBENCH_SIM_MATMUL_TILED, 24, 8, 1);
    assert_int_equal(r.accesses, 3 * 3 * 3 * 8 * (2 * 8 + 8 + 8 * 8));
    assert_true(r.flop == 2.0 * 24 * 24 * 24);
}

/* Law: tiles that fit the first level cut its misses. */
static void tiling_misses_less_than_naive(void **state)
{
    (void)state;
    uint64_t naive = run(MEMBENCH_SIM_MATMUL_NAIVE, 96, 0, 1).level[0].misses;
    uint64_t tiled = run(MEMBENCH_SIM_MATMUL_TILED, 96, 16, 1).level[0].misses;
    assert_true(tiled * 4 < naive);
}

static void the_list_of_streams_is_named_and_runs(void **state)
{
    (void)state;
    size_t n;
    const struct membench_sim_stream *s = membench_sim_streams(&n);
    assert_true(n >= 10 && n <= 32);
    for (size_t i = 0; i < n; i++) {
        assert_true(strlen(s[i].name) > 0 && s[i].size > 0);
    }
    struct membench_cache_config bad = small;
    struct membench_sim_result r;
    struct lab_err err = {0};
    bad.level[0].ways = 7;
    assert_int_equal(membench_sim_run(&s[0], &bad, 1, &r, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_that_fits_never_misses),
        cmocka_unit_test(a_ring_one_eighth_too_large_misses_in_its_full_sets),
        cmocka_unit_test(ring_misses_has_its_edges_right),
        cmocka_unit_test(the_order_of_a_ring_changes_no_miss),
        cmocka_unit_test(one_page_too_many_misses_the_tlb_every_time),
        cmocka_unit_test(a_stride_misses_once_per_line),
        cmocka_unit_test(vector_add_moves_sixteen_bytes_per_element),
        cmocka_unit_test(matmul_accesses_are_what_the_loops_say),
        cmocka_unit_test(tiling_misses_less_than_naive),
        cmocka_unit_test(the_list_of_streams_is_named_and_runs),
    };
    return LAB_TEST_MAIN(tests);
}
