/* Exercise 7: one random cycle, and a measurement whose result is used.
 *
 * Contract: membench_e07.h. Write both functions; the test is tests/test_e07_chase.c.
 *
 * HINT 1: Take the numbers 0 … n−1, shuffle them (lab_rng_shuffle), and let each number in the
 * shuffled row point to the next one, the last to the first. Why is that one cycle, whatever the
 * shuffle, while "node i points to order[i]" is not?
 *
 * HINT 2: Warm up first, without the clock: the first pass pays for page faults and cold misses.
 * Then read the clock, walk, read the clock; the repetitions go on where the last one ended.
 *
 * HINT 3: A loop whose result nobody needs is removed. Return the node where the walk ended, and
 * put LAB_KEEP(p) (lab/clock.h) after the loop so that it cannot move past the second reading.
 */
#include "membench_e07.h"

#include "lab/err.h"

void membench_e07_link(const struct membench_ring *ring, uint32_t *order, struct lab_rng *rng)
{
    (void)ring;
    (void)order;
    (void)rng;
    LAB_TODO("e07_chase");
}

struct membench_walk membench_e07_measure(const struct membench_node *start,
                                          const struct membench_plan *plan,
                                          const struct membench_clock *clock)
{
    (void)start;
    (void)plan;
    (void)clock;
    LAB_TODO("e07_chase");
}
