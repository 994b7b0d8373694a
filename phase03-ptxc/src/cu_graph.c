/* Graphs: their nodes and edges, copies of them, and the order in which they run.
 *
 * Model: a node knows what it does (struct cu_op) and the nodes it depends on. An instantiated
 * graph is a clone with a topological order; launching it does the nodes' work one after the other.
 * Each node of a clone remembers the node it comes from, which is how cuGraphExec…SetParams finds
 * it.
 *
 * Invariants: dependencies stay inside one graph, each is named once, and nodes stand in the order
 * they were made, so that the order of independent nodes is the same in every run.
 */
#include <stdlib.h>
#include <string.h>

#include "cu_graph.h"

CUgraph cu_graph_new(CUcontext ctx)
{
    CUgraph g = lab_alloc(1, sizeof(*g));
    g->ctx = ctx;
    cu_handle_add(g, CU_KIND_GRAPH);
    return g;
}

static void node_free(CUgraphNode n)
{
    cu_handle_drop(n);
    cu_op_fini(&n->op);
    free(n->deps);
    free(n);
}

void cu_graph_free(CUgraph g)
{
    if (g == NULL) {
        return;
    }
    cu_handle_drop(g);
    for (size_t k = 0; k < g->nnodes; k++) {
        node_free(g->nodes[k]);
    }
    for (size_t k = 0; k < g->nobjects; k++) {
        cu_object_release(g->objects[k].object, g->objects[k].count);
    }
    free(g->nodes);
    free(g->objects);
    free(g);
}

/* --- edges --- */

bool cu_node_depends(CUgraphNode to, CUgraphNode from)
{
    for (size_t k = 0; k < to->ndeps; k++) {
        if (to->deps[k] == from) {
            return true;
        }
    }
    return false;
}

