/* The device as a whole: opening and closing it, and the host's view of its memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vg_kernel.h"
#include "vg_launch.h"

const char *vgpu_status_name(enum vgpu_status s)
{
    static const char *const names[] = {
        [VGPU_OK] = "ok",
        [VGPU_INVALID_VALUE] = "invalid value",
        [VGPU_OUT_OF_MEMORY] = "out of memory",
        [VGPU_INVALID_PTX] = "invalid PTX",
        [VGPU_NO_BINARY] = "no code for this device",
        [VGPU_UNSUPPORTED_PTX] = "unsupported PTX version",
        [VGPU_NOT_FOUND] = "not found",
        [VGPU_LAUNCH_RESOURCES] = "too many resources requested for launch",
        [VGPU_COOPERATIVE_TOO_LARGE] = "too many blocks in cooperative launch",
        [VGPU_ILLEGAL_ADDRESS] = "illegal address",
        [VGPU_MISALIGNED] = "misaligned address",
        [VGPU_ADDRESS_SPACE] = "invalid address space",
        [VGPU_INVALID_PC] = "invalid program counter",
        [VGPU_ILLEGAL_INSTRUCTION] = "illegal instruction",
        [VGPU_ASSERT] = "device-side assert",
        [VGPU_TRAP] = "launch failure",
        [VGPU_TIMEOUT] = "launch timed out",
    };
    return (size_t)s < sizeof(names) / sizeof(names[0]) ? names[s] : "unknown status";
}

static unsigned host_threads(const struct vgpu_config *c)
{
    long n = c->threads != 0 ? (long)c->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 256 ? 256 : (unsigned)n;
}

int vgpu_open(const struct vgpu_config *config, struct vgpu **out, struct lab_err *err)
{
    struct vgpu *g = lab_alloc(1, sizeof(*g));
    g->config = *config;
    if (vg_memory_open(config->desc->memory_bytes, config->checks, &g->memory, err) < 0) {
        free(g);
        return -1;
    }
    pthread_mutex_init(&g->lock, NULL);
    lab_buf_init(&g->printed);
    g->report = vg_report_new();
    g->pool = vg_pool_new(host_threads(config));
    *out = g;
    return 0;
}

void vgpu_close(struct vgpu *g)
{
    if (g == NULL) {
        return;
    }
    vg_module_drop_all(g);
    vg_pool_free(g->pool);
    vg_heap_fini(&g->heap);
    vg_report_free(g->report);
    vg_memory_close(g->memory);
    lab_buf_fini(&g->printed);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

const struct vgpu_desc *vgpu_desc_of(const struct vgpu *g)
{
    return g->config.desc;
}

struct vg_report *vgpu_report(struct vgpu *g)
{
    return g->report;
}

void vgpu_flush_printf(struct vgpu *g)
{
    pthread_mutex_lock(&g->lock);
    fwrite(lab_buf_str(&g->printed), 1, g->printed.len, stdout);
    fflush(stdout);
    lab_buf_clear(&g->printed);
    pthread_mutex_unlock(&g->lock);
}

/* --- memory --- */

enum vgpu_status vgpu_alloc(struct vgpu *g, enum vgpu_mem_kind kind, size_t bytes, uint64_t *addr)
{
    pthread_mutex_lock(&g->lock);
    enum vgpu_status s = vg_mem_alloc(g->memory, kind, bytes, addr);
    pthread_mutex_unlock(&g->lock);
    return s;
}

enum vgpu_status vgpu_free(struct vgpu *g, uint64_t addr)
{
    pthread_mutex_lock(&g->lock);
    enum vgpu_status s = vg_mem_free(g->memory, addr);
    pthread_mutex_unlock(&g->lock);
    return s;
}

enum vgpu_status vgpu_register_host(struct vgpu *g, void *host, size_t bytes)
{
    pthread_mutex_lock(&g->lock);
    enum vgpu_status s = vg_mem_register(g->memory, host, bytes);
    pthread_mutex_unlock(&g->lock);
    return s;
}

enum vgpu_status vgpu_unregister_host(struct vgpu *g, void *host)
{
    pthread_mutex_lock(&g->lock);
    enum vgpu_status s = vg_mem_unregister(g->memory, host);
    pthread_mutex_unlock(&g->lock);
    return s;
}

