/* Memory that is given piece by piece and taken back all at once: what a parsed module lives in.
 *
 * Thread-safety: one thread at a time per arena. Running out of memory ends the program with exit 3
 * (lab/buf.h); what input may make an arena grow to is for its user to bound by ptx_arena_used.
 */
#ifndef PTX_ARENA_H
#define PTX_ARENA_H

#include <stddef.h>

struct ptx_arena;

struct ptx_arena *ptx_arena_new(void);
void ptx_arena_free(struct ptx_arena *a); /* NULL is allowed */

/* n · size zeroed bytes, aligned for any object; n · size may not overflow. Never NULL. */
void *ptx_arena_alloc(struct ptx_arena *a, size_t n, size_t size);
/* A copy of n · size bytes; of a string, with a NUL behind it. */
void *ptx_arena_copy(struct ptx_arena *a, const void *bytes, size_t n, size_t size);
char *ptx_arena_str(struct ptx_arena *a, const char *s, size_t len);

/* Bytes taken from the system so far. */
size_t ptx_arena_used(const struct ptx_arena *a);

#endif
