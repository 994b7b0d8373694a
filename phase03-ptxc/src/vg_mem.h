/* Memory instructions: how they are decoded, and where their lanes' bytes are. Private to the
 * memory family (vg_mem.c, vg_ldst.c, vg_atom.c, vg_async.c) and to the hooks that count and check.
 */
#ifndef VG_MEM_H
#define VG_MEM_H

#include "vg_decode.h"
#include "vg_machine.h"

/* vg_insn.mods of a memory instruction. Its address is the slot `a` (of 64 bits with
 * VG_MEM_ADDR64, else 32) plus imm. */
enum vg_mem_mods {
    VG_MEM_SIZE = 0x7,     /* log2 of an element's bytes, 0 … 4 */
    VG_MEM_VEC = 0x18,     /* log2 of the elements of a vector, 0 … 3 */
    VG_MEM_SPACE = 0xE0,   /* enum ptx_space */
    VG_MEM_REG = 0x700,    /* log2 of a register's bytes, 1 … 4 */
    VG_MEM_SIGNED = 0x800, /* extend with the sign */
    VG_MEM_ADDR64 = 0x1000,
    VG_MEM_POLLS = 0x2000,    /* volatile, relaxed, acquire: it may be waiting for a change */
    VG_MEM_FRAME = 0x4000,    /* .param of a call or .func: local memory that is not counted */
    VG_MEM_KIND = 0x18000,    /* enum vg_access_kind */
    VG_MEM_MATRIX = 1u << 30, /* wmma.load, wmma.store: counted by vg_matrix.c */
};

static inline unsigned vg_mem_size(const struct vg_insn *i)
{
    return 1u << (i->mods & VG_MEM_SIZE);
}
static inline unsigned vg_mem_vec(const struct vg_insn *i)
{
    return 1u << ((i->mods & VG_MEM_VEC) >> 3);
}
static inline enum ptx_space vg_mem_space(const struct vg_insn *i)
{
    return (enum ptx_space)((i->mods & VG_MEM_SPACE) >> 5);
}
static inline unsigned vg_mem_reg(const struct vg_insn *i)
{
    return 1u << ((i->mods & VG_MEM_REG) >> 8);
}
static inline enum vg_access_kind vg_mem_kind(const struct vg_insn *i)
{
    return (enum vg_access_kind)((i->mods & VG_MEM_KIND) >> 15);
}
/* Bytes of a lane's whole access. */
static inline unsigned vg_mem_bytes(const struct vg_insn *i)
{
    return vg_mem_size(i) * vg_mem_vec(i);
}

/* Where each lane's bytes are on the host. In local memory the words of one lane are `step` bytes
 * apart; elsewhere 4, that is side by side. Lanes that do not execute have the place of one that
 * does, so that reading all 32 is harmless. */
struct vg_at {
    uint8_t *ptr[VG_LANES];
    uint32_t step[VG_LANES];
    bool scattered; /* some lane is in local memory */
};

/* The element's byte `off` (a multiple of 4, or inside the first word) of one lane. */
static inline uint8_t *vg_at_byte(const struct vg_at *at, unsigned l, unsigned off)
{
    return at->ptr[l] + (off >> 2) * at->step[l] + (off & 3);
}

/* The lanes' addresses as the instruction computes them. */
void vg_mem_addresses(const struct vg_warp *w, const struct vg_insn *i, uint64_t *out);
/* The places of the executing lanes; false after a fault was filed. `spec` says which access: the
 * instruction itself, or one half of a copy made by it. */
bool vg_mem_resolve(struct vg_warp *w, const struct vg_insn *i, const struct vg_insn *spec,
                    struct vg_at *at);
/* The space a generic address lies in, and its offset there. */
enum ptx_space vg_generic_space(uint64_t addr, uint64_t *offset);
/* "global load of 4 bytes": for messages. */
void vg_mem_describe(const struct vg_insn *i, enum ptx_space space, char *out, size_t n);

/* --- decoding --- */

/* Every modifier of the instruction must be in the list, which ends with PTX_W_none, or be a type:
 * else a named error. */
int vg_mem_modifiers(struct vg_decoder *d, const struct ptx_insn *in, const enum ptx_word *allowed,
                     struct lab_err *err);
/* The address operand: fills a, imm and the address bits of mods for this space. */
int vg_mem_address(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_space space,
                   struct vg_insn *out, struct lab_err *err);
int vg_decode_ldst(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err);
int vg_decode_atom(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err);
int vg_decode_async(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                    struct lab_err *err);

/* --- handlers, vg_ldst.c and vg_ldst_fast.c --- */
void vg_op_load(struct vg_warp *w, const struct vg_insn *i);
void vg_op_store(struct vg_warp *w, const struct vg_insn *i);
/* The handlers for a plain access whose registers are as wide as its elements: `first` looks at the
 * address register and keeps what it finds in the warp's line number i->target, `again` (may be
 * NULL) takes it from there. Both NULL: only the general handler will do. */
struct vg_fast {
    vg_handler first, again;
};
struct vg_fast vg_fast_access(const struct vg_insn *i);
/* … whose registers differ from the elements: vectors and bytes (vg_ldst_odd.c). */
struct vg_fast vg_fast_odd(const struct vg_insn *i);

/* A table of them. */
struct vg_fast_row {
    enum ptx_space space;
    uint32_t addr64; /* VG_MEM_ADDR64, or 0 */
    unsigned size, vec;
    struct vg_fast load, store;
};
struct vg_fast vg_fast_find(const struct vg_insn *i, const struct vg_fast_row *rows, size_t n);
/* Register `slot` of the executing lanes gets `in`, extended to its width. */
void vg_mem_put(struct vg_warp *w, const struct vg_insn *i, uint32_t slot, const uint64_t *in);
/* The slot's low bytes, as many as an element has, of every lane. */
void vg_mem_get(const struct vg_warp *w, const struct vg_insn *i, uint32_t slot, uint64_t *out);

#endif
