/* The runtime calls that are not provided: each is named on stderr at its first call. */
#include <stdio.h>

#include "cu_rt.h"

static cudaError_t not_supported(const char *name, bool *said)
{
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED)) {
        fprintf(stderr, "vgpu: %s is not provided by the software GPU\n", name);
    }
    return rt_note(cudaErrorNotSupported);
}

/* The caller passes arguments that nobody looks at: on the calling conventions of Linux the caller
 * removes them itself. */
#define CU_STUB(symbol)                                                                            \
    CU_EXPORT cudaError_t symbol(void);                                                            \
    cudaError_t symbol(void)                                                                       \
    {                                                                                              \
        static bool said;                                                                          \
        return not_supported(#symbol, &said);                                                      \
    }
#include "cu_runtime_stubs.def"
#undef CU_STUB

/* The one that returns a structure: it only puts five numbers together. */
CU_EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                             enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
