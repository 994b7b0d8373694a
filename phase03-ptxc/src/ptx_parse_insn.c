/* Problem: one instruction: guard, opcode, modifiers, operands; and names that stand before what
 * they name (labels above all).
 * Model: operands that name nothing yet are kept as labels without a target; when the body ends
 * each is looked up again from the scope it stands in outwards.
 * Invariants: after ptx_resolve_fixups no operand is unresolved.
 * Simplified: which operands an opcode takes is not checked here.
 */
#include <string.h>

#include "ptx_parse.h"

static int unknown_word(struct ptx_parser *p, const struct ptx_token *t, bool opcode)
{
    char shown[PTX_SHOWN];
    enum ptx_word near = ptx_word_nearest(t->s, t->len, opcode);
    ptx_token_show(t, shown);
    if (near == PTX_W_none) {
        return ptx_error_at(p, t->pos, "%s, expected %s", shown,
                            opcode ? "an opcode of PTX" : "a modifier of PTX");
    }
    return ptx_error_at(p, t->pos, "%s, expected %s; the nearest is '%s%s'", shown,
                        opcode ? "an opcode of PTX" : "a modifier of PTX", opcode ? "" : ".",
                        ptx_word_text(near));
}

static int parse_modifiers(struct ptx_parser *p, struct ptx_insn *insn)
{
    enum ptx_word mods[PTX_MAX_MODIFIERS];
    p->insn_type = PTX_NONE;
    while (p->tok.kind == PTX_T_WORD) {
        if (insn->nmods == PTX_MAX_MODIFIERS) {
            return ptx_error_at(p, p->tok.pos, "more than %d modifiers, expected less",
                                PTX_MAX_MODIFIERS);
        }
        enum ptx_word w = ptx_word_find(p->tok.s, p->tok.len);
        if (w == PTX_W_none) {
            return unknown_word(p, &p->tok, false);
        }
        mods[insn->nmods++] = w;
        if (ptx_advance(p) < 0) {
            return -1;
        }
    }
    insn->mods = ptx_arena_copy(p->arena, mods, insn->nmods, sizeof(mods[0]));
    p->insn_type = ptx_insn_type(insn);
    return 0;
}

static bool is_unresolved(const struct ptx_operand *op)
{
    return op->kind == PTX_OP_LABEL && op->target == PTX_UNRESOLVED;
}

static int parse_operands(struct ptx_parser *p, struct ptx_insn *insn, bool *unresolved)
{
    struct ptx_operand ops[PTX_MAX_OPERANDS];
    int more = !ptx_is_punct(p, ';');
    while (more > 0) {
        if (insn->nops == PTX_MAX_OPERANDS) {
            return ptx_error_at(p, p->tok.pos, "more than %d operands, expected less",
                                PTX_MAX_OPERANDS);
        }
        struct ptx_operand *op = &ops[insn->nops++];
        if (ptx_parse_operand(p, insn->op, op) < 0) {
            return -1;
        }
        *unresolved = *unresolved || is_unresolved(op);
        more = ptx_accept(p, ',');
    }
    if (more < 0) {
        return -1;
    }
    insn->ops = ptx_arena_copy(p->arena, ops, insn->nops, sizeof(ops[0]));
    return ptx_expect(p, ';', "',' or ';'");
}

int ptx_parse_insn(struct ptx_parser *p, const struct ptx_token *opcode,
                   const struct ptx_operand *guard)
{
    struct ptx_body *b = p->body;
    struct ptx_insn insn = {.pos = opcode->pos,
                            .loc_file = b->loc_file,
                            .loc_line = b->loc_line,
                            .op = ptx_word_find(opcode->s, opcode->len)};
    if (guard != NULL) {
        insn.guard = guard->var;
        insn.guard_negated = guard->negated;
        insn.pos = guard->pos;
    }
    if (!ptx_word_is_opcode(insn.op)) {
        return unknown_word(p, opcode, true);
    }
    bool unresolved = false;
    if (parse_modifiers(p, &insn) < 0 || parse_operands(p, &insn, &unresolved) < 0) {
        return -1;
    }
    if (b->ninsns == PTX_MAX_INSNS) {
        return ptx_error_at(p, insn.pos, "more than %u instructions in '%.80s', expected less",
                            PTX_MAX_INSNS, b->f->name);
    }
    if (unresolved) {
        b->fixups = ptx_grow(b->fixups, b->nfixups, &b->fixups_cap, sizeof(*b->fixups));
        b->fixups[b->nfixups++] = (struct ptx_fixup){b->ninsns, b->open[b->depth - 1]};
    }
    b->insns = ptx_grow(b->insns, b->ninsns, &b->insns_cap, sizeof(*b->insns));
    b->insns[b->ninsns++] = insn;
    return 0;
}

