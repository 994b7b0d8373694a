/* Problem: constant expressions, (1 << 4) - 1 ? 2 : 3, may stand wherever a constant may.
 * Model: precedence climbing on 64-bit integers that are signed until an unsigned one joins;
 * floats know + - * / and a sign. PTX ISA 9.0, 4.5.
 * Invariants: every level of recursion goes through ptx_deeper, so depth is bounded; arithmetic is
 * done on unsigned numbers and cannot overflow.
 * Simplified: comparison of floats is missing.
 */
#include <string.h>

#include "ptx_parse.h"

enum { TERNARY = 1, ADDITIVE = 10 };

static const struct binary {
    int punct, precedence;
} binaries[] = {
    {PTX_2('|', '|'), 2},
    {PTX_2('&', '&'), 3},
    {'|', 4},
    {'^', 5},
    {'&', 6},
    {PTX_2('=', '='), 7},
    {PTX_2('!', '='), 7},
    {'<', 8},
    {PTX_2('<', '='), 8},
    {'>', 8},
    {PTX_2('>', '='), 8},
    {PTX_2('<', '<'), 9},
    {PTX_2('>', '>'), 9},
    {'+', ADDITIVE},
    {'-', ADDITIVE},
    {'*', ADDITIVE + 1},
    {'/', ADDITIVE + 1},
    {'%', ADDITIVE + 1},
};

static double as_double(const struct ptx_const *c)
{
    double d;
    if (c->kind == PTX_OP_F64) {
        memcpy(&d, &c->i, sizeof(d));
        return d;
    }
    return c->is_unsigned ? (double)(uint64_t)c->i : (double)c->i;
}

static void set_double(struct ptx_const *c, double d)
{
    c->kind = PTX_OP_F64;
    memcpy(&c->i, &d, sizeof(d));
}

static int float_op(struct ptx_parser *p, int op, struct ptx_const *a, const struct ptx_const *b)
{
    double x = as_double(a), y = as_double(b);
    switch (op) {
    case '+': set_double(a, x + y); return 0;
    case '-': set_double(a, x - y); return 0;
    case '*': set_double(a, x * y); return 0;
    case '/': set_double(a, x / y); return 0;
    default:
        return ptx_error_at(p, p->prev.pos, "this operator between floats, expected + - * or /");
    }
}

static int64_t shift(int op, const struct ptx_const *a, uint64_t n)
{
    uint64_t x = (uint64_t)a->i;
    if (op == PTX_2('<', '<')) {
        return n > 63 ? 0 : (int64_t)(x << n);
    }
    if (a->is_unsigned) {
        return n > 63 ? 0 : (int64_t)(x >> n);
    }
    return a->i >> (n > 63 ? 63 : n);
}

static int64_t compare(int op, const struct ptx_const *a, const struct ptx_const *b)
{
    bool is_unsigned = a->is_unsigned || b->is_unsigned;
    bool less = is_unsigned ? (uint64_t)a->i < (uint64_t)b->i : a->i < b->i;
    bool equal = a->i == b->i;
    switch (op) {
    case '<': return less;
    case PTX_2('<', '='): return less || equal;
    case '>': return !less && !equal;
    case PTX_2('>', '='): return !less;
    case PTX_2('=', '='): return equal;
    default: return !equal;
    }
}

static int divide(struct ptx_parser *p, int op, struct ptx_const *a, const struct ptx_const *b)
{
    uint64_t x = (uint64_t)a->i, y = (uint64_t)b->i;
    if (y == 0) {
        return ptx_error_at(p, p->prev.pos, "a division by 0, expected another divisor");
    }
    if (a->is_unsigned || b->is_unsigned) {
        a->i = (int64_t)(op == '/' ? x / y : x % y);
    } else if (b->i == -1) { /* the one quotient that overflows is among these */
        a->i = op == '/' ? (int64_t)-x : 0;
    } else {
        a->i = op == '/' ? a->i / b->i : a->i % b->i;
    }
    a->is_unsigned = a->is_unsigned || b->is_unsigned;
    return 0;
}

static int apply(struct ptx_parser *p, int op, struct ptx_const *a, const struct ptx_const *b)
{
    if (a->kind == PTX_OP_F32 || b->kind == PTX_OP_F32) {
        return ptx_error_at(p, p->prev.pos, "a 0f constant in an expression, expected it alone");
    }
    if (a->kind == PTX_OP_F64 || b->kind == PTX_OP_F64) {
        return float_op(p, op, a, b);
    }
    uint64_t x = (uint64_t)a->i, y = (uint64_t)b->i;
    bool is_unsigned = a->is_unsigned || b->is_unsigned;
    switch (op) {
    case '+': a->i = (int64_t)(x + y); break;
    case '-': a->i = (int64_t)(x - y); break;
    case '*': a->i = (int64_t)(x * y); break;
    case '&': a->i = (int64_t)(x & y); break;
    case '|': a->i = (int64_t)(x | y); break;
    case '^': a->i = (int64_t)(x ^ y); break;
    case '/':
    case '%': return divide(p, op, a, b);
    case PTX_2('<', '<'):
    case PTX_2('>', '>'): a->i = shift(op, a, y); return 0;
    case PTX_2('|', '|'):
        a->i = x != 0 || y != 0;
        is_unsigned = false;
        break;
    case PTX_2('&', '&'):
        a->i = x != 0 && y != 0;
        is_unsigned = false;
        break;
    default:
        a->i = compare(op, a, b);
        is_unsigned = false;
        break;
    }
    a->is_unsigned = is_unsigned;
    return 0;
}

static int parse_level(struct ptx_parser *p, int level, struct ptx_const *out);

