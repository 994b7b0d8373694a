/* PTX text as a tree: what the front end hands to whoever executes, checks or prints it.
 *
 * The tree keeps every instruction as written (opcode word, modifier words, operands) with symbols
 * resolved to declarations, so that the executor, the dissection and a printer can each decide what
 * an instruction means. Grammar: NVIDIA's "Parallel Thread Execution ISA" 9.0, chapters 4, 5
 * and 11.
 *
 * Everything hangs on the module's arena: one ptx_module_free frees all. A parsed module is
 * read-only and may be shared by threads.
 */
#ifndef PTX_H
#define PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/err.h"
#include "ptx_words.h"

enum ptx_type {
    PTX_NONE,
    PTX_PRED,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F16X2,
    PTX_BF16,
    PTX_BF16X2,
    PTX_TF32,
    PTX_F32,
    PTX_F64,
    PTX_U16X2,
    PTX_S16X2,
    PTX_TEXREF, /* opaque handles, 8 bytes */
    PTX_SAMPLERREF,
    PTX_SURFREF,
};

/* Bytes of one element; 0 for PTX_NONE, 1 for PTX_PRED. */
unsigned ptx_type_size(enum ptx_type t);
/* The type a modifier word names (PTX_W_f32 → PTX_F32), or PTX_NONE. */
enum ptx_type ptx_type_of_word(enum ptx_word w);
const char *ptx_type_name(enum ptx_type t); /* "f32" */

enum ptx_space {
    PTX_SPACE_GENERIC,
    PTX_SPACE_REG,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_SHARED,
    PTX_SPACE_LOCAL,
    PTX_SPACE_CONST,
    PTX_SPACE_PARAM,
};

/* Where something stands in the PTX text; line and col count from 1. */
struct ptx_pos {
    uint32_t line, col;
};

/* A register, variable or parameter. */
struct ptx_var {
    const char *name;
    struct ptx_pos pos;
    enum ptx_space space;
    enum ptx_type type;
    uint32_t vec;      /* 1, 2, 4: .v2, .v4 declarations */
    uint32_t align;    /* bytes; the type's size when not given */
    uint64_t elements; /* product of the array dimensions, 1 for a scalar; 0: extern dynamic [] */
    uint64_t size;     /* bytes in all */
    bool is_extern, visible, weak, common, managed;
    uint32_t scope; /* in a function: index into func->scopes; parameters: 0 */
    /* Registers: index within the function, in order of first use over all scopes; a register that
     * is declared and never used has none, a shadowing declaration is another register. A vector
     * register `.reg .v4 .f32 v` is four scalar ones named v.x v.y v.z v.w with vec 4. */
    uint32_t reg_index;
    /* Parameters: position and byte offset in the parameter block (ABI: natural alignment). */
    uint32_t param_index, param_offset;
    /* Initialised variables: size bytes, and places that hold the address of a symbol. */
    const uint8_t *init; /* NULL: zero */
    const struct ptx_reloc *relocs;
    uint32_t nrelocs;
    struct ptx_var *next; /* the owner's list, in declaration order */
};

/* bytes [offset, offset + bytes) of init get (address + addend) >> shift, little-endian. */
struct ptx_reloc {
    uint64_t offset;
    uint32_t bytes; /* 8; 4; with mask(sym), 0xff00(sym), also 1 and 2 */
    uint32_t shift; /* bits; 0 but with a mask */
    bool generic;   /* generic(sym): the generic address; a function's address is its only one */
    const char *symbol;
    const struct ptx_var *var; /* one of these two once resolved */
    const struct ptx_func *func;
    int64_t addend;
};

enum ptx_operand_kind {
    PTX_OP_REG,     /* var; negated, name */
    PTX_OP_SREG,    /* a special register: sreg */
    PTX_OP_INT,     /* i: as written, sign kept in 64 bits */
    PTX_OP_F32,     /* i: the 32 bits of 0f…, or of a decimal float where f32 is wanted */
    PTX_OP_F64,     /* i: the 64 bits of 0d… or of a decimal float */
    PTX_OP_ADDR,    /* [var + offset]: var is a register, a variable, a parameter, or NULL. What
                       follows inside the brackets ([tex, {x, y}]) is in elems, nelems */
    PTX_OP_SYM,     /* a variable's address as a value: var, i = offset */
    PTX_OP_FUNC,    /* func */
    PTX_OP_LABEL,   /* target: instruction index in the function's body, always < ninsns */
    PTX_OP_VEC,     /* {a, b, …}: elems, nelems */
    PTX_OP_PAIR,    /* d|p: elems[0], elems[1] */
    PTX_OP_SINK,    /* _ */
    PTX_OP_LIST,    /* call's (a, b, …): elems, nelems, may be empty */
    PTX_OP_PROTO,   /* a .callprototype: func of kind prototype */
    PTX_OP_TARGETS, /* a .branchtargets or .calltargets list: elems are LABEL or FUNC; name */
};

