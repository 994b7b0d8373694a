/* The assembler.
 *
 * Problem: turn a text that a learner wrote by hand into instructions, or say where it is wrong and
 * what was expected there. Model: one pass over the lines reads labels and instructions; a name
 * used as a target is remembered and looked up when all labels are known. The operand form of the
 * instruction table drives the parsing, so there is no code per instruction. Pairing (simt_pair)
 * comes last. Invariants: code, place and pc advance together; label names point into the program's
 * own copy of the text.
 *
 * Simplified: no macros, no expressions, no data section (`simt run --mem FILE` loads words).
 */
#include "simt_asm.h"

#include <stdlib.h>
#include <string.h>

#include "lab/file.h"
#include "simt_lex.h"
#include "simt_pair.h"

struct ref { /* a label used as a target */
    uint32_t pc;
    struct simt_word name;
    struct simt_place at;
};

struct assembly {
    struct simt_program *p;
    struct simt_lex lx;
    struct ref *refs;
    uint32_t nrefs;
    uint32_t code_cap, labels_cap, refs_cap;
};

/* Room for one more element in an array of n that has room for *cap. */
static void *grown(void *array, uint32_t n, uint32_t *cap, size_t size)
{
    if (n < *cap) {
        return array;
    }
    *cap = *cap == 0 ? 64 : *cap * 2;
    return lab_resize(array, *cap, size);
}

static int add_label(struct assembly *a, struct simt_word w)
{
    struct simt_program *p = a->p;
    if (simt_word_is_reg(w)) {
        return simt_lex_error(&a->lx, w.p, "'%.*s' is a register, expected another label name",
                              (int)w.len, w.p);
    }
    p->labels = grown(p->labels, p->nlabels, &a->labels_cap, sizeof(*p->labels));
    p->labels[p->nlabels++] = (struct simt_label){
        .name = w.p, .len = w.len, .pc = p->n, .at = simt_lex_place(&a->lx, w.p)};
    return 0;
}

static int label_operand(struct assembly *a)
{
    (void)simt_lex_more(&a->lx);
    const char *at = a->lx.p;
    struct simt_word w = simt_lex_word(&a->lx);
    if (w.len == 0 || simt_word_is_reg(w)) {
        a->lx.p = at;
        return simt_lex_expected(&a->lx, "a label");
    }
    a->refs = grown(a->refs, a->nrefs, &a->refs_cap, sizeof(*a->refs));
    a->refs[a->nrefs++] = (struct ref){a->p->n, w, simt_lex_place(&a->lx, w.p)};
    return 0;
}

static int memory_operand(struct simt_lex *lx, struct simt_insn *in)
{
    if (simt_lex_char(lx, '[', "a memory operand [ra+imm]") < 0 || simt_lex_reg(lx, &in->ra) < 0) {
        return -1;
    }
    bool plus = simt_lex_take(lx, '+');
    bool minus = !plus && simt_lex_more(lx) && *lx->p == '-';
    if ((plus || minus) && simt_lex_imm(lx, &in->imm) < 0) {
        return -1;
    }
    return simt_lex_char(lx, ']', plus || minus ? "']'" : "'+', '-' or ']'");
}

static int value_operand(struct simt_lex *lx, struct simt_insn *in)
{
    if (!simt_lex_more(lx)) {
        return simt_lex_expected(lx, "a register or a number");
    }
    char c = *lx->p;
    in->has_imm = c == '-' || (c >= '0' && c <= '9');
    return in->has_imm ? simt_lex_imm(lx, &in->imm) : simt_lex_reg(lx, &in->rb);
}

static int operand(struct assembly *a, struct simt_insn *in, char letter)
{
    switch (letter) {
    case 'd': return simt_lex_reg(&a->lx, &in->rd);
    case 'a': return simt_lex_reg(&a->lx, &in->ra);
    case 'b': return simt_lex_reg(&a->lx, &in->rb);
    case 'c': return simt_lex_reg(&a->lx, &in->rc);
    case 'i': return simt_lex_imm(&a->lx, &in->imm);
    case 'm': return memory_operand(&a->lx, in);
    case 'l': return label_operand(a);
    default: return value_operand(&a->lx, in);
    }
}

static int unknown_op(struct assembly *a, struct simt_word w)
{
    const char *near = simt_op_nearest(w.p, w.len);
    int len = w.len > 32 ? 32 : (int)w.len;
    if (near != NULL) {
        return simt_lex_error(&a->lx, w.p, "unknown instruction '%.*s', did you mean %s?", len, w.p,
                              near);
    }
    return simt_lex_error(
        &a->lx, w.p, "unknown instruction '%.*s', expected one that `simt isa` lists", len, w.p);
}

static int add_insn(struct assembly *a, struct simt_word w)
{
    struct simt_program *p = a->p;
    int op = simt_op_find(w.p, w.len);
    if (op < 0) {
        return unknown_op(a, w);
    }
    if (p->n == SIMT_PROGRAM_MAX) {
        return simt_lex_error(&a->lx, w.p, "too many instructions, expected at most %d",
                              SIMT_PROGRAM_MAX);
    }
    struct simt_insn in = {.op = (uint8_t)op};
    const char *form = simt_op_info((enum simt_op)op)->form;
    for (size_t i = 0; form[i] != '\0'; i++) {
        if ((i > 0 && simt_lex_char(&a->lx, ',', "',' and another operand") < 0) ||
            operand(a, &in, form[i]) < 0) {
            return -1;
        }
    }
    if (simt_lex_more(&a->lx)) {
        return simt_lex_expected(&a->lx, "the end of the line");
    }
    uint32_t cap = a->code_cap; /* code and place are as long as each other, always */
    p->code = grown(p->code, p->n, &a->code_cap, sizeof(*p->code));
    p->place = grown(p->place, p->n, &cap, sizeof(*p->place));
    p->code[p->n] = in;
    p->place[p->n++] = simt_lex_place(&a->lx, w.p);
    return 0;
}

