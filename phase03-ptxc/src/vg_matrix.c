/* Loading, storing and transposing matrix fragments: ldmatrix, stmatrix, movmatrix, wmma.load,
 * wmma.store. The products are in vg_tensor.c.
 *
 * ldmatrix (PTX ISA 9.0, 9.7.14.5.15): lanes 8j … 8j+7 give the addresses of the eight rows, 16
 * bytes each, of matrix j; lane l gets of every matrix row l/4 the elements 2(l mod 4) and the
 * next; with .trans of the transposed matrix. stmatrix is the way back, movmatrix a transposition
 * in registers. wmma fragments are laid out as vg_wmma.h says.
 *
 * Counted as accesses: ldmatrix and stmatrix as 16 bytes of each lane that gives an address;
 * wmma.load and wmma.store element by element, one request for each element of a lane.
 *
 * Simplified: b16 elements and m8n8 only; the sm_100 forms of 8 bits and less are refused.
 */
#include "vg_matrix.h"

#include <string.h>

#include "vg_lanes.h"
#include "vg_mem.h"
#include "vg_memcheck.h"
#include "vg_wmma.h"

#define ROWS 8

/* vg_insn.mods beyond those of vg_mem.h; imm is the address's offset, extra the registers */
enum {
    MATRIX_TRANS = 1u << 17, /* wmma: the layout in memory is .col */
    MATRIX_COUNT_SHIFT = 18, /* registers of the operand, 6 bits */
};

static unsigned count_of(const struct vg_insn *i)
{
    return (i->mods >> MATRIX_COUNT_SHIFT) & 63;
}

/* --- ldmatrix, stmatrix, movmatrix --- */

/* Row and column of half h (0, 1) of lane l's register. */
static void place_of(const struct vg_insn *i, unsigned l, unsigned h, unsigned *row, unsigned *col)
{
    unsigned a = l / 4, b = 2 * (l % 4) + h;
    bool trans = (i->mods & MATRIX_TRANS) != 0;
    *row = trans ? b : a;
    *col = trans ? a : b;
}

/* The places of the rows that lanes of `lanes` name. */
static bool row_places(struct vg_warp *w, const struct vg_insn *i, struct vg_at *at,
                       uint32_t *lanes)
{
    const uint32_t exec = w->exec;
    *lanes = exec & i->reconv;
    w->exec = *lanes;
    bool fine = *lanes != 0 && vg_mem_resolve(w, i, i, at);
    w->exec = exec;
    return fine;
}

static void op_ldmatrix(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_at at;
    uint32_t lanes;
    const uint32_t *slots = vg_extra(w, i);
    if (!row_places(w, i, &at, &lanes)) {
        return;
    }
    for (unsigned j = 0; j < count_of(i); j++) {
        uint16_t rows[ROWS][8] = {{0}};
        for (unsigned r = 0; r < ROWS; r++) {
            if (VG_BIT(lanes, ROWS * j + r) != 0) {
                memcpy(rows[r], at.ptr[ROWS * j + r], sizeof(rows[r]));
            }
        }
        uint32_t *d = VG_U32(w, slots[j]), m = w->exec;
        VG_FOR_MASK(l, m)
        {
            unsigned r0, c0, r1, c1;
            place_of(i, l, 0, &r0, &c0);
            place_of(i, l, 1, &r1, &c1);
            d[l] = rows[r0][c0] | (uint32_t)rows[r1][c1] << 16;
        }
    }
}

/* Lane l's two halves of matrix j go to their rows. */
static void put_halves(const struct vg_insn *i, const struct vg_at *at, unsigned j, unsigned l,
                       uint32_t value)
{
    for (unsigned h = 0; h < 2; h++) {
        unsigned row, col;
        uint16_t v = (uint16_t)(value >> (16 * h));
        place_of(i, l, h, &row, &col);
        memcpy(at->ptr[ROWS * j + row] + 2 * col, &v, sizeof(v));
    }
}

static void op_stmatrix(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_at at;
    uint32_t lanes;
    const uint32_t *slots = vg_extra(w, i);
    if (!row_places(w, i, &at, &lanes)) {
        return;
    }
    for (unsigned j = 0; j < count_of(i); j++) {
        const uint32_t *s = VG_U32(w, slots[j]);
        uint32_t m = w->exec;
        VG_FOR_MASK(l, m)
        {
            put_halves(i, &at, j, l, s[l]);
        }
    }
}

