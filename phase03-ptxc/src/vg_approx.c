/* Problem: the approximate functions of f32, f64 and the halves.
 * Model: handlers over vg_approx.h. sin and cos look whether any lane's argument is large and then
 * take the C library's, lane by lane.
 * Invariants: results are inside the ISA's error bounds (test_vg_approx measures them).
 * Simplified: a GPU's own last bits differ from these, within those bounds.
 */
#include "vg_approx.h"

#include "vg_float.h"
#include "vg_lanes.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

VG_UNARY(h_ex2, u32, u32, vg_ex2_f32(a, 0))
VG_UNARY(h_ex2_ftz, u32, u32, vg_ex2_f32(a, VG_M_FTZ))
VG_UNARY(h_lg2, u32, u32, vg_lg2_f32(a, 0))
VG_UNARY(h_lg2_ftz, u32, u32, vg_lg2_f32(a, VG_M_FTZ))
VG_UNARY(h_rsqrt, u32, u32, vg_rsqrt_f32(a, 0))
VG_UNARY(h_rsqrt_ftz, u32, u32, vg_rsqrt_f32(a, VG_M_FTZ))
VG_UNARY(h_tanh, u32, u32, vg_tanh_f32(a))
VG_UNARY(h_rcp_gross, u64, u64, vg_rcp_gross_f64(a))
VG_UNARY(h_rsqrt_f64, u64, u64, vg_rsqrt_f64(a))
VG_UNARY(h_rsqrt_gross, u64, u64, vg_rsqrt_gross_f64(a))

static bool any_large(const uint32_t *a)
{
    uint32_t most = 0;
    VG_FOR_LANES(l)
    {
        uint32_t size = a[l] & 0x7FFFFFFFu;
        most = most > size ? most : size;
    }
    return most > VG_TRIG_LIMIT;
}

#define TRIG_HANDLER(name, m, turn)                                                                \
    VG_HANDLER(name)                                                                               \
    {                                                                                              \
        const uint32_t *ra = VG_U32(w, i->a);                                                      \
        if (any_large(ra)) {                                                                       \
            uint32_t r[VG_LANES];                                                                  \
            VG_FOR_LANES(l)                                                                        \
            {                                                                                      \
                r[l] = vg_sin_f32_any(ra[l], m, turn);                                             \
            }                                                                                      \
            VG_STORE_LANES(uint32_t, v = r[l]);                                                    \
        } else {                                                                                   \
            VG_STORE_LANES(uint32_t, v = vg_sin_f32(ra[l], m, turn));                              \
        }                                                                                          \
    }
TRIG_HANDLER(h_sin, 0, 0)
TRIG_HANDLER(h_sin_ftz, VG_M_FTZ, 0)
TRIG_HANDLER(h_cos, 0, 1)
TRIG_HANDLER(h_cos_ftz, VG_M_FTZ, 1)

#define HALVES(f, m) (f(a & 0xFFFFu, m) | f(a >> 16, m) << 16)
VG_UNARY(h_ex2_f16, u16, u16, vg_ex2_half(a, 0))
VG_UNARY(h_ex2_f16x2, u32, u32, HALVES(vg_ex2_half, 0))
VG_UNARY(h_ex2_bf16, u16, u16, vg_ex2_half(a, VG_M_BF16 | VG_M_FTZ))
VG_UNARY(h_ex2_bf16x2, u32, u32, HALVES(vg_ex2_half, VG_M_BF16 | VG_M_FTZ))
VG_UNARY(h_tanh_f16, u16, u16, vg_tanh_half(a, 0))
VG_UNARY(h_tanh_f16x2, u32, u32, HALVES(vg_tanh_half, 0))
VG_UNARY(h_tanh_bf16, u16, u16, vg_tanh_half(a, VG_M_BF16))
VG_UNARY(h_tanh_bf16x2, u32, u32, HALVES(vg_tanh_half, VG_M_BF16))

#define ROW(op, type, flags, fn) VG_ROW(op, type, NONE, flags, "TT", fn, 0)
#define ROWS_FTZ(op, fn)                                                                           \
    ROW(op, F32, VG_F_approx, fn), ROW(op, F32, VG_F_approx | VG_F_ftz, fn##_ftz)

static const struct vg_row rows[] = {
    ROWS_FTZ(ex2, h_ex2),
    ROWS_FTZ(lg2, h_lg2),
    ROWS_FTZ(sin, h_sin),
    ROWS_FTZ(cos, h_cos),
    ROWS_FTZ(rsqrt, h_rsqrt),
    ROW(tanh, F32, VG_F_approx, h_tanh),
    ROW(rcp, F64, VG_F_approx | VG_F_ftz, h_rcp_gross),
    ROW(rsqrt, F64, VG_F_approx, h_rsqrt_f64),
    ROW(rsqrt, F64, VG_F_approx | VG_F_ftz, h_rsqrt_gross),
    ROW(ex2, F16, VG_F_approx, h_ex2_f16),
    ROW(ex2, F16X2, VG_F_approx, h_ex2_f16x2),
    ROW(ex2, BF16, VG_F_approx | VG_F_ftz, h_ex2_bf16),
    ROW(ex2, BF16X2, VG_F_approx | VG_F_ftz, h_ex2_bf16x2),
    ROW(tanh, F16, VG_F_approx, h_tanh_f16),
    ROW(tanh, F16X2, VG_F_approx, h_tanh_f16x2),
    ROW(tanh, BF16, VG_F_approx, h_tanh_bf16),
    ROW(tanh, BF16X2, VG_F_approx, h_tanh_bf16x2),
};
const struct vg_rows vg_float_approx_rows = VG_ROWS(rows);