static int negate(struct ptx_const *c)
{
    if (c->kind == PTX_OP_F64) {
        c->i = (int64_t)((uint64_t)c->i ^ UINT64_C(1) << 63);
    } else if (c->kind == PTX_OP_F32) {
        c->i ^= INT64_C(1) << 31;
    } else {
        c->i = (int64_t) - (uint64_t)c->i;
        c->is_unsigned = false;
    }
    return 0;
}

static int parse_unary(struct ptx_parser *p, struct ptx_const *out)
{
    int op = p->tok.punct;
    if (ptx_deeper(p) < 0 || ptx_advance(p) < 0 || parse_level(p, ADDITIVE + 2, out) < 0) {
        return -1;
    }
    p->depth--;
    if (op == '-') {
        return negate(out);
    }
    if (op == '+') {
        return 0;
    }
    if (out->kind != PTX_OP_INT) {
        return ptx_error_at(p, p->prev.pos, "'%c' of a float, expected an integer", op);
    }
    if (op == '~') {
        out->i = ~out->i;
    } else {
        out->i = out->i == 0;
        out->is_unsigned = false;
    }
    return 0;
}

/* ( expression ), or a cast: (.s64) or (.u64) and what it applies to. */
static int parse_parenthesis(struct ptx_parser *p, struct ptx_const *out)
{
    if (ptx_deeper(p) < 0 || ptx_advance(p) < 0) {
        return -1;
    }
    bool to_signed = ptx_is_word(p, "s64"), to_unsigned = ptx_is_word(p, "u64");
    if (to_signed || to_unsigned) {
        if (ptx_advance(p) < 0 || ptx_expect(p, ')', "')'") < 0 ||
            parse_level(p, ADDITIVE + 2, out) < 0) {
            return -1;
        }
        out->is_unsigned = to_unsigned;
    } else if (parse_level(p, TERNARY, out) < 0 || ptx_expect(p, ')', "')'") < 0) {
        return -1;
    }
    p->depth--;
    return 0;
}

static int parse_primary(struct ptx_parser *p, struct ptx_const *out)
{
    static const enum ptx_operand_kind kinds[] = {
        [PTX_T_INT] = PTX_OP_INT, [PTX_T_F32] = PTX_OP_F32, [PTX_T_F64] = PTX_OP_F64};
    const struct ptx_token *t = &p->tok;
    if (t->kind == PTX_T_INT || t->kind == PTX_T_F32 || t->kind == PTX_T_F64) {
        *out = (struct ptx_const){kinds[t->kind], t->is_unsigned, (int64_t)t->value};
        return ptx_advance(p);
    }
    if (t->kind == PTX_T_IDENT && t->len == 7 && memcmp(t->s, "WARP_SZ", 7) == 0) {
        *out = (struct ptx_const){PTX_OP_INT, false, 32};
        return ptx_advance(p);
    }
    if (ptx_is_punct(p, '(')) {
        return parse_parenthesis(p, out);
    }
    if (ptx_is_punct(p, '-') || ptx_is_punct(p, '+') || ptx_is_punct(p, '~') ||
        ptx_is_punct(p, '!')) {
        return parse_unary(p, out);
    }
    return ptx_expected(p, "an operand");
}

static const struct binary *binary_here(const struct ptx_parser *p, int level)
{
    for (size_t i = 0; i < sizeof(binaries) / sizeof(binaries[0]); i++) {
        if (ptx_is_punct(p, binaries[i].punct) && binaries[i].precedence >= level) {
            return &binaries[i];
        }
    }
    return NULL;
}

static int parse_ternary(struct ptx_parser *p, struct ptx_const *out)
{
    struct ptx_const yes, no;
    if (out->kind != PTX_OP_INT) {
        return ptx_error_at(p, p->tok.pos, "'?' after a float, expected an integer");
    }
    if (ptx_deeper(p) < 0 || ptx_advance(p) < 0 || parse_level(p, TERNARY, &yes) < 0 ||
        ptx_expect(p, ':', "':'") < 0 || parse_level(p, TERNARY, &no) < 0) {
        return -1;
    }
    p->depth--;
    *out = out->i != 0 ? yes : no;
    return 0;
}

/* An expression of operators that bind at least as tightly as `level`. */
static int parse_level(struct ptx_parser *p, int level, struct ptx_const *out)
{
    if (parse_primary(p, out) < 0) {
        return -1;
    }
    for (const struct binary *b; (b = binary_here(p, level)) != NULL;) {
        struct ptx_const right;
        if (ptx_deeper(p) < 0 || ptx_advance(p) < 0 ||
            parse_level(p, b->precedence + 1, &right) < 0) {
            return -1;
        }
        p->depth--;
        if (apply(p, b->punct, out, &right) < 0) {
            return -1;
        }
    }
    return level == TERNARY && ptx_is_punct(p, '?') ? parse_ternary(p, out) : 0;
}

int ptx_parse_const(struct ptx_parser *p, struct ptx_const *out)
{
    return parse_level(p, TERNARY, out);
}

int ptx_parse_term(struct ptx_parser *p, struct ptx_const *out)
{
    struct ptx_pos pos = p->tok.pos;
    if (parse_level(p, ADDITIVE + 1, out) < 0) {
        return -1;
    }
    return out->kind == PTX_OP_INT ? 0
                                   : ptx_error_at(p, pos, "a float, expected an integer offset");
}

int ptx_parse_int(struct ptx_parser *p, const char *what, int64_t *out)
{
    struct ptx_const c;
    struct ptx_pos pos = p->tok.pos;
    if (ptx_parse_const(p, &c) < 0) {
        return -1;
    }
    if (c.kind != PTX_OP_INT) {
        return ptx_error_at(p, pos, "a float, expected %s", what);
    }
    *out = c.i;
    return 0;
}
