/* The warp instructions that programs use most, for a whole warp that is together: shuffles and
 * votes of 32 lanes with a full member mask.
 *
 * vg_op_collective does the same and everything else; this is the way without copying operands to
 * and fro. A shuffle is two loops: where each lane reads from (the rule of vg_shfl.c, in a form
 * that the compiler turns into vector instructions), and the permutation.
 */
#include <string.h>

#include "vg_lanes.h"
#include "vg_warpops.h"

/* All 32 lanes execute and every one names all. */
static inline bool whole_warp(const struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *members = VG_U32(w, i->extra);
    uint32_t all = VG_FULL;
    VG_SIMD VG_FOR_LANES(l)
    {
        all &= members[l];
    }
    return w->exec == VG_FULL && all == VG_FULL;
}

#define SHUFFLE(name, source, in_range)                                                            \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        if (!whole_warp(w, i)) {                                                                   \
            vg_op_collective(w, i);                                                                \
            return;                                                                                \
        }                                                                                          \
        const uint32_t *vg_a = VG_U32(w, i->a);                                                    \
        const uint32_t *vg_b = VG_U32(w, i->b), *vg_c = VG_U32(w, i->c);                           \
        uint32_t from[VG_LANES], got[VG_LANES], ok = 0;                                            \
        _Pragma("omp simd reduction(| : ok)") for (int32_t l = 0; l < VG_LANES; l++)               \
        {                                                                                          \
            const int32_t b = (int32_t)(vg_b[l] & 31), segment = (int32_t)(vg_c[l] >> 8 & 31);     \
            const int32_t limit = (l & segment) | ((int32_t)(vg_c[l] & 31) & ~segment);            \
            const int32_t s = (source);                                                            \
            const bool fits = (in_range);                                                          \
            from[l] = (uint32_t)(fits ? s : l);                                                    \
            ok |= (fits ? 1u : 0u) << l;                                                           \
        }                                                                                          \
        VG_SIMD VG_FOR_LANES(l)                                                                    \
        {                                                                                          \
            got[l] = vg_a[from[l]];                                                                \
        }                                                                                          \
        if (i->d != VG_NO_SLOT) {                                                                  \
            memcpy(VG_U32(w, i->d), got, sizeof(got));                                             \
        }                                                                                          \
        if (i->e != VG_NO_SLOT) {                                                                  \
            VG_PRED(w, i->e) = ok;                                                                 \
        }                                                                                          \
    }

SHUFFLE(shfl_up, l - b, s >= limit)
SHUFFLE(shfl_down, l + b, s <= limit)
SHUFFLE(shfl_bfly, l ^ b, s <= limit)
SHUFFLE(shfl_idx, (l & segment) | (b & ~segment), s <= limit)

VG_HANDLER(vote)
{
    if (!whole_warp(w, i)) {
        vg_op_collective(w, i);
        return;
    }
    const uint32_t p = VG_PRED(w, i->a), yes = (i->mods & VG_COLL_NEGATED) != 0 ? ~p : p;
    switch ((enum vg_collective)(i->mods & VG_COLL_OP)) {
    case VG_VOTE_ALL: VG_PRED(w, i->d) = yes == VG_FULL ? VG_FULL : 0; break;
    case VG_VOTE_ANY: VG_PRED(w, i->d) = yes != 0 ? VG_FULL : 0; break;
    case VG_VOTE_UNI: VG_PRED(w, i->d) = yes == VG_FULL || yes == 0 ? VG_FULL : 0; break;
    default: VG_STORE_LANES(uint32_t, v = yes); break;
    }
}

vg_handler vg_fast_collective(const struct vg_insn *i)
{
    if ((i->mods & VG_COLL_SYNC) == 0) {
        return vg_op_collective;
    }
    switch ((enum vg_collective)(i->mods & VG_COLL_OP)) {
    case VG_SHFL_UP: return shfl_up;
    case VG_SHFL_DOWN: return shfl_down;
    case VG_SHFL_BFLY: return shfl_bfly;
    case VG_SHFL_IDX: return shfl_idx;
    case VG_VOTE_ALL:
    case VG_VOTE_ANY:
    case VG_VOTE_UNI:
    case VG_VOTE_BALLOT: return vote;
    default: return vg_op_collective;
    }
}