int ptx_parse_guarded(struct ptx_parser *p)
{
    struct ptx_operand guard;
    struct ptx_token opcode;
    struct ptx_pos pos = p->tok.pos;
    if (ptx_advance(p) < 0 || ptx_parse_operand(p, PTX_W_none, &guard) < 0) {
        return -1;
    }
    if (guard.kind != PTX_OP_REG || guard.var->type != PTX_PRED) {
        return ptx_error_at(p, guard.pos,
                            "a guard that is no predicate, expected a register of "
                            "type .pred");
    }
    guard.pos = pos;
    if (ptx_expect_name(p, "an instruction after its guard", &opcode) < 0) {
        return -1;
    }
    return ptx_parse_insn(p, &opcode, &guard);
}

/* --- names that stood before their definition --- */

/* The label is in the function, but in a scope that is closed to `scope`. */
static bool is_elsewhere(const struct ptx_body *b, const char *name)
{
    for (uint32_t i = 0; i < b->nlabels; i++) {
        if (strcmp(b->labels[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static struct ptx_sym *find_from(struct ptx_parser *p, uint32_t scope, const char *name)
{
    struct ptx_body *b = p->body;
    size_t len = strlen(name);
    for (;;) {
        struct ptx_sym *sym = ptx_sym_get(&p->syms, b->uids[scope], name, len);
        if (sym != NULL) {
            return sym;
        }
        if (scope == 0) {
            return ptx_sym_get(&p->syms, 0, name, len);
        }
        scope = b->scopes[scope].parent;
    }
}

static int resolve(struct ptx_parser *p, struct ptx_operand *op, uint32_t scope)
{
    struct ptx_body *b = p->body;
    struct ptx_sym *sym = find_from(p, scope, op->name);
    switch (sym == NULL ? PTX_SYM_FREE : sym->kind) {
    case PTX_SYM_LABEL: op->target = b->labels[sym->index].insn; return 0;
    case PTX_SYM_TARGETS: {
        struct ptx_pos pos = op->pos;
        *op = b->targets[sym->index];
        op->pos = pos;
        return 0;
    }
    case PTX_SYM_PROTO:
    case PTX_SYM_FUNC:
        op->kind = sym->kind == PTX_SYM_FUNC ? PTX_OP_FUNC : PTX_OP_PROTO;
        op->func = sym->object;
        return 0;
    default: break;
    }
    if (is_elsewhere(b, op->name)) {
        return ptx_error_at(p, op->pos,
                            "label '%.80s' stands in other braces, expected one of a scope around "
                            "this line",
                            op->name);
    }
    return ptx_error_at(p, op->pos, "'%.80s' is not defined, expected a label%s", op->name,
                        sym == NULL ? " or a function" : "");
}

int ptx_resolve_fixups(struct ptx_parser *p)
{
    struct ptx_body *b = p->body;
    /* Lists first: an operand that names one copies its elements. */
    for (uint32_t i = 0; i < b->ntargets; i++) {
        struct ptx_operand *elems = (struct ptx_operand *)b->targets[i].elems;
        for (uint32_t k = 0; k < b->targets[i].nelems; k++) {
            if (is_unresolved(&elems[k]) && resolve(p, &elems[k], b->targets[i].target) < 0) {
                return -1;
            }
        }
    }
    for (uint32_t i = 0; i < b->nfixups; i++) {
        const struct ptx_insn *insn = &b->insns[b->fixups[i].insn];
        struct ptx_operand *ops = (struct ptx_operand *)insn->ops;
        for (uint32_t k = 0; k < insn->nops; k++) {
            if (is_unresolved(&ops[k]) && resolve(p, &ops[k], b->fixups[i].scope) < 0) {
                return -1;
            }
        }
    }
    return 0;
}
