/* The access patterns nearly every kernel has, counted without a list of addresses.
 *
 * Problem: counters are on for every memory instruction of a kernel, so an ordinary access may cost
 * a few nanoseconds. The general functions take an order of magnitude more.
 * Model, from cheap to dear:
 *   1. Runs. With all 32 lanes on, each half warp mostly has addresses base + lane · step: one row
 *      of a tile, a broadcast, a stride. Then closed formulas hold. With lanes missing, the others
 *      mostly still lie at base + lane · step.
 *   2. Steps. Otherwise compare each lane's address with the lane before it. Addresses that only
 *      rise (or only fall) change sector exactly as often as there are new sectors. An inactive
 * lane repeats its neighbour's address, which changes nothing.
 *   3. One bit per bank. If the lanes of a phase hit as many banks as there are lanes, no bank has
 *      two words.
 * Where none decides, the functions return false and the caller takes the general way.
 * Invariants: only naturally aligned accesses of 1, 2, 4, 8 or 16 bytes are answered, so a lane
 * never straddles a sector or a word; tests hold every answer against the general functions.
 * Simplified: nothing; what is answered is exact.
 */
#include <string.h>

#include "lab/clones.h"
#include "vg_count.h"

#define FULL     UINT32_MAX
#define HALF     16
#define MAX_STEP (1u << 20) /* words: far more than shared memory has */

typedef uint64_t v8 __attribute__((vector_size(64), may_alias));

/* Addresses of one half warp: base, base + step, … */
struct run {
    uint64_t base, step;
};

static bool aligned(const struct vg_access *a, uint64_t bits)
{
    return a->bytes != 0 && a->bytes <= 16 && (a->bytes & (a->bytes - 1)) == 0 &&
           (bits & (a->bytes - 1)) == 0;
}

/* {0, 1, … 7} · step, built from step, 2·step and 4·step: a vector multiplication of 64-bit numbers
 * is slow or missing. */
#define STEPS_OF(step)                                                                             \
    (((v8){0, ~0ull, 0, ~0ull, 0, ~0ull, 0, ~0ull} & (step)) +                                     \
     ((v8){0, 0, ~0ull, ~0ull, 0, 0, ~0ull, ~0ull} & ((step) << 1)) +                              \
     ((v8){0, 0, 0, 0, ~0ull, ~0ull, ~0ull, ~0ull} & ((step) << 2)))

static inline bool all_zero(const v8 *v)
{
    uint64_t any = 0;
    for (int i = 0; i < 8; i++) {
        any |= (*v)[i];
    }
    return any == 0;
}

/* Both half warps as runs; false when one is none. */
LAB_CLONES static bool two_runs(const struct vg_access *a, struct run r[2])
{
    const v8 *addr = (const v8 *)(const void *)a->addr;
    v8 wrong = {0};
    for (int half = 0; half < 2; half++) {
        uint64_t base = a->addr[HALF * half], step = a->addr[HALF * half + 1] - base;
        v8 steps = STEPS_OF(step);
        wrong |= addr[2 * half] ^ (steps + base);
        wrong |= addr[2 * half + 1] ^ (steps + (base + 8 * step));
        r[half] = (struct run){base, step};
    }
    return all_zero(&wrong);
}

/* All 32 lanes as one run. */
LAB_CLONES static bool one_run(const struct vg_access *a, struct run *r)
{
    const v8 *addr = (const v8 *)(const void *)a->addr;
    v8 base = (v8){0} + a->addr[0], step = a->addr[1] - base;
    v8 at = STEPS_OF(step) + base;
    v8 wrong = (addr[0] ^ at) | (addr[1] ^ (at + (step << 3))) | (addr[2] ^ (at + (step << 4))) |
               (addr[3] ^ (at + (step << 4) + (step << 3)));
    *r = (struct run){a->addr[0], a->addr[1] - a->addr[0]};
    return all_zero(&wrong);
}

/* Do the active lanes lie at r->base + lane · r->step? */
LAB_CLONES static bool masked_run(const struct vg_access *a, const struct run *r)
{
    const v8 *addr = (const v8 *)(const void *)a->addr;
    v8 steps = STEPS_OF(r->step), wrong = {0};
    for (uint32_t i = 0; i < VG_LANES / 8; i++) {
        v8 bits = ((v8){1, 2, 4, 8, 16, 32, 64, 128} & (uint64_t)(a->mask >> 8 * i)) != 0;
        wrong |= bits & (addr[i] ^ (steps + (r->base + 8 * i * r->step)));
    }
    return all_zero(&wrong);
}

