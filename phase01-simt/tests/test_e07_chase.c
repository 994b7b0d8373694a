/* Exercise 7: is it one cycle over all nodes, and is what the clock sees the walk and nothing else?
 * The clock is the test's own, so no result here depends on time. */
#include "membench_e07.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "lab/rng.h"
#include "lab/test.h"

struct ring_mem {
    struct membench_ring ring;
    uint32_t *order;
};

static struct ring_mem ring_new(size_t n, size_t stride, uint64_t seed)
{
    struct ring_mem m = {.ring = {.base = lab_alloc(n, stride), .n = n, .stride = stride}};
    m.order = lab_alloc(n, sizeof(*m.order));
    struct lab_rng rng;
    lab_rng_seed(&rng, seed);
    membench_e07_link(&m.ring, m.order, &rng);
    return m;
}

static void ring_free(struct ring_mem *m)
{
    free(m->ring.base);
    free(m->order);
}

/* How many steps lead from `start` back to it; limit + 1 when none of the first `limit` do. */
static size_t cycle_length(const struct membench_node *start, size_t limit)
{
    const struct membench_node *p = start;
    for (size_t steps = 1; steps <= limit; steps++) {
        p = p->next;
        if (p == start) {
            return steps;
        }
    }
    return limit + 1;
}

static void link_makes_one_cycle_over_all_nodes(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 7, 64, 1000};
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct ring_mem m = ring_new(sizes[s], 64, seed);
            assert_int_equal(cycle_length(membench_ring_at(&m.ring, 0), sizes[s]), sizes[s]);
            ring_free(&m);
        }
    }
}

static void link_leaves_the_cycle_in_order(void **state)
{
    (void)state;
    struct ring_mem m = ring_new(100, 4160, 7);
    for (size_t i = 0; i < m.ring.n; i++) {
        const struct membench_node *from = membench_ring_at(&m.ring, m.order[i]);
        assert_ptr_equal(from->next, membench_ring_at(&m.ring, m.order[(i + 1) % m.ring.n]));
    }
    ring_free(&m);
}

/* Of four nodes there are six cycles. With 3000 draws each comes about 500 times; a standard
 * deviation is 20, and the bound is five of them. */
static void link_draws_every_cycle_equally_often(void **state)
{
    (void)state;
    size_t seen[64] = {0};
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    struct ring_mem m = ring_new(4, 64, 1);
    for (int t = 0; t < 3000; t++) {
        membench_e07_link(&m.ring, m.order, &rng);
        size_t id = 0;
        const struct membench_node *p = membench_ring_at(&m.ring, 0);
        for (int i = 0; i < 3; i++) {
            p = p->next;
            id = id * 4 + (size_t)((const char *)p - m.ring.base) / m.ring.stride;
        }
        seen[id]++;
    }
    size_t kinds = 0;
    for (size_t i = 0; i < 64; i++) {
        kinds += seen[i] != 0;
        assert_true(seen[i] == 0 || (seen[i] > 400 && seen[i] < 600));
    }
    assert_int_equal(kinds, 6);
    ring_free(&m);
}

/* A clock that hands out prepared times and counts its readings. */
struct script {
    const uint64_t *ns;
    size_t n, read;
};

static uint64_t script_now(void *ctx)
{
    struct script *s = ctx;
    assert_true(s->read < s->n);
    return s->ns[s->read++];
}

static void measure_returns_where_the_walk_ended(void **state)
{
    (void)state;
    struct ring_mem m = ring_new(1009, 64, 3);
    static const uint64_t ns[] = {0, 1, 2, 3, 4, 5};
    struct script script = {ns, 6, 0};
    struct membench_clock clock = {script_now, &script};
    struct membench_plan plan = {.warm = 10, .steps = 77, .reps = 3};
    struct membench_walk w =
        membench_e07_measure(membench_ring_at(&m.ring, m.order[0]), &plan, &clock);
    assert_ptr_equal(w.end, membench_ring_at(&m.ring, m.order[(10 + 3 * 77) % 1009]));
    ring_free(&m);
}

static void measure_takes_the_minimum_of_the_repetitions(void **state)
{
    (void)state;
    struct ring_mem m = ring_new(16, 64, 3);
    /* 900, 400, 500 and 700 ns for 100 steps */
    static const uint64_t ns[] = {1000, 1900, 2000, 2400, 3000, 3500, 4000, 4700};
    struct script script = {ns, 8, 0};
    struct membench_clock clock = {script_now, &script};
    struct membench_plan plan = {.warm = 16, .steps = 100, .reps = 4};
    struct membench_walk w = membench_e07_measure(membench_ring_at(&m.ring, 0), &plan, &clock);
    assert_int_equal(script.read, 8);
    static const double want[] = {9, 4, 5, 7};
    for (int r = 0; r < 4; r++) {
        assert_true(w.rep_ns[r] == want[r]);
    }
    assert_true(w.min_ns == 4);
    ring_free(&m);
}

/* While the clock runs (after an odd reading) each node points to itself, so a step goes nowhere:
 * only steps outside the timed region move the walk. */
struct trap {
    struct membench_ring *ring;
    const uint32_t *order;
    int read;
};

static uint64_t trap_now(void *ctx)
{
    struct trap *t = ctx;
    t->read++;
    for (size_t i = 0; i < t->ring->n; i++) {
        size_t to = t->read % 2 == 1 ? i : (i + 1) % t->ring->n;
        membench_ring_at(t->ring, t->order[i])->next = membench_ring_at(t->ring, t->order[to]);
    }
    return (uint64_t)t->read;
}

static void measure_warms_up_before_the_clock_starts(void **state)
{
    (void)state;
    struct ring_mem m = ring_new(101, 64, 5);
    struct trap trap = {&m.ring, m.order, 0};
    struct membench_clock clock = {trap_now, &trap};
    struct membench_plan plan = {.warm = 40, .steps = 1000, .reps = 5};
    struct membench_walk w =
        membench_e07_measure(membench_ring_at(&m.ring, m.order[0]), &plan, &clock);
    assert_int_equal(trap.read, 10);
    assert_ptr_equal(w.end, membench_ring_at(&m.ring, m.order[40]));
    ring_free(&m);
}

static void measure_works_without_a_warm_up(void **state)
{
    (void)state;
    struct ring_mem m = ring_new(5, 64, 5);
    static const uint64_t ns[] = {10, 20};
    struct script script = {ns, 2, 0};
    struct membench_clock clock = {script_now, &script};
    struct membench_plan plan = {.warm = 0, .steps = 1, .reps = 1};
    struct membench_walk w =
        membench_e07_measure(membench_ring_at(&m.ring, m.order[0]), &plan, &clock);
    assert_ptr_equal(w.end, membench_ring_at(&m.ring, m.order[1]));
    assert_true(w.min_ns == 10);
    ring_free(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(link_makes_one_cycle_over_all_nodes),
        cmocka_unit_test(link_leaves_the_cycle_in_order),
        cmocka_unit_test(link_draws_every_cycle_equally_often),
        cmocka_unit_test(measure_returns_where_the_walk_ended),
        cmocka_unit_test(measure_takes_the_minimum_of_the_repetitions),
        cmocka_unit_test(measure_warms_up_before_the_clock_starts),
        cmocka_unit_test(measure_works_without_a_warm_up),
    };
    return LAB_TEST_MAIN(tests);
}
