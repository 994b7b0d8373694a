/* The memory accesses that programs make most: all 32 lanes, 4 or 8 bytes each, in a pattern.
 *
 * Problem: looking up 32 addresses one by one costs more than ten arithmetic instructions. But in
 * most accesses the lanes read neighbouring words or all the same word, if not over the whole warp
 * then over each half of it (a block 16 wide has two rows in a warp).
 *
 * Model: for each half warp the addresses are compared with a contiguous and a uniform pattern, two
 * vector comparisons. Where one fits, the half needs one look-up and one copy. In shared memory a
 * full warp that fits no pattern is gathered after one test of the largest offset. All else is left
 * to vg_ldst.c, faults as well.
 *
 * Invariants: nothing is written before every look-up has succeeded, so the general handler can
 * start over.
 */
#include <string.h>

#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_local.h"
#include "vg_mem.h"

#define HALF 16

enum pattern { MIXED, CONTIGUOUS, UNIFORM };

#define INLINE static inline __attribute__((always_inline))

INLINE enum pattern pattern64(const uint64_t *a, uint64_t step)
{
    uint64_t off_line = 0, off_first = 0, first = a[0];
    VG_SIMD for (unsigned k = 0; k < HALF; k++)
    {
        off_line |= a[k] ^ (first + k * step);
        off_first |= a[k] ^ first;
    }
    return off_line == 0 ? CONTIGUOUS : off_first == 0 ? UNIFORM : MIXED;
}

INLINE enum pattern pattern32(const uint32_t *a, uint32_t step)
{
    uint32_t off_line = 0, off_first = 0, first = a[0];
    VG_SIMD for (unsigned k = 0; k < HALF; k++)
    {
        off_line |= a[k] ^ (first + k * step);
        off_first |= a[k] ^ first;
    }
    return off_line == 0 ? CONTIGUOUS : off_first == 0 ? UNIFORM : MIXED;
}

/* The bytes of one half: `step` is the size of an element. NULL: not allowed, or crooked. */
INLINE uint8_t *half_global(struct vg_warp *w, uint64_t addr, enum pattern p, uint64_t step)
{
    if (p == MIXED || (addr & (step - 1)) != 0) {
        return NULL;
    }
    return vg_mem_at(&w->block->mem, addr, p == CONTIGUOUS ? HALF * step : step);
}

INLINE uint8_t *half_shared(struct vg_warp *w, uint64_t off, enum pattern p, uint64_t step)
{
    uint64_t n = p == CONTIGUOUS ? HALF * step : step;
    if (p == MIXED || (off & (step - 1)) != 0 || off + n > w->block->shared_limit) {
        return NULL;
    }
    return w->block->shared + off;
}

#define COPY_IN(T, d, p, pattern)                                                                  \
    do {                                                                                           \
        if ((pattern) == CONTIGUOUS) {                                                             \
            memcpy((d), (p), sizeof(T[HALF]));                                                     \
        } else {                                                                                   \
            T one;                                                                                 \
            memcpy(&one, (p), sizeof(one));                                                        \
            VG_SIMD for (unsigned k = 0; k < HALF; k++)                                            \
            {                                                                                      \
                (d)[k] = one;                                                                      \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Of lanes that store to one place the highest wins. */
#define COPY_OUT(T, p, s, pattern)                                                                 \
    do {                                                                                           \
        if ((pattern) == CONTIGUOUS) {                                                             \
            memcpy((p), (s), sizeof(T[HALF]));                                                     \
        } else {                                                                                   \
            memcpy((p), &(s)[HALF - 1], sizeof(T));                                                \
        }                                                                                          \
    } while (0)

/* Sets p0, p1 (patterns) and q0, q1 (bytes, NULL: leave it to the general handler). */
#define HALVES_GLOBAL(T)                                                                           \
    const uint64_t *a = VG_U64(w, i->a);                                                           \
    const enum pattern p0 = pattern64(a, sizeof(T)), p1 = pattern64(a + HALF, sizeof(T));          \
    uint8_t *q0 = half_global(w, a[0] + (uint64_t)i->imm, p0, sizeof(T));                          \
    uint8_t *q1 = half_global(w, a[HALF] + (uint64_t)i->imm, p1, sizeof(T))

#define HALVES_SHARED(T)                                                                           \
    const uint32_t *a = VG_U32(w, i->a);                                                           \
    const uint32_t imm = (uint32_t)i->imm;                                                         \
    const enum pattern p0 = pattern32(a, sizeof(T)), p1 = pattern32(a + HALF, sizeof(T));          \
    uint8_t *q0 = half_shared(w, a[0] + imm, p0, sizeof(T));                                       \
    uint8_t *q1 = half_shared(w, a[HALF] + imm, p1, sizeof(T))

#define LOAD(name, T, HALVES, OTHERWISE)                                                           \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        if (w->exec == VG_FULL) {                                                                  \
            HALVES(T);                                                                             \
            T *d = VG_REG(w, i->d, T);                                                             \
            if (q0 != NULL && q1 != NULL) {                                                        \
                COPY_IN(T, d, q0, p0);                                                             \
                COPY_IN(T, d + HALF, q1, p1);                                                      \
                return;                                                                            \
            }                                                                                      \
            OTHERWISE(T);                                                                          \
        }                                                                                          \
        vg_op_load(w, i);                                                                          \
    }

#define STORE(name, T, HALVES)                                                                     \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        if (w->exec == VG_FULL) {                                                                  \
            HALVES(T);                                                                             \
            const T *s = VG_REG(w, i->d, T);                                                       \
            if (q0 != NULL && q1 != NULL) {                                                        \
                COPY_OUT(T, q0, s, p0);                                                            \
                COPY_OUT(T, q1, s + HALF, p1);                                                     \
                return;                                                                            \
            }                                                                                      \
        }                                                                                          \
        vg_op_store(w, i);                                                                         \
    }

