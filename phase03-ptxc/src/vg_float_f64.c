/* Problem: f64 arithmetic rounded towards zero, minus or plus infinity.
 * Model: the host's own rounding mode, for the length of one loop.
 * Invariants: the mode is put back before returning. The operands and the result are volatile: gcc
 * knows nothing of rounding modes and would otherwise move the operation out of the region.
 * Simplified: a GPU encodes the direction in each instruction and pays nothing for it.
 */
#include "vg_float_f64.h"

#include <fenv.h>

#include "lab/err.h"

static double apply(enum vg_f64_op op, double a, double b, double c)
{
    volatile double x = a, y = b, r;
    switch (op) {
    case VG_F64_ADD: r = x + y; break;
    case VG_F64_SUB: r = x - y; break;
    case VG_F64_MUL: r = x * y; break;
    case VG_F64_FMA: r = fma(x, y, c); break;
    case VG_F64_DIV: r = x / y; break;
    case VG_F64_RCP: r = 1.0 / x; break;
    case VG_F64_SQRT:
    default: r = sqrt(x); break;
    }
    return r;
}

void vg_f64_directed(enum vg_f64_op op, enum vg_round r, const uint64_t *const src[3], uint64_t *d,
                     unsigned n)
{
    int before = fegetround();
    int mode = r == VG_RZ ? FE_TOWARDZERO : r == VG_RM ? FE_DOWNWARD : FE_UPWARD;
    int failed = fesetround(mode);
    LAB_ASSERT(failed == 0);
    for (unsigned l = 0; l < n; l++) {
        uint64_t a = src[0][l], b = src[1][l], c = src[2][l];
        double x = apply(op, vg_f64(a), vg_f64(b), vg_f64(c));
        bool one = op == VG_F64_SQRT || op == VG_F64_RCP;
        d[l] = vg_f64_out(x, a, one ? a : b, op == VG_F64_FMA ? c : a);
    }
    failed = fesetround(before);
    LAB_ASSERT(failed == 0);
}
