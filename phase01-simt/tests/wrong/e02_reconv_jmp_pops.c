/* Wrong on purpose: a jump inside a region brings the lanes back together.
 *
 * REJECTED BY: jump_leaves_mask_and_stack */
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
    if (p->depth > 0) {
        p->active = p->stack[--p->depth].before;
    }
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
