/* Wrong on purpose: the sides meet where the branch leads.
 *
 * REJECTED BY: a_branch_remembers_its_own_reconv */
#include "simt_reconv.h"

void simt_branch(struct simt_path *p, uint32_t taken, uint32_t target, uint32_t reconv)
{
    (void)reconv;
    if (taken == 0 || taken == p->active) {
        p->pc = taken == 0 ? p->pc + 1 : target;
        return;
    }
    p->stack[p->depth++] = (struct simt_entry){
        .reconv = target, .before = p->active, .taken = taken, .target = target};
    p->active &= ~taken;
    p->pc++;
}

void simt_jump(struct simt_path *p, uint32_t target)
{
    p->pc = target;
}

void simt_reconv(struct simt_path *p)
{
    while (p->depth > 0 && p->stack[p->depth - 1].reconv == p->pc) {
        struct simt_entry *top = &p->stack[p->depth - 1];
        if (!top->visited) {
            top->visited = true;
            p->active = top->taken;
            p->pc = top->target;
            return;
        }
        p->active = top->before;
        p->depth--;
    }
    p->pc++;
}
