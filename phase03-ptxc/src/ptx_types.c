/* Problem: types, state spaces and special registers have a spelling, a size and an enum each.
 * Model: one table a kind. Source: PTX ISA 9.0, 5.2 (types), 5.1 (state spaces), 10 (special
 * registers).
 * Invariants: a table has an entry for every enumerator.
 * Simplified: .texref, .samplerref and .surfref are 8-byte handles without a meaning.
 */
#include <string.h>

#include "ptx_parse.h"

static const struct {
    const char *name;
    unsigned size;
    enum ptx_word word;
} types[] = {
    [PTX_NONE] = {"none", 0, PTX_W_none},
    [PTX_PRED] = {"pred", 1, PTX_W_pred},
    [PTX_B8] = {"b8", 1, PTX_W_b8},
    [PTX_B16] = {"b16", 2, PTX_W_b16},
    [PTX_B32] = {"b32", 4, PTX_W_b32},
    [PTX_B64] = {"b64", 8, PTX_W_b64},
    [PTX_B128] = {"b128", 16, PTX_W_b128},
    [PTX_U8] = {"u8", 1, PTX_W_u8},
    [PTX_U16] = {"u16", 2, PTX_W_u16},
    [PTX_U32] = {"u32", 4, PTX_W_u32},
    [PTX_U64] = {"u64", 8, PTX_W_u64},
    [PTX_S8] = {"s8", 1, PTX_W_s8},
    [PTX_S16] = {"s16", 2, PTX_W_s16},
    [PTX_S32] = {"s32", 4, PTX_W_s32},
    [PTX_S64] = {"s64", 8, PTX_W_s64},
    [PTX_F16] = {"f16", 2, PTX_W_f16},
    [PTX_F16X2] = {"f16x2", 4, PTX_W_f16x2},
    [PTX_BF16] = {"bf16", 2, PTX_W_bf16},
    [PTX_BF16X2] = {"bf16x2", 4, PTX_W_bf16x2},
    [PTX_TF32] = {"tf32", 4, PTX_W_tf32},
    [PTX_F32] = {"f32", 4, PTX_W_f32},
    [PTX_F64] = {"f64", 8, PTX_W_f64},
    [PTX_U16X2] = {"u16x2", 4, PTX_W_u16x2},
    [PTX_S16X2] = {"s16x2", 4, PTX_W_s16x2},
    [PTX_TEXREF] = {"texref", 8, PTX_W_texref},
    [PTX_SAMPLERREF] = {"samplerref", 8, PTX_W_samplerref},
    [PTX_SURFREF] = {"surfref", 8, PTX_W_surfref},
};

#define NTYPES (sizeof(types) / sizeof(types[0]))

unsigned ptx_type_size(enum ptx_type t)
{
    return t < NTYPES ? types[t].size : 0;
}

const char *ptx_type_name(enum ptx_type t)
{
    return t < NTYPES ? types[t].name : "none";
}

enum ptx_type ptx_type_of_word(enum ptx_word w)
{
    for (size_t t = 1; t < NTYPES; t++) {
        if (types[t].word == w) {
            return (enum ptx_type)t;
        }
    }
    return PTX_NONE;
}

enum ptx_type ptx_type_of_text(const char *s, size_t len)
{
    return ptx_type_of_word(ptx_word_find(s, len));
}

static enum ptx_space space_of_word(enum ptx_word w)
{
    switch (w) {
    case PTX_W_reg: return PTX_SPACE_REG;
    case PTX_W_global: return PTX_SPACE_GLOBAL;
    case PTX_W_shared:
    case PTX_W_shared_cta:
    case PTX_W_shared_cluster: return PTX_SPACE_SHARED;
    case PTX_W_local: return PTX_SPACE_LOCAL;
    case PTX_W_const: return PTX_SPACE_CONST;
    case PTX_W_param:
    case PTX_W_param_entry:
    case PTX_W_param_func: return PTX_SPACE_PARAM;
    default: return PTX_SPACE_GENERIC;
    }
}

enum ptx_space ptx_space_of_text(const char *s, size_t len)
{
    return space_of_word(ptx_word_find(s, len));
}

bool ptx_has(const struct ptx_insn *insn, enum ptx_word w)
{
    for (unsigned i = 0; i < insn->nmods; i++) {
        if (insn->mods[i] == w) {
            return true;
        }
    }
    return false;
}

