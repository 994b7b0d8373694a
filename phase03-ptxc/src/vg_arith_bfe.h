/* bfe, the bit-field extract: an exercise (e01_bfe), so it stands alone. */
#ifndef VG_ARITH_BFE_H
#define VG_ARITH_BFE_H

#include <stdbool.h>
#include <stdint.h>

/* Bits [pos, pos + len) of a register of `width` (32 or 64) bits, moved down to bit 0 and extended
 * to 64 bits: by zeros, or with `is_signed` by the field's own top bit. `a` has zeros above
 * `width`, and so does the result. `pos` and `len` are register values of which the low eight bits
 * count. A field that reaches past the register's top ends there: its top bit is the register's.
 * Length 0 gives 0. PTX ISA 9.0, bfe. Pure: any thread. */
uint64_t vg_bfe(uint64_t a, uint32_t pos, uint32_t len, unsigned width, bool is_signed);

#endif
