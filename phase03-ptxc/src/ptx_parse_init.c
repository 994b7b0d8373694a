/* Problem: a variable's initialiser: numbers of its type, nested braces, addresses of variables and
 * functions, masked parts of such addresses.
 * Model: elements are appended in order to a byte array of the variable's size; an address leaves
 * zeros and a reloc, resolved by name when the module is complete. PTX ISA 9.0, 5.4.4.
 * Invariants: no byte is written behind the variable's size; an array declared [] gets the size of
 * what was written.
 * Simplified: nested braces only group, rows are not padded.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "ptx_parse.h"

struct init {
    struct ptx_var *v;
    bool open;        /* declared []: grows */
    uint32_t element; /* bytes */
    uint64_t used;
    uint8_t *bytes; /* malloc'd while it grows */
    uint64_t cap;
    struct ptx_reloc *relocs;
    struct ptx_pos *positions;
    uint32_t nrelocs, relocs_cap;
};

/* Room for one more element. */
static int make_room(struct ptx_parser *p, struct init *in)
{
    uint64_t need = in->used + in->element;
    if (!in->open && need > in->v->size) {
        return ptx_error_at(p, p->tok.pos, "more values than '%.80s' has room for, expected %llu",
                            in->v->name, (unsigned long long)(in->v->size / in->element));
    }
    if (need > in->cap) {
        if (ptx_reserve(p, need * 2) < 0) {
            return -1;
        }
        uint64_t cap = in->cap == 0 ? 64 : in->cap * 2;
        in->bytes = lab_resize(in->bytes, cap, 1);
        memset(in->bytes + in->cap, 0, cap - in->cap);
        in->cap = cap;
    }
    return 0;
}

static int store_const(struct ptx_parser *p, struct init *in, const struct ptx_const *c)
{
    uint64_t bits = (uint64_t)c->i;
    LAB_ASSERT(in->bytes != NULL); /* make_room was called */
    bool f64 = in->v->type == PTX_F64, f32 = in->v->type == PTX_F32;
    double d = 0;
    float f = 0;
    if (c->kind == PTX_OP_F64) {
        memcpy(&d, &c->i, sizeof(d));
    } else if (c->kind == PTX_OP_F32) {
        uint32_t low = (uint32_t)c->i;
        memcpy(&f, &low, sizeof(f));
        d = (double)f;
    } else {
        d = c->is_unsigned ? (double)(uint64_t)c->i : (double)c->i;
    }
    if (f64) {
        memcpy(&bits, &d, sizeof(bits));
    } else if (f32) {
        f = (float)d;
        uint32_t low;
        memcpy(&low, &f, sizeof(low));
        bits = c->kind == PTX_OP_F32 ? (uint64_t)c->i : low;
    } else if (c->kind == PTX_OP_F64 && in->element < 8) {
        return ptx_error_at(p, p->prev.pos, "a float for '%.80s' of type .%s, expected an integer",
                            in->v->name, ptx_type_name(in->v->type));
    }
    for (uint32_t i = 0; i < in->element; i++) {
        in->bytes[in->used + i] = i < 8 ? (uint8_t)(bits >> (8 * i)) : 0;
    }
    in->used += in->element;
    return 0;
}

/* A name, generic(name), perhaps + offset. */
static int parse_symbol(struct ptx_parser *p, struct init *in, struct ptx_reloc *r)
{
    struct ptx_token name;
    if (ptx_expect_name(p, "a variable or function", &name) < 0) {
        return -1;
    }
    if (name.len == 7 && memcmp(name.s, "generic", 7) == 0 && ptx_is_punct(p, '(')) {
        r->generic = true;
        if (ptx_advance(p) < 0 || ptx_expect_name(p, "a variable", &name) < 0 ||
            ptx_expect(p, ')', "')'") < 0) {
            return -1;
        }
    }
    r->symbol = ptx_name(p, &name);
    while (ptx_is_punct(p, '+') || ptx_is_punct(p, '-')) {
        bool minus = ptx_is_punct(p, '-');
        struct ptx_const c;
        if (ptx_advance(p) < 0 || ptx_parse_term(p, &c) < 0) {
            return -1;
        }
        r->addend = (int64_t)((uint64_t)r->addend + (minus ? -(uint64_t)c.i : (uint64_t)c.i));
    }
    r->offset = in->used;
    uint32_t cap = in->relocs_cap;
    in->relocs = ptx_grow(in->relocs, in->nrelocs, &cap, sizeof(*in->relocs));
    in->positions = ptx_grow(in->positions, in->nrelocs, &in->relocs_cap, sizeof(*in->positions));
    in->relocs[in->nrelocs] = *r;
    in->positions[in->nrelocs++] = name.pos;
    return 0;
}

static int parse_address(struct ptx_parser *p, struct init *in)
{
    struct ptx_reloc r = {.bytes = in->element};
    if (in->element != 8 && in->element != 4) {
        return ptx_expected(p, "a number (an address needs 4 or 8 bytes)");
    }
    if (parse_symbol(p, in, &r) < 0) {
        return -1;
    }
    in->used += in->element;
    return 0;
}

