/* Problem: where do lanes that part at a branch meet again? At the branch's immediate
 * post-dominator, which needs the function's basic blocks and its control-flow graph turned round.
 * Model: blocks begin at instruction 0, at branch targets and behind branches; a virtual block
 * follows every block that can leave the function. Post-dominators are dominators of the reversed
 * graph, found by letting chains meet (ptx_meet.h) over a reverse postorder until nothing changes
 * (Cooper, Harvey and Kennedy 2001).
 * Invariants: blocks partition the instructions in order; ipdom of a block that cannot reach the
 * end (an endless loop) is PTX_NO_INSN.
 * Simplified: a call is a straight instruction; trap ends a path as ret does; an indirect branch
 * may go to any label of its list.
 */
#include "ptx_cfg.h"

#include <stdlib.h>
#include <string.h>

#include "lab/buf.h"
#include "ptx_meet.h"

/* What the parts of a graph are kept in while it is built. The virtual end is block n. */
struct graph {
    struct ptx_cfg *cfg;
    uint32_t n;
    uint8_t *leaves;      /* by block: control may leave the function behind it */
    uint32_t *pred_first; /* by block, and the end: predecessors are preds[first … next first) */
    uint32_t *preds;
    uint32_t *order; /* blocks that reach the end, in postorder from it over predecessors */
    uint32_t *rank;  /* by block: place in order; PTX_NO_INSN: cannot reach the end */
    uint32_t norder;
    uint32_t *idom; /* by block */
};

static bool ends_block(const struct ptx_insn *i)
{
    return i->op == PTX_W_bra || i->op == PTX_W_brx || i->op == PTX_W_ret || i->op == PTX_W_exit ||
           i->op == PTX_W_trap;
}

/* The labels a branch may go to: its one, or those of its list. */
static const struct ptx_operand *targets_of(const struct ptx_insn *i, uint32_t *n)
{
    *n = 0;
    for (uint32_t k = 0; k < i->nops && (i->op == PTX_W_bra || i->op == PTX_W_brx); k++) {
        if (i->ops[k].kind == PTX_OP_LABEL) {
            *n = 1;
            return &i->ops[k];
        }
        if (i->ops[k].kind == PTX_OP_TARGETS) {
            *n = i->ops[k].nelems;
            return i->ops[k].elems;
        }
    }
    return NULL;
}

static int check_targets(const struct ptx_func *f, const struct ptx_insn *insn, struct lab_err *err)
{
    uint32_t n;
    const struct ptx_operand *t = targets_of(insn, &n);
    for (uint32_t k = 0; k < n; k++) {
        if (t[k].kind != PTX_OP_LABEL || t[k].target >= f->ninsns) {
            return lab_err_input(err, "%s:%u:%u: a branch of '%.80s' to no label, expected one",
                                 f->module->name, insn->pos.line, insn->pos.col, f->name);
        }
    }
    if (n == 0 && (insn->op == PTX_W_bra || insn->op == PTX_W_brx)) {
        return lab_err_input(err,
                             "%s:%u:%u: a branch of '%.80s' without a target, expected a label",
                             f->module->name, insn->pos.line, insn->pos.col, f->name);
    }
    return 0;
}

/* block_of first marks where blocks begin, then gets their numbers. */
static int find_blocks(const struct ptx_func *f, struct ptx_cfg *cfg, struct lab_err *err)
{
    uint32_t *begins = cfg->block_of;
    for (uint32_t i = 0; i < f->ninsns; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        uint32_t n;
        if (check_targets(f, insn, err) < 0) {
            return -1;
        }
        const struct ptx_operand *t = targets_of(insn, &n);
        for (uint32_t k = 0; k < n; k++) {
            begins[t[k].target] = 1;
        }
        if (ends_block(insn) && i + 1 < f->ninsns) {
            begins[i + 1] = 1;
        }
    }
    begins[0] = 0;
    for (uint32_t i = 1; i < f->ninsns; i++) {
        begins[i] += begins[i - 1];
    }
    cfg->nblocks = f->ninsns == 0 ? 0 : begins[f->ninsns - 1] + 1;
    return 0;
}

