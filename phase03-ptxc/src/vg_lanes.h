/* Loops over the 32 lanes: the macros that instruction handlers are written with.
 *
 * A handler loads its sources into the names a, b, c, evaluates one expression per lane and stores
 * it in d. With all lanes executing, that is a plain loop that the compiler turns into vector
 * instructions; else the loop computes every lane, the idle ones on whatever their registers hold,
 * and keeps the old value where the mask has a zero. So an expression must be harmless for every
 * bit pattern: no trap, no undefined behaviour (shift by too much, signed overflow, division by
 * zero).
 *
 * Source and destination may be the same register. That is no hazard, since lane k only ever reads
 * and writes lane k; VG_SIMD tells the compiler.
 */
#ifndef VG_LANES_H
#define VG_LANES_H

#include <stdint.h>

#include "lab/clones.h"
#include "vg_exec.h"

#define VG_FULL 0xFFFFFFFFu

/* Lanes are independent of each other: vectorise without a run-time overlap test. clang warns where
 * it cannot, so it is left to itself. */
#ifdef __clang__
#define VG_SIMD
#else
#define VG_SIMD _Pragma("omp simd")
#endif

#define VG_FOR_LANES(l) for (unsigned l = 0; l < VG_LANES; l++)
/* The lanes of a mask, lowest first, one at a time; `m` is a copy that is used up. */
#define VG_FOR_MASK(l, m)                                                                          \
    for (unsigned l = 0; (m) != 0 && (l = (unsigned)__builtin_ctz(m), 1); (m) &= (m)-1)

#define VG_BIT(mask, l) (((mask) >> (l)) & 1u)

/* Registers as arrays of a type. */
#define VG_REG(w, off, type) ((type *)(void *)((w)->r + (off)))

#define VG_HANDLER(name) LAB_CLONES static void name(struct vg_warp *w, const struct vg_insn *i)

/* Run `store` (which sets `v` of type TD) for all lanes, keeping d[l] where the lane is idle. */
#define VG_STORE_LANES(TD, body)                                                                   \
    do {                                                                                           \
        TD *vg_d = VG_REG(w, i->d, TD);                                                            \
        const uint32_t vg_m = w->exec;                                                             \
        if (vg_m == VG_FULL) {                                                                     \
            VG_SIMD VG_FOR_LANES(l)                                                                \
            {                                                                                      \
                TD v;                                                                              \
                body;                                                                              \
                vg_d[l] = v;                                                                       \
            }                                                                                      \
        } else {                                                                                   \
            VG_SIMD VG_FOR_LANES(l)                                                                \
            {                                                                                      \
                TD v;                                                                              \
                body;                                                                              \
                vg_d[l] = VG_BIT(vg_m, l) ? v : vg_d[l];                                           \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* d = expr(a), of the given element types. */
#define VG_UNARY(name, TD, TA, expr)                                                               \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        const TA *vg_a = VG_REG(w, i->a, TA);                                                      \
        VG_STORE_LANES(TD, const TA a = vg_a[l]; v = (TD)(expr));                                  \
    }

/* d = expr(a, b) */
#define VG_BINARY(name, TD, TA, TB, expr)                                                          \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        const TA *vg_a = VG_REG(w, i->a, TA);                                                      \
        const TB *vg_b = VG_REG(w, i->b, TB);                                                      \
        VG_STORE_LANES(TD, const TA a = vg_a[l]; const TB b = vg_b[l]; v = (TD)(expr));            \
    }

/* d = expr(a, b, c) */
#define VG_TERNARY(name, TD, TA, TB, TC, expr)                                                     \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        const TA *vg_a = VG_REG(w, i->a, TA);                                                      \
        const TB *vg_b = VG_REG(w, i->b, TB);                                                      \
        const TC *vg_c = VG_REG(w, i->c, TC);                                                      \
        VG_STORE_LANES(TD, const TA a = vg_a[l]; const TB b = vg_b[l]; const TC c = vg_c[l];       \
                       v = (TD)(expr));                                                            \
    }

/* bits |= condition(a, b) << lane, into a uint32_t named `bits` of the handler. */
#define VG_COMPARE_BITS(bits, TA, TB, cond)                                                        \
    do {                                                                                           \
        const TA *vg_a = VG_REG(w, i->a, TA);                                                      \
        const TB *vg_b = VG_REG(w, i->b, TB);                                                      \
        uint32_t vg_bits = 0;                                                                      \
        _Pragma("omp simd reduction(| : vg_bits)") VG_FOR_LANES(l)                                 \
        {                                                                                          \
            const TA a = vg_a[l];                                                                  \
            const TB b = vg_b[l];                                                                  \
            vg_bits |= (uint32_t)((cond) ? 1u : 0u) << l;                                          \
        }                                                                                          \
        (bits) = vg_bits;                                                                          \
    } while (0)

/* Write `bits` to the predicate at `off` for the lanes that execute. */
static inline void vg_put_pred(struct vg_warp *w, uint32_t off, uint32_t bits)
{
    uint32_t *p = &VG_PRED(w, off);
    *p = (*p & ~w->exec) | (bits & w->exec);
}

#endif
