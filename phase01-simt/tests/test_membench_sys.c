/* What is read from the kernel, on texts and folders made here; and the peer, played by small
 * scripts. */
#include "membench_sys.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/file.h"
#include "lab/test.h"
#include "membench_mem.h"
#include "membench_peer.h"
#include "membench_perf.h"

static void put(const char *path, const char *text)
{
    assert_int_equal(lab_file_write(path, text, strlen(text), NULL), 0);
}

/* A cache folder as sysfs has it. */
static void put_cache(const char *root, int index, const char *const values[4])
{
    static const char *const names[] = {"level", "type", "size", "coherency_line_size"};
    char folder[512], path[600];
    (void)snprintf(folder, sizeof(folder), "%s/index%d", root, index);
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        put(path, values[i]);
    }
}

static void caches_are_read_sorted_and_without_instructions(void **state)
{
    (void)state;
    char root[400];
    (void)snprintf(root, sizeof(root), "%s/cache", lab_test_tmpdir());
    assert_int_equal(mkdir(root, 0700), 0);
    put_cache(root, 0, (const char *const[]){"3\n", "Unified\n", "32M\n", "64\n"});
    put_cache(root, 1, (const char *const[]){"1\n", "Instruction\n", "64K\n", "64\n"});
    put_cache(root, 2, (const char *const[]){"1\n", "Data\n", "48K\n", "64\n"});
    put_cache(root, 3, (const char *const[]){"2\n", "Unified\n", "nonsense\n", "64\n"});
    struct membench_cache_info c[MEMBENCH_CACHES_MAX];
    assert_int_equal(membench_sys_caches(root, c), 2);
    assert_int_equal(c[0].level, 1);
    assert_int_equal(c[0].bytes, 48 << 10);
    assert_int_equal(c[0].line, 64);
    assert_int_equal(c[0].ways, 0);
    assert_int_equal(c[1].level, 3);
    assert_int_equal(c[1].bytes, 32 << 20);
    assert_int_equal(membench_sys_caches("/nonexistent", c), 0);
}

static void lists_are_read_as_sysfs_writes_them(void **state)
{
    (void)state;
    int v[8];
    assert_int_equal(membench_sys_list("0\n", v, 8), 1);
    assert_int_equal(membench_sys_list("0-3,8,10-11\n", v, 8), 7);
    assert_int_equal(v[3], 3);
    assert_int_equal(v[4], 8);
    assert_int_equal(v[6], 11);
    assert_int_equal(membench_sys_list("0-100", v, 8), 8);
    assert_int_equal(membench_sys_list("", v, 8), 0);
    assert_int_equal(membench_sys_list("x", v, 8), 0);
    assert_int_equal(membench_sys_list("1,y", v, 8), 0);
    assert_int_equal(membench_sys_list("1-", v, 8), 0);
}

