/* The problem: the deterministic half of the lab: counts from the cache simulator, and arithmetic
 * on published figures.
 *
 * Invariants: every row of the model obeys the conservation laws of a cache; where a closed form
 * exists it is compared as well, so a wrong golden cannot pass alone.
 */
#include <stdio.h>
#include <string.h>

#include "membench_ctx.h"
#include "membench_spec.h"
#include "membench_streams.h"
#include "membench_tables.h"

#define FLOAT 4

static struct membench_cache_config cache_config(const struct membench_opts *o)
{
    return (struct membench_cache_config){
        .nlevels = 2,
        .level = {{(size_t)o->l1, (size_t)o->l1_ways}, {(size_t)o->l2, (size_t)o->l2_ways}},
        .line = MEMBENCH_LINE,
        .tlb_entries = (size_t)o->tlb,
        .tlb_ways = (size_t)o->tlb_ways,
        .page = 4096,
    };
}

static void put_counts(struct lab_table *t, const struct membench_sim_stream *s,
                       const struct membench_sim_result *r)
{
    char size[MEMBENCH_SIZE_TEXT];
    bool bytes = s->kind == MEMBENCH_SIM_CHASE_RANDOM || s->kind == MEMBENCH_SIM_CHASE_SEQUENTIAL;
    if (bytes) {
        (void)membench_size_text(s->size, size);
    } else {
        (void)snprintf(size, sizeof(size), "%zu", s->size);
    }
    const uint64_t cells[] = {
        r->accesses,      r->level[0].hits,   r->level[0].misses,     r->level[0].writebacks,
        r->level[1].hits, r->level[1].misses, r->level[1].writebacks, r->tlb.misses,
        r->memory_bytes,
    };
    lab_table_str(t, s->name);
    lab_table_str(t, size);
    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
        lab_table_int(t, (int64_t)cells[i]);
    }
}

static void check_conservation(struct lab_run *run, const struct membench_sim_stream *s,
                               const struct membench_sim_result *r)
{
    const struct membench_counts *l1 = &r->level[0], *l2 = &r->level[1];
    lab_run_check(run, l1->hits + l1->misses == r->accesses,
                  "%s %zu: hits + misses of the first level are the accesses", s->name, s->size);
    lab_run_check(run, l2->hits + l2->misses == l1->misses,
                  "%s %zu: hits + misses of the second level are the first's misses", s->name,
                  s->size);
}

/* Closed forms: a ring under LRU, a stride over cold memory, the 16 bytes a vector_add moves per
 * element. */
static void check_closed_form(struct lab_run *run, const struct membench_cache_config *cfg,
                              const struct membench_sim_stream *s,
                              const struct membench_sim_result *r)
{
    size_t sets = cfg->level[0].bytes / cfg->line / cfg->level[0].ways;
    if (s->kind == MEMBENCH_SIM_CHASE_RANDOM || s->kind == MEMBENCH_SIM_CHASE_SEQUENTIAL) {
        uint64_t want = membench_ring_misses(s->size / cfg->line, sets, cfg->level[0].ways);
        lab_run_check(run, r->level[0].misses == want,
                      "%s %zu: %llu misses a pass, as sets and ways say", s->name, s->size,
                      (unsigned long long)want);
    } else if (s->kind == MEMBENCH_SIM_STRIDE) {
        size_t step = s->size * FLOAT < cfg->line ? cfg->line : s->size * FLOAT;
        uint64_t want = ((uint64_t)1 << 20) / step;
        lab_run_check(run, r->level[0].misses == want, "stride %zu: one miss per line touched",
                      s->size);
    } else if (s->kind == MEMBENCH_SIM_VECTOR_ADD) {
        /* With fewer ways than streams they may drop each other's lines before these are done. */
        bool apart = cfg->level[0].ways >= 3;
        uint64_t least = 16 * (uint64_t)s->size;
        lab_run_check(run, apart ? r->memory_bytes == least : r->memory_bytes >= least,
                      "vector_add moves %s16 bytes per element for the 12 it counts",
                      apart ? "" : "at least ");
    }
}

static double book_intensity(const struct membench_sim_stream *s)
{
    switch (s->kind) {
    case MEMBENCH_SIM_VECTOR_ADD: return 1.0 / 12;
    case MEMBENCH_SIM_MATMUL_NAIVE: return 2.0 / 8;
    case MEMBENCH_SIM_MATMUL_TILED: return (double)s->tile / 6;
    default: return 0;
    }
}

