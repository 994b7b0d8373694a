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

#define FETCH(T)                                                                                   \
    VG_FOR_LANES(l)                                                                                \
    {                                                                                              \
        T v;                                                                                       \
        memcpy(&v, at->ptr[l] + off, sizeof(v));                                                   \
        out[l] = v;                                                                                \
    }

/* Some lanes are in local memory, where eight bytes are two words a row apart. */
static uint64_t fetch_lane(const uint8_t *p, uint32_t step, unsigned size)
{
    uint64_t v = 0;
    uint32_t high;
    switch (size) {
    case 1: return *p;
    case 2: memcpy(&v, p, 2); return v;
    case 4: memcpy(&v, p, 4); return v;
    default:
        memcpy(&v, p, 4);
        memcpy(&high, p + step, 4);
        return v | (uint64_t)high << 32;
    }
}

static void fetch_scattered(const struct vg_at *at, unsigned off, unsigned size, uint64_t *out)
{
    VG_FOR_LANES(l)
    {
        out[l] = fetch_lane(vg_at_byte(at, l, off), at->step[l], size);
    }
}

static void fetch(const struct vg_at *at, unsigned off, unsigned size, uint64_t *out)
{
    if (at->scattered) {
        fetch_scattered(at, off, size, out);
        return;
    }
    switch (size) {
    case 1: FETCH(uint8_t) break;
    case 2: FETCH(uint16_t) break;
    case 4: FETCH(uint32_t) break;
    default: FETCH(uint64_t) break;
    }
}

#define DEPOSIT(T)                                                                                 \
    VG_FOR_MASK(l, m)                                                                              \
    {                                                                                              \
        T v = (T)in[l];                                                                            \
        memcpy(at->ptr[l] + off, &v, sizeof(v));                                                   \
    }

static void deposit_scattered(const struct vg_at *at, uint32_t m, unsigned off, unsigned size,
                              const uint64_t *in)
{
    VG_FOR_MASK(l, m)
    {
        uint8_t *p = vg_at_byte(at, l, off);
        memcpy(p, &in[l], size < 4 ? size : 4);
        if (size == 8) {
            uint32_t hi = (uint32_t)(in[l] >> 32);
            memcpy(p + at->step[l], &hi, sizeof(hi));
        }
    }
}

static void deposit(const struct vg_at *at, uint32_t m, unsigned off, unsigned size,
                    const uint64_t *in)
{
    if (at->scattered) {
        deposit_scattered(at, m, off, size, in);
        return;
    }
    switch (size) {
    case 1: DEPOSIT(uint8_t) break;
    case 2: DEPOSIT(uint16_t) break;
    case 4: DEPOSIT(uint32_t) break;
    default: DEPOSIT(uint64_t) break;
    }
}

#define KEEP(T)                                                                                    \
    do {                                                                                           \
        T *d = VG_REG(w, slot, T);                                                                 \
        VG_SIMD VG_FOR_LANES(l)                                                                    \
        {                                                                                          \
            d[l] = VG_BIT(m, l) ? (T)v[l] : d[l];                                                  \
        }                                                                                          \
    } while (0)

LAB_CLONES static void keep(struct vg_warp *w, uint32_t slot, unsigned reg, const uint64_t *v)
{
    const uint32_t m = w->exec;
    if (reg == 2) {
        KEEP(uint16_t);
    } else if (reg == 4) {
        KEEP(uint32_t);
    } else {
        KEEP(uint64_t);
    }
}

void vg_mem_put(struct vg_warp *w, const struct vg_insn *i, uint32_t slot, const uint64_t *in)
{
    uint64_t v[VG_LANES];
    const unsigned size = vg_mem_size(i), reg = vg_mem_reg(i);
    if ((i->mods & VG_MEM_SIGNED) == 0 || size == reg) {
        keep(w, slot, reg, in);
        return;
    }
    const unsigned shift = 64 - 8 * size;
    VG_FOR_LANES(l)
    {
        v[l] = (uint64_t)((int64_t)(in[l] << shift) >> shift);
    }
    keep(w, slot, reg, v);
}

void vg_mem_get(const struct vg_warp *w, const struct vg_insn *i, uint32_t slot, uint64_t *out)
{
    const unsigned reg = vg_mem_reg(i);
    VG_FOR_LANES(l)
    {
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
