/* Shared memory nobody wrote: a bit per byte, cleared when a block starts. */
#include "vg_shadow_impl.h"

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

void vg_shadow_init(struct vg_shadow *s, const struct vg_check_ctx *ctx, const struct vg_access *a)
{
    bool reads = a->kind == VG_LOAD || a->kind == VG_ATOMIC;
    for (uint32_t left = a->mask; reads && left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t missing = unwritten_bytes(s, a->addr[lane], a->bytes);
        if (missing != 0) {
            vg_find_access(ctx, a, lane, VG_UNWRITTEN_SHARED,
                           "reads shared memory that nobody wrote in this block (%u of %u bytes)",
                           missing, a->bytes);
        }
    }
    for (uint32_t left = a->mask; a->kind != VG_LOAD && left != 0; left &= left - 1) {
        set_lane(s, a->addr[__builtin_ctz(left)], a->bytes);
    }
}
