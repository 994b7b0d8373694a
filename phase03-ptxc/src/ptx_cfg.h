/* Control flow of one PTX function: basic blocks and immediate post-dominators.
 *
 * A divergent branch reconverges at the immediate post-dominator of its block: the first
 * instruction every path from the branch must pass (Fung et al. 2007, "Dynamic Warp Formation",
 * MICRO-40). Post-dominators by the iterative algorithm of Cooper, Harvey and Kennedy (2001).
 */
#ifndef PTX_CFG_H
#define PTX_CFG_H

#include "ptx.h"

#define PTX_NO_INSN UINT32_MAX

struct ptx_block {
    uint32_t first, end; /* instructions [first, end) */
    /* Block numbers, the next block first, each once. A block that ends in ret, exit or trap has
     * none; when those are guarded, the next block, and the function's end beside it. */
    const uint32_t *succ;
    uint32_t nsucc;
    uint32_t ipdom; /* block number; PTX_NO_INSN: only the function's end post-dominates it */
};

struct ptx_cfg {
    struct ptx_block *blocks;
    uint32_t nblocks;
    uint32_t *block_of; /* by instruction */
    void *memory;
};

int ptx_cfg_build(const struct ptx_func *f, struct ptx_cfg *cfg, struct lab_err *err);
void ptx_cfg_fini(struct ptx_cfg *cfg);

/* Where lanes that part at instruction `pc` meet again: an instruction index, or PTX_NO_INSN when
 * only at the function's end. */
uint32_t ptx_cfg_reconv(const struct ptx_cfg *cfg, uint32_t pc);

#endif
