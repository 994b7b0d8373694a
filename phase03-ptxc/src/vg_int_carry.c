/* Problem: add.cc, addc, sub.cc, subc, mad.cc and madc: numbers longer than a register, by one
 * carry flag a lane that runs from instruction to instruction.
 * Model: w->cc holds the flag, a bit a lane. Additions put a carry there, subtractions a borrow.
 * Invariants: only lanes that execute change their flag.
 * Simplified: nothing.
 */
#include "vg_arith.h"
#include "vg_int.h"
#include "vg_lanes.h"

enum { CARRY_IN = 1, CARRY_OUT = 2, SUBTRACT = 4 };

/* d = x ± y ± flag over all lanes, and the flag when asked. FIRST and SECOND are expressions of the
 * lane's a, b, c; all of them are read before d is written, so they may share a register. */
#define CARRY_HANDLER(name, T, FIRST, SECOND)                                                      \
    static void name(struct vg_warp *w, const struct vg_insn *i)                                   \
    {                                                                                              \
        const T *ra = VG_REG(w, i->a, T), *rb = VG_REG(w, i->b, T);                                \
        const T *rc = VG_REG(w, i->c != VG_NO_SLOT ? i->c : i->b, T);                              \
        __auto_type d = VG_REG(w, i->d, T);                                                        \
        const uint32_t in = (i->mods & CARRY_IN) != 0 ? w->cc : 0;                                 \
        uint32_t out = 0, m = w->exec;                                                             \
        VG_FOR_MASK(l, m)                                                                          \
        {                                                                                          \
            const T a = ra[l], b = rb[l], c = rc[l];                                               \
            T x = (FIRST), y = (SECOND), flag = VG_BIT(in, l);                                     \
            (void)c;                                                                               \
            bool over;                                                                             \
            T r;                                                                                   \
            if ((i->mods & SUBTRACT) != 0) {                                                       \
                r = x - y;                                                                         \
                over = x < y || r < flag;                                                          \
                r -= flag;                                                                         \
            } else {                                                                               \
                r = x + y;                                                                         \
                over = r < x;                                                                      \
                r += flag;                                                                         \
                over = over || r < flag;                                                           \
            }                                                                                      \
            d[l] = r;                                                                              \
            out |= (uint32_t)over << l;                                                            \
        }                                                                                          \
        if ((i->mods & CARRY_OUT) != 0) {                                                          \
            w->cc = (w->cc & ~w->exec) | out;                                                      \
        }                                                                                          \
    }

CARRY_HANDLER(h_sum_32, uint32_t, a, b)
CARRY_HANDLER(h_sum_64, uint64_t, a, b)
CARRY_HANDLER(h_madlo_32, uint32_t, a *b, c)
CARRY_HANDLER(h_madlo_64, uint64_t, a *b, c)
CARRY_HANDLER(h_madhi_u32, uint32_t, vg_mulhi_u32(a, b), c)
CARRY_HANDLER(h_madhi_s32, uint32_t, vg_mulhi_s32(a, b), c)
CARRY_HANDLER(h_madhi_u64, uint64_t, vg_mulhi_u64(a, b), c)
CARRY_HANDLER(h_madhi_s64, uint64_t, vg_mulhi_s64(a, b), c)

#define ROW(op, type, flags, ops, fn, mods) VG_ROW(op, type, NONE, flags, ops, fn, mods)
#define ROWS_SUM(op, flags, mods)                                                                  \
    ROW(op, U32, flags, "TTT", h_sum_32, mods), ROW(op, S32, flags, "TTT", h_sum_32, mods),        \
        ROW(op, U64, flags, "TTT", h_sum_64, mods), ROW(op, S64, flags, "TTT", h_sum_64, mods)
#define ROWS_MAD(op, cc, mods)                                                                     \
    ROW(op, U32, VG_F_lo | (cc), "TTTT", h_madlo_32, mods),                                        \
        ROW(op, S32, VG_F_lo | (cc), "TTTT", h_madlo_32, mods),                                    \
        ROW(op, U64, VG_F_lo | (cc), "TTTT", h_madlo_64, mods),                                    \
        ROW(op, S64, VG_F_lo | (cc), "TTTT", h_madlo_64, mods),                                    \
        ROW(op, U32, VG_F_hi | (cc), "TTTT", h_madhi_u32, mods),                                   \
        ROW(op, S32, VG_F_hi | (cc), "TTTT", h_madhi_s32, mods),                                   \
        ROW(op, U64, VG_F_hi | (cc), "TTTT", h_madhi_u64, mods),                                   \
        ROW(op, S64, VG_F_hi | (cc), "TTTT", h_madhi_s64, mods)

static const struct vg_row rows[] = {
    ROWS_SUM(add, VG_F_cc, CARRY_OUT),
    ROWS_SUM(addc, 0, CARRY_IN),
    ROWS_SUM(addc, VG_F_cc, CARRY_IN | CARRY_OUT),
    ROWS_SUM(sub, VG_F_cc, SUBTRACT | CARRY_OUT),
    ROWS_SUM(subc, 0, SUBTRACT | CARRY_IN),
    ROWS_SUM(subc, VG_F_cc, SUBTRACT | CARRY_IN | CARRY_OUT),
    ROWS_MAD(mad, VG_F_cc, CARRY_OUT),
    ROWS_MAD(madc, 0, CARRY_IN),
    ROWS_MAD(madc, VG_F_cc, CARRY_IN | CARRY_OUT),
};
const struct vg_rows vg_int_carry_rows = VG_ROWS(rows);
