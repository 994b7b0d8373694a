/* The second half of vg_cases.h: operands for the instructions that ptxas folds. */
#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "lab/rng.h"

#include "vg_cases.h"
#include "vg_numbers.h"

/* Kinds of source, one letter each: i l s integers of 32, 64, 16 bits; n a shift amount or
 * position; f g h b floats of f32, f64, f16, bf16; m an f32 of moderate size; p a predicate. */
struct spec {
    const char *op, *letters, *kinds;
};

/* Folded by sm_75, in the order of the tables of PTX ISA 9.0. */
static const struct spec sm_75[] = {
    {"add.s32", "rrr", "ii"},
    {"add.u64", "ddd", "ll"},
    {"add.sat.s32", "rrr", "ii"},
    {"sub.s32", "rrr", "ii"},
    {"sub.s64", "ddd", "ll"},
    {"sub.sat.s32", "rrr", "ii"},
    {"mul.lo.s32", "rrr", "ii"},
    {"mul.hi.s32", "rrr", "ii"},
    {"mul.hi.u32", "rrr", "ii"},
    {"mul.wide.s32", "drr", "ii"},
    {"mul.wide.u32", "drr", "ii"},
    {"mul.wide.s16", "rhh", "ss"},
    {"mul.wide.u16", "rhh", "ss"},
    {"mul.lo.s64", "ddd", "ll"},
    {"mul.hi.s16", "hhh", "ss"},
    {"mad.lo.s32", "rrrr", "iii"},
    {"mad.wide.s32", "drrd", "iil"},
    {"mad.lo.s64", "dddd", "lll"},
    {"mad.hi.u16", "hhhh", "sss"},
    {"mul24.lo.s32", "rrr", "ii"},
    {"mul24.hi.s32", "rrr", "ii"},
    {"mul24.lo.u32", "rrr", "ii"},
    {"mul24.hi.u32", "rrr", "ii"},
    {"mad24.lo.s32", "rrrr", "iii"},
    {"mad24.hi.sat.s32", "rrrr", "iii"},
    {"min.s32", "rrr", "ii"},
    {"max.u32", "rrr", "ii"},
    {"min.u64", "ddd", "ll"},
    {"max.s64", "ddd", "ll"},
    {"abs.s32", "rr", "i"},
    {"neg.s32", "rr", "i"},
    {"abs.s64", "dd", "l"},
    {"neg.s64", "dd", "l"},
    {"popc.b32", "rr", "i"},
    {"popc.b64", "rd", "l"},
    {"clz.b32", "rr", "i"},
    {"clz.b64", "rd", "l"},
    {"bfind.u32", "rr", "i"},
    {"bfind.s32", "rr", "i"},
    {"bfind.s64", "rd", "l"},
    {"bfind.shiftamt.u32", "rr", "i"},
    {"bfind.shiftamt.s64", "rd", "l"},
    {"brev.b32", "rr", "i"},
    {"brev.b64", "dd", "l"},
    {"bfe.u32", "rrrr", "inn"},
    {"bfe.s32", "rrrr", "inn"},
    {"bfe.u64", "ddrr", "lnn"},
    {"bfe.s64", "ddrr", "lnn"},
    {"bfi.b32", "rrrrr", "iinn"},
    {"bfi.b64", "dddrr", "llnn"},
    {"szext.clamp.u32", "rrr", "in"},
    {"szext.wrap.s32", "rrr", "in"},
    {"fns.b32", "rrrr", "in1"},
    {"and.b32", "rrr", "ii"},
    {"or.b64", "ddd", "ll"},
    {"xor.b32", "rrr", "ii"},
    {"not.b32", "rr", "i"},
    {"cnot.b32", "rr", "i"},
    {"shl.b32", "rrr", "in"},
    {"shl.b64", "ddr", "ln"},
    {"shr.u32", "rrr", "in"},
    {"shr.s32", "rrr", "in"},
    {"shr.u64", "ddr", "ln"},
    {"shr.s64", "ddr", "ln"},
    {"shr.s16", "hhr", "sn"},
    {"shf.l.wrap.b32", "rrrr", "iin"},
    {"shf.l.clamp.b32", "rrrr", "iin"},
    {"shf.r.wrap.b32", "rrrr", "iin"},
    {"shf.r.clamp.b32", "rrrr", "iin"},
    {"setp.lt.s32", "prr", "ii"},
    {"setp.hi.u32", "prr", "ii"},
    {"setp.ge.s64", "pdd", "ll"},
    {"setp.lt.f32", "pff", "ff"},
    {"setp.geu.f32", "pff", "ff"},
    {"setp.ne.f32", "pff", "ff"},
    {"setp.gtu.ftz.f32", "pff", "ff"},
    {"setp.le.f64", "pgg", "gg"},
    {"setp.nan.f64", "pgg", "gg"},
    {"set.lt.f32.s32", "frr", "ii"},
    {"set.neu.u32.f32", "rff", "ff"},
    {"selp.b32", "rrrp", "iip"},
    {"slct.b32.s32", "rrrr", "iii"},
    {"slct.b32.f32", "rrrf", "iif"},
    {"add.f32", "fff", "ff"},
    {"sub.ftz.f32", "fff", "ff"},
    {"mul.f32", "fff", "ff"},
    {"mul.rn.ftz.f32", "fff", "ff"},
    {"add.sat.f32", "fff", "mm"},
    {"mul.sat.f32", "fff", "mm"},
    {"add.f64", "ggg", "gg"},
    {"mul.f64", "ggg", "gg"},
    {"min.f32", "fff", "ff"},
    {"max.f32", "fff", "ff"},
    {"max.ftz.f32", "fff", "ff"},
    {"min.f64", "ggg", "gg"},
    {"max.f64", "ggg", "gg"},
    {"abs.f32", "ff", "f"},
    {"neg.ftz.f32", "ff", "f"},
    {"neg.f64", "gg", "g"},
    {"abs.f64", "gg", "g"},
    {"testp.normal.f32", "pf", "f"},
    {"testp.subnormal.f32", "pf", "f"},
    {"testp.finite.f64", "pg", "g"},
    {"testp.notanumber.f32", "pf", "f"},
    {"cvt.sat.s8.s32", "hr", "i"},
    {"cvt.s8.s32", "hr", "i"},
    {"cvt.sat.u16.s32", "hr", "i"},
    {"cvt.u8.s64", "hd", "l"},
    {"cvt.s64.s32", "dr", "i"},
    {"cvt.sat.u32.s64", "rd", "l"},
    {"cvt.u32.u64", "rd", "l"},
    {"cvt.rn.f32.s32", "fr", "i"},
    {"cvt.rn.f32.u32", "fr", "i"},
    {"cvt.rn.f64.s32", "gr", "i"},
    {"cvt.rzi.s32.f32", "rf", "m"},
    {"cvt.rni.s32.f32", "rf", "m"},
    {"cvt.rmi.u32.f32", "rf", "m"},
    {"cvt.rpi.s32.f32", "rf", "m"},
    {"cvt.rzi.s32.f32", "rf", "f"},
    {"cvt.rzi.s32.f64", "rg", "g"},
    {"cvt.rni.u32.f64", "rg", "g"},
    {"cvt.rni.f32.f32", "ff", "m"},
    {"cvt.rmi.f32.f32", "ff", "m"},
    {"cvt.rpi.f32.f32", "ff", "f"},
    {"cvt.sat.f32.f32", "ff", "m"},
    {"cvt.ftz.f32.f32", "ff", "f"},
    {"cvt.f64.f32", "gf", "f"},
    {"cvt.rn.f32.f64", "fg", "g"},
    {"cvt.rn.ftz.f32.f64", "fg", "g"},
};