/* The sectors and addresses of one run: an interval [first, last] of sectors, all of them touched
 * when `dense`, else one for each of its 16 lanes. */
struct extent {
    uint64_t first, last;
    bool dense;
    uint32_t sectors, addresses;
};

static struct extent extent_of(const struct run *r, uint32_t lanes)
{
    bool falls = (int64_t)r->step < 0;
    uint64_t size = falls ? 0 - r->step : r->step;
    uint64_t end = r->base + r->step * (lanes - 1);
    struct extent x = {.first = (falls ? end : r->base) / VG_SECTOR_BYTES,
                       .last = (falls ? r->base : end) / VG_SECTOR_BYTES,
                       .dense = size <= VG_SECTOR_BYTES,
                       .addresses = size == 0 ? 1 : lanes};
    x.sectors = x.dense ? (uint32_t)(x.last - x.first) + 1 : lanes;
    return x;
}

static uint32_t ideal_of(uint32_t addresses, uint32_t bytes)
{
    return (addresses * bytes + VG_SECTOR_BYTES - 1) / VG_SECTOR_BYTES;
}

static bool sectors_of_run(const struct vg_access *a, const struct run *r, uint32_t *sectors,
                           uint32_t *ideal)
{
    if (!aligned(a, r->base | r->step)) {
        return false;
    }
    struct extent x = extent_of(r, VG_LANES);
    *sectors = x.sectors;
    *ideal = ideal_of(x.addresses, a->bytes);
    return true;
}

/* Sectors of two runs that lie among each other: the second starts less than a step after the
 * first, and a step is a sector or more. Then its lane i can share a sector only with lane i or
 * i + 1 of the first. */
static uint32_t sectors_of_columns(const struct run r[2])
{
    uint32_t shared = 0;
    for (uint64_t i = 0; i < HALF; i++) {
        uint64_t at = (r[1].base + i * r[1].step) / VG_SECTOR_BYTES;
        uint64_t same = (r[0].base + i * r[0].step) / VG_SECTOR_BYTES;
        uint64_t next = (r[0].base + (i + 1) * r[0].step) / VG_SECTOR_BYTES;
        shared += at == same || (at == next && i + 1 < HALF);
    }
    return 2 * HALF - shared;
}

/* Two half warps with the same step, the upper one not below the lower. */
static bool sectors_of_rows(const struct vg_access *a, const struct run r[2], uint32_t *sectors,
                            uint32_t *ideal)
{
    struct extent x = extent_of(&r[0], HALF), y = extent_of(&r[1], HALF);
    uint64_t step = r[0].step, distance = r[1].base - r[0].base;
    if (r[1].step != step || (int64_t)step <= 0 || (int64_t)distance < 0) {
        return false;
    }
    bool overlap = distance % step == 0 && distance < HALF * step;
    uint32_t addresses = overlap ? HALF + (uint32_t)(distance / step) : 2 * HALF;
    *ideal = ideal_of(addresses, a->bytes);
    if (x.dense) {
        *sectors = (uint32_t)(y.last - x.first) + 1; /* they touch or overlap */
        return true;
    }
    *sectors = sectors_of_columns(r);
    return distance < step;
}

static bool sectors_of_runs(const struct vg_access *a, const struct run r[2], uint32_t *sectors,
                            uint32_t *ideal)
{
    if (!aligned(a, r[0].base | r[0].step | r[1].base | r[1].step)) {
        return false;
    }
    struct extent x = extent_of(&r[0], HALF);
    struct extent y = extent_of(&r[1], HALF);
    bool same = r[0].base == r[1].base && r[0].step == r[1].step;
    if (!same && x.first <= y.last && y.first <= x.last) {
        return sectors_of_rows(a, r, sectors, ideal);
    }
    *sectors = same ? x.sectors : x.sectors + y.sectors;
    *ideal = ideal_of(same ? x.addresses : x.addresses + y.addresses, a->bytes);
    return true;
}

/* No gap between neighbouring active lanes is wider than `lanes` (rounded down to a power of two).
 */
