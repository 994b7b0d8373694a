/* Which bytes of an allocation have ever been written: a bit per byte.
 *
 * The memory layer keeps one map an allocation while the init check is on. Host copies and memset
 * set ranges; kernels set what they store and test what they load.
 * Thread-safety: set, copy and test may run on any number of threads at once, on the same bytes
 * too; a bit is never cleared.
 */
#ifndef VG_INITMAP_H
#define VG_INITMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vg_initmap;

/* All bytes unwritten. Costs bytes / 8, touched only where the allocation is. */
struct vg_initmap *vg_initmap_new(size_t bytes);
void vg_initmap_free(struct vg_initmap *m);

/* Bytes [at, at + n) are written; the range lies in the allocation (LAB_ASSERT). */
void vg_initmap_set(struct vg_initmap *m, size_t at, size_t n);
/* Are all of [at, at + n) written? When not, *first (unless NULL) gets the first that is not. */
bool vg_initmap_test(const struct vg_initmap *m, size_t at, size_t n, size_t *first);
/* A copy on the device: [at, at + n) becomes as written as [from, from + n) of `src` is; what was
 * written stays so. */
void vg_initmap_copy(struct vg_initmap *m, size_t at, const struct vg_initmap *src, size_t from,
                     size_t n);

#endif
