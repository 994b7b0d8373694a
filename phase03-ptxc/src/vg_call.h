/* Values between frames. Private to calls and built-in functions. */
#ifndef VG_CALL_H
#define VG_CALL_H

#include "vg_decode.h"
#include "vg_machine.h"

struct vg_place_of {
    const struct vg_frame *frame;
    const struct vg_value *value;
};

/* Copy a value for `lanes`, the shorter length of the two. */
void vg_value_copy(const struct vg_warp *w, const struct vg_place_of *to,
                   const struct vg_place_of *from, uint32_t lanes);

static inline const struct vg_call *vg_call_at(const struct vg_code *c, const struct vg_insn *i)
{
    return &c->calls[i->extra];
}

/* The built-in function of this name, NULL when there is none: vprintf, malloc, free, __assertfail.
 */
vg_handler vg_builtin_find(const char *name);

/* An argument of the call at i, as 64 bits, for one lane; a result likewise. */
uint64_t vg_arg(const struct vg_warp *w, const struct vg_insn *i, uint32_t k, unsigned lane);
void vg_result(const struct vg_warp *w, const struct vg_insn *i, unsigned lane, uint64_t value);

/* vg_callop.c: the family of `call`. */
int vg_decode_call(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err);

#endif
