/* Instructions of a warp as a whole: shuffles, votes, matches, reductions, warp and block barriers.
 * Private to the executor. */
#ifndef VG_WARPOPS_H
#define VG_WARPOPS_H

#include "vg_collective.h"
#include "vg_decode.h"
#include "vg_machine.h"
#include "vg_shfl.h"

/* What the lanes bring and what they get. A predicate operand is 0 or 1 in a[]. */
struct vg_exchange {
    uint32_t lanes; /* those that take part */
    uint64_t a[32];
    uint32_t b[32], c[32];
    uint32_t d[32], p; /* results: values, and a bit a lane */
};

/* The result for all lanes of x->lanes. */
void vg_collective(enum vg_collective op, struct vg_exchange *x);

/* vg_sync.c: the handler of them all. vg_insn: mods = enum vg_collective and flags, d result, e
 * predicate result, a b c operands, extra = slot of the member mask. */
enum vg_collective_mods {
    VG_COLL_OP = 0xFF,
    VG_COLL_SYNC = 0x100,    /* has a member mask, waits for it */
    VG_COLL_NEGATED = 0x200, /* the predicate operand */
    VG_COLL_PRED_A = 0x400,  /* a is a predicate */
    VG_COLL_WIDE_A = 0x800,  /* a has 64 bits */
    VG_COLL_PRED_D = 0x1000, /* d is a predicate */
};
void vg_op_collective(struct vg_warp *w, const struct vg_insn *i);
/* The handler for this decoded instruction: a shorter one (vg_warp_fast.c) or that one. */
vg_handler vg_fast_collective(const struct vg_insn *i);

int vg_decode_bar(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err);

#endif