static void op_movmatrix(struct vg_warp *w, const struct vg_insn *i)
{
    uint16_t in[ROWS][8];
    const uint32_t *a = VG_U32(w, i->a);
    for (unsigned l = 0; l < VG_LANES; l++) {
        in[l / 4][2 * (l % 4)] = (uint16_t)a[l];
        in[l / 4][2 * (l % 4) + 1] = (uint16_t)(a[l] >> 16);
    }
    uint32_t *d = VG_U32(w, i->d), m = w->exec;
    VG_FOR_MASK(l, m)
    {
        d[l] = in[2 * (l % 4)][l / 4] | (uint32_t)in[2 * (l % 4) + 1][l / 4] << 16;
    }
}

/* --- wmma.load, wmma.store --- */

/* Side table: stride slot, rows, cols, then the registers. */
enum { WMMA_STRIDE, WMMA_ROWS, WMMA_COLS, WMMA_REGS };

static unsigned elements_a_register(const struct vg_insn *i)
{
    return vg_mem_reg(i) / vg_mem_size(i);
}

/* Addresses of element e of every lane, as an access of one element each. */
static void element_addresses(const struct vg_warp *w, const struct vg_insn *i, unsigned e,
                              uint64_t *addr)
{
    const uint32_t *x = vg_extra(w, i);
    const unsigned per_lane = count_of(i) * elements_a_register(i), size = vg_mem_size(i);
    const uint32_t stride = VG_U32(w, x[WMMA_STRIDE])[__builtin_ctz(w->active)];
    uint64_t base[VG_LANES];
    vg_mem_addresses(w, i, base);
    for (uint32_t l = 0; l < VG_LANES; l++) {
        uint32_t entry = vg_wmma_entry(l, e, per_lane, x[WMMA_ROWS] * x[WMMA_COLS]);
        uint64_t row = entry / x[WMMA_COLS], col = entry % x[WMMA_COLS];
        bool by_col = (i->mods & MATRIX_TRANS) != 0;
        uint64_t at = by_col ? col * stride + row : row * stride + col;
        addr[l] = base[__builtin_ctz(w->active)] + at * size;
    }
}

/* One element of every lane goes through this stand-in: an access whose addresses are in a scratch
 * slot. */
static struct vg_insn element_access(const struct vg_insn *i)
{
    struct vg_insn x = *i;
    x.a = i->b;
    x.imm = 0;
    x.mods |= VG_MEM_ADDR64;
    return x;
}

static void op_wmma_load(struct vg_warp *w, const struct vg_insn *i)
{
    const struct vg_insn x = element_access(i);
    const uint32_t *slots = vg_extra(w, i) + WMMA_REGS;
    const unsigned per = elements_a_register(i), size = vg_mem_size(i);
    struct vg_at at;
    for (unsigned r = 0; r < count_of(i); r++) {
        uint64_t value[VG_LANES] = {0};
        for (unsigned n = 0; n < per; n++) {
            element_addresses(w, i, r * per + n, VG_U64(w, i->b));
            if (!vg_mem_resolve(w, i, &x, &at)) {
                return;
            }
            for (unsigned l = 0; l < VG_LANES; l++) {
                uint64_t v = 0;
                memcpy(&v, at.ptr[l], size);
                value[l] |= v << (8 * size * n);
            }
        }
        vg_mem_put(w, i, slots[r], value);
    }
}

static void op_wmma_store(struct vg_warp *w, const struct vg_insn *i)
{
    const struct vg_insn x = element_access(i);
    const uint32_t *slots = vg_extra(w, i) + WMMA_REGS;
    const unsigned per = elements_a_register(i), size = vg_mem_size(i);
    struct vg_at at;
    for (unsigned r = 0; r < count_of(i); r++) {
        uint64_t value[VG_LANES];
        vg_mem_get(w, i, slots[r], value);
        for (unsigned n = 0; n < per; n++) {
            element_addresses(w, i, r * per + n, VG_U64(w, i->b));
            if (!vg_mem_resolve(w, i, &x, &at)) {
                return;
            }
            uint32_t m = w->exec;
            VG_FOR_MASK(l, m)
            {
                uint64_t v = value[l] >> (8 * size * n);
                memcpy(at.ptr[l], &v, size);
            }
        }
    }
}

