/* Memory of the driver API: allocations of every kind, copies, sets, pointers, pools. */
#include <string.h>

#include "cu_testing.h"

/* --- allocation --- */

static void body_alloc(void)
{
    CUdeviceptr a, b, base;
    size_t bytes, pitch, before, during, after, total;
    cut_context();
    OK(cuMemGetInfo_v2(&before, &total));
    REQUIRE(total == 80ull << 30);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2(&a, 0));
    RETURNS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&a, 100ull << 30));
    OK(cuMemAlloc_v2(&a, 1000));
    OK(cuMemAlloc_v2(&b, 64u << 20));
    REQUIRE(a % 256 == 0 && b % 256 == 0);
    OK(cuMemGetInfo_v2(&during, &total));
    REQUIRE(before - during >= (64u << 20));
    OK(cuMemGetAddressRange_v2(&base, &bytes, a + 999));
    REQUIRE(base == a && bytes == 1000);
    RETURNS(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange_v2(&base, &bytes, 4096));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(a + 256));
    OK(cuMemFree_v2(a));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(a));
    OK(cuMemFree_v2(b));
    OK(cuMemFree_v2(0));
    OK(cuMemGetInfo_v2(&after, &total));
    REQUIRE(after == before);
    OK(cuMemAllocPitch_v2(&a, &pitch, 1000, 7, 4));
    REQUIRE(pitch >= 1000 && pitch % 512 == 0);
    OK(cuMemGetAddressRange_v2(&base, &bytes, a));
    REQUIRE(bytes == pitch * 7);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch_v2(&a, &pitch, 1000, 7, 3));
}

static void device_memory_is_given_and_taken_back(void **state)
{
    (void)state;
    cut_passes(body_alloc, NULL);
}

static void body_host(void)
{
    CUmodule m;
    unsigned *pinned, *managed, own[300], flags;
    CUdeviceptr at;
    cut_context();
    m = cut_module();
    CUfunction fill = cut_function(m, "fill");
    OK(cuMemHostAlloc((void **)&pinned, 1200, CU_MEMHOSTALLOC_PORTABLE));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc((void **)&managed, 1200, 0x80));
    pinned[7] = 1;
    OK(cuMemHostGetDevicePointer_v2(&at, pinned, 0));
    OK(cut_launch(fill, 2, 256, (void *[]){&at, &(unsigned){42}, &(unsigned){300}}));
    OK(cuCtxSynchronize());
    REQUIRE(pinned[7] == 42 && pinned[299] == 42);
    OK(cuMemHostGetFlags(&flags, pinned));
    REQUIRE((flags & CU_MEMHOSTALLOC_PORTABLE) != 0);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(at));
    OK(cuMemFreeHost(pinned));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(pinned));

    OK(cuMemHostRegister_v2(own, sizeof(own), CU_MEMHOSTREGISTER_DEVICEMAP));
    RETURNS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(own, 4, 0));
    OK(cuMemHostGetDevicePointer_v2(&at, own, 0));
    OK(cut_launch(fill, 2, 256, (void *[]){&at, &(unsigned){43}, &(unsigned){300}}));
    OK(cuCtxSynchronize());
    REQUIRE(own[0] == 43 && own[299] == 43);
    OK(cuMemHostUnregister(own));
    RETURNS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2(&at, own, 0));

    OK(cuMemAllocManaged(&at, 1200, CU_MEM_ATTACH_GLOBAL));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&at, 1200, 0));
    OK(cut_launch(fill, 2, 256, (void *[]){&at, &(unsigned){44}, &(unsigned){300}}));
    OK(cuCtxSynchronize());
    managed = (unsigned *)(uintptr_t)at;
    REQUIRE(managed[0] == 44 && managed[299] == 44);
    OK(cuMemFree_v2(at));
}

static void host_and_device_share_pinned_registered_and_managed_memory(void **state)
{
    (void)state;
    cut_passes(body_host, NULL);
}

/* --- copies --- */

