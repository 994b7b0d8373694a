/* The instructions atom and red: decoding, and the walk over the lanes.
 *
 * Lanes act in order, the lowest first, each on what the one before left; so 32 adds to one word
 * give 32 different old values, always the same ones. Between blocks the order is that of the
 * blocks (vg_scan.c). Memory order and scope say how far an effect is seen: here at once by
 * everybody.
 */
#include <string.h>

#include "vg_atom.h"
#include "vg_lanes.h"
#include "vg_mem.h"

/* vg_insn.mods beyond those of vg_mem.h */
#define ATOM_OP_SHIFT   17
#define ATOM_TYPE_SHIFT 21

static enum vg_atomic op_of(const struct vg_insn *i)
{
    return (enum vg_atomic)((i->mods >> ATOM_OP_SHIFT) & 15);
}

static enum vg_atomic_type type_of(const struct vg_insn *i)
{
    return (enum vg_atomic_type)((i->mods >> ATOM_TYPE_SHIFT) & 15);
}

static uint64_t read_bytes(const uint8_t *p, uint32_t step, unsigned n)
{
    uint64_t v = 0;
    memcpy(&v, p, n < 4 ? n : 4);
    if (n == 8) {
        uint32_t hi;
        memcpy(&hi, p + step, 4);
        v |= (uint64_t)hi << 32;
    }
    return v;
}

static void write_bytes(uint8_t *p, uint32_t step, unsigned n, uint64_t v)
{
    memcpy(p, &v, n < 4 ? n : 4);
    if (n == 8) {
        uint32_t hi = (uint32_t)(v >> 32);
        memcpy(p + step, &hi, 4);
    }
}

static uint64_t low_bytes(uint64_t v, unsigned n)
{
    return n < 8 ? v & ((1ull << (8 * n)) - 1) : v;
}

/* Is the location in shared memory? Then f32 adds keep subnormal numbers. */
static bool is_shared(const struct vg_warp *w, const uint8_t *p)
{
    const struct vg_block *b = w->block;
    return p >= b->shared && p < b->shared + b->shared_limit;
}

struct operands {
    uint64_t b[VG_LANES], c[VG_LANES], old[VG_LANES];
};

/* Element k of the vector (or the only one): the lanes one after the other. */
static void element(struct vg_warp *w, const struct vg_insn *i, const struct vg_at *at, unsigned k,
                    struct operands *x)
{
    const unsigned n = vg_mem_size(i);
    const enum vg_atomic op = op_of(i);
    const enum vg_atomic_type type = type_of(i);
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint8_t *p = vg_at_byte(at, l, k * n);
        enum vg_atomic_type t = type;
        if (type == VG_ATOM_F32_FTZ && is_shared(w, p)) {
            t = VG_ATOM_F32;
        }
        uint64_t bc[2] = {low_bytes(x->b[l], n), low_bytes(x->c[l], n)};
        x->old[l] = read_bytes(p, at->step[l], n);
        write_bytes(p, at->step[l], n, vg_atomic(op, t, n, x->old[l], bc));
    }
}

#define IN_ORDER(T, expression)                                                                    \
    VG_FOR_MASK(l, m)                                                                              \
    {                                                                                              \
        T old, now;                                                                                \
        memcpy(&old, at->ptr[l], sizeof(old));                                                     \
        now = (T)(expression);                                                                     \
        memcpy(at->ptr[l], &now, sizeof(now));                                                     \
        x->old[l] = old;                                                                           \
    }

/* The most frequent ones, on 32-bit numbers outside local memory; false when it is another. */
static bool element_32(struct vg_warp *w, const struct vg_insn *i, const struct vg_at *at,
                       struct operands *x)
{
    uint32_t m = w->exec;
    if (vg_mem_bytes(i) != 4 || type_of(i) > VG_ATOM_SIGNED || at->scattered) {
        return false;
    }
    switch (op_of(i)) {
    case VG_ATOM_ADD: IN_ORDER(uint32_t, old + (uint32_t)x->b[l]) break;
    case VG_ATOM_EXCH: IN_ORDER(uint32_t, x->b[l]) break;
    case VG_ATOM_CAS: IN_ORDER(uint32_t, old == (uint32_t)x->b[l] ? (uint32_t)x->c[l] : old) break;
    case VG_ATOM_AND: IN_ORDER(uint32_t, old & (uint32_t)x->b[l]) break;
    case VG_ATOM_OR: IN_ORDER(uint32_t, old | (uint32_t)x->b[l]) break;
    default: return false;
    }
    return true;
}

