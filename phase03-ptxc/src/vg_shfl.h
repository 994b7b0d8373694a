/* Which lane a shuffle reads from. Exercise e05.
 *
 * shfl.sync.MODE d, a, b, c: every lane gives its a, and gets in d the a of another lane. Operand c
 * cuts the warp into segments: its bits 8 to 12 are the segment mask, its bits 0 to 4 the clamp.
 * With
 *
 *   low  = lane AND segment                             the segment's first lane
 *   limit = (lane AND segment) OR (clamp AND NOT segment)
 *
 * and only the low five bits of b, a lane reads from
 *
 *   up    lane − b           in range when that is ≥ limit (the clamp is 0 then)
 *   down  lane + b           in range when that is ≤ limit (the clamp is 31)
 *   bfly  lane XOR b         in range when that is ≤ limit
 *   idx   low OR (b AND NOT segment)   in range when that is ≤ limit
 *
 * Out of range a lane reads itself. CUDA's width w becomes the segment mask 32 − w.
 * Source: PTX ISA, "Data Movement and Conversion Instructions: shfl.sync". Thread-safety: any
 * thread; no shared state.
 */
#ifndef VG_SHFL_H
#define VG_SHFL_H

#include <stdbool.h>
#include <stdint.h>

#include "vg_collective.h"

/* The lane that `lane` reads from, 0 … 31; *in_range gets the instruction's predicate result.
 * `mode` is one of VG_SHFL_UP, _DOWN, _BFLY, _IDX. */
uint32_t vg_shfl_source(enum vg_collective mode, uint32_t lane, uint32_t b, uint32_t c,
                        bool *in_range);

#endif
