/* Memory for measuring: base or huge pages, on a chosen NUMA node, and what was really obtained.
 *
 * Thread-safety: no shared state; a map belongs to whoever holds it.
 */
#ifndef MEMBENCH_MEM_H
#define MEMBENCH_MEM_H

#include <stddef.h>

#include "lab/err.h"

enum membench_pages {
    MEMBENCH_BASE, /* the smallest page the machine has: MADV_NOHUGEPAGE */
    MEMBENCH_HUGE, /* 2 MiB pages where the kernel grants them: MADV_HUGEPAGE */
};

struct membench_map {
    char *base;   /* aligned to 2 MiB */
    size_t bytes; /* usable */
    void *raw;    /* what mmap returned */
    size_t raw_bytes;
};

#define MEMBENCH_ANY_NODE (-1)

/* Map `bytes` of zeroed memory, touched page by page so that it is there when it returns. Released
 * by membench_map_fini. Errors: system kind when the kernel gives no memory or refuses the node;
 * input kind when the node is no memory node of this machine. The binding is set with the mbind
 * system call (man 2 mbind), without libnuma. */
int membench_map_init(struct membench_map *map, size_t bytes, enum membench_pages pages, int node,
                      struct lab_err *err);
void membench_map_fini(struct membench_map *map);

/* The share of the map that lies on huge pages, 0 … 1, from AnonHugePages in /proc/self/smaps (man
 * 5 proc); −1 when that cannot be read. */
double membench_map_huge_share(const struct membench_map *map);

/* The same for any range in a text in the format of smaps: bytes of AnonHugePages in the mappings
 * that overlap [from, to). A mapping that reaches over the range counts with at most the overlap.
 */
size_t membench_smaps_huge(const char *smaps, size_t from, size_t to);

#endif