static void op_atom(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_at at;
    struct operands x;
    if (!vg_mem_resolve(w, i, i, &at)) {
        return;
    }
    const unsigned vec = vg_mem_vec(i);
    const uint32_t *slots = vec > 1 ? vg_extra(w, i) : NULL;
    if (i->c == VG_NO_SLOT) {
        memset(x.c, 0, sizeof(x.c));
    }
    for (unsigned k = 0; k < vec; k++) {
        uint32_t d = slots != NULL ? slots[k] : i->d;
        vg_mem_get(w, i, slots != NULL ? slots[vec + k] : i->b, x.b);
        if (i->c != VG_NO_SLOT) {
            vg_mem_get(w, i, i->c, x.c);
        }
        if (!element_32(w, i, &at, &x)) {
            element(w, i, &at, k, &x);
        }
        if (d != VG_NO_SLOT) {
            vg_mem_put(w, i, d, x.old);
        }
    }
    unsigned l = (unsigned)__builtin_ctz(w->exec);
    vg_poll(w, (uint64_t)(uintptr_t)at.ptr[l], x.old[l]);
}

/* --- decoding --- */

static const enum ptx_word atom_words[] = {PTX_W_relaxed,
                                           PTX_W_acquire,
                                           PTX_W_release,
                                           PTX_W_acq_rel,
                                           PTX_W_cta,
                                           PTX_W_cluster,
                                           PTX_W_gpu,
                                           PTX_W_sys,
                                           PTX_W_global,
                                           PTX_W_shared,
                                           PTX_W_shared_cta,
                                           PTX_W_shared_cluster,
                                           PTX_W_exch,
                                           PTX_W_cas,
                                           PTX_W_add,
                                           PTX_W_min,
                                           PTX_W_max,
                                           PTX_W_inc,
                                           PTX_W_dec,
                                           PTX_W_and,
                                           PTX_W_or,
                                           PTX_W_xor,
                                           PTX_W_rn,
                                           PTX_W_noftz,
                                           PTX_W_v2,
                                           PTX_W_v4,
                                           PTX_W_v8,
                                           PTX_W_L2_cache_hint,
                                           PTX_W_L1_evict_first,
                                           PTX_W_L1_evict_last,
                                           PTX_W_L1_evict_normal,
                                           PTX_W_L1_evict_unchanged,
                                           PTX_W_L1_no_allocate,
                                           PTX_W_none};

struct atom_op {
    enum ptx_word word;
    enum vg_atomic op;
    bool floats, small; /* also on f16 … f64; also on 16 bits */
};

static const struct atom_op ops[] = {
    {PTX_W_exch, VG_ATOM_EXCH, false, false}, {PTX_W_cas, VG_ATOM_CAS, false, true},
    {PTX_W_add, VG_ATOM_ADD, true, false},    {PTX_W_min, VG_ATOM_MIN, false, false},
    {PTX_W_max, VG_ATOM_MAX, false, false},   {PTX_W_inc, VG_ATOM_INC, false, false},
    {PTX_W_dec, VG_ATOM_DEC, false, false},   {PTX_W_and, VG_ATOM_AND, false, false},
    {PTX_W_or, VG_ATOM_OR, false, false},     {PTX_W_xor, VG_ATOM_XOR, false, false},
};

static const struct atom_op *find_op(const struct ptx_insn *in)
{
    for (size_t k = 0; k < sizeof(ops) / sizeof(ops[0]); k++) {
        if (ptx_has(in, ops[k].word)) {
            return &ops[k];
        }
    }
    return NULL;
}

static enum vg_atomic_type type_for(enum ptx_type t, enum ptx_space space)
{
    switch (t) {
    case PTX_S32:
    case PTX_S64: return VG_ATOM_SIGNED;
    case PTX_F32: return space == PTX_SPACE_SHARED ? VG_ATOM_F32 : VG_ATOM_F32_FTZ;
    case PTX_F64: return VG_ATOM_F64;
    case PTX_F16: return VG_ATOM_F16;
    case PTX_F16X2: return VG_ATOM_F16X2;
    case PTX_BF16: return VG_ATOM_BF16;
    case PTX_BF16X2: return VG_ATOM_BF16X2;
    default: return VG_ATOM_BITS;
    }
}

