/* Problem: declarations of variables, parameters and registers, several to a statement.
 * Model: a specification (space, alignment, vector, type), then declarators (name, <count>,
 * [dimensions], = initialiser). Registers are only noted: an object comes into being when one is
 * used, so `.reg .b32 %r<1000000>;` costs nothing.
 * Invariants: a name is declared once a scope; sizes are checked before they are multiplied.
 * Simplified: memory banks of .const and textures' old .tex space are refused.
 */
#include <string.h>

#include "ptx_parse.h"

uint32_t ptx_current_uid(const struct ptx_parser *p)
{
    if (p->body == NULL) {
        return 0;
    }
    return p->body->depth == 0 ? p->body->uid : p->body->uids[p->body->open[p->body->depth - 1]];
}

struct ptx_sym *ptx_declare(struct ptx_parser *p, uint32_t uid, const struct ptx_token *name)
{
    struct ptx_sym *known = ptx_sym_get(&p->syms, uid, name->s, name->len);
    if (known != NULL) {
        char shown[PTX_SHOWN];
        ptx_report(p, name->pos, "%s is already declared in line %u, expected another name",
                   ptx_token_show(name, shown), known->pos.line);
        return NULL;
    }
    struct ptx_sym *sym = ptx_sym_add(&p->syms, uid, name->s, name->len);
    sym->pos = name->pos;
    return sym;
}

/* .attribute(.managed) and others, which are dropped. */
static int parse_attribute(struct ptx_parser *p, struct ptx_spec *spec)
{
    if (ptx_advance(p) < 0 || ptx_expect(p, '(', "'('") < 0) {
        return -1;
    }
    for (uint32_t open = 1; open > 0;) {
        if (p->tok.kind == PTX_T_END) {
            return ptx_expected(p, "')'");
        }
        spec->managed = spec->managed || ptx_is_word(p, "managed");
        open += (uint32_t)ptx_is_punct(p, '(');
        open -= (uint32_t)ptx_is_punct(p, ')');
        if (ptx_advance(p) < 0) {
            return -1;
        }
    }
    return 0;
}

static int parse_align(struct ptx_parser *p, uint32_t *align)
{
    if (ptx_advance(p) < 0 || ptx_expect_uint(p, "an alignment", 1u << 20, align) < 0) {
        return -1;
    }
    if (*align == 0 || (*align & (*align - 1)) != 0) {
        return ptx_error_at(p, p->prev.pos, "an alignment of %u, expected a power of 2", *align);
    }
    return 0;
}

/* What a kernel's parameter points to, `.ptr .global .align 8`: a promise for ptxas, dropped. */
static int parse_ptr(struct ptx_parser *p)
{
    uint32_t ignored;
    if (ptx_advance(p) < 0) {
        return -1;
    }
    if (p->tok.kind == PTX_T_WORD && ptx_space_of_text(p->tok.s, p->tok.len) != PTX_SPACE_GENERIC &&
        ptx_advance(p) < 0) {
        return -1;
    }
    return ptx_is_word(p, "align") ? parse_align(p, &ignored) : 0;
}

static int parse_type(struct ptx_parser *p, struct ptx_spec *spec)
{
    if (ptx_is_word(p, "v2") || ptx_is_word(p, "v4")) {
        spec->vec = (uint32_t)(p->tok.s[1] - '0');
        return ptx_advance(p);
    }
    enum ptx_type type = ptx_type_of_text(p->tok.s, p->tok.len);
    if (type == PTX_NONE || spec->type != PTX_NONE) {
        return ptx_expected(p, "a type such as .b32, and one of them");
    }
    spec->type = type;
    return ptx_advance(p);
}

int ptx_parse_spec(struct ptx_parser *p, struct ptx_spec *spec)
{
    spec->vec = 1;
    while (p->tok.kind == PTX_T_WORD) {
        int rc;
        if (ptx_is_word(p, "align")) {
            rc = parse_align(p, &spec->align);
        } else if (ptx_is_word(p, "attribute")) {
            rc = parse_attribute(p, spec);
        } else if (ptx_is_word(p, "ptr")) {
            rc = parse_ptr(p);
        } else {
            rc = parse_type(p, spec);
        }
        if (rc < 0) {
            return -1;
        }
    }
    if (spec->type == PTX_NONE) {
        return ptx_expected(p, "a type such as .b32");
    }
    if (spec->type == PTX_PRED && spec->space != PTX_SPACE_REG) {
        return ptx_error_at(p, p->prev.pos, ".pred outside .reg, expected a type with a size");
    }
    return 0;
}