static bool gaps_within(uint32_t mask, uint64_t lanes)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), last = 31 - (uint32_t)__builtin_clz(mask);
    uint32_t covered = mask;
    for (uint32_t width = 1; 2 * width <= lanes && width < VG_LANES; width *= 2) {
        covered |= covered << width;
    }
    return (covered << (31 - last) >> (31 - last) >> first) == FULL >> (31 - last + first);
}

/* One run with lanes missing: a tail, every other lane, the survivors of a reduction step. */
static bool sectors_of_masked(const struct vg_access *a, uint32_t *sectors, uint32_t *ideal)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(a->mask);
    uint32_t first = (uint32_t)__builtin_ctz(a->mask), last = 31 - (uint32_t)__builtin_clz(a->mask);
    uint32_t rest = a->mask & (a->mask - 1);
    uint32_t gap = rest == 0 ? 1 : (uint32_t)__builtin_ctz(rest) - first;
    uint64_t distance = rest == 0 ? 0 : a->addr[first + gap] - a->addr[first];
    if (((gap & (gap - 1)) | (distance & (gap - 1))) != 0) {
        return false;
    }
    int64_t step = (int64_t)distance >> __builtin_ctz(gap);
    struct run r = {a->addr[first] - first * (uint64_t)step, (uint64_t)step};
    if (!aligned(a, a->addr[first] | r.step) || !masked_run(a, &r)) {
        return false;
    }
    struct run present = {a->addr[first], r.step};
    struct extent x = extent_of(&present, last - first + 1);
    uint64_t size = step < 0 ? 0 - r.step : r.step;
    if (size != 0 && x.dense && !gaps_within(a->mask, VG_SECTOR_BYTES / size)) {
        return false;
    }
    *sectors = x.dense ? x.sectors : lanes;
    *ideal = ideal_of(size == 0 ? 1 : lanes, a->bytes);
    return true;
}

/* How each lane's address compares with the lane before; a bit a lane. */
struct steps {
    uint32_t rises, falls, sector_changes;
    uint64_t far; /* not 0: the addresses span 2 GB or more */
    uint64_t low_bits;
};

LAB_CLONES static void compare_steps(const uint64_t *addr, struct steps *s)
{
    int32_t relative[VG_LANES + 1];
    uint64_t base = addr[0] & ~(uint64_t)(VG_SECTOR_BYTES - 1), far = 0, low = 0;
    relative[0] = (int32_t)(addr[0] - base);
    for (int i = 0; i < VG_LANES; i++) {
        uint64_t distance = addr[i] - base;
        far |= (distance + 0x80000000u) >> 32;
        low |= addr[i];
        relative[i + 1] = (int32_t)(uint32_t)distance;
    }
    uint32_t rises = 0, falls = 0, changes = 0;
    for (int i = 0; i < VG_LANES; i++) {
        int32_t now = relative[i + 1], before = relative[i];
        uint32_t bit = 1u << i;
        rises |= now > before ? bit : 0;
        falls |= now < before ? bit : 0;
        changes |= (now ^ before) >> 5 != 0 ? bit : 0;
    }
    *s = (struct steps){rises, falls, changes, far, low};
}

/* A copy of the addresses in which an inactive lane repeats an active neighbour. */
static void fill_gaps(const struct vg_access *a, uint64_t *addr)
{
    uint64_t last = a->addr[__builtin_ctz(a->mask)];
    for (int i = 0; i < VG_LANES; i++) {
        last = (a->mask >> i & 1) != 0 ? a->addr[i] : last;
        addr[i] = last;
    }
}

/* Two half warps of which each rises, where the upper starts again below: equal, or apart. */
static bool sectors_of_halves(const uint64_t *addr, uint32_t bytes, const struct steps *s,
                              uint32_t *sectors, uint32_t *ideal)
{
    const uint32_t lower = 0xFFFF, upper = 0xFFFE0000;
    bool same = memcmp(addr, addr + HALF, HALF * sizeof(addr[0])) == 0;
    bool apart = addr[VG_LANES - 1] / VG_SECTOR_BYTES < addr[0] / VG_SECTOR_BYTES;
    if (!same && !apart) {
        return false;
    }
    uint32_t n = 1 + (uint32_t)__builtin_popcount(s->sector_changes & lower);
    uint32_t different = 1 + (uint32_t)__builtin_popcount(s->rises & lower);
    if (apart) {
        n += 1 + (uint32_t)__builtin_popcount(s->sector_changes & upper);
        different += 1 + (uint32_t)__builtin_popcount(s->rises & upper);
    }
    *sectors = n;
    *ideal = ideal_of(different, bytes);
    return true;
}

