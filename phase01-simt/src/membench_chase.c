/* The problem: how long does one load take, when nothing can hide it, as the data outgrows one
 * level of memory after another?
 *
 * The model: one node per 64-byte line, linked into a ring; time per step of a walk is the latency
 * of wherever the ring lives. Every measurement warms up with a full pass (at most WARM_MAX steps),
 * finds out with a short pilot how many steps fill a repetition, and then repeats.
 *
 * Invariants: the walk is one dependent chain from the first warm-up step to the sink; where it
 * must end is known from the ring's order, and is compared. Simplified: reads only, one thread, one
 * chain. A real program overlaps several chains and pays less per load; what it cannot do is beat
 * this for a linked list.
 */
#include "membench_chase.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "lab/clock.h"

#define WARM_MAX  ((uint64_t)1 << 20)
#define PILOT     2048
#define STEPS_MIN 1024
#define STEPS_MAX ((uint64_t)4 << 20)

static uint64_t real_now(void *ctx)
{
    (void)ctx;
    return lab_now_ns();
}

static void link_sequential(const struct membench_ring *ring, uint32_t *order)
{
    for (size_t i = 0; i < ring->n; i++) {
        order[i] = (uint32_t)i;
        membench_ring_at(ring, i)->next = membench_ring_at(ring, (i + 1) % ring->n);
    }
}

static uint64_t steps_for(double pilot_ns, uint64_t rep_us)
{
    double steps = (double)rep_us * 1000 / (pilot_ns > 0.1 ? pilot_ns : 0.1);
    if (steps < STEPS_MIN) {
        return STEPS_MIN;
    }
    return steps < (double)STEPS_MAX ? (uint64_t)steps : STEPS_MAX;
}

int membench_chase_in(const struct membench_chase_config *cfg, const struct membench_ring *ring,
                      const struct membench_hooks *hooks, struct membench_latency *out,
                      struct lab_err *err)
{
    static const struct membench_clock clock = {real_now, NULL};
    uint32_t *order = lab_alloc(ring->n, sizeof(*order));
    struct lab_rng rng;
    lab_rng_seed(&rng, cfg->seed);
    if (cfg->order == MEMBENCH_RANDOM) {
        membench_e07_link(ring, order, &rng);
    } else {
        link_sequential(ring, order);
    }
    struct membench_plan pilot = {
        .warm = ring->n < WARM_MAX ? ring->n : WARM_MAX, .steps = PILOT, .reps = 1};
    struct membench_walk w = membench_e07_measure(membench_ring_at(ring, order[0]), &pilot, &clock);
    struct membench_plan plan = {
        .warm = PILOT, .steps = steps_for(w.min_ns, cfg->rep_us), .reps = cfg->reps};
    uint64_t timed = plan.steps * (uint64_t)plan.reps;
    if (hooks != NULL && hooks->before != NULL) {
        hooks->before(hooks->ctx);
    }
    w = membench_e07_measure(w.end, &plan, &clock);
    if (hooks != NULL && hooks->after != NULL) {
        hooks->after(hooks->ctx, plan.warm + timed);
    }
    uint64_t steps = pilot.warm + PILOT + plan.warm + timed;
    const struct membench_node *want = membench_ring_at(ring, order[steps % ring->n]);
    free(order);
    out->min_ns = w.min_ns;
    for (int r = 0; r < cfg->reps; r++) {
        out->rep_ns[r] = w.rep_ns[r];
    }
    if (w.end != want) {
        return lab_err_check(err, "the walk over %zu nodes ended on the wrong one", ring->n);
    }
    return 0;
}

int membench_chase(const struct membench_chase_config *cfg, size_t nodes,
                   struct membench_latency *out, struct lab_err *err)
{
    struct membench_map map;
    LAB_ASSERT(nodes >= 1 && cfg->reps >= 1 && cfg->reps <= MEMBENCH_REPS_MAX);
    if (membench_map_init(&map, nodes * cfg->stride, cfg->pages, cfg->node, err) < 0) {
        return -1;
    }
    struct membench_ring ring = {.base = map.base, .n = nodes, .stride = cfg->stride};
    int rc = membench_chase_in(cfg, &ring, NULL, out, err);
    out->huge_share = membench_map_huge_share(&map);
    membench_map_fini(&map);
    return rc;
}

size_t membench_chase_sizes(size_t min, size_t max, size_t halves_up_to,
                            size_t out[MEMBENCH_SIZES_MAX])
{
    size_t n = 0;
    for (size_t p = MEMBENCH_LINE; p <= max && n < MEMBENCH_SIZES_MAX; p *= 2) {
        size_t half = p + p / 2;
        if (p >= min) {
            out[n++] = p;
        }
        if (half >= min && half <= max && half <= halves_up_to && n < MEMBENCH_SIZES_MAX) {
            out[n++] = half;
        }
    }
    return n;
}
