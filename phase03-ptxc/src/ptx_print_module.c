/* Problem: the whole tree as PTX text again: what a test can compare and a reader can look at.
 * Model: declarations of all functions, variables, bodies, aliases, files. A body is walked with a
 * stack of open scopes; what a scope declares is printed where it opens.
 * Invariants: printing, parsing and printing gives the same text again.
 * Simplified: registers are listed one by one, and only those that are used; a float or address
 * keeps its value, not its spelling.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "ptx.h"

/* --- variables --- */

static uint64_t read_le(const uint8_t *bytes, uint32_t n)
{
    uint64_t v = 0;
    for (uint32_t i = 0; i < n && i < 8; i++) {
        v |= (uint64_t)bytes[i] << (8 * i);
    }
    return v;
}

static void print_address_of(const struct ptx_reloc *r, struct lab_buf *out)
{
    bool masked = r->bytes < 4 || r->shift != 0;
    if (masked) {
        lab_buf_printf(out, "0x%" PRIx64 "(", (UINT64_MAX >> (64 - 8 * r->bytes)) << r->shift);
    }
    lab_buf_printf(out, r->generic ? "generic(%s)" : "%s", r->symbol);
    if (r->addend != 0) {
        lab_buf_printf(out, "+%" PRId64, r->addend);
    }
    lab_buf_puts(out, masked ? ")" : "");
}

static void print_value(const struct ptx_var *v, uint64_t offset, struct lab_buf *out)
{
    uint64_t bits = read_le(v->init + offset, ptx_type_size(v->type));
    if (v->type == PTX_F32) {
        lab_buf_printf(out, "0f%08" PRIX64, bits);
    } else if (v->type == PTX_F64) {
        lab_buf_printf(out, "0d%016" PRIX64, bits);
    } else {
        lab_buf_printf(out, "%" PRIu64, bits);
    }
}

static void print_init(const struct ptx_var *v, struct lab_buf *out)
{
    uint32_t element = ptx_type_size(v->type), r = 0;
    uint64_t end = v->size; /* behind the last value that is not zero */
    uint64_t relocs_end = v->nrelocs == 0 ? 0 : v->relocs[v->nrelocs - 1].offset + element;
    while (end > element && v->init[end - 1] == 0 && end > relocs_end) {
        end--;
    }
    bool list = v->size > element;
    lab_buf_puts(out, list ? " = {" : " = ");
    for (uint64_t at = 0; at < end; at += element) {
        lab_buf_puts(out, at == 0 ? "" : ", ");
        if (r < v->nrelocs && v->relocs[r].offset == at) {
            print_address_of(&v->relocs[r++], out);
        } else {
            print_value(v, at, out);
        }
    }
    lab_buf_puts(out, list ? "}" : "");
}

/* ".align 4 .b8 name[16]": all that parameters and variables have in common. */
static void print_declarator(const struct ptx_var *v, struct lab_buf *out)
{
    static const char *const spaces[] = {
        [PTX_SPACE_GENERIC] = "param", [PTX_SPACE_REG] = "reg",     [PTX_SPACE_GLOBAL] = "global",
        [PTX_SPACE_SHARED] = "shared", [PTX_SPACE_LOCAL] = "local", [PTX_SPACE_CONST] = "const",
        [PTX_SPACE_PARAM] = "param"};
    lab_buf_printf(out, ".%s ", spaces[v->space]);
    lab_buf_puts(out, v->managed ? ".attribute(.managed) " : "");
    if (v->align != ptx_type_size(v->type) * v->vec) {
        lab_buf_printf(out, ".align %u ", v->align);
    }
    if (v->vec > 1) {
        lab_buf_printf(out, ".v%u ", v->vec);
    }
    lab_buf_printf(out, ".%s %s", ptx_type_name(v->type), v->name);
    if (v->elements == 0) {
        lab_buf_puts(out, "[]");
    } else if (v->elements != 1) {
        lab_buf_printf(out, "[%" PRIu64 "]", v->elements);
    }
}

static void print_var(const struct ptx_var *v, struct lab_buf *out)
{
    lab_buf_puts(out, v->is_extern ? ".extern " : "");
    lab_buf_puts(out, v->visible ? ".visible " : "");
    lab_buf_puts(out, v->weak ? ".weak " : "");
    lab_buf_puts(out, v->common ? ".common " : "");
    print_declarator(v, out);
    if (v->init != NULL) {
        print_init(v, out);
    }
    lab_buf_puts(out, ";\n");
}

/* --- functions --- */

