/* Problem: every operand of every instruction is looked up, innermost scope first.
 * Model: open addressing with linear probing; the key is scope and name, so a scope needs no
 * removal when it closes: nobody asks for its number again. FNV-1a, whose low bits are mixed once
 * more because names differ mostly in their last digit.
 * Invariants: at most half of the slots are used.
 * Simplified: no defence against names chosen to collide.
 */
#include "ptx_sym.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"

static uint32_t hash_of(uint32_t scope, const char *name, size_t len)
{
    uint32_t h = 2166136261u ^ scope * 0x9e3779b1u;
    for (size_t i = 0; i < len; i++) {
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    }
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ h >> 12;
}

void ptx_symtab_fini(struct ptx_symtab *t)
{
    free(t->slots);
    *t = (struct ptx_symtab){0};
}

struct ptx_sym *ptx_sym_get(const struct ptx_symtab *t, uint32_t scope, const char *name,
                            size_t len)
{
    if (t->cap == 0) {
        return NULL;
    }
    uint32_t h = hash_of(scope, name, len);
    for (size_t i = h;; i++) {
        struct ptx_sym *s = &t->slots[i & (t->cap - 1)];
        if (s->kind == PTX_SYM_FREE) {
            return NULL;
        }
        if (s->hash == h && s->scope == scope && s->len == len && memcmp(s->name, name, len) == 0) {
            return s;
        }
    }
}

static struct ptx_sym *free_slot(struct ptx_symtab *t, uint32_t hash)
{
    size_t i = hash;
    while (t->slots[i & (t->cap - 1)].kind != PTX_SYM_FREE) {
        i++;
    }
    return &t->slots[i & (t->cap - 1)];
}

static void grow(struct ptx_symtab *t)
{
    struct ptx_symtab bigger = {.cap = t->cap == 0 ? 256 : t->cap * 2, .used = t->used};
    bigger.slots = lab_alloc(bigger.cap, sizeof(*bigger.slots));
    for (size_t i = 0; i < t->cap; i++) {
        if (t->slots[i].kind != PTX_SYM_FREE) {
            *free_slot(&bigger, t->slots[i].hash) = t->slots[i];
        }
    }
    free(t->slots);
    *t = bigger;
}

struct ptx_sym *ptx_sym_add(struct ptx_symtab *t, uint32_t scope, const char *name, size_t len)
{
    if (t->used * 2 >= t->cap) {
        grow(t);
    }
    uint32_t h = hash_of(scope, name, len);
    struct ptx_sym *s = free_slot(t, h);
    *s = (struct ptx_sym){
        .kind = PTX_SYM_VAR, .scope = scope, .hash = h, .len = (uint32_t)len, .name = name};
    t->used++;
    return s;
}
