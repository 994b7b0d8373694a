/* A map from 64-bit keys (addresses, handles) to pointers: open addressing, linear probing.
 *
 * Key 0 is not allowed: no address and no handle is 0.
 * Thread-safety: the caller's.
 */
#ifndef CU_TABLE_H
#define CU_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cu_slot {
    uint64_t key; /* 0: empty */
    void *value;
};

struct cu_table {
    struct cu_slot *slots; /* cap of them, a power of two; NULL before the first entry */
    size_t n, cap;
};

/* Add the entry, or replace the value of one that is there. */
void cu_table_put(struct cu_table *t, uint64_t key, void *value);
/* NULL when there is none. */
void *cu_table_get(const struct cu_table *t, uint64_t key);
/* The value that was there, NULL when there was none. */
void *cu_table_take(struct cu_table *t, uint64_t key);
/* The next entry from slot *at on, and *at behind it; false at the end. An entry may not be added
 * or taken out between two calls. */
bool cu_table_next(const struct cu_table *t, size_t *at, uint64_t *key, void **value);
void cu_table_fini(struct cu_table *t);

#endif
