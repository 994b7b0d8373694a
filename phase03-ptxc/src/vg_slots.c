/* The register file of a decoded function: who lies where.
 *
 * Problem: a handler must find its operands with one addition. So every operand, be it a register,
 * a literal, a special register or the address of a variable, becomes an array over the 32 lanes at
 * a fixed byte offset (a slot) of the frame, and slots are handed out as the body names things.
 * Equal constants share a slot.
 *
 * Registers that are never alive at the same time share slots, which keeps a warp's frame in the
 * host's first-level cache: a linear scan over their spans (Poletto and Sarkar 1999, "Linear Scan
 * Register Allocation"), without spilling. That lanes may stand at different instructions is no
 * hindrance: a lane only ever looks at its own column of a slot.
 *
 * Invariants: a slot is aligned to 64 bytes but for predicates (4), never moves, and is as wide as
 * its type; constants and special registers are written when the frame is made and never again. An
 * instruction's results never share a slot with its operands.
 *
 * Simplified: hardware has 255 registers a thread, and ptxas spills what does not fit.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "vg_decode.h"

uint32_t vg_slot_bytes(enum ptx_type type)
{
    if (type == PTX_PRED) {
        return 4;
    }
    unsigned size = ptx_type_size(type);
    return VG_LANES * (size < 2 ? 2 : size);
}

static uint32_t slot_new(struct vg_decoder *d, enum ptx_type type)
{
    uint32_t bytes = vg_slot_bytes(type);
    uint32_t align = bytes < 64 ? bytes : 64;
    uint32_t at = (d->code->frame_bytes + align - 1) & ~(align - 1);
    d->code->frame_bytes = at + bytes;
    return at;
}

uint32_t vg_slot_scratch(struct vg_decoder *d, enum ptx_type type)
{
    return slot_new(d, type);
}

/* --- registers --- */

struct wanted {
    const struct ptx_var *var;
    struct vg_span span;
};

static int by_first(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    if (x->span.first != y->span.first) {
        return x->span.first < y->span.first ? -1 : 1;
    }
    return x->var->reg_index < y->var->reg_index ? -1 : x->var->reg_index > y->var->reg_index;
}

/* Slots of one width: those in use with the end of their span, in no order, and free ones. */
struct width_class {
    struct in_use {
        uint32_t last, slot;
    } * used;
    uint32_t nused;
    uint32_t *spare;
    uint32_t nspare;
};

static void retire_slots(struct width_class *c, uint32_t pc)
{
    for (uint32_t k = 0; k < c->nused;) {
        if (c->used[k].last < pc) {
            c->spare[c->nspare++] = c->used[k].slot;
            c->used[k] = c->used[--c->nused];
        } else {
            k++;
        }
    }
}

static unsigned class_of(enum ptx_type type)
{
    return type == PTX_PRED ? 0 : (unsigned)__builtin_ctz(vg_slot_bytes(type)) - 5;
}

static void assign_in_order(struct vg_decoder *d, struct wanted *list, uint32_t n)
{
    struct width_class classes[6] = {{NULL, 0, NULL, 0}};
    for (unsigned k = 0; k < 6; k++) {
        classes[k].used = lab_alloc(n + 1u, sizeof(*classes[k].used));
        classes[k].spare = lab_alloc(n + 1u, sizeof(*classes[k].spare));
    }
    for (uint32_t k = 0; k < n; k++) {
        struct width_class *c = &classes[class_of(list[k].var->type)];
        retire_slots(c, list[k].span.first);
        uint32_t slot = c->nspare > 0 ? c->spare[--c->nspare] : slot_new(d, list[k].var->type);
        if (list[k].span.last != UINT32_MAX) {
            c->used[c->nused++] = (struct in_use){list[k].span.last, slot};
        }
        d->code->reg_slot[list[k].var->reg_index] = slot;
    }
    for (unsigned k = 0; k < 6; k++) {
        free(classes[k].used);
        free(classes[k].spare);
    }
}

void vg_slots_assign(struct vg_decoder *d, const struct vg_span *spans)
{
    struct wanted *list = lab_alloc(d->f->nregs + 1u, sizeof(*list));
    uint32_t n = 0;
    for (const struct ptx_var *v = d->f->regs; v != NULL; v = v->next) {
        list[n++] = (struct wanted){v, spans[v->reg_index]};
    }
    qsort(list, n, sizeof(*list), by_first);
    assign_in_order(d, list, n);
    free(list);
}

uint32_t vg_slot_var(struct vg_decoder *d, const struct ptx_var *var)
{
    uint32_t *slot = &d->code->reg_slot[var->reg_index];
    if (*slot == VG_NO_SLOT) {
        *slot = slot_new(d, var->type);
    }
    return *slot;
}

