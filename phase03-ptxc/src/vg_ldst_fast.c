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
#include "vg_line.h"
#include "vg_local.h"

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
#define BOTH_LOADS(name, T, REACH, WIDE, OTHERWISE)                                                \
    LOAD(name##_first, T, REACH, false, WIDE, OTHERWISE)                                           \
    LOAD(name##_again, T, REACH, true, WIDE, OTHERWISE)
#define BOTH_STORES(name, T, REACH, WIDE)                                                          \
    STORE(name##_first, T, REACH, false, WIDE)                                                     \
    STORE(name##_again, T, REACH, true, WIDE)

BOTH_LOADS(ld_global_16, uint16_t, reach_global, true, vg_op_load)
BOTH_LOADS(ld_global_32, uint32_t, reach_global, true, vg_op_load)
BOTH_LOADS(ld_global_64, uint64_t, reach_global, true, vg_op_load)
BOTH_LOADS(ld_generic_16, uint16_t, reach_generic, true, vg_op_load)
BOTH_LOADS(ld_generic_32, uint32_t, reach_generic, true, vg_op_load)
BOTH_LOADS(ld_generic_64, uint64_t, reach_generic, true, vg_op_load)
BOTH_LOADS(ld_shared_16, uint16_t, reach_shared, false, vg_op_load)
BOTH_LOADS(ld_shared_32, uint32_t, reach_shared, false, gather_shared_32)
BOTH_LOADS(ld_shared_64, uint64_t, reach_shared, false, gather_shared_64)
BOTH_STORES(st_global_16, uint16_t, reach_global, true)
BOTH_STORES(st_global_32, uint32_t, reach_global, true)
BOTH_STORES(st_global_64, uint64_t, reach_global, true)
BOTH_STORES(st_generic_16, uint16_t, reach_generic, true)
BOTH_STORES(st_generic_32, uint32_t, reach_generic, true)
BOTH_STORES(st_generic_64, uint64_t, reach_generic, true)
BOTH_STORES(st_shared_16, uint16_t, reach_shared, false)
BOTH_STORES(st_shared_32, uint32_t, reach_shared, false)
BOTH_STORES(st_shared_64, uint64_t, reach_shared, false)

#define ROW(space, wide, size, name)                                                               \
    {                                                                                              \
        space, wide, size, 1, {ld_##name##_first, ld_##name##_again},                              \
        {                                                                                          \
            st_##name##_first, st_##name##_again                                                   \
        }                                                                                          \
    }

static const struct vg_fast_row words[] = {
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 2, global_16),
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 4, global_32),
    ROW(PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 8, global_64),
    ROW(PTX_SPACE_GENERIC, VG_MEM_ADDR64, 2, generic_16),
    ROW(PTX_SPACE_GENERIC, VG_MEM_ADDR64, 4, generic_32),
    ROW(PTX_SPACE_GENERIC, VG_MEM_ADDR64, 8, generic_64),
    ROW(PTX_SPACE_SHARED, 0, 2, shared_16),
    ROW(PTX_SPACE_SHARED, 0, 4, shared_32),
    ROW(PTX_SPACE_SHARED, 0, 8, shared_64),
    {PTX_SPACE_CONST, VG_MEM_ADDR64, 4, 1, {ld_global_32_first, ld_global_32_again}, {NULL, NULL}},
    {PTX_SPACE_CONST, VG_MEM_ADDR64, 8, 1, {ld_global_64_first, ld_global_64_again}, {NULL, NULL}},
    {PTX_SPACE_LOCAL, VG_MEM_ADDR64, 4, 1, {ld_local_32, NULL}, {st_local_32, NULL}},
};

static const struct vg_fast none = {NULL, NULL};

struct vg_fast vg_fast_find(const struct vg_insn *i, const struct vg_fast_row *rows, size_t n)
{
    const bool load = vg_mem_kind(i) == VG_LOAD;
    const enum ptx_space space = (i->mods & VG_MEM_FRAME) != 0 ? PTX_SPACE_LOCAL : vg_mem_space(i);
    for (size_t k = 0; k < n; k++) {
        const struct vg_fast_row *f = &rows[k];
        if (f->space == space && f->addr64 == (i->mods & VG_MEM_ADDR64) &&
            f->size == vg_mem_size(i) && f->vec == vg_mem_vec(i)) {
            return load ? f->load : f->store;
        }
    }
    return none;
}

struct vg_fast vg_fast_access(const struct vg_insn *i)
{
    const unsigned size = vg_mem_size(i);
    if ((i->mods & VG_MEM_POLLS) != 0) {
        return none;
    }
    if (vg_mem_reg(i) != size || vg_mem_vec(i) != 1) {
        return vg_fast_odd(i);
    }
    if (vg_mem_space(i) == PTX_SPACE_PARAM && (i->mods & VG_MEM_FRAME) == 0) {
        vg_handler param = size == 4 ? ld_param_32 : size == 8 ? ld_param_64 : NULL;
        return (struct vg_fast){vg_mem_kind(i) == VG_LOAD ? param : NULL, NULL};
    }
    return vg_fast_find(i, words, sizeof(words) / sizeof(words[0]));
}
