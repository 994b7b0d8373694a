/* Problem: a function's body: nested scopes, declarations, labels, prototypes, target lists, source
 * positions and instructions.
 * Model: one loop over statements with a stack of open scopes, so that a thousand braces need no
 * recursion. What grows is malloc'd and moved to the arena when the body ends.
 * Invariants: scopes are numbered as they open; every instruction lies in the innermost open one.
 * A body whose end can be reached gets a `ret`, so no label points behind the last instruction.
 * Simplified: the column and the inlining chain of .loc are read and dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx_parse.h"

static int open_scope(struct ptx_parser *p)
{
    struct ptx_body *b = p->body;
    if (b->depth == PTX_MAX_DEPTH) {
        return ptx_error_at(p, p->tok.pos, "braces nested more than %u deep, expected less",
                            PTX_MAX_DEPTH);
    }
    uint32_t cap = b->scopes_cap;
    b->uids = ptx_grow(b->uids, b->nscopes, &cap, sizeof(*b->uids));
    b->scopes = ptx_grow(b->scopes, b->nscopes, &b->scopes_cap, sizeof(*b->scopes));
    uint32_t parent = b->depth == 0 ? 0 : b->open[b->depth - 1];
    b->uids[b->nscopes] = b->nscopes == 0 ? b->uid : p->next_uid++;
    b->scopes[b->nscopes] = (struct ptx_scope){parent, b->ninsns, b->ninsns};
    b->open[b->depth++] = b->nscopes++;
    return ptx_advance(p);
}

static int close_scope(struct ptx_parser *p)
{
    struct ptx_body *b = p->body;
    b->scopes[b->open[--b->depth]].end = b->ninsns;
    return ptx_advance(p);
}

/* `inlined_at FILE LINE COLUMN`, after the word. A function of another file, such as one of the
 * toolkit's headers, stands for the place that calls it: that is where the reader looks. */
static int parse_inlined_at(struct ptx_parser *p)
{
    struct ptx_body *b = p->body;
    uint32_t file, line, column;
    if (ptx_expect_uint(p, "a file number", UINT32_MAX, &file) < 0 ||
        ptx_expect_uint(p, "a line number", UINT32_MAX, &line) < 0 ||
        ptx_expect_uint(p, "a column", UINT32_MAX, &column) < 0) {
        return -1;
    }
    if (file != b->loc_file) {
        b->loc_file = file;
        b->loc_line = line;
    }
    return 0;
}

/* `function_name SYM + N`, after the word. */
static int parse_function_name(struct ptx_parser *p)
{
    struct ptx_token symbol;
    uint32_t offset;
    if (ptx_expect_name(p, "a symbol", &symbol) < 0) {
        return -1;
    }
    if (!ptx_is_punct(p, '+')) {
        return 0;
    }
    return ptx_advance(p) < 0 ? -1 : ptx_expect_uint(p, "an offset", UINT32_MAX, &offset);
}

/* .loc FILE LINE COLUMN, and perhaps `, function_name SYM + N, inlined_at FILE LINE COLUMN`. */
static int parse_loc(struct ptx_parser *p)
{
    struct ptx_body *b = p->body;
    uint32_t column;
    if (ptx_advance(p) < 0 || ptx_expect_uint(p, "a file number", UINT32_MAX, &b->loc_file) < 0 ||
        ptx_expect_uint(p, "a line number", UINT32_MAX, &b->loc_line) < 0 ||
        ptx_expect_uint(p, "a column", UINT32_MAX, &column) < 0) {
        return -1;
    }
    while (ptx_is_punct(p, ',')) {
        struct ptx_token word;
        if (ptx_advance(p) < 0 || ptx_expect_name(p, "function_name or inlined_at", &word) < 0) {
            return -1;
        }
        bool inlined = word.len == 10 && memcmp(word.s, "inlined_at", 10) == 0;
        if ((inlined ? parse_inlined_at(p) : parse_function_name(p)) < 0) {
            return -1;
        }
    }
    return 0;
}