/* Special registers. The x, y, z parts are separate entries; a whole one, as in mov.v4.u32 v, %tid,
 * is a PTX_OP_VEC of its parts and a zero. */
enum ptx_sreg {
    PTX_TID_X,
    PTX_TID_Y,
    PTX_TID_Z,
    PTX_NTID_X,
    PTX_NTID_Y,
    PTX_NTID_Z,
    PTX_CTAID_X,
    PTX_CTAID_Y,
    PTX_CTAID_Z,
    PTX_NCTAID_X,
    PTX_NCTAID_Y,
    PTX_NCTAID_Z,
    PTX_LANEID,
    PTX_WARPID,
    PTX_NWARPID,
    PTX_SMID,
    PTX_NSMID,
    PTX_GRIDID,
    PTX_LANEMASK_EQ,
    PTX_LANEMASK_LE,
    PTX_LANEMASK_LT,
    PTX_LANEMASK_GE,
    PTX_LANEMASK_GT,
    PTX_CLOCK,
    PTX_CLOCK_HI,
    PTX_CLOCK64,
    PTX_GLOBALTIMER,
    PTX_GLOBALTIMER_LO,
    PTX_GLOBALTIMER_HI,
    PTX_DYNAMIC_SMEM_SIZE,
    PTX_TOTAL_SMEM_SIZE,
    PTX_AGGR_SMEM_SIZE,
    PTX_RESERVED_SMEM, /* %reserved_smem_offset_begin, _end, _cap, _0, _1: i = 0 … 4 */
    PTX_CLUSTERID_X,
    PTX_CLUSTERID_Y,
    PTX_CLUSTERID_Z,
    PTX_NCLUSTERID_X,
    PTX_NCLUSTERID_Y,
    PTX_NCLUSTERID_Z,
    PTX_CLUSTER_CTAID_X,
    PTX_CLUSTER_CTAID_Y,
    PTX_CLUSTER_CTAID_Z,
    PTX_CLUSTER_NCTAID_X,
    PTX_CLUSTER_NCTAID_Y,
    PTX_CLUSTER_NCTAID_Z,
    PTX_CLUSTER_CTARANK,
    PTX_CLUSTER_NCTARANK,
    PTX_IS_EXPLICIT_CLUSTER, /* a predicate */
    PTX_CURRENT_GRAPH_EXEC,
    PTX_ENVREG, /* %envreg0 … 31: i holds the number */
    PTX_PM,     /* %pm0 … 7: i */
    PTX_PM64,   /* %pm0_64 … 7_64: i */
    PTX_SREG_COUNT,
};

const char *ptx_sreg_name(enum ptx_sreg r); /* "%tid.x" */

struct ptx_operand {
    enum ptx_operand_kind kind;
    struct ptx_pos pos;
    bool negated; /* !%p; in vmad also -%r */
    bool unified; /* PTX_OP_ADDR: [a].unified */
    enum ptx_sreg sreg;
    const struct ptx_var *var;
    const struct ptx_func *func;
    const char
        *name; /* labels, prototypes, target lists: as written. A register of a video
                  instruction (vadd, vset4, …): the bytes it selects, "b0", "h10"; NULL: all */
    int64_t i;
    int64_t offset; /* PTX_OP_ADDR */
    const struct ptx_operand *elems;
    uint32_t nelems;
    uint32_t target;
};

#define PTX_MAX_MODIFIERS 16
#define PTX_MAX_OPERANDS  12

struct ptx_insn {
    struct ptx_pos pos;
    /* The .loc in force, or where a function of another file was inlined; 0: none. */
    uint32_t loc_file, loc_line;
    enum ptx_word op; /* PTX_W_ld, PTX_W_add, … the first word */
    uint8_t nmods, nops;
    bool guard_negated;
    const struct ptx_var *guard;   /* @%p: NULL when unguarded */
    const enum ptx_word *mods;     /* nmods, in order: global, nc, v4, f32 */
    const struct ptx_operand *ops; /* nops */
};

/* A pair of braces, or the whole body (scope 0, its own parent). Scopes stand in the order in which
 * they open. */
struct ptx_scope {
    uint32_t parent;
    uint32_t first, end; /* instructions [first, end) */
};

struct ptx_label {
    const char *name;
    struct ptx_pos pos;
    uint32_t scope;
    uint32_t insn; /* the instruction it stands before, always < ninsns */
};

enum ptx_func_kind { PTX_ENTRY, PTX_FUNC, PTX_PROTOTYPE };

