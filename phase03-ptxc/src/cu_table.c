/* Open addressing with linear probing; taking out moves later entries of the run back, so that
 * there are no tombstones.
 *
 * Invariant: from an entry's home slot to the entry there is no empty slot; at most half of the
 * slots are in use.
 */
#include "cu_table.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "lab/err.h"

static size_t home(const struct cu_table *t, uint64_t key)
{
    return (size_t)((key * 0x9E3779B97F4A7C15ull) >> 20) & (t->cap - 1);
}

/* The slot that has the key, or the empty one where it would go. */
static struct cu_slot *probe(const struct cu_table *t, uint64_t key)
{
    size_t k = home(t, key);
    while (t->slots[k].key != 0 && t->slots[k].key != key) {
        k = (k + 1) & (t->cap - 1);
    }
    return &t->slots[k];
}

static void grow(struct cu_table *t)
{
    struct cu_table old = *t;
    t->cap = old.cap == 0 ? 64 : old.cap * 2;
    t->slots = lab_alloc(t->cap, sizeof(*t->slots));
    for (size_t k = 0; k < old.cap; k++) {
        if (old.slots[k].key != 0) {
            *probe(t, old.slots[k].key) = old.slots[k];
        }
    }
    free(old.slots);
}

void cu_table_put(struct cu_table *t, uint64_t key, void *value)
{
    LAB_ASSERT(key != 0);
    if (2 * (t->n + 1) > t->cap) {
        grow(t);
    }
    struct cu_slot *s = probe(t, key);
    if (s->key == 0) {
        s->key = key;
        t->n++;
    }
    s->value = value;
}

void *cu_table_get(const struct cu_table *t, uint64_t key)
{
    return t->cap == 0 || key == 0 ? NULL : probe(t, key)->value;
}

void *cu_table_take(struct cu_table *t, uint64_t key)
{
    if (t->cap == 0 || key == 0) {
        return NULL;
    }
    struct cu_slot *s = probe(t, key);
    void *value = s->value;
    if (s->key == 0) {
        return NULL;
    }
    size_t hole = (size_t)(s - t->slots);
    for (size_t k = (hole + 1) & (t->cap - 1); t->slots[k].key != 0; k = (k + 1) & (t->cap - 1)) {
        size_t from = home(t, t->slots[k].key);
        /* An entry may go into the hole unless its home lies behind the hole. */
        if (((k - from) & (t->cap - 1)) >= ((k - hole) & (t->cap - 1))) {
            t->slots[hole] = t->slots[k];
            hole = k;
        }
    }
    t->slots[hole] = (struct cu_slot){0, NULL};
    t->n--;
    return value;
}

bool cu_table_next(const struct cu_table *t, size_t *at, uint64_t *key, void **value)
{
    for (; *at < t->cap; (*at)++) {
        const struct cu_slot *s = &t->slots[*at];
        if (s->key != 0) {
            *key = s->key;
            *value = s->value;
            (*at)++;
            return true;
        }
    }
    return false;
}

void cu_table_fini(struct cu_table *t)
{
    free(t->slots);
    *t = (struct cu_table){NULL, 0, 0};
}
