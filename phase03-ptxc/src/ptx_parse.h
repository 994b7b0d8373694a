/* The parser's own state, shared by its files; nobody else includes this.
 *
 *   ptx_parse.c          the module: directives, the entry point ptx_parse
 *   ptx_parse_func.c     functions' headers
 *   ptx_parse_decl.c     variables, parameters, registers
 *   ptx_parse_init.c     initialisers of variables
 *   ptx_parse_body.c     bodies: scopes, labels, prototypes, target lists
 *   ptx_parse_insn.c     one instruction; names that stand before their definition
 *   ptx_parse_operand.c  operands
 *   ptx_parse_sreg.c     special registers
 *   ptx_expr.c           constant expressions
 *
 * Every function returns 0, or −1 with the error set; the caller passes −1 on at once.
 */
#ifndef PTX_PARSE_H
#define PTX_PARSE_H

#include "ptx.h"
#include "ptx_arena.h"
#include "ptx_lex.h"
#include "ptx_sym.h"

/* The function being parsed. The arrays are malloc'd while they grow and move to the arena. */
struct ptx_body {
    struct ptx_func *f;
    uint32_t uid;   /* symbol scope of the parameters and scope 0 */
    uint32_t *uids; /* symbol scope by scope; as long as scopes */
    uint32_t open[PTX_MAX_DEPTH];
    uint32_t depth; /* open[0 … depth − 1], outermost first */
    struct ptx_insn *insns;
    uint32_t ninsns, insns_cap;
    struct ptx_scope *scopes;
    uint32_t nscopes, scopes_cap;
    struct ptx_label *labels;
    uint32_t nlabels, labels_cap;
    struct ptx_operand *targets;
    uint32_t ntargets, targets_cap;
    /* Instructions with an operand that names something not defined yet. */
    struct ptx_fixup {
        uint32_t insn, scope;
    } * fixups;
    uint32_t nfixups, fixups_cap;
    struct ptx_var **regs_tail, **locals_tail;
    struct ptx_func **protos_tail;
    uint32_t loc_file, loc_line;
};

struct ptx_parser {
    struct ptx_lexer lex;
    struct ptx_token tok;  /* the next one, not yet consumed */
    struct ptx_token prev; /* the one consumed last */
    struct ptx_module *m;
    struct ptx_arena *arena;
    struct ptx_symtab syms;
    uint32_t next_uid;
    struct ptx_func **funcs_tail;
    struct ptx_var **vars_tail;
    struct ptx_body *body; /* NULL between functions */
    /* Operands of lists that are not complete yet: a stack. */
    struct ptx_operand *stack;
    uint32_t stack_len, stack_cap;
    struct ptx_file *files;
    uint32_t nfiles, files_cap;
    struct ptx_pending { /* a reloc's symbol, resolved when the module is complete */
        struct ptx_reloc *reloc;
        struct ptx_pos pos;
    } * pending;
    uint32_t npending, pending_cap;
    uint32_t depth;          /* of nested operands, initialisers and expressions */
    enum ptx_type insn_type; /* of the instruction whose operands are read */
};

#define PTX_UNRESOLVED UINT32_MAX

