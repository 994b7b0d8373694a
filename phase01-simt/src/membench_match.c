/* The problem: plateaus were found without knowing the caches; now the two lists are laid side by
 * side.
 *
 * The model: rising plateaus against rising levels, one pass. The last level is special, because
 * its published size is the whole chip's: other cores, or other virtual machines, hold the rest.
 * Invariant: no plateau is given to two rows, and the order is kept.
 * Simplified: at most three levels; a fourth (as on some chips with an extra memory-side cache)
 * would be called memory.
 */
#include "membench_match.h"

#include <math.h>

/* The edge of a plateau: between the last size that fits and the first that does not. */
static double edge(const struct membench_plateau *p)
{
    return p->spills != 0 ? sqrt((double)p->holds * (double)p->spills) : (double)p->holds;
}

static int nearest(const struct membench_plateaus *p, int from, size_t bytes)
{
    int best = -1;
    double best_off = log(3);
    for (int i = from; i < (int)p->n; i++) {
        double off = fabs(log(edge(&p->at[i]) / (double)bytes));
        if (p->at[i].spills != 0 && off <= best_off) {
            best = i;
            best_off = off;
        }
    }
    return best;
}

static enum membench_verdict inner_verdict(const struct membench_plateaus *p, int i, size_t bytes)
{
    if (i < 0) {
        return MEMBENCH_UNSEEN;
    }
    double off = fabs(log(edge(&p->at[i]) / (double)bytes));
    return off <= log(2) ? MEMBENCH_AGREES : MEMBENCH_DIFFERS;
}

static void match_last(const struct membench_plateaus *p, int from, size_t largest,
                       struct membench_match_row *cache, struct membench_match_row *memory)
{
    int left = (int)p->n - from;
    cache->verdict = MEMBENCH_UNSEEN;
    if (left >= 2) {
        cache->plateau = from;
        cache->verdict = inner_verdict(p, from, cache->published);
        if (edge(&p->at[from]) < (double)cache->published) {
            cache->verdict = cache->verdict == MEMBENCH_AGREES ? MEMBENCH_AGREES : MEMBENCH_SHARE;
        }
        memory->plateau = (int)p->n - 1;
    } else if (left == 1 && (p->at[from].spills != 0 || largest <= cache->published)) {
        cache->plateau = from;
        cache->verdict = p->at[from].spills == 0 ? MEMBENCH_INSIDE : MEMBENCH_SHARE;
        if (p->at[from].spills != 0 &&
            inner_verdict(p, from, cache->published) == MEMBENCH_AGREES) {
            cache->verdict = MEMBENCH_AGREES;
        }
    } else if (left == 1) {
        memory->plateau = from;
    }
}

void membench_match(const struct membench_plateaus *p, const struct membench_cache_info *caches,
                    size_t ncaches, size_t largest, struct membench_match_row rows[MEMBENCH_ROWS])
{
    struct membench_match_row *memory = &rows[MEMBENCH_ROWS - 1];
    int last = -1, from = 0;
    for (int r = 0; r < MEMBENCH_ROWS; r++) {
        rows[r] = (struct membench_match_row){.plateau = -1, .verdict = MEMBENCH_ABSENT};
    }
    for (size_t c = 0; c < ncaches; c++) {
        if (caches[c].level >= 1 && caches[c].level < MEMBENCH_ROWS) {
            rows[caches[c].level - 1].published = caches[c].bytes;
            last = caches[c].level - 1 > last ? caches[c].level - 1 : last;
        }
    }
    for (int r = 0; r < last; r++) {
        if (rows[r].published != 0) {
            rows[r].plateau = nearest(p, from, rows[r].published);
            rows[r].verdict = inner_verdict(p, rows[r].plateau, rows[r].published);
            from = rows[r].plateau >= 0 ? rows[r].plateau + 1 : from;
        }
    }
    if (last >= 0) {
        match_last(p, from, largest, &rows[last], memory);
    } else if (p->n > 0) {
        memory->plateau = (int)p->n - 1;
    }
    memory->verdict = memory->plateau >= 0 ? MEMBENCH_IS_MEMORY : MEMBENCH_NOT_REACHED;
}

const char *membench_verdict_text(enum membench_verdict v)
{
    static const char *const text[] = {
        "agrees",        "share obtained", "the curve ends inside it", "no plateau of its own",
        "not published", "differs",        "beyond the caches",        "not reached",
    };
    return text[v];
}
