/* The state behind the driver API: devices, contexts, handles, the fault of a context. Private to
 * libcuda.so.1; libcudart.so.13 is written over the driver API's own calls.
 *
 * Every exported call is a line of a table, CU_API(name, parameters, needs, call): it takes the one
 * lock, looks at what the call needs, and runs `call` with `ctx` set to the current context. So
 * functions below hold the lock and never call an exported one. A host function of the program runs
 * with the lock given back (cu_call_host).
 *
 * Faults. Work runs when it is submitted, and a kernel that faults leaves the fault in
 * ctx->latent: as on a GPU the launch itself succeeded, and nothing that is submitted later is
 * executed. The next call that waits for the device moves it to ctx->fault (cu_sync), and from then
 * on every call that needs the context returns it, until the context is destroyed or reset.
 */
#ifndef CU_CORE_H
#define CU_CORE_H

#include <bsd/sys/queue.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "cu_config.h"
#include "cu_driver_graph.h"
#include "cu_table.h"
#include "lab/buf.h"
#include "vgpu.h"

#define CU_EXPORT __attribute__((visibility("default")))

#define CU_VERSION 13000

/* --- exported calls --- */
enum cu_need {
    CU_NEED_NOTHING,
    CU_NEED_INIT,    /* cuInit was called */
    CU_NEED_CONTEXT, /* and a living context without a fault is current */
};

/* Take the lock and find the context. On an error the lock is not held. */
CUresult cu_enter(enum cu_need need, CUcontext *ctx);
CUresult cu_leave(CUresult r);

#define CU_API(name, params, need, call)                                                           \
    CU_EXPORT CUresult name params                                                                 \
    {                                                                                              \
        CUcontext ctx = NULL;                                                                      \
        CUresult r_ = cu_enter(need, &ctx);                                                        \
        (void)ctx;                                                                                 \
        return r_ != CUDA_SUCCESS ? r_ : cu_leave(call);                                           \
    }                                                                                              \
    struct cu_core_h_semicolon

/* The variant of a call that programs use which are compiled with a default stream for each thread:
 * no stream means the thread's own. */
#define CU_PT(stream) ((stream) != NULL ? (stream) : CU_STREAM_PER_THREAD)
#define CU_PER_THREAD(name, params, args)                                                          \
    CU_EXPORT CUresult name##_ptsz params                                                          \
    {                                                                                              \
        return name args;                                                                          \
    }                                                                                              \
    struct cu_core_h_semicolon