struct ptx_func {
    const char *name;
    const struct ptx_module *module; /* the owner: what a message about the function needs */
    struct ptx_pos pos;
    enum ptx_func_kind kind;
    bool visible, is_extern, weak, defined; /* not defined: a forward declaration only */
    bool noreturn;
    const struct ptx_func *alias; /* `.alias name, other;`: run the other one */
    struct ptx_var *params, *returns;
    uint32_t nparams, nreturns, param_bytes;
    /* Performance-tuning directives; 0 when absent. */
    uint32_t maxntid[3], reqntid[3], reqnctapercluster[3], minnctapersm, maxnreg;
    /* Body. Registers of all scopes in the order of reg_index; local and shared variables declared
     * inside and call-local .param. A body that can run off its end gets a `ret` of its own there,
     * whose pos is the closing brace. */
    struct ptx_var *regs, *locals;
    uint32_t nregs;
    struct ptx_insn *insns;
    uint32_t ninsns;
    struct ptx_scope *scopes;
    uint32_t nscopes;
    struct ptx_label *labels;
    uint32_t nlabels;
    /* .branchtargets and .calltargets lists: kind PTX_OP_TARGETS, target is their scope. */
    struct ptx_operand *targets;
    uint32_t ntargets;
    struct ptx_func *protos; /* .callprototype declarations */
    uint32_t scope;          /* of a prototype: index into the function's scopes */
    struct ptx_func *next;
};

struct ptx_file {
    uint32_t index;
    const char *path;
};

struct ptx_module {
    const char *name; /* what messages call it, usually the file name */
    uint32_t version_major, version_minor;
    uint32_t target_sm; /* 75 for sm_75, sm_75a alike */
    const char *target; /* as written */
    uint32_t address_size;
    struct ptx_func *funcs; /* in order of first appearance */
    struct ptx_var *vars;   /* module-scope .global, .const, .shared */
    const struct ptx_file *files;
    uint32_t nfiles;
    const char *text; /* a copy of the source, for messages and reports */
    size_t text_len;
    const uint32_t *line_start; /* offset of each line in text; nlines entries */
    uint32_t nlines;
    struct ptx_arena *arena;
};

/* Limits, so that hostile text costs bounded memory: beyond them parsing is an input error. */
#define PTX_MAX_TEXT        (64u << 20)  /* bytes of text */
#define PTX_MAX_MEMORY      (1u << 30)   /* bytes of the whole tree */
#define PTX_MAX_NAME        8192u        /* bytes of one name */
#define PTX_MAX_PARAMS      8192u        /* parameters of one function */
#define PTX_MAX_INSNS       (1u << 20)   /* instructions of one function */
#define PTX_MAX_REGS        (1u << 20)   /* registers of one function */
#define PTX_MAX_DEPTH       64u          /* nested braces, brackets, parentheses */
#define PTX_MAX_ELEMENTS    1024u        /* entries of one operand list */
#define PTX_MAX_VAR_BYTES   (1ull << 40) /* one variable */
#define PTX_MAX_PARAM_BYTES 32764u       /* a function's parameters (PTX ISA 5.1.6) */

/* Parse `len` bytes (they need not end in NUL). The module owns copies of all it keeps. On bad
 * input returns −1 with "NAME:line:col: what, what was expected". */
int ptx_parse(const char *name, const char *text, size_t len, struct ptx_module **out,
              struct lab_err *err);
void ptx_module_free(struct ptx_module *m);

const struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name);
const struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name);
/* The line's text without its newline; "" past the end. *len gets its length. */
const char *ptx_line(const struct ptx_module *m, uint32_t line, size_t *len);

/* The spelling of an instruction, one line, for reports: "ld.global.v4.f32 {%f1, …}, [%rd4+16]". */
struct lab_buf;
void ptx_insn_print(const struct ptx_insn *insn, struct lab_buf *out);

/* The whole module as PTX text that parses to the same tree again: what ptx_parse keeps, in the
 * order it keeps it; comments, debug sections and unused registers are gone. */
void ptx_module_print(const struct ptx_module *m, struct lab_buf *out);

/* Does the instruction have this modifier? */
bool ptx_has(const struct ptx_insn *insn, enum ptx_word w);
/* The state space its first state-space word names ("shared::cta" is PTX_SPACE_SHARED, so is
 * "shared::cluster"), or PTX_SPACE_GENERIC. */
enum ptx_space ptx_insn_space(const struct ptx_insn *insn);
/* The type its last type word names (ld.global.v4.f32 → PTX_F32), or PTX_NONE. */
enum ptx_type ptx_insn_type(const struct ptx_insn *insn);

#endif
