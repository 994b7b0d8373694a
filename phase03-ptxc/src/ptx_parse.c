/* Problem: PTX text that nvcc, clang or a hand wrote, hostile text included, becomes a tree with
 * every name resolved, or one error line that says where and what was expected.
 * Model: recursive descent with one token of lookahead. Names are entered as they are declared;
 * what may stand before its definition (labels, prototypes, symbols in initialisers) is kept and
 * resolved when the function or the module ends.
 * Invariants: tok is the next token not consumed; −1 travels up at once with the error set; the
 * tree never holds more than PTX_MAX_MEMORY bytes.
 * Simplified: the first error ends the parse. Types of operands are not checked against the
 * instruction; who executes an instruction refuses what does not fit. Debug sections are skipped.
 */
#include "ptx_parse.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"

/* --- tokens --- */

int ptx_advance(struct ptx_parser *p)
{
    p->prev = p->tok;
    return ptx_lex_next(&p->lex, &p->tok);
}

bool ptx_is_punct(const struct ptx_parser *p, int punct)
{
    return p->tok.kind == PTX_T_PUNCT && p->tok.punct == punct;
}

bool ptx_is_word(const struct ptx_parser *p, const char *word)
{
    return p->tok.kind == PTX_T_WORD && p->tok.len == strlen(word) &&
           memcmp(p->tok.s, word, p->tok.len) == 0;
}

int ptx_accept(struct ptx_parser *p, int punct)
{
    if (!ptx_is_punct(p, punct)) {
        return 0;
    }
    return ptx_advance(p) < 0 ? -1 : 1;
}

void ptx_report_expected(struct ptx_parser *p, const char *what)
{
    char shown[PTX_SHOWN];
    ptx_lex_report(&p->lex, p->tok.pos, "%s, expected %s", ptx_token_show(&p->tok, shown), what);
}

int ptx_expect(struct ptx_parser *p, int punct, const char *what)
{
    return ptx_is_punct(p, punct) ? ptx_advance(p) : ptx_expected(p, what);
}

void ptx_report(struct ptx_parser *p, struct ptx_pos pos, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    ptx_lex_report(&p->lex, pos, "%s", n < 0 ? "" : text);
}

int ptx_expect_uint(struct ptx_parser *p, const char *what, uint64_t max, uint32_t *out)
{
    if (p->tok.kind != PTX_T_INT) {
        return ptx_expected(p, what);
    }
    if (p->tok.value > max) {
        return ptx_error_at(p, p->tok.pos, "%llu is too large, expected %s of at most %llu",
                            (unsigned long long)p->tok.value, what, (unsigned long long)max);
    }
    *out = (uint32_t)p->tok.value;
    return ptx_advance(p);
}

int ptx_expect_name(struct ptx_parser *p, const char *what, struct ptx_token *out)
{
    *out = p->tok;
    if (p->tok.kind != PTX_T_IDENT) {
        return ptx_expected(p, what);
    }
    if (p->tok.len > PTX_MAX_NAME) {
        return ptx_error_at(p, p->tok.pos, "a name of %zu bytes, expected at most %u", p->tok.len,
                            PTX_MAX_NAME);
    }
    return ptx_advance(p);
}

char *ptx_name(struct ptx_parser *p, const struct ptx_token *t)
{
    return ptx_arena_str(p->arena, t->s, t->len);
}

int ptx_deeper(struct ptx_parser *p)
{
    if (++p->depth > PTX_MAX_DEPTH) {
        return ptx_error_at(p, p->tok.pos, "nested more than %u deep, expected less",
                            PTX_MAX_DEPTH);
    }
    return 0;
}

int ptx_reserve(struct ptx_parser *p, uint64_t bytes)
{
    size_t used = ptx_arena_used(p->arena);
    if (used > PTX_MAX_MEMORY || bytes > PTX_MAX_MEMORY - used) {
        return ptx_error_at(p, p->tok.pos, "a module of more than %u MiB, expected less",
                            PTX_MAX_MEMORY >> 20);
    }
    return 0;
}

