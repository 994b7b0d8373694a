/* Wavefronts of a warp's shared access: split it into phases; in each, drop repeated words (they
 * are broadcasts) and find the bank with most of what is left.
 */
#include "vg_banks.h"
#include "vg_distinct.h"

/* At most 5 words a lane: 16 bytes that start in the middle of a word. */
static uint32_t words_of_phase(const struct vg_access *a, uint32_t lanes, uint64_t *words)
{
    uint32_t n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t first = a->addr[__builtin_ctz(lanes)];
        uint64_t last = (first + a->bytes - 1) / VG_WORD_BYTES;
        for (uint64_t word = first / VG_WORD_BYTES; word <= last; word++) {
            words[n++] = word;
        }
    }
    return vg_distinct(words, n);
}

static uint32_t fullest_bank(const uint64_t *words, uint32_t n)
{
    uint8_t in_bank[VG_BANKS] = {0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = ++in_bank[words[i] % VG_BANKS];
        most = count > most ? count : most;
    }
    return most;
}

uint32_t vg_wavefronts(const struct vg_access *a, uint32_t *phases)
{
    uint32_t per_phase = a->bytes <= 4 ? 32 : a->bytes <= 8 ? 16 : 8;
    uint32_t lanes_of_first = per_phase == 32 ? UINT32_MAX : (1u << per_phase) - 1;
    uint32_t wavefronts = 0;
    *phases = 0;
    for (uint32_t lane = 0; lane < VG_LANES; lane += per_phase) {
        uint64_t words[5 * VG_LANES];
        uint32_t n = words_of_phase(a, a->mask & (lanes_of_first << lane), words);
        wavefronts += fullest_bank(words, n);
        *phases += n > 0;
    }
    return wavefronts;
}
