/* The arithmetic of atom and red (PTX ISA 9.0, 9.7.13, "atom").
 *
 * inc and dec wrap at the operand: inc gives 0 where old ≥ b, dec gives b where old is 0 or above
 * b. Floating-point adds round to nearest even. An f32 add on global memory flushes subnormal
 * inputs and results to zero of their sign, one on shared memory does not.
 */
#include "vg_atom.h"

#include <string.h>

#include "vg_f16.h"

static int64_t sign_extend(uint64_t v, unsigned bytes)
{
    return bytes == 4 ? (int32_t)v : (int64_t)v;
}

static uint64_t integer(enum vg_atomic op, unsigned bytes, uint64_t old, const uint64_t *bc)
{
    uint64_t b = bc[0];
    switch (op) {
    case VG_ATOM_EXCH: return b;
    case VG_ATOM_CAS: return old == b ? bc[1] : old;
    case VG_ATOM_ADD: return bytes == 8 ? old + b : (uint32_t)(old + b);
    case VG_ATOM_MIN: return old < b ? old : b;
    case VG_ATOM_MAX: return old > b ? old : b;
    case VG_ATOM_INC: return old >= b ? 0 : old + 1;
    case VG_ATOM_DEC: return old == 0 || old > b ? b : old - 1;
    case VG_ATOM_AND: return old & b;
    case VG_ATOM_OR: return old | b;
    default: return old ^ b;
    }
}

static uint32_t flush(uint32_t f)
{
    return (f & 0x7F800000u) == 0 ? f & 0x80000000u : f;
}

static uint32_t add_f32(uint32_t a, uint32_t b, int ftz)
{
    float x, y;
    a = ftz ? flush(a) : a;
    b = ftz ? flush(b) : b;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    x += y;
    memcpy(&a, &x, 4);
    if (x != x) {
        a = 0x7FFFFFFFu;
    }
    return ftz ? flush(a) : a;
}

static uint64_t add_f64(uint64_t a, uint64_t b)
{
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x += y;
    memcpy(&a, &x, 8);
    return a;
}

static uint32_t add_half(uint32_t a, uint32_t b, int bf16)
{
    if (bf16) {
        return vg_bf16_of_f32(add_f32(vg_f32_of_bf16(a & 0xFFFF), vg_f32_of_bf16(b & 0xFFFF), 0)) &
               0xFFFF;
    }
    return vg_f16_of_f32(add_f32(vg_f32_of_f16(a & 0xFFFF), vg_f32_of_f16(b & 0xFFFF), 0)) & 0xFFFF;
}

static uint64_t floating(enum vg_atomic_type type, uint64_t old, uint64_t b)
{
    uint32_t x = (uint32_t)old, y = (uint32_t)b;
    int bf16 = type == VG_ATOM_BF16 || type == VG_ATOM_BF16X2;
    switch (type) {
    case VG_ATOM_F32: return add_f32(x, y, 0);
    case VG_ATOM_F32_FTZ: return add_f32(x, y, 1);
    case VG_ATOM_F64: return add_f64(old, b);
    case VG_ATOM_F16X2:
    case VG_ATOM_BF16X2: return add_half(x, y, bf16) | add_half(x >> 16, y >> 16, bf16) << 16;
    default: return add_half(x, y, bf16);
    }
}

uint64_t vg_atomic(enum vg_atomic op, enum vg_atomic_type type, unsigned bytes, uint64_t old,
                   const uint64_t *bc)
{
    if (type >= VG_ATOM_F32 && op == VG_ATOM_ADD) {
        return floating(type, old, bc[0]);
    }
    if (type == VG_ATOM_SIGNED && (op == VG_ATOM_MIN || op == VG_ATOM_MAX)) {
        bool less = sign_extend(old, bytes) < sign_extend(bc[0], bytes);
        return less == (op == VG_ATOM_MIN) ? old : bc[0];
    }
    return integer(op, bytes, old, bc);
}
