/* The problem: measured latencies depend on the machine and the hour; the hits and misses behind
 * them can be counted exactly for a cache that is written down.
 *
 * The model: each level is sets × ways of lines; a line's address chooses its set (line mod sets);
 * within a set the entries stand in order of last use, so a hit moves to the front and a miss drops
 * the last (LRU: Mattson et al. 1970, doi:10.1147/sj.92.0078). A miss at one level is an access to
 * the next. A write to a line that is absent fetches it first (write-allocate) and only marks it
 * dirty (write-back); when a dirty line is dropped it is written to the next level, where it is
 * inserted without a fetch, since the whole line is there. The TLB is one more such structure, over
 * pages.
 *
 * Invariants: hits + misses of the first level = accesses; hits + misses of a level = misses of the
 * one before it; each line is at most once in each level. Simplified: real caches approximate LRU,
 * hash their sets, prefetch, and may keep levels inclusive or exclusive; here the levels are
 * independent and nothing is fetched that was not asked for.
 */
#include "membench_cache.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"

/* An entry is (number << 1) | dirty, number counted from 1 so that 0 means empty. */
struct assoc {
    size_t sets, ways;
    uint64_t *entry; /* sets · ways, each set most recent first */
    struct membench_counts n;
};

struct membench_cache {
    size_t nlevels, line, page;
    struct assoc level[MEMBENCH_LEVELS_MAX];
    struct assoc tlb; /* entry NULL: none */
};

static bool power_of_two(size_t v)
{
    return v != 0 && (v & (v - 1)) == 0;
}

static int assoc_init(struct assoc *a, const char *what, size_t entries, size_t ways,
                      struct lab_err *err)
{
    if (ways < 1 || ways > 4096 || entries < ways || entries % ways != 0) {
        return lab_err_input(err,
                             "%s: %zu entries in %zu ways, expected 1 to 4096 ways and a whole "
                             "number of sets",
                             what, entries, ways);
    }
    a->sets = entries / ways;
    a->ways = ways;
    a->entry = lab_alloc(entries, sizeof(*a->entry));
    return 0;
}

/* Look `number` up and make it the most recent. On a miss it is inserted and the dropped entry (0:
 * none) stored in *out. `dirty` marks it. Returns whether it was there. */
static bool assoc_touch(struct assoc *a, uint64_t number, bool dirty, uint64_t *out)
{
    uint64_t *set = a->entry + number % a->sets * a->ways;
    uint64_t key = number + 1;
    size_t at = 0;
    while (at < a->ways && set[at] >> 1 != key) {
        at++;
    }
    bool hit = at < a->ways;
    *out = hit ? 0 : set[a->ways - 1];
    uint64_t entry = (hit ? set[at] : key << 1) | dirty;
    memmove(set + 1, set, (hit ? at : a->ways - 1) * sizeof(*set));
    set[0] = entry;
    return hit;
}

struct membench_cache *membench_cache_new(const struct membench_cache_config *cfg,
                                          struct lab_err *err)
{
    LAB_ASSERT(cfg->nlevels >= 1 && cfg->nlevels <= MEMBENCH_LEVELS_MAX);
    if (!power_of_two(cfg->line) || !power_of_two(cfg->page)) {
        (void)lab_err_input(err, "line %zu and page %zu bytes, expected powers of two", cfg->line,
                            cfg->page);
        return NULL;
    }
    struct membench_cache *c = lab_alloc(1, sizeof(*c));
    c->nlevels = cfg->nlevels;
    c->line = cfg->line;
    c->page = cfg->page;
    int rc = 0;
    for (size_t l = 0; l < cfg->nlevels && rc == 0; l++) {
        char what[48];
        (void)snprintf(what, sizeof(what), "cache level %zu", l + 1);
        size_t bytes = cfg->level[l].bytes;
        if (bytes % cfg->line != 0) {
            rc = lab_err_input(err, "%s: %zu bytes, expected a multiple of the line of %zu", what,
                               bytes, cfg->line);
        } else {
            rc = assoc_init(&c->level[l], what, bytes / cfg->line, cfg->level[l].ways, err);
        }
    }
    if (rc == 0 && cfg->tlb_entries > 0) {
        rc = assoc_init(&c->tlb, "TLB", cfg->tlb_entries, cfg->tlb_ways, err);
    }
    if (rc < 0) {
        membench_cache_free(c);
        return NULL;
    }
    return c;
}

void membench_cache_free(struct membench_cache *c)
{
    if (c == NULL) {
        return;
    }
    for (size_t l = 0; l < c->nlevels; l++) {
        free(c->level[l].entry);
    }
    free(c->tlb.entry);
    free(c);
}

/* A dirty line that level l−1 dropped arrives at level l (memory when l is past the last). */
static void write_back(struct membench_cache *c, size_t l, uint64_t dropped)
{
    while ((dropped & 1) != 0) {
        c->level[l - 1].n.writebacks++;
        if (l == c->nlevels) {
            return;
        }
        uint64_t next;
        (void)assoc_touch(&c->level[l], (dropped >> 1) - 1, true, &next);
        dropped = next;
        l++;
    }
}

void membench_cache_access(struct membench_cache *c, uint64_t address, bool write)
{
    uint64_t dropped;
    if (c->tlb.entry != NULL) {
        bool hit = assoc_touch(&c->tlb, address / c->page, false, &dropped);
        c->tlb.n.hits += hit;
        c->tlb.n.misses += !hit;
    }
    for (size_t l = 0; l < c->nlevels; l++) {
        /* Only the first level holds what the store changed; the others deliver the line. */
        bool hit = assoc_touch(&c->level[l], address / c->line, write && l == 0, &dropped);
        c->level[l].n.hits += hit;
        c->level[l].n.misses += !hit;
        write_back(c, l + 1, dropped);
        if (hit) {
            break;
        }
    }
}

void membench_cache_reset_counts(struct membench_cache *c)
{
    for (size_t l = 0; l < c->nlevels; l++) {
        c->level[l].n = (struct membench_counts){0};
    }
    c->tlb.n = (struct membench_counts){0};
}

struct membench_counts membench_cache_counts(const struct membench_cache *c, size_t level)
{
    LAB_ASSERT(level < c->nlevels);
    return c->level[level].n;
}

struct membench_counts membench_cache_tlb(const struct membench_cache *c)
{
    return c->tlb.n;
}

static bool dirty_above(const struct membench_cache *c, size_t below, uint64_t key)
{
    for (size_t l = 0; l < below; l++) {
        const struct assoc *a = &c->level[l];
        const uint64_t *set = a->entry + (key - 1) % a->sets * a->ways;
        for (size_t w = 0; w < a->ways; w++) {
            if (set[w] == (key << 1 | 1)) {
                return true;
            }
        }
    }
    return false;
}

uint64_t membench_cache_dirty(const struct membench_cache *c)
{
    uint64_t n = 0;
    for (size_t l = 0; l < c->nlevels; l++) {
        const struct assoc *a = &c->level[l];
        for (size_t i = 0; i < a->sets * a->ways; i++) {
            n += (a->entry[i] & 1) != 0 && !dirty_above(c, l, a->entry[i] >> 1);
        }
    }
    return n;
}

uint64_t membench_cache_memory_bytes(const struct membench_cache *c)
{
    const struct membench_counts *last = &c->level[c->nlevels - 1].n;
    return (last->misses + last->writebacks) * c->line;
}
