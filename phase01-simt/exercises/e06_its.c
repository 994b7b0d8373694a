/* Exercise e06_its: every lane has a pc; which group of lanes issues next?
 *
 * Contract (src/simt_its.h). Among the runnable lanes (there is at least one), take the lowest pc
 * that is higher than last_pc; if there is none, the lowest of all. Return the mask of all runnable
 * lanes at that pc. SIMT_NO_PC as last_pc means that nothing was issued yet: no pc is higher.
 *
 * HINT 1: entries of lanes that are not runnable mean nothing, and may look like the best choice.
 * HINT 2: two passes are the clearest: first find the pc, then collect its lanes.
 * HINT 3: think of kernels/spinlock.simt. With "always the lowest pc", which lanes run for ever?
 */
#include "lab/err.h"
#include "simt_its.h"

uint32_t simt_its_pick(const uint32_t *pc, uint32_t runnable, uint32_t last_pc)
{
    (void)pc;
    (void)runnable;
    (void)last_pc;
    LAB_TODO("e06_its");
}
