/* The table of instructions, and finding one by a name that may be misspelt.
 *
 * Model: an opcode is its row number. Mnemonics are few (28), so a linear search is the whole
 * index. Invariant: the enum and the table come from the same macro list and cannot disagree.
 *
 * Simplified: a real GPU's set has types, predicate registers and 128-bit encodings; here a value
 * is always an int32 and an instruction is a struct. SELP takes its predicate from a plain
 * register.
 */
#include "simt_isa.h"

#include <string.h>
#include <strings.h>

#include "lab/err.h"

static const struct simt_op_info ops[SIMT_NOPS] = {
#define SIMT_ROW(name, form, meaning) {#name, form, meaning},
    SIMT_OPCODES(SIMT_ROW)
#undef SIMT_ROW
};

const struct simt_op_info *simt_op_info(enum simt_op op)
{
    LAB_ASSERT(op < SIMT_NOPS);
    return &ops[op];
}

int simt_op_find(const char *name, size_t len)
{
    for (int op = 0; op < SIMT_NOPS; op++) {
        if (strlen(ops[op].name) == len && strncasecmp(ops[op].name, name, len) == 0) {
            return op;
        }
    }
    return -1;
}

const char *simt_op_nearest(const char *name, size_t len)
{
    const char *best = NULL;
    size_t best_edits = 3;
    for (int op = 0; op < SIMT_NOPS; op++) {
        size_t n = lab_edits(name, len, ops[op].name, strlen(ops[op].name));
        if (n < best_edits && n < len) {
            best = ops[op].name;
            best_edits = n;
        }
    }
    return best;
}

static const char *operand_text(char letter)
{
    switch (letter) {
    case 'd': return "rd";
    case 'a': return "ra";
    case 'b': return "rb";
    case 'c': return "rc";
    case 's': return "rb|imm";
    case 'i': return "imm";
    case 'm': return "[ra+imm]";
    default: LAB_ASSERT(letter == 'l'); return "label";
    }
}

void simt_op_operands(enum simt_op op, struct lab_buf *out)
{
    const char *form = simt_op_info(op)->form;
    for (size_t i = 0; form[i] != '\0'; i++) {
        lab_buf_puts(out, i == 0 ? "" : ", ");
        lab_buf_puts(out, operand_text(form[i]));
    }
}
