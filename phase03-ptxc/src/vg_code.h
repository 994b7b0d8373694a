/* A decoded function: what the machine runs, and how its register file is laid out.
 *
 * Instruction k of the PTX body is insns[k], and the parser ends every body with a ret. A frame is
 * the function's register file for one warp: frame_bytes of memory in which each register used,
 * each constant and each special register has a slot (vg_exec.h). `fills` says what to write in a
 * new frame; after that the handlers do the rest.
 *
 * A decoded function belongs to one kernel: the offsets of shared variables are the kernel's, so a
 * .func that two kernels call is decoded for each. Read-only once built; threads share it.
 */
#ifndef VG_CODE_H
#define VG_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/err.h"
#include "ptx.h"
#include "vg_exec.h"

enum vg_fill_kind {
    VG_FILL_CONST, /* bits in every lane */
    VG_FILL_LOCAL, /* bits + the frame's base in local memory */
    VG_FILL_SREG,  /* bits: enum ptx_sreg (and the number of an envreg in the high half) */
};

struct vg_fill {
    enum vg_fill_kind kind;
    enum ptx_type type; /* decides the slot's width */
    uint32_t slot;
    uint64_t bits;
};

/* Where a .local variable, or a .param variable of a call or a .func, lies in the frame's part of
 * the lane's local memory. Sorted by `var`. */
struct vg_home {
    const struct ptx_var *var;
    uint32_t offset;
};

/* Where the value of a parameter lies: a register, or rows of local memory. */
struct vg_value {
    bool in_register;
    uint32_t at; /* slot, or offset in the frame's local memory */
    uint32_t bytes;
};

/* A call as decoded: whom, and where its arguments and results lie in the caller's frame. */
struct vg_call {
    uint32_t index;     /* of the callee in the kernel's codes; VG_NO_SLOT: indirect or built in */
    vg_handler builtin; /* vprintf and its kin */
    uint32_t nargs, nreturns;
    struct vg_value *args, *returns;
};

struct vg_code {
    const struct ptx_func *func;
    uint32_t index; /* in the kernel's list of functions */
    struct vg_insn *insns;
    uint32_t ninsns; /* the PTX body's and the final ret */
    uint32_t *run;   /* by pc: instructions up to and with the next that may change the pc */
    uint32_t *side;  /* operand words of `extra` */
    uint32_t nside;
    struct vg_fill *fills;
    uint32_t nfills;
    uint32_t *block_fills; /* indices of those that change with the block */
    uint32_t nblock_fills;
    uint32_t frame_bytes;
    uint32_t *reg_slot; /* by ptx_var.reg_index: VG_NO_SLOT when the body never names it */
    struct vg_home *homes;
    uint32_t nhomes;
    uint32_t local_bytes;     /* of the frame, a lane */
    uint16_t *classes;        /* by pc: bits of enum vg_class */
    struct vg_value *params;  /* of a .func: where its parameters and results lie */
    struct vg_value *returns; /* nparams and nreturns of func */
    uint32_t live_regs;       /* 32-bit registers a thread, vg_live.h */
    uint32_t *unset;          /* register slots that may be read before they are written */
    uint32_t nunset;
    struct vg_call *calls; /* by vg_insn.extra of a call */
    uint32_t ncalls;
};

/* What an instruction is to the machine. */
enum vg_class {
    VG_CLASS_ENDS = 1,    /* may change the pc, block or stop: ends a straight run */
    VG_CLASS_LEADER = 2,  /* something may arrive here: starts a straight run */
    VG_CLASS_ACCESS = 4,  /* touches memory */
    VG_CLASS_GUARDED = 8, /* runs for the lanes of its guard */
    VG_CLASS_BRANCH = 16, /* bra, brx: counted as a branch */
    VG_CLASS_CALL = 32,
    VG_CLASS_BARRIER = 64,
    VG_CLASS_TARGET = 128, /* a branch may come here */
    VG_CLASS_LEAVES = 256, /* ends the kernel for every lane that gets here */
    VG_CLASS_AGAIN = 512,  /* an access whose address register was looked at just before */
};

#define VG_LOCAL_LIMIT                                                                             \
    524288u /* bytes a thread (CUDA C++ Programming Guide, "Compute Capabilities") */

/* How a decoder turns symbols into numbers: the address of a variable (global, const: device
 * address; shared: offset in the block's shared memory) and of a function. Each returns 0, or −1
 * when the module does not have it. */
struct vg_symbols {
    void *ctx;
    int (*var)(void *ctx, const struct ptx_var *var, uint64_t *value);
    int (*func)(void *ctx, const struct ptx_func *func, uint64_t *value);
    uint32_t (*index)(void *ctx, const struct ptx_func *func); /* in the kernel's codes */
};

/* Decode a function of module `m` (for the names in messages). `symbols` may be NULL: then a symbol
 * is an error. On bad input −1 and "FILE:line:col: instruction: what is wrong". */
int vg_code_build(const struct ptx_module *m, const struct ptx_func *f,
                  const struct vg_symbols *symbols, struct vg_code **out, struct lab_err *err);
void vg_code_free(struct vg_code *c);

/* Bytes of one register slot of a type, and their alignment. */
uint32_t vg_slot_bytes(enum ptx_type type);
/* Write one constant over the lanes of a slot. */
void vg_slot_fill(uint8_t *frame, uint32_t slot, enum ptx_type type, uint64_t bits);
/* Write all VG_FILL_CONST of a new frame (which is zeroed first). */
void vg_frame_constants(const struct vg_code *c, uint8_t *frame);
/* A frame is used again: registers that may be read before they are written become 0. */
void vg_frame_clear(const struct vg_code *c, uint8_t *frame);

#endif
