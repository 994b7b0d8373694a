/* Problem: a function's header: linkage, results, name, parameters, tuning directives; PTX declares
 * functions before it defines them, perhaps several times.
 * Model: the header is parsed into a fresh object; when the name is known already and agrees, the
 * known object takes it over, so that calls parsed before point to the one that gets the body.
 * Invariants: one object a name; at most one definition.
 * Simplified: directives that only steer ptxas (.maxnctapersm, .abi_preserve, …) are read and
 * dropped.
 */
#include <string.h>

#include "ptx_parse.h"

static int parse_three(struct ptx_parser *p, uint32_t out[3])
{
    out[1] = out[2] = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (ptx_expect_uint(p, "a number of threads or blocks", INT32_MAX, &out[i]) < 0) {
            return -1;
        }
        int more = i < 2 ? ptx_accept(p, ',') : 0;
        if (more <= 0) {
            return more;
        }
    }
    return 0;
}

static int parse_tuning(struct ptx_parser *p, struct ptx_func *f)
{
    static const char *const with_number[] = {"maxnctapersm", "maxclusterrank", "abi_preserve",
                                              "abi_preserve_control"};
    static const char *const alone[] = {"explicitcluster", "blocksareclusters", "unique"};
    struct ptx_token t = p->tok;
    char shown[PTX_SHOWN];
    if (ptx_advance(p) < 0) {
        return -1;
    }
#define IS(text) (t.len == strlen(text) && memcmp(t.s, text, t.len) == 0)
    if (IS("maxntid")) {
        return parse_three(p, f->maxntid);
    }
    if (IS("reqntid")) {
        return parse_three(p, f->reqntid);
    }
    if (IS("reqnctapercluster")) {
        return parse_three(p, f->reqnctapercluster);
    }
    if (IS("minnctapersm")) {
        return ptx_expect_uint(p, "a number of blocks", INT32_MAX, &f->minnctapersm);
    }
    if (IS("maxnreg")) {
        return ptx_expect_uint(p, "a number of registers", INT32_MAX, &f->maxnreg);
    }
    if (IS("pragma")) {
        return ptx_skip_statement(p);
    }
    if (IS("noreturn")) {
        f->noreturn = true;
        return 0;
    }
    for (size_t i = 0; i < sizeof(with_number) / sizeof(with_number[0]); i++) {
        uint32_t ignored;
        if (IS(with_number[i])) {
            return ptx_expect_uint(p, "a number", INT32_MAX, &ignored);
        }
    }
    for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++) {
        if (IS(alone[i])) {
            return 0;
        }
    }
#undef IS
    return ptx_error_at(p, t.pos, "%s, expected a function's directive, '{' or ';'",
                        ptx_token_show(&t, shown));
}

static bool same_vars(const struct ptx_var *a, const struct ptx_var *b)
{
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        if (a->size != b->size) {
            return false;
        }
    }
    return a == b;
}

/* The object this header belongs to: a known one, or `fresh` entered under its name. */
static struct ptx_func *adopt(struct ptx_parser *p, struct ptx_func *fresh,
                              const struct ptx_token *name)
{
    char shown[PTX_SHOWN];
    struct ptx_sym *sym = ptx_sym_get(&p->syms, 0, name->s, name->len);
    if (sym == NULL) {
        sym = ptx_sym_add(&p->syms, 0, fresh->name, name->len);
        sym->kind = PTX_SYM_FUNC;
        sym->object = fresh;
        sym->pos = name->pos;
        *p->funcs_tail = fresh;
        p->funcs_tail = &fresh->next;
        return fresh;
    }
    struct ptx_func *known = sym->kind == PTX_SYM_FUNC ? sym->object : NULL;
    if (known == NULL || known->kind != fresh->kind) {
        ptx_report(p, name->pos, "%s is already declared in line %u, expected another name",
                   ptx_token_show(name, shown), sym->pos.line);
        return NULL;
    }
    if (!same_vars(known->params, fresh->params) || !same_vars(known->returns, fresh->returns)) {
        ptx_report(p, name->pos,
                   "%s with other parameters or results than in line %u, expected the same",
                   ptx_token_show(name, shown), known->pos.line);
        return NULL;
    }
    return known;
}