void *ptx_grow(void *array, uint32_t n, uint32_t *cap, size_t size)
{
    if (n < *cap) {
        return array;
    }
    *cap = *cap == 0 ? 16 : *cap * 2;
    return lab_resize(array, *cap, size);
}

int ptx_skip_statement(struct ptx_parser *p)
{
    while (!ptx_is_punct(p, ';')) {
        if (p->tok.kind == PTX_T_END) {
            return ptx_expected(p, "';'");
        }
        if (ptx_advance(p) < 0) {
            return -1;
        }
    }
    return ptx_advance(p);
}

/* --- module directives --- */

/* "9.0" reads as a decimal float; its bytes are taken apart instead. */
static int parse_version(struct ptx_parser *p)
{
    const struct ptx_token *t = &p->tok;
    char copy[16] = "", *point, *end;
    if (t->kind != PTX_T_F64 || t->len >= sizeof(copy)) {
        return ptx_expected(p, "a version such as 9.0");
    }
    memcpy(copy, t->s, t->len);
    unsigned long major = strtoul(copy, &point, 10);
    if (*point != '.' || point[1] < '0' || point[1] > '9') {
        return ptx_expected(p, "a version such as 9.0");
    }
    unsigned long minor = strtoul(point + 1, &end, 10);
    if (*end != '\0' || major > 99 || minor > 99) {
        return ptx_expected(p, "a version such as 9.0");
    }
    p->m->version_major = (uint32_t)major;
    p->m->version_minor = (uint32_t)minor;
    return ptx_advance(p);
}

static int parse_target(struct ptx_parser *p)
{
    struct ptx_token name;
    for (;;) {
        if (ptx_expect_name(p, "a target such as sm_75", &name) < 0) {
            return -1;
        }
        if (name.len > 3 && memcmp(name.s, "sm_", 3) == 0) {
            p->m->target = ptx_name(p, &name);
            p->m->target_sm = (uint32_t)strtoul(p->m->target + 3, NULL, 10);
        }
        int more = ptx_accept(p, ',');
        if (more <= 0) {
            return more;
        }
    }
}

static int parse_address_size(struct ptx_parser *p)
{
    if (ptx_expect_uint(p, "an address size", 64, &p->m->address_size) < 0) {
        return -1;
    }
    if (p->m->address_size != 64) {
        return ptx_error_at(p, p->prev.pos, "addresses of %u bits, expected 64",
                            p->m->address_size);
    }
    return 0;
}

/* .file 1 "a.cu" and perhaps a time stamp and a size. */
static int parse_file(struct ptx_parser *p)
{
    struct ptx_file file = {0};
    if (ptx_expect_uint(p, "a file number", UINT32_MAX, &file.index) < 0) {
        return -1;
    }
    if (p->tok.kind != PTX_T_STRING) {
        return ptx_expected(p, "a file name in quotes");
    }
    file.path = ptx_arena_str(p->arena, p->tok.s, p->tok.len);
    if (ptx_advance(p) < 0) {
        return -1;
    }
    while (ptx_is_punct(p, ',')) {
        uint32_t ignored;
        if (ptx_advance(p) < 0 || ptx_expect_uint(p, "a number", UINT64_MAX, &ignored) < 0) {
            return -1;
        }
    }
    p->files = ptx_grow(p->files, p->nfiles, &p->files_cap, sizeof(*p->files));
    p->files[p->nfiles++] = file;
    return 0;
}

/* .section .debug_info { … }: only the braces count. */
static int skip_section(struct ptx_parser *p)
{
    if (p->tok.kind != PTX_T_WORD && p->tok.kind != PTX_T_IDENT) {
        return ptx_expected(p, "a section name");
    }
    if (ptx_advance(p) < 0 || ptx_expect(p, '{', "'{'") < 0) {
        return -1;
    }
    for (uint32_t open = 1; open > 0;) {
        if (p->tok.kind == PTX_T_END) {
            return ptx_expected(p, "'}' at the section's end");
        }
        open += (uint32_t)ptx_is_punct(p, '{');
        open -= (uint32_t)ptx_is_punct(p, '}');
        if (ptx_advance(p) < 0) {
            return -1;
        }
    }
    return 0;
}

