/* Inside the decoder: what the families that belong to the machine (memory, warp, control) know of
 * it beyond vg_exec.h. */
#ifndef VG_DECODE_H
#define VG_DECODE_H

#include "ptx_cfg.h"
#include "vg_code.h"
#include "vg_live.h"

struct vg_decoder {
    const struct ptx_module *m;
    const struct ptx_func *f;
    const struct vg_symbols *symbols;
    struct ptx_cfg cfg;
    struct vg_code *code;
    const struct ptx_insn *in; /* the instruction at hand */
    struct lab_err *err;       /* where to say what is wrong with it */
    uint32_t pc;
    uint32_t fills_cap, side_cap;
    uint32_t *const_table; /* open addressing: index into fills plus one, 0 free */
    uint32_t const_mask;
};

/* Say what the instruction at hand is to the machine: bits of enum vg_class. */
void vg_decode_mark(struct vg_decoder *d, uint16_t classes);
/* Something may arrive at `pc`: a straight run ends before it. PTX_NO_INSN is ignored. */
void vg_decode_leader(struct vg_decoder *d, uint32_t pc);
/* The frame's local-memory offset of a .local or call .param variable, or VG_NO_SLOT. */
uint32_t vg_code_home(const struct vg_code *c, const struct ptx_var *var);
/* Where the value of a parameter of the function, or of a variable of a call, lies. */
struct vg_value vg_value_of(struct vg_decoder *d, const struct ptx_var *var);
/* vg_lines.c: let accesses that use an address register again take its line from the first one. */
void vg_lines_share(struct vg_decoder *d);
/* Slots for all registers of the function; two whose spans do not meet may share one. */
void vg_slots_assign(struct vg_decoder *d, const struct vg_span *spans);
/* A slot with the frame's base in local memory. */
uint32_t vg_slot_frame(struct vg_decoder *d);
/* The slot of a register variable. */
uint32_t vg_slot_var(struct vg_decoder *d, const struct ptx_var *var);

#endif
