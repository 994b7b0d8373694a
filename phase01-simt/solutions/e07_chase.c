/* Exercise 7, solved: one random cycle, and a measurement whose result is used.
 *
 * The order is shuffled and then closed into a ring, which gives every single cycle with the same
 * probability (each cycle is met by exactly n of the n! orders). Using the shuffled numbers as the
 * successors themselves would give a permutation with about ln n cycles instead.
 */
#include "membench_e07.h"

#include "lab/clock.h"

void membench_e07_link(const struct membench_ring *ring, uint32_t *order, struct lab_rng *rng)
{
    for (size_t i = 0; i < ring->n; i++) {
        order[i] = (uint32_t)i;
    }
    lab_rng_shuffle(rng, order, ring->n);
    for (size_t i = 0; i + 1 < ring->n; i++) {
        membench_ring_at(ring, order[i])->next = membench_ring_at(ring, order[i + 1]);
    }
    membench_ring_at(ring, order[ring->n - 1])->next = membench_ring_at(ring, order[0]);
}

static const struct membench_node *walk(const struct membench_node *p, uint64_t steps)
{
    for (uint64_t i = 0; i < steps; i++) {
        p = p->next;
    }
    /* The walk ends here for the compiler too: it may not sink below the second clock reading. */
    LAB_KEEP(p);
    return p;
}

struct membench_walk membench_e07_measure(const struct membench_node *start,
                                          const struct membench_plan *plan,
                                          const struct membench_clock *clock)
{
    struct membench_walk w = {.end = walk(start, plan->warm)};
    for (int r = 0; r < plan->reps; r++) {
        uint64_t from = clock->now_ns(clock->ctx);
        w.end = walk(w.end, plan->steps);
        uint64_t to = clock->now_ns(clock->ctx);
        w.rep_ns[r] = (double)(to - from) / (double)plan->steps;
        w.min_ns = r == 0 || w.rep_ns[r] < w.min_ns ? w.rep_ns[r] : w.min_ns;
    }
    return w;
}
