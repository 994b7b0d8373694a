/* Threads that start together, and the measurements that use them. */
#include "membench_team.h"

#include <math.h>
#include <stdatomic.h>

#include "lab/test.h"
#include "membench_bw.h"
#include "membench_flops.h"
#include "membench_kern.h"

struct roll_call {
    atomic_int present;
    int who[8], size;
};

static void answer(void *ctx, int who, int n)
{
    struct roll_call *r = ctx;
    atomic_fetch_add(&r->present, 1);
    r->who[who]++;
    if (who == 0) {
        r->size = n;
    }
}

static struct membench_cpus cpus_here(void)
{
    struct membench_cpus cpus;
    assert_int_equal(membench_sys_cpus(&cpus, NULL), 0);
    assert_true(cpus.n >= 1);
    return cpus;
}

static void every_member_works_once_per_run(void **state)
{
    (void)state;
    struct membench_cpus cpus = cpus_here();
    for (int n = 1; n <= 5; n++) {
        struct roll_call r = {0};
        struct membench_team *t = membench_team_new(n, &cpus, NULL);
        assert_non_null(t);
        assert_int_equal(membench_team_size(t), n);
        for (int round = 1; round <= 20; round++) {
            (void)membench_team_run(t, answer, &r);
            assert_int_equal(atomic_load(&r.present), n * round);
        }
        for (int i = 0; i < n; i++) {
            assert_int_equal(r.who[i], 20);
        }
        assert_int_equal(r.size, n);
        membench_team_free(t);
    }
}

static void a_team_that_never_worked_ends(void **state)
{
    (void)state;
    struct membench_cpus cpus = cpus_here();
    membench_team_free(membench_team_new(3, &cpus, NULL));
    membench_team_free(NULL);
}

/* A CPU that this process may not use only costs the pin. */
static void an_unusable_cpu_does_not_stop_a_member(void **state)
{
    (void)state;
    struct membench_cpus nowhere = {.cpu = {1023}, .n = 1};
    struct roll_call r = {0};
    struct membench_team *t = membench_team_new(2, &nowhere, NULL);
    assert_non_null(t);
    (void)membench_team_run(t, answer, &r);
    assert_int_equal(atomic_load(&r.present), 2);
    membench_team_free(t);
}

static void bandwidth_is_measured_and_validated(void **state)
{
    (void)state;
    struct membench_cpus cpus = cpus_here();
    for (int threads = 1; threads <= 3; threads++) {
        struct membench_bw bw;
        struct lab_err err = {0};
        struct membench_bw_config cfg = {.bytes = (size_t)1 << 20,
                                         .threads = threads,
                                         .cpus = &cpus,
                                         .node = MEMBENCH_ANY_NODE,
                                         .reps = 2};
        assert_int_equal(membench_bw(&cfg, &bw, &err), 0);
        for (int s = 0; s < MEMBENCH_STREAMS; s++) {
            assert_true(bw.gbs[s][0] > 0 && isfinite(bw.gbs[s][1]));
        }
    }
}

static void read_bandwidth_alone_is_validated_too(void **state)
{
    (void)state;
    double gbs[3];
    struct membench_bw_config cfg = {
        .bytes = (size_t)1 << 20, .pages = MEMBENCH_BASE, .node = MEMBENCH_ANY_NODE, .reps = 3};
    assert_int_equal(membench_bw_read(&cfg, gbs, NULL), 0);
    assert_true(gbs[0] > 0 && gbs[2] > 0);
    struct lab_err err = {0};
    cfg.node = 1000;
    assert_int_equal(membench_bw_read(&cfg, gbs, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
}

/* An ordinary write moves its line twice, a copy three times for the two it uses. */
static void write_allocate_is_accounted(void **state)
{
    (void)state;
    assert_int_equal(membench_stream_moved(MEMBENCH_READ), 1);
    assert_int_equal(membench_stream_moved(MEMBENCH_WRITE), 2);
    assert_int_equal(membench_stream_moved(MEMBENCH_COPY), 3);
    assert_int_equal(membench_stream_useful(MEMBENCH_COPY), 2);
    assert_int_equal(membench_stream_useful(MEMBENCH_NT_WRITE), 1);
    if (membench_nt_available()) {
        assert_int_equal(membench_stream_moved(MEMBENCH_NT_WRITE), 1);
        assert_int_equal(membench_stream_moved(MEMBENCH_NT_COPY), 2);
    }
    for (int s = 0; s < MEMBENCH_STREAMS; s++) {
        enum membench_stream k = (enum membench_stream)s;
        assert_true(membench_stream_moved(k) >= membench_stream_useful(k));
        assert_non_null(membench_stream_name(k));
    }
}

static void the_peak_is_positive_and_its_result_checked(void **state)
{
    (void)state;
    struct membench_cpus cpus = cpus_here();
    struct membench_team *t = membench_team_new(2, &cpus, NULL);
    for (int a = 0; a <= 1; a++) {
        double gflops[2];
        struct lab_err err = {0};
        struct membench_peak_config cfg = {(enum membench_arith)a, 2, 200};
        assert_int_equal(membench_peak(t, &cfg, gflops, &err), 0);
        assert_true(gflops[0] > 0 && gflops[1] > 0);
    }
    membench_team_free(t);
    assert_true(membench_peak_estimate(2, 3.0, 16) == 192.0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_works_once_per_run),
        cmocka_unit_test(a_team_that_never_worked_ends),
        cmocka_unit_test(an_unusable_cpu_does_not_stop_a_member),
        cmocka_unit_test(bandwidth_is_measured_and_validated),
        cmocka_unit_test(read_bandwidth_alone_is_validated_too),
        cmocka_unit_test(write_allocate_is_accounted),
        cmocka_unit_test(the_peak_is_positive_and_its_result_checked),
    };
    return LAB_TEST_MAIN(tests);
}
