/* The cache simulator: vectors counted by hand, conservation, the stack property of LRU, and a
 * brute-force stack distance as an independent referee. */
#include "membench_cache.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "lab/rng.h"
#include "lab/test.h"

static struct membench_cache *cache_of(size_t bytes, size_t ways)
{
    struct membench_cache_config cfg = {
        .nlevels = 1, .level = {{bytes, ways}}, .line = 64, .page = 4096};
    struct membench_cache *c = membench_cache_new(&cfg, NULL);
    assert_non_null(c);
    return c;
}

static void assert_counts(struct membench_counts got, uint64_t hits, uint64_t misses,
                          uint64_t writebacks)
{
    assert_int_equal(got.hits, hits);
    assert_int_equal(got.misses, misses);
    assert_int_equal(got.writebacks, writebacks);
}

/* Two ways, one set: A B A C B. A, B, C miss; A hits; C drops B (the older), so B misses again. */
static void lru_drops_the_line_used_longest_ago(void **state)
{
    (void)state;
    struct membench_cache *c = cache_of(128, 2);
    static const uint64_t lines[] = {0, 1, 0, 2, 1};
    for (size_t i = 0; i < 5; i++) {
        membench_cache_access(c, lines[i] * 64 + 8, false);
    }
    assert_counts(membench_cache_counts(c, 0), 1, 4, 0);
    membench_cache_free(c);
}

/* Four sets of one way: lines 0 and 4 share set 0, line 1 does not. */
static void lines_of_one_set_evict_each_other_only(void **state)
{
    (void)state;
    struct membench_cache *c = cache_of(256, 1);
    static const uint64_t lines[] = {0, 1, 4, 1, 0, 1};
    for (size_t i = 0; i < 6; i++) {
        membench_cache_access(c, lines[i] * 64, false);
    }
    assert_counts(membench_cache_counts(c, 0), 2, 4, 0);
    membench_cache_free(c);
}

/* One line of room: a store allocates (a miss), the next line drops it dirty (one write-back), a
 * load dropped clean writes nothing. */
static void a_dirty_line_is_written_back_once(void **state)
{
    (void)state;
    struct membench_cache *c = cache_of(64, 1);
    membench_cache_access(c, 0, true);
    membench_cache_access(c, 8, true);
    assert_int_equal(membench_cache_dirty(c), 1);
    membench_cache_access(c, 64, false);
    membench_cache_access(c, 128, false);
    assert_counts(membench_cache_counts(c, 0), 1, 3, 1);
    assert_int_equal(membench_cache_dirty(c), 0);
    assert_int_equal(membench_cache_memory_bytes(c), 4 * 64);
    membench_cache_free(c);
}

/* Levels of one and two lines. Store 0: misses both. Load 1: drops 0 dirty from the first into the
 * second, misses both; the second holds {1, 0}. Load 2: misses both; the second drops 0, which is
 * dirty: to memory. Load 0: misses both. */
static void a_dropped_line_moves_to_the_next_level(void **state)
{
    (void)state;
    struct membench_cache_config cfg = {
        .nlevels = 2, .level = {{64, 1}, {128, 2}}, .line = 64, .page = 4096};
    struct membench_cache *c = membench_cache_new(&cfg, NULL);
    static const uint64_t lines[] = {0, 1, 2, 0};
    for (size_t i = 0; i < 4; i++) {
        membench_cache_access(c, lines[i] * 64, i == 0);
    }
    assert_counts(membench_cache_counts(c, 0), 0, 4, 1);
    assert_counts(membench_cache_counts(c, 1), 0, 4, 1);
    /* 2 is still in the second level, and 0 was the last one in. */
    membench_cache_access(c, 2 * 64, false);
    assert_counts(membench_cache_counts(c, 1), 1, 4, 1);
    membench_cache_free(c);
}

/* Levels of two lines and of one. The store's line is dirty in the first level only: when the
 * second drops its clean copy for the next line, nothing is written. */
static void only_the_level_that_was_stored_to_is_dirty(void **state)
{
    (void)state;
    struct membench_cache_config cfg = {
        .nlevels = 2, .level = {{128, 2}, {64, 1}}, .line = 64, .page = 4096};
    struct membench_cache *c = membench_cache_new(&cfg, NULL);
    membench_cache_access(c, 0, true);
    membench_cache_access(c, 64, false);
    assert_counts(membench_cache_counts(c, 0), 0, 2, 0);
    assert_counts(membench_cache_counts(c, 1), 0, 2, 0);
    assert_int_equal(membench_cache_dirty(c), 1);
    membench_cache_free(c);
}

static void the_tlb_counts_pages(void **state)
{
    (void)state;
    struct membench_cache_config cfg = {.nlevels = 1,
                                        .level = {{1 << 20, 16}},
                                        .line = 64,
                                        .tlb_entries = 2,
                                        .tlb_ways = 2,
                                        .page = 4096};
    struct membench_cache *c = membench_cache_new(&cfg, NULL);
    static const uint64_t at[] = {0, 64, 4096, 4097, 8192, 0};
    for (size_t i = 0; i < 6; i++) {
        membench_cache_access(c, at[i], false);
    }
    assert_counts(membench_cache_tlb(c), 2, 4, 0);
    membench_cache_reset_counts(c);
    membench_cache_access(c, 0, false);
    assert_counts(membench_cache_tlb(c), 1, 0, 0);
    assert_counts(membench_cache_counts(c, 0), 1, 0, 0);
    membench_cache_free(c);
}

/* Law: accesses = hits + misses; each level is asked for exactly what the one before missed; what
 * came in dirty goes out once: stores that dirty a clean line = write-backs + lines still dirty. */