#define NOTHING(T) (void)0

/* All offsets inside shared memory and aligned: one vector test, then a gather. */
#define GATHER_SHARED(T)                                                                           \
    do {                                                                                           \
        uint32_t most = 0, low = 0;                                                                \
        VG_SIMD VG_FOR_LANES(l)                                                                    \
        {                                                                                          \
            uint32_t off = a[l] + imm;                                                             \
            most = off > most ? off : most;                                                        \
            low |= off;                                                                            \
        }                                                                                          \
        if (most + (uint64_t)sizeof(T) <= w->block->shared_limit &&                                \
            (low & (sizeof(T) - 1)) == 0) {                                                        \
            const T *base = (const T *)(const void *)w->block->shared;                             \
            T got[VG_LANES];                                                                       \
            VG_SIMD VG_FOR_LANES(l)                                                                \
            {                                                                                      \
                got[l] = base[(a[l] + imm) / sizeof(T)];                                           \
            }                                                                                      \
            memcpy(d, got, sizeof(got));                                                           \
            return;                                                                                \
        }                                                                                          \
    } while (0)

LOAD(ld_global_32, uint32_t, HALVES_GLOBAL, NOTHING)
LOAD(ld_global_64, uint64_t, HALVES_GLOBAL, NOTHING)
LOAD(ld_shared_32, uint32_t, HALVES_SHARED, GATHER_SHARED)
LOAD(ld_shared_64, uint64_t, HALVES_SHARED, GATHER_SHARED)
STORE(st_global_32, uint32_t, HALVES_GLOBAL)
STORE(st_global_64, uint64_t, HALVES_GLOBAL)
STORE(st_shared_32, uint32_t, HALVES_SHARED)
STORE(st_shared_64, uint64_t, HALVES_SHARED)

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
    const uint64_t *a = VG_U64(w, i->a);
    uint64_t at = a[0] + (uint64_t)i->imm;
    if (w->exec != VG_FULL || pattern64(a, 0) != CONTIGUOUS ||
        pattern64(a + HALF, 0) != CONTIGUOUS || a[0] != a[HALF] || (at & 3) != 0 ||
        at + 4 > w->block->local_bytes) {
        return NULL;
    }
    return vg_local_row(w, at);
}

static void ld_local_32(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *row = row_of(w, i);
    if (row == NULL) {
        vg_op_load(w, i);
        return;
    }
    memcpy(VG_U32(w, i->d), row, sizeof(uint32_t[VG_LANES]));
}

static void st_local_32(struct vg_warp *w, const struct vg_insn *i)
{
    uint32_t *row = row_of(w, i);
    if (row == NULL) {
        vg_op_store(w, i);
        return;
    }
    memcpy(row, VG_U32(w, i->d), sizeof(uint32_t[VG_LANES]));
}

struct fast {
    enum ptx_space space;
    uint32_t addr64; /* VG_MEM_ADDR64, or 0 */
    unsigned size;
    vg_handler load, store;
};

static const struct fast table[] = {
    {PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 4, ld_global_32, st_global_32},
    {PTX_SPACE_GLOBAL, VG_MEM_ADDR64, 8, ld_global_64, st_global_64},
    {PTX_SPACE_CONST, VG_MEM_ADDR64, 4, ld_global_32, NULL},
    {PTX_SPACE_CONST, VG_MEM_ADDR64, 8, ld_global_64, NULL},
    {PTX_SPACE_SHARED, 0, 4, ld_shared_32, st_shared_32},
    {PTX_SPACE_SHARED, 0, 8, ld_shared_64, st_shared_64},
    {PTX_SPACE_LOCAL, VG_MEM_ADDR64, 4, ld_local_32, st_local_32},
};

vg_handler vg_fast_access(const struct vg_insn *i)
{
    unsigned size = vg_mem_size(i);
    bool load = vg_mem_kind(i) == VG_LOAD;
    if (vg_mem_vec(i) != 1 || vg_mem_reg(i) != size || (i->mods & VG_MEM_POLLS) != 0) {
        return NULL;
    }
    enum ptx_space space = vg_mem_space(i);
    if ((i->mods & VG_MEM_FRAME) != 0) {
        space = PTX_SPACE_LOCAL;
    } else if (space == PTX_SPACE_PARAM && load) {
        return size == 4 ? ld_param_32 : size == 8 ? ld_param_64 : NULL;
    }
    for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++) {
        const struct fast *f = &table[k];
        if (f->space == space && f->addr64 == (i->mods & VG_MEM_ADDR64) && f->size == size) {
            return load ? f->load : f->store;
        }
    }
    return NULL;
}