static void body_copies(void)
{
    unsigned in[64], out[64];
    CUdeviceptr a, b;
    cut_context();
    for (unsigned k = 0; k < 64; k++) {
        in[k] = k * k;
    }
    a = cut_words(64, 0);
    b = cut_words(64, 0);
    OK(cuMemcpyHtoD_v2(a, in, sizeof(in)));
    OK(cuMemcpyDtoD_v2(b, a, sizeof(in)));
    OK(cuMemcpyDtoH_v2(out, b, sizeof(out)));
    REQUIRE(memcmp(in, out, sizeof(in)) == 0);
    memset(out, 0, sizeof(out));
    OK(cuMemcpy((CUdeviceptr)(uintptr_t)out, b + 8, 16)); /* the addresses tell */
    REQUIRE(out[0] == 4 && out[3] == 25 && out[4] == 0);
    OK(cuMemcpyAsync(b, a + 4, 8, NULL));
    OK(cuMemcpyDtoHAsync_v2(out, b, 8, NULL));
    REQUIRE(out[0] == 1 && out[1] == 4);
    OK(cuMemcpyHtoD_v2(a, in, 0));
    /* Past the end, the wrong side, nothing there. */
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a, in, sizeof(in) + 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a + 255, in, 2));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(a, (const void *)(uintptr_t)b, sizeof(in)));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(out, (CUdeviceptr)(uintptr_t)in, 4));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(NULL, a, 4));
}

static void copies_go_every_way_and_stay_inside(void **state)
{
    (void)state;
    cut_passes(body_copies, NULL);
}

/* The part of a matrix, and of a stack of them, by hand. */
static void body_2d(void)
{
    unsigned char in[6][10], out[3][4], deep[2][3][4];
    CUdeviceptr a;
    size_t pitch;
    cut_context();
    for (unsigned y = 0; y < 6; y++) {
        for (unsigned x = 0; x < 10; x++) {
            in[y][x] = (unsigned char)(10 * y + x);
        }
    }
    OK(cuMemAllocPitch_v2(&a, &pitch, 10, 6, 4));
    CUDA_MEMCPY2D to = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = in,
                        .srcPitch = 10,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = a,
                        .dstPitch = pitch,
                        .WidthInBytes = 10,
                        .Height = 6};
    OK(cuMemcpy2D_v2(&to));
    CUDA_MEMCPY2D from = {.srcXInBytes = 3,
                          .srcY = 2,
                          .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = a,
                          .srcPitch = pitch,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = 4,
                          .WidthInBytes = 4,
                          .Height = 3};
    OK(cuMemcpy2DUnaligned_v2(&from));
    REQUIRE(out[0][0] == 23 && out[1][2] == 35 && out[2][3] == 46);
    from.srcY = 4;
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&from)); /* row 6 of 6 */
    from.srcY = 2;
    from.dstPitch = 3;
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D_v2(&from));
    to.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    RETURNS(CUDA_ERROR_NOT_SUPPORTED, cuMemcpy2D_v2(&to));
    /* Two layers of three rows, taken from layers of height 3 in the same memory. */
    CUDA_MEMCPY3D stack = {.srcXInBytes = 1,
                           .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = a,
                           .srcPitch = pitch,
                           .srcHeight = 3,
                           .dstMemoryType = CU_MEMORYTYPE_HOST,
                           .dstHost = deep,
                           .dstPitch = 4,
                           .dstHeight = 3,
                           .WidthInBytes = 4,
                           .Height = 3,
                           .Depth = 2};
    OK(cuMemcpy3D_v2(&stack));
    REQUIRE(deep[0][0][0] == 1 && deep[0][2][3] == 24 && deep[1][0][0] == 31 &&
            deep[1][2][3] == 54);
    stack.srcZ = 1;
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D_v2(&stack));
}

static void parts_of_matrices_are_copied(void **state)
{
    (void)state;
    cut_passes(body_2d, NULL);
}