CUresult cu_node_depend(CUgraphNode to, CUgraphNode from)
{
    if (!cu_is(from, CU_KIND_NODE) || from->graph != to->graph || from == to ||
        cu_node_depends(to, from)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    to->deps = lab_resize(to->deps, to->ndeps + 1, sizeof(*to->deps));
    to->deps[to->ndeps++] = from;
    return CUDA_SUCCESS;
}

CUresult cu_node_forget(CUgraphNode to, CUgraphNode from)
{
    for (size_t k = 0; k < to->ndeps; k++) {
        if (to->deps[k] == from) {
            memmove(&to->deps[k], &to->deps[k + 1], (to->ndeps - k - 1) * sizeof(*to->deps));
            to->ndeps--;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

bool cu_node_is_leaf(CUgraphNode n)
{
    for (size_t k = 0; k < n->graph->nnodes; k++) {
        if (cu_node_depends(n->graph->nodes[k], n)) {
            return false;
        }
    }
    return true;
}

/* --- nodes --- */

CUresult cu_graph_add(CUgraph g, const CUgraphNode *deps, size_t ndeps, struct cu_op *op,
                      CUgraphNode *out)
{
    CUgraphNode n = lab_alloc(1, sizeof(*n));
    CUresult r = CUDA_SUCCESS;
    n->graph = g;
    n->op = *op;
    for (size_t k = 0; k < ndeps && r == CUDA_SUCCESS; k++) {
        r = deps != NULL ? cu_node_depend(n, deps[k]) : CUDA_ERROR_INVALID_VALUE;
    }
    cu_handle_add(n, CU_KIND_NODE);
    if (r != CUDA_SUCCESS) {
        node_free(n);
        return r;
    }
    if (g->nnodes == g->cap) {
        g->cap = g->cap == 0 ? 16 : g->cap * 2;
        g->nodes = lab_resize(g->nodes, g->cap, sizeof(*g->nodes));
    }
    g->nodes[g->nnodes++] = n;
    if (n->op.type == CU_GRAPH_NODE_TYPE_GRAPH) {
        n->op.child->parent = n;
    }
    *out = n;
    return CUDA_SUCCESS;
}

void cu_graph_remove(CUgraphNode n)
{
    CUgraph g = n->graph;
    size_t at = 0;
    for (size_t k = 0; k < g->nnodes; k++) {
        cu_node_forget(g->nodes[k], n);
        at = g->nodes[k] == n ? k : at;
    }
    memmove(&g->nodes[at], &g->nodes[at + 1], (g->nnodes - at - 1) * sizeof(*g->nodes));
    g->nnodes--;
    node_free(n);
}

CUresult cu_node_replace(CUgraphNode n, struct cu_op *op)
{
    if (n->op.type != op->type) {
        cu_op_fini(op);
        return CUDA_ERROR_INVALID_VALUE;
    }
    cu_op_fini(&n->op);
    n->op = *op;
    if (op->type == CU_GRAPH_NODE_TYPE_GRAPH) {
        op->child->parent = n;
    }
    return CUDA_SUCCESS;
}

/* --- clones --- */

static void number_nodes(CUgraph g)
{
    for (size_t k = 0; k < g->nnodes; k++) {
        g->nodes[k]->index = k;
    }
}

static void clone_objects(CUgraph to, CUgraph from)
{
    to->objects = lab_alloc(from->nobjects + 1, sizeof(*to->objects));
    to->nobjects = from->nobjects;
    for (size_t k = 0; k < from->nobjects; k++) {
        to->objects[k] = (struct cu_object_ref){from->objects[k].object, 1};
        from->objects[k].object->refs++;
    }
}

CUresult cu_graph_clone(CUgraph g, CUgraph *out)
{
    CUgraph c = cu_graph_new(g->ctx);
    CUresult r = CUDA_SUCCESS;
    c->origin = g;
    for (size_t k = 0; k < g->nnodes && r == CUDA_SUCCESS; k++) {
        struct cu_op op;
        CUgraphNode n;
        r = cu_op_copy(&op, &g->nodes[k]->op);
        r = r == CUDA_SUCCESS ? cu_graph_add(c, NULL, 0, &op, &n) : r;
        if (r == CUDA_SUCCESS) {
            n->origin = g->nodes[k];
            n->disabled = g->nodes[k]->disabled;
        }
    }
    if (r != CUDA_SUCCESS) {
        cu_graph_free(c);
        return r;
    }
    number_nodes(g);
    for (size_t k = 0; k < g->nnodes; k++) {
        for (size_t d = 0; d < g->nodes[k]->ndeps; d++) {
            cu_node_depend(c->nodes[k], c->nodes[g->nodes[k]->deps[d]->index]);
        }
    }
    clone_objects(c, g);
    *out = c;
    return CUDA_SUCCESS;
}

CUgraphNode cu_graph_find(CUgraph clone, CUgraphNode original)
{
    for (size_t k = 0; k < clone->nnodes; k++) {
        CUgraphNode n = clone->nodes[k];
        if (n->origin == original) {
            return n;
        }
        if (n->op.type == CU_GRAPH_NODE_TYPE_GRAPH) {
            CUgraphNode inner = cu_graph_find(n->op.child, original);
            if (inner != NULL) {
                return inner;
            }
        }
    }
    return NULL;
}

/* --- running --- */

CUgraphNode *cu_graph_order(CUgraph g)
{
    CUgraphNode *order = lab_alloc(g->nnodes + 1, sizeof(CUgraphNode));
    bool *placed = lab_alloc(g->nnodes + 1, sizeof(bool));
    size_t n = 0, before;
    number_nodes(g);
    do {
        before = n;
        for (size_t k = 0; k < g->nnodes; k++) {
            bool ready = !placed[k];
            for (size_t d = 0; ready && d < g->nodes[k]->ndeps; d++) {
                ready = placed[g->nodes[k]->deps[d]->index];
            }
            if (ready) {
                placed[k] = true;
                order[n++] = g->nodes[k];
            }
        }
    } while (n > before);
    free(placed);
    if (n < g->nnodes) {
        free(order);
        return NULL;
    }
    return order;
}

CUresult cu_graph_run(CUcontext ctx, CUgraph g, CUgraphNode const *order)
{
    CUresult r = CUDA_SUCCESS;
    for (size_t k = 0; k < g->nnodes && r == CUDA_SUCCESS; k++) {
        if (ctx->latent != CUDA_SUCCESS) {
            break;
        }
        if (!order[k]->disabled) {
            r = cu_op_run(ctx, &order[k]->op);
        }
    }
    return r;
}
