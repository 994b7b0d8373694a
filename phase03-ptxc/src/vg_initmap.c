/* A bit per byte of an allocation: has it ever been written?
 *
 * Problem: a kernel that reads device memory nobody wrote gets whatever lay there, and mostly
 * zeros, so that the bug shows on another day. Model: bit b of word w stands for byte 64·w + b. A
 * range is at most two partial words and whole words between. The map is untouched zero pages until
 * something is written. Invariants: a bit only ever goes from 0 to 1, so threads may set and test
 * at will with relaxed atomics: a test that races with a store of another block may miss it, as the
 * kernel itself would. Simplified: padding inside a structure that was copied counts as written.
 */
#include "vg_initmap.h"

#include <stdlib.h>

#include "lab/buf.h"
#include "lab/err.h"

struct vg_initmap {
    size_t bytes;
    uint64_t *words; /* owned */
};

struct vg_initmap *vg_initmap_new(size_t bytes)
{
    struct vg_initmap *m = lab_alloc(1, sizeof(*m));
    m->bytes = bytes;
    m->words = lab_alloc(bytes / 64 + 1, sizeof(m->words[0]));
    return m;
}

void vg_initmap_free(struct vg_initmap *m)
{
    if (m != NULL) {
        free(m->words);
        free(m);
    }
}

static void check_range(const struct vg_initmap *m, size_t at, size_t n)
{
    LAB_ASSERT(n <= m->bytes && at <= m->bytes - n);
}

/* The bits of word at / 64 that belong to [at, at + n), and in *length how many they are. */
static uint64_t bits_from(size_t at, size_t n, size_t *length)
{
    size_t first = at % 64, room = 64 - first;
    *length = n < room ? n : room;
    return (*length == 64 ? UINT64_MAX : ((1ull << *length) - 1)) << first;
}

static uint64_t load(const struct vg_initmap *m, size_t at)
{
    return __atomic_load_n(&m->words[at / 64], __ATOMIC_RELAXED);
}

static void set_bits(struct vg_initmap *m, size_t at, uint64_t bits)
{
    if ((load(m, at) & bits) != bits) {
        __atomic_fetch_or(&m->words[at / 64], bits, __ATOMIC_RELAXED);
    }
}

void vg_initmap_set(struct vg_initmap *m, size_t at, size_t n)
{
    check_range(m, at, n);
    while (n > 0) {
        size_t length;
        uint64_t bits = bits_from(at, n, &length);
        set_bits(m, at, bits);
        at += length;
        n -= length;
    }
}

bool vg_initmap_test(const struct vg_initmap *m, size_t at, size_t n, size_t *first)
{
    check_range(m, at, n);
    while (n > 0) {
        size_t length;
        uint64_t missing = bits_from(at, n, &length) & ~load(m, at);
        if (missing != 0) {
            if (first != NULL) {
                *first = at / 64 * 64 + (size_t)__builtin_ctzll(missing);
            }
            return false;
        }
        at += length;
        n -= length;
    }
    return true;
}

/* Up to 64 bits of the map from byte `at` on, in the low `n` bits. */
static uint64_t extract(const struct vg_initmap *m, size_t at, size_t n)
{
    size_t shift = at % 64, have = 64 - shift;
    uint64_t bits = load(m, at) >> shift;
    if (n > have) {
        bits |= load(m, at + have) << have;
    }
    return n == 64 ? bits : bits & ((1ull << n) - 1);
}

void vg_initmap_copy(struct vg_initmap *m, size_t at, const struct vg_initmap *src, size_t from,
                     size_t n)
{
    check_range(m, at, n);
    check_range(src, from, n);
    while (n > 0) {
        size_t length;
        (void)bits_from(at, n, &length);
        set_bits(m, at, extract(src, from, length) << at % 64);
        at += length;
        from += length;
        n -= length;
    }
}
