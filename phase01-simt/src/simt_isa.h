/* The instruction set, in one table: mnemonic, operand form, meaning.
 *
 * The assembler, the disassembler, `simt isa` and the course's reference card all read this table,
 * so an instruction is described in exactly one place. A form has one letter per operand:
 *
 *   d a b c   a register r0..r15, kept in rd, ra, rb, rc       i   an immediate
 *   s         a register (rb) or an immediate                  l   a label
 *   m         a memory word: [ra], [ra+imm] or [ra-imm]
 *
 * All values are 32-bit integers; ADD, SUB, MUL and addresses wrap modulo 2^32.
 * Thread-safety: constant data.
 */
#ifndef SIMT_ISA_H
#define SIMT_ISA_H

#include <stddef.h>
#include <stdint.h>

#include "lab/buf.h"

enum {
    SIMT_LANES = 32, /* lanes of a warp; also the bits of a mask, lane 0 lowest */
    SIMT_REGS = 16,
};
#define SIMT_FULL 0xffffffffu /* the mask with every lane on */

#define SIMT_OPCODES(X)                                                                            \
    X(TID, "d", "the thread's number: warp * 32 + lane")                                           \
    X(MOVI, "di", "rd = imm")                                                                      \
    X(MOV, "da", "rd = ra")                                                                        \
    X(ADD, "das", "sum, wraps")                                                                    \
    X(SUB, "das", "difference, wraps")                                                             \
    X(MUL, "das", "low 32 bits of the product")                                                    \
    X(MOD, "das", "remainder with the sign of ra; by 0 is an error")                               \
    X(AND, "das", "bitwise and")                                                                   \
    X(OR, "das", "bitwise or")                                                                     \
    X(XOR, "das", "bitwise exclusive or")                                                          \
    X(SHL, "das", "shift left; an amount outside 0..31 gives 0")                                   \
    X(SHR, "das", "logical shift right; an amount outside 0..31 gives 0")                          \
    X(SEQ, "das", "1 if equal, else 0")                                                            \
    X(SLT, "das", "1 if ra is less (signed), else 0")                                              \
    X(SELP, "dabc", "rd = rc != 0 ? ra : rb, without a branch")                                    \
    X(LD, "dm", "load a word; the warp waits for it")                                              \
    X(ST, "mb", "store a word; lanes that hit one word: the highest wins")                         \
    X(ATOM_CAS, "dmbc", "rd = the word; where it equals rb it becomes rc; in lane order")          \
    X(VOTE_ANY, "da", "1 if ra is not 0 in any active lane")                                       \
    X(VOTE_ALL, "da", "1 if ra is not 0 in every active lane")                                     \
    X(BALLOT, "da", "bit i is 1 where active lane i has ra not 0")                                 \
    X(SHFL, "das", "ra of the lane named; own ra if that lane is inactive or not 0..31")           \
    X(BRZ, "al", "branch where ra is 0; opens a region that RECONV closes")                        \
    X(BRNZ, "al", "branch where ra is not 0; opens a region that RECONV closes")                   \
    X(JMP, "l", "go to the label; the mask stays")                                                 \
    X(RECONV, "", "the sides of the branch it closes meet here")                                   \
    X(BAR, "", "wait for every live lane of the block")                                            \
    X(HALT, "", "the active lanes are done")

enum simt_op {
#define SIMT_ENUM(name, form, meaning) SIMT_##name,
    SIMT_OPCODES(SIMT_ENUM)
#undef SIMT_ENUM
        SIMT_NOPS
};

struct simt_op_info {
    const char *name;
    const char *form;
    const char *meaning;
};

/* The table's line of an opcode; static data. */
const struct simt_op_info *simt_op_info(enum simt_op op);

/* The opcode of a mnemonic of `len` bytes, upper or lower case; −1 when there is none. */
int simt_op_find(const char *name, size_t len);

/* The mnemonic that takes the fewest edits (Levenshtein) to reach, or NULL when even that one needs
 * more than two, or as many as the name has letters. */
const char *simt_op_nearest(const char *name, size_t len);

/* Append what the operands look like: "rd, ra, rb|imm". */
void simt_op_operands(enum simt_op op, struct lab_buf *out);

#endif
