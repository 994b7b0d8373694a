/* Wrong on purpose: a RECONV pops one entry and stops, though the next is its own too.
 *
 * REJECTED BY: reconv_goes_on_with_the_next_own_entry */
#include "simt_reconv.h"

void simt_branch(struct simt_path *p, uint32_t taken, uint32_t target, uint32_t reconv)
{
    if (taken == 0 || taken == p->active) {
        p->pc = taken == 0 ? p->pc + 1 : target;
        return;
    }
    p->stack[p->depth++] = (struct simt_entry){
        .reconv = reconv, .before = p->active, .taken = taken, .target = target};
    p->active &= ~taken;
    p->pc++;
}

void simt_jump(struct simt_path *p, uint32_t target)
{
    p->pc = target;
}

void simt_reconv(struct simt_path *p)
{
    if (p->depth == 0 || p->stack[p->depth - 1].reconv != p->pc) {
        p->pc++;
        return;
    }
    struct simt_entry *top = &p->stack[p->depth - 1];
    if (!top->visited) {
        top->visited = true;
        p->active = top->taken;
        p->pc = top->target;
        return;
    }
    p->active = top->before;
    p->depth--;
    p->pc++;
}
