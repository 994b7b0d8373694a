/* Problem: special registers as operands: %tid.x, %laneid, %envreg3, and %tid as a whole.
 * Model: the table of names that ptx_sreg_name shows, and the few families with a number by hand.
 * PTX ISA 9.0, chapter 10.
 * Invariants: numbers stay in the family's range.
 * Simplified: .w is a zero inside a whole register and nothing alone; which types and targets a
 * special register has is not checked.
 */
#include <string.h>

#include "ptx_parse.h"

/* %reserved_smem_offset_begin and its kin. */
static bool reserved_sreg(const struct ptx_token *t, struct ptx_operand *out)
{
    static const char *const names[] = {"begin", "end", "cap", "0", "1"};
    static const char prefix[] = "%reserved_smem_offset_";
    size_t n = strlen(prefix);
    for (int i = 0; i < 5 && t->len > n && memcmp(t->s, prefix, n) == 0; i++) {
        if (t->len - n == strlen(names[i]) && memcmp(t->s + n, names[i], t->len - n) == 0) {
            out->sreg = PTX_RESERVED_SMEM;
            out->i = i;
            return true;
        }
    }
    return false;
}

/* %envreg3, %pm2, %pm2_64: a name, a number in decimal without leading zeros, an end. */
static bool numbered_sreg(const struct ptx_token *t, struct ptx_operand *out)
{
    static const struct {
        const char *before, *after;
        enum ptx_sreg sreg;
        int count;
    } families[] = {
        {"%envreg", "", PTX_ENVREG, 32}, {"%pm", "", PTX_PM, 8}, {"%pm", "_64", PTX_PM64, 8}};
    for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
        char name[32];
        for (int i = 0; i < families[f].count; i++) {
            int n =
                snprintf(name, sizeof(name), "%s%d%s", families[f].before, i, families[f].after);
            if (n >= 0 && t->len == (size_t)n && memcmp(t->s, name, t->len) == 0) {
                out->sreg = families[f].sreg;
                out->i = i;
                return true;
            }
        }
    }
    return false;
}

/* The whole of %tid: its three parts and a zero. */
static void whole_sreg(struct ptx_parser *p, enum ptx_sreg first, struct ptx_operand *out)
{
    struct ptx_operand *parts = ptx_arena_alloc(p->arena, 4, sizeof(*parts));
    for (int i = 0; i < 4; i++) {
        parts[i].kind = i < 3 ? PTX_OP_SREG : PTX_OP_INT;
        parts[i].pos = out->pos;
        parts[i].sreg = i < 3 ? (enum ptx_sreg)((int)first + i) : PTX_TID_X;
    }
    out->kind = PTX_OP_VEC;
    out->elems = parts;
    out->nelems = 4;
}

int ptx_parse_sreg(struct ptx_parser *p, const struct ptx_token *t, struct ptx_operand *out)
{
    for (int r = 0; r < PTX_SREG_COUNT; r++) {
        const char *name = ptx_sreg_name((enum ptx_sreg)r), *dot = strchr(name, '.');
        size_t len = dot != NULL ? (size_t)(dot - name) : strlen(name);
        if (r == PTX_RESERVED_SMEM || r == PTX_ENVREG || r == PTX_PM || r == PTX_PM64 ||
            t->len != len || memcmp(name, t->s, len) != 0) {
            continue;
        }
        if (dot == NULL) {
            out->kind = PTX_OP_SREG;
            out->sreg = (enum ptx_sreg)r;
            return 1;
        }
        if (p->tok.kind != PTX_T_WORD) {
            whole_sreg(p, (enum ptx_sreg)r, out);
            return 1;
        }
        if (p->tok.len != 1 || p->tok.s[0] < 'x' || p->tok.s[0] > 'z') {
            return ptx_expected(p, ".x, .y or .z");
        }
        out->kind = PTX_OP_SREG;
        out->sreg = (enum ptx_sreg)(r + (p->tok.s[0] - 'x'));
        return ptx_advance(p) < 0 ? -1 : 1;
    }
    if (!reserved_sreg(t, out) && !numbered_sreg(t, out)) {
        return 0;
    }
    out->kind = PTX_OP_SREG;
    return 1;
}