/* Folded by sm_80. */
static const struct spec sm_80[] = {
    {"cvt.f32.f16", "fh", "h"},     {"cvt.rn.f16.f32", "hf", "f"},
    {"cvt.rn.f16.f32", "hf", "m"},  {"cvt.f32.bf16", "fh", "b"},
    {"cvt.rn.bf16.f32", "hf", "f"}, {"cvt.rna.tf32.f32", "rf", "f"},
    {"cvt.rn.f16.f64", "hg", "g"},  {"cvt.rn.f16x2.f32", "rff", "mm"},
    {"neg.f16", "hh", "h"},         {"abs.f16", "hh", "h"},
    {"min.NaN.f32", "fff", "ff"},   {"max.NaN.ftz.f32", "fff", "ff"},
};

/* The approximate functions: compared by tolerance. */
static const struct spec approximate[] = {
    {"ex2.approx.f32", "ff", "m"},     {"ex2.approx.ftz.f32", "ff", "f"},
    {"lg2.approx.f32", "ff", "f"},     {"sin.approx.f32", "ff", "m"},
    {"cos.approx.f32", "ff", "m"},     {"rcp.approx.f32", "ff", "f"},
    {"rcp.approx.ftz.f32", "ff", "f"}, {"rsqrt.approx.f32", "ff", "f"},
    {"sqrt.approx.f32", "ff", "f"},    {"sqrt.approx.ftz.f32", "ff", "f"},
    {"div.approx.f32", "fff", "ff"},   {"div.full.f32", "fff", "ff"},
    {"div.full.ftz.f32", "fff", "ff"},
};

