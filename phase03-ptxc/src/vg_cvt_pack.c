/* Problem: cvt.pack, which clamps two integers to a narrow type and packs them, before what an
 * earlier one left in c: chains of it make bytes of words.
 * Model: mods is the narrow type's bits and signedness; c moves up by both fields.
 * Invariants: a lies above b (PTX ISA 9.0, 9.7.9.22).
 * Simplified: the types of 2 bits are not supported.
 */
#include "vg_cvt.h"
#include "vg_lanes.h"

enum { PACK_BITS = 0x1F, PACK_SIGNED = 0x20, PACK_INTO = 0x40 };

static uint32_t clamp_to(uint32_t x, unsigned bits, bool is_signed)
{
    const int32_t least = is_signed ? -(1 << (bits - 1)) : 0;
    const int32_t most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    int32_t v = (int32_t)x;
    v = v < least ? least : v > most ? most : v;
    return (uint32_t)v & ((1u << bits) - 1);
}

static void h_pack(struct vg_warp *w, const struct vg_insn *i)
{
    const uint32_t *a = VG_U32(w, i->a), *b = VG_U32(w, i->b);
    const uint32_t *c = VG_U32(w, (i->mods & PACK_INTO) != 0 ? i->c : i->b);
    const unsigned bits = i->mods & PACK_BITS;
    const bool is_signed = (i->mods & PACK_SIGNED) != 0;
    uint32_t *d = VG_U32(w, i->d);
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint32_t pair = clamp_to(a[l], bits, is_signed) << bits | clamp_to(b[l], bits, is_signed);
        d[l] = (i->mods & PACK_INTO) != 0 ? c[l] << (2 * bits & 31u) | pair : pair;
    }
}

/* The narrow type's mods; 0: it cannot be packed. */
static uint32_t narrow(enum ptx_word w)
{
    switch (w) {
    case PTX_W_u4: return 4 | PACK_INTO;
    case PTX_W_s4: return 4 | PACK_INTO | PACK_SIGNED;
    case PTX_W_u8: return 8 | PACK_INTO;
    case PTX_W_s8: return 8 | PACK_INTO | PACK_SIGNED;
    case PTX_W_u16: return 16;
    case PTX_W_s16: return 16 | PACK_SIGNED;
    default: return 0;
    }
}

int vg_decode_pack(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err)
{
    out->mods = in->nmods > 2 ? narrow(in->mods[2]) : 0;
    bool into = (out->mods & PACK_INTO) != 0;
    if (out->mods == 0 || in->nmods != (into ? 5 : 4) || in->mods[0] != PTX_W_pack ||
        in->mods[1] != PTX_W_sat || in->mods[3] != PTX_W_s32 ||
        (into && in->mods[4] != PTX_W_b32)) {
        return vg_decode_error(d, in, err,
                               "expected cvt.pack.sat.u16.s32 (or .s16), or .u8, .s8, "
                               ".u4, .s4 with .s32.b32");
    }
    uint32_t *const fields[] = {&out->d, &out->a, &out->b, &out->c};
    const unsigned want = into ? 4 : 3;
    if (in->nops != want) {
        return vg_decode_error(d, in, err, "it takes %u operands, not %u", want, in->nops);
    }
    for (unsigned k = 0; k < want; k++) {
        *fields[k] = k == 0 ? vg_dest(d, in, &in->ops[k], PTX_B32, err)
                            : vg_slot(d, &in->ops[k], PTX_S32, err);
        if (*fields[k] == VG_NO_SLOT) {
            return -1;
        }
    }
    out->fn = h_pack;
    return 1;
}
