/* Exercise e02_reconv, solved: a stack of masks brings the two sides of a branch back together. */
#include "lab/err.h"
#include "simt_reconv.h"

void simt_branch(struct simt_path *p, uint32_t taken, uint32_t target, uint32_t reconv)
{
    if (taken == 0) {
        p->pc++;
        return;
    }
    if (taken == p->active) {
        p->pc = target;
        return;
    }
    LAB_ASSERT(p->depth < SIMT_LANES);
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