static uint64_t integer(struct lab_rng *rng, unsigned bits)
{
    uint64_t v = lab_rng_u64(rng) >> lab_rng_below(rng, 64);
    switch (lab_rng_below(rng, 5)) {
    case 0: v = 0 - v; break;
    case 1: v = (1ull << (bits - 1)) - 1 + lab_rng_below(rng, 3); break;
    case 2: v = lab_rng_below(rng, 3) - 1; break;
    default: break;
    }
    return v & (UINT64_MAX >> (64 - bits));
}

static uint64_t moderate(struct lab_rng *rng)
{
    uint64_t exponent = 120 + lab_rng_below(rng, 16);
    return lab_rng_below(rng, 2) << 31 | exponent << 23 | lab_rng_below(rng, 1u << 23);
}

static uint64_t source(struct lab_rng *rng, char kind)
{
    switch (kind) {
    case 'i': return integer(rng, 32);
    case 'l': return integer(rng, 64);
    case 's': return integer(rng, 16);
    case 'n': return lab_rng_below(rng, lab_rng_below(rng, 4) == 0 ? 300 : 40);
    case '1': return 1 + lab_rng_below(rng, 3);
    case 'f': return vg_number_f32(rng);
    case 'g': return vg_number_f64(rng);
    case 'h': return vg_number(rng, 16, 10);
    case 'b': return vg_number(rng, 16, 7);
    case 'm': return moderate(rng);
    default: return lab_rng_below(rng, 2);
    }
}

#define EACH 8u /* vectors of an instruction */

static void add(struct vg_fold *out, const struct spec *specs, unsigned n, const char *arch,
                struct lab_rng *rng)
{
    for (unsigned k = 0; k < n * EACH; k++) {
        const struct spec *s = &specs[k / EACH];
        out[k] = (struct vg_fold){.op = s->op, .letters = s->letters, .arch = arch};
        for (unsigned j = 0; s->kinds[j] != '\0'; j++) {
            out[k].source[j] = source(rng, s->kinds[j]);
        }
    }
}

struct vg_fold *vg_cases_folds(unsigned *n)
{
    enum { A = sizeof(sm_75) / sizeof(sm_75[0]), B = sizeof(sm_80) / sizeof(sm_80[0]) };
    enum { C = sizeof(approximate) / sizeof(approximate[0]) };
    struct vg_fold *folds = lab_alloc((A + B + C) * EACH, sizeof(*folds));
    struct lab_rng rng;
    lab_rng_seed(&rng, 42);
    add(folds, sm_75, A, "sm_75", &rng);
    add(folds + A * EACH, approximate, C, "sm_75", &rng);
    add(folds + (A + C) * EACH, sm_80, B, "sm_80", &rng);
    *n = (A + B + C) * EACH;
    return folds;
}
