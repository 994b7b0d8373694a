/* Counts lanes, not words: a broadcast looks like a conflict.
 * REJECTED BY: lanes_that_read_one_word_share_a_wavefront
 */
#include "vg_banks.h"

uint32_t vg_wavefronts(const struct vg_access *a, uint32_t *phases)
{
    uint32_t per_phase = a->bytes <= 4 ? 32 : a->bytes <= 8 ? 16 : 8, wavefronts = 0;
    *phases = 0;
    for (uint32_t lane = 0; lane < VG_LANES; lane += per_phase) {
        uint32_t in_bank[VG_BANKS] = {0}, most = 0;
        for (uint32_t i = lane; i < lane + per_phase; i++) {
            for (uint32_t byte = 0; (a->mask >> i & 1) != 0 && byte < a->bytes; byte += 4) {
                uint32_t n = ++in_bank[(a->addr[i] + byte) / VG_WORD_BYTES % VG_BANKS];
                most = n > most ? n : most;
            }
        }
        wavefronts += most;
        *phases += most > 0;
    }
    return wavefronts;
}
