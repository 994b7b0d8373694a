/* A warp's registers and the decoded instruction: the contract between the decoder, the handlers of
 * every instruction, and the machine that runs warps. Private to the executor.
 *
 * Register file: one block of memory a warp, 64-byte aligned. A register is an array over 32 lanes
 * in it, found by its byte offset:
 *
 *   .pred                   one uint32_t, a bit a lane
 *   8 and 16 bits           uint16_t[32] (8-bit values zero- or sign-extended as loaded)
 *   32 bits                 uint32_t[32]
 *   64 bits                 uint64_t[32]
 *   128 bits                uint64_t[2][32]: all low halves, then all high halves
 *
 * Immediates and special registers are registers too: the decoder gives every distinct constant a
 * slot that is filled when the warp is made and never written, so a handler knows only offsets and
 * its inner loop is `for lane in 0..31: d[lane] = f(a[lane], b[lane])`, which gcc vectorises.
 * Special registers that change between blocks are refilled when a block starts; clocks are read by
 * handlers of their own.
 *
 * A handler executes one instruction for the lanes in w->exec, which is never 0. Where all 32 lanes
 * execute it takes the loop over all lanes; else it computes all lanes and stores those of the mask
 * (the macros of vg_lanes.h). A handler that can fault calls vg_fault and returns.
 */
#ifndef VG_EXEC_H
#define VG_EXEC_H

#include <stdint.h>

#include "ptx.h"
#include "vg_access.h"
#include "vgpu.h"

struct vg_warp;
struct vg_insn;
struct vg_block;
struct vg_code;

typedef void (*vg_handler)(struct vg_warp *w, const struct vg_insn *i);

#define VG_NO_SLOT UINT32_MAX

/* Generic addresses: the high half names the window, the low half is the offset in the block's
 * shared memory, the lane's local memory or the kernel's parameter block. Everything else is global
 * (constants too). No host program and no allocation of ours lies at these addresses. */
#define VG_SHARED_WINDOW 0x100000000ull
#define VG_LOCAL_WINDOW  0x200000000ull
#define VG_PARAM_WINDOW  0x300000000ull
#define VG_WINDOW_BYTES  0x100000000ull

/* One decoded instruction: 64 bytes, one cache line. */
struct vg_insn {
    vg_handler fn;
    uint32_t d, a, b, c; /* byte offsets in the register file; VG_NO_SLOT: none */
    uint32_t e;          /* a second destination or fifth operand (carry in, predicate out) */
    uint32_t guard;      /* predicate's offset, or VG_NO_SLOT */
    uint32_t mods;    /* meaning up to the handler: rounding, ftz, comparison, vector width … */
    uint32_t target;  /* branches: the target's index */
    uint32_t reconv;  /* branches: where the arms meet; PTX_NO_INSN: at the function's end */
    uint32_t extra;   /* index into the function's side table (calls, vectors, tensor operands) */
    int64_t imm;      /* address offset */
    vg_handler inner; /* with a guard, what fn runs for the lanes whose guard is true; set by the
                         machine */
};
_Static_assert(sizeof(struct vg_insn) == 64, "one cache line");

enum vg_mods { VG_GUARD_NEG = 1u << 31 };

/* What a handler sees of its warp. The machine (vg_machine.h) adds stack, barriers, counters. */
struct vg_warp {
    uint8_t *r;                 /* register file of the running function's frame */
    uint32_t exec;              /* lanes that execute now: active, guard true */
    uint32_t active;            /* lanes converged here */
    uint32_t alive;             /* lanes that have not exited */
    uint32_t pc;                /* the next instruction; handlers of branches set it */
    uint32_t cc;                /* the carry flag of add.cc and its kin, a bit a lane */
    uint32_t id;                /* index in the block */
    uint64_t issued;            /* warp instructions so far: what clocks count */
    const struct vg_insn *end;  /* where the straight run of instructions under way ends */
    const struct vg_code *code; /* the running function */
    struct vg_block *block;
    struct vg_machine_warp *m; /* the machine's own */
};

#define VG_U16(w, off)  ((uint16_t *)(void *)((w)->r + (off)))
#define VG_U32(w, off)  ((uint32_t *)(void *)((w)->r + (off)))
#define VG_U64(w, off)  ((uint64_t *)(void *)((w)->r + (off)))
#define VG_F32(w, off)  ((float *)(void *)((w)->r + (off)))
#define VG_F64(w, off)  ((double *)(void *)((w)->r + (off)))
#define VG_PRED(w, off) (*(uint32_t *)(void *)((w)->r + (off)))

/* Stop the launch: the machine fills in block and thread. `lanes` is the mask at fault. */
void vg_fault(struct vg_warp *w, const struct vg_insn *i, enum vgpu_status status, uint32_t lanes,
              uint64_t address, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* --- decoding ---
 * The machine walks a function's instructions and asks each family in turn; a family returns 1 when
 * it has filled `out`, 0 when the opcode is not its own, −1 with a named input error
 * ("FILE:line:col: add.sat.f64 is not an instruction", "… is not supported") when it is its own and
 * wrong or missing. */
struct vg_decoder; /* knows the function, its register slots and its constants */
struct vg_code;    /* a decoded function: vg_code.h */

int vg_decode_int(
    struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
    struct lab_err *err); /* vg_int*.c: integer, logic, shifts, bits, selp, setp int */
int vg_decode_float(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                    struct lab_err *err); /* vg_float*.c: f32, f64, f16, bf16, setp float, approx */
int vg_decode_cvt(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                  struct lab_err *err); /* vg_cvt*.c: cvt, mov with pack and unpack, cvta */
int vg_decode_tensor(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                     struct lab_err *err); /* vg_tensor.c: mma, wmma.mma, (with vg_mem) ldmatrix */
int vg_decode_mem(
    struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
    struct lab_err *err); /* vg_mem*.c: ld, st, atom, red, cp.async, fences, prefetch */
int vg_decode_warp(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                   struct lab_err *err); /* vg_warp*.c: shfl, vote, match, redux, activemask, bar */
int vg_decode_control(struct vg_decoder *d, const struct ptx_insn *in, struct vg_insn *out,
                      struct lab_err *err); /* vg_control.c: bra, brx, call, ret, exit, trap */

/* The slot of operand `op` read or written as `type`: a register, an immediate (converted to the
 * type's bits), a special register, a symbol's address. VG_NO_SLOT with err set when it cannot be
 * read so; a register narrower or wider than the type is taken as PTX allows for ld, st and cvt
 * when `relaxed`. */
uint32_t vg_slot(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                 struct lab_err *err);
uint32_t vg_slot_relaxed(struct vg_decoder *d, const struct ptx_operand *op, enum ptx_type type,
                         struct lab_err *err);
/* A slot that holds `bits` in every lane; a fresh scratch register of a type. */
uint32_t vg_slot_const(struct vg_decoder *d, uint64_t bits, enum ptx_type type);
uint32_t vg_slot_scratch(struct vg_decoder *d, enum ptx_type type);
/* Words of operands for `extra`: returns the index; vg_extra reads them at run time. */
uint32_t vg_side_table(struct vg_decoder *d, const uint32_t *words, uint32_t n);
const uint32_t *vg_extra(const struct vg_warp *w, const struct vg_insn *i);
/* A named error for this instruction: "FILE:line:col: <insn>: text". Returns −1. */
int vg_decode_error(struct vg_decoder *d, const struct ptx_insn *in, struct lab_err *err,
                    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