static int parse_label(struct ptx_parser *p, const struct ptx_token *name)
{
    struct ptx_body *b = p->body;
    if (ptx_is_word(p, "callprototype")) {
        return ptx_parse_prototype(p, name);
    }
    if (ptx_is_word(p, "branchtargets") || ptx_is_word(p, "calltargets")) {
        return ptx_parse_targets(p, name);
    }
    struct ptx_sym *sym = ptx_declare(p, ptx_current_uid(p), name);
    if (sym == NULL) {
        return -1;
    }
    sym->kind = PTX_SYM_LABEL;
    sym->index = b->nlabels;
    b->labels = ptx_grow(b->labels, b->nlabels, &b->labels_cap, sizeof(*b->labels));
    b->labels[b->nlabels++] =
        (struct ptx_label){ptx_name(p, name), name->pos, b->open[b->depth - 1], b->ninsns};
    return 0;
}

int ptx_parse_targets(struct ptx_parser *p, const struct ptx_token *name)
{
    struct ptx_body *b = p->body;
    enum ptx_word op = ptx_is_word(p, "calltargets") ? PTX_W_call : PTX_W_bra;
    uint32_t base = p->stack_len;
    struct ptx_sym *sym = ptx_declare(p, ptx_current_uid(p), name);
    if (sym == NULL) {
        return -1;
    }
    sym->kind = PTX_SYM_TARGETS;
    sym->index = b->ntargets;
    int more = ptx_advance(p) < 0 ? -1 : 1;
    while (more > 0) {
        struct ptx_operand target;
        if (ptx_parse_operand(p, op, &target) < 0 || ptx_push(p, &target, base) < 0) {
            return -1;
        }
        if (target.kind != PTX_OP_LABEL && target.kind != PTX_OP_FUNC) {
            return ptx_error_at(p, target.pos,
                                "a target that is no name, expected labels or "
                                "functions");
        }
        more = ptx_accept(p, ',');
    }
    if (more < 0) {
        return -1;
    }
    b->targets = ptx_grow(b->targets, b->ntargets, &b->targets_cap, sizeof(*b->targets));
    struct ptx_operand *list = &b->targets[b->ntargets++];
    *list = (struct ptx_operand){.kind = PTX_OP_TARGETS,
                                 .pos = name->pos,
                                 .name = ptx_name(p, name),
                                 .target = b->open[b->depth - 1]};
    ptx_pop_list(p, base, list);
    return ptx_expect(p, ';', "',' or ';'");
}

static int parse_directive(struct ptx_parser *p)
{
    static const struct ptx_linkage none;
    if (ptx_is_word(p, "loc")) {
        return parse_loc(p);
    }
    if (ptx_is_word(p, "pragma")) {
        return ptx_skip_statement(p);
    }
    enum ptx_space space = ptx_space_of_text(p->tok.s, p->tok.len);
    if (space == PTX_SPACE_GENERIC) {
        return ptx_expected(p, "a declaration (.reg, .local, .shared, .param), .loc or .pragma");
    }
    return ptx_parse_vars(p, &none);
}

static int parse_statement(struct ptx_parser *p)
{
    if (p->tok.kind == PTX_T_WORD) {
        return parse_directive(p);
    }
    if (ptx_is_punct(p, '@')) {
        return ptx_parse_guarded(p);
    }
    if (ptx_is_punct(p, ';')) {
        return ptx_advance(p);
    }
    struct ptx_token name;
    if (ptx_expect_name(p, "an instruction, a declaration, a label or '}'", &name) < 0) {
        return -1;
    }
    int label = ptx_accept(p, ':');
    if (label != 0) {
        return label < 0 ? -1 : parse_label(p, &name);
    }
    return ptx_parse_insn(p, &name, NULL);
}

