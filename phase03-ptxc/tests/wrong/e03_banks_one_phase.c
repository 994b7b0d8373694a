/* Treats wide accesses as one phase.
 * REJECTED BY: sixteen_byte_lanes_go_by_quarter_warps
 */
#include "vg_banks.h"
#include "vg_distinct.h"

uint32_t vg_wavefronts(const struct vg_access *a, uint32_t *phases)
{
    uint64_t words[5 * VG_LANES];
    uint32_t n = 0, in_bank[VG_BANKS] = {0}, most = 0;
    for (uint32_t lanes = a->mask; lanes != 0; lanes &= lanes - 1) {
        for (uint32_t byte = 0; byte < a->bytes; byte += 4) {
            words[n++] = (a->addr[__builtin_ctz(lanes)] + byte) / VG_WORD_BYTES;
        }
    }
    n = vg_distinct(words, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = ++in_bank[words[i] % VG_BANKS];
        most = count > most ? count : most;
    }
    *phases = n > 0;
    return most;
}
