/* Any text: it parses or is refused with one line that says what was expected; what parses survives
 * the round trip and has a control-flow graph whose blocks partition each function. */
#include <string.h>

#include "lab/buf.h"
#include "ptx.h"
#include "ptx_cfg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_graph(const struct ptx_func *f)
{
    struct ptx_cfg cfg;
    struct lab_err err = {0};
    if (ptx_cfg_build(f, &cfg, &err) < 0) {
        LAB_ASSERT(strstr(err.msg, "expected") != NULL);
        return;
    }
    for (uint32_t b = 0; b < cfg.nblocks; b++) {
        const struct ptx_block *block = &cfg.blocks[b];
        LAB_ASSERT(block->first == (b == 0 ? 0 : cfg.blocks[b - 1].end));
        LAB_ASSERT(block->first < block->end && block->end <= f->ninsns);
        LAB_ASSERT(block->ipdom == PTX_NO_INSN ||
                   (block->ipdom < cfg.nblocks && block->ipdom != b));
    }
    ptx_cfg_fini(&cfg);
}

static void check_tree(const struct ptx_func *f)
{
    uint32_t nregs = 0;
    for (const struct ptx_var *v = f->regs; v != NULL; v = v->next) {
        LAB_ASSERT(v->reg_index == nregs++ && v->space == PTX_SPACE_REG);
    }
    LAB_ASSERT(nregs == f->nregs);
    for (uint32_t i = 0; i < f->nlabels; i++) {
        LAB_ASSERT(f->labels[i].insn < f->ninsns);
    }
    for (uint32_t i = 0; i < f->ninsns; i++) {
        for (unsigned k = 0; k < f->insns[i].nops; k++) {
            const struct ptx_operand *op = &f->insns[i].ops[k];
            LAB_ASSERT(op->kind != PTX_OP_LABEL || op->target < f->ninsns);
        }
    }
}

static void check_round_trip(const struct ptx_module *m)
{
    struct lab_buf first, second;
    struct ptx_module *again;
    struct lab_err err = {0};
    lab_buf_init(&first);
    lab_buf_init(&second);
    ptx_module_print(m, &first);
    if (ptx_parse("printed", lab_buf_str(&first), first.len, &again, &err) < 0) {
        fprintf(stderr, "%s\n%s\n", err.msg, lab_buf_str(&first));
        abort();
    }
    ptx_module_print(again, &second);
    LAB_ASSERT(strcmp(lab_buf_str(&first), lab_buf_str(&second)) == 0);
    ptx_module_free(again);
    lab_buf_fini(&first);
    lab_buf_fini(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_module *m;
    struct lab_err err = {0};
    if (ptx_parse("t", (const char *)data, size, &m, &err) < 0) {
        LAB_ASSERT(err.kind == LAB_ERR_INPUT && strstr(err.msg, "expected") != NULL);
        return 0;
    }
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        check_tree(f);
        check_graph(f);
    }
    check_round_trip(m);
    ptx_module_free(m);
    return 0;
}
