/* Problem: some two thousand spellings of arithmetic instructions, each with its own meaning.
 * Model: tables of rows, searched from the front; the first modifiers are made a set.
 * Invariants: no two rows of a family have the same opcode, types and flags. Every operand of a row
 * goes to a fixed field of vg_insn, so handlers need not know how an instruction was written.
 * Simplified: ptxas also checks that modifiers stand in their documented order at some places; here
 * any order will do.
 */
#include "vg_arith_row.h"

#include <string.h>

static int flag_of_word(enum ptx_word w)
{
#define WORD(name) PTX_W_##name,
    static const enum ptx_word words[] = {VG_FLAGS(WORD)};
#undef WORD
    for (int k = 0; k < VG_FLAG_COUNT; k++) {
        if (words[k] == w) {
            return k;
        }
    }
    return -1;
}

void vg_spell(const struct ptx_insn *in, struct vg_spelling *s)
{
    *s = (struct vg_spelling){.unknown = PTX_W_none, .twice = PTX_W_none};
    for (unsigned k = 0; k < in->nmods; k++) {
        enum ptx_type type = ptx_type_of_word(in->mods[k]);
        int flag = flag_of_word(in->mods[k]);
        if (type != PTX_NONE && s->ntypes < 2) {
            *(s->ntypes == 0 ? &s->type : &s->type2) = type;
            s->ntypes++;
        } else if (flag >= 0) {
            uint64_t bit = 1ull << flag;
            s->twice = (s->flags & bit) != 0 ? in->mods[k] : s->twice;
            s->flags |= bit;
        } else if (s->unknown == PTX_W_none) {
            s->unknown = in->mods[k];
        }
    }
}

bool vg_is_float_type(enum ptx_type t)
{
    return t >= PTX_F16 && t <= PTX_F64;
}

static bool row_spells(const struct vg_row *r, enum ptx_word op, const struct vg_spelling *s)
{
    return r->op == op && r->type == s->type && r->type2 == s->type2 && r->flags == s->flags;
}

const struct vg_row *vg_row_find(const struct vg_rows *lists, unsigned nlists,
                                 const struct ptx_insn *in, const struct vg_spelling *s)
{
    const struct vg_row *found = NULL;
    if (s->unknown != PTX_W_none || s->twice != PTX_W_none) {
        return NULL;
    }
    for (unsigned k = 0; k < nlists; k++) {
        for (unsigned j = 0; j < lists[k].n; j++) {
            const struct vg_row *r = &lists[k].rows[j];
            bool spells = row_spells(r, in->op, s);
            found = spells ? r : found;
            if (spells && strlen(r->operands) == in->nops) {
                return r;
            }
        }
    }
    return found;
}

bool vg_row_has_op(const struct vg_rows *lists, unsigned nlists, enum ptx_word op)
{
    for (unsigned k = 0; k < nlists; k++) {
        for (unsigned j = 0; j < lists[k].n; j++) {
            if (lists[k].rows[j].op == op) {
                return true;
            }
        }
    }
    return false;
}

static enum ptx_type twice_as_wide(enum ptx_type t)
{
    switch (t) {
    case PTX_U16: return PTX_U32;
    case PTX_S16: return PTX_S32;
    case PTX_U32: return PTX_U64;
    default: return PTX_S64;
    }
}

static enum ptx_type letter_type(const struct vg_row *row, char letter)
{
    switch (letter) {
    case 'T': return row->type;
    case '2': return row->type2;
    case 'W': return twice_as_wide(row->type);
    case 'p': return PTX_PRED;
    default: return PTX_U32;
    }
}

uint32_t vg_dest(struct vg_decoder *d, const struct ptx_insn *in, const struct ptx_operand *op,
                 enum ptx_type type, struct lab_err *err)
{
    if (op->kind != PTX_OP_REG) {
        vg_decode_error(d, in, err, "the destination must be a .%s register", ptx_type_name(type));
        return VG_NO_SLOT;
    }
    return vg_slot(d, op, type, err);
}

/* Operand k of the instruction, into the field that its place and letter ask for. */
static int use_operand(const struct vg_job *j, const struct vg_row *row, unsigned k)
{
    struct vg_insn *out = j->out;
    uint32_t *fields[] = {&out->d, &out->a, &out->b, &out->c, &out->e};
    const struct ptx_operand *op = &j->in->ops[k];
    if (op->negated) {
        return vg_decode_error(j->d, j->in, j->err, "operand %u cannot be negated with '!'", k + 1);
    }
    if (row->operands[k] == 'i') {
        if (op->kind != PTX_OP_INT) {
            return vg_decode_error(j->d, j->in, j->err, "operand %u must be an integer constant",
                                   k + 1);
        }
        out->imm = op->i;
        return 0;
    }
    enum ptx_type type = letter_type(row, row->operands[k]);
    *fields[k] = k == 0 ? vg_dest(j->d, j->in, op, type, j->err) : vg_slot(j->d, op, type, j->err);
    return *fields[k] == VG_NO_SLOT ? -1 : 0;
}

int vg_row_use(struct vg_decoder *d, const struct ptx_insn *in, const struct vg_row *row,
               struct vg_insn *out, struct lab_err *err)
{
    const struct vg_job j = {d, in, out, err};
    unsigned want = (unsigned)strlen(row->operands);
    if (in->nops != want) {
        return vg_decode_error(d, in, err, "it takes %u operands, not %u", want, in->nops);
    }
    for (unsigned k = 0; k < want; k++) {
        if (use_operand(&j, row, k) < 0) {
            return -1;
        }
    }
    out->fn = row->fn;
    out->mods = row->mods;
    return 1;
}

int vg_row_error(struct vg_decoder *d, const struct ptx_insn *in, const struct vg_spelling *s,
                 struct lab_err *err)
{
    const char *op = ptx_word_text(in->op);
    if (s->unknown != PTX_W_none) {
        return vg_decode_error(d, in, err, ".%s is not supported on %s", ptx_word_text(s->unknown),
                               op);
    }
    if (s->twice != PTX_W_none) {
        return vg_decode_error(d, in, err, ".%s is given twice", ptx_word_text(s->twice));
    }
    if (s->ntypes == 0) {
        return vg_decode_error(d, in, err, "%s needs a type", op);
    }
    return vg_decode_error(d, in, err, "no %s instruction has this type with these modifiers", op);
}
