/* The end of the process: the report, and everything is given back.
 *
 * The library's destructor runs after the program's exit handlers, so everything the program does
 * at its end is counted. Output of device printf that the program never waited for is dropped, as
 * CUDA drops it.
 */
#include <stdlib.h>

#include "cu_graph.h"
#include "cu_library.h"
#include "cu_report.h"

static void drop_handles(enum cu_kind kind, void (*free_one)(const void *))
{
    size_t n = 0, at = 0;
    uint64_t key;
    void *value;
    const void **all = lab_alloc(cu_state.handles.n + 1, sizeof(*all));
    while (cu_table_next(&cu_state.handles, &at, &key, &value)) {
        if ((uintptr_t)value == (uintptr_t)kind) {
            all[n++] = (const void *)(uintptr_t)key;
        }
    }
    for (size_t k = 0; k < n; k++) {
        if (cu_is(all[k], kind)) {
            free_one(all[k]);
        }
    }
    free(all);
}

static void free_exec(const void *h)
{
    cu_exec_free((CUgraphExec)(uintptr_t)h);
}

static void free_graph(const void *h)
{
    CUgraph g = (CUgraph)(uintptr_t)h;
    if (g->parent == NULL) {
        cu_graph_free(g);
    }
}

static void free_library(const void *h)
{
    cu_library_free((CUlibrary)(uintptr_t)h);
}

static void free_pool(const void *h)
{
    cu_pool_free((CUmemoryPool)(uintptr_t)h);
}

/* User objects are the program's: at the end of the process their destructors do not run. */
static void free_object(const void *h)
{
    cu_handle_drop(h);
    free((void *)(uintptr_t)h);
}

__attribute__((destructor)) static void finish(void)
{
    CUcontext c;
    CUcontext unused;
    if (cu_enter(CU_NEED_INIT, &unused) != CUDA_SUCCESS) {
        return;
    }
    cu_report_write();
    drop_handles(CU_KIND_OBJECT, free_object);
    LIST_FOREACH(c, &cu_state.contexts, link)
    {
        if (c->alive) {
            cu_context_clear(c);
        }
    }
    drop_handles(CU_KIND_EXEC, free_exec);
    drop_handles(CU_KIND_GRAPH, free_graph);
    drop_handles(CU_KIND_LIBRARY, free_library);
    drop_handles(CU_KIND_POOL, free_pool);
    while (!LIST_EMPTY(&cu_state.contexts)) {
        c = LIST_FIRST(&cu_state.contexts);
        LIST_REMOVE(c, link);
        free(c);
    }
    vgpu_close(cu_state.devices[0].g);
    cu_table_fini(&cu_state.handles);
    cu_table_fini(&cu_state.memory);
    cu_table_fini(&cu_state.captures);
    cu_state = (struct cu_state){.ready = false};
    cu_leave(CUDA_SUCCESS);
}
