/* The memory accesses that programs make most: all 32 lanes, their addresses on a line.
 *
 * Problem: looking up 32 addresses one by one costs more than ten arithmetic instructions. But in
 * most accesses the lanes' addresses grow by one step, over the whole warp or over each half of it
 * (a block 16 wide has two rows in a warp): neighbouring words, one and the same word, a column.
 * And an unrolled loop uses one address register again and again with other offsets.
 *
 * Model: a register of addresses is tested once: is each half warp a line, first + k · step? The
 * answer (struct vg_line) is kept for the rest of the straight stretch of code in which the
 * register does not change; the decoder knows that stretch (vg_lines.c) and gives every access but
 * the first the handler that does not look again. A line needs one look-up for its two ends and one
 * copy. In shared memory a full warp that is no line is gathered after one test of its largest
 * offset. All else is left to vg_ldst.c, faults as well.
 *
 * Invariants: nothing is written before every look-up has succeeded, so the general handler can
 * start over. Within a stretch the executing lanes do not change.
 */
#include <string.h>

#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_local.h"
#include "vg_mem.h"

#define HALF   16
#define INLINE static inline __attribute__((always_inline))

/* The lowest and the highest address, from the four ends. */
INLINE void find_span(struct vg_line *n)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (int h = 0; h < 2; h++) {
        uint64_t a = n->first[h], b = a + (uint64_t)(n->step[h] * (HALF - 1));
        low = a < low ? a : low;
        low = b < low ? b : low;
        high = a > high ? a : high;
        high = b > high ? b : high;
    }
    n->low = low;
    n->span = high - low;
    n->bits = n->first[0] | n->first[1] | (uint64_t)n->step[0] | (uint64_t)n->step[1];
}

INLINE void line_of_64(const uint64_t *a, struct vg_line *n)
{
    const uint64_t a0 = a[0], b0 = a[HALF];
    const int32_t s0 = (int32_t)(uint32_t)(a[1] - a0), s1 = (int32_t)(uint32_t)(a[HALF + 1] - b0);
    uint64_t off = 0;
    VG_SIMD for (int k = 0; k < HALF; k++)
    {
        off |= (a[k] - a0) ^ (uint64_t)((int64_t)k * s0);
        off |= (a[HALF + k] - b0) ^ (uint64_t)((int64_t)k * s1);
    }
    n->first[0] = a0;
    n->first[1] = b0;
    n->step[0] = s0;
    n->step[1] = s1;
    n->is_line = off == 0;
    find_span(n);
}

/* Steps of 32-bit addresses may wrap around; then the span is too long to be in shared memory. */
INLINE void line_of_32(const uint32_t *a, struct vg_line *n)
{
    const uint32_t a0 = a[0], b0 = a[HALF];
    const uint32_t s0 = a[1] - a0, s1 = a[HALF + 1] - b0;
    uint32_t off = 0;
    VG_SIMD for (uint32_t k = 0; k < HALF; k++)
    {
        off |= (a[k] - a0) ^ (k * s0);
        off |= (a[HALF + k] - b0) ^ (k * s1);
    }
    n->first[0] = a0;
    n->first[1] = b0;
    n->step[0] = (int32_t)s0;
    n->step[1] = (int32_t)s1;
    n->is_line = off == 0;
    find_span(n);
}

/* What to add to an address of the line to get at its bytes, `bytes` a lane; 0: not allowed, or
 * crooked. */
INLINE uint64_t reach_global(struct vg_warp *w, const struct vg_insn *i, const struct vg_line *n,
                             uint64_t bytes)
{
    const uint64_t imm = (uint64_t)i->imm;
    if (!n->is_line || ((n->bits | imm) & (bytes - 1)) != 0 ||
        vg_mem_at(&w->block->mem, n->low + imm, n->span + bytes) == NULL) {
        return 0;
    }
    return w->block->mem.delta + imm;
}

INLINE uint64_t reach_shared(struct vg_warp *w, const struct vg_insn *i, const struct vg_line *n,
                             uint64_t bytes)
{
    const struct vg_block *b = w->block;
    const uint64_t imm = (uint64_t)i->imm, span = n->span + bytes;
    if (!n->is_line || ((n->bits | imm) & (bytes - 1)) != 0 || span > b->shared_limit ||
        n->low + imm > b->shared_limit - span) {
        return 0;
    }
    return (uint64_t)(uintptr_t)b->shared + imm;
}

/* The other lanes of the half from its first one's place. */
#define AT(T, p, step, k) ((T *)(void *)((p) + (int64_t)(k) * (step)))

