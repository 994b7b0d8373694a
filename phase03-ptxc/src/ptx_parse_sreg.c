/* Problem: special registers as operands: %tid.x, %laneid, %envreg3, and %tid as a whole.
 * Model: the table of names that ptx_sreg_name shows, and the few families with a number by hand.
 * PTX ISA 9.0, chapter 10.
 * Invariants: numbers stay in the family's range.
 * Simplified: .w is a zero inside a whole register and nothing alone; which types and targets a
 * special register has is not checked.
 */
#include <string.h>

#include "ptx_parse.h"

/* %envreg3, %pm2, %pm2_64, %reserved_smem_offset_begin: a name and a number. */
static bool numbered_sreg(const struct ptx_token *t, struct ptx_operand *out)
{
    static const char *const reserved[] = {"begin", "end", "cap", "0", "1"};
    char copy[40] = "", rest = '\0';
    unsigned n = 0;
    if (t->len >= sizeof(copy)) {
        return false;
    }
    memcpy(copy, t->s, t->len);
    out->kind = PTX_OP_SREG;
    for (int i = 0; i < 5 && strncmp(copy, "%reserved_smem_offset_", 22) == 0; i++) {
        if (strcmp(copy + 22, reserved[i]) == 0) {
            out->sreg = PTX_RESERVED_SMEM;
            out->i = i;
            return true;
        }
    }
    int end = 0;
    if (sscanf(copy, "%%envreg%2u%c", &n, &rest) == 1 && n < 32) {
        out->sreg = PTX_ENVREG;
    } else if (sscanf(copy, "%%pm%1u_64%n", &n, &end) == 1 && end == (int)t->len && n < 8) {
        out->sreg = PTX_PM64;
    } else if (sscanf(copy, "%%pm%1u%c", &n, &rest) == 1 && n < 8) {
        out->sreg = PTX_PM;
    } else {
        return false;
    }
    out->i = n;
    return true;
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
    return numbered_sreg(t, out) ? 1 : 0;
}
