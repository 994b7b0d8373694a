/* Loads and stores of every type, space, width and mask.
 *
 * Model: the lanes' places are resolved, then each element of the vector is moved through an array
 * of 32 64-bit values: memory → values → register for a load, the other way for a store. A register
 * wider than the element is zero- or sign-extended by the type; a narrower view of a wider register
 * is stored (PTX ISA, "Operand Size Exceeding Instruction-Type Size").
 *
 * Two lanes that store to one address: the highest lane wins; the PTX ISA promises only that one of
 * them does.
 *
 * Simplified: memory is sequentially consistent within a worker, and what two blocks on two workers
 * store to one address at the same time is the host's business, as it is the GPU's.
 */
#include <string.h>

#include "vg_lanes.h"
#include "vg_mem.h"

static void fetch(const struct vg_at *at, unsigned off, unsigned size, uint64_t *out)
{
    for (unsigned l = 0; l < VG_LANES; l++) {
        const uint8_t *p = vg_at_byte(at, l, off);
        uint16_t half;
        uint32_t lo, hi;
        switch (size) {
        case 1: out[l] = *p; break;
        case 2:
            memcpy(&half, p, sizeof(half));
            out[l] = half;
            break;
        case 4:
            memcpy(&lo, p, sizeof(lo));
            out[l] = lo;
            break;
        default:
            memcpy(&lo, p, sizeof(lo));
            memcpy(&hi, p + at->step[l], sizeof(hi));
            out[l] = lo | (uint64_t)hi << 32;
            break;
        }
    }
}

static void deposit(const struct vg_at *at, uint32_t m, unsigned off, unsigned size,
                    const uint64_t *in)
{
    VG_FOR_MASK(l, m)
    {
        uint8_t *p = vg_at_byte(at, l, off);
        uint32_t hi = (uint32_t)(in[l] >> 32);
        if (size == 8) {
            memcpy(p, &in[l], 4);
            memcpy(p + at->step[l], &hi, 4);
        } else {
            memcpy(p, &in[l], size);
        }
    }
}

static uint64_t extend(uint64_t v, unsigned size, bool is_signed)
{
    switch (is_signed ? size : 8) {
    case 1: return (uint64_t)(int64_t)(int8_t)v;
    case 2: return (uint64_t)(int64_t)(int16_t)v;
    case 4: return (uint64_t)(int64_t)(int32_t)v;
    default: return v;
    }
}

void vg_mem_put(struct vg_warp *w, const struct vg_insn *i, uint32_t slot, const uint64_t *in)
{
    const unsigned size = vg_mem_size(i), reg = vg_mem_reg(i);
    const bool is_signed = (i->mods & VG_MEM_SIGNED) != 0;
    uint32_t m = w->exec;
    VG_FOR_MASK(l, m)
    {
        uint64_t v = extend(in[l], size, is_signed);
        if (reg == 2) {
            VG_U16(w, slot)[l] = (uint16_t)v;
        } else if (reg == 4) {
            VG_U32(w, slot)[l] = (uint32_t)v;
        } else {
            VG_U64(w, slot)[l] = v;
        }
    }
}

void vg_mem_get(const struct vg_warp *w, const struct vg_insn *i, uint32_t slot, uint64_t *out)
{
    const unsigned reg = vg_mem_reg(i);
    for (unsigned l = 0; l < VG_LANES; l++) {
        out[l] = reg == 2 ? VG_U16(w, slot)[l] : reg == 4 ? VG_U32(w, slot)[l] : VG_U64(w, slot)[l];
    }
}

/* Slot of element k: a vector's are in the side table. */
static uint32_t element_slot(const struct vg_warp *w, const struct vg_insn *i, unsigned k)
{
    return (i->mods & VG_MEM_VEC) != 0 ? vg_extra(w, i)[k] : i->d;
}

void vg_op_load(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_at at;
    uint64_t values[2][VG_LANES];
    if (!vg_mem_resolve(w, i, i, &at)) {
        return;
    }
    const unsigned size = vg_mem_size(i), vec = vg_mem_vec(i);
    for (unsigned k = 0; k < vec; k++) {
        uint32_t slot = element_slot(w, i, k);
        fetch(&at, k * size, size < 8 ? size : 8, values[0]);
        if (size == 16) {
            fetch(&at, k * size + 8, 8, values[1]);
        }
        if (slot != VG_NO_SLOT) {
            vg_mem_put(w, i, slot, values[0]);
        }
        if (slot != VG_NO_SLOT && size == 16) {
            vg_mem_put(w, i, slot + 8 * VG_LANES, values[1]);
        }
    }
    if ((i->mods & VG_MEM_POLLS) != 0) {
        unsigned l = (unsigned)__builtin_ctz(w->exec);
        vg_poll(w, (uint64_t)(uintptr_t)at.ptr[l], values[0][l]);
    }
}

void vg_op_store(struct vg_warp *w, const struct vg_insn *i)
{
    struct vg_at at;
    uint64_t values[VG_LANES];
    if (!vg_mem_resolve(w, i, i, &at)) {
        return;
    }
    const unsigned size = vg_mem_size(i), vec = vg_mem_vec(i);
    for (unsigned k = 0; k < vec; k++) {
        uint32_t slot = element_slot(w, i, k);
        vg_mem_get(w, i, slot, values);
        deposit(&at, w->exec, k * size, size < 8 ? size : 8, values);
        if (size == 16) {
            vg_mem_get(w, i, slot + 8 * VG_LANES, values);
            deposit(&at, w->exec, k * size + 8, 8, values);
        }
    }
}
