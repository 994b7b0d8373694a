/* Problem: operands: registers, constants, addresses, vectors, pairs, names of all kinds.
 * Model: what begins an operand says which it is. Lists are collected on the parser's stack and
 * move to the arena when they are complete. PTX ISA 9.0, chapter 6.
 * Invariants: every level of nesting goes through ptx_deeper.
 * Simplified: a vector register is its scalar parts from here on.
 */
#include <string.h>

#include "ptx_parse.h"

int ptx_push(struct ptx_parser *p, const struct ptx_operand *op, uint32_t base)
{
    if (p->stack_len - base == PTX_MAX_ELEMENTS) {
        return ptx_error_at(p, op->pos, "a list of more than %u elements, expected less",
                            PTX_MAX_ELEMENTS);
    }
    p->stack = ptx_grow(p->stack, p->stack_len, &p->stack_cap, sizeof(*p->stack));
    p->stack[p->stack_len++] = *op;
    return 0;
}

void ptx_pop_list(struct ptx_parser *p, uint32_t base, struct ptx_operand *list)
{
    list->nelems = p->stack_len - base;
    list->elems = list->nelems == 0
                      ? NULL
                      : ptx_arena_copy(p->arena, p->stack + base, list->nelems, sizeof(*p->stack));
    p->stack_len = base;
}

/* --- names --- */

static struct ptx_var *new_reg(struct ptx_parser *p, const struct ptx_regdecl *decl, char *name)
{
    struct ptx_func *f = p->body->f;
    if (f->nregs == PTX_MAX_REGS) {
        ptx_report(p, p->tok.pos, "more than %u registers in '%.80s', expected less", PTX_MAX_REGS,
                   f->name);
        return NULL;
    }
    struct ptx_var *v = ptx_arena_alloc(p->arena, 1, sizeof(*v));
    v->name = name;
    v->pos = decl->pos;
    v->space = PTX_SPACE_REG;
    v->type = decl->type;
    v->vec = decl->vec;
    v->align = ptx_type_size(decl->type);
    v->elements = 1;
    v->size = v->align;
    v->scope = decl->scope;
    v->reg_index = f->nregs++;
    *p->body->regs_tail = v;
    p->body->regs_tail = &v->next;
    return v;
}

/* The register comes into being: sym becomes a variable, or a vector of them. */
static int make_reg(struct ptx_parser *p, struct ptx_sym *sym)
{
    static const char parts[] = "xyzw";
    const struct ptx_regdecl *decl = sym->object;
    char *name = ptx_arena_str(p->arena, sym->name, sym->len);
    if (decl->vec == 1) {
        struct ptx_var *v = new_reg(p, decl, name);
        sym->kind = PTX_SYM_VAR;
        sym->object = v;
        return v == NULL ? -1 : 0;
    }
    struct ptx_var **vars = ptx_arena_alloc(p->arena, decl->vec, sizeof(void *));
    for (uint32_t i = 0; i < decl->vec; i++) {
        char *part = ptx_arena_alloc(p->arena, sym->len + 3u, 1);
        memcpy(part, sym->name, sym->len);
        part[sym->len] = '.';
        part[sym->len + 1] = parts[i];
        vars[i] = new_reg(p, decl, part);
        if (vars[i] == NULL) {
            return -1;
        }
    }
    sym->kind = PTX_SYM_VECTOR;
    sym->object = vars;
    sym->index = decl->vec;
    return 0;
}

/* A range that holds the name: %r<20> holds %r0 … %r19. */
static struct ptx_sym *find_range(struct ptx_parser *p, uint32_t uid, const struct ptx_token *name)
{
    size_t digits = 0;
    while (digits < 10 && digits < name->len && name->s[name->len - 1 - digits] >= '0' &&
           name->s[name->len - 1 - digits] <= '9') {
        digits++;
    }
    for (size_t n = 1; n <= digits && n < name->len; n++) {
        const char *number = name->s + name->len - n;
        if (n > 1 && number[0] == '0') {
            continue;
        }
        uint64_t value = 0;
        for (size_t i = 0; i < n; i++) {
            value = value * 10 + (uint64_t)(number[i] - '0');
        }
        struct ptx_sym *sym = ptx_sym_get(&p->syms, PTX_RANGES(uid), name->s, name->len - n);
        if (sym != NULL && value < ((const struct ptx_regdecl *)sym->object)->count) {
            return sym;
        }
    }
    return NULL;
}