static int read_line(struct assembly *a)
{
    while (simt_lex_more(&a->lx)) {
        struct simt_word w = simt_lex_word(&a->lx);
        if (w.len == 0) {
            return simt_lex_expected(&a->lx, "an instruction or a label");
        }
        if (!simt_lex_take(&a->lx, ':')) {
            return add_insn(a, w);
        }
        if (add_label(a, w) < 0) {
            return -1;
        }
    }
    return 0;
}

static int by_name(const void *x, const void *y)
{
    const struct simt_label *a = x;
    const struct simt_label *b = y;
    int order = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);
    if (order != 0 || a->len != b->len) {
        return order != 0 ? order : (a->len < b->len ? -1 : 1);
    }
    return (a->name > b->name) - (a->name < b->name);
}

static int by_pc(const void *x, const void *y)
{
    const struct simt_label *a = x;
    const struct simt_label *b = y;
    if (a->pc != b->pc) {
        return a->pc < b->pc ? -1 : 1;
    }
    return (a->name > b->name) - (a->name < b->name);
}

static bool same_name(const struct simt_label *l, const char *name, size_t len)
{
    return l->len == len && memcmp(l->name, name, len) == 0;
}

static int clip(size_t len)
{
    return len > 32 ? 32 : (int)len;
}

static int check_twice(const struct simt_program *p, struct lab_err *err)
{
    for (uint32_t i = 1; i < p->nlabels; i++) {
        const struct simt_label *l = &p->labels[i];
        if (same_name(l, l[-1].name, l[-1].len)) {
            return lab_err_input(err,
                                 "%s:%u:%u: label '%.*s' stands in line %u already, expected "
                                 "another name",
                                 p->name, l->at.line, l->at.col, clip(l->len), l->name,
                                 l[-1].at.line);
        }
    }
    return 0;
}

/* The label of this name among labels sorted by name. */
static const struct simt_label *find_label(const struct simt_program *p, struct simt_word w)
{
    uint32_t lo = 0;
    uint32_t hi = p->nlabels;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct simt_label *l = &p->labels[mid];
        int order = memcmp(l->name, w.p, l->len < w.len ? l->len : w.len);
        if (order < 0 || (order == 0 && l->len < w.len)) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < p->nlabels && same_name(&p->labels[lo], w.p, w.len) ? &p->labels[lo] : NULL;
}

static int resolve(struct assembly *a)
{
    struct simt_program *p = a->p;
    if (p->nlabels > 0) {
        qsort(p->labels, p->nlabels, sizeof(*p->labels), by_name);
    }
    if (check_twice(p, a->lx.err) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < a->nrefs; i++) {
        const struct ref *r = &a->refs[i];
        const struct simt_label *l = find_label(p, r->name);
        if (l == NULL || l->pc >= p->n) {
            return lab_err_input(a->lx.err, "%s:%u:%u: label '%.*s' %s", p->name, r->at.line,
                                 r->at.col, clip(r->name.len), r->name.p,
                                 l == NULL ? "is missing, expected a line 'LABEL:' somewhere"
                                           : "has no instruction behind it, expected one");
        }
        p->code[r->pc].target = l->pc;
    }
    if (p->nlabels > 0) {
        qsort(p->labels, p->nlabels, sizeof(*p->labels), by_pc);
    }
    return 0;
}

static int assemble(struct assembly *a)
{
    int rc = 0;
    while ((rc = simt_lex_line(&a->lx)) > 0) {
        if (read_line(a) < 0) {
            return -1;
        }
    }
    if (rc < 0) {
        return -1;
    }
    if (a->p->n == 0) {
        return lab_err_input(a->lx.err, "%s:1:1: no instruction, expected at least HALT",
                             a->p->name);
    }
    return resolve(a) < 0 ? -1 : simt_pair(a->p, a->lx.err);
}

int simt_assemble(const char *name, const char *text, size_t len, struct simt_program **out,
                  struct lab_err *err)
{
    struct simt_program *p = lab_alloc(1, sizeof(*p));
    p->name = lab_strdup(name);
    p->text = lab_alloc(len + 1, 1);
    if (len > 0) {
        memcpy(p->text, text, len);
    }
    struct assembly a = {.p = p};
    simt_lex_init(&a.lx, p->name, p->text, len, err);
    int rc = assemble(&a);
    free(a.refs);
    if (rc < 0) {
        simt_program_free(p);
        p = NULL;
    }
    *out = p;
    return rc;
}

int simt_assemble_file(const char *path, struct simt_program **out, struct lab_err *err)
{
    struct lab_buf text;
    *out = NULL;
    lab_buf_init(&text);
    int rc = lab_file_read(path, SIMT_SOURCE_MAX, &text, err);
    if (rc == 0) {
        rc = simt_assemble(path, lab_buf_str(&text), text.len, out, err);
    }
    lab_buf_fini(&text);
    return rc;
}
