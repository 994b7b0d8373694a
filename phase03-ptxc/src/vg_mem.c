/* Decoding of memory instructions: ld, ldu, st, prefetch, fences and the like; atom, red and
 * cp.async have files of their own.
 *
 * Cache operators, eviction priorities and prefetch sizes say how fast, not what: they are accepted
 * and have no effect, for there are no caches here. Memory order is that of the program: a worker
 * executes one instruction after the other, and kernels that talk between blocks run on one worker.
 */
#include <string.h>

#include "vg_matrix.h"
#include "vg_mem.h"

static const enum ptx_word access_words[] = {PTX_W_weak,
                                             PTX_W_volatile,
                                             PTX_W_relaxed,
                                             PTX_W_acquire,
                                             PTX_W_release,
                                             PTX_W_mmio,
                                             PTX_W_cta,
                                             PTX_W_cluster,
                                             PTX_W_gpu,
                                             PTX_W_sys,
                                             PTX_W_const,
                                             PTX_W_global,
                                             PTX_W_local,
                                             PTX_W_param,
                                             PTX_W_param_entry,
                                             PTX_W_param_func,
                                             PTX_W_shared,
                                             PTX_W_shared_cta,
                                             PTX_W_shared_cluster,
                                             PTX_W_ca,
                                             PTX_W_cg,
                                             PTX_W_cs,
                                             PTX_W_lu,
                                             PTX_W_cv,
                                             PTX_W_wb,
                                             PTX_W_wt,
                                             PTX_W_nc,
                                             PTX_W_L1_evict_first,
                                             PTX_W_L1_evict_last,
                                             PTX_W_L1_evict_normal,
                                             PTX_W_L1_evict_unchanged,
                                             PTX_W_L1_no_allocate,
                                             PTX_W_L2_64B,
                                             PTX_W_L2_128B,
                                             PTX_W_L2_256B,
                                             PTX_W_L2_cache_hint,
                                             PTX_W_L2_evict_first,
                                             PTX_W_L2_evict_last,
                                             PTX_W_L2_evict_normal,

                                             PTX_W_unified,
                                             PTX_W_v2,
                                             PTX_W_v4,
                                             PTX_W_v8,
                                             PTX_W_none};

static bool in_list(const enum ptx_word *list, enum ptx_word w)
{
    for (; *list != PTX_W_none; list++) {
        if (*list == w) {
            return true;
        }
    }
    return false;
}

int vg_mem_modifiers(struct vg_decoder *d, const struct ptx_insn *in, const enum ptx_word *allowed,
                     struct lab_err *err)
{
    for (unsigned k = 0; k < in->nmods; k++) {
        if (!in_list(allowed, in->mods[k]) && ptx_type_of_word(in->mods[k]) == PTX_NONE) {
            return vg_decode_error(d, in, err, ".%s is not supported here",
                                   ptx_word_text(in->mods[k]));
        }
    }
    return 0;
}

static bool has_any(const struct ptx_insn *in, const enum ptx_word *words)
{
    for (; *words != PTX_W_none; words++) {
        if (ptx_has(in, *words)) {
            return true;
        }
    }
    return false;
}

static unsigned log2_of(unsigned n)
{
    return (unsigned)__builtin_ctz(n);
}

/* A kernel's .param is its parameter block; a call's or a .func's is in the frame. */
static bool is_frame_param(const struct vg_decoder *d, const struct ptx_operand *op)
{
    if (op->var != NULL && op->var->space != PTX_SPACE_REG) {
        return vg_code_home(d->code, op->var) != VG_NO_SLOT;
    }
    return d->f->kind == PTX_FUNC;
}

/* Variables of the frame and parameters of the kernel share one base slot. */
static bool known_place(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_space space,
                        struct vg_insn *out)
{
    if (op->var->space == PTX_SPACE_REG || space == PTX_SPACE_GENERIC) {
        return false;
    }
    uint32_t home = vg_code_home(d->code, op->var);
    if (home != VG_NO_SLOT) {
        out->a = vg_slot_frame(d);
        out->imm = home + op->offset;
    } else if (op->var->space == PTX_SPACE_PARAM) {
        out->a = vg_slot_const(d, 0, PTX_B64);
        out->imm = op->var->param_offset + op->offset;
    } else {
        return false;
    }
    out->mods |= VG_MEM_ADDR64;
    return true;
}

/* Is the variable in the space that the instruction names? */
static int check_space(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_space space,
                       struct lab_err *err)
{
    const struct ptx_var *v = op->var;
    if (v == NULL || v->space == PTX_SPACE_REG || v->space == space) {
        return 0;
    }
    bool is_global = v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST;
    if (space == PTX_SPACE_GENERIC && is_global) {
        return 0;
    }
    return vg_decode_error(d, d->in, err, "'%s' is not in the state space of the instruction",
                           v->name);
}

