/* Problem: an instruction of the tree as one line of PTX again, for reports and the round trip.
 * Model: one function an operand kind, appending to a buffer.
 * Invariants: what is printed parses to the same instruction: floats as bits, integers in decimal.
 * Simplified: a whole special register prints as the list of its parts.
 */
#include <inttypes.h>

#include "lab/buf.h"
#include "ptx.h"

static void print_operand(const struct ptx_operand *op, struct lab_buf *out);

static void print_list(const struct ptx_operand *elems, uint32_t n, struct lab_buf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        lab_buf_puts(out, i == 0 ? "" : ", ");
        print_operand(&elems[i], out);
    }
}

static void print_offset(int64_t offset, struct lab_buf *out)
{
    if (offset != 0) {
        lab_buf_printf(out, "+%" PRId64, offset);
    }
}

static void print_address(const struct ptx_operand *op, struct lab_buf *out)
{
    lab_buf_putc(out, '[');
    if (op->var != NULL) {
        lab_buf_puts(out, op->var->name);
        print_offset(op->offset, out);
    } else {
        lab_buf_printf(out, "%" PRId64, op->offset);
    }
    lab_buf_puts(out, op->nelems > 0 ? ", " : "");
    print_list(op->elems, op->nelems, out);
    lab_buf_puts(out, op->unified ? "].unified" : "]");
}

static void print_reg(const struct ptx_operand *op, struct lab_buf *out)
{
    lab_buf_puts(out, op->var->name);
    if (op->name != NULL) {
        lab_buf_printf(out, ".%s", op->name);
    }
}

static void print_sreg(const struct ptx_operand *op, struct lab_buf *out)
{
    static const char *const reserved[] = {"begin", "end", "cap", "0", "1"};
    switch (op->sreg) {
    case PTX_ENVREG: lab_buf_printf(out, "%%envreg%" PRId64, op->i); break;
    case PTX_PM: lab_buf_printf(out, "%%pm%" PRId64, op->i); break;
    case PTX_PM64: lab_buf_printf(out, "%%pm%" PRId64 "_64", op->i); break;
    case PTX_RESERVED_SMEM:
        lab_buf_printf(out, "%%reserved_smem_offset_%s", reserved[op->i]);
        break;
    default: lab_buf_puts(out, ptx_sreg_name(op->sreg)); break;
    }
}

static void print_operand(const struct ptx_operand *op, struct lab_buf *out)
{
    bool predicate = op->kind == PTX_OP_REG && op->var->type == PTX_PRED;
    lab_buf_puts(out, !op->negated ? "" : predicate ? "!" : "-");
    switch (op->kind) {
    case PTX_OP_REG: print_reg(op, out); break;
    case PTX_OP_SREG: print_sreg(op, out); break;
    case PTX_OP_INT: lab_buf_printf(out, "%" PRId64, op->i); break;
    case PTX_OP_F32: lab_buf_printf(out, "0f%08" PRIX32, (uint32_t)op->i); break;
    case PTX_OP_F64: lab_buf_printf(out, "0d%016" PRIX64, (uint64_t)op->i); break;
    case PTX_OP_ADDR: print_address(op, out); break;
    case PTX_OP_SYM:
        lab_buf_puts(out, op->var->name);
        print_offset(op->i, out);
        break;
    case PTX_OP_FUNC: lab_buf_puts(out, op->func->name); break;
    case PTX_OP_LABEL:
    case PTX_OP_PROTO:
    case PTX_OP_TARGETS: lab_buf_puts(out, op->name); break;
    case PTX_OP_VEC:
        lab_buf_putc(out, '{');
        print_list(op->elems, op->nelems, out);
        lab_buf_putc(out, '}');
        break;
    case PTX_OP_PAIR:
        print_operand(&op->elems[0], out);
        lab_buf_putc(out, '|');
        print_operand(&op->elems[1], out);
        break;
    case PTX_OP_SINK: lab_buf_putc(out, '_'); break;
    case PTX_OP_LIST:
        lab_buf_putc(out, '(');
        print_list(op->elems, op->nelems, out);
        lab_buf_putc(out, ')');
        break;
    }
}

void ptx_insn_print(const struct ptx_insn *insn, struct lab_buf *out)
{
    if (insn->guard != NULL) {
        lab_buf_printf(out, "@%s%s ", insn->guard_negated ? "!" : "", insn->guard->name);
    }
    lab_buf_puts(out, ptx_word_text(insn->op));
    for (unsigned i = 0; i < insn->nmods; i++) {
        lab_buf_printf(out, ".%s", ptx_word_text(insn->mods[i]));
    }
    lab_buf_puts(out, insn->nops > 0 ? " " : "");
    print_list(insn->ops, insn->nops, out);
}