static uint64_t fill_hash(const struct vg_fill *f)
{
    uint64_t h = f->bits * 0x9E3779B97F4A7C15ull + (uint64_t)f->kind * 0xC2B2AE3D27D4EB4Full +
                 vg_slot_bytes(f->type);
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    return h ^ (h >> 32);
}

static bool fill_equal(const struct vg_fill *a, const struct vg_fill *b)
{
    return a->kind == b->kind && a->bits == b->bits &&
           vg_slot_bytes(a->type) == vg_slot_bytes(b->type);
}

static void table_grow(struct vg_decoder *d)
{
    uint32_t size = d->const_mask != 0 ? (d->const_mask + 1) * 2 : 64;
    free(d->const_table);
    d->const_table = lab_alloc(size, sizeof(*d->const_table));
    d->const_mask = size - 1;
    for (uint32_t k = 0; k < d->code->nfills; k++) {
        uint64_t h = fill_hash(&d->code->fills[k]);
        while (d->const_table[h & d->const_mask] != 0) {
            h++;
        }
        d->const_table[h & d->const_mask] = k + 1;
    }
}

/* The slot that is filled so, made when it is new. */
static uint32_t slot_filled(struct vg_decoder *d, struct vg_fill f)
{
    struct vg_code *c = d->code;
    if (d->const_table == NULL || c->nfills * 2 > d->const_mask) {
        table_grow(d);
    }
    uint64_t h = fill_hash(&f);
    for (; d->const_table[h & d->const_mask] != 0; h++) {
        const struct vg_fill *old = &c->fills[d->const_table[h & d->const_mask] - 1];
        if (fill_equal(old, &f)) {
            return old->slot;
        }
    }
    if (c->nfills == d->fills_cap) {
        d->fills_cap = d->fills_cap != 0 ? d->fills_cap * 2 : 32;
        c->fills = lab_resize(c->fills, d->fills_cap, sizeof(*c->fills));
    }
    f.slot = slot_new(d, f.type);
    c->fills[c->nfills++] = f;
    d->const_table[h & d->const_mask] = c->nfills;
    return f.slot;
}

uint32_t vg_slot_const(struct vg_decoder *d, uint64_t bits, enum ptx_type type)
{
    unsigned size = ptx_type_size(type);
    if (type == PTX_PRED) {
        bits = bits != 0 ? 1 : 0;
    } else if (size < 8) {
        bits &= (1ull << (size * 8)) - 1;
    }
    return slot_filled(d, (struct vg_fill){VG_FILL_CONST, type, 0, bits});
}

uint32_t vg_slot_frame(struct vg_decoder *d)
{
    return slot_filled(d, (struct vg_fill){VG_FILL_LOCAL, PTX_B64, 0, 0});
}

static bool is_float_only(enum ptx_type t)
{
    return t == PTX_F32 || t == PTX_F64;
}

/* A literal as `type`; the bits as written for the untyped and the float of its own size. */
static uint32_t slot_literal(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                             struct lab_err *err)
{
    bool fits = true;
    if (op->kind == PTX_OP_INT) {
        fits = !is_float_only(type);
    } else if (op->kind == PTX_OP_F32) {
        fits = type == PTX_F32 || type == PTX_B32;
    } else {
        fits = type == PTX_F64 || type == PTX_B64;
    }
    if (!fits) {
        vg_decode_error(d, d->in, err, "this constant cannot be read as .%s", ptx_type_name(type));
        return VG_NO_SLOT;
    }
    return vg_slot_const(d, (uint64_t)op->i, type);
}

static uint32_t slot_sreg(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                          struct lab_err *err)
{
    switch (op->sreg) {
    case PTX_CLOCK:
    case PTX_CLOCK_HI:
    case PTX_CLOCK64:
    case PTX_GLOBALTIMER:
    case PTX_GLOBALTIMER_LO:
    case PTX_GLOBALTIMER_HI:
        vg_decode_error(d, d->in, err, "%s can only be read by mov", ptx_sreg_name(op->sreg));
        return VG_NO_SLOT;
    default: break;
    }
    uint64_t bits = (uint64_t)op->sreg | (uint64_t)op->i << 32;
    return slot_filled(d, (struct vg_fill){VG_FILL_SREG, type, 0, bits});
}

/* Variables of the frame's local memory; the parameters of a kernel lie in its parameter block. */
static bool frame_symbol(struct vg_decoder *d, const struct ptx_operand *op, struct vg_fill *f)
{
    uint32_t place = vg_code_home(d->code, op->var);
    if (place != VG_NO_SLOT) {
        f->kind = VG_FILL_LOCAL;
        f->bits = place + (uint64_t)op->i;
        return true;
    }
    if (op->var->space == PTX_SPACE_PARAM) {
        f->bits = op->var->param_offset + (uint64_t)op->i;
        return true;
    }
    return false;
}

