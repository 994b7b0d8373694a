/* A program once it is assembled: looking at it, printing it, and pointing into its source.
 *
 * Problem: messages, the trace and `simt asm` have to show an instruction as its author wrote it.
 * Model: decoded instructions beside the place each came from; label names are looked up by pc.
 * Printing follows the same operand form as reading does. Invariants: labels are sorted by pc, and
 * every branch and jump target is below n.
 *
 * Simplified: where several labels stand at one pc, the first is shown.
 */
#include "simt_program.h"

#include <stdarg.h>
#include <stdlib.h>

void simt_program_free(struct simt_program *p)
{
    if (p == NULL) {
        return;
    }
    free(p->name);
    free(p->text);
    free(p->code);
    free(p->place);
    free(p->labels);
    free(p);
}

bool simt_is_branch(const struct simt_insn *in)
{
    return in->op == SIMT_BRZ || in->op == SIMT_BRNZ;
}

const struct simt_label *simt_program_label(const struct simt_program *p, uint32_t pc)
{
    uint32_t lo = 0;
    uint32_t hi = p->nlabels;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (p->labels[mid].pc < pc) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < p->nlabels && p->labels[lo].pc == pc ? &p->labels[lo] : NULL;
}

static void label_text(const struct simt_program *p, uint32_t pc, struct lab_buf *out)
{
    const struct simt_label *label = simt_program_label(p, pc);
    if (label != NULL) {
        lab_buf_add(out, label->name, label->len);
    } else {
        lab_buf_printf(out, "@%u", pc);
    }
}

static void memory_text(const struct simt_insn *in, struct lab_buf *out)
{
    lab_buf_printf(out, "[r%u", in->ra);
    if (in->imm != 0) {
        lab_buf_printf(out, "%+d", in->imm);
    }
    lab_buf_putc(out, ']');
}

static void operand_text(const struct simt_program *p, const struct simt_insn *in, char letter,
                         struct lab_buf *out)
{
    switch (letter) {
    case 'd': lab_buf_printf(out, "r%u", in->rd); break;
    case 'a': lab_buf_printf(out, "r%u", in->ra); break;
    case 'b': lab_buf_printf(out, "r%u", in->rb); break;
    case 'c': lab_buf_printf(out, "r%u", in->rc); break;
    case 'i': lab_buf_printf(out, "%d", in->imm); break;
    case 'm': memory_text(in, out); break;
    case 'l': label_text(p, in->target, out); break;
    default:
        if (in->has_imm) {
            lab_buf_printf(out, "%d", in->imm);
        } else {
            lab_buf_printf(out, "r%u", in->rb);
        }
    }
}

void simt_insn_text(const struct simt_program *p, uint32_t pc, struct lab_buf *out)
{
    LAB_ASSERT(pc < p->n);
    const struct simt_insn *in = &p->code[pc];
    const struct simt_op_info *info = simt_op_info(in->op);
    lab_buf_puts(out, info->name);
    for (size_t i = 0; info->form[i] != '\0'; i++) {
        lab_buf_puts(out, i == 0 ? " " : ", ");
        operand_text(p, in, info->form[i], out);
    }
}

int simt_error_at(const struct simt_program *p, uint32_t pc, struct lab_err *err, const char *fmt,
                  ...)
{
    struct lab_buf text;
    va_list ap;
    lab_buf_init(&text);
    va_start(ap, fmt);
    lab_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    const struct simt_place *at = &p->place[pc < p->n ? pc : p->n - 1];
    (void)lab_err_input(err, "%s:%u:%u: %s", p->name, at->line, at->col, lab_buf_str(&text));
    lab_buf_fini(&text);
    return -1;
}