static int parse_signature(struct ptx_parser *p, struct ptx_func *f, struct ptx_token *name)
{
    if (ptx_is_punct(p, '(') && f->kind == PTX_ENTRY) {
        return ptx_expected(p, "the kernel's name");
    }
    if (ptx_is_punct(p, '(') && ptx_parse_params(p, &f->returns, &f->nreturns, NULL) < 0) {
        return -1;
    }
    if (ptx_expect_name(p, "the function's name", name) < 0) {
        return -1;
    }
    f->name = ptx_name(p, name);
    f->pos = name->pos;
    if (ptx_is_punct(p, '(') && ptx_parse_params(p, &f->params, &f->nparams, &f->param_bytes) < 0) {
        return -1;
    }
    while (p->tok.kind == PTX_T_WORD) {
        if (parse_tuning(p, f) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The known object takes over what the definition's header says. */
static void take_over(struct ptx_func *known, const struct ptx_func *fresh)
{
    struct ptx_func *next = known->next;
    bool visible = known->visible || fresh->visible, weak = known->weak || fresh->weak;
    *known = *fresh;
    known->next = next;
    known->visible = visible;
    known->weak = weak;
}

int ptx_parse_function(struct ptx_parser *p, const struct ptx_linkage *linkage)
{
    struct ptx_func *fresh = ptx_arena_alloc(p->arena, 1, sizeof(*fresh));
    struct ptx_token name;
    fresh->kind = ptx_is_word(p, "entry") ? PTX_ENTRY : PTX_FUNC;
    fresh->module = p->m;
    fresh->visible = linkage->visible;
    fresh->is_extern = linkage->is_extern;
    fresh->weak = linkage->weak;
    if (ptx_advance(p) < 0) {
        return -1;
    }
    struct ptx_body body = {.uid = p->next_uid++};
    p->body = &body;
    int rc = parse_signature(p, fresh, &name);
    p->body = NULL;
    if (rc < 0) {
        return -1;
    }
    struct ptx_func *f = adopt(p, fresh, &name);
    if (f == NULL) {
        return -1;
    }
    if (ptx_is_punct(p, ';')) {
        return ptx_advance(p);
    }
    if (!ptx_is_punct(p, '{')) {
        return ptx_expected(p, "'{' or ';'");
    }
    if (f->defined) {
        char shown[PTX_SHOWN];
        return ptx_error_at(p, name.pos, "%s has a body already in line %u, expected one",
                            ptx_token_show(&name, shown), f->pos.line);
    }
    if (f != fresh) {
        take_over(f, fresh);
    }
    f->defined = true;
    f->is_extern = false;
    return ptx_parse_body(p, f, body.uid);
}

/* `name : .callprototype (ret) _ (params) .noreturn;` */
int ptx_parse_prototype(struct ptx_parser *p, const struct ptx_token *name)
{
    struct ptx_body *body = p->body;
    struct ptx_func *f = ptx_arena_alloc(p->arena, 1, sizeof(*f));
    struct ptx_token sink;
    f->kind = PTX_PROTOTYPE;
    f->module = p->m;
    struct ptx_body scratch = {.uid = p->next_uid++};
    p->body = &scratch; /* its parameters' names mean nothing outside */
    int rc = ptx_advance(p) < 0 ? -1 : parse_signature(p, f, &sink);
    p->body = body;
    if (rc < 0) {
        return -1;
    }
    f->name = ptx_name(p, name);
    f->pos = name->pos;
    struct ptx_sym *sym = ptx_declare(p, ptx_current_uid(p), name);
    if (sym == NULL) {
        return -1;
    }
    sym->kind = PTX_SYM_PROTO;
    f->scope = body->open[body->depth - 1];
    sym->object = f;
    *body->protos_tail = f;
    body->protos_tail = &f->next;
    return ptx_expect(p, ';', "';'");
}
