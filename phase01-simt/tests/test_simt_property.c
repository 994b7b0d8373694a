/* Random programs: 32 lanes under masks must do what 32 threads alone would do.
 *
 * Laws, for every program whose threads do not touch each other's words:
 *   - registers and memory at the end are those of the threads alone;
 *   - each lane is active in exactly the issues, in the order, of its thread alone (so the sum of
 * active lanes is the sum of the threads' instructions);
 *   - both policies and both schedulers agree on all of it.
 */
#include <stdlib.h>

#include "lab/rng.h"
#include "simt_gen.h"
#include "simt_helper.h"
#include "simt_ref.h"

enum { THREADS = GEN_THREADS, WARPS = THREADS / SIMT_LANES, WORDS = GEN_WORDS };
enum { LIMIT = 5000 }; /* instructions of a thread */

struct expected {
    struct ref_thread thread[THREADS];
    int32_t mem[WORDS];
    uint64_t total;
    bool ends; /* every thread comes to HALT */
};

struct lanes {
    uint64_t path[THREADS];
    uint64_t executed[THREADS];
    uint64_t sum;
    bool within; /* active lanes are live ones, and at least one */
};

static void on_issue(void *arg, const struct simt_event *event)
{
    struct lanes *l = arg;
    l->within = l->within && event->active != 0 && (event->active & ~event->live) == 0;
    l->sum += (unsigned)__builtin_popcount(event->active);
    for (unsigned i = 0; i < SIMT_LANES; i++) {
        if ((event->active >> i & 1) != 0) {
            unsigned t = event->warp * SIMT_LANES + i;
            l->path[t] = ref_path_add(l->path[t], event->pc);
            l->executed[t]++;
        }
    }
}

static void run_alone(const struct simt_program *p, struct expected *want)
{
    memset(want, 0, sizeof(*want));
    want->ends = true;
    for (int t = 0; t < THREADS && want->ends; t++) {
        want->thread[t] = ref_run(p, t, want->mem, WORDS, LIMIT);
        want->ends = want->ends && want->thread[t].halted;
        want->total += want->thread[t].executed;
    }
}

static void check_threads(const char *text, const struct simt_block *b, const struct lanes *got,
                          const struct expected *want)
{
    for (unsigned t = 0; t < THREADS; t++) {
        const struct ref_thread *alone = &want->thread[t];
        for (int r = 0; r < SIMT_REGS; r++) {
            if (b->warps[t / SIMT_LANES].r[r][t % SIMT_LANES] != alone->r[r]) {
                fail_msg("thread %u: r%d differs\n%s", t, r, text);
            }
        }
        if (got->path[t] != alone->path || got->executed[t] != alone->executed) {
            fail_msg("thread %u took another path (%lu instructions, alone %lu)\n%s", t,
                     (unsigned long)got->executed[t], (unsigned long)alone->executed, text);
        }
    }
}

static void check(const char *text, const struct simt_program *p, const struct expected *want,
                  unsigned variant)
{
    struct simt_config cfg = {.warps = WARPS,
                              .policy = (enum simt_policy)(variant & 1),
                              .sched = (enum simt_sched)(variant >> 1),
                              .ld_latency = 3,
                              .mem_words = WORDS,
                              .budget = (uint64_t)LIMIT * THREADS};
    struct lab_err err = {0};
    struct lanes got = {.within = true};
    for (int t = 0; t < THREADS; t++) {
        got.path[t] = REF_PATH_START;
    }
    struct simt_block *b = simt_block_new(p, &cfg);
    b->observe = on_issue;
    b->observe_arg = &got;
    if (simt_block_run(b, &err) < 0) {
        fail_msg("%s\n%s", err.msg, text);
    }
    struct simt_counters n = simt_block_count(b);
    assert_true(got.within);
    assert_int_equal(n.active_sum, got.sum);
    assert_int_equal(n.active_sum, want->total);
    assert_true(n.max_depth < SIMT_LANES);
    check_threads(text, b, &got, want);
    assert_memory_equal(b->mem, want->mem, sizeof(want->mem));
    simt_block_free(b);
}

/* One program under the four variants; did it end? */
static bool try_program(const char *text, struct expected *want)
{
    struct simt_program *p = NULL;
    struct lab_err err = {0};
    if (simt_assemble("random.simt", text, strlen(text), &p, &err) < 0) {
        fail_msg("%s\n%s", err.msg, text);
    }
    run_alone(p, want);
    for (unsigned variant = 0; variant < 4 && want->ends; variant++) {
        check(text, p, want, variant);
    }
    simt_program_free(p);
    return want->ends;
}

static long try_many(void (*generate)(struct lab_rng *, struct lab_buf *), long trials)
{
    struct expected *want = lab_alloc(1, sizeof(*want));
    long ended = 0;
    for (long i = 0; i < trials; i++) {
        struct lab_rng rng;
        struct lab_buf text;
        lab_rng_seed(&rng, 1000 + (uint64_t)i);
        lab_buf_init(&text);
        generate(&rng, &text);
        ended += try_program(lab_buf_str(&text), want);
        lab_buf_fini(&text);
    }
    free(want);
    return ended;
}

static void structured_programs_do_what_each_thread_alone_would(void **state)
{
    (void)state;
    long trials = lab_test_trials(3000);
    assert_int_equal(try_many(gen_structured, trials), trials);
}

static void wild_programs_that_end_do_so_too(void **state)
{
    (void)state;
    long trials = lab_test_trials(5000);
    long ended = try_many(gen_wild, trials);
    print_message("%ld of %ld programs end\n", ended, trials);
    assert_true(ended >= trials / 4);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(structured_programs_do_what_each_thread_alone_would),
        cmocka_unit_test(wild_programs_that_end_do_so_too),
    };
    return LAB_TEST_MAIN(tests);
}
