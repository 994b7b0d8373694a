/* Libraries: PTX that belongs to no context; its kernels can be launched in any. Private to
 * libcuda.so.1. */
#ifndef CU_LIBRARY_H
#define CU_LIBRARY_H

#include "cu_core.h"

struct CUkern_st {
    CUlibrary lib;
    const struct ptx_func *func; /* in the library's own tree */
    int max_dynamic, carveout;   /* what cuKernelSetAttribute asked for; −1: nothing */
    struct CUkern_st *next;
};

void cu_library_free(CUlibrary lib);
/* The library's module in a context, loaded when it is first needed. */
CUresult cu_library_module(CUlibrary lib, CUcontext ctx, CUmodule *out);
CUresult cu_kernel_function(CUkernel k, CUcontext ctx, CUfunction *out);

#endif