/* --- variables and parameters --- */

/* [4][8], or [] for an array as long as its initialiser or the launch makes it. */
static int parse_dims(struct ptx_parser *p, struct ptx_var *v)
{
    uint64_t limit = PTX_MAX_VAR_BYTES;
    for (bool first = true; ptx_is_punct(p, '['); first = false) {
        int64_t n = 0;
        if (ptx_advance(p) < 0) {
            return -1;
        }
        struct ptx_pos pos = p->tok.pos;
        if (ptx_is_punct(p, ']') && !first) {
            return ptx_expected(p, "a dimension; only the first may be left out");
        }
        if (!ptx_is_punct(p, ']') && ptx_parse_int(p, "a dimension", &n) < 0) {
            return -1;
        }
        if (n < 0 || (uint64_t)n > limit ||
            __builtin_mul_overflow(v->elements, (uint64_t)n, &v->elements) || v->elements > limit) {
            return ptx_error_at(p, pos,
                                "an array of too many elements, expected at most 2^40 bytes");
        }
        if (ptx_expect(p, ']', "']'") < 0) {
            return -1;
        }
    }
    return 0;
}

/* The variable a declarator declares, not yet in any list. */
static struct ptx_var *new_var(struct ptx_parser *p, const struct ptx_spec *spec,
                               const struct ptx_token *name)
{
    struct ptx_var *v = ptx_arena_alloc(p->arena, 1, sizeof(*v));
    v->name = ptx_name(p, name);
    v->pos = name->pos;
    v->space = spec->space;
    v->type = spec->type;
    v->vec = spec->vec;
    v->managed = spec->managed;
    v->elements = 1;
    uint32_t natural = ptx_type_size(spec->type) * spec->vec;
    v->align = spec->align > natural ? spec->align : natural;
    if (spec->align != 0 && spec->align < natural) {
        v->align = spec->align;
    }
    return v;
}

static void set_size(struct ptx_var *v)
{
    v->size = v->elements * ptx_type_size(v->type) * v->vec;
}

static int parse_declarator(struct ptx_parser *p, const struct ptx_spec *spec, struct ptx_var **out)
{
    struct ptx_token name;
    if (ptx_expect_name(p, "a name", &name) < 0) {
        return -1;
    }
    struct ptx_var *v = new_var(p, spec, &name);
    if (parse_dims(p, v) < 0) {
        return -1;
    }
    set_size(v);
    if (!(name.len == 1 && name.s[0] == '_')) {
        struct ptx_sym *sym = ptx_declare(p, ptx_current_uid(p), &name);
        if (sym == NULL) {
            return -1;
        }
        sym->object = v;
    }
    if (p->body != NULL && p->body->depth > 0) {
        v->scope = p->body->open[p->body->depth - 1];
    }
    *out = v;
    return 0;
}

static int parse_reg_declarator(struct ptx_parser *p, const struct ptx_spec *spec)
{
    struct ptx_token name;
    if (ptx_expect_name(p, "a register's name", &name) < 0) {
        return -1;
    }
    struct ptx_regdecl *decl = ptx_arena_alloc(p->arena, 1, sizeof(*decl));
    *decl = (struct ptx_regdecl){.type = spec->type,
                                 .vec = spec->vec,
                                 .scope = p->body->open[p->body->depth - 1],
                                 .pos = name.pos};
    int range = ptx_accept(p, '<');
    if (range < 0) {
        return -1;
    }
    if (range && (ptx_expect_uint(p, "a number of registers", INT32_MAX, &decl->count) < 0 ||
                  ptx_expect(p, '>', "'>'") < 0)) {
        return -1;
    }
    uint32_t uid = ptx_current_uid(p);
    struct ptx_sym *sym = ptx_declare(p, range ? PTX_RANGES(uid) : uid, &name);
    if (sym == NULL) {
        return -1;
    }
    sym->kind = range ? PTX_SYM_RANGE : PTX_SYM_REG;
    sym->object = decl;
    return 0;
}

/* A .global or .const variable declared inside function f lives as long as the module: it joins its
 * list, as f$name. */
static int rename_for_module(struct ptx_parser *p, struct ptx_var *v)
{
    const char *func = p->body->f->name;
    size_t len = strlen(func) + 1 + strlen(v->name);
    char *name = ptx_arena_alloc(p->arena, len + 1, 1);
    (void)snprintf(name, len + 1, "%s$%s", func, v->name);
    struct ptx_token t = {.kind = PTX_T_IDENT, .s = name, .len = len, .pos = v->pos};
    struct ptx_sym *sym = ptx_declare(p, 0, &t);
    if (sym == NULL) {
        return -1;
    }
    sym->object = v;
    v->name = name;
    v->scope = 0;
    return 0;
}

