/* One thread's meaning of a program, in arithmetic on 64-bit integers.
 *
 * Shares nothing with the simulator but the decoded program: no masks, no stack, no vectors, and
 * the operations are written in another way (wrapping by reduction, shifts by multiplication and
 * division, bitwise ones bit by bit), so that the same slip is unlikely twice.
 */
#include "simt_ref.h"

#include <string.h>

uint64_t ref_path_add(uint64_t path, uint32_t pc)
{
    return (path ^ pc) * UINT64_C(1099511628211);
}

static int32_t wrap(int64_t v)
{
    int64_t m = v % 4294967296;
    if (m < 0) {
        m += 4294967296;
    }
    return (int32_t)(m >= 2147483648 ? m - 4294967296 : m);
}

static int64_t bits_of(int32_t v)
{
    return v < 0 ? (int64_t)v + 4294967296 : v;
}

static int32_t bitwise(int op, int32_t x, int32_t y)
{
    int64_t a = bits_of(x);
    int64_t b = bits_of(y);
    int64_t out = 0;
    for (int64_t bit = 1; bit < 4294967296; bit *= 2) {
        int p = (int)(a / bit % 2);
        int q = (int)(b / bit % 2);
        int r = op == SIMT_AND ? p && q : (op == SIMT_OR ? p || q : p != q);
        out += r ? bit : 0;
    }
    return wrap(out);
}

static int32_t shifted(int op, int32_t x, int32_t by)
{
    int64_t v = bits_of(x);
    if (by < 0 || by > 31) {
        return 0;
    }
    for (int32_t i = 0; i < by; i++) {
        v = op == SIMT_SHL ? v * 2 % 4294967296 : v / 2;
    }
    return wrap(v);
}

static bool compute(int op, int32_t x, int32_t y, int32_t *out)
{
    switch (op) {
    case SIMT_ADD: *out = wrap((int64_t)x + y); return true;
    case SIMT_SUB: *out = wrap((int64_t)x - y); return true;
    case SIMT_MUL: *out = wrap((int64_t)x * y); return true;
    case SIMT_MOD: *out = y == 0 ? 0 : (int32_t)((int64_t)x % y); return y != 0;
    case SIMT_AND:
    case SIMT_OR:
    case SIMT_XOR: *out = bitwise(op, x, y); return true;
    case SIMT_SHL:
    case SIMT_SHR: *out = shifted(op, x, y); return true;
    case SIMT_SEQ: *out = x == y ? 1 : 0; return true;
    case SIMT_SLT: *out = x < y ? 1 : 0; return true;
    default: return false;
    }
}

/* Everything but control flow; false when the thread fails here. */
static bool work(const struct simt_insn *in, struct ref_thread *t, int32_t tid, int32_t *mem,
                 uint32_t words)
{
    int32_t x = t->r[in->ra];
    int64_t address = bits_of(wrap((int64_t)x + in->imm));
    switch (in->op) {
    case SIMT_TID: t->r[in->rd] = tid; return true;
    case SIMT_MOVI: t->r[in->rd] = in->imm; return true;
    case SIMT_MOV: t->r[in->rd] = x; return true;
    case SIMT_SELP: t->r[in->rd] = t->r[in->rc] ? x : t->r[in->rb]; return true;
    case SIMT_LD:
        if (address < words) {
            t->r[in->rd] = mem[address];
        }
        return address < words;
    case SIMT_ST:
        if (address < words) {
            mem[address] = t->r[in->rb];
        }
        return address < words;
    default: return compute(in->op, x, in->has_imm ? in->imm : t->r[in->rb], &t->r[in->rd]);
    }
}

struct ref_thread ref_run(const struct simt_program *p, int32_t tid, int32_t *mem, uint32_t words,
                          uint64_t limit)
{
    struct ref_thread t = {.path = REF_PATH_START};
    uint32_t pc = 0;
    while (pc < p->n && t.executed < limit) {
        const struct simt_insn *in = &p->code[pc];
        t.executed++;
        t.path = ref_path_add(t.path, pc);
        if (in->op == SIMT_HALT) {
            t.halted = true;
            return t;
        }
        bool zero = t.r[in->ra] == 0;
        if (in->op == SIMT_JMP || (in->op == SIMT_BRZ && zero) || (in->op == SIMT_BRNZ && !zero)) {
            pc = in->target;
            continue;
        }
        bool control = in->op == SIMT_BRZ || in->op == SIMT_BRNZ || in->op == SIMT_RECONV;
        if (!control && !work(in, &t, tid, mem, words)) {
            return t;
        }
        pc++;
    }
    return t;
}
