/* 32 lanes of arithmetic at once.
 *
 * Problem: this is the inner loop of the whole simulator; one issue has to cost a few nanoseconds.
 * Model: a register is a row of 32 words, one per lane, so an operation is a loop over two rows
 * into a third that overlaps neither. Nothing in the loop depends on the lane, so the compiler
 * turns it into a handful of vector instructions: what the hardware does with 32 units in parallel.
 * Masks are left to the caller, as in hardware, where the units of inactive lanes compute too and
 * the result is dropped. Invariant: arithmetic is on uint32_t, where wrapping is defined.
 *
 * Simplified: a GPU needs several cycles per operation and has fewer units for some (a division is
 * a routine of many instructions); here every operation is one issue.
 */
#include "simt_alu.h"

#include "lab/clones.h"
#include "lab/err.h"

/* gcc may take as given what the header promises: a lane's result goes where no other lane reads.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES_APART _Pragma("GCC ivdep")
#else
#define LANES_APART
#endif

/* One case: x and y are the lane's operands. */
#define LANES(expression)                                                                          \
    if (b != NULL) {                                                                               \
        LANES_APART for (int i = 0; i < SIMT_LANES; i++)                                           \
        {                                                                                          \
            uint32_t x = (uint32_t)a[i];                                                           \
            uint32_t y = (uint32_t)b[i];                                                           \
            out[i] = (int32_t)(expression);                                                        \
        }                                                                                          \
    } else {                                                                                       \
        LANES_APART for (int i = 0; i < SIMT_LANES; i++)                                           \
        {                                                                                          \
            uint32_t x = (uint32_t)a[i];                                                           \
            uint32_t y = (uint32_t)imm;                                                            \
            out[i] = (int32_t)(expression);                                                        \
        }                                                                                          \
    }                                                                                              \
    break

LAB_CLONES void simt_alu(enum simt_op op, int32_t *out, const int32_t *a, const int32_t *b,
                         int32_t imm)
{
    switch (op) {
    case SIMT_ADD: LANES(x + y);
    case SIMT_SUB: LANES(x - y);
    case SIMT_MUL: LANES(x * y);
    case SIMT_AND: LANES(x & y);
    case SIMT_OR: LANES(x | y);
    case SIMT_XOR: LANES(x ^ y);
    case SIMT_SHL: LANES(y < 32 ? x << (y & 31) : 0);
    case SIMT_SHR: LANES(y < 32 ? x >> (y & 31) : 0);
    case SIMT_SEQ: LANES(x == y);
    case SIMT_SLT: LANES((int32_t)x < (int32_t)y);
    default: LAB_ASSERT(op == SIMT_ADD);
    }
}

int32_t simt_mod(int32_t a, int32_t b)
{
    LAB_ASSERT(b != 0);
    return b == -1 ? 0 : a % b;
}