/* Can control run off the end of the body? */
static bool end_is_reached(const struct ptx_body *b)
{
    for (uint32_t i = 0; i < b->nlabels; i++) {
        if (b->labels[i].insn == b->ninsns) {
            return true;
        }
    }
    if (b->ninsns == 0 || b->insns[b->ninsns - 1].guard != NULL) {
        return true;
    }
    enum ptx_word op = b->insns[b->ninsns - 1].op;
    return op != PTX_W_ret && op != PTX_W_exit && op != PTX_W_bra && op != PTX_W_brx &&
           op != PTX_W_trap;
}

static void add_ret(struct ptx_parser *p, struct ptx_pos pos)
{
    struct ptx_body *b = p->body;
    b->insns = ptx_grow(b->insns, b->ninsns, &b->insns_cap, sizeof(*b->insns));
    b->insns[b->ninsns++] = (struct ptx_insn){
        .pos = pos, .loc_file = b->loc_file, .loc_line = b->loc_line, .op = PTX_W_ret};
    b->scopes[0].end = b->ninsns;
}

static void declare_reg_params(struct ptx_parser *p, const struct ptx_var *list)
{
    for (; list != NULL; list = list->next) {
        if (list->space != PTX_SPACE_REG) {
            continue;
        }
        /* The list of registers gets a copy: an object can hang on one list only. */
        ((struct ptx_var *)list)->reg_index = p->body->f->nregs++;
        struct ptx_var *reg = ptx_arena_copy(p->arena, list, 1, sizeof(*list));
        reg->next = NULL;
        *p->body->regs_tail = reg;
        p->body->regs_tail = &reg->next;
    }
}

static int parse_statements(struct ptx_parser *p)
{
    struct ptx_body *b = p->body;
    struct ptx_pos end = {0, 0};
    if (open_scope(p) < 0) {
        return -1;
    }
    while (b->depth > 0) {
        int rc;
        if (p->tok.kind == PTX_T_END) {
            rc = ptx_error_at(p, p->tok.pos, "the text ends inside '%.80s', expected '}'",
                              b->f->name);
        } else if (ptx_is_punct(p, '{')) {
            rc = open_scope(p);
        } else if (ptx_is_punct(p, '}')) {
            end = p->tok.pos;
            rc = close_scope(p);
        } else {
            rc = parse_statement(p);
        }
        if (rc < 0 || ptx_reserve(p, 0) < 0) {
            return -1;
        }
    }
    if (end_is_reached(b)) {
        add_ret(p, end);
    }
    return ptx_resolve_fixups(p);
}

static void keep(struct ptx_parser *p)
{
    struct ptx_body *b = p->body;
    struct ptx_func *f = b->f;
    f->insns = ptx_arena_copy(p->arena, b->insns, b->ninsns, sizeof(*b->insns));
    f->ninsns = b->ninsns;
    f->scopes = ptx_arena_copy(p->arena, b->scopes, b->nscopes, sizeof(*b->scopes));
    f->nscopes = b->nscopes;
    f->labels = ptx_arena_copy(p->arena, b->labels, b->nlabels, sizeof(*b->labels));
    f->nlabels = b->nlabels;
    f->targets = ptx_arena_copy(p->arena, b->targets, b->ntargets, sizeof(*b->targets));
    f->ntargets = b->ntargets;
}

int ptx_parse_body(struct ptx_parser *p, struct ptx_func *f, uint32_t uid)
{
    struct ptx_body b = {.f = f, .uid = uid};
    b.regs_tail = &f->regs;
    b.locals_tail = &f->locals;
    b.protos_tail = &f->protos;
    p->body = &b;
    declare_reg_params(p, f->returns);
    declare_reg_params(p, f->params);
    int rc = parse_statements(p);
    if (rc == 0) {
        keep(p);
    }
    p->body = NULL;
    free(b.insns);
    free(b.scopes);
    free(b.uids);
    free(b.labels);
    free(b.targets);
    free(b.fixups);
    return rc;
}
