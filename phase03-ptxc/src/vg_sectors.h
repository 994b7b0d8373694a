/* Sectors: how many aligned 32-byte chunks of memory one warp-wide access touches. Exercise e02.
 *
 * Global memory moves in sectors. However few bytes of a sector the lanes ask for, the whole of it
 * comes; and lanes that ask for the same sector share it. So the cost of a request is its number of
 * distinct sectors: 32 lanes that read neighbouring floats touch 4, a broadcast 1, floats a row
 * apart 32.
 *
 * Only lanes in a->mask count: the address of another lane is garbage. A lane touches every sector
 * that one of its a->bytes bytes lies in: one for a naturally aligned access, at most two for any
 * access of 1 to 16 bytes. An empty mask touches none.
 *
 * Source: Nsight Compute documentation, "Metrics Decoder", L1/TEX cache; CUDA C++ Best Practices
 * Guide, "Coalesced Access to Global Memory". Thread-safety: any thread; no shared state.
 */
#ifndef VG_SECTORS_H
#define VG_SECTORS_H

#include "vg_access.h"

#define VG_SECTOR_BYTES 32

/* Distinct 32-byte sectors the access touches: 0 … 64. */
uint32_t vg_sectors(const struct vg_access *a);

#endif
