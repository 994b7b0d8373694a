/* Every kernel in kernels/: right results under every policy, schedule and number of warps. */
#include <dirent.h>

#include "simt_helper.h"
#include "simt_kernels.h"
#include "simt_scalar.h"

struct want {
    const char *name;
    unsigned issues, active_sum, body, depth; /* one warp, policy stack; issues 0: never ends */
    unsigned step; /* numbers of warps that make sense: multiples of this; 0: only one warp */
};

static const struct want kernels[] = {
    {"uniform", 6, 192, 0, 0, 1},       {"warp_uniform", 7, 224, 2, 0, 1},
    {"even_odd", 10, 224, 4, 1, 1},     {"max_divergent", 226, 4224, 64, 1, 1},
    {"nested2", 21, 352, 7, 2, 1},      {"nested3", 42, 464, 15, 3, 1},
    {"vote_none", 103, 2926, 50, 2, 0}, {"vote_any", 30, 960, 6, 0, 0},
    {"latency", 518, 16576, 0, 0, 1},   {"spinlock", 0, 0, 0, 0, 1},
    {"reduce", 33, 1056, 0, 0, 1},      {"barrier", 0, 0, 0, 0, 2},
};
enum { NKERNELS = sizeof(kernels) / sizeof(kernels[0]) };

static void every_kernel_file_is_tested(void **state)
{
    (void)state;
    DIR *dir = opendir(LAB_PHASE_DIR "/kernels");
    assert_non_null(dir);
    int files = 0;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        files += strstr(e->d_name, ".simt") != NULL;
    }
    closedir(dir);
    assert_int_equal(files, NKERNELS);
}

static void one_warp_takes_exactly_these_issues(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    for (int i = 0; i < NKERNELS; i++) {
        const struct want *k = &kernels[i];
        if (k->issues == 0) {
            continue;
        }
        struct fixture f = fixture_kernel(k->name, &cfg);
        struct simt_counters n = fixture_run(&f);
        if (n.issues != k->issues || n.active_sum != k->active_sum || n.body != k->body ||
            n.max_depth != k->depth) {
            fail_msg("%s: %u issues, %u lanes, %u body, depth %u", k->name, (unsigned)n.issues,
                     (unsigned)n.active_sum, (unsigned)n.body, n.max_depth);
        }
        fixture_close(&f);
    }
}

static void results_are_right_whatever_the_policy_and_schedule(void **state)
{
    (void)state;
    for (int i = 0; i < NKERNELS * 8; i++) {
        const struct want *k = &kernels[i / 8];
        struct simt_config cfg = config_policy((enum simt_policy)(i & 1));
        cfg.sched = (enum simt_sched)(i >> 1 & 1);
        cfg.warps = (i & 4) == 0 || k->step == 0 ? (k->step > 1 ? k->step : 1) : 10;
        cfg.budget = 1000000;
        bool lock = strcmp(k->name, "spinlock") == 0;
        if (lock && (cfg.policy == SIMT_STACK || (cfg.warps > 1 && cfg.sched == SIMT_GTO))) {
            continue; /* hangs, see the tests of the block */
        }
        struct fixture f = fixture_kernel(k->name, &cfg);
        (void)fixture_run(&f);
        uint32_t at = 0;
        if (!simt_kernel_holds(k->name, f.b, &at)) {
            fail_msg("%s, %u warps, policy %d: word %u is %d", k->name, cfg.warps, i & 1, at,
                     f.b->mem[at]);
        }
        fixture_close(&f);
    }
}

static void a_wrong_word_is_noticed(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_ITS);
    cfg.warps = 2;
    for (int i = 0; i < NKERNELS; i++) {
        if (kernels[i].step == 0) {
            continue;
        }
        struct fixture f = fixture_kernel(kernels[i].name, &cfg);
        uint32_t at = 0;
        (void)fixture_run(&f);
        assert_true(simt_kernel_holds(kernels[i].name, f.b, NULL));
        /* The last result word the kernel writes: lane 31's of warp 1, or what the two special ones
         * have. */
        uint32_t last =
            strcmp(kernels[i].name, "latency") == 0 || strcmp(kernels[i].name, "barrier") == 0
                ? 2048 + 63
                : 63;
        last = strcmp(kernels[i].name, "reduce") == 0 || strcmp(kernels[i].name, "spinlock") == 0
                   ? 1
                   : last;
        f.b->mem[last] ^= 1;
        assert_false(simt_kernel_holds(kernels[i].name, f.b, &at));
        assert_int_equal(at, last);
        fixture_close(&f);
    }
    struct fixture f = fixture_kernel("uniform", &cfg);
    assert_false(simt_kernel_holds("no such kernel", f.b, NULL));
    fixture_close(&f);
}

static void the_scalar_peer_executes_the_same_work(void **state)
{
    (void)state;
    struct simt_config cfg = config_policy(SIMT_STACK);
    int run = 0;
    for (int i = 0; i < NKERNELS; i++) {
        struct fixture f = fixture_kernel(kernels[i].name, &cfg);
        if (simt_scalar_can(f.prog)) {
            /* The law of the stack: a lane is active exactly in the issues it would execute alone.
             */
            int64_t lanes = simt_scalar_run(f.prog, f.b->mem, f.b->cfg.mem_words);
            assert_int_equal(lanes, kernels[i].active_sum);
            assert_true(simt_kernel_holds(kernels[i].name, f.b, NULL));
            run++;
        }
        fixture_close(&f);
    }
    assert_int_equal(run, 8);
    struct fixture f = fixture_text("MOVI r0, -1\nLD r0, [r0]\nHALT\n", &cfg);
    assert_int_equal(simt_scalar_run(f.prog, f.b->mem, f.b->cfg.mem_words), -1);
    fixture_close(&f);
    f = fixture_text("x: JMP x\n", &cfg);
    assert_int_equal(simt_scalar_run(f.prog, f.b->mem, f.b->cfg.mem_words), -1);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_file_is_tested),
        cmocka_unit_test(one_warp_takes_exactly_these_issues),
        cmocka_unit_test(results_are_right_whatever_the_policy_and_schedule),
        cmocka_unit_test(a_wrong_word_is_noticed),
        cmocka_unit_test(the_scalar_peer_executes_the_same_work),
    };
    return LAB_TEST_MAIN(tests);
}
