/* Bank conflicts: how many passes one warp-wide access of shared memory takes. Exercise e03.
 *
 * Shared memory has 32 banks; the 4-byte word number w lies in bank w mod 32. In one pass
 * (wavefront) a bank delivers one word, to any number of lanes (a broadcast). A wide access is
 * split into phases first, so that a phase never asks for more than 128 bytes:
 *
 *   bytes a lane   lanes of a phase   phases
 *   1, 2, 4        32                 1
 *   8              16 (half warp)     2
 *   16             8 (quarter warp)   4
 *
 * A phase with an active lane takes as many wavefronts as the fullest bank has distinct words; one
 * without takes none and does not count as a phase. Conflicts are wavefronts − phases.
 *
 * a->addr holds offsets in the block's shared memory, whose start is in bank 0. Only lanes in
 * a->mask count. A lane touches every word that one of its bytes lies in.
 *
 * Source: CUDA C++ Programming Guide, "Shared Memory" of each compute capability; Nsight Compute
 * documentation, "Metrics Decoder". Simplified: hardware's arbitration adds about 0.02 %, and
 * compute capability 7.0–7.5 finishes some paired 128-bit loads in 2 wavefronts.
 * Thread-safety: any thread; no shared state.
 */
#ifndef VG_BANKS_H
#define VG_BANKS_H

#include "vg_access.h"

#define VG_BANKS      32
#define VG_WORD_BYTES 4

/* Wavefronts of a shared access; *phases gets the number of phases with an active lane. */
uint32_t vg_wavefronts(const struct vg_access *a, uint32_t *phases);

#endif
