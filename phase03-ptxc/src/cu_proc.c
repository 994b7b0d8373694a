/* The driver's calls by name, and the calls that are not provided. */
#include <stdio.h>
#include <string.h>

#include "cu_core.h"

/* --- not provided --- */

/* The caller passes arguments that nobody looks at: on the calling conventions of Linux the caller
 * removes them itself. */
#define CU_STUB(symbol, name, version, per_thread)                                                 \
    CU_EXPORT CUresult symbol(void);                                                               \
    CUresult symbol(void)                                                                          \
    {                                                                                              \
        return cu_not_supported(#symbol);                                                          \
    }
#include "cu_driver_stubs.def"
#undef CU_STUB

/* The variants that have no prototype of their own. */
#define CU_PROVIDED(symbol, name, version, per_thread)                                             \
    extern const char cu_at_##symbol[] __asm__(#symbol);
#include "cu_driver.def"
#undef CU_PROVIDED

/* --- by name --- */

struct entry {
    const char *name;
    const void *address;
    int version;
    bool per_thread;
};

static const struct entry entries[] = {
#define CU_PROVIDED(symbol, name, version, per_thread) {#name, cu_at_##symbol, version, per_thread},
#include "cu_driver.def"
#undef CU_PROVIDED
#define CU_STUB(symbol, name, version, per_thread)                                                 \
    {#name, (const void *)symbol, version, per_thread},
#include "cu_driver_stubs.def"
#undef CU_STUB
};

/* The newest variant that a program of `version` means. *oldest gets the version of the first. */
static const struct entry *find(const char *name, int version, bool per_thread, int *oldest)
{
    const struct entry *best = NULL;
    *oldest = 0;
    for (size_t k = 0; k < sizeof(entries) / sizeof(entries[0]); k++) {
        const struct entry *e = &entries[k];
        if (strcmp(e->name, name) != 0 || e->per_thread != per_thread) {
            continue;
        }
        if (*oldest == 0 || e->version < *oldest) {
            *oldest = e->version;
        }
        if (e->version <= version && (best == NULL || e->version > best->version)) {
            best = e;
        }
    }
    return best;
}

static CUresult proc_address(const char *name, void **out, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    int oldest, plain;
    if (name == NULL || out == NULL || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    bool per_thread = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    const struct entry *e = per_thread ? find(name, version, true, &oldest) : NULL;
    if (e == NULL) {
        e = find(name, version, false, &plain);
        oldest = plain;
    }
    CUdriverProcAddressQueryResult s = e != NULL     ? CU_GET_PROC_ADDRESS_SUCCESS
                                       : oldest != 0 ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                                     : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    *out = e != NULL ? (void *)(uintptr_t)e->address : NULL;
    if (status != NULL) {
        *status = s;
        return CUDA_SUCCESS;
    }
    return e != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CU_EXPORT CUresult cuGetProcAddress_v2(const char *name, void **out, int version, cuuint64_t flags,
                                       CUdriverProcAddressQueryResult *status)
{
    return proc_address(name, out, version, flags, status);
}

CU_EXPORT CUresult cuGetProcAddress(const char *name, void **out, int version, cuuint64_t flags)
{
    return proc_address(name, out, version, flags, NULL);
}

/* NVIDIA's own runtime asks for tables that are not documented. */
CU_EXPORT CUresult cuGetExportTable(const void **out, const CUuuid *id)
{
    static bool said;
    (void)id;
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED)) {
        cu_say("this program brings NVIDIA's CUDA runtime along, which works on NVIDIA's driver "
               "alone: compile it with nvcc -cudart shared");
    }
    if (out != NULL) {
        *out = NULL;
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}
