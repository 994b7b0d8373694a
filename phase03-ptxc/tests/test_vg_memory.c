/* The device's memory: addresses, allocation and reuse, limits, copies, host memory, faults of the
 * host. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/rng.h"
#include "vg_memory.h"
#include "vgt.h"

#define MIB (1ull << 20)

static struct vg_memory *open_memory(uint64_t bytes, unsigned checks)
{
    struct vg_memory *m = NULL;
    struct lab_err err = {0};
    if (vg_memory_open(bytes, checks, &m, &err) < 0) {
        fail_msg("%s", err.msg);
    }
    return m;
}

static uint64_t take(struct vg_memory *m, size_t bytes)
{
    uint64_t at = 0;
    assert_int_equal(vg_mem_alloc(m, VGPU_MEM_DEVICE, bytes, &at), VGPU_OK);
    return at;
}

static void allocations_are_aligned_and_reused(void **state)
{
    (void)state;
    struct vg_memory *m = open_memory(64 * MIB, 0);
    uint64_t a = take(m, 100), b = take(m, 1), c = take(m, 5 * MIB);
    assert_int_equal(a % 256, 0);
    assert_int_equal(b, a + 256);
    assert_int_equal(c, b + 256);
    assert_int_equal(vg_mem_free(m, b), VGPU_OK);
    assert_int_equal(take(m, 256), b);
    assert_int_equal(vg_mem_free(m, a), VGPU_OK);
    assert_int_equal(vg_mem_free(m, a), VGPU_INVALID_VALUE);
    assert_int_equal(vg_mem_free(m, c + 256), VGPU_INVALID_VALUE);
    vg_memory_close(m);
}

static void the_chips_memory_is_the_limit(void **state)
{
    (void)state;
    struct vg_memory *m = open_memory(64 * MIB, 0);
    uint64_t at = 0, free_bytes = 0, total = 0;
    assert_int_equal(vg_mem_alloc(m, VGPU_MEM_DEVICE, 64 * MIB + 1, &at), VGPU_OUT_OF_MEMORY);
    assert_int_equal(vg_mem_alloc(m, VGPU_MEM_DEVICE, SIZE_MAX, &at), VGPU_OUT_OF_MEMORY);
    assert_int_equal(vg_mem_alloc(m, VGPU_MEM_DEVICE, 0, &at), VGPU_INVALID_VALUE);
    uint64_t a = take(m, 40 * MIB);
    assert_int_equal(vg_mem_alloc(m, VGPU_MEM_MANAGED, 30 * MIB, &at), VGPU_OUT_OF_MEMORY);
    assert_int_equal(vg_mem_alloc(m, VGPU_MEM_PINNED, 100 * MIB, &at), VGPU_OK);
    vg_mem_totals(m, &free_bytes, &total);
    assert_int_equal(total, 64 * MIB);
    assert_int_equal(free_bytes, 24 * MIB);
    assert_int_equal(vg_mem_free(m, a), VGPU_OK);
    assert_int_equal(take(m, 64 * MIB), a);
    vg_memory_close(m);
}

/* Law: whatever comes and goes, live ranges never overlap and keep their bytes, and in the end all
 * is free again. */
static void random_allocations_keep_their_bytes(void **state)
{
    (void)state;
    enum { N = 64 };
    struct lab_rng rng;
    lab_rng_seed(&rng, 3);
    struct vg_memory *m = open_memory(16 * MIB, 0);
    uint64_t at[N] = {0};
    size_t size[N] = {0};
    const long trials = lab_test_trials(3000);
    for (long k = 0; k < trials; k++) {
        unsigned n = (unsigned)lab_rng_below(&rng, N);
        if (at[n] != 0) {
            const uint8_t *p = vg_mem_host(m, at[n], size[n]);
            for (size_t b = 0; b < size[n]; b += 97) {
                assert_int_equal(p[b], n);
            }
            assert_int_equal(vg_mem_free(m, at[n]), VGPU_OK);
            at[n] = 0;
            continue;
        }
        size[n] = 1 + lab_rng_below(&rng, n % 8 == 0 ? 3 * MIB : 5000);
        if (vg_mem_alloc(m, VGPU_MEM_DEVICE, size[n], &at[n]) == VGPU_OK) {
            memset(vg_mem_host(m, at[n], size[n]), (int)n, size[n]);
        } else {
            at[n] = 0;
        }
    }
    for (unsigned n = 0; n < N; n++) {
        assert_true(at[n] == 0 || vg_mem_free(m, at[n]) == VGPU_OK);
    }
    uint64_t free_bytes = 0, total = 0;
    vg_mem_totals(m, &free_bytes, &total);
    assert_int_equal(free_bytes, total);
    take(m, total);
    vg_memory_close(m);
}

