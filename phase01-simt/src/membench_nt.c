/* Stores that go around the caches. The only file of the lab with an intrinsic.
 *
 * An ordinary store to a line that is not cached first reads the line ("write-allocate"), changes
 * it, and writes it back later: two lines move for each one stored. A non-temporal store collects a
 * whole line in a buffer and sends it off: one line moves. It pays when the data will not be used
 * again soon.
 *
 * Simplified: 16 bytes a store (SSE2, on every x86-64); the write-combining buffer makes wider ones
 * no faster. Some recent server cores drop the read of an ordinary store by themselves when whole
 * lines are written under load, so the factor of two is an upper bound there.
 */
#include "membench_kern.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#if defined(__x86_64__)
#define HAVE_NT 1
static inline void store2(uint64_t *dst, uint64_t a, uint64_t b)
{
    _mm_stream_si128((__m128i *)(void *)dst, _mm_set_epi64x((long long)b, (long long)a));
}
static inline void drain(void)
{
    _mm_sfence();
}
#elif defined(__aarch64__)
#define HAVE_NT 1
static inline void store2(uint64_t *dst, uint64_t a, uint64_t b)
{
    __asm__ volatile("stnp %1, %2, [%0]" : : "r"(dst), "r"(a), "r"(b) : "memory");
}
static inline void drain(void)
{
    __asm__ volatile("dmb ishst" : : : "memory");
}
#else
#define HAVE_NT 0
static inline void store2(uint64_t *dst, uint64_t a, uint64_t b)
{
    dst[0] = a;
    dst[1] = b;
}
static inline void drain(void)
{
}
#endif

bool membench_nt_available(void)
{
    return HAVE_NT;
}

void membench_nt_write(uint64_t *dst, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        store2(dst + i, v, v);
        store2(dst + i + 2, v, v);
        store2(dst + i + 4, v, v);
        store2(dst + i + 6, v, v);
    }
    drain();
}

void membench_nt_copy(uint64_t *dst, const uint64_t *src, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        store2(dst + i, src[i], src[i + 1]);
        store2(dst + i + 2, src[i + 2], src[i + 3]);
        store2(dst + i + 4, src[i + 4], src[i + 5]);
        store2(dst + i + 6, src[i + 6], src[i + 7]);
    }
    drain();
}