static bool sectors_of_steps(const struct vg_access *a, uint32_t *sectors, uint32_t *ideal)
{
    uint64_t filled[VG_LANES];
    const uint64_t *addr = a->addr;
    if (a->mask != FULL) {
        fill_gaps(a, filled);
        addr = filled;
    }
    struct steps s;
    compare_steps(addr, &s);
    if (s.far != 0 || !aligned(a, s.low_bits)) {
        return false;
    }
    if (s.falls != 0 && s.rises != 0) {
        return s.falls == 1u << HALF && sectors_of_halves(addr, a->bytes, &s, sectors, ideal);
    }
    *sectors = 1 + (uint32_t)__builtin_popcount(s.sector_changes);
    *ideal = ideal_of(1 + (uint32_t)__builtin_popcount(s.rises | s.falls), a->bytes);
    return true;
}

bool vg_fast_sectors(const struct vg_access *a, uint32_t *sectors, uint32_t *ideal)
{
    if (a->mask == 0) {
        *sectors = *ideal = 0;
        return true;
    }
    struct run r[2];
    if (a->mask != FULL) {
        return sectors_of_masked(a, sectors, ideal) || sectors_of_steps(a, sectors, ideal);
    }
    if (one_run(a, r)) {
        return sectors_of_run(a, r, sectors, ideal);
    }
    return (two_runs(a, r) && sectors_of_runs(a, r, sectors, ideal)) ||
           sectors_of_steps(a, sectors, ideal);
}

/* Lanes of a phase whose words are u · (its width) apart: the banks repeat after 32 / u words, so
 * the passes are gcd(u, lanes), and lanes is a power of two. One word for all is one pass. */
static uint32_t passes_of_stride(uint64_t units, uint32_t lanes)
{
    uint64_t lowest_bit = units & (0 - units);
    return units == 0 ? 1 : lowest_bit < lanes ? (uint32_t)lowest_bit : lanes;
}

static bool wavefronts_of_run(const struct vg_access *a, const struct run *r, uint32_t *wavefronts,
                              uint32_t *phases)
{
    uint32_t width = a->bytes < VG_WORD_BYTES ? VG_WORD_BYTES : a->bytes;
    uint32_t lanes = VG_BANKS * VG_WORD_BYTES / width;
    *phases = VG_LANES / lanes;
    *wavefronts = *phases * passes_of_stride(r->step / width, lanes);
    return aligned(a, r->base | r->step) && r->step % width == 0;
}

/* Two rows or columns of a tile: 16 words each, `step` words apart, the second starting `distance`
 * words after the first. With g the power of two in step, a row lies in the banks of one residue
 * modulo g, all of them when g ≥ 2 and 16 of them when g = 1, g / 2 words deep. The second row
 * doubles that where it meets the same banks with other words. */
static bool wavefronts_of_rows(const struct vg_access *a, const struct run r[2],
                               uint32_t *wavefronts)
{
    uint64_t step = r[0].step / VG_WORD_BYTES;
    uint64_t distance = (r[1].base - r[0].base) / VG_WORD_BYTES;
    bool plain = a->bytes == VG_WORD_BYTES && r[0].step == r[1].step && r[1].base > r[0].base &&
                 step < MAX_STEP;
    if (!plain) {
        return false;
    }
    if (step == 0) {
        *wavefronts = distance % VG_BANKS == 0 ? 2 : 1;
        return true;
    }
    uint32_t g = passes_of_stride(step, VG_BANKS), deep = g > 1 ? g / 2 : 1;
    bool apart = g > 1 ? distance % g != 0 : distance % VG_BANKS == VG_BANKS / 2;
    *wavefronts = apart ? deep : 2 * deep;
    return distance % step != 0 || distance >= HALF * step; /* no word in both */
}

