/* Independent thread scheduling: every lane has a pc of its own. (Exercise e06_its.)
 *
 * In each step one group of lanes that stand at the same pc issues together. The choice decides
 * whether a lane that others wait for ever gets to run.
 */
#ifndef SIMT_ITS_H
#define SIMT_ITS_H

#include <stdint.h>

#include "simt_isa.h"

#define SIMT_NO_PC UINT32_MAX /* "nothing has been issued yet": no pc is higher */

/* The lanes that issue next. Of the lanes in `runnable` (never 0), take those at the lowest pc that
 * is higher than `last_pc`, the pc that was issued last; if there is none, those at the lowest pc
 * of all. All runnable lanes at that pc, no other lane. Going around like this, no pc waits for
 * longer than one round through the program. `pc` has SIMT_LANES entries; entries of lanes that are
 * not runnable mean nothing. Thread-safety: no shared state. */
uint32_t simt_its_pick(const uint32_t *pc, uint32_t runnable, uint32_t last_pc);

#endif