static int parse_var_declarator(struct ptx_parser *p, const struct ptx_spec *spec,
                                const struct ptx_linkage *linkage)
{
    struct ptx_var *v;
    if (parse_declarator(p, spec, &v) < 0) {
        return -1;
    }
    v->is_extern = linkage->is_extern;
    v->visible = linkage->visible;
    v->weak = linkage->weak;
    v->common = linkage->common;
    int init = ptx_accept(p, '=');
    if (init < 0 || (init && ptx_parse_init(p, v) < 0)) {
        return -1;
    }
    set_size(v);
    if (v->size == 0 && !v->is_extern) {
        return ptx_error_at(p, v->pos, "'%.80s' has no size, expected one or .extern", v->name);
    }
    bool of_module = p->body == NULL;
    if (v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST) {
        if (p->body != NULL && rename_for_module(p, v) < 0) {
            return -1;
        }
        of_module = true;
    }
    struct ptx_var ***tail = of_module ? &p->vars_tail : &p->body->locals_tail;
    **tail = v;
    *tail = &v->next;
    return 0;
}

int ptx_parse_vars(struct ptx_parser *p, const struct ptx_linkage *linkage)
{
    struct ptx_spec spec = {.space = ptx_space_of_text(p->tok.s, p->tok.len)};
    if (ptx_advance(p) < 0 || ptx_parse_spec(p, &spec) < 0) {
        return -1;
    }
    for (;;) {
        int rc = spec.space == PTX_SPACE_REG ? parse_reg_declarator(p, &spec)
                                             : parse_var_declarator(p, &spec, linkage);
        if (rc < 0 || ptx_reserve(p, 0) < 0) {
            return -1;
        }
        int more = ptx_accept(p, ',');
        if (more <= 0) {
            return more < 0 ? -1 : ptx_expect(p, ';', "',' or ';'");
        }
    }
}

static int parse_param(struct ptx_parser *p, struct ptx_var **out)
{
    struct ptx_spec spec = {.space = p->tok.kind == PTX_T_WORD
                                         ? ptx_space_of_text(p->tok.s, p->tok.len)
                                         : PTX_SPACE_GENERIC};
    if (spec.space != PTX_SPACE_PARAM && spec.space != PTX_SPACE_REG) {
        return ptx_expected(p, ".param or .reg");
    }
    if (ptx_advance(p) < 0 || ptx_parse_spec(p, &spec) < 0) {
        return -1;
    }
    return parse_declarator(p, &spec, out);
}

static int place_param(struct ptx_parser *p, struct ptx_var *v, uint32_t index, uint64_t *offset)
{
    v->param_index = index;
    if (v->space == PTX_SPACE_REG) {
        return 0;
    }
    uint64_t at = (*offset + v->align - 1) & ~(uint64_t)(v->align - 1);
    if (v->size > PTX_MAX_PARAM_BYTES || at + v->size > PTX_MAX_PARAM_BYTES) {
        return ptx_error_at(p, v->pos, "parameters of more than %u bytes, expected less",
                            PTX_MAX_PARAM_BYTES);
    }
    v->param_offset = (uint32_t)at;
    *offset = at + v->size;
    return 0;
}

int ptx_parse_params(struct ptx_parser *p, struct ptx_var **list, uint32_t *n, uint32_t *bytes)
{
    uint64_t offset = 0;
    if (ptx_expect(p, '(', "'('") < 0) {
        return -1;
    }
    while (!ptx_is_punct(p, ')')) {
        struct ptx_var *v;
        if (parse_param(p, &v) < 0) {
            return -1;
        }
        if (*n == PTX_MAX_PARAMS) {
            return ptx_error_at(p, v->pos, "more than %u parameters, expected less",
                                PTX_MAX_PARAMS);
        }
        if (place_param(p, v, (*n)++, &offset) < 0) {
            return -1;
        }
        *list = v;
        list = &v->next;
        int more = ptx_accept(p, ',');
        if (more < 0) {
            return -1;
        }
        if (more == 0 && !ptx_is_punct(p, ')')) {
            return ptx_expected(p, "',' or ')'");
        }
    }
    if (bytes != NULL) {
        *bytes = (uint32_t)offset;
    }
    return ptx_advance(p);
}
