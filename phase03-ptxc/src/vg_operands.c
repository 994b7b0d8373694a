/* Which operands an instruction writes.
 *
 * PTX puts the destination first, in registers, a pair or a vector. The instructions without one
 * stand in the list below; of a call, the list in front of the function is written. An address is
 * never a destination register, so the first operand of st, red and their kin reads anyway.
 */
#include "vg_operands.h"

static bool writes_first(const struct ptx_insn *in)
{
    switch (in->op) {
    case PTX_W_st:
    case PTX_W_red:
    case PTX_W_bra:
    case PTX_W_brx:
    case PTX_W_ret:
    case PTX_W_exit:
    case PTX_W_trap:
    case PTX_W_nanosleep:
    case PTX_W_pmevent:
    case PTX_W_cp:
    case PTX_W_membar:
    case PTX_W_fence:
    case PTX_W_prefetch:
    case PTX_W_stmatrix: return false;
    case PTX_W_bar:
    case PTX_W_barrier: return ptx_has(in, PTX_W_red);
    case PTX_W_wmma: return !ptx_has(in, PTX_W_store);
    default: return true;
    }
}

struct walk {
    void *ctx;
    void (*visit)(void *ctx, const struct ptx_operand *op, enum vg_role role);
};

static void open_operand(const struct walk *w, const struct ptx_operand *op, enum vg_role role)
{
    switch (op->kind) {
    case PTX_OP_VEC:
    case PTX_OP_PAIR:
    case PTX_OP_LIST:
        for (uint32_t k = 0; k < op->nelems; k++) {
            open_operand(w, &op->elems[k], role);
        }
        break;
    case PTX_OP_ADDR:
        w->visit(w->ctx, op, VG_READS);
        for (uint32_t k = 0; k < op->nelems; k++) {
            open_operand(w, &op->elems[k], VG_READS);
        }
        break;
    case PTX_OP_SINK:
    case PTX_OP_LABEL:
    case PTX_OP_PROTO: break;
    default: w->visit(w->ctx, op, role); break;
    }
}

void vg_operands(const struct ptx_insn *in, void *ctx,
                 void (*visit)(void *ctx, const struct ptx_operand *op, enum vg_role role))
{
    const struct walk w = {ctx, visit};
    bool call = in->op == PTX_W_call;
    for (uint32_t k = 0; k < in->nops; k++) {
        enum vg_role role = VG_READS;
        if (k == 0 && (call ? in->ops[0].kind == PTX_OP_LIST : writes_first(in))) {
            role = VG_WRITES;
        }
        open_operand(&w, &in->ops[k], role);
    }
}

const struct ptx_func *vg_callee(const struct ptx_insn *in)
{
    if (in->op != PTX_W_call) {
        return NULL;
    }
    for (uint32_t k = 0; k < in->nops; k++) {
        if (in->ops[k].kind == PTX_OP_FUNC) {
            const struct ptx_func *f = in->ops[k].func;
            while (f->alias != NULL) {
                f = f->alias;
            }
            return f;
        }
    }
    return NULL;
}