static void print_vars(const struct ptx_var *list, struct lab_buf *out)
{
    lab_buf_putc(out, '(');
    for (const struct ptx_var *v = list; v != NULL; v = v->next) {
        print_declarator(v, out);
        lab_buf_puts(out, v->next != NULL ? ", " : "");
    }
    lab_buf_putc(out, ')');
}

static void print_three(const char *name, const uint32_t n[3], struct lab_buf *out)
{
    if (n[0] != 0) {
        lab_buf_printf(out, " .%s %u, %u, %u", name, n[0], n[1], n[2]);
    }
}

static void print_signature(const struct ptx_func *f, const char *name, struct lab_buf *out)
{
    if (f->returns != NULL) {
        print_vars(f->returns, out);
        lab_buf_putc(out, ' ');
    }
    lab_buf_puts(out, name);
    print_vars(f->params, out);
    lab_buf_puts(out, f->noreturn ? " .noreturn" : "");
}

/* Directives that a definition may have and a declaration may not. */
static void print_tuning(const struct ptx_func *f, struct lab_buf *out)
{
    print_three("maxntid", f->maxntid, out);
    print_three("reqntid", f->reqntid, out);
    print_three("reqnctapercluster", f->reqnctapercluster, out);
    if (f->minnctapersm != 0) {
        lab_buf_printf(out, " .minnctapersm %u", f->minnctapersm);
    }
    if (f->maxnreg != 0) {
        lab_buf_printf(out, " .maxnreg %u", f->maxnreg);
    }
}

static void print_header(const struct ptx_func *f, struct lab_buf *out)
{
    lab_buf_puts(out, f->is_extern ? ".extern " : "");
    lab_buf_puts(out, f->visible ? ".visible " : "");
    lab_buf_puts(out, f->weak ? ".weak " : "");
    lab_buf_puts(out, f->kind == PTX_ENTRY ? ".entry " : ".func ");
    print_signature(f, f->name, out);
}

/* --- bodies --- */

/* What a function declares, by scope: item i of scope s is items[first[s] + i]. */
struct by_scope {
    const struct ptx_var **items;
    uint32_t *first;
};

static struct by_scope group(const struct ptx_func *f, const struct ptx_var *list)
{
    struct by_scope g;
    uint32_t n = 0;
    g.first = lab_alloc(f->nscopes + 2u, sizeof(*g.first));
    for (const struct ptx_var *v = list; v != NULL; v = v->next, n++) {
        g.first[v->scope + 2]++;
    }
    for (uint32_t s = 0; s < f->nscopes; s++) {
        g.first[s + 2] += g.first[s + 1];
    }
    g.items = lab_alloc(n + 1u, sizeof(void *));
    for (const struct ptx_var *v = list; v != NULL; v = v->next) {
        g.items[g.first[v->scope + 1]++] = v;
    }
    return g;
}

static void group_fini(struct by_scope *g)
{
    free(g->items);
    free(g->first);
}

/* v.x stands for the whole register, the other parts for nothing. */
static void print_reg(const struct ptx_func *f, const struct ptx_var *v, struct lab_buf *out)
{
    for (const struct ptx_var *list = f->returns; list != NULL; list = list->next) {
        if (list->space == PTX_SPACE_REG && list->reg_index == v->reg_index) {
            return;
        }
    }
    for (const struct ptx_var *list = f->params; list != NULL; list = list->next) {
        if (list->space == PTX_SPACE_REG && list->reg_index == v->reg_index) {
            return;
        }
    }
    const char *dot = strchr(v->name, '.');
    if (dot == NULL) {
        lab_buf_printf(out, "\t.reg .%s %s;\n", ptx_type_name(v->type), v->name);
    } else if (dot[1] == 'x') {
        lab_buf_printf(out, "\t.reg .v%u .%s %.*s;\n", v->vec, ptx_type_name(v->type),
                       (int)(dot - v->name), v->name);
    }
}

static void print_targets(const struct ptx_operand *t, struct lab_buf *out)
{
    bool calls = t->nelems > 0 && t->elems[0].kind == PTX_OP_FUNC;
    lab_buf_printf(out, "%s: .%s ", t->name, calls ? "calltargets" : "branchtargets");
    for (uint32_t i = 0; i < t->nelems; i++) {
        const struct ptx_operand *e = &t->elems[i];
        lab_buf_printf(out, "%s%s", i == 0 ? "" : ", ",
                       e->kind == PTX_OP_FUNC ? e->func->name : e->name);
    }
    lab_buf_puts(out, ";\n");
}

