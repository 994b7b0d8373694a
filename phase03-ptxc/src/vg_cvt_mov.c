/* Problem: mov copies a register, packs several into one, or takes one apart; cvta and isspacep
 * turn addresses of one state space into generic ones and back. Model: a vector operand's registers
 * stand in the side table, lowest part first. A generic address has the window of its space in the
 * upper half (vg_exec.h); global addresses and those of constants are generic as they are.
 * Invariants: a packed register is read or written as a whole before its parts.
 * Simplified: a GPU finds out about windows by comparing; here the upper half names them.
 */
#include "vg_cvt.h"
#include "vg_lanes.h"

#define MAX_PARTS 8

VG_UNARY(h_mov_16, uint16_t, uint16_t, a)
VG_UNARY(h_mov_32, uint32_t, uint32_t, a)
VG_UNARY(h_mov_64, uint64_t, uint64_t, a)

static void h_mov_pred(struct vg_warp *w, const struct vg_insn *i)
{
    vg_put_pred(w, i->d, VG_PRED(w, i->a));
}

static void h_mov_128(struct vg_warp *w, const struct vg_insn *i)
{
    const uint64_t *a = VG_U64(w, i->a);
    uint64_t *d = VG_U64(w, i->d);
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        d[l] = a[l];
        d[l + VG_LANES] = a[l + VG_LANES];
    }
}

/* The two packings that compilers use most. */
VG_BINARY(h_pack_2x16, uint32_t, uint16_t, uint16_t, a | (uint32_t)b << 16)
VG_BINARY(h_pack_2x32, uint64_t, uint32_t, uint32_t, a | (uint64_t)b << 32)

/* --- any number of parts: mods is their number and, above, their bytes --- */

#define PARTS(i)      ((i)->mods & 15u)
#define PART_BYTES(i) ((i)->mods >> 4 & 15u)

static uint64_t part_load(const struct vg_warp *w, uint32_t slot, unsigned bytes, unsigned l)
{
    switch (bytes) {
    case 1: return VG_U16(w, slot)[l] & 0xFFu;
    case 2: return VG_U16(w, slot)[l];
    case 4: return VG_U32(w, slot)[l];
    default: return VG_U64(w, slot)[l];
    }
}

static void part_store(struct vg_warp *w, uint32_t slot, unsigned bytes, unsigned l, uint64_t v)
{
    switch (bytes) {
    case 1: VG_U16(w, slot)[l] = v & 0xFFu; break;
    case 2: VG_U16(w, slot)[l] = (uint16_t)v; break;
    case 4: VG_U32(w, slot)[l] = (uint32_t)v; break;
    default: VG_U64(w, slot)[l] = v; break;
    }
}

/* A register of 2 to 16 bytes as two 64-bit words, and back. */
static void whole_load(const struct vg_warp *w, uint32_t slot, unsigned bytes, unsigned l,
                       uint64_t word[2])
{
    word[0] = part_load(w, slot, bytes < 8 ? bytes : 8, l);
    word[1] = bytes == 16 ? VG_U64(w, slot)[l + VG_LANES] : 0;
}

static void whole_store(struct vg_warp *w, uint32_t slot, unsigned bytes, unsigned l,
                        const uint64_t word[2])
{
    part_store(w, slot, bytes < 8 ? bytes : 8, l, word[0]);
    if (bytes == 16) {
        VG_U64(w, slot)[l + VG_LANES] = word[1];
    }
}

static void h_pack(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *parts = vg_extra(w, i);
    unsigned bytes = PART_BYTES(i), n = PARTS(i);
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint64_t word[2] = {0, 0};
        for (unsigned k = 0; k < n; k++) {
            unsigned at = k * bytes;
            word[at / 8] |= part_load(w, parts[k], bytes, l) << (at % 8 * 8);
        }
        whole_store(w, i->d, n * bytes, l, word);
    }
}

static void h_unpack(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *parts = vg_extra(w, i);
    unsigned bytes = PART_BYTES(i), n = PARTS(i);
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint64_t word[2];
        whole_load(w, i->a, n * bytes, l, word);
        for (unsigned k = 0; k < n; k++) {
            unsigned at = k * bytes;
            if (parts[k] != VG_NO_SLOT) {
                part_store(w, parts[k], bytes, l, word[at / 8] >> (at % 8 * 8));
            }
        }
    }
}

/* --- decoding mov --- */

static enum ptx_type part_type(unsigned bytes)
{
    switch (bytes) {
    case 1: return PTX_B8;
    case 2: return PTX_B16;
    case 4: return PTX_B32;
    default: return PTX_B64;
    }
}

/* The slots of a vector operand's registers; `dest`: they are written. */
static int parts_slots(const struct vg_job *j, const struct ptx_operand *vec, bool dest,
                       enum ptx_type type, uint32_t *slots)
{
    for (unsigned k = 0; k < vec->nelems; k++) {
        const struct ptx_operand *op = &vec->elems[k];
        if (dest && op->kind == PTX_OP_SINK) {
            slots[k] = VG_NO_SLOT;
            continue;
        }
        slots[k] = dest ? vg_dest(j->d, j->in, op, type, j->err) : vg_slot(j->d, op, type, j->err);
        if (slots[k] == VG_NO_SLOT) {
            return -1;
        }
    }
    return 0;
}

