/* Problem: add, sub, mul and fma of .f32x2, two f32 in a 64-bit register.
 * Model: the functions of vg_float_f32.h on both halves, the modifiers read from the instruction.
 * Invariants: the halves do not touch each other.
 * Simplified: nothing.
 */
#include "vg_float.h"
#include "vg_float_f32.h"
#include "vg_lanes.h"

typedef uint64_t u64;

static inline uint64_t pair(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}
#define LOW(x)   ((uint32_t)(x))
#define HIGH(x)  ((uint32_t)((x) >> 32))
#define BOTH2(f) pair(f(LOW(a), LOW(b), i->mods), f(HIGH(a), HIGH(b), i->mods))
#define BOTH3(f) pair(f(LOW(a), LOW(b), LOW(c), i->mods), f(HIGH(a), HIGH(b), HIGH(c), i->mods))
VG_BINARY(h_add, u64, u64, u64, BOTH2(vg_add_f32))
VG_BINARY(h_sub, u64, u64, u64, BOTH2(vg_sub_f32))
VG_BINARY(h_mul, u64, u64, u64, BOTH2(vg_mul_f32))
VG_TERNARY(h_fma, u64, u64, u64, u64, BOTH3(vg_fma_f32))

/* .f32x2 is no type of the front end's list, so the rows have its register's instead. */
#define ROWS(op, ops, r, number)                                                                   \
    VG_ROW(op, B64, NONE, VG_F_##r, ops, h_##op, number),                                          \
        VG_ROW(op, B64, NONE, VG_F_##r | VG_F_ftz, ops, h_##op, (number) | VG_M_FTZ)
#define FOUR(op, ops)                                                                              \
    ROWS(op, ops, rn, VG_RN), ROWS(op, ops, rz, VG_RZ), ROWS(op, ops, rm, VG_RM),                  \
        ROWS(op, ops, rp, VG_RP)
static const struct vg_row rows[] = {
    FOUR(add, "TTT"),
    FOUR(sub, "TTT"),
    FOUR(mul, "TTT"),
    FOUR(fma, "TTTT"),
};
const struct vg_rows vg_float_x2_rows = VG_ROWS(rows);
