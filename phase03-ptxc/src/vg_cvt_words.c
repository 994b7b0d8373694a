/* Problem: which of the words a cvt may have make an instruction.
 * Model: the rules of PTX ISA 9.0, 9.7.9.21: a rounding exactly where something can be lost, .sat
 * where it can change the result, .relu and .satfinite on the packed and narrow formats.
 * Invariants: a plan that is returned has a legal combination; everything else is a named error.
 * Simplified: the formats of 4 and 6 bits, ue8m0 and stochastic rounding (.rs) are not supported.
 * ptxas refuses cvt between bf16 and 8-bit integers, which the ISA has; it is taken here.
 */
#include "vg_cvt.h"

struct words {
    unsigned ntypes, nroundings;
    uint8_t types[2];
    bool pairs[2];       /* .f16x2, .e4m3x2, …: two values of the type */
    enum ptx_word round; /* the last rounding given */
    uint8_t flags;
};

static bool pair_type(enum ptx_word w, uint8_t *type)
{
    switch (w) {
    case PTX_W_f16x2: *type = PTX_F16; return true;
    case PTX_W_bf16x2: *type = PTX_BF16; return true;
    case PTX_W_e4m3x2: *type = VG_T_E4M3; return true;
    case PTX_W_e5m2x2: *type = VG_T_E5M2; return true;
    default: return false;
    }
}

static uint8_t flag_of(enum ptx_word w)
{
    switch (w) {
    case PTX_W_ftz: return VG_C_FTZ;
    case PTX_W_sat: return VG_C_SAT;
    case PTX_W_relu: return VG_C_RELU;
    case PTX_W_satfinite: return VG_C_SATFINITE;
    default: return 0;
    }
}

/* The direction of a rounding word; −1: it is none. `whole`: towards an integer. */
static int direction(enum ptx_word w, bool *whole)
{
    *whole = w == PTX_W_rni || w == PTX_W_rzi || w == PTX_W_rmi || w == PTX_W_rpi;
    switch (w) {
    case PTX_W_rn:
    case PTX_W_rni: return VG_RN;
    case PTX_W_rz:
    case PTX_W_rzi: return VG_RZ;
    case PTX_W_rm:
    case PTX_W_rmi: return VG_RM;
    case PTX_W_rp:
    case PTX_W_rpi: return VG_RP;
    case PTX_W_rna: return VG_RNA;
    default: return -1;
    }
}

static bool known_type(enum ptx_word w, uint8_t *type, bool *pair)
{
    *pair = pair_type(w, type);
    if (!*pair) {
        enum ptx_type t = ptx_type_of_word(w);
        bool is_int = t >= PTX_U8 && t <= PTX_S64;
        *type = (uint8_t)t;
        return is_int || vg_format_of(t) != NULL;
    }
    return true;
}

static int collect(struct vg_decoder *d, const struct ptx_insn *in, struct words *s,
                   struct lab_err *err)
{
    *s = (struct words){.round = PTX_W_none};
    for (unsigned k = 0; k < in->nmods; k++) {
        enum ptx_word w = in->mods[k];
        uint8_t type, flag = flag_of(w);
        bool pair, whole;
        if (s->ntypes < 2 && known_type(w, &type, &pair)) {
            s->types[s->ntypes] = type;
            s->pairs[s->ntypes++] = pair;
        } else if (direction(w, &whole) >= 0) {
            s->round = w;
            s->nroundings++;
        } else if (flag != 0 && (s->flags & flag) == 0) {
            s->flags |= flag;
        } else {
            return vg_decode_error(d, in, err, "cvt with .%s is not supported", ptx_word_text(w));
        }
    }
    if (s->ntypes != 2 || s->nroundings > 1) {
        return vg_decode_error(d, in, err,
                               s->ntypes != 2 ? "cvt needs two types" : "cvt takes one rounding");
    }
    return 0;
}

/* How much of a rounding a pair of types takes. */
enum rounds { NO_ROUND, MAY_ROUND, MUST_ROUND, MAY_WHOLE, MUST_WHOLE, NEAR_OR_ZERO, ONLY_RN, TF32 };

struct rule {
    enum rounds rounds;
    uint8_t flags; /* those that are allowed */
    bool both;     /* .satfinite is not optional */
};

static bool contains(unsigned to, unsigned from)
{
    unsigned tb = vg_int_bits(to), fb = vg_int_bits(from);
    if (vg_is_signed(from)) {
        return vg_is_signed(to) && tb >= fb;
    }
    return vg_is_signed(to) ? tb > fb : tb >= fb;
}

static uint8_t scalar_flags(unsigned to, unsigned from)
{
    bool bf16 = to == PTX_BF16 || from == PTX_BF16;
    bool f32 = to == PTX_F32 || from == PTX_F32;
    return (uint8_t)((bf16 ? 0 : VG_C_SAT) | (f32 ? VG_C_FTZ : 0));
}

static struct rule float_rule(unsigned to, unsigned from)
{
    struct rule r = {NO_ROUND, scalar_flags(to, from), false};
    unsigned tp = vg_format_of(to)->precision, fp = vg_format_of(from)->precision;
    bool bf16 = to == PTX_BF16 || from == PTX_BF16;
    if (to == from) {
        r.rounds = MAY_WHOLE;
    } else if (to == PTX_TF32) {
        r = (struct rule){TF32, VG_C_RELU | VG_C_SATFINITE, false};
    } else if (from == PTX_BF16 || (bf16 && from == PTX_F16)) {
        r.rounds = MAY_ROUND;
    } else if (tp < fp) {
        r.rounds = MUST_ROUND;
        r.flags |= from == PTX_F32 ? VG_C_RELU | VG_C_SATFINITE : 0;
    }
    return r;
}