static void granules_decide_what_a_kernel_may_touch(void **state)
{
    (void)state;
    struct vg_memory *m = open_memory(64 * MIB, 0);
    struct vg_mem_view v = {.memory = m};
    uint64_t a = take(m, 100);
    assert_non_null(vg_mem_at(&v, a, 4));
    assert_non_null(vg_mem_at(&v, a + 2 * MIB - 4, 4));
    assert_null(vg_mem_at(&v, a + 2 * MIB - 2, 4));
    assert_null(vg_mem_at(&v, a + 2 * MIB, 4));
    assert_null(vg_mem_at(&v, 0, 4));
    assert_ptr_equal(vg_mem_at(&v, a + 8, 4), (uint8_t *)vg_mem_host(m, a, 100) + 8);
    assert_null(vg_mem_host(m, a + 99, 2));
    vg_memory_close(m);
}

static void freed_memory_stays_away_under_the_mem_check(void **state)
{
    (void)state;
    struct vg_memory *m = open_memory(64 * MIB, VGPU_CHECK_MEM);
    uint64_t a = take(m, 1000);
    assert_int_equal(vg_mem_free(m, a), VGPU_OK);
    uint64_t b = take(m, 1000);
    assert_true(b != a);
    const struct vg_range *r = vg_mem_range(m, a + 10, false);
    assert_non_null(r);
    assert_true(r->freed);
    assert_null(vg_mem_host(m, a, 10));
    /* when nothing else is left, the oldest comes back */
    for (int k = 0; k < 8; k++) {
        assert_int_equal(vg_mem_free(m, take(m, 20 * MIB)), VGPU_OK);
    }
    assert_null(vg_mem_range(m, a + 10, false));
    vg_memory_close(m);
}

static void host_memory_is_registered_to_the_byte(void **state)
{
    (void)state;
    struct vg_memory *m = open_memory(64 * MIB, 0);
    struct vg_mem_view v = {.memory = m};
    uint32_t words[10] = {0};
    uint64_t at = (uint64_t)(uintptr_t)words;
    assert_null(vg_mem_at(&v, at, 4));
    assert_int_equal(vg_mem_register(m, words, sizeof(words)), VGPU_OK);
    assert_int_equal(vg_mem_register(m, words + 9, 4), VGPU_INVALID_VALUE);
    assert_ptr_equal(vg_mem_at(&v, at + 36, 4), &words[9]);
    assert_null(vg_mem_at(&v, at + 38, 4));
    assert_int_equal(vg_mem_free(m, at), VGPU_INVALID_VALUE);
    assert_int_equal(vg_mem_unregister(m, words + 1), VGPU_INVALID_VALUE);
    assert_int_equal(vg_mem_unregister(m, words), VGPU_OK);
    v.bytes = 0;
    assert_null(vg_mem_at(&v, at, 4));
    vg_memory_close(m);
}

