/* Problem: decode mma and wmma.mma.
 * Model: a table of what exists: the kinds of A and B with their shapes; from the shape and the
 * kinds follows how many registers each operand has. Invariants: an instruction that is decoded has
 * operands of exactly those numbers of registers. Simplified: mma.m8n8k4 of f16, sparse mma (.sp),
 * block scaling and the 4- and 6-bit floats are not supported. wmma.load and wmma.store are
 * memory's (vg_matrix.c).
 */
#include "vg_tensor.h"

#include "vg_arith_row.h"
#include "vg_lanes.h"

struct words {
    enum vg_mma_kind kinds[4];
    unsigned nkinds, nlayouts;
    enum ptx_word layouts[2];
    struct vg_mma mma; /* the shape and the flags */
    bool sync, aligned, mma_word, popc, bit_and;
};

struct shape_word {
    enum ptx_word word;
    uint8_t m, n;
    uint16_t k;
};

static bool shape_of(enum ptx_word w, struct vg_mma *x)
{
    static const struct shape_word shapes[] = {
        {PTX_W_m16n8k4, 16, 8, 4},     {PTX_W_m16n8k8, 16, 8, 8},   {PTX_W_m16n8k16, 16, 8, 16},
        {PTX_W_m16n8k32, 16, 8, 32},   {PTX_W_m16n8k64, 16, 8, 64}, {PTX_W_m16n8k128, 16, 8, 128},
        {PTX_W_m16n8k256, 16, 8, 256}, {PTX_W_m8n8k4, 8, 8, 4},     {PTX_W_m8n8k16, 8, 8, 16},
        {PTX_W_m8n8k32, 8, 8, 32},     {PTX_W_m8n8k128, 8, 8, 128}, {PTX_W_m16n16k16, 16, 16, 16},
        {PTX_W_m32n8k16, 32, 8, 16},   {PTX_W_m8n32k16, 8, 32, 16}, {PTX_W_m16n16k8, 16, 16, 8},
    };
    for (unsigned k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
        if (shapes[k].word == w) {
            x->m = shapes[k].m;
            x->n = shapes[k].n;
            x->k = shapes[k].k;
            return true;
        }
    }
    return false;
}

static enum vg_mma_kind kind_of(enum ptx_word w)
{
    switch (w) {
    case PTX_W_f16: return VG_MMA_F16;
    case PTX_W_bf16: return VG_MMA_BF16;
    case PTX_W_tf32: return VG_MMA_TF32;
    case PTX_W_e4m3: return VG_MMA_E4M3;
    case PTX_W_e5m2: return VG_MMA_E5M2;
    case PTX_W_f32: return VG_MMA_F32;
    case PTX_W_f64: return VG_MMA_F64;
    case PTX_W_u8: return VG_MMA_U8;
    case PTX_W_s8: return VG_MMA_S8;
    case PTX_W_u4: return VG_MMA_U4;
    case PTX_W_s4: return VG_MMA_S4;
    case PTX_W_b1: return VG_MMA_B1;
    case PTX_W_s32: return VG_MMA_S32;
    default: return VG_MMA_NONE;
    }
}

/* One word of the instruction; false: it does not belong there. */
static bool take_word(enum ptx_word w, struct words *s)
{
    enum vg_mma_kind kind = kind_of(w);
    if (kind != VG_MMA_NONE && s->nkinds < 4) {
        s->kinds[s->nkinds++] = kind;
        return true;
    }
    if ((w == PTX_W_row || w == PTX_W_col) && s->nlayouts < 2) {
        s->layouts[s->nlayouts++] = w;
        return true;
    }
    switch (w) {
    case PTX_W_sync: s->sync = true; return true;
    case PTX_W_aligned: s->aligned = true; return true;
    case PTX_W_mma: s->mma_word = true; return true;
    case PTX_W_satfinite: s->mma.satfinite = true; return true;
    case PTX_W_xor: s->mma.xor_popc = true; return true;
    case PTX_W_and: s->bit_and = true; return true;
    case PTX_W_popc: s->popc = true; return true;
    default: return s->mma.m == 0 && shape_of(w, &s->mma);
    }
}

static int collect(struct vg_decoder *d, const struct ptx_insn *in, struct words *s,
                   struct lab_err *err)
{
    *s = (struct words){.mma = {.wmma = in->op == PTX_W_wmma}};
    for (unsigned k = 0; k < in->nmods; k++) {
        if (!take_word(in->mods[k], s)) {
            return vg_decode_error(d, in, err, ".%s is not supported here",
                                   ptx_word_text(in->mods[k]));
        }
    }
    if (!s->sync || !s->aligned || s->nlayouts != 2 || s->mma.m == 0) {
        return vg_decode_error(d, in, err, "it needs .sync.aligned, a shape and two layouts");
    }
    if (!s->mma.wmma && (s->layouts[0] != PTX_W_row || s->layouts[1] != PTX_W_col)) {
        return vg_decode_error(d, in, err, "mma takes .row.col only");
    }
    return 0;
}

