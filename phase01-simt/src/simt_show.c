/* simt asm FILE and simt isa: what a program and the instruction set look like.
 *
 * Model: both are tables made from what the assembler itself uses, so they cannot say anything else
 * than it does.
 */
#include <string.h>

#include "simt_asm.h"
#include "simt_cmd.h"
#include "simt_tables.h"

static void list_insn(const struct simt_program *p, uint32_t pc, struct lab_buf *text,
                      struct lab_table *t)
{
    const struct simt_insn *in = &p->code[pc];
    const struct simt_label *label = simt_program_label(p, pc);
    lab_table_int(t, pc);
    lab_table_int(t, p->place[pc].line);
    lab_buf_clear(text);
    if (label != NULL) {
        lab_buf_add(text, label->name, label->len);
    }
    lab_table_str(t, lab_buf_str(text));
    lab_buf_clear(text);
    simt_insn_text(p, pc, text);
    lab_table_str(t, lab_buf_str(text));
    if (simt_is_branch(in) || in->op == SIMT_RECONV) {
        lab_table_int(t, in->pair);
    } else {
        lab_table_none(t);
    }
}

int simt_cmd_asm(struct lab_run *run, struct lab_err *err)
{
    struct simt_program *p = NULL;
    if (simt_assemble_file(run->operands[0], &p, err) < 0) {
        return -1;
    }
    struct lab_buf text;
    lab_buf_init(&text);
    struct lab_table *t = lab_run_table(run, &simt_table_asm);
    for (uint32_t pc = 0; pc < p->n; pc++) {
        list_insn(p, pc, &text, t);
    }
    lab_buf_fini(&text);
    simt_program_free(p);
    return 0;
}

int simt_cmd_isa(struct lab_run *run, struct lab_err *err)
{
    (void)err;
    struct lab_buf text;
    lab_buf_init(&text);
    struct lab_table *t = lab_run_table(run, &simt_table_isa);
    for (int op = 0; op < SIMT_NOPS; op++) {
        lab_buf_clear(&text);
        simt_op_operands((enum simt_op)op, &text);
        lab_table_str(t, simt_op_info((enum simt_op)op)->name);
        lab_table_str(t, lab_buf_str(&text));
        lab_table_str(t, simt_op_info((enum simt_op)op)->meaning);
    }
    lab_buf_fini(&text);
    return 0;
}