static void counts_are_conserved(void **state)
{
    (void)state;
    struct membench_cache_config cfg = {
        .nlevels = 3, .level = {{1024, 2}, {4096, 4}, {12288, 3}}, .line = 64, .page = 4096};
    for (long t = 0; t < lab_test_trials(50); t++) {
        struct lab_rng rng;
        lab_rng_seed(&rng, (uint64_t)t + 1);
        struct membench_cache *c = membench_cache_new(&cfg, NULL);
        uint64_t n = 2000, stores = 0;
        for (uint64_t i = 0; i < n; i++) {
            bool write = lab_rng_below(&rng, 3) == 0;
            stores += write;
            membench_cache_access(c, lab_rng_below(&rng, 400) * 64, write);
        }
        uint64_t asked = n;
        for (size_t l = 0; l < 3; l++) {
            struct membench_counts k = membench_cache_counts(c, l);
            assert_int_equal(k.hits + k.misses, asked);
            asked = k.misses;
        }
        struct membench_counts last = membench_cache_counts(c, 2);
        assert_true(last.writebacks + membench_cache_dirty(c) <= stores);
        assert_true(last.writebacks <= membench_cache_counts(c, 0).writebacks);
        membench_cache_free(c);
    }
}

/* Law (Mattson et al. 1970): with the same sets, more ways never miss more. */
static void more_ways_never_miss_more(void **state)
{
    (void)state;
    for (long t = 0; t < lab_test_trials(30); t++) {
        uint64_t before = UINT64_MAX;
        for (size_t ways = 1; ways <= 8; ways++) {
            struct membench_cache *c = cache_of(ways * 16 * 64, ways); /* 16 sets each */
            struct lab_rng rng;
            lab_rng_seed(&rng, (uint64_t)t + 100);
            for (int i = 0; i < 3000; i++) {
                membench_cache_access(c, lab_rng_below(&rng, 150) * 64, false);
            }
            uint64_t misses = membench_cache_counts(c, 0).misses;
            assert_true(misses <= before);
            before = misses;
            membench_cache_free(c);
        }
    }
}

/* How many different lines were used since the last use of lines[i]; SIZE_MAX for the first use. */
static size_t stack_distance(const uint64_t *lines, size_t i)
{
    size_t different = 0;
    for (size_t back = i; back-- > 0;) {
        if (lines[back] == lines[i]) {
            return different;
        }
        bool counted = false;
        for (size_t k = back + 1; k < i; k++) {
            counted = counted || lines[k] == lines[back];
        }
        different += !counted;
    }
    return SIZE_MAX;
}

/* A fully associative LRU cache of W lines hits exactly when fewer than W different lines came
 * between. */
static void fully_associative_lru_agrees_with_stack_distances(void **state)
{
    (void)state;
    enum { N = 400 };
    for (long t = 0; t < lab_test_trials(10); t++) {
        struct lab_rng rng;
        lab_rng_seed(&rng, (uint64_t)t + 7);
        uint64_t lines[N];
        for (size_t i = 0; i < N; i++) {
            /* Near the last one, so that all distances come up. */
            lines[i] =
                lab_rng_below(&rng, 4) == 0 ? lab_rng_below(&rng, 40) : lab_rng_below(&rng, 12);
        }
        for (size_t ways = 1; ways <= 32; ways *= 2) {
            struct membench_cache *c = cache_of(ways * 64, ways);
            uint64_t hits = 0;
            for (size_t i = 0; i < N; i++) {
                membench_cache_access(c, lines[i] * 64, false);
                hits += stack_distance(lines, i) < ways;
                assert_int_equal(membench_cache_counts(c, 0).hits, hits);
            }
            membench_cache_free(c);
        }
    }
}

static void impossible_geometry_is_refused(void **state)
{
    (void)state;
    static const struct membench_cache_config bad[] = {
        {.nlevels = 1, .level = {{1024, 0}}, .line = 64, .page = 4096},
        {.nlevels = 1, .level = {{1024, 3}}, .line = 64, .page = 4096},
        {.nlevels = 1, .level = {{64, 2}}, .line = 64, .page = 4096},
        {.nlevels = 1, .level = {{1000, 1}}, .line = 64, .page = 4096},
        {.nlevels = 1, .level = {{1024, 2}}, .line = 48, .page = 4096},
        {.nlevels = 1, .level = {{1024, 2}}, .line = 64, .page = 0},
        {.nlevels = 2, .level = {{1024, 2}, {1024, 5}}, .line = 64, .page = 4096},
        {.nlevels = 1,
         .level = {{1024, 2}},
         .line = 64,
         .tlb_entries = 6,
         .tlb_ways = 4,
         .page = 4096},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct lab_err err = {0};
        assert_null(membench_cache_new(&bad[i], &err));
        assert_int_equal(err.kind, LAB_ERR_INPUT);
        assert_true(err.msg[0] != '\0');
    }
    membench_cache_free(NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_drops_the_line_used_longest_ago),
        cmocka_unit_test(lines_of_one_set_evict_each_other_only),
        cmocka_unit_test(a_dirty_line_is_written_back_once),
        cmocka_unit_test(a_dropped_line_moves_to_the_next_level),
        cmocka_unit_test(only_the_level_that_was_stored_to_is_dirty),
        cmocka_unit_test(the_tlb_counts_pages),
        cmocka_unit_test(counts_are_conserved),
        cmocka_unit_test(more_ways_never_miss_more),
        cmocka_unit_test(fully_associative_lru_agrees_with_stack_distances),
        cmocka_unit_test(impossible_geometry_is_refused),
    };
    return LAB_TEST_MAIN(tests);
}