static int expect_func(struct ptx_parser *p, struct ptx_func **out)
{
    struct ptx_token name;
    if (ptx_expect_name(p, "a function", &name) < 0) {
        return -1;
    }
    struct ptx_sym *sym = ptx_sym_get(&p->syms, 0, name.s, name.len);
    if (sym == NULL || sym->kind != PTX_SYM_FUNC) {
        char shown[PTX_SHOWN];
        return ptx_error_at(p, name.pos, "%s is not declared, expected a function",
                            ptx_token_show(&name, shown));
    }
    *out = sym->object;
    return 0;
}

/* .alias name, other; */
static int parse_alias(struct ptx_parser *p)
{
    struct ptx_func *name, *other;
    struct ptx_pos pos = p->tok.pos;
    if (expect_func(p, &name) < 0 || ptx_expect(p, ',', "','") < 0 || expect_func(p, &other) < 0) {
        return -1;
    }
    if (name->defined || other->alias != NULL || name == other) {
        return ptx_error_at(p, pos,
                            "an alias of '%.80s', expected a declared function without a body "
                            "and one that is no alias",
                            other->name);
    }
    name->alias = other;
    return ptx_expect(p, ';', "';'");
}

static int parse_linkage(struct ptx_parser *p, struct ptx_linkage *l)
{
    for (;;) {
        if (ptx_is_word(p, "extern")) {
            l->is_extern = true;
        } else if (ptx_is_word(p, "visible")) {
            l->visible = true;
        } else if (ptx_is_word(p, "weak")) {
            l->weak = true;
        } else if (ptx_is_word(p, "common")) {
            l->common = true;
        } else {
            return 0;
        }
        if (ptx_advance(p) < 0) {
            return -1;
        }
    }
}

/* One statement of the module that begins with .version, .target and the like: 1; none: 0. */
static int parse_directive(struct ptx_parser *p)
{
    static const struct {
        const char *word;
        int (*parse)(struct ptx_parser *p);
    } directives[] = {
        {"version", parse_version},
        {"target", parse_target},
        {"address_size", parse_address_size},
        {"file", parse_file},
        {"section", skip_section},
        {"alias", parse_alias},
        {"pragma", ptx_skip_statement},
    };
    for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++) {
        if (ptx_is_word(p, directives[i].word)) {
            return ptx_advance(p) < 0 || directives[i].parse(p) < 0 ? -1 : 1;
        }
    }
    return 0;
}

static int parse_statement(struct ptx_parser *p)
{
    int done = parse_directive(p);
    if (done != 0) {
        return done < 0 ? -1 : 0;
    }
    struct ptx_linkage linkage = {0};
    if (parse_linkage(p, &linkage) < 0) {
        return -1;
    }
    if (ptx_is_word(p, "entry") || ptx_is_word(p, "func")) {
        return ptx_parse_function(p, &linkage);
    }
    if (p->tok.kind == PTX_T_WORD) {
        enum ptx_space space = ptx_space_of_text(p->tok.s, p->tok.len);
        if (space == PTX_SPACE_GLOBAL || space == PTX_SPACE_CONST || space == PTX_SPACE_SHARED ||
            space == PTX_SPACE_LOCAL) {
            return ptx_parse_vars(p, &linkage);
        }
    }
    return ptx_accept(p, ';') == 1
               ? 0
               : ptx_expected(p, "a directive (.entry, .func, .global, .const, .shared, …)");
}

static int parse_module(struct ptx_parser *p)
{
    if (ptx_advance(p) < 0) {
        return -1;
    }
    if (p->tok.kind == PTX_T_END) {
        return ptx_error_at(p, p->tok.pos,
                            "no PTX in the text, expected one that begins with "
                            ".version");
    }
    if (!ptx_is_word(p, "version")) {
        return ptx_expected(p, ".version at the beginning");
    }
    while (p->tok.kind != PTX_T_END) {
        if (parse_statement(p) < 0 || ptx_reserve(p, 0) < 0) {
            return -1;
        }
    }
    if (p->m->target == NULL) {
        return ptx_expected(p, "a .target sm_NN line");
    }
    p->m->files = ptx_arena_copy(p->arena, p->files, p->nfiles, sizeof(*p->files));
    p->m->nfiles = p->nfiles;
    return ptx_resolve_pending(p);
}