/* --- what exists --- */

struct product {
    enum vg_mma_kind a, b;
    uint32_t ms, ks; /* sums of the m and of the k there are (they are powers of two) */
    bool half;       /* C and D may be f16 */
};

/* mma: n is 8. The integers stand here unsigned; each operand may be signed on its own. */
static const struct product products[] = {
    {VG_MMA_F16, VG_MMA_F16, 16, 8 | 16, true},      {VG_MMA_BF16, VG_MMA_BF16, 16, 8 | 16, false},
    {VG_MMA_TF32, VG_MMA_TF32, 16, 4 | 8, false},    {VG_MMA_E4M3, VG_MMA_E4M3, 16, 16 | 32, true},
    {VG_MMA_E4M3, VG_MMA_E5M2, 16, 16 | 32, true},   {VG_MMA_E5M2, VG_MMA_E4M3, 16, 16 | 32, true},
    {VG_MMA_E5M2, VG_MMA_E5M2, 16, 16 | 32, true},   {VG_MMA_F64, VG_MMA_F64, 8, 4, false},
    {VG_MMA_F64, VG_MMA_F64, 16, 4 | 8 | 16, false}, {VG_MMA_U8, VG_MMA_U8, 8, 16, false},
    {VG_MMA_U8, VG_MMA_U8, 16, 16 | 32, false},      {VG_MMA_U4, VG_MMA_U4, 8, 32, false},
    {VG_MMA_U4, VG_MMA_U4, 16, 32 | 64, false},      {VG_MMA_B1, VG_MMA_B1, 8, 128, false},
    {VG_MMA_B1, VG_MMA_B1, 16, 128 | 256, false},
};

static enum vg_mma_kind sign_dropped(enum vg_mma_kind k)
{
    return k == VG_MMA_S8 ? VG_MMA_U8 : k == VG_MMA_S4 ? VG_MMA_U4 : k;
}

static bool is_integer(enum vg_mma_kind k)
{
    return k >= VG_MMA_U8 && k <= VG_MMA_B1;
}

static bool mma_exists(const struct vg_mma *x)
{
    for (unsigned k = 0; k < sizeof(products) / sizeof(products[0]); k++) {
        const struct product *p = &products[k];
        if (p->a == sign_dropped(x->a) && p->b == sign_dropped(x->b) && (p->ms & x->m) != 0 &&
            (p->ks & x->k) != 0) {
            enum vg_mma_kind sum = is_integer(x->a)     ? VG_MMA_S32
                                   : x->a == VG_MMA_F64 ? VG_MMA_F64
                                                        : VG_MMA_F32;
            return x->n == 8 && x->c == x->d && (x->d == sum || (p->half && x->d == VG_MMA_F16));
        }
    }
    return false;
}

/* Shapes of wmma by kind: three of 16-bit and 8-bit entries, one of each other. */
static bool wmma_exists(const struct vg_mma *x)
{
    const uint32_t size = x->m * x->n * x->k;
    const bool three = size == 4096 && x->k == 16;
    bool sums =
        (x->c == VG_MMA_F32 || x->c == VG_MMA_F16) && (x->d == VG_MMA_F32 || x->d == VG_MMA_F16);
    if (x->a != x->b) {
        return false;
    }
    switch (x->a) {
    case VG_MMA_F16: return three && sums;
    case VG_MMA_BF16: return three && x->c == VG_MMA_F32 && x->d == VG_MMA_F32;
    case VG_MMA_TF32: return size == 2048 && x->k == 8 && x->c == VG_MMA_F32 && x->d == VG_MMA_F32;
    case VG_MMA_F64: return size == 256 && x->c == VG_MMA_F64 && x->d == VG_MMA_F64;
    case VG_MMA_U8:
    case VG_MMA_S8: return three && x->c == VG_MMA_S32 && x->d == VG_MMA_S32;
    case VG_MMA_U4:
    case VG_MMA_S4: return size == 2048 && x->k == 32 && x->c == VG_MMA_S32 && x->d == VG_MMA_S32;
    case VG_MMA_B1: return size == 8192 && x->c == VG_MMA_S32 && x->d == VG_MMA_S32;
    default: return false;
    }
}