static void body_sets(void)
{
    CUdeviceptr a;
    size_t pitch;
    cut_context();
    a = cut_words(16, 0xffffffff);
    OK(cuMemsetD8_v2(a, 0x12, 4));
    OK(cuMemsetD16_v2(a + 4, 0x3456, 2));
    OK(cuMemsetD32_v2(a + 8, 0x789abcde, 1));
    REQUIRE(cut_word(a, 0) == 0x12121212 && cut_word(a, 1) == 0x34563456);
    REQUIRE(cut_word(a, 2) == 0x789abcde && cut_word(a, 3) == 0xffffffff);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemsetD16_v2(a + 1, 0, 1));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(a, 0, 17));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32_v2(a, 0, SIZE_MAX / 2));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2(64, 0, 1));
    OK(cuMemAllocPitch_v2(&a, &pitch, 8, 3, 4));
    OK(cuMemsetD8_v2(a, 0, pitch * 3));
    OK(cuMemsetD2D32_v2(a, pitch, 7, 2, 3));
    REQUIRE(cut_word(a, pitch / 4 * 2 + 1) == 7 && cut_word(a, pitch / 4 * 2 + 2) == 0);
    OK(cuMemsetD2D8Async(a, pitch, 1, 4, 2, NULL));
    REQUIRE(cut_word(a, pitch / 4) == 0x01010101 && cut_word(a, pitch / 2) == 7);
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8_v2(a, pitch, 0, 8, 4));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8_v2(a, 4, 0, 8, 2));
}

static void sets_have_widths_and_rows(void **state)
{
    (void)state;
    cut_passes(body_sets, NULL);
}

/* --- pointers --- */

static void body_pointers(void)
{
    CUcontext ctx = cut_context(), c;
    CUdeviceptr a = cut_words(100, 0), start;
    CUdeviceptr managed;
    unsigned type, is_managed, on = 1;
    unsigned long long id_a, id_b;
    size_t bytes;
    void *host;
    int local;
    CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                   CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
    int ordinal;
    void *values[] = {&type, &ordinal, &start};
#define ASK(name, out, p) cuPointerGetAttribute(out, CU_POINTER_ATTRIBUTE_##name, p)
    OK(ASK(CONTEXT, &c, a + 50));
    REQUIRE(c == ctx);
    OK(ASK(MEMORY_TYPE, &type, a));
    REQUIRE(type == CU_MEMORYTYPE_DEVICE);
    OK(ASK(RANGE_START_ADDR, &start, a + 399));
    OK(ASK(RANGE_SIZE, &bytes, a + 399));
    REQUIRE(start == a && bytes == 400);
    RETURNS(CUDA_ERROR_INVALID_VALUE, ASK(HOST_POINTER, &host, a));
    RETURNS(CUDA_ERROR_INVALID_VALUE, ASK(MEMORY_TYPE, &type, a + 400));
    OK(ASK(BUFFER_ID, &id_a, a));
    OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    OK(ASK(BUFFER_ID, &id_b, managed));
    REQUIRE(id_a != id_b);
    OK(ASK(IS_MANAGED, &is_managed, managed));
    OK(ASK(HOST_POINTER, &host, managed + 4));
    REQUIRE(is_managed == 1 && host == (void *)(uintptr_t)(managed + 4));
    OK(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, a));
    OK(ASK(SYNC_MEMOPS, &on, a));
    REQUIRE(on == 1);
    /* Of an ordinary pointer the plural says that it knows nothing. */
    RETURNS(CUDA_ERROR_INVALID_VALUE, ASK(MEMORY_TYPE, &type, (CUdeviceptr)(uintptr_t)&local));
    OK(cuPointerGetAttributes(3, names, values, (CUdeviceptr)(uintptr_t)&local));
    REQUIRE(type == 0 && ordinal == CU_DEVICE_INVALID && start == 0);
#undef ASK
}

static void pointers_say_what_they_are(void **state)
{
    (void)state;
    cut_passes(body_pointers, NULL);
}

