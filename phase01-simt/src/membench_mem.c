/* The problem: the same walk costs more on 4 KiB pages than on 2 MiB pages, because the translation
 * cache (TLB) covers less. To tell the two costs apart both kinds are needed, and asking for huge
 * pages is only a wish, so what was obtained is read back.
 *
 * The model: one private anonymous mapping, aligned to 2 MiB, advised before its first touch.
 * Simplified: transparent huge pages only; hugetlbfs (reserved at boot) and 1 GiB pages are left
 * out.
 */
#include "membench_mem.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lab/buf.h"
#include "lab/file.h"

#define HUGE_BYTES ((size_t)2 << 20)
#define MPOL_BIND  2 /* linux/mempolicy.h, which libnuma's headers would bring */

static int bind_node(const struct membench_map *map, int node, struct lab_err *err)
{
    unsigned long mask[16] = {0};
    const size_t bits = 8 * sizeof(mask[0]);
    if ((size_t)node >= bits * 16) {
        return lab_err_input(err, "node %d: expected a number below %zu", node, bits * 16);
    }
    mask[(size_t)node / bits] = 1ul << ((size_t)node % bits);
    if (syscall(SYS_mbind, map->base, map->bytes, MPOL_BIND, mask, bits * 16 + 1, 0) != 0) {
        if (errno == EINVAL) {
            return lab_err_input(err, "node %d: this machine has no memory on it", node);
        }
        return lab_err_system(err, "cannot bind memory to node %d", node);
    }
    return 0;
}

static void touch(const struct membench_map *map)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at < map->bytes; at += page) {
        *(volatile char *)(map->base + at) = 0;
    }
}

int membench_map_init(struct membench_map *map, size_t bytes, enum membench_pages pages, int node,
                      struct lab_err *err)
{
    size_t rounded = (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
    *map = (struct membench_map){.bytes = rounded, .raw_bytes = rounded + HUGE_BYTES};
    map->raw =
        mmap(NULL, map->raw_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map->raw == MAP_FAILED) {
        map->raw = NULL;
        return lab_err_system(err, "cannot map %zu MiB", rounded >> 20);
    }
    uintptr_t at = ((uintptr_t)map->raw + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
    map->base = (char *)map->raw + (at - (uintptr_t)map->raw);
    if (node != MEMBENCH_ANY_NODE && bind_node(map, node, err) < 0) {
        membench_map_fini(map);
        return -1;
    }
    /* A kernel without transparent huge pages refuses the advice; the share read back will be 0. */
    (void)madvise(map->base, map->bytes, pages == MEMBENCH_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    touch(map);
    return 0;
}

void membench_map_fini(struct membench_map *map)
{
    if (map->raw != NULL) {
        LAB_ASSERT(munmap(map->raw, map->raw_bytes) == 0);
    }
    *map = (struct membench_map){0};
}

/* Is this line the head of a mapping, "from-to perms …"? The fields below it have a colon instead.
 */
static bool smaps_head(const char *line, size_t *from, size_t *to)
{
    char *end, *last;
    unsigned long long a = strtoull(line, &end, 16);
    if (end == line || *end != '-') {
        return false;
    }
    unsigned long long b = strtoull(end + 1, &last, 16);
    *from = (size_t)a;
    *to = (size_t)b;
    return last != end + 1 && *last == ' ';
}

size_t membench_smaps_huge(const char *smaps, size_t from, size_t to)
{
    static const char field[] = "AnonHugePages:";
    size_t total = 0, overlap = 0;
    for (const char *line = smaps; line != NULL && *line != '\0';) {
        size_t a, b;
        if (smaps_head(line, &a, &b)) {
            size_t lo = a > from ? a : from;
            size_t hi = b < to ? b : to;
            overlap = lo < hi ? hi - lo : 0;
        } else if (overlap > 0 && strncmp(line, field, sizeof(field) - 1) == 0) {
            size_t bytes = (size_t)strtoull(line + sizeof(field) - 1, NULL, 10) << 10;
            total += bytes < overlap ? bytes : overlap;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return total;
}

double membench_map_huge_share(const struct membench_map *map)
{
    struct lab_buf text;
    lab_buf_init(&text);
    double share = -1;
    if (lab_file_read("/proc/self/smaps", (size_t)64 << 20, &text, NULL) == 0) {
        size_t from = (size_t)(uintptr_t)map->base;
        size_t huge = membench_smaps_huge(lab_buf_str(&text), from, from + map->bytes);
        share = (double)huge / (double)map->bytes;
    }
    lab_buf_fini(&text);
    return share;
}