static uint32_t slot_symbol(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                            struct lab_err *err)
{
    struct vg_fill f = {VG_FILL_CONST, type, 0, 0};
    const char *name = op->kind == PTX_OP_FUNC ? op->func->name : op->var->name;
    unsigned size = ptx_type_size(type);
    if (size < 4) {
        vg_decode_error(d, d->in, err, "the address of '%s' needs 32 or 64 bits", name);
        return VG_NO_SLOT;
    }
    int got = 0;
    if (op->kind == PTX_OP_FUNC) {
        got = d->symbols == NULL ? -1 : d->symbols->func(d->symbols->ctx, op->func, &f.bits);
    } else if (!frame_symbol(d, op, &f)) {
        got = d->symbols == NULL ? -1 : d->symbols->var(d->symbols->ctx, op->var, &f.bits);
        f.bits += (uint64_t)op->i;
    }
    if (got < 0) {
        vg_decode_error(d, d->in, err, "'%s' has no definition in this module", name);
        return VG_NO_SLOT;
    }
    if (size == 4 && f.bits > UINT32_MAX) {
        vg_decode_error(d, d->in, err, "the address of '%s' does not fit 32 bits", name);
        return VG_NO_SLOT;
    }
    return slot_filled(d, f);
}

uint32_t vg_slot_relaxed(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                         struct lab_err *err)
{
    switch (op->kind) {
    case PTX_OP_REG:
        if ((op->var->type == PTX_PRED) != (type == PTX_PRED) ||
            ptx_type_size(op->var->type) < ptx_type_size(type)) {
            vg_decode_error(d, d->in, err, "%s is a .%s register, expected .%s", op->var->name,
                            ptx_type_name(op->var->type), ptx_type_name(type));
            return VG_NO_SLOT;
        }
        return vg_slot_var(d, op->var);
    case PTX_OP_INT:
    case PTX_OP_F32:
    case PTX_OP_F64: return slot_literal(d, op, type, err);
    case PTX_OP_SREG: return slot_sreg(d, op, type, err);
    case PTX_OP_SYM:
    case PTX_OP_FUNC: return slot_symbol(d, op, type, err);
    default:
        vg_decode_error(d, d->in, err, "expected a register or a constant of .%s",
                        ptx_type_name(type));
        return VG_NO_SLOT;
    }
}

uint32_t vg_slot(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                 struct lab_err *err)
{
    if (op->kind == PTX_OP_REG && ptx_type_size(op->var->type) != ptx_type_size(type)) {
        vg_decode_error(d, d->in, err, "%s is a .%s register, expected .%s", op->var->name,
                        ptx_type_name(op->var->type), ptx_type_name(type));
        return VG_NO_SLOT;
    }
    return vg_slot_relaxed(d, op, type, err);
}

uint32_t vg_side_table(struct vg_decoder *d, const uint32_t *words, uint32_t n)
{
    struct vg_code *c = d->code;
    while (c->nside + n > d->side_cap) {
        d->side_cap = d->side_cap != 0 ? d->side_cap * 2 : 64;
        c->side = lab_resize(c->side, d->side_cap, sizeof(*c->side));
    }
    memcpy(c->side + c->nside, words, n * sizeof(*words));
    c->nside += n;
    return c->nside - n;
}

const uint32_t *vg_extra(const struct vg_warp *w, const struct vg_insn *i)
{
    return w->code->side + i->extra;
}

static void fill_words(uint64_t *at, unsigned n, uint64_t pattern)
{
    for (unsigned k = 0; k < n; k++) {
        at[k] = pattern;
    }
}

void vg_slot_fill(uint8_t *frame, uint32_t slot, enum ptx_type type, uint64_t bits)
{
    uint64_t *at = (uint64_t *)(void *)(frame + slot);
    if (type == PTX_PRED) {
        *(uint32_t *)(void *)(frame + slot) = bits != 0 ? UINT32_MAX : 0;
        return;
    }
    switch (ptx_type_size(type)) {
    case 4: fill_words(at, VG_LANES / 2, (uint32_t)bits * 0x100000001ull); break;
    case 8: fill_words(at, VG_LANES, bits); break;
    case 16:
        fill_words(at, VG_LANES, bits);
        fill_words(at + VG_LANES, VG_LANES, 0);
        break;
    default: fill_words(at, VG_LANES / 4, (uint16_t)bits * 0x1000100010001ull); break;
    }
}

void vg_frame_constants(const struct vg_code *c, uint8_t *frame)
{
    memset(frame, 0, c->frame_bytes);
    for (uint32_t k = 0; k < c->nfills; k++) {
        if (c->fills[k].kind == VG_FILL_CONST) {
            vg_slot_fill(frame, c->fills[k].slot, c->fills[k].type, c->fills[k].bits);
        }
    }
}

void vg_frame_clear(const struct vg_code *c, uint8_t *frame)
{
    for (uint32_t k = 0; k < c->nunset; k += 2) {
        memset(frame + c->unset[k], 0, c->unset[k + 1]);
    }
}