struct body {
    const struct ptx_func *f;
    struct by_scope regs, locals;
    uint32_t open[PTX_MAX_DEPTH];
    uint32_t depth;
    uint32_t next_scope, next_label;
    uint32_t loc_file, loc_line;
    struct lab_buf *out;
};

static void open_scope(struct body *b)
{
    uint32_t s = b->next_scope++;
    lab_buf_puts(b->out, "{\n");
    b->open[b->depth++] = s;
    for (uint32_t i = b->regs.first[s]; i < b->regs.first[s + 1]; i++) {
        print_reg(b->f, b->regs.items[i], b->out);
    }
    for (uint32_t i = b->locals.first[s]; i < b->locals.first[s + 1]; i++) {
        lab_buf_putc(b->out, '\t');
        print_var(b->locals.items[i], b->out);
    }
    for (const struct ptx_func *proto = b->f->protos; proto != NULL; proto = proto->next) {
        if (proto->scope == s) {
            lab_buf_printf(b->out, "%s: .callprototype ", proto->name);
            print_signature(proto, "_", b->out);
            lab_buf_puts(b->out, ";\n");
        }
    }
    for (uint32_t i = 0; i < b->f->ntargets; i++) {
        if (b->f->targets[i].target == s) {
            print_targets(&b->f->targets[i], b->out);
        }
    }
}

/* The labels before instruction i that the innermost open scope declares. */
static void print_labels(struct body *b, uint32_t i)
{
    const struct ptx_label *l = &b->f->labels[b->next_label];
    while (b->next_label < b->f->nlabels && l->insn == i && l->scope == b->open[b->depth - 1]) {
        lab_buf_printf(b->out, "%s:\n", l->name);
        b->next_label++;
        l++;
    }
}

/* All braces and labels before instruction i, in the order in which they stood. */
static void print_between(struct body *b, uint32_t i)
{
    const struct ptx_func *f = b->f;
    for (;;) {
        print_labels(b, i);
        uint32_t top = b->open[b->depth - 1];
        if (b->next_scope < f->nscopes && f->scopes[b->next_scope].first == i &&
            f->scopes[b->next_scope].parent == top) {
            open_scope(b);
        } else if (b->depth > 1 && f->scopes[top].end == i) {
            lab_buf_puts(b->out, "}\n");
            b->depth--;
        } else {
            return;
        }
    }
}

static void print_insn(struct body *b, const struct ptx_insn *insn)
{
    if (insn->loc_file != b->loc_file || insn->loc_line != b->loc_line) {
        b->loc_file = insn->loc_file;
        b->loc_line = insn->loc_line;
        lab_buf_printf(b->out, "\t.loc %u %u 0\n", b->loc_file, b->loc_line);
    }
    lab_buf_putc(b->out, '\t');
    ptx_insn_print(insn, b->out);
    lab_buf_puts(b->out, ";\n");
}

static void print_body(const struct ptx_func *f, struct lab_buf *out)
{
    struct body b = {.f = f, .regs = group(f, f->regs), .locals = group(f, f->locals), .out = out};
    open_scope(&b);
    for (uint32_t i = 0; i < f->ninsns; i++) {
        print_between(&b, i);
        print_insn(&b, &f->insns[i]);
    }
    print_between(&b, f->ninsns);
    lab_buf_puts(out, "}\n");
    group_fini(&b.regs);
    group_fini(&b.locals);
}

void ptx_module_print(const struct ptx_module *m, struct lab_buf *out)
{
    lab_buf_printf(out, ".version %u.%u\n.target %s\n.address_size %u\n\n", m->version_major,
                   m->version_minor, m->target, m->address_size);
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        print_header(f, out);
        lab_buf_puts(out, ";\n");
    }
    for (const struct ptx_var *v = m->vars; v != NULL; v = v->next) {
        print_var(v, out);
    }
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        if (f->defined) {
            lab_buf_putc(out, '\n');
            print_header(f, out);
            print_tuning(f, out);
            lab_buf_putc(out, '\n');
            print_body(f, out);
        }
    }
    for (const struct ptx_func *f = m->funcs; f != NULL; f = f->next) {
        if (f->alias != NULL) {
            lab_buf_printf(out, ".alias %s, %s;\n", f->name, f->alias->name);
        }
    }
    for (uint32_t i = 0; i < m->nfiles; i++) {
        lab_buf_printf(out, ".file %u \"%s\"\n", m->files[i].index, m->files[i].path);
    }
}