static void bound_blocks(const struct ptx_func *f, struct ptx_cfg *cfg)
{
    for (uint32_t i = 0; i < f->ninsns; i++) {
        struct ptx_block *b = &cfg->blocks[cfg->block_of[i]];
        if (i == 0 || cfg->block_of[i] != cfg->block_of[i - 1]) {
            b->first = i;
        }
        b->end = i + 1;
        b->ipdom = PTX_NO_INSN;
    }
}

static void add_succ(uint32_t *list, uint32_t *n, uint32_t block)
{
    for (uint32_t k = 0; k < *n; k++) {
        if (list[k] == block) {
            return;
        }
    }
    list[(*n)++] = block;
}

/* Successors into `list`, which has room; returns how many. */
static uint32_t successors(const struct ptx_func *f, const struct graph *g, uint32_t b,
                           uint32_t *list)
{
    const struct ptx_cfg *cfg = g->cfg;
    const struct ptx_insn *last = &f->insns[cfg->blocks[b].end - 1];
    uint32_t n = 0, ntargets;
    const struct ptx_operand *t = targets_of(last, &ntargets);
    bool falls_through = !ends_block(last) || last->guard != NULL;
    if (falls_through && b + 1 < g->n) {
        add_succ(list, &n, b + 1);
    }
    for (uint32_t k = 0; k < ntargets; k++) {
        add_succ(list, &n, cfg->block_of[t[k].target]);
    }
    g->leaves[b] = (falls_through && b + 1 == g->n) || (ends_block(last) && ntargets == 0);
    return n;
}

/* An upper bound of all successors together. */
static size_t count_edges(const struct ptx_func *f, const struct ptx_cfg *cfg)
{
    size_t edges = 0;
    for (uint32_t b = 0; b < cfg->nblocks; b++) {
        uint32_t n;
        targets_of(&f->insns[cfg->blocks[b].end - 1], &n);
        edges += n + 1;
    }
    return edges;
}

static void link_blocks(const struct ptx_func *f, struct graph *g, uint32_t *edges)
{
    for (uint32_t b = 0; b < g->n; b++) {
        struct ptx_block *block = &g->cfg->blocks[b];
        block->succ = edges;
        block->nsucc = successors(f, g, b, edges);
        edges += block->nsucc;
    }
}

static void link_preds(struct graph *g)
{
    uint32_t *first = g->pred_first;
    for (uint32_t b = 0; b < g->n; b++) {
        const struct ptx_block *block = &g->cfg->blocks[b];
        for (uint32_t k = 0; k < block->nsucc; k++) {
            first[block->succ[k] + 1]++;
        }
        first[g->n + 1] += g->leaves[b];
    }
    for (uint32_t b = 0; b <= g->n; b++) {
        first[b + 1] += first[b];
    }
    uint32_t *at = lab_alloc(g->n + 1u, sizeof(*at));
    memcpy(at, first, (g->n + 1u) * sizeof(*at));
    for (uint32_t b = 0; b < g->n; b++) {
        const struct ptx_block *block = &g->cfg->blocks[b];
        for (uint32_t k = 0; k < block->nsucc; k++) {
            g->preds[at[block->succ[k]]++] = b;
        }
        if (g->leaves[b]) {
            g->preds[at[g->n]++] = b;
        }
    }
    free(at);
}

/* Depth-first from the end over predecessors, without recursion: a stack of (block, next edge). */
static void number(struct graph *g)
{
    struct {
        uint32_t block, edge;
    } *stack = lab_alloc(g->n + 1u, sizeof(*stack));
    uint8_t *seen = lab_alloc(g->n + 1u, 1);
    uint32_t depth = 1;
    stack[0].block = g->n;
    stack[0].edge = g->pred_first[g->n];
    seen[g->n] = 1;
    memset(g->rank, 0xff, (g->n + 1u) * sizeof(*g->rank));
    while (depth > 0) {
        uint32_t b = stack[depth - 1].block;
        if (stack[depth - 1].edge == g->pred_first[b + 1]) {
            g->rank[b] = g->norder;
            g->order[g->norder++] = b;
            depth--;
            continue;
        }
        uint32_t next = g->preds[stack[depth - 1].edge++];
        if (!seen[next]) {
            seen[next] = 1;
            stack[depth].block = next;
            stack[depth].edge = g->pred_first[next];
            depth++;
        }
    }
    free(stack);
    free(seen);
}

