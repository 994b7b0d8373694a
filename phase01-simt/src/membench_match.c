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
#include <stdbool.h>

/* Memory is at least twice as far as the last level; the TLB makes larger rings a little slower. */
#define SAME_LEVEL 1.5

/* The edge of a plateau: between the last size that fits and the first that does not. */
static double edge(const struct membench_plateau *p)
{
    return p->spills != 0 ? sqrt((double)p->holds * (double)p->spills) : (double)p->holds;
}

/* The first plateau from `from` on that ends at no more than twice `bytes`, or −1. */
static int first_within(const struct membench_plateaus *p, int from, size_t bytes)
{
    for (int i = from; i < (int)p->n; i++) {
        if (p->at[i].spills != 0 && edge(&p->at[i]) <= 2 * (double)bytes) {
            return i;
        }
    }
    return -1;
}

static enum membench_verdict inner_verdict(const struct membench_plateaus *p, int i, size_t bytes)
{
    if (i < 0) {
        return MEMBENCH_UNSEEN;
    }
    double off = fabs(log(edge(&p->at[i]) / (double)bytes));
    return off <= log(2) ? MEMBENCH_AGREES : MEMBENCH_DIFFERS;
}

/* Is the highest plateau memory, and not the last level? */
static bool top_is_memory(const struct membench_match_in *in, int left, size_t published)
{
    if (left == 0) {
        return false;
    }
    const struct membench_plateau *top = &in->found->at[in->found->n - 1];
    if (in->beyond_ns > 0) {
        return fabs(log(top->ns / in->beyond_ns)) <= log(SAME_LEVEL);
    }
    return left >= 2 || (top->spills == 0 && in->largest > published);
}

static void match_last(const struct membench_match_in *in, int from,
                       struct membench_match_row *cache, struct membench_match_row *memory)
{
    const struct membench_plateaus *p = in->found;
    int left = (int)p->n - from;
    cache->verdict = MEMBENCH_UNSEEN;
    if (top_is_memory(in, left, cache->published)) {
        memory->plateau = (int)p->n - 1;
        left--;
        if (left == 0 && p->at[memory->plateau].starts < cache->published) {
            cache->verdict = MEMBENCH_SLOPE;
            cache->below = p->at[memory->plateau].starts;
        }
    }
    if (left == 0) {
        return;
    }
    cache->plateau = from;
    cache->verdict = inner_verdict(p, from, cache->published);
    if (p->at[from].spills == 0) {
        cache->verdict = MEMBENCH_INSIDE;
    } else if (cache->verdict != MEMBENCH_AGREES && edge(&p->at[from]) < (double)cache->published) {
        cache->verdict = MEMBENCH_SHARE;
    }
}

/* Is plateau `i` the last one, still flat where the curve ends, and the curve no longer than this
 * level? */
static bool ends_inside(const struct membench_match_in *in, int i, size_t published)
{
    return i == (int)in->found->n - 1 && in->found->at[i].spills == 0 && in->largest <= published;
}

static void not_reached(struct membench_match_row rows[MEMBENCH_ROWS], int from)
{
    for (int r = from; r < MEMBENCH_ROWS; r++) {
        if (rows[r].published != 0 || r == MEMBENCH_ROWS - 1) {
            rows[r].verdict = MEMBENCH_NOT_REACHED;
        }
    }
}

void membench_match(const struct membench_match_in *in,
                    struct membench_match_row rows[MEMBENCH_ROWS])
{
    struct membench_match_row *memory = &rows[MEMBENCH_ROWS - 1];
    int last = -1, from = 0;
    for (int r = 0; r < MEMBENCH_ROWS; r++) {
        rows[r] = (struct membench_match_row){.plateau = -1, .verdict = MEMBENCH_ABSENT};
    }
    for (size_t c = 0; c < in->ncaches; c++) {
        int r = in->caches[c].level - 1;
        if (r >= 0 && r < MEMBENCH_ROWS - 1) {
            rows[r].published = in->caches[c].bytes;
            last = r > last ? r : last;
        }
    }
    for (int r = 0; r < last; r++) {
        if (rows[r].published != 0 && ends_inside(in, from, rows[r].published)) {
            rows[r].plateau = from;
            rows[r].verdict = MEMBENCH_INSIDE;
            not_reached(rows, r + 1);
            return;
        }
        if (rows[r].published != 0) {
            rows[r].plateau = first_within(in->found, from, rows[r].published);
            rows[r].verdict = inner_verdict(in->found, rows[r].plateau, rows[r].published);
            /* Above the first level a neighbour on the same core may hold the rest. */
            rows[r].verdict =
                r > 0 && rows[r].verdict == MEMBENCH_DIFFERS ? MEMBENCH_SHARE : rows[r].verdict;
            from = rows[r].plateau >= 0 ? rows[r].plateau + 1 : from;
        }
    }
    if (last >= 0) {
        match_last(in, from, &rows[last], memory);
    } else if (in->found->n > 0) {
        memory->plateau = (int)in->found->n - 1;
    }
    memory->verdict = memory->plateau >= 0 ? MEMBENCH_IS_MEMORY : MEMBENCH_NOT_REACHED;
}

const char *membench_verdict_text(enum membench_verdict v)
{
    static const char *const text[] = {
        "agrees",
        "share obtained",
        "share obtained, no flat part",
        "the curve ends inside it",
        "no plateau of its own",
        "not published",
        "differs",
        "beyond the caches",
        "not reached",
    };
    return text[v];
}
