/* Function calls: frames, arguments and results.
 *
 * Problem: a called function has registers of its own, for the lanes that called it only, and those
 * lanes may come back one by one.
 *
 * Model: a call takes a frame from the block's pool, a register file laid out by the callee's
 * decoder, copies the arguments into it, and makes a group in which the lanes gather at the end
 * (vg_frag.c). Two sets of lanes that call the same function at different times get two frames.
 * Parameters in .param space and .local variables lie in the lanes' local memory, behind those of
 * the caller, so their addresses are ordinary local addresses.
 *
 * Invariants: a frame in use belongs to one call; frame->local_base + its bytes stays below
 * block->local_bytes.
 *
 * Simplified: the ABI of hardware passes arguments in registers; ptxas inlines most calls.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_call.h"
#include "vg_lanes.h"
#include "vg_launch.h"
#include "vg_local.h"
#include "vg_sreg.h"

void vg_frame_fill(struct vg_warp *w, struct vg_frame *f)
{
    const struct vg_code *c = f->code;
    for (uint32_t k = 0; k < c->nfills; k++) {
        const struct vg_fill *p = &c->fills[k];
        if (p->kind == VG_FILL_LOCAL) {
            vg_slot_fill(f->regs, p->slot, p->type, p->bits + f->local_base);
        } else if (p->kind == VG_FILL_SREG) {
            vg_sreg_fill(w, f->regs + p->slot, p);
        }
    }
}

static struct vg_frame *frame_from_pool(struct vg_block *b, const struct vg_code *code)
{
    for (struct vg_frame **p = &b->free_frames; *p != NULL; p = &(*p)->next_free) {
        if ((*p)->code == code) {
            struct vg_frame *f = *p;
            *p = f->next_free;
            return f;
        }
    }
    return NULL;
}

static struct vg_frame *frame_make(struct vg_block *b, const struct vg_code *code)
{
    struct vg_frame *f = lab_alloc(1, sizeof(*f));
    f->regs = aligned_alloc(64, code->frame_bytes + 64u);
    LAB_ASSERT(f->regs != NULL);
    f->code = code;
    vg_frame_constants(code, f->regs);
    f->next_all = b->all_frames;
    b->all_frames = f;
    return f;
}

struct vg_frame *vg_frame_push(struct vg_warp *w, const struct vg_code *code,
                               const struct vg_insn *i)
{
    struct vg_frame *caller = w->m->frame;
    uint64_t base = caller->local_base + caller->code->local_bytes;
    if (caller->depth >= VG_CALL_LIMIT || base + code->local_bytes > w->block->local_bytes) {
        vg_fault(w, i, VGPU_TRAP, w->exec, 0,
                 "stack overflow: %u calls deep in '%s', %llu bytes of local memory a thread",
                 caller->depth, code->func->name, (unsigned long long)w->block->local_bytes);
        return NULL;
    }
    struct vg_frame *f = frame_from_pool(w->block, code);
    if (f == NULL) {
        f = frame_make(w->block, code);
    } else {
        vg_frame_clear(code, f->regs);
    }
    f->local_base = (uint32_t)base;
    f->depth = caller->depth + 1;
    f->call = i;
    f->caller = caller;
    vg_frame_fill(w, f);
    return f;
}

void vg_frame_drop(struct vg_warp *w, struct vg_frame *f)
{
    f->next_free = w->block->free_frames;
    w->block->free_frames = f;
}

/* One 4-byte word of a value over all lanes, wherever it lies. */
static void word_get(const struct vg_warp *w, const struct vg_place_of *from, uint32_t word,
                     uint32_t *out)
{
    const struct vg_frame *f = from->frame;
    const struct vg_value *v = from->value;
    const uint8_t *slot = f->regs + v->at;
    if (!v->in_register) {
        memcpy(out, vg_local_row(w, f->local_base + v->at + word * 4), sizeof(uint32_t[VG_LANES]));
        return;
    }
    VG_FOR_LANES(l)
    {
        switch (v->bytes) {
        case 8:
            out[l] = (uint32_t)(((const uint64_t *)(const void *)slot)[l] >> (32 * word));
            break;
        case 4: out[l] = ((const uint32_t *)(const void *)slot)[l]; break;
        default: out[l] = ((const uint16_t *)(const void *)slot)[l]; break;
        }
    }
}

static void lane_put(uint8_t *slot, const struct vg_value *v, uint32_t word, unsigned l,
                     uint32_t bits)
{
    uint64_t *wide = (uint64_t *)(void *)slot + l;
    switch (v->bytes) {
    case 8:
        *wide = (*wide & ~(0xFFFFFFFFull << (32 * word))) | (uint64_t)bits << (32 * word);
        break;
    case 4: ((uint32_t *)(void *)slot)[l] = bits; break;
    default: ((uint16_t *)(void *)slot)[l] = (uint16_t)bits; break;
    }
}

static void word_put(const struct vg_warp *w, const struct vg_place_of *to, uint32_t word,
                     const uint32_t *in, uint32_t lanes)
{
    const struct vg_frame *f = to->frame;
    const struct vg_value *v = to->value;
    uint32_t *row = v->in_register ? NULL : vg_local_row(w, f->local_base + v->at + word * 4);
    VG_FOR_MASK(l, lanes)
    {
        if (row != NULL) {
            row[l] = in[l];
        } else {
            lane_put(f->regs + v->at, v, word, l, in[l]);
        }
    }
}

void vg_value_copy(const struct vg_warp *w, const struct vg_place_of *to,
                   const struct vg_place_of *from, uint32_t lanes)
{
    uint32_t bytes = to->value->bytes < from->value->bytes ? to->value->bytes : from->value->bytes;
    uint32_t row[VG_LANES];
    for (uint32_t word = 0; word * 4 < bytes; word++) {
        word_get(w, from, word, row);
        word_put(w, to, word, row, lanes);
    }
}

void vg_call_results(struct vg_warp *w, struct vg_frame *callee, uint32_t lanes)
{
    const struct vg_code *caller = callee->caller->code;
    const struct vg_call *call = vg_call_at(caller, callee->call);
    uint32_t n = callee->code->func->nreturns;
    for (uint32_t k = 0; k < n && k < call->nreturns; k++) {
        vg_value_copy(w, &(struct vg_place_of){callee->caller, &call->returns[k]},
                      &(struct vg_place_of){callee, &callee->code->returns[k]}, lanes);
    }
}