/* 0xff00(name): the byte of the address that the mask covers. PTX ISA 9.0, 5.4.4. */
static int parse_mask(struct ptx_parser *p, struct init *in, const struct ptx_const *mask)
{
    uint64_t m = (uint64_t)mask->i;
    struct ptx_reloc r = {.bytes = in->element};
    if (mask->kind != PTX_OP_INT || m == 0 || in->element == 0 || in->element > 8) {
        return ptx_error_at(p, p->prev.pos, "a mask that selects nothing, expected one like 0xff");
    }
    r.shift = (uint32_t)__builtin_ctzll(m);
    uint64_t ones = m >> r.shift;
    if ((ones & (ones + 1)) != 0 || r.shift % 8 != 0 ||
        ones != UINT64_MAX >> (64 - 8 * in->element)) {
        return ptx_error_at(p, p->prev.pos, "a mask that fits no element, expected %u whole bytes",
                            in->element);
    }
    if (ptx_expect(p, '(', "'('") < 0 || parse_symbol(p, in, &r) < 0 ||
        ptx_expect(p, ')', "')'") < 0) {
        return -1;
    }
    in->used += in->element;
    return 0;
}

static int parse_list(struct ptx_parser *p, struct init *in);

static int parse_value(struct ptx_parser *p, struct init *in)
{
    if (ptx_is_punct(p, '{')) {
        if (ptx_deeper(p) < 0 || ptx_advance(p) < 0 || parse_list(p, in) < 0) {
            return -1;
        }
        p->depth--;
        return 0;
    }
    if (make_room(p, in) < 0) {
        return -1;
    }
    if (p->tok.kind == PTX_T_IDENT) {
        return parse_address(p, in);
    }
    struct ptx_const c;
    if (ptx_parse_const(p, &c) < 0) {
        return -1;
    }
    return ptx_is_punct(p, '(') ? parse_mask(p, in, &c) : store_const(p, in, &c);
}

static int parse_list(struct ptx_parser *p, struct init *in)
{
    while (!ptx_is_punct(p, '}')) {
        if (parse_value(p, in) < 0) {
            return -1;
        }
        int more = ptx_accept(p, ',');
        if (more < 0) {
            return -1;
        }
        if (more == 0 && !ptx_is_punct(p, '}')) {
            return ptx_expected(p, "',' or '}'");
        }
    }
    return ptx_advance(p);
}

/* Into the arena, and its relocs into the list of what is to be resolved. */
static int keep(struct ptx_parser *p, struct init *in)
{
    struct ptx_var *v = in->v;
    if (in->open) {
        uint64_t row = in->element * v->vec;
        v->elements = (in->used + row - 1) / row;
        v->size = v->elements * row;
    }
    if (ptx_reserve(p, v->size) < 0) {
        return -1;
    }
    uint8_t *bytes = ptx_arena_alloc(p->arena, v->size, 1);
    if (in->used != 0) {
        memcpy(bytes, in->bytes, in->used);
    }
    struct ptx_reloc *relocs =
        ptx_arena_copy(p->arena, in->relocs, in->nrelocs, sizeof(*in->relocs));
    v->init = bytes;
    v->relocs = relocs;
    v->nrelocs = in->nrelocs;
    for (uint32_t i = 0; i < in->nrelocs; i++) {
        p->pending = ptx_grow(p->pending, p->npending, &p->pending_cap, sizeof(*p->pending));
        p->pending[p->npending++] = (struct ptx_pending){&relocs[i], in->positions[i]};
    }
    return 0;
}

int ptx_parse_init(struct ptx_parser *p, struct ptx_var *v)
{
    struct init in = {.v = v, .open = v->elements == 0, .element = ptx_type_size(v->type)};
    if (v->is_extern || v->space == PTX_SPACE_SHARED || v->space == PTX_SPACE_LOCAL ||
        v->space == PTX_SPACE_PARAM) {
        return ptx_error_at(p, v->pos,
                            "an initialiser of '%.80s', expected one only for .global "
                            "and .const",
                            v->name);
    }
    int rc = parse_value(p, &in);
    if (rc == 0) {
        rc = keep(p, &in);
    }
    free(in.bytes);
    free(in.relocs);
    free(in.positions);
    return rc;
}

int ptx_resolve_pending(struct ptx_parser *p)
{
    for (uint32_t i = 0; i < p->npending; i++) {
        struct ptx_reloc *r = p->pending[i].reloc;
        struct ptx_sym *sym = ptx_sym_get(&p->syms, 0, r->symbol, strlen(r->symbol));
        if (sym != NULL && sym->kind == PTX_SYM_VAR) {
            r->var = sym->object;
        } else if (sym != NULL && sym->kind == PTX_SYM_FUNC) {
            r->func = sym->object;
        } else {
            return ptx_error_at(p, p->pending[i].pos,
                                "'%.80s' is not declared, expected a variable or function",
                                r->symbol);
        }
    }
    return 0;
}