static int lookup_in(struct ptx_parser *p, uint32_t uid, const struct ptx_token *name,
                     struct ptx_sym **out)
{
    struct ptx_sym *sym = ptx_sym_get(&p->syms, uid, name->s, name->len);
    if (sym == NULL) {
        struct ptx_sym *range = find_range(p, uid, name);
        if (range == NULL) {
            return 0;
        }
        void *decl = range->object;
        struct ptx_pos pos = range->pos;
        sym = ptx_sym_add(&p->syms, uid, name->s, name->len);
        sym->kind = PTX_SYM_REG;
        sym->object = decl;
        sym->pos = pos;
    }
    if (sym->kind == PTX_SYM_REG && make_reg(p, sym) < 0) {
        return -1;
    }
    *out = sym;
    return 0;
}

int ptx_lookup(struct ptx_parser *p, const struct ptx_token *name, struct ptx_sym **out)
{
    struct ptx_body *b = p->body;
    *out = NULL;
    for (uint32_t i = b->depth; i > 0; i--) {
        if (lookup_in(p, b->uids[b->open[i - 1]], name, out) < 0) {
            return -1;
        }
        if (*out != NULL) {
            return 0;
        }
    }
    *out = ptx_sym_get(&p->syms, 0, name->s, name->len);
    return 0;
}

/* --- operands that begin with a name --- */

static bool is_text(const struct ptx_token *t, const char *text)
{
    return t->len == strlen(text) && memcmp(t->s, text, t->len) == 0;
}

/* v, all parts of a vector register, or v.x, one of them. */
static int parse_vector(struct ptx_parser *p, struct ptx_var *const *vars, uint32_t n,
                        struct ptx_operand *out)
{
    static const char *const parts[] = {"xr", "yg", "zb", "wa"};
    if (p->tok.kind != PTX_T_WORD) {
        struct ptx_operand *elems = ptx_arena_alloc(p->arena, n, sizeof(*elems));
        for (uint32_t i = 0; i < n; i++) {
            elems[i] = (struct ptx_operand){.kind = PTX_OP_REG, .pos = out->pos, .var = vars[i]};
        }
        out->kind = PTX_OP_VEC;
        out->elems = elems;
        out->nelems = n;
        return 0;
    }
    for (uint32_t i = 0; i < n && i < 4 && p->tok.len == 1; i++) {
        if (strchr(parts[i], p->tok.s[0]) != NULL) {
            out->kind = PTX_OP_REG;
            out->var = vars[i];
            return ptx_advance(p);
        }
    }
    return ptx_expected(p, "a part of the vector register, .x and so on");
}

static int parse_offset(struct ptx_parser *p, int64_t *offset)
{
    while (ptx_is_punct(p, '+') || ptx_is_punct(p, '-')) {
        bool minus = ptx_is_punct(p, '-');
        struct ptx_const c;
        if (ptx_advance(p) < 0 || ptx_parse_term(p, &c) < 0) {
            return -1;
        }
        *offset = (int64_t)((uint64_t)*offset + (minus ? -(uint64_t)c.i : (uint64_t)c.i));
    }
    return 0;
}

/* A variable: its address, with an offset or an index; memory instructions mean what is there. */
static int parse_symbol(struct ptx_parser *p, enum ptx_word op, struct ptx_operand *out)
{
    out->kind = PTX_OP_SYM;
    if (!ptx_is_punct(p, '[')) {
        return parse_offset(p, &out->i);
    }
    int64_t index;
    if (ptx_advance(p) < 0 || ptx_parse_int(p, "an index", &index) < 0 ||
        ptx_expect(p, ']', "']'") < 0) {
        return -1;
    }
    int64_t offset = (int64_t)((uint64_t)index * ptx_type_size(out->var->type) * out->var->vec);
    if (op == PTX_W_mov || op == PTX_W_cvta) {
        out->i = offset;
    } else {
        out->kind = PTX_OP_ADDR;
        out->offset = offset;
    }
    return 0;
}

