/* Shared memory nobody wrote: a bit per byte, cleared when a block starts. */
#include "vg_shadow_impl.h"

#define SPAN_MAX 1024 /* bytes tested at once */

/* Is byte `at` written? Past the shared memory everything counts as written: not our concern. */
static bool is_written(const struct vg_shadow *s, uint64_t at)
{
    return at >= s->bytes || (s->written[at / 64] >> at % 64 & 1) != 0;
}

static uint32_t unwritten_bytes(const struct vg_shadow *s, uint64_t at, uint32_t n)
{
    if (at % 64 + n <= 64 && at + n <= s->bytes) {
        uint64_t bits = ((1ull << n) - 1) << at % 64;
        return (uint32_t)__builtin_popcountll(bits & ~s->written[at / 64]);
    }
    uint32_t missing = 0;
    for (uint32_t i = 0; i < n; i++) {
        missing += !is_written(s, at + i);
    }
    return missing;
}

static void set_written(struct vg_shadow *s, uint64_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n && at + i < s->bytes; i++) {
        s->written[(at + i) / 64] |= 1ull << (at + i) % 64;
    }
}

static void set_lane(struct vg_shadow *s, uint64_t at, uint32_t n)
{
    if (at % 64 + n <= 64 && at + n <= s->bytes) {
        s->written[at / 64] |= ((1ull << n) - 1) << at % 64;
    } else {
        set_written(s, at, n);
    }
}

/* Is everything between the lanes written too? Mostly it is, and then no lane needs a look. */
static bool span_is_written(const struct vg_shadow_call *c)
{
    const struct vg_shadow *s = c->s;
    uint64_t end = (uint64_t)c->span.last + c->a->bytes;
    if (c->span.far || end > s->bytes || end - c->span.first > SPAN_MAX) {
        return false;
    }
    uint64_t missing = 0;
    for (uint64_t at = c->span.first; at < end; at = (at / 64 + 1) * 64) {
        uint64_t bits = UINT64_MAX << at % 64;
        bits &= end - at / 64 * 64 >= 64 ? UINT64_MAX : (1ull << end % 64) - 1;
        missing |= bits & ~s->written[at / 64];
    }
    return missing == 0;
}

static void test_lanes(const struct vg_shadow_call *c)
{
    const struct vg_access *a = c->a;
    for (uint32_t left = a->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t missing = unwritten_bytes(c->s, a->addr[lane], a->bytes);
        if (missing != 0) {
            struct vg_wrong unwritten = {a, lane, VG_UNWRITTEN_SHARED};
            vg_find_access(c->ctx, &unwritten,
                           "reads shared memory that nobody wrote in this block (%u of %u bytes)",
                           missing, a->bytes);
        }
    }
}

void vg_shadow_init(const struct vg_shadow_call *c)
{
    const struct vg_access *a = c->a;
    bool reads = a->kind == VG_LOAD || a->kind == VG_ATOMIC;
    bool writes = a->kind != VG_LOAD;
    if (span_is_written(c)) {
        return;
    }
    if (reads) {
        test_lanes(c);
    }
    for (uint32_t left = a->mask; writes && left != 0; left &= left - 1) {
        set_lane(c->s, a->addr[__builtin_ctz(left)], a->bytes);
    }
}
