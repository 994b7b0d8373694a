/* Exercise e03: count the wavefronts of one warp-wide access of shared memory.
 *
 * The contract stands in src/vg_banks.h. Shared memory has 32 banks of 4-byte words; lanes that
 * want different words of one bank wait for each other.
 *
 * HINT 1: Start with accesses of 4 bytes: the word is the address divided by 4, its bank the word
 *         modulo 32. Count how many different words each bank is asked for; the largest count is
 *         the answer. Lanes that want the same word are served together, so drop repeated words
 *         first (vg_distinct).
 * HINT 2: Accesses of 8 bytes are split: lanes 0 … 15 are one phase, lanes 16 … 31 another.
 *         Those of 16 bytes have four phases of 8 lanes. The wavefronts of the phases add up.
 *
 * HINT 3: A phase none of whose lanes is in a->mask takes no wavefront and is not counted in
 *         *phases. A lane of 8 bytes wants two words, one of 16 bytes four.
 */
#include "lab/err.h"
#include "vg_banks.h"

uint32_t vg_wavefronts(const struct vg_access *a, uint32_t *phases)
{
    (void)a;
    (void)phases;
    LAB_TODO("e03_banks");
}
