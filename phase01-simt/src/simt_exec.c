/* One issue's work on registers and memory.
 *
 * Problem: 32 lanes do the same instruction, some of them masked off, and the result must be what
 * the active lanes alone would have done. Model: compute a row of 32 values into a scratch row,
 * then commit it under the mask. Memory instructions go through the active lanes from 0 to 31,
 * which is also what decides between lanes that hit the same word. Invariants: an inactive lane
 * changes no register and no memory and cannot fail; an issue that fails writes no register.
 *
 * Simplified: memory is one flat array of words; a real LD of 32 addresses is split into sectors
 * and may take several passes (phase 02 counts them).
 */
#include "simt_exec.h"

#include <string.h>

#include "lab/clones.h"
#include "simt_alu.h"
#include "simt_vote.h"
#include "simt_warp.h"

static inline void commit(int32_t *dst, const int32_t *val, uint32_t active)
{
    if (active == SIMT_FULL) {
        memcpy(dst, val, SIMT_LANES * sizeof(*val));
    } else {
        simt_commit(dst, val, active);
    }
}

static void fill(int32_t *row, int32_t v)
{
    for (int i = 0; i < SIMT_LANES; i++) {
        row[i] = v;
    }
}

/* The second source as a row. */
static const int32_t *second(const struct simt_warp *w, const struct simt_insn *in,
                             int32_t *scratch)
{
    if (!in->has_imm) {
        return w->r[in->rb];
    }
    fill(scratch, in->imm);
    return scratch;
}

static bool next_lane(uint32_t *lanes, unsigned *lane)
{
    if (*lanes == 0) {
        return false;
    }
    *lane = (unsigned)__builtin_ctz(*lanes);
    *lanes &= *lanes - 1;
    return true;
}

static int exec_mod(struct simt_block *b, struct simt_warp *w, uint32_t pc, uint32_t active,
                    struct lab_err *err)
{
    const struct simt_insn *in = &b->prog->code[pc];
    int32_t out[SIMT_LANES] = {0};
    int32_t scratch[SIMT_LANES];
    const int32_t *divisor = second(w, in, scratch);
    unsigned lane = 0;
    for (uint32_t todo = active; next_lane(&todo, &lane);) {
        if (divisor[lane] == 0) {
            (void)simt_error_at(b->prog, pc, err,
                                "MOD by 0 in lane %u of warp %u, expected another divisor", lane,
                                w->id);
            return simt_fail(b, w, pc);
        }
        out[lane] = simt_mod(w->r[in->ra][lane], divisor[lane]);
    }
    commit(w->r[in->rd], out, active);
    return 0;
}

static void exec_shfl(const struct simt_warp *w, const struct simt_insn *in, uint32_t active,
                      int32_t *out)
{
    int32_t scratch[SIMT_LANES];
    const int32_t *from = second(w, in, scratch);
    for (int i = 0; i < SIMT_LANES; i++) {
        uint32_t source = (uint32_t)from[i];
        bool there = source < SIMT_LANES && (active >> source & 1) != 0;
        out[i] = w->r[in->ra][there ? source : (uint32_t)i];
    }
}

static void exec_selp(const struct simt_warp *w, const struct simt_insn *in, int32_t *out)
{
    const int32_t *yes = w->r[in->ra];
    const int32_t *no = w->r[in->rb];
    const int32_t *choose = w->r[in->rc];
    for (int i = 0; i < SIMT_LANES; i++) {
        out[i] = choose[i] != 0 ? yes[i] : no[i];
    }
}

/* The word of one lane, or NULL with the error set. */
static int32_t *word_at(struct simt_block *b, struct simt_warp *w, uint32_t pc, unsigned lane,
                        struct lab_err *err)
{
    const struct simt_insn *in = &b->prog->code[pc];
    uint32_t address = (uint32_t)w->r[in->ra][lane] + (uint32_t)in->imm;
    if (address < b->cfg.mem_words) {
        return &b->mem[address];
    }
    (void)simt_error_at(
        b->prog, pc, err, "%s at word %d in lane %u of warp %u is outside memory, expected 0..%u",
        simt_op_info(in->op)->name, (int32_t)address, lane, w->id, b->cfg.mem_words - 1);
    (void)simt_fail(b, w, pc);
    return NULL;
}

/* Do all 32 lanes address consecutive words inside memory, as in a well-made kernel? Then one copy
 * replaces 32 checked accesses. Returns the first word or NULL. */
LAB_CLONES static int32_t *one_run(struct simt_block *b, const struct simt_warp *w,
                                   const struct simt_insn *in, uint32_t active)
{
    const int32_t *ra = w->r[in->ra];
    uint32_t first = (uint32_t)ra[0] + (uint32_t)in->imm;
    uint32_t differ = active ^ SIMT_FULL;
    for (int i = 0; i < SIMT_LANES; i++) {
        differ |= (uint32_t)ra[i] - (uint32_t)ra[0] - (uint32_t)i;
    }
    bool inside = first < b->cfg.mem_words && b->cfg.mem_words - first >= SIMT_LANES;
    return differ == 0 && inside ? &b->mem[first] : NULL;
}