bool vg_hook_matrix(struct vg_warp *w, const struct vg_insn *i, uint32_t lanes)
{
    const unsigned n = count_of(i) * elements_a_register(i);
    struct vg_access a = {.kind = vg_mem_kind(i),
                          .mask = lanes,
                          .bytes = vg_mem_size(i),
                          .func = w->code->func,
                          .pc = vg_pc(w, i),
                          .warp = w->id,
                          .block = w->block->index};
    for (unsigned e = 0; lanes != 0 && e < n; e++) {
        element_addresses(w, i, e, a.addr);
        a.space = vg_mem_space(i);
        for (unsigned l = 0; vg_mem_space(i) == PTX_SPACE_GENERIC && l < VG_LANES; l++) {
            a.space = vg_generic_space(a.addr[l], &a.addr[l]);
        }
        if (!vg_hook_access(w, i, &a)) {
            return false;
        }
    }
    return true;
}

/* --- decoding --- */

/* The operand's registers go to the side table, at *at. */
static int put_registers(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                         struct vg_insn *out, uint32_t *at)
{
    struct lab_err *err = d->err;
    const struct ptx_operand *elems = op->kind == PTX_OP_VEC ? op->elems : op;
    const uint32_t n = op->kind == PTX_OP_VEC ? op->nelems : 1;
    if (n > 32) {
        return vg_decode_error(d, d->in, err, "expected at most 32 registers");
    }
    uint32_t slots[32];
    for (uint32_t k = 0; k < n; k++) {
        slots[k] = vg_slot(d, &elems[k], type, err);
        if (slots[k] == VG_NO_SLOT) {
            return -1;
        }
    }
    out->mods |= n << MATRIX_COUNT_SHIFT;
    *at = vg_side_table(d, slots, n);
    return 0;
}

static int decode_rows(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                       struct lab_err *err)
{
    static const enum ptx_word words[] = {
        PTX_W_sync, PTX_W_aligned, PTX_W_m8n8,   PTX_W_x1,         PTX_W_x2,
        PTX_W_x4,   PTX_W_trans,   PTX_W_shared, PTX_W_shared_cta, PTX_W_none};
    const bool load = in->op == PTX_W_ldmatrix;
    const uint32_t want = ptx_has(in, PTX_W_x4) ? 4 : ptx_has(in, PTX_W_x2) ? 2 : 1;
    if (vg_mem_modifiers(d, in, words, err) < 0) {
        return -1;
    }
    if (in->nops != 2 || !ptx_has(in, PTX_W_m8n8) || ptx_insn_type(in) != PTX_B16) {
        return vg_decode_error(d, in, err, "expected .m8n8, .b16, registers and an address");
    }
    out->fn = load ? op_ldmatrix : op_stmatrix;
    out->mods = 4 | 2u << 8 | (uint32_t)(load ? VG_LOAD : VG_STORE) << 15;
    out->mods |= ptx_has(in, PTX_W_trans) ? MATRIX_TRANS : 0u;
    out->reconv = want == 4 ? VG_FULL : (1u << (ROWS * want)) - 1;
    if (vg_mem_address(d, &in->ops[load ? 1 : 0], ptx_insn_space(in), out, err) < 0 ||
        put_registers(d, &in->ops[load ? 0 : 1], PTX_B32, out, &out->extra) < 0) {
        return -1;
    }
    if (count_of(out) != want) {
        return vg_decode_error(d, in, err, "expected %u registers", want);
    }
    vg_decode_mark(d, VG_CLASS_ACCESS);
    return 1;
}

static int decode_movmatrix(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                            struct lab_err *err)
{
    if (in->nops != 2 || !ptx_has(in, PTX_W_trans) || !ptx_has(in, PTX_W_m8n8)) {
        return vg_decode_error(d, in, err, "expected .m8n8.trans.b16 and two registers");
    }
    out->fn = op_movmatrix;
    out->d = vg_slot(d, &in->ops[0], PTX_B32, err);
    out->a = vg_slot(d, &in->ops[1], PTX_B32, err);
    return out->d == VG_NO_SLOT || out->a == VG_NO_SLOT ? -1 : 1;
}