static int parse_var(struct ptx_parser *p, enum ptx_word op, struct ptx_operand *out)
{
    if (out->var->space != PTX_SPACE_REG) {
        return parse_symbol(p, op, out);
    }
    out->kind = PTX_OP_REG;
    if (p->tok.kind != PTX_T_WORD) {
        return 0;
    }
    bool video = op >= PTX_W_vabsdiff && op <= PTX_W_vsub4 && op != PTX_W_vote;
    if (!video || p->tok.len < 2 || p->tok.len > 5 || strchr("bh", p->tok.s[0]) == NULL) {
        return ptx_expected(p, "no part, the register is no vector");
    }
    out->name = ptx_name(p, &p->tok);
    return ptx_advance(p);
}

static int parse_unknown(struct ptx_parser *p, enum ptx_word op, const struct ptx_token *t,
                         struct ptx_operand *out)
{
    int sreg = t->s[0] == '%' ? ptx_parse_sreg(p, t, out) : 0;
    if (sreg != 0) {
        return sreg < 0 ? -1 : 0;
    }
    if (op == PTX_W_bra || op == PTX_W_brx || op == PTX_W_call) {
        out->kind = PTX_OP_LABEL;
        out->target = PTX_UNRESOLVED;
        out->name = ptx_name(p, t);
        return 0;
    }
    char shown[PTX_SHOWN];
    return ptx_error_at(p, t->pos, "%s is not declared, expected a register, variable or function",
                        ptx_token_show(t, shown));
}

static int parse_named(struct ptx_parser *p, enum ptx_word op, struct ptx_operand *out)
{
    struct ptx_token t;
    struct ptx_sym *sym = NULL;
    if (ptx_expect_name(p, "an operand", &t) < 0) {
        return -1;
    }
    if (is_text(&t, "_")) {
        out->kind = PTX_OP_SINK;
        return 0;
    }
    if (op != PTX_W_bra && ptx_lookup(p, &t, &sym) < 0) {
        return -1;
    }
    switch (sym == NULL ? PTX_SYM_FREE : sym->kind) {
    case PTX_SYM_VAR: out->var = sym->object; return parse_var(p, op, out);
    case PTX_SYM_VECTOR: return parse_vector(p, sym->object, sym->index, out);
    case PTX_SYM_FUNC:
        out->kind = PTX_OP_FUNC;
        out->func = sym->object;
        return 0;
    default: return parse_unknown(p, op, &t, out);
    }
}

/* --- the others --- */

static int parse_list(struct ptx_parser *p, enum ptx_word op, int close, struct ptx_operand *out)
{
    uint32_t base = p->stack_len;
    while (!ptx_is_punct(p, close)) {
        struct ptx_operand elem;
        if (ptx_parse_operand(p, op, &elem) < 0 || ptx_push(p, &elem, base) < 0) {
            return -1;
        }
        int more = ptx_accept(p, ',');
        if (more < 0) {
            return -1;
        }
        if (more == 0 && !ptx_is_punct(p, close)) {
            return ptx_expected(p, close == '}'   ? "',' or '}'"
                                   : close == ')' ? "',' or ')'"
                                                  : "',' or ']'");
        }
    }
    ptx_pop_list(p, base, out);
    return ptx_advance(p);
}

/* [base + offset, more …] behind the bracket. */
static int parse_address(struct ptx_parser *p, struct ptx_operand *out)
{
    if (p->tok.kind == PTX_T_IDENT && !is_text(&p->tok, "WARP_SZ")) {
        struct ptx_operand base = {.kind = PTX_OP_INT, .pos = p->tok.pos};
        if (parse_named(p, PTX_W_mov, &base) < 0) {
            return -1;
        }
        if (base.kind != PTX_OP_REG && base.kind != PTX_OP_SYM) {
            return ptx_error_at(p, base.pos,
                                "an address that is neither register nor variable, "
                                "expected one of them");
        }
        out->var = base.var;
        out->offset = base.i;
    } else {
        struct ptx_const c;
        if (ptx_parse_term(p, &c) < 0) {
            return -1;
        }
        out->offset = c.i;
    }
    if (parse_offset(p, &out->offset) < 0) {
        return -1;
    }
    out->kind = PTX_OP_ADDR;
    int more = ptx_accept(p, ',');
    if (more < 0 || (more && parse_list(p, PTX_W_none, ']', out) < 0) ||
        (!more && ptx_expect(p, ']', "']'") < 0)) {
        return -1;
    }
    out->unified = ptx_is_word(p, "unified");
    return out->unified ? ptx_advance(p) : 0;
}