enum ptx_space ptx_insn_space(const struct ptx_insn *insn)
{
    enum ptx_space space = PTX_SPACE_GENERIC;
    for (unsigned i = 0; i < insn->nmods && space == PTX_SPACE_GENERIC; i++) {
        space = space_of_word(insn->mods[i]);
    }
    return space;
}

enum ptx_type ptx_insn_type(const struct ptx_insn *insn)
{
    enum ptx_type type = PTX_NONE;
    for (unsigned i = insn->nmods; i > 0 && type == PTX_NONE; i--) {
        type = ptx_type_of_word(insn->mods[i - 1]);
    }
    return type;
}

static const char *const sregs[] = {
    [PTX_TID_X] = "%tid.x",
    [PTX_TID_Y] = "%tid.y",
    [PTX_TID_Z] = "%tid.z",
    [PTX_NTID_X] = "%ntid.x",
    [PTX_NTID_Y] = "%ntid.y",
    [PTX_NTID_Z] = "%ntid.z",
    [PTX_CTAID_X] = "%ctaid.x",
    [PTX_CTAID_Y] = "%ctaid.y",
    [PTX_CTAID_Z] = "%ctaid.z",
    [PTX_NCTAID_X] = "%nctaid.x",
    [PTX_NCTAID_Y] = "%nctaid.y",
    [PTX_NCTAID_Z] = "%nctaid.z",
    [PTX_LANEID] = "%laneid",
    [PTX_WARPID] = "%warpid",
    [PTX_NWARPID] = "%nwarpid",
    [PTX_SMID] = "%smid",
    [PTX_NSMID] = "%nsmid",
    [PTX_GRIDID] = "%gridid",
    [PTX_LANEMASK_EQ] = "%lanemask_eq",
    [PTX_LANEMASK_LE] = "%lanemask_le",
    [PTX_LANEMASK_LT] = "%lanemask_lt",
    [PTX_LANEMASK_GE] = "%lanemask_ge",
    [PTX_LANEMASK_GT] = "%lanemask_gt",
    [PTX_CLOCK] = "%clock",
    [PTX_CLOCK_HI] = "%clock_hi",
    [PTX_CLOCK64] = "%clock64",
    [PTX_GLOBALTIMER] = "%globaltimer",
    [PTX_GLOBALTIMER_LO] = "%globaltimer_lo",
    [PTX_GLOBALTIMER_HI] = "%globaltimer_hi",
    [PTX_DYNAMIC_SMEM_SIZE] = "%dynamic_smem_size",
    [PTX_TOTAL_SMEM_SIZE] = "%total_smem_size",
    [PTX_AGGR_SMEM_SIZE] = "%aggr_smem_size",
    [PTX_RESERVED_SMEM] = "%reserved_smem_offset",
    [PTX_CLUSTERID_X] = "%clusterid.x",
    [PTX_CLUSTERID_Y] = "%clusterid.y",
    [PTX_CLUSTERID_Z] = "%clusterid.z",
    [PTX_NCLUSTERID_X] = "%nclusterid.x",
    [PTX_NCLUSTERID_Y] = "%nclusterid.y",
    [PTX_NCLUSTERID_Z] = "%nclusterid.z",
    [PTX_CLUSTER_CTAID_X] = "%cluster_ctaid.x",
    [PTX_CLUSTER_CTAID_Y] = "%cluster_ctaid.y",
    [PTX_CLUSTER_CTAID_Z] = "%cluster_ctaid.z",
    [PTX_CLUSTER_NCTAID_X] = "%cluster_nctaid.x",
    [PTX_CLUSTER_NCTAID_Y] = "%cluster_nctaid.y",
    [PTX_CLUSTER_NCTAID_Z] = "%cluster_nctaid.z",
    [PTX_CLUSTER_CTARANK] = "%cluster_ctarank",
    [PTX_CLUSTER_NCTARANK] = "%cluster_nctarank",
    [PTX_IS_EXPLICIT_CLUSTER] = "%is_explicit_cluster",
    [PTX_CURRENT_GRAPH_EXEC] = "%current_graph_exec",
    [PTX_ENVREG] = "%envreg",
    [PTX_PM] = "%pm",
    [PTX_PM64] = "%pm64",
};

_Static_assert(sizeof(sregs) / sizeof(sregs[0]) == PTX_SREG_COUNT, "one name a special register");

const char *ptx_sreg_name(enum ptx_sreg r)
{
    return r < PTX_SREG_COUNT ? sregs[r] : "";
}
