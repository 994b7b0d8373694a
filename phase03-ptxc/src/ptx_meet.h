/* Where lanes that parted meet again. Exercise e04.
 *
 * When the lanes of a warp disagree at a branch, they run its arms one after the other and go on
 * together from the first point that every path from the branch must pass: the branch's immediate
 * post-dominator. For one block with two successors it is found like this. Every block b has a
 * chain to the function's end,
 *
 *   b, ipdom[b], ipdom[ipdom[b]], … end
 *
 * of all the blocks that every path from b passes, in order. Whatever both arms must pass lies on
 * both of their chains, so the arms meet at the first block that the two chains share; and as the
 * end is on every chain, there is one.
 *
 * Blocks are numbered so that the search needs no marks: rank[ipdom[b]] > rank[b] for every block
 * but the end, whose rank is the highest and whose ipdom is itself. Ranks of different blocks
 * differ. So of two blocks that are not the same, the one with the lower rank cannot be on the
 * other's chain.
 *
 * Source: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), function
 * `intersect`; reconvergence at the immediate post-dominator: Fung et al. (2007), "Dynamic Warp
 * Formation". Thread-safety: any thread; no shared state.
 */
#ifndef PTX_MEET_H
#define PTX_MEET_H

#include <stdint.h>

struct ptx_chains {
    const uint32_t *ipdom; /* by block: the next block of its chain */
    const uint32_t *rank;  /* by block */
};

/* The first block that is on the chains of both a and b; a itself when a == b. */
uint32_t ptx_meet(const struct ptx_chains *chains, uint32_t a, uint32_t b);

#endif