static int exec_ld(struct simt_block *b, struct simt_warp *w, uint32_t pc, uint32_t active,
                   struct lab_err *err)
{
    const struct simt_insn *in = &b->prog->code[pc];
    w->count.loads++;
    const int32_t *run = one_run(b, w, in, active);
    if (run != NULL) {
        memcpy(w->r[in->rd], run, SIMT_LANES * sizeof(*run));
        return 0;
    }
    int32_t out[SIMT_LANES] = {0};
    unsigned lane = 0;
    for (uint32_t todo = active; next_lane(&todo, &lane);) {
        const int32_t *word = word_at(b, w, pc, lane, err);
        if (word == NULL) {
            return -1;
        }
        out[lane] = *word;
    }
    commit(w->r[in->rd], out, active);
    return 0;
}

static int exec_st(struct simt_block *b, struct simt_warp *w, uint32_t pc, uint32_t active,
                   struct lab_err *err)
{
    const struct simt_insn *in = &b->prog->code[pc];
    int32_t *run = one_run(b, w, in, active);
    if (run != NULL) {
        memcpy(run, w->r[in->rb], SIMT_LANES * sizeof(*run));
        return 0;
    }
    unsigned lane = 0;
    for (uint32_t todo = active; next_lane(&todo, &lane);) {
        int32_t *word = word_at(b, w, pc, lane, err);
        if (word == NULL) {
            return -1;
        }
        *word = w->r[in->rb][lane];
    }
    return 0;
}

static int exec_cas(struct simt_block *b, struct simt_warp *w, uint32_t pc, uint32_t active,
                    struct lab_err *err)
{
    const struct simt_insn *in = &b->prog->code[pc];
    int32_t out[SIMT_LANES] = {0};
    unsigned lane = 0;
    for (uint32_t todo = active; next_lane(&todo, &lane);) {
        int32_t *word = word_at(b, w, pc, lane, err);
        if (word == NULL) {
            return -1;
        }
        out[lane] = *word;
        if (*word == w->r[in->rb][lane]) {
            *word = w->r[in->rc][lane];
        }
    }
    commit(w->r[in->rd], out, active);
    return 0;
}

static void fill_tid(const struct simt_warp *w, int32_t *out)
{
    for (int i = 0; i < SIMT_LANES; i++) {
        out[i] = (int32_t)w->id * SIMT_LANES + i;
    }
}

/* Kept out of simt_exec, whose short way would otherwise pay for all these locals. */
__attribute__((noinline)) static int exec_other(struct simt_block *b, struct simt_warp *w,
                                                uint32_t pc, uint32_t active, struct lab_err *err)
{
    const struct simt_insn *in = &b->prog->code[pc];
    const int32_t *ra = w->r[in->ra];
    int32_t out[SIMT_LANES];
    switch (in->op) {
    case SIMT_MOD: return exec_mod(b, w, pc, active, err);
    case SIMT_LD: return exec_ld(b, w, pc, active, err);
    case SIMT_ST: return exec_st(b, w, pc, active, err);
    case SIMT_ATOM_CAS: return exec_cas(b, w, pc, active, err);
    case SIMT_TID: fill_tid(w, out); break;
    case SIMT_MOVI: fill(out, in->imm); break;
    case SIMT_MOV: memcpy(out, ra, sizeof(out)); break;
    case SIMT_SELP: exec_selp(w, in, out); break;
    case SIMT_SHFL: exec_shfl(w, in, active, out); break;
    case SIMT_VOTE_ANY: fill(out, simt_vote_any(ra, active)); break;
    case SIMT_VOTE_ALL: fill(out, simt_vote_all(ra, active)); break;
    default: LAB_ASSERT(in->op == SIMT_BALLOT); fill(out, (int32_t)simt_ballot(ra, active));
    }
    commit(w->r[in->rd], out, active);
    return 0;
}

/* Arithmetic with some lanes masked off. */
__attribute__((noinline)) static int exec_masked(struct simt_warp *w, const struct simt_insn *in,
                                                 uint32_t active)
{
    int32_t out[SIMT_LANES];
    simt_alu(in->op, out, w->r[in->ra], in->has_imm ? NULL : w->r[in->rb], in->imm);
    simt_commit(w->r[in->rd], out, active);
    return 0;
}

int simt_exec(struct simt_block *b, struct simt_warp *w, uint32_t pc, uint32_t active,
              struct lab_err *err)
{
    const struct simt_insn *in = &b->prog->code[pc];
    if (!simt_alu_has(in->op)) {
        return exec_other(b, w, pc, active, err);
    }
    if (active != SIMT_FULL) {
        return exec_masked(w, in, active);
    }
    /* The most frequent case by far: no lane to spare, so the results go straight to rd. */
    simt_alu(in->op, w->r[in->rd], w->r[in->ra], in->has_imm ? NULL : w->r[in->rb], in->imm);
    return 0;
}

uint32_t simt_branch_taken(const struct simt_warp *w, const struct simt_insn *in, uint32_t active)
{
    uint32_t zero = 0;
    for (int i = 0; i < SIMT_LANES; i++) {
        zero |= (uint32_t)(w->r[in->ra][i] == 0) << i;
    }
    return active & (in->op == SIMT_BRZ ? zero : ~zero);
}