static bool allowed(const struct atom_op *op, enum ptx_type type)
{
    unsigned size = ptx_type_size(type);
    bool is_float = type_for(type, PTX_SPACE_GLOBAL) >= VG_ATOM_F32;
    if (is_float) {
        return op->floats;
    }
    return size == 4 || size == 8 || (size == 2 && op->small);
}

static unsigned log2_of(unsigned n)
{
    return (unsigned)__builtin_ctz(n);
}

/* Slots of a vector's destinations, then of its sources. */
static int decode_vector(struct vg_decoder *d, const struct ptx_operand *dst,
                         const struct ptx_operand *src, enum ptx_type type, struct vg_insn *out)
{
    struct lab_err *err = d->err;
    uint32_t slots[16];
    const unsigned n = vg_mem_vec(out);
    for (unsigned k = 0; k < 2 * n; k++) {
        const struct ptx_operand *op = k < n ? dst : src;
        slots[k] = VG_NO_SLOT;
        if (op == NULL) {
            continue;
        }
        if (op->kind != PTX_OP_VEC || op->nelems != n) {
            return vg_decode_error(d, d->in, err, "expected a vector of %u registers", n);
        }
        slots[k] = vg_slot(d, &op->elems[k % n], type, err);
        if (slots[k] == VG_NO_SLOT) {
            return -1;
        }
    }
    out->extra = vg_side_table(d, slots, 2 * n);
    return 0;
}

static int decode_operands(struct vg_decoder *d, const struct ptx_insn *in, enum ptx_type type,
                           struct vg_insn *out, struct lab_err *err)
{
    const bool red = in->op == PTX_W_red, cas = op_of(out) == VG_ATOM_CAS;
    const unsigned first = red ? 0 : 1;
    const unsigned want =
        first + 2 + (cas ? 1u : 0u) + (ptx_has(in, PTX_W_L2_cache_hint) ? 1u : 0u);
    if (in->nops != want) {
        return vg_decode_error(d, in, err, "expected %u operands", want);
    }
    if (vg_mem_address(d, &in->ops[first], ptx_insn_space(in), out, err) < 0) {
        return -1;
    }
    if (vg_mem_vec(out) > 1) {
        return decode_vector(d, red ? NULL : &in->ops[0], &in->ops[first + 1], type, out);
    }
    if (!red && in->ops[0].kind != PTX_OP_SINK) {
        out->d = vg_slot(d, &in->ops[0], type, err);
        if (out->d == VG_NO_SLOT) {
            return -1;
        }
    }
    out->b = vg_slot(d, &in->ops[first + 1], type, err);
    if (out->b == VG_NO_SLOT) {
        return -1;
    }
    if (cas) {
        out->c = vg_slot(d, &in->ops[first + 2], type, err);
        return out->c == VG_NO_SLOT ? -1 : 0;
    }
    return 0;
}

int vg_decode_atom(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err)
{
    const struct atom_op *op = find_op(in);
    const enum ptx_type type = ptx_insn_type(in);
    if (ptx_has(in, PTX_W_async)) {
        return vg_decode_error(d, in, err, ".async is not supported");
    }
    if (vg_mem_modifiers(d, in, atom_words, err) < 0) {
        return -1;
    }
    if (op == NULL || !allowed(op, type)) {
        return vg_decode_error(d, in, err, "this operation on .%s is not supported",
                               ptx_type_name(type));
    }
    const unsigned vec = ptx_has(in, PTX_W_v2)   ? 1
                         : ptx_has(in, PTX_W_v4) ? 2
                         : ptx_has(in, PTX_W_v8) ? 3
                                                 : 0;
    const unsigned size = ptx_type_size(type);
    out->mods = log2_of(size) | vec << 3 | log2_of(size) << 8 | (uint32_t)VG_ATOMIC << 15 |
                (uint32_t)op->op << ATOM_OP_SHIFT |
                (uint32_t)type_for(type, ptx_insn_space(in)) << ATOM_TYPE_SHIFT;
    out->fn = op_atom;
    vg_decode_mark(d, VG_CLASS_ACCESS);
    return decode_operands(d, in, type, out, err) < 0 ? -1 : 1;
}
