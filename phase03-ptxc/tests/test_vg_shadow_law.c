/* The law of the race check: on random programs it finds what vector clocks find.
 *
 * A program is a sequence of warp accesses, barriers for all or some warps, arrivals and
 * __syncwarps over 32 bytes of shared memory. As long as a byte has had no hazard, an access of it
 * is a hazard for the shadow exactly when it is one for the oracle, of a kind that the oracle sees
 * as well, with an earlier access that really is in conflict.
 */
#include <stdlib.h>

#include "lab/buf.h"
#include "lab/rng.h"
#include "lab/test.h"
#include "race_oracle.h"
#include "vg_shadow.h"

#define STEPS  48
#define BLOCKS 8

struct trial {
    struct lab_rng rng;
    struct oracle *o;
    struct vg_shadow *s;
    struct vg_report *report;
    struct vg_check_ctx ctx;
    uint32_t threads, warps;
    bool partial;
    uint32_t lanes; /* how many different lanes of a warp take part */
    bool tainted[ORACLE_BYTES];
    uint64_t hazards, clean;
};

static struct ptx_func func = {.name = "kernel"};

static uint32_t below(struct trial *t, uint32_t n)
{
    return (uint32_t)lab_rng_below(&t->rng, n);
}

static uint32_t lanes_of(const struct trial *t, uint32_t warp)
{
    uint32_t n = t->threads - VG_LANES * warp;
    return n >= VG_LANES ? UINT32_MAX : (1u << n) - 1;
}

/* One lane, a few, or all; never none. */
static uint32_t random_lanes(struct trial *t, uint32_t warp)
{
    uint32_t all = lanes_of(t, warp), mask = 0, n = below(t, 8);
    if (n == 0) {
        return all;
    }
    for (uint32_t i = 0; i < n % 4 + 1; i++) {
        mask |= 1u << below(t, t->lanes);
    }
    return (mask & all) != 0 ? mask & all : 1;
}

static struct vg_access random_access(struct trial *t, uint32_t pc)
{
    uint32_t warp = below(t, t->warps);
    struct vg_access a = {.space = PTX_SPACE_SHARED,
                          .kind = (enum vg_access_kind)below(t, 4),
                          .bytes = 1u << (below(t, 4) == 0 ? below(t, 5) : 2),
                          .mask = random_lanes(t, warp),
                          .func = &func,
                          .pc = pc,
                          .warp = warp};
    a.kind = below(t, 3) != 0 ? VG_LOAD : a.kind;
    uint32_t same = below(t, 4);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        uint32_t places = ORACLE_BYTES / a.bytes;
        a.addr[lane] = same == 0 ? 0 : a.bytes * below(t, same == 1 && places > 2 ? 2 : places);
    }
    return a;
}

/* The finding names an access that the oracle, too, sees in conflict with this one. */
static bool other_is_guilty(const struct trial *t, const struct vg_finding *f)
{
    const struct oracle *o = t->o;
    for (uint32_t i = 0; i < o->n; i++) {
        const struct oracle_access *then = &o->log[i];
        for (uint32_t j = o->n;
             then->pc == f->other_pc && then->thread == f->other_thread.x && j > 0; j--) {
            const struct oracle_access *now = &o->log[j - 1];
            if (now->instruction != o->instructions) {
                break;
            }
            if (now->thread == f->thread.x && oracle_hazard(o, then, now) != 0) {
                return true;
            }
        }
    }
    return false;
}

static void compare(struct trial *t, int hazards)
{
    static const int kinds[VG_REASON_COUNT] = {[VG_READ_AFTER_WRITE] = ORACLE_RAW,
                                               [VG_WRITE_AFTER_READ] = ORACLE_WAR,
                                               [VG_WRITE_AFTER_WRITE] = ORACLE_WAW};
    size_t n;
    const struct vg_finding *list = vg_report_list(t->report, &n);
    assert_int_equal(n != 0, hazards != 0);
    for (size_t i = 0; i < n; i++) {
        assert_int_not_equal(kinds[list[i].reason] & hazards, 0);
        assert_true(other_is_guilty(t, &list[i]));
    }
    t->hazards += hazards != 0;
    t->clean += hazards == 0;
}

/* Draw an access, and draw again a few times while it would be a hazard: most of a program is in
 * order, and what is not goes wrong late. */
static struct vg_access likely_access(struct trial *t, uint32_t pc, uint8_t *values)
{
    struct vg_access a;
    for (int draw = 0; draw < 4; draw++) {
        a = random_access(t, pc);
        for (uint32_t lane = 0; lane < VG_LANES; lane++) {
            memset(values + lane * a.bytes, (int)below(t, 2), a.bytes);
        }
        if (oracle_access(t->o, &a, values, true) == 0) {
            break;
        }
    }
    return a;
}

