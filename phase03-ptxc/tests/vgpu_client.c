/* A program that knows nothing of the software GPU: it opens libcuda.so.1 as any program that must
 * start without a driver does, adds two vectors with a kernel of its own, and returns its argument.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cu_decl.h"

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 a, .param .u64 b)\n{\n"
    ".reg .b32 %r<4>; .reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
    "ld.global.u32 %r2, [%rd4]; ld.global.u32 %r3, [%rd5]; add.s32 %r2, %r2, %r3;\n"
    "st.global.u32 [%rd4], %r2; ret;\n}\n";

static void *lib;

static void *call(const char *name)
{
    void *p = dlsym(lib, name);
    if (p == NULL) {
        fprintf(stderr, "%s is missing\n", name);
        exit(90);
    }
    return p;
}

static void check(CUresult r, int line)
{
    if (r != CUDA_SUCCESS) {
        fprintf(stderr, "line %d: error %d\n", line, (int)r);
        exit(91);
    }
}

#define OK(call) check(call, __LINE__)

int main(int argc, char **argv)
{
    lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (lib == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 92;
    }
    CUresult (*init)(unsigned) = (CUresult(*)(unsigned))call("cuInit");
    CUresult (*retain)(CUcontext *, CUdevice) =
        (CUresult(*)(CUcontext *, CUdevice))call("cuDevicePrimaryCtxRetain");
    CUresult (*use)(CUcontext) = (CUresult(*)(CUcontext))call("cuCtxSetCurrent");
    CUresult (*load)(CUmodule *, const void *) =
        (CUresult(*)(CUmodule *, const void *))call("cuModuleLoadData");
    CUresult (*find)(CUfunction *, CUmodule, const char *) =
        (CUresult(*)(CUfunction *, CUmodule, const char *))call("cuModuleGetFunction");
    CUresult (*alloc)(CUdeviceptr *, size_t) =
        (CUresult(*)(CUdeviceptr *, size_t))call("cuMemAlloc_v2");
    CUresult (*set)(CUdeviceptr, unsigned, size_t) =
        (CUresult(*)(CUdeviceptr, unsigned, size_t))call("cuMemsetD32_v2");
    CUresult (*get)(void *, CUdeviceptr, size_t) =
        (CUresult(*)(void *, CUdeviceptr, size_t))call("cuMemcpyDtoH_v2");
    __typeof__(cuLaunchKernel) *launch = (__typeof__(cuLaunchKernel) *)call("cuLaunchKernel");
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr a, b;
    unsigned sum;
    OK(init(0));
    OK(retain(&ctx, 0));
    OK(use(ctx));
    OK(load(&m, ptx));
    OK(find(&f, m, "add"));
    OK(alloc(&a, 128));
    OK(alloc(&b, 128));
    OK(set(a, 40, 32));
    OK(set(b, 2, 32));
    void *args[] = {&a, &b};
    OK(launch(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
    OK(get(&sum, a + 124, 4));
    printf("sum %u\n", sum);
    return argc > 1 ? atoi(argv[1]) : 0;
}
