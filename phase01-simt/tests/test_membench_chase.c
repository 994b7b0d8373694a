/* The latency measurement end to end on small rings. Nothing here judges a time. */
#include "membench_chase.h"

#include "lab/buf.h"
#include "lab/test.h"

static const struct membench_chase_config base = {
    .order = MEMBENCH_RANDOM,
    .pages = MEMBENCH_BASE,
    .node = MEMBENCH_ANY_NODE,
    .stride = MEMBENCH_LINE,
    .reps = 3,
    .rep_us = 50,
    .seed = 42,
};

static void a_ring_is_measured_and_its_end_validated(void **state)
{
    (void)state;
    static const size_t nodes[] = {1, 2, 64, 1000, 100000};
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        struct membench_latency l = {0};
        struct lab_err err = {0};
        assert_int_equal(membench_chase(&base, nodes[i], &l, &err), 0);
        double least = l.rep_ns[0];
        for (int r = 0; r < base.reps; r++) {
            assert_true(l.rep_ns[r] >= 0);
            least = l.rep_ns[r] < least ? l.rep_ns[r] : least;
        }
        assert_true(l.min_ns == least);
    }
}

static void base_pages_are_never_huge(void **state)
{
    (void)state;
    struct membench_latency l = {0};
    assert_int_equal(membench_chase(&base, 65536, &l, NULL), 0);
    assert_true(l.huge_share <= 0);
}

static void huge_pages_report_a_share(void **state)
{
    (void)state;
    struct membench_chase_config cfg = base;
    struct membench_latency l = {0};
    cfg.pages = MEMBENCH_HUGE;
    assert_int_equal(membench_chase(&cfg, 65536, &l, NULL), 0);
    assert_true(l.huge_share <= 1);
}

static void a_sequential_ring_ends_where_it_must(void **state)
{
    (void)state;
    struct membench_chase_config cfg = base;
    struct membench_latency l = {0};
    cfg.order = MEMBENCH_SEQUENTIAL;
    cfg.stride = 4160;
    assert_int_equal(membench_chase(&cfg, 777, &l, NULL), 0);
}

static void a_node_that_does_not_exist_is_an_input_error(void **state)
{
    (void)state;
    struct membench_chase_config cfg = base;
    struct membench_latency l = {0};
    struct lab_err err = {0};
    cfg.node = 1000;
    assert_int_equal(membench_chase(&cfg, 64, &l, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    cfg.node = 100000;
    assert_int_equal(membench_chase(&cfg, 64, &l, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
}

/* A hook that breaks the ring while it is measured: the walk ends on the wrong node, and that is
 * seen. */
struct saboteur {
    const struct membench_ring *ring;
    int before, after;
    uint64_t loads;
};

static void break_ring(void *ctx)
{
    struct saboteur *s = ctx;
    s->before++;
    for (size_t i = 0; i < s->ring->n; i++) {
        membench_ring_at(s->ring, i)->next = membench_ring_at(s->ring, i);
    }
}

static void count_loads(void *ctx, uint64_t loads)
{
    struct saboteur *s = ctx;
    s->after++;
    s->loads = loads;
}

static void a_walk_that_ends_elsewhere_is_a_check_error(void **state)
{
    (void)state;
    struct membench_map map;
    assert_int_equal(membench_map_init(&map, 1009 * 64, MEMBENCH_BASE, MEMBENCH_ANY_NODE, NULL), 0);
    struct membench_ring ring = {.base = map.base, .n = 1009, .stride = 64};
    struct saboteur s = {.ring = &ring};
    struct membench_hooks hooks = {break_ring, count_loads, &s};
    struct membench_latency l;
    struct lab_err err = {0};
    int failed = 0;
    /* Standing still ends on the right node once in 1009 times: some of three tries must be seen.
     */
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct membench_chase_config cfg = base;
        cfg.seed = seed;
        failed += membench_chase_in(&cfg, &ring, &hooks, &l, &err) < 0;
    }
    assert_true(failed >= 2);
    assert_int_equal(err.kind, LAB_ERR_CHECK);
    hooks.before = NULL;
    assert_int_equal(membench_chase_in(&base, &ring, &hooks, &l, &err), 0);
    assert_int_equal(s.before, 3);
    assert_int_equal(s.after, 4);
    assert_true(s.loads >= 3 * 1024);
    membench_map_fini(&map);
}

static void sizes_rise_and_stop_at_the_bounds(void **state)
{
    (void)state;
    size_t s[MEMBENCH_SIZES_MAX];
    size_t n = membench_chase_sizes(4096, 32768, 16384, s);
    static const size_t want[] = {4096, 6144, 8192, 12288, 16384, 32768};
    assert_int_equal(n, 6);
    assert_memory_equal(s, want, sizeof(want));
    assert_int_equal(membench_chase_sizes(5000, 5000, 5000, s), 0);
    assert_int_equal(membench_chase_sizes(6144, 6144, 8192, s), 1);
    n = membench_chase_sizes(4096, (size_t)64 << 30, (size_t)64 << 30, s);
    assert_true(n <= MEMBENCH_SIZES_MAX);
    assert_int_equal(s[n - 1], (size_t)64 << 30);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_is_measured_and_its_end_validated),
        cmocka_unit_test(base_pages_are_never_huge),
        cmocka_unit_test(huge_pages_report_a_share),
        cmocka_unit_test(a_sequential_ring_ends_where_it_must),
        cmocka_unit_test(a_node_that_does_not_exist_is_an_input_error),
        cmocka_unit_test(a_walk_that_ends_elsewhere_is_a_check_error),
        cmocka_unit_test(sizes_rise_and_stop_at_the_bounds),
    };
    return LAB_TEST_MAIN(tests);
}
