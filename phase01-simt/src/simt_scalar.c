/* A plain interpreter for one thread, run 32 times.
 *
 * Problem: how much does it gain to decode once for 32 lanes and to compute them with vector
 * instructions? That needs the other way measured in the same run. Model: pc, 16 registers, a
 * switch. No masks and no stack: a lane alone never diverges.
 */
#include "simt_scalar.h"

#include "simt_alu.h"

enum { LIMIT = 1000000 };

struct lane {
    int32_t r[SIMT_REGS];
    uint32_t pc;
};

bool simt_scalar_can(const struct simt_program *prog)
{
    for (uint32_t pc = 0; pc < prog->n; pc++) {
        switch (prog->code[pc].op) {
        case SIMT_ATOM_CAS:
        case SIMT_VOTE_ANY:
        case SIMT_VOTE_ALL:
        case SIMT_BALLOT:
        case SIMT_SHFL:
        case SIMT_BAR: return false;
        default: break;
        }
    }
    return true;
}

static int32_t arithmetic(enum simt_op op, uint32_t x, uint32_t y)
{
    switch (op) {
    case SIMT_ADD: return (int32_t)(x + y);
    case SIMT_SUB: return (int32_t)(x - y);
    case SIMT_MUL: return (int32_t)(x * y);
    case SIMT_AND: return (int32_t)(x & y);
    case SIMT_OR: return (int32_t)(x | y);
    case SIMT_XOR: return (int32_t)(x ^ y);
    case SIMT_SHL: return y < 32 ? (int32_t)(x << y) : 0;
    case SIMT_SHR: return y < 32 ? (int32_t)(x >> y) : 0;
    case SIMT_SEQ: return x == y;
    default: LAB_ASSERT(op == SIMT_SLT); return (int32_t)x < (int32_t)y;
    }
}

/* Where the lane goes after this branch, jump or RECONV. */
static uint32_t next_pc(const struct lane *l, const struct simt_insn *in)
{
    int32_t a = l->r[in->ra];
    bool go =
        in->op == SIMT_JMP || (in->op == SIMT_BRZ && a == 0) || (in->op == SIMT_BRNZ && a != 0);
    return go ? in->target : l->pc + 1;
}

/* Execute one instruction that is no HALT; false when it fails. */
static bool step(struct lane *l, const struct simt_insn *in, int32_t tid, int32_t *mem,
                 uint32_t words)
{
    int32_t a = l->r[in->ra];
    int32_t y = in->has_imm ? in->imm : l->r[in->rb];
    uint32_t address = (uint32_t)a + (uint32_t)in->imm;
    switch (in->op) {
    case SIMT_BRZ:
    case SIMT_BRNZ:
    case SIMT_JMP:
    case SIMT_RECONV: l->pc = next_pc(l, in); return true;
    case SIMT_TID: l->r[in->rd] = tid; break;
    case SIMT_MOVI: l->r[in->rd] = in->imm; break;
    case SIMT_MOV: l->r[in->rd] = a; break;
    case SIMT_SELP: l->r[in->rd] = l->r[in->rc] != 0 ? a : l->r[in->rb]; break;
    case SIMT_MOD:
        if (y == 0) {
            return false;
        }
        l->r[in->rd] = simt_mod(a, y);
        break;
    case SIMT_LD:
    case SIMT_ST:
        if (address >= words) {
            return false;
        }
        if (in->op == SIMT_ST) {
            mem[address] = l->r[in->rb];
        } else {
            l->r[in->rd] = mem[address];
        }
        break;
    default: l->r[in->rd] = arithmetic(in->op, (uint32_t)a, (uint32_t)y);
    }
    l->pc++;
    return true;
}

static int64_t run_lane(const struct simt_program *prog, int32_t tid, int32_t *mem, uint32_t words)
{
    struct lane l = {{0}, 0};
    for (int64_t n = 0; n < LIMIT && l.pc < prog->n; n++) {
        const struct simt_insn *in = &prog->code[l.pc];
        if (in->op == SIMT_HALT) {
            return n + 1;
        }
        if (!step(&l, in, tid, mem, words)) {
            break;
        }
    }
    return -1;
}

int64_t simt_scalar_run(const struct simt_program *prog, int32_t *mem, uint32_t words)
{
    int64_t total = 0;
    LAB_ASSERT(simt_scalar_can(prog));
    for (int32_t lane = 0; lane < SIMT_LANES; lane++) {
        int64_t n = run_lane(prog, lane, mem, words);
        if (n < 0) {
            return -1;
        }
        total += n;
    }
    return total;
}