bool vgpu_find_range(struct vgpu *g, uint64_t addr, struct vgpu_range *out)
{
    pthread_mutex_lock(&g->lock);
    const struct vg_range *r = vg_mem_range(g->memory, addr, false);
    bool found = r != NULL && !r->freed;
    if (found) {
        *out = (struct vgpu_range){r->start, r->bytes, r->kind, r->registered};
    }
    pthread_mutex_unlock(&g->lock);
    return found;
}

void vgpu_mem_info(struct vgpu *g, uint64_t *free_bytes, uint64_t *total_bytes)
{
    pthread_mutex_lock(&g->lock);
    vg_mem_totals(g->memory, free_bytes, total_bytes);
    pthread_mutex_unlock(&g->lock);
}

enum vgpu_status vgpu_write(struct vgpu *g, uint64_t dst, const void *src, size_t n)
{
    enum vgpu_status s = VGPU_OK;
    pthread_mutex_lock(&g->lock);
    void *to = n > 0 ? vg_mem_host(g->memory, dst, n) : NULL;
    if (to != NULL) {
        memmove(to, src, n);
        vg_mem_written(g->memory, dst, n);
    } else if (n > 0) {
        s = VGPU_INVALID_VALUE;
    }
    pthread_mutex_unlock(&g->lock);
    return s;
}

enum vgpu_status vgpu_read(struct vgpu *g, void *dst, uint64_t src, size_t n)
{
    enum vgpu_status s = VGPU_OK;
    pthread_mutex_lock(&g->lock);
    const void *from = n > 0 ? vg_mem_host(g->memory, src, n) : NULL;
    if (from != NULL) {
        memmove(dst, from, n);
    } else if (n > 0) {
        s = VGPU_INVALID_VALUE;
    }
    pthread_mutex_unlock(&g->lock);
    return s;
}

/* A copy makes its target as written as its source is. */
static void copy_written(struct vgpu *g, uint64_t dst, uint64_t src, size_t n)
{
    const struct vg_range *to = vg_mem_range(g->memory, dst, false);
    const struct vg_range *from = vg_mem_range(g->memory, src, false);
    if (to == NULL || to->init == NULL) {
        return;
    }
    if (from != NULL && from->init != NULL) {
        vg_initmap_copy(to->init, dst - to->start, from->init, src - from->start, n);
    } else {
        vg_initmap_set(to->init, dst - to->start, n);
    }
}

enum vgpu_status vgpu_copy(struct vgpu *g, uint64_t dst, uint64_t src, size_t n)
{
    enum vgpu_status s = VGPU_OK;
    pthread_mutex_lock(&g->lock);
    void *to = n > 0 ? vg_mem_host(g->memory, dst, n) : NULL;
    const void *from = n > 0 ? vg_mem_host(g->memory, src, n) : NULL;
    if (to != NULL && from != NULL) {
        memmove(to, from, n);
        copy_written(g, dst, src, n);
    } else if (n > 0) {
        s = VGPU_INVALID_VALUE;
    }
    pthread_mutex_unlock(&g->lock);
    return s;
}

static void fill(uint8_t *to, uint32_t value, unsigned width, size_t count)
{
    if (width == 1) {
        memset(to, (int)(value & 0xFF), count);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        memcpy(to + k * width, &value, width);
    }
}

enum vgpu_status vgpu_set(struct vgpu *g, uint64_t dst, uint32_t value, unsigned width,
                          size_t count)
{
    if ((width != 1 && width != 2 && width != 4) || dst % width != 0 || count > SIZE_MAX / 4) {
        return VGPU_INVALID_VALUE;
    }
    enum vgpu_status s = VGPU_OK;
    size_t n = count * width;
    pthread_mutex_lock(&g->lock);
    uint8_t *to = n > 0 ? vg_mem_host(g->memory, dst, n) : NULL;
    if (to != NULL) {
        fill(to, value, width, count);
        vg_mem_written(g->memory, dst, n);
    } else if (n > 0) {
        s = VGPU_INVALID_VALUE;
    }
    pthread_mutex_unlock(&g->lock);
    return s;
}