static void put_intensity(struct lab_table *t, const struct membench_sim_stream *s,
                          const struct membench_sim_result *r)
{
    uint64_t l1_bytes = (r->level[0].misses + r->level[0].writebacks) * MEMBENCH_LINE;
    lab_table_str(t, s->name);
    lab_table_int(t, (int64_t)r->flop);
    lab_table_real(t, book_intensity(s));
    lab_table_int(t, (int64_t)l1_bytes);
    lab_table_real(t, r->flop / (double)l1_bytes);
    lab_table_real(t, r->flop / (double)r->memory_bytes);
}

int membench_verb_model(struct lab_run *run, struct lab_err *err)
{
    struct membench_cache_config cfg = cache_config(run->opts);
    size_t n;
    const struct membench_sim_stream *streams = membench_sim_streams(&n);
    struct membench_sim_result results[32];
    LAB_ASSERT(n <= 32);
    struct lab_table *t = lab_run_table(run, &membench_table_model);
    for (size_t i = 0; i < n; i++) {
        if (membench_sim_run(&streams[i], &cfg, run->seed, &results[i], err) < 0) {
            return -1;
        }
        put_counts(t, &streams[i], &results[i]);
        check_conservation(run, &streams[i], &results[i]);
        check_closed_form(run, &cfg, &streams[i], &results[i]);
    }
    t = lab_run_table(run, &membench_table_intensity);
    for (size_t i = 0; i < n; i++) {
        if (results[i].flop > 0) {
            put_intensity(t, &streams[i], &results[i]);
        }
    }
    return 0;
}

static void put_chip(struct lab_table *t, const struct membench_chip *c, double weights_gb)
{
    lab_table_str(t, c->name);
    lab_table_real(t, c->bf16_tflops.value);
    lab_table_int(t, (int64_t)c->mem_gb.value);
    lab_table_int(t, (int64_t)c->mem_gbs.value);
    lab_table_real(t, membench_chip_ridge(c));
    lab_table_int(t, (int64_t)c->link_gbs.value);
    lab_table_real(t, c->mem_gbs.value / (c->link_gbs.value / 2));
    lab_table_int(t, (int64_t)c->power_w.value);
    lab_table_real(t, membench_decode_ceiling(c, weights_gb));
    lab_table_str(t, weights_gb <= c->mem_gb.value ? "yes" : "no");
}

static void put_sources(struct lab_table *t, const struct membench_chip *c)
{
    const struct {
        const char *what;
        const struct membench_figure *figure;
    } rows[] = {
        {"bf16_TFLOP/s", &c->bf16_tflops}, {"mem_GB", &c->mem_gb},   {"mem_GB/s", &c->mem_gbs},
        {"link_GB/s", &c->link_gbs},       {"power_W", &c->power_w},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lab_table_str(t, c->name);
        lab_table_str(t, rows[i].what);
        lab_table_real(t, rows[i].figure->value);
        lab_table_str(t, rows[i].figure->source);
    }
}

static int unknown_chip(const char *name, struct lab_err *err)
{
    char names[256] = "";
    size_t n, used = 0;
    const struct membench_chip *chips = membench_chips(&n);
    for (size_t i = 0; i < n && used < sizeof(names); i++) {
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i > 0 ? ", " : "",
                                 chips[i].name);
    }
    return lab_err_input(err, "--chip '%s': expected one of %s", name, names);
}

int membench_verb_spec(struct lab_run *run, struct lab_err *err)
{
    const struct membench_opts *o = run->opts;
    if (!(o->weights_gb > 0)) {
        return lab_err_input(err, "--weights-gb %g: expected a number above 0", o->weights_gb);
    }
    size_t n;
    const struct membench_chip *chips = membench_chips(&n);
    if (o->chip != NULL) {
        chips = membench_chip_find(o->chip);
        n = 1;
        if (chips == NULL) {
            return unknown_chip(o->chip, err);
        }
    }
    struct lab_table *t = lab_run_table(run, &membench_table_spec);
    for (size_t i = 0; i < n; i++) {
        put_chip(t, &chips[i], o->weights_gb);
        lab_run_check(run, membench_chip_ridge(&chips[i]) > 1,
                      "%s: decoding one sequence (1 FLOP/byte) is memory-bound", chips[i].name);
    }
    t = lab_run_table(run, &membench_table_sources);
    for (size_t i = 0; i < n; i++) {
        put_sources(t, &chips[i]);
    }
    return 0;
}