/* Another exported name for a call of the same file. */
#define CU_ALSO(other, name)                                                                       \
    extern __typeof__(name) other __attribute__((alias(#name), visibility("default")))

/* A line on stderr, "vgpu: …". */
void cu_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The call `name` is not provided: said once a name. CUDA_ERROR_NOT_SUPPORTED. */
CUresult cu_not_supported(const char *name);

/* --- handles --- */
enum cu_kind {
    CU_KIND_CONTEXT = 1,
    CU_KIND_STREAM,
    CU_KIND_EVENT,
    CU_KIND_MODULE,
    CU_KIND_FUNCTION,
    CU_KIND_LIBRARY,
    CU_KIND_KERNEL,
    CU_KIND_GRAPH,
    CU_KIND_NODE,
    CU_KIND_EXEC,
    CU_KIND_POOL,
    CU_KIND_OBJECT,
    CU_KIND_LINK,
};

/* A handle that is not in the table (never made, or destroyed) is an invalid one. */
void cu_handle_add(const void *h, enum cu_kind kind);
void cu_handle_drop(const void *h);
bool cu_is(const void *h, enum cu_kind kind);

/* --- devices and contexts --- */
struct cu_device {
    const struct vgpu_desc *desc;
    struct vgpu *g; /* opened by the first context */
    CUcontext primary;
    unsigned primary_refs, primary_flags;
    CUmemoryPool default_pool, pool; /* the built-in one, and the one cuMemAllocAsync takes from */
    uint64_t graph_used, graph_high; /* bytes of graphs' allocations */
};

struct CUstream_st {
    LIST_ENTRY(CUstream_st) link;
    CUcontext ctx;
    unsigned flags;
    int priority;
    uint64_t id;
    pthread_t thread;           /* of a per-thread default stream */
    bool legacy, per_thread;    /* built into the context */
    struct cu_capture *capture; /* NULL: not capturing */
    CUgraphNode *deps;          /* what the next captured node depends on */
    size_t ndeps;
};

struct CUevent_st {
    LIST_ENTRY(CUevent_st) link;
    CUcontext ctx;
    unsigned flags;
    bool recorded;
    uint64_t time_ns;
    struct cu_capture *capture; /* recorded in a capture: what a wait joins */
    CUgraphNode *deps;
    size_t ndeps;
};

#define CU_LIMITS 10 /* CU_LIMIT_MAX */

struct CUctx_st {
    LIST_ENTRY(CUctx_st) link;
    struct cu_device *dev;
    bool primary, alive;
    unsigned flags;
    unsigned attached; /* of cuCtxAttach */
    uint64_t id;
    CUresult latent, fault;
    size_t limits[CU_LIMITS];
    CUfunc_cache cache;
    CUsharedconfig banks;
    struct CUstream_st legacy;
    LIST_HEAD(, CUstream_st) streams; /* the per-thread ones too */
    LIST_HEAD(, CUevent_st) events;
    LIST_HEAD(, CUmod_st) modules;
};

struct cu_state {
    bool ready; /* cuInit succeeded */
    struct cu_config config;
    struct cu_device devices[1];
    int ndevices;
    uint64_t ids;             /* of contexts, streams, captures */
    struct cu_table handles;  /* → enum cu_kind */
    struct cu_table memory;   /* address → struct cu_memory */
    struct cu_table captures; /* struct cu_capture → itself */
    LIST_HEAD(, CUctx_st) contexts;
};

extern struct cu_state cu_state;

#define CU_STACK 256

/* What each thread has of its own. */
struct cu_thread {
    CUcontext stack[CU_STACK]; /* of contexts, the last one is current */
    size_t depth;
    CUstreamCaptureMode mode;
};
extern __thread struct cu_thread cu_thread;

CUresult cu_device_get(CUdevice n, struct cu_device **out);
CUdevice cu_device_number(const struct cu_device *d);
CUresult cu_primary_retain(struct cu_device *d, CUcontext *out);
/* Everything the context owns goes, and device printf's output that nobody waited for; the handle
 * of the primary one stays valid. */
void cu_context_clear(CUcontext ctx);

CUresult cu_result(enum vgpu_status s);
const char *cu_result_name(CUresult r);

/* Wait for the device: prints what kernels printed and brings a latent fault to light. */
CUresult cu_sync(CUcontext ctx);
/* Run a host function of the program, without the lock. */
void cu_call_host(CUhostFn fn, void *data);

/* --- memory --- */
enum cu_memory_kind {
    CU_MEMORY_DEVICE,
    CU_MEMORY_HOST,
    CU_MEMORY_MANAGED,
    CU_MEMORY_REGISTERED,
    CU_MEMORY_POOL,
    CU_MEMORY_GRAPH,
};

struct cu_memory {
    uint64_t at;
    size_t bytes;
    enum cu_memory_kind kind;
    unsigned flags;
    CUcontext ctx;
    CUmemoryPool pool; /* CU_MEMORY_POOL */
    unsigned refs;     /* CU_MEMORY_GRAPH: nodes that name it */
    bool in_use;       /* CU_MEMORY_GRAPH: allocated by a launch and not freed */
    uint64_t number;   /* of the allocation, CU_POINTER_ATTRIBUTE_BUFFER_ID */
    unsigned advice;   /* bit per CUmem_advise that is set */
    CUmemLocation place, prefetched;
    bool sync_memops;
};

/* The allocation that starts at `at`, or the one that holds addr. NULL: none of ours; a module's
 * variables are none. */
struct cu_memory *cu_memory_at(uint64_t at);
struct cu_memory *cu_memory_of(CUcontext ctx, uint64_t addr);
CUresult cu_memory_new(CUcontext ctx, enum cu_memory_kind kind, size_t bytes,
                       struct cu_memory **out);
void cu_memory_drop(struct cu_memory *m);
void cu_memory_clear(CUcontext ctx);

struct CUmemPoolHandle_st {
    struct cu_device *dev;
    bool built_in;
    bool doomed;   /* destroyed by the program: goes with its last allocation */
    size_t allocs; /* that live */
    uint64_t threshold, used, used_high, max;
    int reuse[3]; /* CU_MEMPOOL_ATTR_REUSE_… */
};
void cu_pool_free(CUmemoryPool p);
/* The allocation was freed: the pool's figures. */
void cu_pool_freed(CUmemoryPool p, size_t bytes);

/* --- modules --- */
struct CUfunc_st {
    CUmodule module;
    struct vgpu_kernel *kernel;
    struct vgpu_kernel_info info;
    uint32_t max_dynamic; /* bytes of dynamic shared memory allowed */
    int carveout;
    struct cu_profile *profile; /* counters of its launches; NULL: none yet */
    struct CUfunc_st *next;
};

struct CUmod_st {
    LIST_ENTRY(CUmod_st) link;
    CUcontext ctx;
    struct vgpu_module *m;
    struct CUfunc_st *funcs; /* made when asked for */
};

/* Where the messages of a load go: what cuModuleLoadDataEx's options say. */
struct cu_jit {
    char *info, *error; /* buffers of the program, NULL: none */
    size_t info_cap, error_cap;
    void **info_used, **error_used, **wall; /* option values to overwrite; NULL: none */
};
CUresult cu_jit_read(unsigned n, const CUjit_option *options, void **values, struct cu_jit *jit);

/* The PTX text of an image for this chip: PTX text, a fat binary or its wrapper, or, with `bytes`
 * not 0, a part of a file. Messages go to jit, or to stderr when it has no buffer for them. */
CUresult cu_image_ptx(const struct vgpu_desc *d, const void *image, size_t bytes,
                      const struct cu_jit *jit, struct lab_buf *out);
CUresult cu_image_read(const char *path, struct lab_buf *out);
void cu_jit_error(const struct cu_jit *jit, const char *message);

/* Load PTX text; `name` is what messages call it. */
CUresult cu_module_load(CUcontext ctx, const char *name, const struct lab_buf *ptx,
                        const struct cu_jit *jit, CUmodule *out);
void cu_module_free(CUmodule m);
CUresult cu_module_function(CUmodule m, const char *name, CUfunction *out);
CUresult cu_module_global(CUmodule m, const char *name, CUdeviceptr *at, size_t *bytes);
CUresult cu_function_get(CUfunction f, CUfunction_attribute attr, int *value);
CUresult cu_function_set(CUfunction f, CUfunction_attribute attr, int value);
CUresult cu_function_param(CUfunction f, size_t index, size_t *offset, size_t *bytes);
/* A handle that is a function or a kernel of a library: the function in ctx. */
CUresult cu_function_of(CUcontext ctx, const void *h, CUfunction *out);
void cu_libraries_forget(CUcontext ctx);

/* --- streams and events --- */
CUresult cu_stream_get(CUcontext ctx, CUstream h, CUstream *out);
void cu_stream_free(CUstream s);
void cu_event_free(CUevent e);
CUresult cu_event_get(CUevent h);

#endif