static void pinning_refuses_cpus_that_are_not_there(void **state)
{
    (void)state;
    struct membench_cpus cpus;
    struct lab_err err = {0};
    assert_int_equal(membench_sys_cpus(&cpus, &err), 0);
    assert_int_equal(membench_sys_pin(-1, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_int_equal(membench_sys_pin(1 << 20, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_INPUT);
    assert_int_equal(membench_sys_pin(cpus.cpu[0], &err), 0);
    assert_int_equal(membench_sys_cpus(&cpus, &err), 0);
    assert_int_equal(cpus.n, 1);
}

static void there_is_a_node_and_a_clock(void **state)
{
    (void)state;
    int nodes[MEMBENCH_NODES_MAX];
    assert_true(membench_sys_nodes(nodes) >= 1);
    assert_true(membench_sys_available() > ((size_t)1 << 20));
    assert_true(membench_sys_clock_ghz() > 0);
}

static void huge_pages_are_counted_in_the_mappings_asked_for(void **state)
{
    (void)state;
    static const char smaps[] = "1000-3000 rw-p 00000000 00:00 0 \n"
                                "Size:                  8 kB\n"
                                "AnonHugePages:         4 kB\n"
                                "VmFlags: rd wr\n"
                                "400000-800000 rw-p 00000000 00:00 0 [heap]\n"
                                "AnonHugePages:      2048 kB\n"
                                "900000-a00000 rw-p 00000000 00:00 0\n"
                                "AnonHugePages:         0 kB\n";
    assert_int_equal(membench_smaps_huge(smaps, 0x400000, 0x800000), 2 << 20);
    assert_int_equal(membench_smaps_huge(smaps, 0x1000, 0x3000), 4 << 10);
    assert_int_equal(membench_smaps_huge(smaps, 0x400000, 0x500000), 1 << 20); /* the overlap */
    assert_int_equal(membench_smaps_huge(smaps, 0x900000, 0xa00000), 0);
    assert_int_equal(membench_smaps_huge(smaps, 0x300000, 0x400000), 0);
    assert_int_equal(membench_smaps_huge(smaps, 0, 0x1000000), (2 << 20) + (4 << 10));
    assert_int_equal(membench_smaps_huge("", 0, 100), 0);
}

static void a_map_is_zeroed_aligned_and_large_enough(void **state)
{
    (void)state;
    struct membench_map m;
    assert_int_equal(membench_map_init(&m, 100000, MEMBENCH_HUGE, MEMBENCH_ANY_NODE, NULL), 0);
    assert_int_equal((uintptr_t)m.base % (2 << 20), 0);
    assert_true(m.bytes >= 100000);
    for (size_t i = 0; i < m.bytes; i += 511) {
        assert_int_equal(m.base[i], 0);
    }
    m.base[m.bytes - 1] = 1;
    double share = membench_map_huge_share(&m);
    assert_true(share <= 1);
    membench_map_fini(&m);
    assert_null(m.base);
    membench_map_fini(&m); /* twice is harmless */
    struct lab_err err = {0};
    assert_int_equal(membench_map_init(&m, SIZE_MAX / 4, MEMBENCH_BASE, MEMBENCH_ANY_NODE, &err),
                     -1);
    assert_int_equal(err.kind, LAB_ERR_SYSTEM);
}

static void busy_time_leaves_out_idle_and_waiting(void **state)
{
    (void)state;
    assert_true(
        fabs(membench_stat_busy("cpu  100 1 20 5000 300 3 4 50 0 0\ncpu0 1\n", 100) - 1.78) < 1e-9);
    assert_true(membench_stat_busy("cpu 1 2 3\n", 100) < 0);
    assert_true(membench_stat_busy("", 100) < 0);
    struct membench_busy now;
    membench_sys_busy(&now);
    assert_true(now.wall_s > 0);
    assert_true(membench_sys_others(&now) >= 0);
}

static void counters_name_why_they_do_not_count(void **state)
{
    (void)state;
    assert_string_equal(membench_perf_reason(EACCES), "not permitted");
    assert_string_equal(membench_perf_reason(EPERM), "not permitted");
    assert_string_equal(membench_perf_reason(ENOENT), "not supported");
    assert_string_equal(membench_perf_reason(ENOSYS), "not supported");
    assert_string_equal(membench_perf_reason(EINVAL), "refused");
    struct membench_perf p;
    uint64_t references = 1, misses = 1;
    membench_perf_open(&p);
    membench_perf_start(&p);
    membench_perf_stop(&p, &references, &misses);
    if (p.why_not != NULL) {
        assert_int_equal(references, 0);
        assert_int_equal(misses, 0);
    }
    membench_perf_close(&p);
    membench_perf_close(&p);
}

static void the_peers_figure_is_found_in_its_output(void **state)
{
    (void)state;
    assert_true(membench_peer_parse("Time:\t\t1.0 sec\nMByte/s:\t\t15236.69\nCycles: 1\n") ==
                15236.69);
    assert_true(membench_peer_parse("MFlops/s: 1\n") < 0);
    assert_true(membench_peer_parse("MByte/s:\t\tabc\n") < 0);
    assert_true(membench_peer_parse("MByte/s:\t0.0\n") < 0);
    assert_true(membench_peer_parse("MByte/s: nan\n") < 0);
    assert_true(membench_peer_parse("") < 0);
}

static void script(char path[512], const char *name, const char *text)
{
    (void)snprintf(path, 512, "%s/%s", lab_test_tmpdir(), name);
    put(path, text);
    assert_int_equal(chmod(path, 0700), 0);
}

static void the_peer_is_run_with_its_arguments(void **state)
{
    (void)state;
    char path[512];
    double gbs = 0;
    struct lab_err err = {0};
    script(path, "peer",
           "#!/bin/sh\n[ \"$1 $3 $4 $5 $6\" = '-t -w N:512MB:1 -i 10' ] || exit 9\n"
           "echo 'MByte/s:\t\t12500.00'\n");
    assert_int_equal(membench_peer_read(path, 10, &gbs, &err), 0);
    assert_true(gbs == 12.5);
}

static void a_peer_that_fails_or_is_missing_is_said(void **state)
{
    (void)state;
    char path[512];
    double gbs = 0;
    struct lab_err err = {0};
    assert_int_equal(membench_peer_read("/nonexistent/likwid-bench", 10, &gbs, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_SKIP);
    assert_non_null(strstr(err.msg, "not installed"));
    script(path, "broken", "#!/bin/sh\necho 'cannot read the topology' >&2\nexit 1\n");
    assert_int_equal(membench_peer_read(path, 10, &gbs, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_SYSTEM);
    assert_non_null(strstr(err.msg, "cannot read the topology"));
    script(path, "unsure", "#!/bin/sh\necho 'MByte/s: 1000.0'\nexit 1\n");
    assert_int_equal(membench_peer_read(path, 10, &gbs, &err), -1);
    script(path, "silent", "#!/bin/sh\nexit 0\n");
    assert_int_equal(membench_peer_read(path, 10, &gbs, &err), -1);
    assert_int_equal(err.kind, LAB_ERR_SYSTEM);
    assert_non_null(membench_peer_kernel());
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_are_read_sorted_and_without_instructions),
        cmocka_unit_test(lists_are_read_as_sysfs_writes_them),
        cmocka_unit_test(there_is_a_node_and_a_clock),
        cmocka_unit_test(huge_pages_are_counted_in_the_mappings_asked_for),
        cmocka_unit_test(a_map_is_zeroed_aligned_and_large_enough),
        cmocka_unit_test(busy_time_leaves_out_idle_and_waiting),
        cmocka_unit_test(counters_name_why_they_do_not_count),
        cmocka_unit_test(the_peers_figure_is_found_in_its_output),
        cmocka_unit_test(the_peer_is_run_with_its_arguments),
        cmocka_unit_test(a_peer_that_fails_or_is_missing_is_said),
        cmocka_unit_test(pinning_refuses_cpus_that_are_not_there),
    };
    return LAB_TEST_MAIN(tests);
}