static int parse_number(struct ptx_parser *p, struct ptx_operand *out)
{
    struct ptx_const c;
    if (ptx_parse_const(p, &c) < 0) {
        return -1;
    }
    out->kind = c.kind;
    out->i = c.i;
    if (c.kind == PTX_OP_F64 && p->insn_type == PTX_F32) {
        double d;
        memcpy(&d, &c.i, sizeof(d));
        float f = (float)d;
        uint32_t bits;
        memcpy(&bits, &f, sizeof(bits));
        out->kind = PTX_OP_F32;
        out->i = bits;
    }
    return 0;
}

/* Does a name stand behind the current token? */
static bool name_follows(const struct ptx_parser *p)
{
    struct ptx_lexer ahead = p->lex;
    struct ptx_token t;
    ahead.err = NULL;
    return ptx_lex_next(&ahead, &t) == 0 && t.kind == PTX_T_IDENT;
}

/* !%p, or -%r of vmad, the one instruction that takes it. */
static int parse_negated(struct ptx_parser *p, enum ptx_word op, struct ptx_operand *out)
{
    bool logical = ptx_is_punct(p, '!');
    if (ptx_advance(p) < 0) {
        return -1;
    }
    out->negated = true;
    if (parse_named(p, op, out) < 0) {
        return -1;
    }
    if (out->kind != PTX_OP_REG || (out->var->type == PTX_PRED) != logical) {
        return ptx_error_at(p, out->pos, "a negation of what is no %s, expected one",
                            logical ? "predicate" : "number's register");
    }
    return 0;
}

static int parse_plain(struct ptx_parser *p, enum ptx_word op, struct ptx_operand *out)
{
    if (ptx_is_punct(p, '{')) {
        out->kind = PTX_OP_VEC;
        return ptx_advance(p) < 0 ? -1 : parse_list(p, PTX_W_none, '}', out);
    }
    if (ptx_is_punct(p, '(') && op == PTX_W_call) {
        out->kind = PTX_OP_LIST;
        return ptx_advance(p) < 0 ? -1 : parse_list(p, PTX_W_none, ')', out);
    }
    if (ptx_is_punct(p, '[')) {
        return ptx_advance(p) < 0 ? -1 : parse_address(p, out);
    }
    bool negation = ptx_is_punct(p, '!') || (ptx_is_punct(p, '-') && op == PTX_W_vmad);
    if (negation && name_follows(p)) {
        return parse_negated(p, op, out);
    }
    bool name = p->tok.kind == PTX_T_IDENT && !is_text(&p->tok, "WARP_SZ");
    return name ? parse_named(p, op, out) : parse_number(p, out);
}

/* d|p: two destinations. `out` is the first and becomes the pair. */
static int parse_pair(struct ptx_parser *p, struct ptx_operand *out)
{
    struct ptx_operand *both = ptx_arena_alloc(p->arena, 2, sizeof(*both));
    both[0] = *out;
    both[1] = (struct ptx_operand){.kind = PTX_OP_INT, .pos = p->tok.pos};
    if (p->tok.kind != PTX_T_IDENT) {
        return ptx_expected(p, "a register after '|'");
    }
    if (parse_named(p, PTX_W_none, &both[1]) < 0) {
        return -1;
    }
    *out = (struct ptx_operand){.kind = PTX_OP_PAIR, .pos = out->pos, .elems = both, .nelems = 2};
    return 0;
}

int ptx_parse_operand(struct ptx_parser *p, enum ptx_word op, struct ptx_operand *out)
{
    *out = (struct ptx_operand){.kind = PTX_OP_INT, .pos = p->tok.pos};
    if (ptx_deeper(p) < 0 || parse_plain(p, op, out) < 0) {
        return -1;
    }
    p->depth--;
    bool destination =
        out->kind == PTX_OP_REG || out->kind == PTX_OP_SINK || out->kind == PTX_OP_VEC;
    if (destination && ptx_is_punct(p, '|')) {
        return ptx_advance(p) < 0 ? -1 : parse_pair(p, out);
    }
    return 0;
}
