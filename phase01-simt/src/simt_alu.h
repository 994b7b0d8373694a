/* The arithmetic of one issue: 32 results from 32 pairs of operands, masks left out. */
#ifndef SIMT_ALU_H
#define SIMT_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_isa.h"

/* Is OP one of ADD SUB MUL AND OR XOR SHL SHR SEQ SLT? */
static inline bool simt_alu_has(enum simt_op op)
{
    return op >= SIMT_ADD && op <= SIMT_SLT && op != SIMT_MOD;
}

/* out[i] = a[i] OP b[i] for all lanes, or a[i] OP imm where b is NULL. `out` may be the same row as
 * a or b; otherwise rows do not overlap. Thread-safety: no shared state. */
void simt_alu(enum simt_op op, int32_t *out, const int32_t *a, const int32_t *b, int32_t imm);

/* a MOD b as the instruction defines it: C's remainder, with the sign of a, and 0 for INT32_MIN MOD
 * −1. b is not 0. */
int32_t simt_mod(int32_t a, int32_t b);

#endif