struct named_shape {
    enum ptx_word word;
    struct vg_wmma_shape shape;
};

bool vg_wmma_shape(const struct ptx_insn *in, struct vg_wmma_shape *s)
{
    static const struct named_shape shapes[] = {
        {PTX_W_m16n16k16, {16, 16, 16}}, {PTX_W_m32n8k16, {32, 8, 16}},
        {PTX_W_m8n32k16, {8, 32, 16}},   {PTX_W_m16n16k8, {16, 16, 8}},
        {PTX_W_m8n8k4, {8, 8, 4}},       {PTX_W_m8n8k32, {8, 8, 32}},
        {PTX_W_m8n8k128, {8, 8, 128}},
    };
    for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
        if (ptx_has(in, shapes[k].word)) {
            *s = shapes[k].shape;
            return true;
        }
    }
    return false;
}

/* Rows and columns of the fragment that .a, .b, .c or .d names, into the side table. */
static int put_shape(struct vg_decoder *d, const struct ptx_insn *in, uint32_t stride_slot,
                     struct vg_insn *out, struct lab_err *err)
{
    struct vg_wmma_shape s;
    if (!vg_wmma_shape(in, &s)) {
        return vg_decode_error(d, in, err, "this shape is not supported");
    }
    uint32_t words[WMMA_REGS] = {stride_slot, s.m, s.n};
    if (ptx_has(in, PTX_W_a)) {
        words[WMMA_COLS] = s.k;
    } else if (ptx_has(in, PTX_W_b)) {
        words[WMMA_ROWS] = s.k;
    }
    const bool by_col = ptx_has(in, PTX_W_col);
    out->mods |= by_col ? MATRIX_TRANS : 0u;
    if (stride_slot == VG_NO_SLOT) {
        words[WMMA_STRIDE] =
            vg_slot_const(d, by_col ? words[WMMA_ROWS] : words[WMMA_COLS], PTX_U32);
    }
    out->extra = vg_side_table(d, words, WMMA_REGS);
    return 0;
}

static bool wmma_type(enum ptx_type t)
{
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_TF32 || t == PTX_F32 || t == PTX_F64 ||
           t == PTX_S32 || t == PTX_S8 || t == PTX_U8;
}

static int decode_wmma(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                       struct lab_err *err)
{
    const bool load = ptx_has(in, PTX_W_load);
    const enum ptx_type type = ptx_insn_type(in);
    const unsigned size = ptx_type_size(type), reg = size < 4 ? 4 : size;
    if (in->nops < 2 || in->nops > 3 || !wmma_type(type)) {
        return vg_decode_error(d, in, err, "this type is not supported");
    }
    uint32_t regs = 0;
    uint32_t stride = in->nops == 3 ? vg_slot(d, &in->ops[2], PTX_U32, err) : VG_NO_SLOT;
    if (in->nops == 3 && stride == VG_NO_SLOT) {
        return -1;
    }
    out->fn = load ? op_wmma_load : op_wmma_store;
    out->mods = (uint32_t)__builtin_ctz(size) | (uint32_t)__builtin_ctz(reg) << 8 |
                (uint32_t)(load ? VG_LOAD : VG_STORE) << 15 | VG_MEM_MATRIX;
    out->b = vg_slot_scratch(d, PTX_B64);
    if (put_shape(d, in, stride, out, err) < 0 ||
        vg_mem_address(d, &in->ops[load ? 1 : 0], ptx_insn_space(in), out, err) < 0 ||
        put_registers(d, &in->ops[load ? 0 : 1], reg == 8 ? PTX_F64 : PTX_B32, out, &regs) < 0) {
        return -1;
    }
    vg_decode_mark(d, VG_CLASS_ACCESS);
    return 1;
}

int vg_decode_matrix(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                     struct lab_err *err)
{
    switch (in->op) {
    case PTX_W_ldmatrix:
    case PTX_W_stmatrix: return decode_rows(d, in, out, err);
    case PTX_W_movmatrix: return decode_movmatrix(d, in, out, err);
    case PTX_W_wmma:
        if (ptx_has(in, PTX_W_load) || ptx_has(in, PTX_W_store)) {
            return decode_wmma(d, in, out, err);
        }
        return 0;
    default: return 0;
    }
}
