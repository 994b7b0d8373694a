/* A first-fit heap in device memory. Its bookkeeping lies on the host, where a kernel that writes
 * past its allocation cannot harm it. */
#include "vg_heap.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"

#define HEAP_ALIGN 16u

static bool heap_open(struct vg_heap *h, struct vg_memory *m)
{
    return h->base != 0 || vg_mem_alloc(m, VGPU_MEM_DEVICE, VG_HEAP_BYTES, &h->base) == VGPU_OK;
}

uint64_t vg_heap_alloc(struct vg_heap *h, struct vg_memory *m, uint64_t n)
{
    if (n == 0 || n > VG_HEAP_BYTES || !heap_open(h, m)) {
        return 0;
    }
    n = (n + HEAP_ALIGN - 1) & ~(uint64_t)(HEAP_ALIGN - 1);
    uint64_t at = h->base;
    size_t k = 0;
    for (; k < h->n; k++) {
        if (h->held[k].start - at >= n) {
            break;
        }
        at = h->held[k].start + h->held[k].bytes;
    }
    if (at + n > h->base + VG_HEAP_BYTES) {
        return 0;
    }
    if (h->n == h->cap) {
        h->cap = h->cap != 0 ? h->cap * 2 : 64;
        h->held = lab_resize(h->held, h->cap, sizeof(*h->held));
    }
    memmove(h->held + k + 1, h->held + k, (h->n - k) * sizeof(*h->held));
    h->held[k] = (struct vg_heap_block){at, n};
    h->n++;
    return at;
}

bool vg_heap_free(struct vg_heap *h, uint64_t addr)
{
    for (size_t k = 0; k < h->n; k++) {
        if (h->held[k].start == addr) {
            h->n--;
            memmove(h->held + k, h->held + k + 1, (h->n - k) * sizeof(*h->held));
            return true;
        }
    }
    return addr == 0;
}

void vg_heap_fini(struct vg_heap *h)
{
    free(h->held);
}