static int decode_parts(const struct vg_job *j, enum ptx_type type)
{
    const struct ptx_insn *in = j->in;
    struct vg_insn *out = j->out;
    bool pack = in->ops[1].kind == PTX_OP_VEC;
    const struct ptx_operand *vec = &in->ops[pack ? 1 : 0], *whole = &in->ops[pack ? 0 : 1];
    unsigned size = ptx_type_size(type), n = vec->nelems, bytes = n != 0 ? size / n : 0;
    uint32_t slots[MAX_PARTS];
    bool fits = (n == 2 || n == 4 || n == 8) && bytes * n == size && bytes >= 1 && bytes <= 8;
    if (!fits || whole->kind == PTX_OP_VEC || type == PTX_PRED) {
        return vg_decode_error(j->d, in, j->err, "a .%s cannot be taken apart like this",
                               ptx_type_name(type));
    }
    if (parts_slots(j, vec, !pack, part_type(bytes), slots) < 0) {
        return -1;
    }
    uint32_t slot =
        pack ? vg_dest(j->d, in, whole, type, j->err) : vg_slot(j->d, whole, type, j->err);
    *(pack ? &out->d : &out->a) = slot;
    out->fn = pack ? h_pack : h_unpack;
    out->mods = n | bytes << 4;
    if (pack && n == 2 && (bytes == 2 || bytes == 4)) {
        out->fn = bytes == 2 ? h_pack_2x16 : h_pack_2x32;
        out->a = slots[0];
        out->b = slots[1];
    } else {
        out->extra = vg_side_table(j->d, slots, n);
    }
    return slot == VG_NO_SLOT ? -1 : 1;
}

static vg_handler mov_handler(enum ptx_type type)
{
    switch (type) {
    case PTX_PRED: return h_mov_pred;
    case PTX_B16:
    case PTX_U16:
    case PTX_S16: return h_mov_16;
    case PTX_B32:
    case PTX_U32:
    case PTX_S32:
    case PTX_F32: return h_mov_32;
    case PTX_B64:
    case PTX_U64:
    case PTX_S64:
    case PTX_F64: return h_mov_64;
    case PTX_B128: return h_mov_128;
    default: return NULL;
    }
}

int vg_decode_mov(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err)
{
    enum ptx_type type = in->nmods == 1 ? ptx_type_of_word(in->mods[0]) : PTX_NONE;
    out->fn = mov_handler(type);
    if (out->fn == NULL) {
        return vg_decode_error(d, in, err,
                               "mov needs one type: .pred, or .b, .u, .s, .f of its size");
    }
    if (in->nops != 2) {
        return vg_decode_error(d, in, err, "it takes 2 operands, not %u", in->nops);
    }
    if (in->ops[0].kind == PTX_OP_VEC || in->ops[1].kind == PTX_OP_VEC) {
        return decode_parts(&(struct vg_job){d, in, out, err}, type);
    }
    out->d = vg_dest(d, in, &in->ops[0], type, err);
    if (out->d == VG_NO_SLOT) {
        return -1;
    }
    out->a = vg_slot(d, &in->ops[1], type, err);
    return out->a == VG_NO_SLOT ? -1 : 1;
}

/* --- addresses --- */

VG_HANDLER(h_shift_window)
{
    const uint64_t *ra = VG_U64(w, i->a);
    const uint64_t by = (uint64_t)i->imm;
    VG_STORE_LANES(uint64_t, v = ra[l] + by);
}

static bool in_space(uint64_t addr, unsigned space)
{
    uint64_t window = addr & ~(VG_WINDOW_BYTES - 1);
    switch (space) {
    case PTX_SPACE_SHARED: return window == VG_SHARED_WINDOW;
    case PTX_SPACE_LOCAL: return window == VG_LOCAL_WINDOW;
    case PTX_SPACE_PARAM: return window == VG_PARAM_WINDOW;
    default: return window != VG_SHARED_WINDOW && window != VG_LOCAL_WINDOW;
    }
}

static void h_isspacep(struct vg_warp *w, const struct vg_insn *i)
{
    const uint64_t *a = VG_U64(w, i->a);
    uint32_t bits = 0;
    VG_FOR_LANES(l)
    {
        bits |= (uint32_t)in_space(a[l], i->mods & 15u) << l;
    }
    vg_put_pred(w, i->d, bits);
}

static bool address_space(const struct ptx_insn *in, unsigned *space, uint64_t *window)
{
    *window = 0;
    *space = ptx_insn_space(in);
    switch (*space) {
    case PTX_SPACE_GLOBAL:
    case PTX_SPACE_CONST: return true;
    case PTX_SPACE_SHARED: *window = VG_SHARED_WINDOW; return true;
    case PTX_SPACE_LOCAL: *window = VG_LOCAL_WINDOW; return true;
    case PTX_SPACE_PARAM: *window = VG_PARAM_WINDOW; return true;
    default: return false;
    }
}

/* cvta{.to}.space.u64 d, a; isspacep.space p, a. */
int vg_decode_address(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err)
{
    bool asks = in->op == PTX_W_isspacep, to = ptx_has(in, PTX_W_to);
    uint64_t window;
    unsigned space, words = (asks ? 1u : 2u) + to;
    if (in->nops != 2 || in->nmods != words || !address_space(in, &space, &window) ||
        (asks ? to : ptx_insn_type(in) != PTX_U64)) {
        return vg_decode_error(d, in, err, "expected %s",
                               asks ? "isspacep.space p, a" : "cvta{.to}.space.u64 d, a");
    }
    if (asks && space == PTX_SPACE_CONST) {
        return vg_decode_error(d, in, err,
                               "isspacep.const is not supported: constants lie in global "
                               "memory here");
    }
    out->mods = space;
    out->imm = (int64_t)(to ? 0 - window : window);
    out->fn = asks ? h_isspacep : window != 0 ? h_shift_window : h_mov_64;
    out->d = vg_dest(d, in, &in->ops[0], asks ? PTX_PRED : PTX_U64, err);
    if (out->d == VG_NO_SLOT) {
        return -1;
    }
    out->a = vg_slot(d, &in->ops[1], PTX_U64, err);
    return out->a == VG_NO_SLOT ? -1 : 1;
}