int vg_mem_address(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_space space,
                   struct vg_insn *out, struct lab_err *err)
{
    if (op->kind != PTX_OP_ADDR || op->nelems != 0) {
        return vg_decode_error(d, d->in, err, "expected an address in brackets");
    }
    if (check_space(d, op, space, err) < 0) {
        return -1;
    }
    out->mods |= (uint32_t)space << 5;
    if (space == PTX_SPACE_PARAM && is_frame_param(d, op)) {
        out->mods |= VG_MEM_FRAME;
    }
    if (op->var == NULL) {
        out->a = vg_slot_const(d, 0, PTX_B64);
        out->mods |= VG_MEM_ADDR64;
        out->imm = op->offset;
        return 0;
    }
    if (known_place(d, op, space, out)) {
        return 0;
    }
    struct ptx_operand base = {.kind = PTX_OP_SYM, .pos = op->pos, .var = op->var};
    enum ptx_type type = space == PTX_SPACE_SHARED ? PTX_B32 : PTX_B64;
    if (op->var->space == PTX_SPACE_REG) {
        base.kind = PTX_OP_REG;
        type = ptx_type_size(op->var->type) == 4 ? PTX_B32 : PTX_B64;
    }
    out->a = vg_slot(d, &base, type, err);
    out->imm = op->offset;
    out->mods |= type == PTX_B64 ? VG_MEM_ADDR64 : 0;
    return out->a == VG_NO_SLOT ? -1 : 0;
}

/* The data operand: one register or constant, or a vector of them. `_` skips an element of a load.
 */
static int decode_data(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                       struct vg_insn *out, struct lab_err *err)
{
    const struct ptx_operand *elems = op->kind == PTX_OP_VEC ? op->elems : op;
    const uint32_t n = op->kind == PTX_OP_VEC ? op->nelems : 1;
    uint32_t slots[8];
    unsigned reg = 0;
    if (n != vg_mem_vec(out)) {
        return vg_decode_error(d, d->in, err, "expected %u registers, found %u", vg_mem_vec(out),
                               n);
    }
    for (uint32_t k = 0; k < n; k++) {
        if (elems[k].kind == PTX_OP_SINK) {
            slots[k] = VG_NO_SLOT;
            continue;
        }
        slots[k] = vg_slot_relaxed(d, &elems[k], type, err);
        unsigned bytes = ptx_type_size(elems[k].kind == PTX_OP_REG ? elems[k].var->type : type);
        bytes = bytes < 2 ? 2 : bytes;
        if (slots[k] == VG_NO_SLOT) {
            return -1;
        }
        if (reg != 0 && bytes != reg) {
            return vg_decode_error(d, d->in, err, "the vector's registers differ in size");
        }
        reg = bytes;
    }
    out->mods |= log2_of(reg != 0 ? reg : 4) << 8;
    out->d = slots[0];
    out->extra = n > 1 ? vg_side_table(d, slots, n) : 0;
    return 0;
}

static unsigned vector_of(const struct ptx_insn *in)
{
    return ptx_has(in, PTX_W_v2) ? 1 : ptx_has(in, PTX_W_v4) ? 2 : ptx_has(in, PTX_W_v8) ? 3 : 0;
}

int vg_decode_ldst(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err)
{
    static const enum ptx_word polls[] = {PTX_W_volatile, PTX_W_relaxed, PTX_W_acquire,
                                          PTX_W_mmio,     PTX_W_cv,      PTX_W_none};
    const bool load = in->op != PTX_W_st;
    enum ptx_type type = ptx_insn_type(in);
    if (in->nops < 2 || type == PTX_NONE || type == PTX_PRED) {
        return vg_decode_error(d, in, err, "expected a type, an address and a register");
    }
    if (vg_mem_modifiers(d, in, access_words, err) < 0) {
        return -1;
    }
    out->mods = log2_of(ptx_type_size(type)) | vector_of(in) << 3;
    out->mods |= (uint32_t)(load ? VG_LOAD : VG_STORE) << 15;
    if (type == PTX_S8 || type == PTX_S16 || type == PTX_S32) {
        out->mods |= VG_MEM_SIGNED;
    }
    if (load && has_any(in, polls)) {
        out->mods |= VG_MEM_POLLS;
    }
    if (vg_mem_bytes(out) > 32) {
        return vg_decode_error(d, in, err, "an access moves at most 32 bytes");
    }
    if (vg_mem_address(d, &in->ops[load ? 1 : 0], ptx_insn_space(in), out, err) < 0 ||
        decode_data(d, &in->ops[load ? 0 : 1], type, out, err) < 0) {
        return -1;
    }
    vg_decode_mark(d, VG_CLASS_ACCESS);
    vg_handler fast = vg_fast_access(out).first;
    out->fn = fast != NULL ? fast : load ? vg_op_load : vg_op_store;
    out->target = VG_LINES - 1;
    return 1;
}

static void op_nothing(struct vg_warp *w, const struct vg_insn *i)
{
    (void)w;
    (void)i;
}

int vg_decode_mem(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err)
{
    switch (in->op) {
    case PTX_W_ld:
    case PTX_W_ldu:
    case PTX_W_st: return vg_decode_ldst(d, in, out, err);
    case PTX_W_atom:
    case PTX_W_red: return vg_decode_atom(d, in, out, err);
    case PTX_W_cp: return vg_decode_async(d, in, out, err);
    case PTX_W_ldmatrix:
    case PTX_W_stmatrix:
    case PTX_W_movmatrix:
    case PTX_W_wmma: return vg_decode_matrix(d, in, out, err);
    case PTX_W_membar:
    case PTX_W_fence:
    case PTX_W_prefetch:
    case PTX_W_prefetchu:
    case PTX_W_discard:
    case PTX_W_applypriority: out->fn = op_nothing; return 1;
    default: return 0;
    }
}