/* false: the ISA converts no such pair. */
static bool rule_of(const struct words *s, struct rule *r)
{
    unsigned to = s->types[0], from = s->types[1];
    const struct vg_format *tf = vg_format_of(to), *ff = vg_format_of(from);
    const uint8_t narrow = VG_C_RELU | VG_C_SATFINITE;
    if (s->pairs[0] || s->pairs[1]) {
        bool to8 = to == VG_T_E4M3 || to == VG_T_E5M2;
        bool from8 = from == VG_T_E4M3 || from == VG_T_E5M2;
        bool halves = s->pairs[1] && from == PTX_F16;
        *r = to8     ? (struct rule){ONLY_RN, narrow, true}
             : from8 ? (struct rule){ONLY_RN, VG_C_RELU, false}
                     : (struct rule){NEAR_OR_ZERO, narrow, false};
        if (to8) {
            return s->pairs[0] && (halves || (!s->pairs[1] && from == PTX_F32));
        }
        return from8 ? s->pairs[0] && to == PTX_F16
                     : s->pairs[0] && !s->pairs[1] && from == PTX_F32;
    }
    if (from == PTX_TF32 || (to == PTX_TF32 && from != PTX_F32)) {
        return false;
    }
    if (tf != NULL && ff != NULL) {
        *r = float_rule(to, from);
    } else if (tf != NULL) {
        *r = (struct rule){MUST_ROUND, scalar_flags(to, PTX_NONE), false};
    } else if (ff != NULL) {
        *r = (struct rule){MUST_WHOLE, scalar_flags(PTX_NONE, from), false};
    } else {
        *r = (struct rule){NO_ROUND, contains(to, from) ? 0 : VG_C_SAT, false};
    }
    return true;
}

static bool rounding_fits(const struct words *s, enum rounds rounds)
{
    bool whole, given = s->nroundings != 0;
    int dir = direction(s->round, &whole);
    bool plain = given && !whole && dir != VG_RNA;
    switch (rounds) {
    case NO_ROUND: return !given;
    case MAY_ROUND: return !given || plain;
    case MUST_ROUND: return plain;
    case MAY_WHOLE: return !given || whole;
    case MUST_WHOLE: return whole;
    case NEAR_OR_ZERO: return plain && dir <= VG_RZ;
    case ONLY_RN: return plain && dir == VG_RN;
    case TF32:
    default: return plain ? dir <= VG_RZ : dir == VG_RNA && (s->flags & VG_C_RELU) == 0;
    }
}

/* .relu and .satfinite go with .rn and .rz, and not with .sat and .ftz. */
static bool flags_fit(const struct words *s, const struct rule *r)
{
    const uint8_t narrow = VG_C_RELU | VG_C_SATFINITE;
    bool whole;
    if ((s->flags & ~r->flags) != 0 || (r->both && (s->flags & VG_C_SATFINITE) == 0)) {
        return false;
    }
    if ((s->flags & narrow) == 0) {
        return true;
    }
    int dir = direction(s->round, &whole);
    return (s->flags & ~narrow) == 0 && dir != VG_RM && dir != VG_RP;
}

static enum ptx_type operand_type(unsigned type, bool pair)
{
    if (type == VG_T_E4M3 || type == VG_T_E5M2) {
        return PTX_B16;
    }
    if (pair) {
        return type == PTX_F16 ? PTX_F16X2 : PTX_BF16X2;
    }
    return type == PTX_TF32 ? PTX_B32 : (enum ptx_type)type;
}

int vg_cvt_parse(struct vg_decoder *d, const struct ptx_insn *in, struct vg_cvt_plan *plan,
                 struct lab_err *err)
{
    struct words s;
    struct rule r;
    if (collect(d, in, &s, err) < 0) {
        return -1;
    }
    if (!rule_of(&s, &r)) {
        return vg_decode_error(d, in, err, "cvt does not convert between these types");
    }
    if (!rounding_fits(&s, r.rounds)) {
        static const char *const wants[] = {"takes no rounding",
                                            "takes .rn, .rz, .rm, .rp or none",
                                            "needs .rn, .rz, .rm or .rp",
                                            "takes .rni, .rzi, .rmi, .rpi or none",
                                            "needs .rni, .rzi, .rmi or .rpi",
                                            "needs .rn or .rz",
                                            "needs .rn",
                                            "needs .rna, .rn or .rz"};
        return vg_decode_error(d, in, err, "this conversion %s", wants[r.rounds]);
    }
    if (!flags_fit(&s, &r)) {
        return vg_decode_error(d, in, err,
                               r.both ? "this conversion needs .satfinite, and takes .relu"
                                      : "this conversion does not take one of its modifiers");
    }
    bool whole;
    int dir = direction(s.round, &whole);
    uint8_t flags = (uint8_t)(s.flags | (whole && s.types[0] == s.types[1] ? VG_C_WHOLE : 0));
    plan->cvt = (struct vg_cvt){s.types[0], s.types[1], (uint8_t)(dir < 0 ? VG_RN : dir), flags};
    plan->to = operand_type(s.types[0], s.pairs[0]);
    plan->from = operand_type(s.types[1], s.pairs[1]);
    plan->pack = s.pairs[0] && !s.pairs[1];
    plan->unpack = s.pairs[0] && s.pairs[1];
    return 0;
}
