/* The instruction `call`: whom it calls, and its arguments.
 *
 * PTX writes `call.uni (results), function, (arguments), prototype`, and all but the function may
 * be missing. The function is a name or a register that holds an address; lanes whose registers
 * differ part and call one after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_call.h"
#include "vg_lanes.h"
#include "vg_launch.h"

/* Enter `code` with the lanes that execute. */
static void enter(struct vg_warp *w, const struct vg_insn *i, const struct vg_code *code)
{
    const struct vg_call *call = vg_call_at(w->code, i);
    struct vg_frame *caller = w->m->frame;
    uint32_t lanes = w->exec;
    struct vg_frame *callee = vg_frame_push(w, code, i);
    if (callee == NULL) {
        return;
    }
    for (uint32_t k = 0; k < call->nargs && k < code->func->nparams; k++) {
        vg_value_copy(w, &(struct vg_place_of){callee, &code->params[k]},
                      &(struct vg_place_of){caller, &call->args[k]}, lanes);
    }
    if (lanes != w->active) {
        vg_frag_split(w, i, w->active & ~lanes);
    }
    vg_frag_call(w, callee);
    vg_back_edge(w, i);
}

static void op_call(struct vg_warp *w, const struct vg_insn *i)
{
    const struct vg_call *call = vg_call_at(w->code, i);
    enter(w, i, w->block->launch->kernel->codes[call->index]);
}

/* The lanes that call whom the lowest lane calls go first. */
static void op_call_indirect(struct vg_warp *w, const struct vg_insn *i)
{
    const uint64_t *address = VG_U64(w, i->a);
    uint64_t first = address[__builtin_ctz(w->exec)];
    uint32_t same = 0, m = w->exec;
    VG_FOR_MASK(l, m)
    {
        same |= address[l] == first ? 1u << l : 0;
    }
    const struct vg_code *code = vg_code_at(w->block->launch, first);
    if (code == NULL) {
        vg_fault(w, i, VGPU_INVALID_PC, same, first, "call: no function has this address");
        return;
    }
    w->exec = same;
    enter(w, i, code);
}

/* --- decoding --- */

static bool value_of_operand(struct vg_decoder *d, const struct ptx_operand *op,
                             const struct ptx_var *formal, struct vg_value *v, struct lab_err *err)
{
    if (op->kind == PTX_OP_SYM && vg_code_home(d->code, op->var) != VG_NO_SLOT) {
        *v = vg_value_of(d, op->var);
        return true;
    }
    enum ptx_type type = op->kind == PTX_OP_REG ? op->var->type : PTX_B64;
    if (formal != NULL) {
        type = formal->type;
    }
    *v = (struct vg_value){true, vg_slot(d, op, type, err), ptx_type_size(type)};
    return v->at != VG_NO_SLOT;
}

/* A list's values; `formals` (may be NULL) are what the callee declares. */
static int values(struct vg_decoder *d, const struct ptx_operand *list,
                  const struct ptx_var *formals, struct vg_value **out, struct lab_err *err)
{
    *out = lab_alloc(list->nelems + 1u, sizeof(**out));
    for (uint32_t k = 0; k < list->nelems; k++) {
        if (!value_of_operand(d, &list->elems[k], formals, &(*out)[k], err)) {
            return -1;
        }
        formals = formals != NULL ? formals->next : NULL;
    }
    return 0;
}

/* Which operand says what. */
struct parts {
    const struct ptx_operand *results, *target, *args, *proto;
};

static bool find_parts(const struct ptx_insn *in, struct parts *p)
{
    *p = (struct parts){NULL, NULL, NULL, NULL};
    for (uint32_t k = 0; k < in->nops; k++) {
        const struct ptx_operand *op = &in->ops[k];
        if (op->kind == PTX_OP_LIST && p->target == NULL) {
            p->results = op;
        } else if (op->kind == PTX_OP_LIST) {
            p->args = op;
        } else if (op->kind == PTX_OP_PROTO || op->kind == PTX_OP_TARGETS) {
            p->proto = op;
        } else {
            p->target = op;
        }
    }
    return p->target != NULL;
}

static const struct ptx_func *real_func(const struct ptx_func *f)
{
    while (f != NULL && f->alias != NULL) {
        f = f->alias;
    }
    return f;
}

static int decode_target(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                         struct vg_call *call, const struct ptx_operand *target)
{
    struct lab_err *err = d->err;
    call->index = VG_NO_SLOT;
    if (target->kind != PTX_OP_FUNC) {
        out->fn = op_call_indirect;
        out->a = vg_slot(d, target, PTX_U64, err);
        return out->a == VG_NO_SLOT ? -1 : 0;
    }
    const struct ptx_func *f = real_func(target->func);
    if (f->defined) {
        call->index = d->symbols != NULL ? d->symbols->index(d->symbols->ctx, f) : VG_NO_SLOT;
        out->fn = op_call;
        return 0;
    }
    call->builtin = vg_builtin_find(f->name);
    out->fn = call->builtin;
    if (call->builtin == NULL) {
        return vg_decode_error(d, in, err, "the function '%s' is not defined in this module",
                               f->name);
    }
    return 0;
}

int vg_decode_call(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err)
{
    struct vg_code *c = d->code;
    struct parts p;
    if (!find_parts(in, &p)) {
        return vg_decode_error(d, in, err, "expected a function");
    }
    c->calls = lab_resize(c->calls, c->ncalls + 1u, sizeof(*c->calls));
    struct vg_call *call = &c->calls[c->ncalls];
    *call = (struct vg_call){.index = VG_NO_SLOT};
    out->extra = c->ncalls++;
    if (decode_target(d, in, out, call, p.target) < 0) {
        return -1;
    }
    const struct ptx_func *f = p.target->kind == PTX_OP_FUNC ? real_func(p.target->func) : NULL;
    if (f == NULL && p.proto != NULL && p.proto->kind == PTX_OP_PROTO) {
        f = p.proto->func;
    }
    call->nargs = p.args != NULL ? p.args->nelems : 0;
    call->nreturns = p.results != NULL ? p.results->nelems : 0;
    if (f != NULL && (f->nparams != call->nargs || f->nreturns != call->nreturns)) {
        return vg_decode_error(d, in, err, "'%s' takes %u arguments and gives %u results", f->name,
                               f->nparams, f->nreturns);
    }
    if ((p.args != NULL && values(d, p.args, f ? f->params : NULL, &call->args, err) < 0) ||
        (p.results != NULL &&
         values(d, p.results, f ? f->returns : NULL, &call->returns, err) < 0)) {
        return -1;
    }
    vg_decode_mark(d, VG_CLASS_ENDS | VG_CLASS_CALL);
    return 1;
}