static void step_access(struct trial *t, uint32_t pc)
{
    uint8_t values[VG_LANES * 16];
    struct vg_access a = likely_access(t, pc, values);
    bool tainted = false;
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        for (uint32_t i = 0; (a.mask >> lane & 1) != 0 && i < a.bytes; i++) {
            tainted |= t->tainted[a.addr[lane] + i];
        }
    }
    vg_report_clear(t->report);
    vg_shadow_access(t->s, &t->ctx, &a, values);
    int hazards = oracle_access(t->o, &a, values, false);
    if (!tainted) {
        compare(t, hazards);
    }
    for (uint32_t lane = 0; hazards != 0 && lane < VG_LANES; lane++) {
        for (uint32_t i = 0; (a.mask >> lane & 1) != 0 && i < a.bytes; i++) {
            t->tainted[a.addr[lane] + i] = true;
        }
    }
}

static void members_of_warps(const struct trial *t, uint64_t warps, bool *in)
{
    for (uint32_t i = 0; i < ORACLE_THREADS; i++) {
        in[i] = i < t->threads && (warps >> i / VG_LANES & 1) != 0;
    }
}

static void step_barrier(struct trial *t)
{
    bool in[ORACLE_THREADS];
    uint64_t all = (1ull << t->warps) - 1, some = 1 + below(t, (uint32_t)all);
    uint64_t warps = t->partial && below(t, 2) == 0 ? some : all;
    unsigned id = below(t, ORACLE_BARRIERS);
    members_of_warps(t, warps, in);
    if (t->partial && below(t, 2) == 0) {
        oracle_meet(t->o, in, (int)id);
        vg_shadow_barrier_id(t->s, id, warps);
    } else {
        oracle_meet(t->o, in, -1);
        vg_shadow_barrier(t->s, warps);
    }
}

static void step_arrive(struct trial *t)
{
    bool in[ORACLE_THREADS];
    uint32_t warp = below(t, t->warps);
    unsigned id = below(t, ORACLE_BARRIERS);
    members_of_warps(t, 1ull << warp, in);
    oracle_arrive(t->o, in, (int)id);
    vg_shadow_arrive(t->s, id, warp);
}

static void step_warp_sync(struct trial *t)
{
    bool in[ORACLE_THREADS] = {false};
    uint32_t warp = below(t, t->warps), lanes = random_lanes(t, warp);
    for (uint32_t lane = 0; lane < VG_LANES; lane++) {
        in[VG_LANES * warp + lane] = (lanes >> lane & 1) != 0;
    }
    oracle_meet(t->o, in, -1);
    vg_shadow_warp_sync(t->s, warp, lanes);
}

static void step(struct trial *t, uint32_t pc, uint32_t density)
{
    uint32_t what = below(t, 16);
    if (what < density) {
        step_access(t, pc);
    } else if (what % 4 == 0) {
        step_warp_sync(t);
    } else if (what % 4 == 1 && t->partial) {
        step_arrive(t);
    } else {
        step_barrier(t);
    }
}

static void next_block(struct trial *t)
{
    oracle_reset(t->o);
    vg_shadow_reset(t->s);
    memset(t->tainted, 0, sizeof(t->tainted));
}

static void run_trials(bool partial, long trials)
{
    struct trial t = {.partial = partial};
    t.o = lab_alloc(1, sizeof(*t.o));
    lab_rng_seed(&t.rng, 42);
    t.report = vg_report_new();
    for (; trials > 0; trials--) {
        t.threads = 1 + below(&t, ORACLE_THREADS);
        t.warps = (t.threads + VG_LANES - 1) / VG_LANES;
        t.ctx = (struct vg_check_ctx){.report = t.report, .dim = {t.threads, 1, 1}};
        t.s = vg_shadow_new(ORACLE_BYTES, t.threads, VGPU_CHECK_RACE);
        if (partial) {
            vg_shadow_partial(t.s);
        }
        for (int block = 0; block < BLOCKS; block++) {
            next_block(&t);
            t.lanes = below(&t, 2) == 0 ? 4 : VG_LANES;
            uint32_t density = 3 + below(&t, 10);
            for (uint32_t i = 0; i < STEPS; i++) {
                step(&t, below(&t, 10),
                     density); /* the same instruction comes again, as in loops */
            }
        }
        vg_shadow_free(t.s);
    }
    print_message("%llu hazards, %llu accesses in order\n", (unsigned long long)t.hazards,
                  (unsigned long long)t.clean);
    assert_true(t.hazards > 0 && t.clean > 5 * t.hazards);
    vg_report_free(t.report);
    free(t.o);
}

static void finds_what_vector_clocks_find_with_barriers_for_all(void **state)
{
    (void)state;
    run_trials(false, lab_test_trials(300));
}

static void finds_what_vector_clocks_find_with_barriers_for_some(void **state)
{
    (void)state;
    run_trials(true, lab_test_trials(300));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_vector_clocks_find_with_barriers_for_all),
        cmocka_unit_test(finds_what_vector_clocks_find_with_barriers_for_some),
    };
    return LAB_TEST_MAIN(tests);
}