/* --- the entry point --- */

static void index_lines(struct ptx_module *m)
{
    uint32_t n = 1;
    for (size_t i = 0; i < m->text_len; i++) {
        n += m->text[i] == '\n';
    }
    uint32_t *start = ptx_arena_alloc(m->arena, n, sizeof(*start));
    uint32_t line = 1;
    for (size_t i = 0; i < m->text_len; i++) {
        if (m->text[i] == '\n') {
            start[line++] = (uint32_t)i + 1;
        }
    }
    m->line_start = start;
    m->nlines = n;
}

/* What is no text at all is named before the lexer stumbles over its bytes. */
static int refuse_binary(const char *name, const char *text, size_t len, struct lab_err *err)
{
    static const unsigned char fatbin[4] = {0x50, 0xed, 0x55, 0xba};
    if (len == 0) {
        return lab_err_input(err, "%s:1:1: the file is empty, expected PTX text", name);
    }
    if (len > PTX_MAX_TEXT) {
        return lab_err_input(err, "%s:1:1: a text of %zu bytes, expected at most %u", name, len,
                             PTX_MAX_TEXT);
    }
    if (len >= 4 && memcmp(text, "\177ELF", 4) == 0) {
        return lab_err_input(err,
                             "%s:1:1: an ELF file (machine code, perhaps a cubin), expected PTX "
                             "text (nvcc -ptx)",
                             name);
    }
    if (len >= 4 && memcmp(text, fatbin, 4) == 0) {
        return lab_err_input(err, "%s:1:1: a fat binary, expected PTX text (nvcc -ptx)", name);
    }
    return 0;
}

static void parser_fini(struct ptx_parser *p)
{
    ptx_symtab_fini(&p->syms);
    free(p->stack);
    free(p->files);
    free(p->pending);
}

int ptx_parse(const char *name, const char *text, size_t len, struct ptx_module **out,
              struct lab_err *err)
{
    *out = NULL;
    while (len > 0 && text[len - 1] == '\0') {
        len--;
    }
    if (refuse_binary(name, text, len, err) < 0) {
        return -1;
    }
    struct ptx_arena *arena = ptx_arena_new();
    struct ptx_module *m = ptx_arena_alloc(arena, 1, sizeof(*m));
    m->arena = arena;
    m->name = ptx_arena_str(arena, name, strlen(name));
    m->text = ptx_arena_str(arena, text, len);
    m->text_len = len;
    m->address_size = 64;
    index_lines(m);
    struct ptx_parser p = {.m = m, .arena = arena, .next_uid = 1};
    p.funcs_tail = &m->funcs;
    p.vars_tail = &m->vars;
    ptx_lex_init(&p.lex, m->name, m->text, len, err);
    int rc = parse_module(&p);
    parser_fini(&p);
    if (rc < 0) {
        ptx_arena_free(arena);
        return -1;
    }
    *out = m;
    return 0;
}

void ptx_module_free(struct ptx_module *m)
{
    if (m != NULL) {
        ptx_arena_free(m->arena);
    }
}

const struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name)
{
    const struct ptx_func *f = m->funcs;
    while (f != NULL && strcmp(f->name, name) != 0) {
        f = f->next;
    }
    return f;
}

const struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name)
{
    const struct ptx_var *v = m->vars;
    while (v != NULL && strcmp(v->name, name) != 0) {
        v = v->next;
    }
    return v;
}

const char *ptx_line(const struct ptx_module *m, uint32_t line, size_t *len)
{
    if (line == 0 || line > m->nlines) {
        *len = 0;
        return "";
    }
    const char *s = m->text + m->line_start[line - 1];
    const char *end = memchr(s, '\n', m->text_len - m->line_start[line - 1]);
    *len = end != NULL ? (size_t)(end - s) : m->text_len - m->line_start[line - 1];
    return s;
}