static bool wavefronts_of_runs(const struct vg_access *a, const struct run r[2],
                               uint32_t *wavefronts, uint32_t *phases)
{
    if (!aligned(a, r[0].base | r[0].step | r[1].base | r[1].step)) {
        return false;
    }
    if (a->bytes <= VG_WORD_BYTES) {
        *phases = 1;
        return wavefronts_of_rows(a, r, wavefronts);
    }
    uint32_t lanes = VG_BANKS * VG_WORD_BYTES / a->bytes;
    *phases = VG_LANES / lanes;
    *wavefronts = HALF / lanes *
                  (passes_of_stride(r[0].step / a->bytes, lanes) +
                   passes_of_stride(r[1].step / a->bytes, lanes));
    return true;
}

/* Where the words of the active lanes lie. */
struct spread {
    uint32_t banks; /* bit per bank */
    uint32_t first, last;
    uint32_t low_bits, high_bits;
};

LAB_CLONES static void spread_of(const struct vg_access *a, struct spread *s)
{
    uint32_t banks = 0, first = UINT32_MAX, last = 0, low_bits = 0, high_bits = 0;
    for (int i = 0; i < VG_LANES; i++) {
        uint32_t on = 0 - (a->mask >> i & 1);
        uint32_t low = (uint32_t)a->addr[i], high = (uint32_t)(a->addr[i] >> 32);
        uint32_t word = low / VG_WORD_BYTES;
        banks |= on & 1u << word % VG_BANKS;
        first = (word | ~on) < first ? word | ~on : first;
        last = (word & on) > last ? word & on : last;
        low_bits |= low & on;
        high_bits |= high & on;
    }
    *s = (struct spread){banks, first, last, low_bits, high_bits};
}

static bool conflict_free(const struct vg_access *a)
{
    struct spread s;
    spread_of(a, &s);
    return aligned(a, s.low_bits) && s.high_bits == 0 &&
           (s.last - s.first < VG_BANKS ||
            __builtin_popcount(s.banks) == __builtin_popcount(a->mask));
}

/* Lanes of 8 or 16 bytes: the banks of each quarter warp, in units of a lane's width, and the bits
 * that any address has. */
LAB_CLONES static uint64_t wide_banks(const struct vg_access *a, uint32_t banks[4])
{
    const uint32_t shift = a->bytes == 8 ? 3 : 4, wrap = VG_BANKS * VG_WORD_BYTES / a->bytes - 1;
    uint64_t bits = 0;
    for (int quarter = 0; quarter < 4; quarter++) {
        uint32_t hit = 0;
        for (int i = 0; i < 8; i++) {
            uint64_t on = 0 - (uint64_t)(a->mask >> (8 * quarter + i) & 1);
            uint64_t at = a->addr[8 * quarter + i] & on;
            hit |= (uint32_t)on & 1u << ((uint32_t)(at >> shift) & wrap);
            bits |= at;
        }
        banks[quarter] = hit;
    }
    return bits;
}

/* No two lanes of a phase share a bank: swizzled tiles, and whatever a formula cannot describe. */
static bool wide_conflict_free(const struct vg_access *a, uint32_t *phases)
{
    uint32_t banks[4], lanes = VG_BANKS * VG_WORD_BYTES / a->bytes;
    if ((a->bytes != 8 && a->bytes != 16) || !aligned(a, wide_banks(a, banks))) {
        return false;
    }
    *phases = 0;
    for (uint32_t lane = 0; lane < VG_LANES; lane += lanes) {
        uint32_t here = a->mask >> lane & ((1u << lanes) - 1);
        uint32_t hit = banks[lane / 8] | (lanes == HALF ? banks[lane / 8 + 1] : 0);
        *phases += here != 0;
        if (__builtin_popcount(hit) != __builtin_popcount(here)) {
            return false;
        }
    }
    return true;
}

bool vg_fast_wavefronts(const struct vg_access *a, uint32_t *wavefronts, uint32_t *phases)
{
    if (a->mask == 0) {
        *wavefronts = *phases = 0;
        return true;
    }
    struct run r[2];
    if (a->mask == FULL && one_run(a, r) && wavefronts_of_run(a, r, wavefronts, phases)) {
        return true;
    }
    if (a->bytes <= VG_WORD_BYTES && conflict_free(a)) {
        *wavefronts = *phases = 1;
        return true;
    }
    if (a->mask == FULL && two_runs(a, r) && wavefronts_of_runs(a, r, wavefronts, phases)) {
        return true;
    }
    if (wide_conflict_free(a, phases)) {
        *wavefronts = *phases;
        return true;
    }
    return false;
}
