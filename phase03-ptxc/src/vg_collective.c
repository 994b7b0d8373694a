/* What shuffles, votes, matches and reductions compute.
 *
 * All are functions from what the lanes bring to what they get (PTX ISA 9.0, 9.7.13 and 9.7.9.5,
 * shfl.sync, vote.sync, match.sync, redux.sync, elect.sync). A lane that does not take part brings
 * the value of its register; reading it is undefined in PTX.
 */
#include "vg_lanes.h"
#include "vg_warpops.h"

static void shuffle(enum vg_collective op, struct vg_exchange *x)
{
    x->p = 0;
    for (uint32_t l = 0; l < VG_LANES; l++) {
        bool in_range = false;
        uint32_t from = vg_shfl_source(op, l, x->b[l], x->c[l], &in_range);
        x->d[l] = (uint32_t)x->a[from];
        x->p |= (in_range ? 1u : 0u) << l;
    }
}

static void all_lanes(struct vg_exchange *x, uint32_t v)
{
    VG_FOR_LANES(l)
    {
        x->d[l] = v;
    }
}

static void vote(enum vg_collective op, struct vg_exchange *x)
{
    uint32_t yes = 0;
    VG_FOR_LANES(l)
    {
        yes |= (x->a[l] != 0 ? 1u : 0u) << l;
    }
    yes &= x->lanes;
    bool all = yes == x->lanes, any = yes != 0;
    bool result = op == VG_VOTE_ALL ? all : op == VG_VOTE_ANY ? any : all || !any;
    x->p = result ? VG_FULL : 0;
    all_lanes(x, yes);
}

static void match(enum vg_collective op, struct vg_exchange *x)
{
    uint64_t first = x->a[__builtin_ctz(x->lanes)];
    bool all = true;
    uint32_t m = x->lanes;
    VG_FOR_MASK(l, m)
    {
        uint32_t same = 0, n = x->lanes;
        VG_FOR_MASK(k, n)
        {
            same |= x->a[k] == x->a[l] ? 1u << k : 0;
        }
        x->d[l] = same;
        all = all && x->a[l] == first;
    }
    if (op == VG_MATCH_ALL) {
        all_lanes(x, all ? x->lanes : 0);
        x->p = all ? VG_FULL : 0;
    }
}

static uint32_t combine(enum vg_collective op, uint32_t a, uint32_t b)
{
    switch (op) {
    case VG_REDUX_ADD: return a + b;
    case VG_REDUX_MIN_U: return a < b ? a : b;
    case VG_REDUX_MAX_U: return a > b ? a : b;
    case VG_REDUX_MIN_S: return (int32_t)a < (int32_t)b ? a : b;
    case VG_REDUX_MAX_S: return (int32_t)a > (int32_t)b ? a : b;
    case VG_REDUX_AND: return a & b;
    case VG_REDUX_OR: return a | b;
    default: return a ^ b;
    }
}

static void reduce(enum vg_collective op, struct vg_exchange *x)
{
    uint32_t m = x->lanes & (x->lanes - 1);
    uint32_t sum = (uint32_t)x->a[__builtin_ctz(x->lanes)];
    VG_FOR_MASK(l, m)
    {
        sum = combine(op, sum, (uint32_t)x->a[l]);
    }
    all_lanes(x, sum);
}

void vg_collective(enum vg_collective op, struct vg_exchange *x)
{
    switch (op) {
    case VG_SHFL_UP:
    case VG_SHFL_DOWN:
    case VG_SHFL_BFLY:
    case VG_SHFL_IDX: shuffle(op, x); break;
    case VG_VOTE_ALL:
    case VG_VOTE_ANY:
    case VG_VOTE_UNI:
    case VG_VOTE_BALLOT: vote(op, x); break;
    case VG_MATCH_ANY:
    case VG_MATCH_ALL: match(op, x); break;
    case VG_ELECT:
        all_lanes(x, (uint32_t)__builtin_ctz(x->lanes));
        x->p = x->lanes & -x->lanes;
        break;
    case VG_WARP_BARRIER: break;
    default: reduce(op, x); break;
    }
}