static void body_managed(void)
{
    CUdeviceptr a;
    CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    CUmemLocation nowhere = {CU_MEM_LOCATION_TYPE_DEVICE, 5};
    int v, list[3];
    cut_context();
    OK(cuMemAllocManaged(&a, 4096, CU_MEM_ATTACH_GLOBAL));
#define ASK(name, out)                                                                             \
    cuMemRangeGetAttribute(out, sizeof(*(out)), CU_MEM_RANGE_ATTRIBUTE_##name, a, 4096)
    OK(ASK(LAST_PREFETCH_LOCATION, &v));
    REQUIRE(v == CU_DEVICE_INVALID);
    OK(cuMemPrefetchAsync_v2(a, 4096, device, 0, NULL));
    OK(ASK(LAST_PREFETCH_LOCATION, &v));
    REQUIRE(v == 0);
    RETURNS(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync_v2(a, 4096, nowhere, 0, NULL));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync_v2(a, 4097, device, 0, NULL));
    OK(cuMemPrefetchAsync(a, 100, CU_DEVICE_CPU, NULL));
    OK(ASK(LAST_PREFETCH_LOCATION, &v));
    REQUIRE(v == CU_DEVICE_CPU);
    OK(cuMemAdvise_v2(a, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    OK(ASK(READ_MOSTLY, &v));
    REQUIRE(v == 1);
    OK(cuMemAdvise_v2(a, 4096, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device));
    OK(ASK(READ_MOSTLY, &v));
    REQUIRE(v == 0);
    OK(cuMemAdvise_v2(a, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    OK(ASK(PREFERRED_LOCATION, &v));
    REQUIRE(v == CU_DEVICE_CPU);
    OK(cuMemAdvise(a, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, 0));
    OK(cuMemRangeGetAttribute(list, sizeof(list), CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, a, 4096));
    REQUIRE(list[0] == 0 && list[1] == CU_DEVICE_INVALID && list[2] == CU_DEVICE_INVALID);
#undef ASK
    RETURNS(CUDA_ERROR_INVALID_VALUE,
            cuMemAdvise_v2(cut_words(1, 0), 4, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
}

static void advice_is_taken_and_remembered(void **state)
{
    (void)state;
    cut_passes(body_managed, NULL);
}

/* --- pools --- */

static void body_pools(void)
{
    CUmemoryPool mine, pool;
    CUmemPoolProps props = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                            .maxSize = 4096};
    CUdeviceptr a, b;
    cuuint64_t used, high, threshold = 12345;
    cut_context();
    OK(cuDeviceGetMemPool(&pool, 0));
    OK(cuDeviceGetDefaultMemPool(&mine, 0));
    REQUIRE(pool == mine);
    OK(cuMemAllocAsync(&a, 1000, NULL));
    OK(cuMemsetD8Async(a, 1, 1000, NULL));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    REQUIRE(used == 1000);
    OK(cuMemFreeAsync(a, NULL));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(a, NULL));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &high));
    REQUIRE(used == 0 && high == 1000);
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    threshold = 0;
    OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    REQUIRE(threshold == 12345);

    OK(cuMemPoolCreate(&mine, &props));
    OK(cuDeviceSetMemPool(0, mine));
    OK(cuMemAllocAsync(&a, 4000, NULL));
    RETURNS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocAsync(&b, 97, NULL));
    OK(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, a));
    REQUIRE(pool == mine);
    OK(cuMemPoolDestroy(mine)); /* lives on until a is freed */
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&b, 1, mine, NULL));
    OK(cuMemAllocAsync(&b, 5000, NULL)); /* from the default pool again */
    OK(cuMemFree_v2(a));
    OK(cuMemFreeAsync(b, NULL));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(mine));
    OK(cuDeviceGetDefaultMemPool(&mine, 0));
    RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(mine));
}

static void pools_count_and_limit(void **state)
{
    (void)state;
    cut_passes(body_pools, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(device_memory_is_given_and_taken_back),
    cmocka_unit_test(host_and_device_share_pinned_registered_and_managed_memory),
    cmocka_unit_test(copies_go_every_way_and_stay_inside),
    cmocka_unit_test(parts_of_matrices_are_copied),
    cmocka_unit_test(sets_have_widths_and_rows),
    cmocka_unit_test(pointers_say_what_they_are),
    cmocka_unit_test(advice_is_taken_and_remembered),
    cmocka_unit_test_teardown(pools_count_and_limit, cut_teardown),
};

int main(int argc, char **argv)
{
    return LAB_TEST_MAIN(tests);
}
