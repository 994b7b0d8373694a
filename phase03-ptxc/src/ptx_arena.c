/* Problem: a module is thousands of small objects that die together; freeing them one by one needs
 * a walk over the whole tree and is easy to get wrong.
 * Model: a list of blocks; an object is the next aligned bytes of the newest block. A request too
 * large for a block gets one of its own, behind the newest, so the rest of that one is not wasted.
 * Invariants: blocks are zeroed when they are made and bytes are handed out once, so every object
 * starts as zero.
 * Simplified: nothing can be given back alone, and one thread uses an arena.
 */
#include "ptx_arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/err.h"

#define BLOCK_BYTES ((size_t)64 * 1024)

struct block {
    struct block *next;
    size_t used, cap;
    alignas(max_align_t) unsigned char bytes[];
};

struct ptx_arena {
    struct block *blocks; /* the newest first */
    size_t used;
};

static struct block *block_new(struct ptx_arena *a, size_t cap)
{
    struct block *b = lab_alloc(1, sizeof(*b) + cap);
    b->cap = cap;
    a->used += sizeof(*b) + cap;
    return b;
}

struct ptx_arena *ptx_arena_new(void)
{
    return lab_alloc(1, sizeof(struct ptx_arena));
}

void ptx_arena_free(struct ptx_arena *a)
{
    if (a == NULL) {
        return;
    }
    for (struct block *b = a->blocks; b != NULL;) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
    free(a);
}

void *ptx_arena_alloc(struct ptx_arena *a, size_t n, size_t size)
{
    size_t bytes;
    LAB_ASSERT(!__builtin_mul_overflow(n, size, &bytes) && bytes < SIZE_MAX / 2);
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    struct block *b = a->blocks;
    if (b != NULL && bytes > BLOCK_BYTES / 4 && b->cap - b->used < bytes) {
        struct block *own = block_new(a, bytes);
        own->used = bytes;
        own->next = b->next;
        b->next = own;
        return own->bytes;
    }
    if (b == NULL || b->cap - b->used < bytes) {
        b = block_new(a, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
        b->next = a->blocks;
        a->blocks = b;
    }
    void *p = b->bytes + b->used;
    b->used += bytes;
    return p;
}

void *ptx_arena_copy(struct ptx_arena *a, const void *bytes, size_t n, size_t size)
{
    void *p = ptx_arena_alloc(a, n, size);
    if (n != 0) {
        memcpy(p, bytes, n * size);
    }
    return p;
}

char *ptx_arena_str(struct ptx_arena *a, const char *s, size_t len)
{
    char *p = ptx_arena_alloc(a, len + 1, 1);
    if (len != 0) {
        memcpy(p, s, len);
    }
    return p;
}

size_t ptx_arena_used(const struct ptx_arena *a)
{
    return a->used;
}