/* --- tokens --- */
int ptx_advance(struct ptx_parser *p);
bool ptx_is_punct(const struct ptx_parser *p, int punct);
bool ptx_is_word(const struct ptx_parser *p, const char *word); /* .word */
/* If the token is this one, consume it: 1; else 0; −1 on an error behind it. */
int ptx_accept(struct ptx_parser *p, int punct);
int ptx_expect(struct ptx_parser *p, int punct, const char *what);
/* An error at the current token: "'x', expected WHAT". */
void ptx_report_expected(struct ptx_parser *p, const char *what);
#define ptx_expected(p, what) (ptx_report_expected((p), (what)), -1)
void ptx_report(struct ptx_parser *p, struct ptx_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define ptx_error_at(p, pos, ...) (ptx_report((p), (pos), __VA_ARGS__), -1)
/* An unsigned integer in [0, max]. */
int ptx_expect_uint(struct ptx_parser *p, const char *what, uint64_t max, uint32_t *out);
int ptx_expect_name(struct ptx_parser *p, const char *what, struct ptx_token *out);
char *ptx_name(struct ptx_parser *p, const struct ptx_token *t); /* a copy in the arena */
/* Nested deeper now; refused beyond PTX_MAX_DEPTH. Undo with p->depth--. */
int ptx_deeper(struct ptx_parser *p);
/* May the tree grow by this many bytes? */
int ptx_reserve(struct ptx_parser *p, uint64_t bytes);
/* Make room for one more in a malloc'd array. */
void *ptx_grow(void *array, uint32_t n, uint32_t *cap, size_t size);

/* --- constant expressions --- */
struct ptx_const {
    enum ptx_operand_kind kind; /* PTX_OP_INT, PTX_OP_F32, PTX_OP_F64 */
    bool is_unsigned;
    int64_t i; /* value or bits */
};
int ptx_parse_const(struct ptx_parser *p, struct ptx_const *out);
/* One that ends before '+' or '-', for what follows a sign in an address. */
int ptx_parse_term(struct ptx_parser *p, struct ptx_const *out);
int ptx_parse_int(struct ptx_parser *p, const char *what, int64_t *out);

/* --- declarations --- */
struct ptx_linkage {
    bool is_extern, visible, weak, common;
};
/* What stands before the name: .align 4 .v4 .f32 … */
struct ptx_spec {
    enum ptx_space space;
    enum ptx_type type;
    uint32_t align, vec;
    bool managed;
};
enum ptx_type ptx_type_of_text(const char *s, size_t len);
enum ptx_space ptx_space_of_text(const char *s, size_t len); /* GENERIC: no space word */
int ptx_parse_spec(struct ptx_parser *p, struct ptx_spec *spec);
/* `.global …;` and its kin, the space word not yet consumed. */
int ptx_parse_vars(struct ptx_parser *p, const struct ptx_linkage *linkage);
/* `(.param …, …)` into a list; *n gets its length, *bytes (may be NULL) the block's size. */
int ptx_parse_params(struct ptx_parser *p, struct ptx_var **list, uint32_t *n, uint32_t *bytes);
int ptx_parse_init(struct ptx_parser *p, struct ptx_var *v);
int ptx_resolve_pending(struct ptx_parser *p);
/* Enter a name in the current scope; an error when it is there. Returns the entry or NULL. */
struct ptx_sym *ptx_declare(struct ptx_parser *p, uint32_t uid, const struct ptx_token *name);
uint32_t ptx_current_uid(const struct ptx_parser *p);
/* --- functions --- */
/* `.entry …` or `.func …`, the word not yet consumed. */
int ptx_parse_function(struct ptx_parser *p, const struct ptx_linkage *linkage);
/* `.callprototype …;` behind its label. */
int ptx_parse_prototype(struct ptx_parser *p, const struct ptx_token *name);

/* --- bodies --- */
int ptx_parse_body(struct ptx_parser *p, struct ptx_func *f, uint32_t uid);
/* An instruction; its opcode is consumed already, its guard (NULL: none) as well. */
int ptx_parse_insn(struct ptx_parser *p, const struct ptx_token *opcode,
                   const struct ptx_operand *guard);
int ptx_parse_guarded(struct ptx_parser *p); /* from '@' on */
int ptx_parse_operand(struct ptx_parser *p, enum ptx_word op, struct ptx_operand *out);
/* Lists: push each element (base: stack_len before the first), then pop them into the list. */
int ptx_push(struct ptx_parser *p, const struct ptx_operand *op, uint32_t base);
void ptx_pop_list(struct ptx_parser *p, uint32_t base, struct ptx_operand *list);
/* The name t, consumed already, as a special register: 1 and `out` filled, or 0 when it is none. A
 * part behind it is consumed. */
int ptx_parse_sreg(struct ptx_parser *p, const struct ptx_token *t, struct ptx_operand *out);
int ptx_resolve_fixups(struct ptx_parser *p);
/* What a name means here, innermost scope first, then the module; *out NULL: nothing. A register
 * used for the first time comes into being. */
int ptx_lookup(struct ptx_parser *p, const struct ptx_token *name, struct ptx_sym **out);
/* `.branchtargets a, b;` or `.calltargets f, g;` behind its label. */
int ptx_parse_targets(struct ptx_parser *p, const struct ptx_token *name);
int ptx_skip_statement(struct ptx_parser *p); /* up to and with the next ';' */

#endif
