/* When are two accesses of one byte of shared memory a hazard? Exercise e06.
 *
 * Two accesses of the same byte are in order when
 *   - they are by the same thread, or
 *   - the later thread has seen a synchronisation (a barrier, a __syncwarp of both lanes) that the
 *     earlier thread took part in after its access.
 * The order is kept with a clock of the block that ticks at every synchronisation: an access is
 * stamped with the time it was made at, and a thread knows for every other thread up to which time
 * it has seen that thread's accesses (`seen`, inclusive).
 *
 * Two accesses that are not in order are a hazard unless
 *   - both only read, or
 *   - both are atomic (the hardware serialises them), or
 *   - they are stores of the same value by lanes of one and the same warp instruction.
 * An atomic reads and writes: here it counts as a write. The name says what happened, in the order
 * in which it happened to run: a read after a write, a write after a read, a write after a write.
 *
 * Source of the names: compute-sanitizer documentation, "Racecheck Tool", "What are Hazards?".
 * The order is Lamport's happened-before (1978) with barriers as the only messages. Thread-safety:
 * any thread; no shared state.
 */
#ifndef VG_HAZARD_H
#define VG_HAZARD_H

#include <stdint.h>

#include "vg_access.h"

enum vg_hazard { VG_NO_HAZARD, VG_HAZARD_RAW, VG_HAZARD_WAR, VG_HAZARD_WAW };

/* How two accesses stand to each other in the program. */
enum vg_apart {
    VG_TWO_INSTRUCTIONS,  /* different instructions, or the same one executed twice */
    VG_ONE_INSTRUCTION,   /* two lanes of one warp instruction */
    VG_ONE_AND_SAME_VALUE /* the same, and the byte they store is the same */
};

struct vg_touch {
    enum vg_access_kind kind; /* VG_ASYNC_COPY is a store */
    uint32_t thread;          /* in the block: 32 · warp + lane */
    uint32_t stamp;           /* the block's clock at the access */
};

/* `then` came first. `seen`: up to which stamp the thread of `now` has seen the accesses of the
 * thread of `then`. */
enum vg_hazard vg_hazard_rule(const struct vg_touch *then, const struct vg_touch *now,
                              uint32_t seen, enum vg_apart apart);

#endif