/* The new idom of block b: where its successors' chains meet, of those that have one already. */
static uint32_t meet(const struct graph *g, uint32_t b)
{
    const struct ptx_block *block = &g->cfg->blocks[b];
    const struct ptx_chains chains = {g->idom, g->rank};
    uint32_t idom = g->leaves[b] ? g->n : PTX_NO_INSN;
    for (uint32_t k = 0; k < block->nsucc; k++) {
        uint32_t s = block->succ[k];
        if (g->rank[s] == PTX_NO_INSN || g->idom[s] == PTX_NO_INSN) {
            continue;
        }
        idom = idom == PTX_NO_INSN ? s : ptx_meet(&chains, s, idom);
    }
    return idom;
}

static void post_dominate(struct graph *g)
{
    memset(g->idom, 0xff, (g->n + 1u) * sizeof(*g->idom));
    g->idom[g->n] = g->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = g->norder - 1; i > 0; i--) { /* the end itself is last in postorder */
            uint32_t b = g->order[i - 1], idom = meet(g, b);
            changed = changed || g->idom[b] != idom;
            g->idom[b] = idom;
        }
    }
    for (uint32_t b = 0; b < g->n; b++) {
        g->cfg->blocks[b].ipdom = g->idom[b] == g->n ? PTX_NO_INSN : g->idom[b];
    }
}

static void build_graph(const struct ptx_func *f, struct ptx_cfg *cfg, uint32_t *edges,
                        size_t nedges)
{
    size_t n = cfg->nblocks;
    struct graph g = {.cfg = cfg, .n = cfg->nblocks};
    g.leaves = lab_alloc(n, 1);
    g.pred_first = lab_alloc(n + 2, sizeof(*g.pred_first));
    g.preds = lab_alloc(nedges + n, sizeof(*g.preds));
    g.order = lab_alloc(n + 1, sizeof(*g.order));
    g.rank = lab_alloc(n + 1, sizeof(*g.rank));
    g.idom = lab_alloc(n + 1, sizeof(*g.idom));
    link_blocks(f, &g, edges);
    link_preds(&g);
    number(&g);
    post_dominate(&g);
    free(g.leaves);
    free(g.pred_first);
    free(g.preds);
    free(g.order);
    free(g.rank);
    free(g.idom);
}

int ptx_cfg_build(const struct ptx_func *f, struct ptx_cfg *cfg, struct lab_err *err)
{
    *cfg = (struct ptx_cfg){0};
    if (f->ninsns == 0) {
        return 0;
    }
    cfg->block_of = lab_alloc(f->ninsns, sizeof(*cfg->block_of));
    if (find_blocks(f, cfg, err) < 0) {
        ptx_cfg_fini(cfg);
        return -1;
    }
    cfg->blocks = lab_alloc(cfg->nblocks, sizeof(*cfg->blocks));
    bound_blocks(f, cfg);
    size_t nedges = count_edges(f, cfg);
    uint32_t *edges = lab_alloc(nedges, sizeof(*edges));
    cfg->memory = edges;
    build_graph(f, cfg, edges, nedges);
    return 0;
}

void ptx_cfg_fini(struct ptx_cfg *cfg)
{
    free(cfg->blocks);
    free(cfg->block_of);
    free(cfg->memory);
    *cfg = (struct ptx_cfg){0};
}

uint32_t ptx_cfg_reconv(const struct ptx_cfg *cfg, uint32_t pc)
{
    uint32_t ipdom = cfg->blocks[cfg->block_of[pc]].ipdom;
    return ipdom == PTX_NO_INSN ? PTX_NO_INSN : cfg->blocks[ipdom].first;
}