static void copies_and_memset_stay_inside_their_allocation(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, VGT_KERNEL(""));
    uint8_t in[64], out[64];
    for (unsigned k = 0; k < 64; k++) {
        in[k] = (uint8_t)k;
    }
    uint64_t a = vgt_buffer(t, in, 64), b = vgt_buffer(t, in, 64);
    assert_int_equal(vgpu_set(t->g, a, 0x11223344, 4, 2), VGPU_OK);
    assert_int_equal(vgpu_set(t->g, a + 10, 0x5566, 2, 1), VGPU_OK);
    assert_int_equal(vgpu_set(t->g, a + 63, 0x77, 1, 1), VGPU_OK);
    assert_int_equal(vgpu_set(t->g, a + 62, 0, 4, 1), VGPU_INVALID_VALUE);
    assert_int_equal(vgpu_set(t->g, a + 60, 0, 4, 2), VGPU_INVALID_VALUE);
    assert_int_equal(vgpu_set(t->g, a, 0, 3, 1), VGPU_INVALID_VALUE);
    assert_int_equal(vgpu_copy(t->g, b + 1, a, 12), VGPU_OK);
    assert_int_equal(vgpu_copy(t->g, b, a, 65), VGPU_INVALID_VALUE);
    assert_int_equal(vgpu_read(t->g, out, b, 64), VGPU_OK);
    static const uint8_t want[14] = {0,    0x44, 0x33, 0x22, 0x11, 0x44, 0x33,
                                     0x22, 0x11, 8,    9,    0x66, 0x55, 13};
    assert_memory_equal(out, want, sizeof(want));
    assert_int_equal(vgpu_write(t->g, a + 1, in, 64), VGPU_INVALID_VALUE);
    assert_int_equal(vgpu_read(t->g, out, 4096, 1), VGPU_INVALID_VALUE);
    assert_int_equal(vgpu_read(t->g, out, 4096, 0), VGPU_OK);
    vgt_free(t);
}

static void pinned_and_managed_pointers_work_on_both_sides(void **state)
{
    (void)state;
    struct vgt *t = vgt_new(NULL, VGT_KERNEL("ld.global.u32 %r1, [%rd27]; add.u32 %r1, %r1, 1;\n"
                                             "st.global.u32 [%rd28], %r1;\n"));
    uint64_t abc[3] = {0, 0, 0};
    assert_int_equal(vgpu_alloc(t->g, VGPU_MEM_PINNED, 4, &abc[0]), VGPU_OK);
    assert_int_equal(vgpu_alloc(t->g, VGPU_MEM_MANAGED, 4, &abc[1]), VGPU_OK);
    *(uint32_t *)(uintptr_t)abc[0] = 41;
    assert_int_equal(vgt_launch(t, "k", 1, 1, abc), VGPU_OK);
    assert_int_equal(*(uint32_t *)(uintptr_t)abc[1], 42);
    struct vgpu_range r;
    assert_true(vgpu_find_range(t->g, abc[1] + 3, &r));
    assert_int_equal(r.start, abc[1]);
    assert_int_equal(r.kind, VGPU_MEM_MANAGED);
    assert_false(vgpu_find_range(t->g, abc[1] + 4, &r));
    vgt_free(t);
}

/* The kernel is asked to read there: it says what a dereference would run into. */
static void the_host_faults_on_a_device_pointer(void **state)
{
    (void)state;
    int ends[2];
    struct vgt *t = vgt_new(NULL, VGT_KERNEL(""));
    assert_int_equal(pipe(ends), 0);
    errno = 0;
    assert_int_equal(write(ends[1], (const void *)(uintptr_t)t->out, 4), -1);
    assert_int_equal(errno, EFAULT);
    close(ends[0]);
    close(ends[1]);
    vgt_free(t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_aligned_and_reused),
        cmocka_unit_test(the_chips_memory_is_the_limit),
        cmocka_unit_test(random_allocations_keep_their_bytes),
        cmocka_unit_test(granules_decide_what_a_kernel_may_touch),
        cmocka_unit_test(freed_memory_stays_away_under_the_mem_check),
        cmocka_unit_test(host_memory_is_registered_to_the_byte),
        cmocka_unit_test(copies_and_memset_stay_inside_their_allocation),
        cmocka_unit_test(pinned_and_managed_pointers_work_on_both_sides),
        cmocka_unit_test(the_host_faults_on_a_device_pointer),
    };
    return LAB_TEST_MAIN(tests);
}
