/* What atomic operations compute. Private to the memory family. */
#ifndef VG_ATOM_H
#define VG_ATOM_H

#include <stdint.h>

enum vg_atomic {
    VG_ATOM_EXCH,
    VG_ATOM_CAS,
    VG_ATOM_ADD,
    VG_ATOM_MIN,
    VG_ATOM_MAX,
    VG_ATOM_INC,
    VG_ATOM_DEC,
    VG_ATOM_AND,
    VG_ATOM_OR,
    VG_ATOM_XOR,
};

enum vg_atomic_type {
    VG_ATOM_BITS,   /* unsigned numbers and bits of any width */
    VG_ATOM_SIGNED, /* s32, s64: min and max */
    VG_ATOM_F32,
    VG_ATOM_F32_FTZ, /* subnormal numbers are flushed: f32 add on global memory */
    VG_ATOM_F64,
    VG_ATOM_F16,
    VG_ATOM_F16X2,
    VG_ATOM_BF16,
    VG_ATOM_BF16X2,
};

/* The new value of a location of `bytes` bytes that held `old`; b and c are the operands (cas: b is
 * compared, c stored). Values are in the low bits. */
uint64_t vg_atomic(enum vg_atomic op, enum vg_atomic_type type, unsigned bytes, uint64_t old,
                   const uint64_t *bc);

#endif
