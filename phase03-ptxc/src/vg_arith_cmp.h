/* setp and set, for integers and floats alike: what follows once the lanes are compared.
 *
 * A comparison gives one bit a lane. From there on a warp's predicates are words, so combining with
 * a third predicate, inverting and storing are single operations, whatever was compared.
 */
#ifndef VG_ARITH_CMP_H
#define VG_ARITH_CMP_H

#include <stdbool.h>
#include <stdint.h>

#include "vg_exec.h"
#include "vg_lanes.h"

enum vg_cmp_mods {
    VG_CMP_AND = 1, /* combine with the predicate at c */
    VG_CMP_OR = 2,
    VG_CMP_XOR = 3,
    VG_CMP_COMBINE = 3,
    VG_CMP_NOT_C = 4,  /* the predicate at c is negated */
    VG_CMP_INVERT = 8, /* the comparison's complement is meant: the unordered forms */
};

/* Lanes for which a comparison holds; its operands are i->a and i->b. */
typedef uint32_t (*vg_mask_fn)(const struct vg_warp *w, const struct vg_insn *i);

struct vg_cmp_fn {
    vg_handler setp;
    vg_mask_fn mask, mask_high; /* mask_high: of the upper halves; NULL when there are none */
};

/* bits |= condition(a, b) << lane. The plain loop is what gcc turns into a compare, a blend and a
 * short reduction; with `omp simd reduction` it spills to the stack. */
#define VG_MASK_OF(bits, T, cond)                                                                  \
    do {                                                                                           \
        const T *vg_a = VG_REG(w, i->a, T), *vg_b = VG_REG(w, i->b, T);                            \
        uint32_t vg_bits = 0;                                                                      \
        VG_FOR_LANES(l)                                                                            \
        {                                                                                          \
            const T a = vg_a[l], b = vg_b[l];                                                      \
            vg_bits |= (cond) ? 1u << l : 0u;                                                      \
        }                                                                                          \
        (bits) = vg_bits;                                                                          \
    } while (0)

/* The mask function of one comparison, m_NAME, and with VG_COMPARE also its setp handler, h_NAME.
 */
#define VG_MASK_FN(name, T, cond)                                                                  \
    static uint32_t m_##name(const struct vg_warp *w, const struct vg_insn *i)                     \
    {                                                                                              \
        uint32_t bits;                                                                             \
        VG_MASK_OF(bits, T, cond);                                                                 \
        return bits;                                                                               \
    }
#define VG_COMPARE(name, T, cond)                                                                  \
    VG_MASK_FN(name, T, cond)                                                                      \
    VG_HANDLER(h_##name)                                                                           \
    {                                                                                              \
        uint32_t bits;                                                                             \
        VG_MASK_OF(bits, T, cond);                                                                 \
        vg_setp_put(w, i, bits);                                                                   \
    }

/* A truth value for each lane with the third predicate, as .and, .or or .xor say. */
static inline uint32_t vg_cmp_combine(const struct vg_warp *w, const struct vg_insn *i,
                                      uint32_t bits)
{
    if ((i->mods & VG_CMP_COMBINE) == 0) {
        return bits;
    }
    uint32_t c = VG_PRED(w, i->c) ^ ((i->mods & VG_CMP_NOT_C) != 0 ? VG_FULL : 0);
    switch (i->mods & VG_CMP_COMBINE) {
    case VG_CMP_AND: return bits & c;
    case VG_CMP_OR: return bits | c;
    default: return bits ^ c;
    }
}

/* Store p = bits op c and, where there is a second destination, q = !bits op c. */
static inline void vg_setp_put(struct vg_warp *w, const struct vg_insn *i, uint32_t bits)
{
    bits ^= (i->mods & VG_CMP_INVERT) != 0 ? VG_FULL : 0;
    uint32_t p = vg_cmp_combine(w, i, bits);
    if (__builtin_expect(i->e != VG_NO_SLOT, 0)) {
        vg_put_pred(w, i->e, vg_cmp_combine(w, i, ~bits));
    }
    if (i->d != VG_NO_SLOT) {
        vg_put_pred(w, i->d, p);
    }
}

/* The words of a comparison instruction, sorted out. */
struct vg_cmp_words {
    enum ptx_word cmp, combine; /* PTX_W_none: not given */
    bool ftz;
    unsigned ntypes;
    enum ptx_type types[2];
};
/* 0, or −1 with an error for a word that comparisons do not have. */
int vg_cmp_parse(struct vg_decoder *d, const struct ptx_insn *in, struct vg_cmp_words *words,
                 struct lab_err *err);
/* Operands and destinations of setp or set, and `fn` to do it; with `swap` a and b change places.
 * 1, or −1. */
struct vg_job;
int vg_cmp_use(const struct vg_job *j, const struct vg_cmp_words *words, const struct vg_cmp_fn *fn,
               bool swap);

#endif