/* Registers a lane: all entries once, except that wmma's f16 fragments always have eight. */
static uint32_t registers(const struct vg_mma *x, enum vg_mma_kind kind, uint32_t entries,
                          bool factor)
{
    if (x->wmma && factor && kind == VG_MMA_F16) {
        return 8;
    }
    unsigned bits = vg_mma_bits(kind);
    return bits >= 32 ? entries / VG_LANES : entries * bits / 32 / VG_LANES;
}

static int plan(struct vg_decoder *d, const struct ptx_insn *in, struct words *s,
                struct lab_err *err)
{
    struct vg_mma *x = &s->mma;
    if (s->nkinds == 2 && x->wmma) { /* wmma.mma…dtype.ctype is of f16 */
        x->d = s->kinds[0];
        x->c = s->kinds[1];
        x->a = x->b = VG_MMA_F16;
    } else if (s->nkinds == 4 && !(x->wmma && s->kinds[1] == VG_MMA_F16)) {
        x->d = s->kinds[0];
        x->a = s->kinds[1];
        x->b = s->kinds[2];
        x->c = s->kinds[3];
    } else {
        return vg_decode_error(d, in, err, "it needs the types of d, a, b and c%s",
                               x->wmma ? ", or of d and c for f16" : "");
    }
    bool bits = x->a == VG_MMA_B1;
    if (!(x->wmma ? wmma_exists(x) : mma_exists(x)) || (x->satfinite && !is_integer(x->a)) ||
        (x->satfinite && bits) || s->popc != bits || (x->xor_popc || s->bit_and) != bits ||
        (x->xor_popc && s->bit_and)) {
        return vg_decode_error(d, in, err,
                               "no such product of these types and this shape, or it is "
                               "not supported");
    }
    x->na = registers(x, x->a, x->m * x->k, true);
    x->nb = registers(x, x->b, x->k * x->n, true);
    x->nc = registers(x, x->c, x->m * x->n, false);
    x->nd = registers(x, x->d, x->m * x->n, false);
    return 0;
}

/* --- operands --- */

static enum ptx_type register_type(enum vg_mma_kind kind)
{
    return kind == VG_MMA_F64 ? PTX_F64 : kind == VG_MMA_F32 ? PTX_F32 : PTX_B32;
}

/* The registers of operand k, which are to be `want`. */
static int put_slots(const struct vg_job *j, unsigned k, enum vg_mma_kind kind, uint32_t want,
                     uint32_t *slots)
{
    const struct ptx_operand *op = &j->in->ops[k];
    const struct ptx_operand *elems = op->kind == PTX_OP_VEC ? op->elems : op;
    const enum ptx_type type = register_type(kind);
    uint32_t n = op->kind == PTX_OP_VEC ? op->nelems : 1;
    if (n != want) {
        return vg_decode_error(j->d, j->in, j->err, "operand %u has %u registers, expected %u",
                               k + 1, n, want);
    }
    for (uint32_t r = 0; r < n; r++) {
        slots[r] = k == 0 ? vg_dest(j->d, j->in, &elems[r], type, j->err)
                          : vg_slot(j->d, &elems[r], type, j->err);
        if (slots[r] == VG_NO_SLOT) {
            return -1;
        }
    }
    return 0;
}

int vg_decode_tensor(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                     struct lab_err *err)
{
    if (in->op != PTX_W_mma && !(in->op == PTX_W_wmma && ptx_has(in, PTX_W_mma))) {
        return 0;
    }
    struct words s;
    if (collect(d, in, &s, err) < 0 || plan(d, in, &s, err) < 0) {
        return -1;
    }
    if (in->nops != 4) {
        return vg_decode_error(d, in, err, "it takes 4 operands, not %u", in->nops);
    }
    const struct vg_mma *x = &s.mma;
    uint32_t words[VG_MMA_HEADER + VG_MMA_SLOTS];
    uint32_t *at = words + VG_MMA_HEADER;
    vg_mma_pack(x, words);
    const struct vg_job j = {d, in, out, err};
    if (put_slots(&j, 0, x->d, x->nd, at) < 0 || put_slots(&j, 1, x->a, x->na, at + x->nd) < 0 ||
        put_slots(&j, 2, x->b, x->nb, at + x->nd + x->na) < 0 ||
        put_slots(&j, 3, x->c, x->nc, at + x->nd + x->na + x->nb) < 0) {
        return -1;
    }
    out->fn = vg_op_mma;
    out->extra = vg_side_table(d, words, VG_MMA_HEADER + x->nd + x->na + x->nb + x->nc);
    return 1;
}