#define COPY_IN(T, d, p, step)                                                                     \
    do {                                                                                           \
        if ((step) == (int64_t)sizeof(T)) {                                                        \
            memcpy((d), (p), sizeof(T[HALF]));                                                     \
        } else if ((step) == 0) {                                                                  \
            const T one = *AT(const T, p, 0, 0);                                                   \
            VG_SIMD for (unsigned k = 0; k < HALF; k++)                                            \
            {                                                                                      \
                (d)[k] = one;                                                                      \
            }                                                                                      \
        } else {                                                                                   \
            for (unsigned k = 0; k < HALF; k++) {                                                  \
                (d)[k] = *AT(const T, p, step, k);                                                 \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Of lanes that store to one place the highest wins. */
#define COPY_OUT(T, p, s, step)                                                                    \
    do {                                                                                           \
        if ((step) == (int64_t)sizeof(T)) {                                                        \
            memcpy((p), (s), sizeof(T[HALF]));                                                     \
        } else {                                                                                   \
            for (unsigned k = 0; k < HALF; k++) {                                                  \
                *AT(T, p, step, k) = (s)[k];                                                       \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* A full warp whose offsets in shared memory are all allowed: one vector test, then a gather. */
INLINE bool gather_fits(const struct vg_warp *w, const struct vg_insn *i, uint32_t size)
{
    const uint32_t *a = VG_U32(w, i->a), imm = (uint32_t)i->imm;
    uint32_t most = 0, low = 0;
    VG_SIMD VG_FOR_LANES(l)
    {
        uint32_t off = a[l] + imm;
        most = off > most ? off : most;
        low |= off;
    }
    return w->exec == VG_FULL && most + (uint64_t)size <= w->block->shared_limit &&
           (low & (size - 1)) == 0;
}

#define GATHER(name, T)                                                                            \
    LAB_CLONES __attribute__((noinline)) static void name(struct vg_warp *w,                       \
                                                          const struct vg_insn *i)                 \
    {                                                                                              \
        const uint32_t *a = VG_U32(w, i->a), imm = (uint32_t)i->imm;                               \
        const T *base = (const T *)(const void *)w->block->shared;                                 \
        T got[VG_LANES];                                                                           \
        if (!gather_fits(w, i, sizeof(T))) {                                                       \
            vg_op_load(w, i);                                                                      \
            return;                                                                                \
        }                                                                                          \
        VG_SIMD VG_FOR_LANES(l)                                                                    \
        {                                                                                          \
            got[l] = base[(a[l] + imm) / sizeof(T)];                                               \
        }                                                                                          \
        memcpy(VG_REG(w, i->d, T), got, sizeof(got));                                              \
    }

GATHER(gather_shared_32, uint32_t)
GATHER(gather_shared_64, uint64_t)

INLINE const struct vg_line *find_line(struct vg_warp *w, const struct vg_insn *i, bool again,
                                       bool wide)
{
    struct vg_line *n = &w->m->lines[i->target];
    if (!again && w->exec != VG_FULL) {
        n->is_line = false;
    } else if (!again && wide) {
        line_of_64(VG_U64(w, i->a), n);
    } else if (!again) {
        line_of_32(VG_U32(w, i->a), n);
    }
    return n;
}

/* Sets n, the line, and `to`, from its addresses to bytes; 0 where the general handler must do it.
 * BYTES: of a lane's whole access. */
#define PLACES(REACH, BYTES, AGAIN, WIDE)                                                          \
    const struct vg_line *n = find_line(w, i, AGAIN, WIDE);                                        \
    const uint64_t to = REACH(w, i, n, BYTES);                                                     \
    uint8_t *q0 = (uint8_t *)(uintptr_t)(n->first[0] + to);                                        \
    uint8_t *q1 = (uint8_t *)(uintptr_t)(n->first[1] + to)

#define LOAD(name, T, REACH, AGAIN, WIDE, OTHERWISE)                                               \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, sizeof(T), AGAIN, WIDE);                                                     \
        T *d = VG_REG(w, i->d, T);                                                                 \
        if (to != 0) {                                                                             \
            COPY_IN(T, d, q0, n->step[0]);                                                         \
            COPY_IN(T, d + HALF, q1, n->step[1]);                                                  \
            return;                                                                                \
        }                                                                                          \
        OTHERWISE(w, i);                                                                           \
    }

#define STORE(name, T, REACH, AGAIN, WIDE)                                                         \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, sizeof(T), AGAIN, WIDE);                                                     \
        const T *s = VG_REG(w, i->d, T);                                                           \
        if (to != 0) {                                                                             \
            COPY_OUT(T, q0, s, n->step[0]);                                                        \
            COPY_OUT(T, q1, s + HALF, n->step[1]);                                                 \
            return;                                                                                \
        }                                                                                          \
        vg_op_store(w, i);                                                                         \
    }

/* Vectors of VEC words: word e of lane k lies at k · step + 4 e. */
#define LOAD_WORDS(name, VEC, REACH, AGAIN, WIDE)                                                  \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, 4 * (VEC), AGAIN, WIDE);                                                     \
        if (to == 0) {                                                                             \
            vg_op_load(w, i);                                                                      \
            return;                                                                                \
        }                                                                                          \
        const uint32_t *slots = vg_extra(w, i);                                                    \
        for (unsigned e = 0; e < (VEC); e++) {                                                     \
            uint32_t *d = VG_REG(w, slots[e], uint32_t);                                           \
            for (unsigned k = 0; k < HALF && slots[e] != VG_NO_SLOT; k++) {                        \
                d[k] = AT(const uint32_t, q0, n->step[0], k)[e];                                   \
                d[HALF + k] = AT(const uint32_t, q1, n->step[1], k)[e];                            \
            }                                                                                      \
        }                                                                                          \
    }

#define STORE_WORDS(name, VEC, REACH, AGAIN, WIDE)                                                 \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        PLACES(REACH, 4 * (VEC), AGAIN, WIDE);                                                     \
        if (to == 0) {                                                                             \
            vg_op_store(w, i);                                                                     \
            return;                                                                                \
        }                                                                                          \
        const uint32_t *slots = vg_extra(w, i);                                                    \
        for (unsigned e = 0; e < (VEC); e++) {                                                     \
            const uint32_t *s = VG_REG(w, slots[e], uint32_t);                                     \
            for (unsigned k = 0; k < HALF; k++) {                                                  \
                AT(uint32_t, q0, n->step[0], k)[e] = s[k];                                         \
            }                                                                                      \
            for (unsigned k = 0; k < HALF; k++) {                                                  \
                AT(uint32_t, q1, n->step[1], k)[e] = s[HALF + k];                                  \
            }                                                                                      \
        }                                                                                          \
    }

/* A kernel's parameter: one value for all lanes, at a place known when it was decoded. */
#define LOAD_PARAM(name, T)                                                                        \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        const struct vg_launch_state *s = w->block->launch;                                        \
        T one;                                                                                     \
        if (VG_U64(w, i->a)[0] != 0 || (uint64_t)i->imm + sizeof(T) > s->param_bytes) {            \
            vg_op_load(w, i);                                                                      \
            return;                                                                                \
        }                                                                                          \
        memcpy(&one, s->params + i->imm, sizeof(one));                                             \
        VG_STORE_LANES(T, v = one);                                                                \
    }

LOAD_PARAM(ld_param_32, uint32_t)
LOAD_PARAM(ld_param_64, uint64_t)

/* Words of local memory at one offset for all lanes: a row. */
INLINE uint32_t *row_of(struct vg_warp *w, const struct vg_insn *i)
{
    const uint64_t *a = VG_U64(w, i->a), first = a[0];
    const uint64_t at = first + (uint64_t)i->imm;
    uint64_t off = 0;
    VG_SIMD VG_FOR_LANES(l)
    {
        off |= a[l] ^ first;
    }
    if (w->exec != VG_FULL || off != 0 || (at & 3) != 0 || at + 4 > w->block->local_bytes ||
        at + 4 < at) {
        return NULL;
    }
    return vg_local_row(w, at);
}

VG_HANDLER(ld_local_32)
{
    const uint32_t *row = row_of(w, i);
    if (row == NULL) {
        vg_op_load(w, i);
        return;
    }
    memcpy(VG_U32(w, i->d), row, sizeof(uint32_t[VG_LANES]));
}

VG_HANDLER(st_local_32)
{
    uint32_t *row = row_of(w, i);
    if (row == NULL) {
        vg_op_store(w, i);
        return;
    }
    memcpy(row, VG_U32(w, i->d), sizeof(uint32_t[VG_LANES]));
}

/* Every access in two versions: the first of a stretch, and those that find its line again. */
LOAD(ld_global_32_first, uint32_t, reach_global, false, true, vg_op_load)
LOAD(ld_global_32_again, uint32_t, reach_global, true, true, vg_op_load)
LOAD(ld_global_64_first, uint64_t, reach_global, false, true, vg_op_load)
LOAD(ld_global_64_again, uint64_t, reach_global, true, true, vg_op_load)
LOAD(ld_shared_32_first, uint32_t, reach_shared, false, false, gather_shared_32)
LOAD(ld_shared_32_again, uint32_t, reach_shared, true, false, gather_shared_32)
LOAD(ld_shared_64_first, uint64_t, reach_shared, false, false, gather_shared_64)
LOAD(ld_shared_64_again, uint64_t, reach_shared, true, false, gather_shared_64)
STORE(st_global_32_first, uint32_t, reach_global, false, true)
STORE(st_global_32_again, uint32_t, reach_global, true, true)
STORE(st_global_64_first, uint64_t, reach_global, false, true)
STORE(st_global_64_again, uint64_t, reach_global, true, true)
STORE(st_shared_32_first, uint32_t, reach_shared, false, false)
STORE(st_shared_32_again, uint32_t, reach_shared, true, false)
STORE(st_shared_64_first, uint64_t, reach_shared, false, false)
STORE(st_shared_64_again, uint64_t, reach_shared, true, false)
LOAD_WORDS(ld_global_v2_first, 2, reach_global, false, true)
LOAD_WORDS(ld_global_v2_again, 2, reach_global, true, true)
LOAD_WORDS(ld_global_v4_first, 4, reach_global, false, true)
LOAD_WORDS(ld_global_v4_again, 4, reach_global, true, true)
LOAD_WORDS(ld_shared_v2_first, 2, reach_shared, false, false)
LOAD_WORDS(ld_shared_v2_again, 2, reach_shared, true, false)
LOAD_WORDS(ld_shared_v4_first, 4, reach_shared, false, false)
LOAD_WORDS(ld_shared_v4_again, 4, reach_shared, true, false)
STORE_WORDS(st_global_v2_first, 2, reach_global, false, true)
STORE_WORDS(st_global_v2_again, 2, reach_global, true, true)
STORE_WORDS(st_global_v4_first, 4, reach_global, false, true)
STORE_WORDS(st_global_v4_again, 4, reach_global, true, true)
STORE_WORDS(st_shared_v2_first, 2, reach_shared, false, false)
STORE_WORDS(st_shared_v2_again, 2, reach_shared, true, false)
STORE_WORDS(st_shared_v4_first, 4, reach_shared, false, false)
STORE_WORDS(st_shared_v4_again, 4, reach_shared, true, false)

struct fast {
    enum ptx_space space;
    uint32_t addr64; /* VG_MEM_ADDR64, or 0 */
    unsigned size, vec;
    struct vg_fast load, store;
};

#define ROW(space, wide, size, vec, name)                                                          \
    {                                                                                              \
        space, wide, size, vec, {ld_##name##_first, ld_##name##_again},                            \
        {                                                                                          \
            st_##name##_first, st_##name##_again                                                   \
        }                                                                                          \
    }

static const struct fast table[] = {
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 4, 1, global_32),
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 8, 1, global_64),
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 4, 2, global_v2),
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 4, 4, global_v4),
    ROW(PTX_SPACE_SHARED, 0, 4, 1, shared_32),
    ROW(PTX_SPACE_SHARED, 0, 8, 1, shared_64),
    ROW(PTX_SPACE_SHARED, 0, 4, 2, shared_v2),
    ROW(PTX_SPACE_SHARED, 0, 4, 4, shared_v4),
    {PTX_SPACE_CONST, VG_MEM_ADDR64, 4, 1, {ld_global_32_first, ld_global_32_again}, {NULL, NULL}},
    {PTX_SPACE_CONST, VG_MEM_ADDR64, 8, 1, {ld_global_64_first, ld_global_64_again}, {NULL, NULL}},
    {PTX_SPACE_LOCAL, VG_MEM_ADDR64, 4, 1, {ld_local_32, NULL}, {st_local_32, NULL}},
};

struct vg_fast vg_fast_access(const struct vg_insn *i)
{
    const struct vg_fast none = {NULL, NULL};
    const unsigned size = vg_mem_size(i);
    const bool load = vg_mem_kind(i) == VG_LOAD;
    if (vg_mem_reg(i) != size || (i->mods & VG_MEM_POLLS) != 0) {
        return none;
    }
    enum ptx_space space = vg_mem_space(i);
    if ((i->mods & VG_MEM_FRAME) != 0) {
        space = PTX_SPACE_LOCAL;
    } else if (space == PTX_SPACE_PARAM && load && vg_mem_vec(i) == 1) {
        return (struct vg_fast){size == 4 ? ld_param_32 : size == 8 ? ld_param_64 : NULL, NULL};
    }
    for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++) {
        const struct fast *f = &table[k];
        if (f->space == space && f->addr64 == (i->mods & VG_MEM_ADDR64) && f->size == size &&
            f->vec == vg_mem_vec(i)) {
            return load ? f->load : f->store;
        }
    }
    return none;
}
