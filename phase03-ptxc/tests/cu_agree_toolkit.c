/* The numbers of the toolkit's declarations, and a compilation of our prototypes beside its own:
 * the compiler refuses two that differ. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <cudaProfiler.h>

#define CU_DECL_NO_TYPES
#include "cu_decl.h"

#include "cu_agree.h"

const struct agree agree_toolkit[] = {
#include "cu_agree.def"
#include "cu_attributes.def"
#include "cu_errors.def"
};

const size_t agree_toolkit_n = sizeof(agree_toolkit) / sizeof(agree_toolkit[0]);
