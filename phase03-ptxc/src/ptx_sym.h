/* Names and what they mean, by scope: a hash table for one parse.
 *
 * Scopes are numbers that are never used twice: 0 is the module, every function and every pair of
 * braces gets its own. Ranges of registers have a name space beside it, PTX_RANGES(scope): after
 * `.reg .b32 %r<9>, %r1<9>;` the name %r1 is a register and a range. Thread-safety: one thread at a
 * time per table.
 */
#ifndef PTX_SYM_H
#define PTX_SYM_H

#include <stddef.h>
#include <stdint.h>

#include "ptx.h"

enum ptx_sym_kind {
    PTX_SYM_FREE,
    PTX_SYM_VAR,     /* object: struct ptx_var */
    PTX_SYM_VECTOR,  /* object: array of `count` pointers to the parts of a vector register */
    PTX_SYM_REG,     /* object: struct ptx_regdecl, a register not used yet */
    PTX_SYM_RANGE,   /* object: struct ptx_regdecl; the name is the part before <N> */
    PTX_SYM_FUNC,    /* object: struct ptx_func */
    PTX_SYM_PROTO,   /* object: struct ptx_func */
    PTX_SYM_LABEL,   /* index: into the body's labels */
    PTX_SYM_TARGETS, /* index: into the body's target lists */
};

struct ptx_sym {
    enum ptx_sym_kind kind;
    uint32_t scope;
    uint32_t hash;
    uint32_t len;
    uint32_t index;
    const char *name; /* borrowed: the module's text or arena */
    void *object;
    struct ptx_pos pos;
};

/* `.reg .b32 %r<20>;` or `.reg .pred p;` */
struct ptx_regdecl {
    enum ptx_type type;
    uint32_t vec, count;
    uint32_t scope; /* index into the function's scopes */
    struct ptx_pos pos;
};

#define PTX_RANGES(scope) ((scope) | 1u << 31)

struct ptx_symtab {
    struct ptx_sym *slots;
    size_t cap, used; /* cap: a power of 2, or 0 */
};

void ptx_symtab_fini(struct ptx_symtab *t);
/* NULL when the scope has no such name. Valid until the next ptx_sym_add. */
struct ptx_sym *ptx_sym_get(const struct ptx_symtab *t, uint32_t scope, const char *name,
                            size_t len);
/* The name must not be there yet. */
struct ptx_sym *ptx_sym_add(struct ptx_symtab *t, uint32_t scope, const char *name, size_t len);

#endif
