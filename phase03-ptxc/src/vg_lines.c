/* Which accesses use an address register that an earlier one has looked at already.
 *
 * Within a stretch of code that is entered only at its start and left only at its end, a register
 * that nobody writes keeps its addresses, and the lanes that execute stay the same. So the pass
 * walks each stretch, remembers which address registers have a line, and forgets those that are
 * written. Guarded accesses are left out: their lanes are others.
 */
#include "vg_mem.h"
#include "vg_operands.h"

struct known {
    const struct vg_code *code;
    uint32_t slot[VG_LINES - 1]; /* the address slot of each line, VG_NO_SLOT: free */
    uint32_t next;               /* the line to give away next */
};

static void forget_all(struct known *k)
{
    for (uint32_t n = 0; n < VG_LINES - 1; n++) {
        k->slot[n] = VG_NO_SLOT;
    }
}

static void forget_written(void *ctx, const struct ptx_operand *op, enum vg_role role)
{
    struct known *k = ctx;
    if (role != VG_WRITES || op->var == NULL || op->var->space != PTX_SPACE_REG) {
        return;
    }
    for (uint32_t n = 0; n < VG_LINES - 1; n++) {
        if (k->slot[n] == k->code->reg_slot[op->var->reg_index]) {
            k->slot[n] = VG_NO_SLOT;
        }
    }
}

/* Give the access its line; true when it is one that is known. */
static bool share(struct known *k, struct vg_insn *i)
{
    const struct vg_fast fast = vg_fast_access(i);
    if (fast.again == NULL || i->fn != fast.first) {
        return false;
    }
    for (uint32_t n = 0; n < VG_LINES - 1; n++) {
        if (k->slot[n] == i->a) {
            i->fn = fast.again;
            i->target = n;
            return true;
        }
    }
    i->target = k->next;
    k->slot[k->next] = i->a;
    k->next = (k->next + 1) % (VG_LINES - 1);
    return false;
}

static bool is_plain_access(const struct vg_code *c, uint32_t pc)
{
    enum ptx_word op = c->func->insns[pc].op;
    return (op == PTX_W_ld || op == PTX_W_ldu || op == PTX_W_st) &&
           (c->classes[pc] & VG_CLASS_GUARDED) == 0;
}

void vg_lines_share(struct vg_decoder *d)
{
    struct vg_code *c = d->code;
    struct known k = {.code = c};
    forget_all(&k);
    for (uint32_t pc = 0; pc < c->ninsns; pc++) {
        if ((c->classes[pc] & (VG_CLASS_TARGET | VG_CLASS_LEADER)) != 0) {
            forget_all(&k);
        }
        if (is_plain_access(c, pc) && share(&k, &c->insns[pc])) {
            c->classes[pc] |= VG_CLASS_AGAIN;
        }
        vg_operands(&c->func->insns[pc], &k, forget_written);
        if ((c->classes[pc] & VG_CLASS_ENDS) != 0) {
            forget_all(&k);
        }
    }
}
