/* Published figures beside the counted ones.
 *
 * Model: a row is a case of vg_demo_cases.c, a quotient of two of its counters, and the figure that
 * a profiler printed on hardware, or that the rule gives. They must agree in every digit published:
 * counters are whole numbers, so the quotient is compared as one.
 * Simplified: hardware adds about 0.02 % of conflicts from arbitration to large totals.
 */
#include "vg_cmd_tables.h"
#include "vg_demo.h"

struct quotient {
    uint64_t part, whole;
};

static struct quotient load_efficiency(const struct vg_counts *c)
{
    return (struct quotient){100 * c->global_ld_bytes, 32 * c->global_ld_sectors};
}

static struct quotient load_sectors(const struct vg_counts *c)
{
    return (struct quotient){c->global_ld_sectors, c->global_ld_requests};
}

static struct quotient store_sectors(const struct vg_counts *c)
{
    return (struct quotient){c->global_st_sectors, c->global_st_requests};
}

static struct quotient load_ideal(const struct vg_counts *c)
{
    return (struct quotient){c->global_ld_ideal, c->global_ld_requests};
}

static struct quotient load_excess(const struct vg_counts *c)
{
    return (struct quotient){100 * (c->global_ld_sectors - c->global_ld_ideal),
                             c->global_ld_sectors};
}

static struct quotient wavefronts(const struct vg_counts *c)
{
    return (struct quotient){c->shared_ld_wavefronts, c->shared_ld_requests};
}

static struct quotient conflicts(const struct vg_counts *c)
{
    return (struct quotient){c->shared_ld_conflicts, c->shared_ld_requests};
}

static struct quotient all_wavefronts(const struct vg_counts *c)
{
    return (struct quotient){c->shared_ld_wavefronts, 1};
}

static struct quotient all_conflicts(const struct vg_counts *c)
{
    return (struct quotient){c->shared_ld_conflicts, 1};
}

#define EFFICIENCY "gld_efficiency %"
#define LD         "sectors/load"
#define ST         "sectors/store"
#define WAVE       "wavefronts/load"
#define CONFLICT   "conflicts/load"

/* Published figures as hundredths, so that they are whole numbers too. */
static const struct row {
    const char *what, *which, *metric;
    struct quotient (*of)(const struct vg_counts *c);
    uint64_t hundredths;
    bool hardware;
} rows[] = {
    {"neighbouring pairs, 128 threads", "reduce_neighbored", EFFICIENCY, load_efficiency, 2510,
     true},
    {"interleaved pairs, 128 threads", "reduce_interleaved", EFFICIENCY, load_efficiency, 8615,
     true},
    {"LDS.128, bad layout", "lds128_bad", WAVE, wavefronts, 3200, true},
    {"LDS.128, bad layout", "lds128_bad", CONFLICT, conflicts, 2800, true},
    {"LDS.128, swizzled", "lds128_swizzled", WAVE, wavefronts, 400, true},
    {"LDS.128, swizzled", "lds128_swizzled", CONFLICT, conflicts, 0, true},
    {"32 x 32 floats by rows", "tile_rows", "wavefronts", all_wavefronts, 3200, true},
    {"32 x 32 floats by rows", "tile_rows", "conflicts", all_conflicts, 0, true},
    {"by columns", "tile_columns", "wavefronts", all_wavefronts, 102400, true},
    {"by columns", "tile_columns", "conflicts", all_conflicts, 99200, true},
    {"by columns, float4", "tile_columns_float4", "wavefronts", all_wavefronts, 25600, true},
    {"by columns, float4", "tile_columns_float4", "conflicts", all_conflicts, 22400, true},
    {"four float4 in a row a thread", "sum_float4x4", "excess, %", load_excess, 5000, true},
    {"four float4 in a row a thread", "sum_float4x4", LD, load_sectors, 3200, false},
    {"four float4 in a row a thread", "sum_float4x4", "ideal", load_ideal, 1600, false},
    {"double3, one field", "add_aos_double3", LD, load_sectors, 2400, false},
    {"double3, one field", "add_aos_double3", "ideal", load_ideal, 800, false},
    {"double, array of its own", "add_soa_double", LD, load_sectors, 800, false},
    {"stride 1", "copy_strided 1", LD, load_sectors, 400, false},
    {"stride 1", "copy_strided 1", ST, store_sectors, 400, false},
    {"stride 2", "copy_strided 2", LD, load_sectors, 800, false},
    {"stride 4", "copy_strided 4", LD, load_sectors, 1600, false},
    {"stride 8", "copy_strided 8", LD, load_sectors, 3200, false},
    {"stride 32", "copy_strided 32", LD, load_sectors, 3200, false},
    {"stride 32", "copy_strided 32", ST, store_sectors, 3200, false},
    {"off by one word", "copy_misaligned 1", LD, load_sectors, 500, false},
    {"one word for all lanes", "copy_broadcast", LD, load_sectors, 100, false},
    {"float4 a lane", "copy_float4", LD, load_sectors, 1600, false},
    {"array of 3 floats, one field", "scale_aos", LD, load_sectors, 1200, false},
    {"array of its own", "scale_soa", LD, load_sectors, 400, false},
    {"tile [32][32] down a column", "tile_columns", WAVE, wavefronts, 3200, false},
    {"tile [32][33] down a column", "tile_columns_padded", WAVE, wavefronts, 100, false},
};

/* A percentage was printed with two digits; the rest are exact. */
static bool agrees(const struct row *r, struct quotient q)
{
    if (q.whole == 0) {
        return false;
    }
    if (r->of == load_efficiency) {
        return (200 * q.part + q.whole) / (2 * q.whole) == r->hundredths;
    }
    return 100 * q.part == r->hundredths * q.whole;
}

void vg_demo_published(struct lab_run *run, const struct vg_outcome *outcomes)
{
    struct lab_table *t = lab_run_table(run, &vg_table_published);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *r = &rows[i];
        struct quotient q = r->of(&outcomes[vg_case_find(r->which)].sum);
        bool equal = agrees(r, q);
        lab_table_str(t, r->what);
        lab_table_str(t, r->metric);
        lab_table_real(t, (double)r->hundredths / 100);
        vg_put_ratio(t, (double)q.part, q.whole);
        lab_table_str(t, equal ? "yes" : "NO");
        lab_table_str(t, r->hardware ? "hardware" : "rule");
        lab_run_check(run, equal, "%s, %s: counted what is published", r->what, r->metric);
    }
}
